#include "base/error.h"
#include "colour/unfold_parts.h"
#include "colour/uses.h"
#include "colour/waiting.h"

#include <string.h>

// What the search needs: a set for each place, schedules for each transition.

static bool picks_from_list (const tl_ctransition *t) {
  for (uint32_t v = 0; v < t->variables; v++)
    if (t->variable[v].kind == TL_VARIABLE_PICK &&
        t->variable[v].pick.kind == TL_LOOP_CONTAINER &&
        t->variable[v].pick.container->type->kind == TL_TYPE_LIST)
      return true;
  return false;
}

static tl_status prepare_schedules (tl_unfolder *u, tl_bindings *b) {
  const uint32_t count = b->schedules ? b->schedules : 1;
  if (!TL_ARENA_NEW (&u->arena, b->schedule, count) ||
      !TL_ARENA_NEW (&u->arena, b->binder, count))
    return tl_unfold_no_memory (u);
  for (uint32_t i = 0; i < count; i++) {
    tl_status s = tl_schedule_make (u->net, b->transition, i, &u->arena,
                                    b->schedule + i, u->error);
    if (s || (s = tl_binder_open (b->binder + i, &u->evaluation, u->net,
                                  b->transition, b->schedule + i, u->set,
                                  b->frame, &u->arena)))
      return s;
  }
  return TL_OK;
}

static tl_status prepare_bindings (tl_unfolder *u, tl_bindings *b,
                                   const tl_ctransition *t) {
  b->transition = t;
  for (uint32_t v = 0; v < t->variables; v++)
    if (tl_is_part_of_binding (t->variable + v))
      b->cells += t->variable[v].type->cells;
  for (uint32_t a = 0; a < t->ins; a++)
    for (uint32_t i = 0; i < t->in[a].label.tuples; i++)
      b->schedules +=
          tl_tuple_is_taken (&t->in[a].label, t->in[a].label.tuple + i);
  b->repeats = picks_from_list (t);
  b->shape.cells = b->cells;
  tl_token_set_open (&b->seen, u->mem, &b->shape);
  if (!TL_ARENA_NEW (&u->arena, b->frame, t->frame + 1))
    return tl_unfold_no_memory (u);
  return prepare_schedules (u, b);
}

// Is the priority the same for all bindings, in all markings?
static tl_status is_constant (tl_unfolder *u, const tl_ctransition *t,
                              bool *constant) {
  bool *uses;
  if (!TL_ARENA_NEW (&u->arena, uses, t->variables + 1))
    return tl_unfold_no_memory (u);
  tl_term_uses (t, t->priority, uses);
  *constant = !memchr (uses, true, t->variables) &&
              !tl_term_reads_marking (t->priority);
  return TL_OK;
}

// Only bindings of the highest priority fire: they must all have the same.
static tl_status compare_priorities (tl_unfolder *u) {
  int64_t common = 0;
  for (uint32_t i = 0; i < u->net->transitions; i++) {
    const tl_ctransition *t = u->net->transition + i;
    int64_t priority = 0;
    bool constant = true;
    tl_status s = t->priority ? is_constant (u, t, &constant) : TL_OK;
    if (!s && t->priority && constant)
      s = tl_evaluate_number (&u->evaluation, t->priority, u->bindings[i].frame,
                              &priority);
    if (s)
      return tl_unfold_refuse (u, s, "transition", t->name);
    if (!i)
      common = priority;
    if (!constant || priority != common)
      return tl_fail_at (
          u->error, TL_E_MODEL, u->net->path, t->where.line, t->where.column,
          "cannot be unfolded: transition %s has a priority", t->name);
  }
  return TL_OK;
}

tl_status tl_unfold_prepare (tl_unfolder *u) {
  const tl_coloured *net = u->net;
  if (!TL_ARENA_NEW (&u->arena, u->set, net->places) ||
      !TL_ARENA_NEW (&u->arena, u->from, net->places) ||
      !TL_ARENA_NEW (&u->arena, u->to, net->places) ||
      !TL_ARENA_NEW (&u->arena, u->bindings, net->transitions) ||
      !TL_ARENA_NEW (&u->arena, u->waiting, 1))
    return tl_unfold_no_memory (u);
  for (uint32_t p = 0; p < net->places; p++)
    tl_token_set_open (u->set + p, u->mem, net->place + p);
  tl_status s = tl_waiting_open (u->waiting, u->mem, net->place, net->places);
  if (s)
    return tl_unfold_no_memory (u);
  for (uint32_t t = 0; t < net->transitions && !s; t++)
    s = prepare_bindings (u, u->bindings + t, net->transition + t);
  return s ? s : compare_priorities (u);
}
