#include "check/sat.h"

#include "check/bits_product.h"
#include "check/explain.h"
#include "check/nested.h"

// ---- Taking a formula apart ------------------------------------------------

static bool is_quantifier (tl_op op) {
  return op == TL_EXISTS || op == TL_ALL;
}

// X, F, G, U or R of state formulas.
static bool is_one_operator (const tl_formula *path) {
  if (path->op < TL_NEXT)
    return false;
  for (uint32_t i = 0; i < path->count; i++)
    if (tl_formula_is_path (path->operand[i]))
      return false;
  return true;
}

static tl_status open_parts (tl_sat *s, const tl_sat_ways *w,
                             tl_formula *const *formula, uint32_t count) {
  if (count && !TL_ARENA_NEW (w->arena, s->part, count))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (; !rc && s->parts < count; s->parts++)
    rc = tl_sat_open (s->part + s->parts, w, formula[s->parts]);
  return rc;
}

static tl_status open_automaton (tl_sat *s, const tl_sat_ways *w) {
  tl_formula *path = s->formula->operand[0];
  if (s->formula->op == TL_ALL)
    path = tl_formula_unary (w->arena, TL_NOT, path);
  return path ? tl_buchi_open (&s->automaton, w->mem, path, 0) : TL_E_NOMEM;
}

static tl_status open_quantified (tl_sat *s, const tl_sat_ways *w) {
  const tl_formula *path = s->formula->operand[0];
  if (is_one_operator (path) &&
      (path->op == TL_NEXT ? !w->linear : !w->automata)) {
    s->kind = TL_SAT_CTL;
    return open_parts (s, w, path->operand, path->count);
  }
  s->kind = TL_SAT_PATH;
  const tl_status rc = open_automaton (s, w);
  return rc ? rc : open_parts (s, w, s->automaton->atom, s->automaton->atoms);
}

tl_status tl_sat_open (tl_sat **out, const tl_sat_ways *w,
                       const tl_formula *f) {
  tl_sat *s;
  *out = 0;
  if (!TL_ARENA_NEW (w->arena, s, 1))
    return TL_E_NOMEM;
  *s = (tl_sat){.kind = TL_SAT_LABEL, .formula = f};
  *out = s;
  if (!tl_formula_has_temporal (f))
    return tl_labels_add (w->labels, f);
  if (is_quantifier (f->op))
    return open_quantified (s, w);
  s->kind = TL_SAT_BOOLEAN;
  return open_parts (s, w, f->operand, f->count);
}

void tl_sat_close (tl_sat *s) {
  if (!s)
    return;
  for (uint32_t i = 0; i < s->parts; i++)
    tl_sat_close (s->part[i]);
  tl_buchi_close (s->automaton);
}

bool tl_sat_is_linear (const tl_sat *s) {
  if (s->kind != TL_SAT_PATH)
    return false;
  for (uint32_t i = 0; i < s->parts; i++)
    if (s->part[i]->kind != TL_SAT_LABEL)
      return false;
  return true;
}

bool tl_sat_ignores_stutter (const tl_sat *s) {
  if (s->kind == TL_SAT_CTL ||
      (s->kind == TL_SAT_PATH && !s->automaton->stutter_invariant))
    return false;
  for (uint32_t i = 0; i < s->parts; i++)
    if (s->kind == TL_SAT_PATH ? s->part[i]->kind != TL_SAT_LABEL
                               : !tl_sat_ignores_stutter (s->part[i]))
      return false;
  return true;
}

// ---- Sets of states --------------------------------------------------------

static tl_status label (tl_sat_means *m, const tl_sat *s, tl_state_set **set) {
  *set = m->sets->kind->label (m->sets, s->formula);
  return *set ? TL_OK : TL_E_NOMEM;
}

static tl_status boolean (tl_sat_means *m, const tl_sat *s,
                          tl_state_set **set) {
  const tl_set_kind *kind = m->sets->kind;
  tl_status rc = tl_sat_states (m, s->part[0], set);
  if (!rc && s->formula->op == TL_NOT)
    rc = kind->complement (m->sets, *set);
  for (uint32_t i = 1; !rc && i < s->parts; i++) {
    tl_state_set *other;
    if (!(rc = tl_sat_states (m, s->part[i], &other)))
      rc = (s->formula->op == TL_AND ? kind->intersect
                                     : kind->unite) (m->sets, *set, other);
    kind->close (m->sets, other);
  }
  return rc;
}

// The sets that an operator of CTL is applied to; a is null where it has one
// operand.
static tl_status operands (tl_sat_means *m, const tl_sat *s, tl_state_set **a,
                           tl_state_set **b) {
  *a = 0;
  tl_status rc = tl_sat_states (m, s->part[s->parts - 1], b);
  if (!rc && s->parts == 2)
    rc = tl_sat_states (m, s->part[0], a);
  return rc;
}

