// Automata of path formulas: on random words that end in a loop they accept
// what the formula says, and what spin's automata accept.

#include "../claim.h"
#include "../lasso.h"
#include "../random_formula.h"

#include "automaton/buchi.h"
#include "automaton/word.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tl_buchi *open_buchi (tl_mem *mem, const tl_formula *f) {
  tl_buchi *b;
  tl_error err;
  const tl_status rc = tl_buchi_open (&b, mem, f, &err);
  if (rc)
    fail_msg ("%s", err.text);
  return b;
}

static void show (const tl_automaton *a, const char *name) {
  print_message ("%s: %u states, %u sets\n", name, a->states, a->sets);
  for (uint32_t s = 0; s < a->states; s++)
    for (uint32_t e = a->first[s]; e < a->first[s + 1]; e++)
      print_message ("  %u -> %u +%llx -%llx sets %llx\n", s, a->edge[e].to,
                     (unsigned long long)a->edge[e].holds,
                     (unsigned long long)a->edge[e].fails,
                     (unsigned long long)a->edge[e].sets);
}

static void write_formula (const tl_formula *f) {
  static const char *const word[] = {
      [TL_TRUE] = "true", [TL_FALSE] = "false", [TL_NOT] = "!",
      [TL_AND] = "&",     [TL_OR] = "|",        [TL_NEXT] = "X",
      [TL_FINALLY] = "F", [TL_GLOBALLY] = "G",  [TL_UNTIL] = "U",
      [TL_RELEASE] = "R"};
  if (f->op == TL_FIREABLE)
    for (uint32_t i = 0; i < f->count; i++)
      print_message ("%c", "abcdefgh"[f->transition[i]]);
  else
    print_message ("%s", word[f->op]);
  if (!tl_formula_operands (f))
    return;
  print_message ("(");
  for (uint32_t i = 0; i < f->count; i++) {
    print_message (i ? ", " : "");
    write_formula (f->operand[i]);
  }
  print_message (")");
}

// The same letter by letter, with all states where the automaton may be.
static bool reads (const lasso *w, const tl_automaton *a,
                   tl_formula *const *atom, unsigned atoms) {
  uint64_t letter[LASSO_LETTERS] = {0}, scratch[2 * LASSO_LETTERS], states = 1;
  bool terminal = states & tl_word_terminal (a);
  assert_in_range (a->states, 1, TL_WORD_STATES);
  for (unsigned i = 0; i < w->length; i++) {
    const lasso here = {.length = 1, .letter = {w->letter[i]}};
    for (unsigned k = 0; k < atoms; k++)
      letter[i] |= (uint64_t)lasso_satisfies (&here, atom[k]) << k;
  }
  for (unsigned i = 0; i < w->loop; i++) {
    states = tl_word_after (a, states, letter[i]);
    terminal |= states & tl_word_terminal (a);
  }
  const bool accepted = tl_word_repeats (a, states, letter + w->loop,
                                         w->length - w->loop, scratch);
  assert_true (accepted || !terminal);
  return accepted;
}

static void check_word (const tl_buchi *b, const tl_formula *f,
                        const lasso *w) {
  const bool want = lasso_satisfies (w, f);
  assert_int_equal (reads (w, &b->general, b->atom, b->atoms), want);
  assert_int_equal (reads (w, &b->plain, b->atom, b->atoms), want);
  if (lasso_accepted (w, &b->general, b->atom, b->atoms) == want &&
      lasso_accepted (w, &b->plain, b->atom, b->atoms) == want)
    return;
  write_formula (f);
  print_message (" is %s on", want ? "true" : "false");
  for (unsigned i = 0; i < w->length; i++)
    print_message ("%s %x", i == w->loop ? " (" : "", w->letter[i]);
  print_message (")\n");
  show (&b->general, "general");
  show (&b->plain, "plain");
  fail ();
}

// The components are what they are said to be.
static void check_components (const tl_automaton *a) {
  tl_component worst = TL_REJECTING;
  for (uint32_t s = 0; s < a->states; s++) {
    const tl_component kind = a->kind[a->component[s]];
    bool goes_on = false;
    worst = kind > worst ? kind : worst;
    assert_in_range (a->component[s], 0, a->components - 1);
    for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++) {
      const tl_edge *e = a->edge + i;
      const bool inside = a->component[e->to] == a->component[s];
      assert_true (a->component[e->to] <= a->component[s]);
      assert_int_equal ((e->holds | e->fails) & ~a->reads[s], 0);
      assert_int_equal (e->holds & e->fails, 0);
      assert_int_equal (e->sets & ~tl_low_bits (a->sets), 0);
      if (inside && (kind == TL_WEAK || kind == TL_TERMINAL))
        assert_true (e->sets == tl_low_bits (a->sets));
      if (a->by_state)
        assert_int_equal (e->sets, a->accepting[s]);
      goes_on |= inside && !e->holds && !e->fails;
    }
    if (kind == TL_TERMINAL)
      assert_true (goes_on);
    assert_true (!s || a->first[s] < a->first[s + 1]);
  }
  assert_int_equal (a->worst, worst);
}

