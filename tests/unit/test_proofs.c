// Certificates of answers, written by hand: one that is right, and each way in
// which one may be wrong, with the reason for which it is refused.

#include "base/records.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const tl_record_kind kind = {"cert", 1, "certificate"};

enum {
  EVEN = 2,    // a factor n is written as 2n,
  ODD = 1,     // and -n as 2n + 1
  END = 0xffff // of a list
};
#define PLUS(N) ((N)*EVEN)
#define MINUS(N) ((N)*EVEN + ODD)

static void write_numbers (tl_record_writer *w, const unsigned *number) {
  for (; *number != END; number++)
    tl_records_write_number (w, *number);
}

static void write_node (tl_record_writer *w, const char *id, unsigned tokens) {
  tl_records_write_text (w, id);
  tl_records_write_number (w, tokens);
}

// p (2 tokens) and q (none); `go` takes from p and gives to q, `back` the
// other way, `take` takes two from q and gives one to it; `never` waits for r,
// which is always empty, and takes from p; `much` waits for three in p.
static void write_net (tl_record_writer *w) {
  static const unsigned go[] = {1, 0, 1, 1, 1, 1, 0, END},
                        back[] = {1, 1, 1, 1, 0, 1, 0, END},
                        take[] = {1, 1, 2, 1, 1, 1, 0, END},
                        never[] = {2, 0, 1, 2, 1, 0, 0, END},
                        much[] = {1, 0, 3, 0, 0, END};
  static const struct {
    const char *id;
    const unsigned *arcs;
  } transition[] = {{"go", go},
                    {"back", back},
                    {"take", take},
                    {"never", never},
                    {"much", much}};
  tl_records_begin (w, "net ");
  tl_records_write_text (w, "net");
  tl_records_write_number (w, 3);
  write_node (w, "p", 2);
  write_node (w, "q", 0);
  write_node (w, "r", 0);
  tl_records_write_number (w, 5);
  for (size_t i = 0; i < 5; i++) {
    tl_records_write_text (w, transition[i].id);
    write_numbers (w, transition[i].arcs);
  }
}

// Verifies what is put together; the reason for which it is refused, "" if it
// is not, "damaged" if it is no certificate.
static const char *reason (const unsigned *facts, const unsigned *asks) {
  static char why[512];
  char path[64];
  tl_mem mem = TL_MEM (0, "certificate");
  tl_record_writer w;
  tl_verification v;
  tl_error err = {0};
  snprintf (path, sizeof path, "%s/test_proofs-%ld", P_tmpdir, (long)getpid ());
  assert_int_equal (tl_records_create (&w, &mem, path, &kind, &err), TL_OK);
  write_net (&w);
  tl_records_begin (&w, "fact");
  write_numbers (&w, facts);
  tl_records_begin (&w, "asks");
  tl_records_write_number (&w, 1);
  tl_records_write_text (&w, "");
  write_numbers (&w, asks);
  assert_int_equal (tl_records_finish (&w, TL_OK, &err), TL_OK);
  const tl_status rc = tl_verify_on (&mem, path, 0, &v, &err);
  unlink (path);
  assert_int_equal (mem.used, 0);
  if (rc) {
    assert_int_equal (rc, TL_E_SYNTAX);
    return "damaged";
  }
  assert_int_equal (v.verified, !v.reason[0]);
  assert_int_equal (v.proven_count, v.verified);
  snprintf (why, sizeof why, "%s", v.reason);
  tl_verification_close (&v);
  return why;
}

static void is_refused (const unsigned *facts, const unsigned *asks,
                        const char *why) {
  assert_string_equal (reason (facts, asks), why);
}

// -p - q never gets smaller; p + q is at least 1 for ever.
static const unsigned facts[] = {2,         0, 2, 0, MINUS (1), 1,
                                 MINUS (1), 1, 2, 0, 1,         END};
// AG p + q <= 2: p + q <= 2 is fact 0, and 3 <= p + q is condition 0.
#define SUM_AT_MOST(BOUND) 0, 9, 2, 2, 0, PLUS (1), 1, PLUS (1), PLUS (BOUND), 1
static const unsigned asks[] = {SUM_AT_MOST (2), 1, 0, END};

static void a_right_one_is_verified (void **state) {
  (void)state;
  static const unsigned added_up[] = {SUM_AT_MOST (2), 1, 1,        1,  2, 0,
                                      PLUS (1),        2, PLUS (1), END},
                        // AG p + q >= 1, by the trap
      trap[] = {0,         9,         2, 2, 0, MINUS (1), 1,
                MINUS (1), MINUS (1), 1, 1, 0, END},
                        run[] = {0,        8, 2, 1, 0, PLUS (1),
                                 PLUS (1), 1, 2, 1, 0, END},
                        most[] = {1, 1, 0, PLUS (1), 2, 2, 0, 1, 0, END},
                        // AG NOT FIREABLE(never): r is empty
      never[] = {0, 9, 5, 3, 1, 3, 1, 1, 0, END},
                        quasi[] = {5, 0, 2, 0, 0, 0, 1, 0, 0, END};
  static const unsigned with_r[] = {3, 0, 2, 0, MINUS (1), 1, MINUS (1), 1,
                                    2, 0, 1, 0, 1,         2, MINUS (1), END};
  is_refused (facts, asks, "");
  is_refused (facts, added_up, "");
  is_refused (facts, trap, "");
  is_refused (facts, run, "");
  is_refused (facts, most, "");
  is_refused (with_r, never, "");
  is_refused (with_r, quasi, "");
}

