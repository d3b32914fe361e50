// Certificates of answers about random nets: all are verified, and what they
// say is what brute force finds.  With bytes changed, and all checksums right,
// they are refused, or what they say is true all the same.
//
//   proofs [--nets N] [--seed S] [--long]

#include "../trials.h"
#include "base/bits.h"
#include "logic/eval.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { NORMAL = 120, LONG = 20000, STATES = 200, CHANGES = 40 };

typedef struct tally {
  uint64_t answers, invariants, runs, states, none, refused, damaged, still;
} tally;

static bool complain (uint64_t seed, const char *what, const char *why) {
  printf ("seed %" PRIu64 ": %s: %s\n", seed, what, why);
  return false;
}

// ---- What is right ---------------------------------------------------------

static bool somewhere (const brute *b, const tl_formula *f, bool holds) {
  for (uint64_t i = 0; i < b->states; i++)
    if (tl_formula_holds (f, b->net, brute_marking (b, i)) == holds)
      return true;
  return false;
}

static bool is_true (const brute *b, const tl_formula *f) {
  switch (f->op) {
  case TL_EXISTS: return somewhere (b, f->operand[0]->operand[0], true);
  case TL_ALL: return !somewhere (b, f->operand[0]->operand[0], false);
  case TL_NOT: return !is_true (b, f->operand[0]);
  case TL_AND:
  case TL_OR:
    for (uint32_t i = 0; i < f->count; i++)
      if (is_true (b, f->operand[i]) == (f->op == TL_OR))
        return f->op == TL_OR;
    return f->op == TL_AND;
  default: return tl_formula_holds (f, b->net, brute_marking (b, 0));
  }
}

static uint64_t most (const brute *b, const tl_question *q) {
  uint64_t found = 0;
  for (uint64_t i = 0; i < b->states; i++) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < q->term_count; k++)
      sum += (uint64_t)q->term[k].coefficient *
             brute_marking (b, i)[q->term[k].place];
    found = sum > found ? sum : found;
  }
  return found;
}

static bool has_constant (const brute *b) {
  for (uint32_t p = 0; p < b->net->places; p++)
    if (b->place_max[p] == b->place_min[p])
      return true;
  return false;
}

static bool is_right (const brute *b, const tl_question *q,
                      const tl_proven *p) {
  const bool said = p->verdict == TL_VERDICT_TRUE;
  switch (q->kind) {
  case TL_ASK_FORMULA: return said == is_true (b, q->formula);
  case TL_ASK_BOUND: return q->finite ? said : p->value == most (b, q);
  case TL_ASK_DEADLOCK: return said == (b->deadlocks > 0);
  case TL_ASK_ONE_SAFE: return said == (b->max_in_place <= 1);
  case TL_ASK_QUASI_LIVE: return said == !b->dead_transitions;
  case TL_ASK_STABLE_MARKING: return said == has_constant (b);
  default: return false;
  }
}

// The text says what was checked: it is read again.
static bool judge (const brute *b, const tl_proven *p) {
  tl_questions *asked;
  tl_error err = {0};
  if (tl_questions_open (&asked, b->net, 0))
    abort ();
  const bool read = !tl_questions_add_text (asked, p->formula, &err);
  if (!read)
    printf ("%s: %s\n", p->formula, err.text);
  const bool right = read && is_right (b, asked->question, p);
  if (read && !right)
    printf ("%s: %d\n", p->formula, (int)p->verdict);
  tl_questions_close (asked);
  return right;
}

// ---- Questions -------------------------------------------------------------

static tl_formula *random_goal (tl_questions *asked, tl_random *r) {
  tl_arena *arena = &asked->arena;
  const bool all = tl_random_below (r, 2);
  return tl_formula_unary (
      arena, all ? TL_ALL : TL_EXISTS,
      tl_formula_unary (arena, all ? TL_GLOBALLY : TL_FINALLY,
                        random_formula (arena, asked->net, RANDOM_STATE,
                                        (unsigned)tl_random_below (r, 4), r)));
}