typedef struct tally {
  unsigned formulas, states, edges, plain_states, by_kind[4], invariant;
} tally;

static void count (tally *t, const tl_buchi *b) {
  t->formulas++;
  t->states += b->general.states;
  t->edges += b->general.first[b->general.states];
  t->plain_states += b->plain.states;
  t->by_kind[b->plain.worst]++;
  t->invariant += b->stutter_invariant;
}

static void print_tally (const tally *t, const char *what) {
  print_message ("%u %s: %.2f states and %.2f edges with accepting edges, %.2f "
                 "with accepting states; %u empty, %u terminal, %u weak, %u "
                 "strong; %u without X\n",
                 t->formulas, what, (double)t->states / t->formulas,
                 (double)t->edges / t->formulas,
                 (double)t->plain_states / t->formulas,
                 t->by_kind[TL_REJECTING], t->by_kind[TL_TERMINAL],
                 t->by_kind[TL_WEAK], t->by_kind[TL_STRONG], t->invariant);
}

static void check_random (tally *t, unsigned formulas, unsigned atoms,
                          unsigned size, unsigned words) {
  tl_mem mem = TL_MEM (0, "test");
  tl_random random = {size * 1000 + atoms};
  for (unsigned i = 0; i < formulas; i++) {
    tl_arena arena = TL_ARENA (&mem);
    tl_formula *f = lasso_formula (
        &arena, atoms, 1 + (unsigned)tl_random_below (&random, size), i % 2,
        &random);
    tl_buchi *b = open_buchi (&mem, f);
    check_components (&b->general);
    check_components (&b->plain);
    for (unsigned k = 0; k < words; k++) {
      lasso w;
      lasso_random (&w, atoms, &random);
      check_word (b, f, &w);
    }
    count (t, b);
    tl_buchi_close (b);
    tl_arena_close (&arena);
    assert_int_equal (mem.used, 0);
  }
}

static void words_are_accepted_as_defined (void **state) {
  (void)state;
  tally t = {0};
  check_random (&t, 1000, 2, 6, 30);
  check_random (&t, 1500, 3, 12, 20);
  check_random (&t, 500, 4, 18, 20);
  print_tally (&t, "random formulas");
}

static void spin_agrees (void **state) {
  (void)state;
  if (!claim_there_is_spin ()) {
    print_message ("spin is not installed: not compared\n");
    skip ();
  }
  const unsigned atoms = 3, formulas = getenv ("LONG") ? 3000 : 400;
  tl_mem mem = TL_MEM (0, "test");
  tl_random random = {5};
  unsigned ours = 0, theirs = 0, given_up = 0;
  for (unsigned i = 0; i < formulas; i++) {
    tl_arena arena = TL_ARENA (&mem);
    tl_formula *f = lasso_formula (&arena, atoms,
                                   2 + (unsigned)tl_random_below (&random, 9),
                                   false, &random);
    tl_automaton claim = TL_AUTOMATON (&mem);
    tl_formula *atom[3];
    for (uint32_t k = 0; k < atoms; k++)
      atom[k] = tl_formula_fireable (&arena, &k, 1);
    tl_buchi *b = open_buchi (&mem, f);
    if (claim_read (f, atoms, &claim)) {
      for (unsigned k = 0; k < 30; k++) {
        lasso w;
        lasso_random (&w, atoms, &random);
        if (lasso_accepted (&w, &claim, atom, atoms) !=
            lasso_satisfies (&w, f)) {
          write_formula (f);
          show (&claim, "spin");
          fail ();
        }
        check_word (b, f, &w);
      }
      ours += b->plain.states;
      theirs += claim.states;
    } else
      given_up++;
    tl_automaton_close (&claim);
    tl_buchi_close (b);
    tl_arena_close (&arena);
  }
  assert_int_equal (mem.used, 0);
  assert_true (given_up < formulas / 10);
  print_message ("%u formulas (%u spin gave up on): %u states, spin's %u\n",
                 formulas, given_up, ours, theirs);
}