static tl_status apply (tl_sat_means *m, const tl_sat *s, tl_state_set *a,
                        tl_state_set **b) {
  return tl_set_path (m->sets, s->formula->op == TL_ALL,
                      s->formula->operand[0]->op, a, b);
}

static tl_status ctl (tl_sat_means *m, const tl_sat *s, tl_state_set **set) {
  tl_state_set *a;
  tl_status rc = operands (m, s, &a, set);
  if (!rc)
    rc = apply (m, s, a, set);
  m->sets->kind->close (m->sets, a);
  return rc;
}

// ---- Automata --------------------------------------------------------------

static void close_atoms (tl_sat_means *m, tl_state_set **atom, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    m->sets->kind->close (m->sets, atom[i]);
}

static tl_status open_atoms (tl_sat_means *m, const tl_sat *s,
                             tl_state_set **atom) {
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < s->parts; i++)
    rc = tl_sat_states (m, s->part[i], atom + i);
  return rc;
}

static tl_status path (tl_sat_means *m, const tl_sat *s, tl_state_set **set) {
  const tl_set_kind *kind = m->sets->kind;
  tl_state_set *atom[TL_BUCHI_ATOMS] = {0};
  tl_status rc = kind->accepted ? open_atoms (m, s, atom) : TL_E_MODEL;
  if (!rc && !(*set = kind->open (m->sets)))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = kind->accepted (m->sets, &s->automaton->general, atom, s->parts, *set);
  if (!rc && s->formula->op == TL_ALL)
    rc = kind->complement (m->sets, *set);
  close_atoms (m, atom, s->parts);
  return rc;
}

tl_status tl_sat_states (tl_sat_means *m, const tl_sat *s, tl_state_set **set) {
  *set = 0;
  switch (s->kind) {
  case TL_SAT_LABEL: return label (m, s, set);
  case TL_SAT_BOOLEAN: return boolean (m, s, set);
  case TL_SAT_CTL: return ctl (m, s, set);
  case TL_SAT_PATH: return path (m, s, set);
  }
  return TL_E_INTERNAL;
}

// ---- Runs ------------------------------------------------------------------

static tl_status holds_at (void *means, const tl_sat *, uint64_t state,
                           bool *holds);

// As soon as a part decides it, others are not looked at: labels first, which
// cost nothing.
static tl_status boolean_at (tl_sat_means *m, const tl_sat *s, uint64_t state,
                             bool *holds) {
  const bool all = s->formula->op != TL_OR; // of NOT there is one
  *holds = all;
  for (int others = 0; others < 2; others++)
    for (uint32_t i = 0; *holds == all && i < s->parts; i++)
      if ((s->part[i]->kind != TL_SAT_LABEL) == others) {
        const tl_status rc = holds_at (m, s->part[i], state, holds);
        if (rc)
          return rc;
      }
  *holds ^= s->formula->op == TL_NOT;
  return TL_OK;
}

// On a graph that is known as a whole.
static tl_status path_at (tl_sat_means *m, const tl_sat *s, uint64_t state,
                          bool *holds) {
  tl_state_set *atom[TL_BUCHI_ATOMS] = {0};
  tl_product p = {0};
  bool accepted = false;
  tl_status rc = open_atoms (m, s, atom);
  if (!rc)
    rc = tl_bits_product_open (&p, m->sets, &s->automaton->general, atom,
                               s->parts);
  p.start = state;
  if (!rc)
    rc = tl_product_search (&p, &accepted);
  *holds = accepted == (s->formula->op == TL_EXISTS);
  tl_product_close (&p);
  close_atoms (m, atom, s->parts);
  return rc;
}

static tl_status holds_at (void *means, const tl_sat *s, uint64_t state,
                           bool *holds) {
  tl_sat_means *m = means;
  if (s->kind == TL_SAT_BOOLEAN)
    return boolean_at (m, s, state, holds);
  if (s->kind == TL_SAT_PATH && m->sets->bits)
    return path_at (m, s, state, holds);
  tl_state_set *set;
  const tl_status rc = tl_sat_states (m, s, &set);
  if (!rc)
    *holds = m->sets->kind->has (m->sets, set, state);
  m->sets->kind->close (m->sets, set);
  return rc;
}

// A run that the automaton accepts from *state on, if there is one.
static tl_status run_on_path (tl_sat_means *m, const tl_sat *s, uint64_t *state,
                              bool *accepted, tl_run *run, const tl_sat **rest,
                              bool *value) {
  const tl_set_kind *kind = m->sets->kind;
  tl_state_set *atom[TL_BUCHI_ATOMS] = {0};
  tl_reason why = {0};
  tl_status rc = kind->run ? open_atoms (m, s, atom) : TL_E_MODEL;
  if (!rc)
    rc = kind->run (m->sets, &s->automaton->general, atom, s->parts, state,
                    accepted, run, &why);
  *rest = rc ? 0 : tl_explain_end (s, why, value);
  close_atoms (m, atom, s->parts);
  return rc;
}

