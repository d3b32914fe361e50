// Certificates of nets that are known: larger than the buffers of a search,
// with every byte changed, with every byte changed and the checksums right, and
// with failures of memory and disk.

#include "../certifying.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static tl_net *example (const char *family, uint64_t size) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  return net;
}

// With little memory the states are sorted in many parts.
static void sorts_in_parts (void **state) {
  (void)state;
  static const uint64_t memory[] = {0, 8 << 20};
  tl_net *net = example ("kanban", 3);
  for (size_t i = 0; i < 2; i++)
    for (uint32_t threads = 1; threads < 3; threads++) {
      tl_options how = tl_options_default ();
      certificate c;
      tl_verification v;
      tl_error err;
      how.memory = memory[i];
      how.threads = threads;
      how.parallel_from = 1;
      assert_true (certificate_make (&c, net, &how));
      assert_int_equal (certificate_verify (&c, 0, &v, &err), TL_OK);
      assert_string_equal (v.reason, "");
      assert_int_equal (v.states, 58400);
      assert_int_equal (v.arcs, 446400);
      assert_int_equal (v.depth, 42);
      assert_true (c.length < 58400);
      certificate_close (&c);
    }
  tl_net_close (net);
}

// Keys of several words, and transitions for more cursors than there is memory.
static void takes_long_keys (void **state) {
  (void)state;
  tl_net *net = example ("token-ring", 6);
  tl_options how = tl_options_default ();
  certificate c;
  tl_verification v;
  tl_error err;
  how.every_place = true;
  assert_true (certificate_make (&c, net, &how));
  for (size_t limit = 0; limit < 2 << 20; limit += 1100 << 10) {
    assert_int_equal (certificate_verify (&c, limit, &v, &err), TL_OK);
    assert_string_equal (v.reason, "");
    assert_int_equal (v.states, c.states);
  }
  assert_int_equal (certificate_verify (&c, 400 << 10, &v, &err), TL_E_NOMEM);
  certificate_close (&c);
  tl_net_close (net);
}

static void notices_every_byte (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 2);
  const tl_options how = tl_options_default ();
  certificate c;
  tl_verification v;
  tl_error err;
  assert_true (certificate_make (&c, net, &how));
  assert_int_equal (certificate_verify (&c, 0, &v, &err), TL_OK);
  assert_true (v.verified);
  const size_t length = c.length;
  for (size_t i = 0; i < length; i++)
    for (unsigned change = 1; change < 256; change += change) {
      c.bytes[i] ^= (unsigned char)change;
      assert_int_equal (certificate_verify (&c, 0, &v, &err), TL_E_SYNTAX);
      c.bytes[i] ^= (unsigned char)change;
    }
  for (c.length = 1; c.length < length; c.length++)
    assert_int_equal (certificate_verify (&c, 0, &v, &err), TL_E_SYNTAX);
  c.length = length + 1;
  assert_int_equal (certificate_verify (&c, 0, &v, &err), TL_E_SYNTAX);
  certificate_close (&c);
  tl_net_close (net);
}

// With right checksums: the code of keys is used only as it is proved, so no
// change of it changes what is proved.
static void trusts_no_code (void **state) {
  (void)state;
  tl_net *net = example ("dining", 3);
  const tl_options how = tl_options_default ();
  certificate c;
  tl_verification v;
  tl_error err;
  assert_true (certificate_make (&c, net, &how));
  const uint64_t states = c.states;
  for (size_t i = 0; i < c.code.length; i++)
    for (unsigned change = 1; change < 256; change += change) {
      c.code.bytes[i] ^= (unsigned char)change;
      certificate_join (&c);
      const tl_status rc = certificate_verify (&c, 0, &v, &err);
      assert_true (rc == TL_OK || rc == TL_E_SYNTAX);
      if (!rc && v.verified)
        assert_int_equal (v.states, states);
      c.code.bytes[i] ^= (unsigned char)change;
    }
  for (size_t i = 0; i < c.net.length; i++) {
    c.net.bytes[i] ^= 1;
    certificate_join (&c);
    const tl_status rc = certificate_verify (&c, 0, &v, &err);
    assert_true (rc == TL_OK || rc == TL_E_SYNTAX);
    c.net.bytes[i] ^= 1;
  }
  certificate_close (&c);
  tl_net_close (net);
}

// ---- The code, number by number --------------------------------------------

enum { NUMBERS = 1000 };

static size_t take_numbers (const certificate *c, uint64_t *number) {
  size_t n = 0;
  for (size_t i = 0, shift = 0; i < c->code.length; i++) {
    assert_true (n < NUMBERS);
    number[n] = (shift ? number[n] : 0) | (uint64_t)(c->code.bytes[i] & 0x7f)
                                              << shift;
    shift = c->code.bytes[i] >> 7 ? shift + 7 : 0;
    n += !shift;
  }
  return n;
}

