#include "check/local.h"

#include "check/nested.h"

#include <stdlib.h>

// The state at hand as programs want it.
typedef struct tl_local_marking {
  uint64_t *tokens;  // [places]
  uint64_t *enabled; // bitmap
} tl_local_marking;

// ---- Opening ---------------------------------------------------------------

static tl_status ask_atom (void *, uint32_t atom, uint64_t state, bool *holds);

static void open_product (tl_local *l) {
  tl_oracle oracle = {.context = l, .ask = ask_atom};
  for (uint32_t i = 0; i < l->sat->parts; i++)
    if (l->sat->part[i]->kind == TL_SAT_LABEL)
      oracle.cheap |= (uint64_t)1 << i;
  tl_product_open_space (&l->product, l->space->mem, l->space,
                         &l->sat->automaton->general, &oracle);
}

static tl_status open_in (tl_local *l, tl_arena *arena, tl_space *space,
                          const tl_labels *labels, const tl_sat *sat,
                          tl_local_marking *marking) {
  *l = (tl_local){.sat = sat, .space = space, .marking = marking};
  if (sat->kind == TL_SAT_LABEL)
    l->program = tl_labels_program (labels, sat->formula);
  if (sat->kind == TL_SAT_PATH)
    open_product (l);
  if (sat->parts && !TL_ARENA_NEW (arena, l->part, sat->parts))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < sat->parts; i++)
    rc = open_in (l->part + i, arena, space, labels, sat->part[i], marking);
  return rc;
}

tl_status tl_local_open (tl_local **out, tl_arena *arena, tl_space *space,
                         const tl_labels *labels, const tl_sat *sat) {
  const tl_net *net = space->search->net;
  tl_local_marking *marking;
  *out = 0;
  if (!TL_ARENA_NEW (arena, marking, 1) ||
      !TL_ARENA_NEW (arena, marking->tokens, net->places) ||
      !TL_ARENA_NEW (arena, marking->enabled, net->transitions / 64 + 1) ||
      !TL_ARENA_NEW (arena, *out, 1))
    return TL_E_NOMEM;
  return open_in (*out, arena, space, labels, sat, marking);
}

void tl_local_close (tl_local *l) {
  if (!l || !l->sat)
    return;
  for (uint32_t i = 0; l->part && i < l->sat->parts; i++)
    tl_local_close (l->part + i);
  if (l->sat->kind == TL_SAT_PATH)
    tl_product_close (&l->product);
  if (l->known)
    TL_DEL (l->space->mem, l->known, l->known_room);
  if (l->value)
    TL_DEL (l->space->mem, l->value, l->value_room);
}

// ---- At a state ------------------------------------------------------------

static tl_status holds_at (tl_local *, uint64_t state, bool *holds);

static void set_enabled (tl_local *l, bool on) {
  const tl_space *s = l->space;
  uint64_t *set = l->marking->enabled;
  for (uint32_t i = 0; i < s->worker.count; i++) {
    const uint32_t t =
        tl_generator_transition (s->search->generator, s->worker.enabled[i]);
    set[t / 64] = on ? set[t / 64] | (uint64_t)1 << t % 64 : 0;
  }
}

static bool label (tl_local *l, uint64_t state) {
  const tl_predicate *p = l->program;
  const tl_layout *layout = &l->space->search->layout;
  tl_space_load (l->space, state);
  for (size_t i = 0; i < p->places; i++)
    l->marking->tokens[p->place[i]] =
        tl_layout_tokens (layout, l->space->worker.state, p->place[i]);
  if (p->reads_enabled)
    set_enabled (l, true);
  const bool holds =
      tl_predicate_run (p, l->marking->tokens, l->marking->enabled);
  if (p->reads_enabled)
    set_enabled (l, false);
  return holds;
}

static tl_status boolean (tl_local *l, uint64_t state, bool *holds) {
  const tl_op op = l->sat->formula->op;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; i < l->sat->parts; i++) {
    rc = holds_at (l->part + i, state, holds);
    if (rc || (op == TL_AND && !*holds) || (op == TL_OR && *holds))
      break;
  }
  *holds ^= op == TL_NOT;
  return rc;
}