// ---- Formulas written down -------------------------------------------------

// A formula in prefix notation: ! & | X F G U R > (implies), small letters are
// atoms.
static tl_formula *parse (tl_arena *arena, const char **text) {
  static const char symbol[] = "!&|XFGUR";
  static const tl_op op[] = {TL_NOT,     TL_AND,      TL_OR,    TL_NEXT,
                             TL_FINALLY, TL_GLOBALLY, TL_UNTIL, TL_RELEASE};
  *text += strspn (*text, " ");
  const char c = *(*text)++;
  if (c >= 'a' && c <= 'h') {
    const uint32_t atom = (uint32_t)(c - 'a');
    return tl_formula_fireable (arena, &atom, 1);
  }
  tl_formula *f = parse (arena, text);
  if (c == '>')
    return tl_formula_binary (arena, TL_OR, tl_formula_unary (arena, TL_NOT, f),
                              parse (arena, text));
  const tl_op o = op[strchr (symbol, c) - symbol];
  return strchr ("&|UR", c)
             ? tl_formula_binary (arena, o, f, parse (arena, text))
             : tl_formula_unary (arena, o, f);
}

static tl_formula *read_formula (tl_arena *arena, const char *text) {
  tl_formula *f = parse (arena, &text);
  assert_non_null (f);
  return f;
}

typedef struct size {
  const char *formula;
  uint32_t states, sets, plain; // at most
  tl_component worst;           // of the plain automaton
} size;

static const size sizes[] = {
    {"& Ga F!a", 1, 0, 1, TL_REJECTING},
    {"| Fa !Fa", 1, 0, 1, TL_TERMINAL},
    {"a", 2, 0, 2, TL_TERMINAL},
    {"XXXa", 5, 0, 5, TL_TERMINAL},
    {"Fa", 2, 1, 2, TL_TERMINAL},
    {"Ga", 1, 0, 1, TL_WEAK},
    {"FGa", 2, 1, 2, TL_WEAK},
    {"GFa", 1, 1, 2, TL_STRONG},
    {"XGFXa", 1, 1, 2, TL_STRONG},
    {"U a U b c", 3, 1, 3, TL_TERMINAL},
    {"U U a b c", 4, 1, 4, TL_TERMINAL},
    {"R a R b c", 3, 0, 3, TL_WEAK},
    {"G > a F b", 2, 1, 2, TL_STRONG},
    {"! G > a F b", 2, 1, 2, TL_WEAK},
    {"G > a GF b", 3, 1, 4, TL_STRONG},
    {"G > a X b", 2, 0, 2, TL_WEAK},
    {"> GFa GFb", 4, 1, 5, TL_STRONG},
    {"! > GFa GFb", 2, 1, 3, TL_STRONG},
    {"& GFa & GFb & GFc GFd", 1, 4, 5, TL_STRONG},
    {"> & GFa & GFb GFc GFd", 6, 1, 7, TL_STRONG},
    {"! > & GFa & GFb GFc G > d Fe", 2, 3, 5, TL_STRONG},
    {"& Fa & Fb & Fc Fd", 16, 1, 16, TL_TERMINAL},
    {"U a U b U c U d U e f", 6, 1, 6, TL_TERMINAL},
    {"& U a b & U b c U c d", 6, 1, 6, TL_TERMINAL},
    {"& FGa & FGb FGc", 2, 1, 2, TL_WEAK},
    {"| FGa | FGb FGc", 4, 1, 4, TL_WEAK},
    {"G & > a Fb & > c Fd > e Ff", 8, 3, 16, TL_STRONG},
    {"F & a X F & b X F & c X F d", 5, 1, 5, TL_TERMINAL},
    {"U Fa G b", 3, 1, 3, TL_WEAK},
    {"U Ga G b", 4, 1, 4, TL_WEAK},
};

static void known_formulas_have_small_automata (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_random random = {9};
  bool good = true;
  print_message ("%-30s %21s %20s\n", "formula", "states, edges, sets",
                 "plain states, kind");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const size *want = sizes + i;
    tl_arena arena = TL_ARENA (&mem);
    tl_formula *f = read_formula (&arena, want->formula);
    tl_buchi *b = open_buchi (&mem, f);
    const bool small =
        b->general.states <= want->states && b->general.sets <= want->sets &&
        b->plain.states <= want->plain && b->plain.worst == want->worst;
    print_message ("%-30s %9u %6u %4u %12u %7u%s\n", want->formula,
                   b->general.states, b->general.first[b->general.states],
                   b->general.sets, b->plain.states, b->plain.worst,
                   small ? "" : " too large");
    good &= small;
    for (int k = 0; k < 100; k++) {
      lasso w;
      lasso_random (&w, LASSO_ATOMS, &random);
      check_word (b, f, &w);
    }
    tl_buchi_close (b);
    tl_arena_close (&arena);
  }
  assert_int_equal (mem.used, 0);
  assert_true (good);
}