static void put_numbers (certificate *c, const uint64_t *number, size_t count) {
  free (c->code.bytes);
  c->code.bytes = malloc (10 * count);
  c->code.length = 0;
  assert_non_null (c->code.bytes);
  for (size_t i = 0; i < count; i++) {
    uint64_t n = number[i];
    for (; n >> 7; n >>= 7)
      c->code.bytes[c->code.length++] = (unsigned char)(n | 0x80);
    c->code.bytes[c->code.length++] = (unsigned char)n;
  }
  certificate_join (c);
}

// Where the functions begin: behind the bits, and the digits with their places.
static size_t find_functions (const uint64_t *number) {
  size_t at = 2;
  for (uint64_t digit = 0; digit < number[1]; digit++)
    at += 4 + number[at + 3];
  return at;
}

static void is_refused_with (certificate *c, const uint64_t *number,
                             size_t count, size_t at, uint64_t other,
                             const char *why) {
  uint64_t changed[NUMBERS];
  tl_verification v;
  tl_error err;
  memcpy (changed, number, count * sizeof *number);
  changed[at] = other;
  put_numbers (c, changed, count);
  const tl_status rc = certificate_verify (c, 0, &v, &err);
  assert_int_equal (rc, why ? TL_OK : TL_E_SYNTAX);
  if (why)
    assert_memory_equal (v.reason, why, strlen (why));
}

// A place that is said to be a function of others, and is not: for every factor
// of every function.
static void functions_are_invariants (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 3);
  const tl_options how = tl_options_default ();
  certificate c;
  uint64_t number[NUMBERS];
  unsigned tried = 0;
  assert_true (certificate_make (&c, net, &how));
  const size_t count = take_numbers (&c, number);
  size_t at = find_functions (number);
  const uint64_t functions = number[at++];
  for (uint64_t f = 0; f < functions; f++) {
    const uint64_t terms = number[at + 1];
    at += 2;
    for (uint64_t t = 0; t < terms; t++, at += 2, tried++) {
      is_refused_with (&c, number, count, at + 1, number[at + 1] ^ 1,
                       "the code of markings is wrong: a transition breaks the "
                       "function of place");
      is_refused_with (&c, number, count, at + 1, number[at + 1] + 2,
                       "the code of markings is wrong: a transition breaks the "
                       "function of place");
    }
  }
  assert_int_equal (at, count);
  assert_true (tried > 2);
  certificate_close (&c);
  tl_net_close (net);
}

// Radices out of range, digits that overlap, and words without one.
static void digits_are_digits (void **state) {
  (void)state;
  const char *const overlap =
      "the code of markings is wrong: digits overlap, or a word has none";
  tl_net *net = example ("kanban", 2);
  const tl_options how = tl_options_default ();
  certificate c;
  uint64_t number[NUMBERS];
  assert_true (certificate_make (&c, net, &how));
  const size_t count = take_numbers (&c, number);
  assert_in_range (number[0], 1, 64);
  size_t at = 2;
  for (uint64_t digit = 0; digit < number[1]; digit++) {
    is_refused_with (&c, number, count, at, 1, 0);     // there is one word
    is_refused_with (&c, number, count, at + 1, 0, 0); // a weight
    is_refused_with (&c, number, count, at + 2, 0, 0); // a radix
    is_refused_with (&c, number, count, at + 2, ((uint64_t)1 << 41) + 1, 0);
    if (number[at + 1] == 1) // it is the lowest
      is_refused_with (&c, number, count, at + 2, (uint64_t)1 << 41, overlap);
    is_refused_with (&c, number, count, at + 3, 0, 0);
    at += 4 + number[at + 3];
  }
  certificate_close (&c);
  tl_net_close (net);
}

// A key of two words, all digits of which are in the first.
static void words_have_digits (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 2);
  const tl_options how = tl_options_default ();
  certificate c;
  uint64_t number[NUMBERS];
  assert_true (certificate_make (&c, net, &how));
  const size_t count = take_numbers (&c, number);
  c.key_bits = 65;
  c.key = realloc (c.key, c.states * 16);
  assert_non_null (c.key);
  for (uint64_t i = c.states; i-- > 0;) {
    c.key[2 * i] = c.key[i];
    c.key[2 * i + 1] = 0;
  }
  c.key_words = 2;
  is_refused_with (
      &c, number, count, 0, 65,
      "the code of markings is wrong: digits overlap, or a word has none");
  certificate_close (&c);
  tl_net_close (net);
}

