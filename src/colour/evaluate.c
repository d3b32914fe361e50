#include "colour/evaluate_parts.h"

#include "base/budget.h"

#include <string.h>

// The bytes of C's stack that terms and functions may take up: far below what
// a program or a thread has.
#define STACK_BYTES (4l << 20)

// The clock is looked at after so many steps.
#define TICKS 8192u

void tl_evaluation_open (tl_evaluation *e, tl_mem *mem, const char *path,
                         tl_error *error) {
  *e = (tl_evaluation){
      .path = path, .mem = mem, .error = error, .steps = TL_STEPS};
}

tl_status tl_evaluation_look (tl_evaluation *e) {
  const tl_status s = tl_budget_look (e->mem);
  e->ticks = 0;
  return s ? tl_fail (e->error, s,
                      s == TL_E_LIMIT ? "out of time" : "interrupted")
           : TL_OK;
}

tl_status tl_evaluation_step (tl_evaluation *e, tl_where where) {
  tl_status s;
  if (++e->ticks >= TICKS && (s = tl_evaluation_look (e)))
    return s;
  if (!e->left--)
    return tl_fail_at (e->error, TL_E_LIMIT, e->path, where.line, where.column,
                       "the evaluation does not end: given up after %llu steps",
                       (unsigned long long)e->steps);
  if (e->stack - (const char *)__builtin_frame_address (0) > STACK_BYTES)
    return tl_fail_at (e->error, TL_E_LIMIT, e->path, where.line, where.column,
                       "functions and expressions are nested too deeply");
  return TL_OK;
}

static tl_status no_cell (tl_evaluation *e, const tl_term *t, int64_t number) {
  return TL_WRONG (e, t->where, "the value %lld does not fit in 32 bits",
                   (long long)number);
}

tl_status tl_term_copy (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                        tl_cell *to) {
  if (tl_type_is_discrete (t->type)) {
    int64_t number;
    const tl_status s = tl_term_number (e, t, frame, &number);
    if (s)
      return s;
    if (number < INT32_MIN || number > INT32_MAX)
      return no_cell (e, t, number);
    *to = (tl_cell)number;
    return TL_OK;
  }
  const tl_scratch_mark mark = tl_scratch_now (e);
  const tl_cell *cells;
  const tl_status s = tl_term_cells (e, t, frame, &cells);
  if (!s)
    memmove (to, cells, t->type->cells * sizeof *to);
  tl_scratch_back (e, mark);
  return s;
}

static tl_status call_cells (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                             const tl_cell **cells) {
  tl_cell *const value = tl_scratch_take (e, t->type->cells);
  *cells = value;
  return value ? tl_call (e, t, frame, value) : TL_NO_SCRATCH (e);
}

static tl_status choose_cells (tl_evaluation *e, const tl_term *t,
                               tl_cell *frame, const tl_cell **cells) {
  int64_t condition;
  const tl_status s = tl_term_number (e, t->operand[0], frame, &condition);
  return s ? s : tl_term_cells (e, t->operand[condition ? 1 : 2], frame, cells);
}

tl_status tl_term_cells (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                         const tl_cell **cells) {
  if (t->kind == TL_TERM_VARIABLE) {
    *cells = frame + t->offset;
    return TL_OK;
  }
  if (t->kind == TL_TERM_CONSTANT) {
    *cells = t->value;
    return TL_OK;
  }
  if (tl_type_is_discrete (t->type)) {
    tl_cell *const cell = tl_scratch_take (e, 1);
    *cells = cell;
    return cell ? tl_term_copy (e, t, frame, cell) : TL_NO_SCRATCH (e);
  }
  const tl_status s = tl_evaluation_step (e, t->where);
  if (s)
    return s;
  switch (t->kind) {
  case TL_TERM_CALL: return call_cells (e, t, frame, cells);
  case TL_TERM_CHOOSE: return choose_cells (e, t, frame, cells);
  case TL_TERM_CHECK: // the elements were checked when they were put in
  case TL_TERM_CAST: return tl_term_cells (e, t->operand[0], frame, cells);
  default: return tl_container_cells (e, t, frame, cells);
  }
}

tl_scratch_mark tl_evaluation_begin (tl_evaluation *e) {
  e->left = e->steps;
  e->depth = 0;
  e->stack = __builtin_frame_address (0);
  return tl_scratch_now (e);
}

tl_status tl_evaluate (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                       tl_cell *value) {
  const tl_scratch_mark mark = tl_evaluation_begin (e);
  const tl_status s = tl_term_copy (e, t, frame, value);
  tl_scratch_back (e, mark);
  return s;
}

tl_status tl_evaluate_number (tl_evaluation *e, const tl_term *t,
                              tl_cell *frame, int64_t *value) {
  if (t->kind == TL_TERM_VARIABLE) {
    *value = frame[t->offset];
    return TL_OK;
  }
  const tl_scratch_mark mark = tl_evaluation_begin (e);
  const tl_status s = tl_term_number (e, t, frame, value);
  tl_scratch_back (e, mark);
  return s;
}