// ---- Atoms -----------------------------------------------------------------

static void state_formulas_are_atoms (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_arena arena = TL_ARENA (&mem);
  bool overflow;
  tl_formula *low =
      tl_formula_compare (&arena, &(tl_summand){0, 1}, 1, 3, &overflow);
  tl_formula *high = // the negation, as it would be read
      tl_formula_compare (&arena, &(tl_summand){0, -2}, 1, -7, &overflow);
  tl_formula *dead = tl_formula_deadlock (&arena);
  tl_formula *both = tl_formula_binary (&arena, TL_AND, low, dead);
  tl_formula *quantified = tl_formula_unary (
      &arena, TL_EXISTS, tl_formula_unary (&arena, TL_FINALLY, high));
  tl_formula *part[] = {
      tl_formula_unary (&arena, TL_GLOBALLY, low),
      tl_formula_unary (&arena, TL_FINALLY, high),
      tl_formula_unary (&arena, TL_GLOBALLY, both),
      tl_formula_unary (&arena, TL_FINALLY,
                        tl_formula_unary (&arena, TL_NOT, both)),
      tl_formula_unary (&arena, TL_FINALLY, quantified),
      tl_formula_unary (&arena, TL_NOT, quantified),
      dead, // these two go together
      low,
  };
  tl_formula *f = tl_formula_nary (&arena, TL_OR, part + 4, 4);
  tl_buchi *b = open_buchi (&mem, f);
  assert_int_equal (b->atoms, 2); // NOT E... OR dead OR low, and E...
  assert_true (b->stutter_invariant);
  tl_buchi_close (b);
  b = open_buchi (&mem, tl_formula_nary (&arena, TL_OR, part, 2));
  assert_int_equal (b->atoms, 1);
  assert_int_equal (b->general.worst, TL_TERMINAL); // true
  tl_buchi_close (b);
  b = open_buchi (&mem, tl_formula_nary (&arena, TL_OR, part + 2, 2));
  assert_int_equal (b->atoms, 1);
  assert_int_equal (b->general.states, 1);
  tl_buchi_close (b);
  b = open_buchi (&mem, tl_formula_unary (&arena, TL_NEXT, dead));
  assert_false (b->stutter_invariant);
  assert_ptr_equal (b->atom[0], dead);
  tl_buchi_close (b);
  tl_arena_close (&arena);
  assert_int_equal (mem.used, 0);
}

// Formulas with E and A, and all kinds of state formulas.
static void atoms_speak_of_one_state (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_builder *builder;
  tl_net *net;
  assert_int_equal (tl_builder_open (&builder, &mem), TL_OK);
  tl_builder_place (builder, "p", 0, 0, 0);
  tl_builder_place (builder, "q", 0, 0, 0);
  tl_builder_transition (builder, "t", 0, 0);
  assert_int_equal (tl_builder_finish (builder, "n", "pnml", &net, 0), TL_OK);
  tl_random random = {4};
  unsigned refused = 0;
  for (int i = 0; i < 400; i++) {
    tl_arena arena = TL_ARENA (&mem);
    tl_formula *f = random_formula (
        &arena, net, i % 2 ? RANDOM_CTL_STAR : RANDOM_PATH, 4, &random);
    tl_buchi *b;
    const tl_status rc = tl_buchi_open (&b, &mem, f, 0);
    refused += rc == TL_E_LIMIT;
    assert_true (rc == TL_OK || rc == TL_E_LIMIT);
    for (uint32_t k = 0; b && k < b->atoms; k++) {
      assert_false (tl_formula_is_path (b->atom[k]));
      for (uint32_t j = 0; j < k; j++)
        assert_true (tl_formula_order (b->atom[j], b->atom[k]));
    }
    tl_buchi_close (b);
    tl_arena_close (&arena);
  }
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
  print_message ("%u refused\n", refused);
  assert_true (refused < 20);
}

// ---- Limits ----------------------------------------------------------------

// Different atoms, each with an operator before it.
static tl_formula *wide (tl_arena *arena, tl_op op, tl_op each,
                         uint32_t count) {
  tl_formula **member;
  assert_non_null (TL_ARENA_NEW (arena, member, count));
  for (uint32_t i = 0; i < count; i++)
    member[i] =
        tl_formula_unary (arena, each, tl_formula_fireable (arena, &i, 1));
  return tl_formula_nary (arena, op, member, count);
}