// EX and AX of CTL: the first successor where the operand is as it should be,
// or is not, decides.  `arc` is its position.
static tl_status next (tl_local *l, uint64_t state, bool *holds,
                       uint32_t *arc) {
  const bool exists = l->sat->formula->op == TL_EXISTS;
  const tl_space *s = l->space;
  tl_status rc = tl_space_expand (l->space, state);
  *holds = !exists;
  for (*arc = 0; !rc && *arc < s->degree[state]; ++*arc) {
    rc = holds_at (l->part, s->target[s->first[state] + *arc], holds);
    if (*holds == exists)
      break;
  }
  return rc;
}

static tl_status path (tl_local *l, uint64_t state, bool *holds, tl_run *run) {
  const tl_status rc = tl_product_ask (&l->product, state, holds, run);
  *holds = *holds == (l->sat->formula->op == TL_EXISTS);
  return rc;
}

static tl_status find_out (tl_local *l, uint64_t state, bool *holds) {
  uint32_t arc;
  switch (l->sat->kind) {
  case TL_SAT_LABEL: *holds = label (l, state); return TL_OK;
  case TL_SAT_BOOLEAN: return boolean (l, state, holds);
  case TL_SAT_CTL: return next (l, state, holds, &arc);
  case TL_SAT_PATH: return path (l, state, holds, 0);
  }
  return TL_E_INTERNAL;
}

static tl_status keep (tl_local *l, uint64_t state, bool holds) {
  const size_t word = (size_t)(state / 64);
  const uint64_t bit = (uint64_t)1 << state % 64;
  if (!TL_ROOM (l->space->mem, l->known, &l->known_room, word + 1) ||
      !TL_ROOM (l->space->mem, l->value, &l->value_room, word + 1))
    return TL_E_NOMEM;
  l->known[word] |= bit;
  l->value[word] |= holds ? bit : 0;
  return TL_OK;
}

static tl_status holds_at (tl_local *l, uint64_t state, bool *holds) {
  const size_t word = (size_t)(state / 64);
  if (word < l->known_room && l->known[word] >> state % 64 & 1) {
    *holds = l->value[word] >> state % 64 & 1;
    return TL_OK;
  }
  const tl_status rc = find_out (l, state, holds);
  return rc ? rc : keep (l, state, *holds);
}

static tl_status ask_atom (void *context, uint32_t atom, uint64_t state,
                           bool *holds) {
  tl_local *l = context;
  return holds_at (l->part + atom, state, holds);
}

// ---- The initial state -----------------------------------------------------

static tl_status decide_next (tl_local *l, bool *holds, tl_run *run) {
  uint32_t arc;
  const tl_status rc = next (l, 0, holds, &arc);
  if (rc || *holds != (l->sat->formula->op == TL_EXISTS))
    return rc;
  if ((run->arc = calloc (1, sizeof *run->arc))) {
    *run->arc = arc;
    run->found = true;
    run->length = run->loop_from = 1;
  }
  return rc;
}

tl_status tl_local_decide (tl_local *l, bool *holds, tl_run *run) {
  *run = (tl_run){0};
  *holds = false;
  switch (l->sat->kind) {
  case TL_SAT_PATH: return path (l, 0, holds, run);
  case TL_SAT_CTL: return decide_next (l, holds, run);
  default: return holds_at (l, 0, holds);
  }
}

tl_status tl_local_decide_nested (tl_local *l, bool *holds, tl_run *run) {
  tl_product p;
  tl_product_open_space (&p, l->space->mem, l->space, &l->sat->automaton->plain,
                         &l->product.oracle);
  const tl_status rc = tl_nested_search (&p, holds, run);
  tl_product_close (&p);
  *holds = *holds == (l->sat->formula->op == TL_EXISTS);
  return rc;
}
