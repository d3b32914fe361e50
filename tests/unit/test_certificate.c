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
      cmocka_unit_test (needs_every_state),
      cmocka_unit_test (survives_failures),
      cmocka_unit_test (keeps_what_was_there),
      cmocka_unit_test (refuses_other_searches),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