static void too_much_is_refused (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_arena arena = TL_ARENA (&mem);
  tl_error err;
  tl_buchi *b;
  tl_formula *many[] = {
      wide (&arena, TL_AND, TL_FINALLY, 65), // atoms
      wide (&arena, TL_AND, TL_FINALLY, 60), // states
      tl_formula_unary (&arena, TL_GLOBALLY,
                        wide (&arena, TL_OR, TL_NEXT, 3)), // is not too much
  };
  for (int i = 0; i < 2; i++) {
    assert_int_equal (tl_buchi_open (&b, &mem, many[i], &err), TL_E_LIMIT);
    assert_null (b);
    assert_non_null (strstr (err.text, i ? "too large" : "more than 64"));
    print_message ("%s\n", err.text);
  }
  tl_buchi_close (open_buchi (&mem, many[2]));
  tl_formula *deep = wide (&arena, TL_OR, TL_NEXT, 1);
  for (unsigned i = 0; i < 50; i++)
    deep = tl_formula_unary (&arena, TL_NEXT, deep);
  tl_formula *deeper = deep;
  for (unsigned i = 0; i < TL_FORMULA_DEPTH - 60; i++)
    deeper = tl_formula_unary (&arena, TL_NEXT, deeper);
  assert_int_equal (tl_buchi_open (&b, &mem, deeper, &err), TL_E_LIMIT);
  for (unsigned i = 0; i < TL_FORMULA_DEPTH - 60; i++)
    deep = tl_formula_unary (&arena, i % 2 ? TL_GLOBALLY : TL_FINALLY, deep);
  b = open_buchi (&mem, deep); // GF of an atom
  assert_int_equal (b->general.states, 1);
  tl_buchi_close (b);
  tl_arena_close (&arena);
  assert_int_equal (mem.used, 0);
}

static void no_memory_is_told (void **state) {
  (void)state;
  static const char *const text[] = {"! > & GFa & GFb GFc G > d XFe",
                                     "U a & X b R c Fd"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    tl_mem outer = TL_MEM (0, "test");
    tl_arena arena = TL_ARENA (&outer);
    tl_formula *f = read_formula (&arena, text[i]);
    tl_status rc = TL_E_NOMEM;
    long n = 0;
    for (; rc; n++) {
      tl_mem mem = TL_MEM (&outer, "automaton");
      tl_buchi *b;
      mem.fail_after = n;
      rc = tl_buchi_open (&b, &mem, f, 0);
      assert_true (rc == TL_OK || rc == TL_E_NOMEM);
      assert_true (!b == (rc != TL_OK));
      tl_buchi_close (b);
      assert_int_equal (mem.used, 0);
    }
    print_message ("%s: %ld requests for memory\n", text[i], n);
    tl_arena_close (&arena);
  }
}

// Edges of two sets in turn, and at the end a state where nothing is accepted:
// that a loop is not accepted is found out from there, one state after the
// other.
static void loops_are_left_state_by_state (void **state) {
  (void)state;
  enum { CHAIN = 9 };
  tl_mem mem = TL_MEM (0, "test");
  tl_automaton a = TL_AUTOMATON (&mem);
  uint64_t letter = 0, scratch[2];
  for (int round = 0; round < 2; round++) {
    a.sets = 2;
    for (uint32_t q = 0; q < CHAIN; q++) {
      const tl_edge on = {.to = q + 1 < CHAIN ? q + 1
                                : round       ? 0
                                              : q,
                          .sets = q + 1 < CHAIN ? 1 + q % 2 : 0};
      assert_int_equal (tl_automaton_add_state (&a), TL_OK);
      assert_int_equal (tl_automaton_add_edge (&a, &on), TL_OK);
    }
    assert_int_equal (tl_word_repeats (&a, 1, &letter, 1, scratch), round);
    tl_automaton_close (&a);
    a = TL_AUTOMATON (&mem);
  }
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (known_formulas_have_small_automata),
      cmocka_unit_test (state_formulas_are_atoms),
      cmocka_unit_test (atoms_speak_of_one_state),
      cmocka_unit_test (too_much_is_refused),
      cmocka_unit_test (no_memory_is_told),
      cmocka_unit_test (words_are_accepted_as_defined),
      cmocka_unit_test (loops_are_left_state_by_state),
      cmocka_unit_test (spin_agrees),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
