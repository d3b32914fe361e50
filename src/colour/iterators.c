#include "colour/evaluate_parts.h"

#include <string.h>

// Loops over types, containers and places, and the terms made of them.

static tl_status descend (tl_loop_walk *, const tl_loop *, uint32_t loops,
                          bool *stop);

static tl_status over_type (tl_loop_walk *w, const tl_loop *l, uint32_t loops,
                            bool *stop) {
  tl_evaluation *const e = w->evaluation;
  int64_t first = l->type->first, last = l->type->last;
  tl_status s;
  if ((l->first && (s = tl_term_number (e, l->first, w->frame, &first))) ||
      (l->last && (s = tl_term_number (e, l->last, w->frame, &last))))
    return s;
  if (first > last)
    return TL_OK;
  if (first < l->type->first || last > l->type->last)
    return TL_WRONG (e, (l->first ? l->first : l->last)->where,
                     "out of range: %s runs over %lld..%lld, but its type has "
                     "%lld..%lld",
                     l->name, (long long)first, (long long)last,
                     (long long)l->type->first, (long long)l->type->last);
  for (int64_t i = first; i <= last && !*stop; i++) {
    w->frame[l->offset] = (tl_cell)i;
    if ((s = descend (w, l + 1, loops - 1, stop)))
      return s;
  }
  return TL_OK;
}

static tl_status over_container (tl_loop_walk *w, const tl_loop *l,
                                 uint32_t loops, bool *stop) {
  const tl_cell *list;
  tl_status s = tl_term_cells (w->evaluation, l->container, w->frame, &list);
  if (s)
    return s;
  const uint32_t cells = l->type->cells;
  for (tl_cell i = 0; i < list[0] && !*stop; i++) {
    memcpy (w->frame + l->offset, list + 1 + (size_t)i * cells,
            cells * sizeof *list);
    if ((s = descend (w, l + 1, loops - 1, stop)))
      return s;
  }
  return TL_OK;
}

static tl_status no_marking (tl_evaluation *e, tl_where where) {
  return TL_WRONG (e, where, "there is no marking that this could be read in");
}

static tl_status over_place (tl_loop_walk *w, const tl_loop *l, uint32_t loops,
                             bool *stop) {
  const tl_evaluation *const e = w->evaluation;
  if (!e->marking)
    return no_marking (w->evaluation, w->where);
  const tl_tokens *tokens = e->marking + l->place;
  const uint32_t cells = e->place[l->place].cells;
  for (uint32_t i = 0; i < tokens->count && !*stop; i++) {
    if (cells)
      memcpy (w->frame + l->offset, tokens->token + (size_t)i * cells,
              cells * sizeof *tokens->token);
    w->many = tokens->many[i];
    const tl_status s = descend (w, l + 1, loops - 1, stop);
    if (s)
      return s;
  }
  return TL_OK;
}

static tl_status descend (tl_loop_walk *w, const tl_loop *l, uint32_t loops,
                          bool *stop) {
  tl_status s = tl_evaluation_step (w->evaluation, w->where);
  if (s)
    return s;
  const tl_scratch_mark mark = tl_scratch_now (w->evaluation);
  if (!loops)
    s = w->visit (w, w->with, stop);
  else if (l->kind == TL_LOOP_TYPE)
    s = over_type (w, l, loops, stop);
  else if (l->kind == TL_LOOP_CONTAINER)
    s = over_container (w, l, loops, stop);
  else
    s = over_place (w, l, loops, stop);
  tl_scratch_back (w->evaluation, mark);
  return s;
}

tl_status tl_walk_loops (tl_loop_walk *w, const tl_loop *loop, uint32_t loops) {
  bool stop = false;
  return descend (w, loop, loops, &stop);
}

typedef struct iterator {
  const tl_term *term;
  int64_t value;
} iterator;

static tl_status too_large (tl_loop_walk *w, const iterator *it) {
  return TL_WRONG (w->evaluation, it->term->where,
                   "overflow: the result needs more than 64 bits");
}

// Takes the value of one more iteration, of which the condition holds.
static tl_status take (tl_loop_walk *w, iterator *it, bool *stop) {
  const tl_term *t = it->term;
  bool over = false;
  int64_t n = 0;
  if (t->kind == TL_TERM_EXISTS) {
    it->value = *stop = true;
    return TL_OK;
  }
  if (t->kind == TL_TERM_CARD || t->kind == TL_TERM_MULT) {
    it->value += t->kind == TL_TERM_CARD ? 1 : w->many;
    return TL_OK;
  }
  const tl_status s =
      tl_term_number (w->evaluation, t->operand[1], w->frame, &n);
  if (s)
    return s;
  switch (t->kind) {
  case TL_TERM_FORALL:
    it->value = n;
    *stop = !n;
    break;
  case TL_TERM_SUM:
    over = __builtin_add_overflow (it->value, n, &it->value);
    break;
  case TL_TERM_PRODUCT:
    over = __builtin_mul_overflow (it->value, n, &it->value);
    break;
  case TL_TERM_MIN: it->value = n < it->value ? n : it->value; break;
  default: it->value = n > it->value ? n : it->value; break;
  }
  if (t->type->kind == TL_TYPE_MOD)
    it->value %= t->type->root->last + 1;
  return over ? too_large (w, it) : TL_OK;
}

static tl_status visit (tl_loop_walk *w, void *with, bool *stop) {
  iterator *const it = with;
  const tl_term *condition = it->term->operands ? it->term->operand[0] : 0;
  int64_t yes = true;
  tl_status s;
  if (condition &&
      (s = tl_term_number (w->evaluation, condition, w->frame, &yes)))
    return s;
  return yes ? take (w, it, stop) : TL_OK;
}

static int64_t value_of_none (const tl_term *t) {
  switch (t->kind) {
  case TL_TERM_FORALL:
  case TL_TERM_PRODUCT: return 1;
  case TL_TERM_MIN: return t->type->last;
  case TL_TERM_MAX: return t->type->first;
  default: return 0;
  }
}

static tl_status attribute (tl_evaluation *e, const tl_term *t,
                            int64_t *value) {
  if (!e->marking)
    return no_marking (e, t->where);
  const tl_tokens *tokens = e->marking + t->place;
  *value = t->kind == TL_TERM_PLACE_CARD ? tokens->count : 0;
  for (uint32_t i = 0; t->kind == TL_TERM_PLACE_MULT && i < tokens->count; i++)
    *value += tokens->many[i];
  return TL_OK;
}

tl_status tl_iterator_number (tl_evaluation *e, const tl_term *t,
                              tl_cell *frame, int64_t *value) {
  if (t->kind <= TL_TERM_PLACE_MULT)
    return attribute (e, t, value);
  iterator it = {t, value_of_none (t)};
  tl_loop_walk w = {e, frame, t->where, visit, &it, 0};
  const tl_status s = tl_walk_loops (&w, t->loop, t->loops);
  *value = it.value;
  return s;
}