// A group of places is a digit of one more value than it has places.
static void groups_have_their_radix (void **state) {
  (void)state;
  tl_net *net = example ("token-ring", 4);
  const tl_options how = tl_options_default ();
  certificate c;
  uint64_t number[NUMBERS];
  unsigned groups = 0;
  assert_true (certificate_make (&c, net, &how));
  const size_t count = take_numbers (&c, number);
  size_t at = 2;
  for (uint64_t digit = 0; digit < number[1]; digit++) {
    if (number[at + 3] > 1) {
      groups++;
      is_refused_with (&c, number, count, at + 2, number[at + 2] - 1, 0);
      is_refused_with (&c, number, count, at + 2, number[at + 2] + 1, 0);
    }
    at += 4 + number[at + 3];
  }
  assert_true (groups > 0);
  certificate_close (&c);
  tl_net_close (net);
}

// Every state left out, every other key added, every depth one less.
static void needs_every_state (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 2);
  const tl_options how = tl_options_default ();
  certificate c;
  tl_verification v;
  tl_error err;
  assert_true (certificate_make (&c, net, &how));
  assert_in_range (c.key_bits, 1, 8);
  for (uint64_t key = 0; key < (uint64_t)1 << c.key_bits; key++) {
    bool there;
    const uint64_t n = certificate_find (&c, &key, &there);
    const uint32_t depth = there ? c.depth[n] : 1;
    for (unsigned change = 0; change < 2; change++) {
      if (there)
        certificate_remove (&c, n);
      if (!there || (change && depth))
        certificate_add (&c, &key, there ? depth - 1 : depth + change);
      certificate_claim (&c, 0, c.states);
      certificate_join (&c);
      assert_int_equal (certificate_verify (&c, 0, &v, &err), TL_OK);
      assert_false (v.verified);
      if (!there || (change && depth))
        certificate_remove (&c, n);
      if (there)
        certificate_add (&c, &key, depth);
    }
  }
  certificate_close (&c);
  tl_net_close (net);
}

static void survives_failures (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 3);
  const tl_options how = tl_options_default ();
  certificate c;
  tl_verification v;
  tl_error err;
  assert_true (certificate_make (&c, net, &how));
  tl_status rc = TL_E_NOMEM;
  for (long n = 0; rc; n++) {
    tl_mem mem = TL_MEM (0, "verify");
    mem.fail_after = n;
    rc = tl_verify_bytes (&mem, "c", c.bytes, c.length, 0, &v, &err);
    assert_true (!rc || rc == TL_E_NOMEM);
    assert_int_equal (mem.used, 0);
  }
  assert_true (v.verified);
  certificate_close (&c);
  tl_net_close (net);
}

// A disk that is full leaves what was there.
static void keeps_what_was_there (void **state) {
  (void)state;
  char path[] = P_tmpdir "/test_certificate.XXXXXX", first[5] = "";
  const int fd = mkstemp (path);
  assert_int_equal (write (fd, "kept", 4), 4);
  tl_net *net = example ("kanban", 2);
  tl_options how = tl_options_default ();
  tl_exploration x;
  tl_error err = {0};
  struct rlimit old, small;
  how.certificate = path;
  getrlimit (RLIMIT_FSIZE, &old);
  small = (struct rlimit){100, old.rlim_max};
  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &small);
  assert_int_equal (tl_explore (net, &how, &x, &err), TL_E_IO);
  setrlimit (RLIMIT_FSIZE, &old);
  assert_string_equal (err.file, path);
  assert_int_equal (pread (fd, first, 4, 0), 4);
  assert_string_equal (first, "kept");
  close (fd);
  unlink (path);
  tl_net_close (net);
}

static void refuses_other_searches (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 2);
  tl_exploration x;
  tl_error err;
  tl_options how = tl_options_default ();
  how.certificate = "nowhere";
  how.order = "dfs";
  assert_int_equal (tl_explore (net, &how, &x, &err), TL_E_ARG);
  how.order = "bfs";
  how.stubborn = "deadlock";
  assert_int_equal (tl_explore (net, &how, &x, &err), TL_E_ARG);
  how.stubborn = "none";
  how.engine = "symbolic";
  assert_int_equal (tl_explore (net, &how, &x, &err), TL_E_ARG);
  assert_string_equal (err.text, "certificates need the engine explicit");
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (sorts_in_parts),
      cmocka_unit_test (takes_long_keys),
      cmocka_unit_test (notices_every_byte),
      cmocka_unit_test (trusts_no_code),
      cmocka_unit_test (functions_are_invariants),
      cmocka_unit_test (digits_are_digits),
      cmocka_unit_test (words_have_digits),
      cmocka_unit_test (groups_have_their_radix),
      cmocka_unit_test (needs_every_state),
      cmocka_unit_test (survives_failures),
      cmocka_unit_test (keeps_what_was_there),
      cmocka_unit_test (refuses_other_searches),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