static void ask_formula (tl_questions *asked, tl_formula *f) {
  tl_question *q = tl_questions_add (asked, "formula");
  if (!q || !f)
    abort ();
  q->kind = TL_ASK_FORMULA;
  q->formula = f;
}

static void ask_text (tl_questions *asked, const char *text) {
  tl_error err = {0};
  if (tl_questions_add_text (asked, text, &err))
    abort ();
}

static void ask (tl_questions *asked, tl_random *r) {
  char text[64];
  const uint32_t places = asked->net->places;
  tl_formula *f = random_goal (asked, r), *g = random_goal (asked, r);
  for (unsigned i = 0; i < 3; i++)
    ask_formula (asked, random_goal (asked, r));
  ask_formula (asked,
               tl_formula_binary (&asked->arena,
                                  tl_random_below (r, 2) ? TL_AND : TL_OR, f,
                                  tl_formula_unary (&asked->arena, TL_NOT, g)));
  snprintf (text, sizeof text, "MAX(p%u + 2 * p%u)",
            (unsigned)tl_random_below (r, places),
            (unsigned)tl_random_below (r, places));
  ask_text (asked, text);
  ask_text (asked, "deadlock");
  static const char *const named[] = {"one-safe", "quasi-live",
                                      "stable-marking", "bounded"};
  ask_text (asked, named[tl_random_below (r, 4)]);
}

// ---- Changes ---------------------------------------------------------------

typedef struct file {
  char path[64];
  unsigned char *bytes;
  size_t length;
} file;

static void load (file *f) {
  FILE *in = fopen (f->path, "r");
  if (!in)
    abort ();
  fseek (in, 0, SEEK_END);
  f->length = (size_t)ftell (in);
  rewind (in);
  f->bytes = malloc (f->length + 1);
  if (!f->bytes || fread (f->bytes, 1, f->length, in) != f->length)
    abort ();
  fclose (in);
}

static void save (const file *f) {
  FILE *out = fopen (f->path, "w");
  if (!out || fwrite (f->bytes, 1, f->length, out) != f->length)
    abort ();
  fclose (out);
}

// Makes all sums right.
static void sum_up (const file *f) {
  uint64_t sum = XXH3_64bits_withSeed (f->bytes, 16, 0);
  tl_write_word (f->bytes + 16, sum);
  for (size_t at = 24; at < f->length;) {
    uint32_t length;
    memcpy (&length, f->bytes + at + 4, 4);
    length &= 0x7fffffff;
    sum = XXH3_64bits_withSeed (f->bytes + at, 8 + length, sum);
    tl_write_word (f->bytes + at + 8 + length, sum);
    at += 16 + (size_t)length;
  }
}

// A byte of facts or questions, or now and then of anything but lengths; 0:
// there is none here.
static size_t choose_byte (const file *f, tl_random *r) {
  size_t found = 0, seen = 0;
  const bool any = !tl_random_below (r, 10);
  for (size_t at = 24; at + 24 < f->length;) {
    uint32_t length;
    memcpy (&length, f->bytes + at + 4, 4);
    length &= 0x7fffffff;
    const bool wanted = any || !memcmp (f->bytes + at, "fact", 4) ||
                        !memcmp (f->bytes + at, "asks", 4);
    for (size_t i = 0; wanted && i < length; i++)
      if (!tl_random_below (r, ++seen))
        found = at + 8 + i;
    at += 16 + (size_t)length;
  }
  return found;
}

