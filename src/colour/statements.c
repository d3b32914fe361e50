#include "colour/evaluate_parts.h"

#include <string.h>

// Calls of functions, and the statements they consist of.

typedef struct call {
  tl_evaluation *evaluation;
  const tl_function *function;
  tl_cell *frame, *result;
  bool returned;
} call;

static tl_status run (call *, const tl_statement *);

// Where the target lies in the frame.
static tl_status locate (call *c, const tl_target *target, size_t *offset,
                         const tl_type **type) {
  *offset = target->offset;
  *type = target->type;
  for (uint32_t i = 0; i < target->steps; i++) {
    const struct tl_target_step *step = target->step + i;
    if (!step->index) {
      *offset += (*type)->component[step->component].offset;
      *type = (*type)->component[step->component].type;
      continue;
    }
    size_t more;
    const tl_status s =
        tl_element_offset (c->evaluation, *type, c->frame + *offset,
                           step->index, step->where, c->frame, &more);
    if (s)
      return s;
    *offset += more;
    *type = (*type)->element;
  }
  return TL_OK;
}

static tl_status assign (call *c, const tl_statement *st) {
  const tl_cell *value;
  size_t offset;
  const tl_type *type;
  tl_status s;
  if ((s = tl_term_cells (c->evaluation, st->term, c->frame, &value)) ||
      (s = locate (c, &st->target, &offset, &type)))
    return s;
  memmove (c->frame + offset, value, type->cells * sizeof *value);
  return TL_OK;
}

static tl_status select_case (call *c, const tl_statement *st) {
  int64_t n;
  const tl_status s = tl_term_number (c->evaluation, st->term, c->frame, &n);
  if (s)
    return s;
  uint32_t i = 0;
  while (i < st->choices && st->choice[i] != n)
    i++;
  return i < st->bodies ? run (c, st->body[i]) : TL_OK;
}

static tl_status decide (call *c, const tl_statement *st) {
  int64_t yes;
  const tl_status s = tl_term_number (c->evaluation, st->term, c->frame, &yes);
  if (s)
    return s;
  if (yes)
    return run (c, st->body[0]);
  return st->bodies > 1 && st->body[1] ? run (c, st->body[1]) : TL_OK;
}

static tl_status repeat (call *c, const tl_statement *st) {
  int64_t yes;
  tl_status s;
  while (!(s = tl_term_number (c->evaluation, st->term, c->frame, &yes)) &&
         yes && !(s = run (c, st->body[0])) && !c->returned)
    ;
  return s;
}

typedef struct turn {
  call *call;
  const tl_statement *statement;
} turn;

static tl_status visit (tl_loop_walk *w, void *with, bool *stop) {
  (void)w;
  const turn *const r = with;
  const tl_status s = run (r->call, r->statement->body[0]);
  *stop = r->call->returned;
  return s;
}

static tl_status iterate (call *c, const tl_statement *st) {
  turn r = {c, st};
  tl_loop_walk w = {c->evaluation, c->frame, st->where, visit, &r, 0};
  return tl_walk_loops (&w, st->loop, st->loops);
}

static tl_status claim (call *c, const tl_statement *st) {
  int64_t yes;
  const tl_status s = tl_term_number (c->evaluation, st->term, c->frame, &yes);
  if (s || yes)
    return s;
  return TL_WRONG (c->evaluation, st->where, "assertion failed in function %s",
                   c->function->name);
}

static tl_status block (call *c, const tl_statement *st) {
  tl_status s = TL_OK;
  for (uint32_t i = 0; i < st->bodies && !s && !c->returned; i++)
    s = run (c, st->body[i]);
  return s;
}

static tl_status run (call *c, const tl_statement *st) {
  tl_evaluation *const e = c->evaluation;
  tl_status s = tl_evaluation_step (e, st->where);
  if (s)
    return s;
  const tl_scratch_mark mark = tl_scratch_now (e);
  switch (st->kind) {
  case TL_DO_ASSIGN: s = assign (c, st); break;
  case TL_DO_IF: s = decide (c, st); break;
  case TL_DO_CASE: s = select_case (c, st); break;
  case TL_DO_WHILE: s = repeat (c, st); break;
  case TL_DO_FOR: s = iterate (c, st); break;
  case TL_DO_RETURN:
    s = tl_term_copy (e, st->term, c->frame, c->result);
    c->returned = true;
    break;
  case TL_DO_ASSERT: s = claim (c, st); break;
  case TL_DO_BLOCK: s = block (c, st); break;
  }
  tl_scratch_back (e, mark);
  return s;
}

static tl_status begin (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                        tl_cell *own) {
  const tl_function *f = t->function;
  memset (own, 0, f->frame * sizeof *own);
  tl_status s = TL_OK;
  for (uint32_t i = 0; i < f->parameters && !s; i++)
    s = tl_term_copy (e, t->operand[i], frame, own + f->parameter_offset[i]);
  return s;
}

tl_status tl_call (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                   tl_cell *value) {
  const tl_function *f = t->function;
  if (!f->body)
    return TL_WRONG (e, t->where, "function %s has no body yet", f->name);
  if (e->depth >= TL_CALL_DEPTH)
    return tl_fail_at (e->error, TL_E_LIMIT, e->path, t->where.line,
                       t->where.column,
                       "calls of function %s are nested deeper than %d",
                       f->name, TL_CALL_DEPTH);
  const tl_scratch_mark mark = tl_scratch_now (e);
  call c = {e, f, tl_scratch_take (e, f->frame), value, false};
  tl_status s = c.frame ? begin (e, t, frame, c.frame) : TL_NO_SCRATCH (e);
  e->depth++;
  if (!s)
    s = run (&c, f->body);
  e->depth--;
  if (!s && !c.returned)
    s = TL_WRONG (e, f->where, "no value returned in function %s", f->name);
  tl_scratch_back (e, mark);
  return s;
}
