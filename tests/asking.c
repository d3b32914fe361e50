#include "asking.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(ARRAY) ((uint32_t)(sizeof (ARRAY) / sizeof *(ARRAY)))

// Names of all kinds: plain, like words of the language, with odd characters.
static const char *const places[] = {
    "p",     "q",    "r",     "fork1", "fork2",     "a-b",   "F",
    "AND",   "true", "x.y_1", "1st",   "two words", "12",    "\xc3\xa4",
    "\"'\\", "EF",   "u",     "=",     "*/",        "bounds"};
static const char *const transitions[] = {"t",     "go",  "go on", "FIREABLE",
                                          "t,(u)", "eat", "'"};

tl_net *asking_net (tl_mem *mem) {
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  for (uint32_t i = 0; i < COUNT (places); i++)
    assert_int_equal (tl_builder_place (b, places[i], 0, i < 2 ? i + 1 : 0, 0),
                      TL_OK);
  for (uint32_t i = 0; i < COUNT (transitions); i++)
    assert_int_equal (tl_builder_transition (b, transitions[i], 0, 0), TL_OK);
  assert_int_equal (tl_builder_finish (b, "test", "pnml", &net, 0), TL_OK);
  return net;
}

tl_questions *asking_open (const tl_net *net, tl_mem *parent) {
  tl_questions *q;
  assert_int_equal (tl_questions_open (&q, net, 0), TL_OK);
  q->mem.parent = parent; // to see that all is given back
  return q;
}

char *asking_printed (const tl_questions *q, size_t number) {
  static char out[20000];
  tl_question_print (q->question + number, q->net, out, sizeof out);
  return out;
}

char *asking_nested (size_t count, const char *part, const char *middle,
                     const char *end) {
  const size_t length =
      count * (strlen (part) + strlen (end)) + strlen (middle) + 1;
  char *text = test_malloc (length), *at = text;
  for (size_t i = 0; i < count; i++)
    at = stpcpy (at, part);
  at = stpcpy (at, middle);
  for (size_t i = 0; i < count; i++)
    at = stpcpy (at, end);
  return text;
}

void asking_starved (tl_status (*read) (tl_questions *, tl_error *)) {
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = asking_net (&mem);
  const size_t before = mem.used;
  tl_status rc = TL_E_NOMEM;
  long n = 0;
  for (; rc; n++) {
    tl_questions *q = asking_open (net, &mem);
    tl_error err = {0};
    q->mem.fail_after = n;
    rc = read (q, &err);
    if (rc) {
      assert_int_equal (rc, TL_E_NOMEM);
      assert_int_equal (err.code, TL_E_NOMEM);
      // It goes on where there is memory again.
      const size_t count = tl_questions_count (q);
      q->mem.fail_after = -1;
      assert_int_equal (tl_questions_add_text (q, "EF p = 1", &err), TL_OK);
      assert_int_equal (tl_questions_count (q), count + 1);
      assert_string_equal (asking_printed (q, count), "EF (p = 1)");
    }
    tl_questions_close (q);
    assert_int_equal (mem.used, before);
  }
  assert_true (n > 3);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}