static bool try_change (const brute *b, file *f, uint64_t seed, tl_random *r,
                        tally *sum) {
  const size_t at = choose_byte (f, r);
  const unsigned char before = f->bytes[at];
  tl_verification v;
  tl_error err = {0};
  if (!at)
    return true;
  const unsigned other = tl_random_below (r, 2)
                             ? before ^ 1U << tl_random_below (r, 8)
                             : before + (tl_random_below (r, 2) ? 1U : 255U);
  f->bytes[at] = (unsigned char)other;
  sum_up (f);
  save (f);
  const tl_status rc = tl_verify (f->path, b->net, 0, &v, &err);
  bool ok = !rc || rc == TL_E_SYNTAX;
  sum->damaged += rc != 0;
  sum->refused += !rc && !v.verified;
  sum->still += !rc && v.verified;
  const tl_proven *p;
  for (size_t i = 0; ok && !rc && (p = tl_verification_proven (&v, i)); i++)
    ok = judge (b, p);
  if (!rc)
    tl_verification_close (&v);
  f->bytes[at] = before;
  return ok || complain (seed, "a changed certificate", "verified");
}

// ---- A net -----------------------------------------------------------------

static size_t count_certified (const tl_answers *answers, tally *sum) {
  size_t n = 0;
  for (size_t i = 0; i < answers->count; i++) {
    const char *by = answers->answer[i].certified;
    n += by != 0;
    sum->none += !by;
    sum->invariants += by && strstr (by, "invariants");
    sum->runs += by && strstr (by, "run");
    sum->states += by && strstr (by, "states");
  }
  sum->answers += answers->count;
  return n;
}

static bool try_verify (const brute *b, const file *f, size_t certified,
                        uint64_t seed) {
  tl_verification v;
  tl_error err = {0};
  if (tl_verify (f->path, b->net, 0, &v, &err))
    return complain (seed, "as it is", err.text);
  const tl_proven *p;
  bool ok = v.verified || complain (seed, "refused", v.reason);
  ok = ok && (v.proven_count == certified ||
              complain (seed, "as it is", "answers are missing"));
  for (size_t i = 0; ok && (p = tl_verification_proven (&v, i)); i++)
    ok = judge (b, p) || complain (seed, "as it is", "wrong");
  tl_verification_close (&v);
  return ok;
}

static bool try_net (const trial_net *in, uint64_t seed, tally *sum) {
  tl_random r = {seed};
  tl_questions *asked;
  tl_answers answers;
  tl_error err = {0};
  file f = {0};
  snprintf (f.path, sizeof f.path, "%s/proofs-%ld", P_tmpdir, (long)getpid ());
  tl_options how = tl_options_default ();
  how.certificate = f.path;
  how.threads = 1 + (uint32_t)tl_random_below (&r, 2);
  how.parallel_from = 1;
  if (tl_questions_open (&asked, in->net, 0))
    abort ();
  ask (asked, &r);
  if (tl_check (in->net, asked, &how, &answers, &err)) {
    tl_questions_close (asked);
    return complain (seed, "check", err.text);
  }
  const size_t certified = count_certified (&answers, sum);
  bool ok = true;
  if (certified) {
    load (&f);
    ok = try_verify (&in->all, &f, certified, seed);
    for (unsigned i = 0; ok && i < CHANGES; i++)
      ok = try_change (&in->all, &f, seed, &r, sum);
    free (f.bytes);
    unlink (f.path);
  }
  tl_answers_close (&answers);
  tl_questions_close (asked);
  return ok;
}

static bool try_seed (uint64_t seed, void *context) {
  random_net net;
  trial_net in;
  random_net_make (&net, seed);
  if (!trial_net_open (&in, &net, seed, STATES))
    return true;
  const bool ok = try_net (&in, seed, context);
  return trial_net_close (&in) && ok;
}

int main (int count, char **word) {
  trials wanted;
  tally sum = {0};
  if (!trials_wanted (&wanted, count, word, NORMAL, LONG))
    return 2;
  const bool ok = trials_run (&wanted, "proofs", try_seed, &sum);
  printf ("# %" PRIu64 " answers: by invariants %" PRIu64 ", runs %" PRIu64
          ", states %" PRIu64 ", not certified %" PRIu64 "\n",
          sum.answers, sum.invariants, sum.runs, sum.states, sum.none);
  printf ("# changed ones: %" PRIu64 " refused, %" PRIu64
          " not well formed, %" PRIu64 " still true\n",
          sum.refused, sum.damaged, sum.still);
  return !ok;
}