static void facts_are_checked (void **state) {
  (void)state;
  static const unsigned falls[] = {1, 0, 1, 0, PLUS (1), END},
                        rises[] = {1, 0, 1, 1, MINUS (1), END},
                        taken[] = {1, 0, 2, 0, PLUS (1), 1, PLUS (1), END},
                        leaves[] = {1, 1, 1, 0, END},
                        unmarked[] = {1, 1, 1, 2, END},
                        empty[] = {1, 1, 0, END},
                        unordered[] = {1, 1, 2, 1, 0, END},
                        twice[] = {1, 0, 2, 0, MINUS (1), 0, MINUS (1), END},
                        zero[] = {1, 0, 1, 0, PLUS (0), END};
  is_refused (falls, asks,
              "fact 0 is none: transition go makes the sum smaller");
  is_refused (rises, asks,
              "fact 0 is none: transition go makes the sum smaller");
  is_refused (taken, asks,
              "fact 0 is none: transition much makes the sum smaller");
  is_refused (leaves, asks,
              "fact 0 is none: transition go takes from the trap and gives "
              "nothing to it");
  is_refused (unmarked, asks,
              "fact 0 is none: the trap is not marked at the start");
  is_refused (empty, asks,
              "fact 0 is none: the trap is not marked at the start");
  is_refused (unordered, asks, "damaged");
  is_refused (twice, asks, "damaged");
  is_refused (zero, asks, "damaged");
}

// `much` would empty the trap, if p could have three tokens: that it cannot has
// to be known before.
static void dead_transitions_do_not_count (void **state) {
  (void)state;
  static const unsigned before[] = {2, 1, 2,         0, 1,         0,
                                    2, 0, MINUS (1), 1, MINUS (1), END};
  // q may have as many as `take` waits for.
  static const unsigned enough[] = {
      2, 0, 2, 0, MINUS (1), 1, MINUS (1), 0, 2, 0, PLUS (1), 1, PLUS (1), END};
  is_refused (enough, asks,
              "fact 1 is none: transition take makes the sum smaller");
  is_refused (before, asks,
              "fact 0 is none: transition much takes from the trap and gives "
              "nothing to it");
}

static void steps_are_checked (void **state) {
  (void)state;
  static const unsigned
      other_sum[] = {SUM_AT_MOST (1), 1, 0, END},
      negative[] = {SUM_AT_MOST (2), 1, 1,        1,  2, 0,
                    MINUS (1),       2, PLUS (1), END},
      beyond[] = {SUM_AT_MOST (2), 1, 1, 1, 1, 3, PLUS (1), END},
      // p <= 0 does not follow
      clause[] = {SUM_AT_MOST (1), 1, 1, 0, 1, 1, PLUS (0), END},
      no_variable[] = {SUM_AT_MOST (2), 1, 1, 0, 1, 6, PLUS (0), END},
      // EF of p + q >= 3 in two ways: their rules are of different choices
      two_ways[] = {0,        8, 7,        2,        5,        2,  2, 0,
                    PLUS (1), 1, PLUS (1), PLUS (2), 5,        2,  2, 0,
                    PLUS (1), 1, PLUS (1), PLUS (2), 0,        1,  1, 1,
                    2,        2, PLUS (1), 3,        PLUS (1), END};
  is_refused (facts, other_sum, "the steps lead to no contradiction");
  is_refused (facts, negative, "a multiplier is negative");
  is_refused (facts, beyond, "damaged");
  is_refused (facts, clause, "a step does not follow");
  is_refused (facts, no_variable, "damaged");
  is_refused (facts, two_ways, "rules of different choices are added up");
}

static void evidence_is_checked (void **state) {
  (void)state;
  static const unsigned not_enabled[] = {0,        8, 2, 1, 0, PLUS (1),
                                         PLUS (1), 1, 2, 1, 1, END},
                        elsewhere[] = {0, 8, 2, 1, 0, PLUS (1), PLUS (1),
                                       1, 2, 2, 0, 1, END},
                        denied[] = {0,        8, 2, 1, 0, PLUS (1),
                                    PLUS (1), 0, 2, 1, 0, END},
                        none[] = {SUM_AT_MOST (2), 0, END},
                        states[] = {SUM_AT_MOST (2), 3, END},
                        more[] = {1, 1, 0, PLUS (1), 3, 0, 1, 0, END},
                        less[] = {1, 1, 0, PLUS (1), 1, 2, 0, 0, END},
                        nested[] = {0, 9, 8, 0, 1, 0, END};
  is_refused (facts, not_enabled,
              "a run is none: transition back is not enabled");
  is_refused (facts, elsewhere, "a run leads to a marking that shows nothing");
  is_refused (facts, denied, "question 1: the answer is another one");
  is_refused (facts, none, "question 1: the answer is not proven");
  is_refused (facts, states, "the states are missing");
  is_refused (facts, more, "question 1: the answer is not proven");
  is_refused (facts, less, "question 1: the answer is not proven");
  is_refused (facts, nested, "damaged");
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (a_right_one_is_verified),
      cmocka_unit_test (facts_are_checked),
      cmocka_unit_test (dead_transitions_do_not_count),
      cmocka_unit_test (steps_are_checked),
      cmocka_unit_test (evidence_is_checked)};
  return cmocka_run_group_tests (tests, 0, 0);
}