// The operands are used up.
static tl_status run_on_sets (tl_sat_means *m, const tl_sat *s, tl_state_set *a,
                              tl_state_set *b, uint64_t *state, tl_run *run,
                              const tl_sat **rest, bool *value) {
  const bool all = s->formula->op == TL_ALL;
  tl_op op = s->formula->operand[0]->op;
  bool arrived = false;
  tl_status rc = TL_OK;
  if (all) {
    op = tl_op_dual (op);
    rc = tl_set_negate (m->sets, a, b);
  }
  if (!rc)
    rc = m->sets->kind->witness (m->sets, op, a, b, state, &arrived, run);
  *value = !all;
  *rest = !arrived           ? 0
          : op == TL_RELEASE ? tl_explain_only (s, ~(uint64_t)0)
                             : s->part[s->parts - 1];
  return rc;
}

static tl_status show (void *means, const tl_sat *s, uint64_t *state,
                       tl_run *run, const tl_sat **rest, bool *value) {
  tl_sat_means *m = means;
  bool accepted;
  tl_state_set *a, *b;
  if (s->kind == TL_SAT_PATH)
    return run_on_path (m, s, state, &accepted, run, rest, value);
  tl_status rc = operands (m, s, &a, &b);
  if (!rc)
    rc = run_on_sets (m, s, a, b, state, run, rest, value);
  m->sets->kind->close (m->sets, a);
  m->sets->kind->close (m->sets, b);
  return rc;
}

// ---- The initial state -----------------------------------------------------

static tl_status decide_nested (tl_sat_means *m, const tl_sat *s, bool *holds,
                                tl_run *run) {
  tl_state_set *atom[TL_BUCHI_ATOMS] = {0};
  tl_product p = {0};
  bool accepted = false;
  tl_status rc = open_atoms (m, s, atom);
  if (!rc)
    rc = tl_bits_product_open (&p, m->sets, &s->automaton->plain, atom,
                               s->parts);
  if (!rc)
    rc = tl_nested_search (&p, &accepted, run);
  *holds = accepted == (s->formula->op == TL_EXISTS);
  tl_product_close (&p);
  close_atoms (m, atom, s->parts);
  return rc;
}

// For a run, if these sets know any.
static tl_state_set *copy (tl_sat_means *m, const tl_state_set *set) {
  return set && m->sets->kind->witness ? m->sets->kind->copy (m->sets, set) : 0;
}

// What is decided stays so when there is no memory or time for a run.
static tl_status decide_ctl (tl_sat_means *m, const tl_sat *s, bool *holds,
                             uint64_t *state, tl_run *run, const tl_sat **rest,
                             bool *value) {
  tl_state_set *a, *b;
  tl_status rc = operands (m, s, &a, &b);
  tl_state_set *first_a = 0, *first_b = 0;
  if (!rc) {
    first_a = copy (m, a);
    first_b = copy (m, b);
    rc = apply (m, s, a, &b);
  }
  if (!rc) {
    *holds = m->sets->kind->has (m->sets, b, 0);
    if (*holds == (s->formula->op == TL_EXISTS) && first_b && !first_a == !a &&
        run_on_sets (m, s, first_a, first_b, state, run, rest, value))
      *rest = 0;
  }
  m->sets->kind->close (m->sets, a);
  m->sets->kind->close (m->sets, b);
  m->sets->kind->close (m->sets, first_a);
  m->sets->kind->close (m->sets, first_b);
  return rc;
}

tl_status tl_sat_decide (tl_sat_means *m, const tl_sat *s, bool *holds,
                         tl_run *run) {
  const tl_explainer explainer = {m, holds_at, show};
  const tl_sat *rest = 0;
  uint64_t state = 0;
  bool value = false;
  tl_status rc;
  *run = (tl_run){0};
  *holds = false;
  if (m->no_runs)
    return holds_at (m, s, 0, holds);
  if (m->nested && tl_sat_is_linear (s))
    return decide_nested (m, s, holds, run);
  if (s->kind == TL_SAT_PATH) {
    rc = run_on_path (m, s, &state, holds, run, &rest, &value);
    *holds = *holds == (s->formula->op == TL_EXISTS);
  } else if (s->kind == TL_SAT_CTL)
    rc = decide_ctl (m, s, holds, &state, run, &rest, &value);
  else {
    rc = holds_at (m, s, 0, holds);
    rest = m->sets->kind->witness ? s : 0;
    value = *holds;
  }
  if (!rc && rest &&
      tl_explain (&explainer, rest, state, value, run) == TL_E_INTERNAL)
    rc = TL_E_INTERNAL;
  return rc;
}
