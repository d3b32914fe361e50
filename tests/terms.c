#include "terms.h"

#include <stdarg.h>
#include <stdlib.h>

static void *get (tl_arena *arena, size_t count, size_t size) {
  void *const at = tl_arena_get (arena, count ? count : 1, size);
  if (!at)
    abort ();
  return at;
}

tl_term *term_number (tl_arena *arena, const tl_type *type, int64_t number) {
  tl_term *const t = get (arena, 1, sizeof *t);
  tl_cell *const cell = get (arena, 1, sizeof *cell);
  *cell = (tl_cell)number;
  *t = (tl_term){.kind = TL_TERM_CONSTANT, .type = type, .value = cell};
  return t;
}

tl_term *term_variable (tl_arena *arena, const tl_type *type, uint32_t offset) {
  tl_term *const t = get (arena, 1, sizeof *t);
  *t = (tl_term){.kind = TL_TERM_VARIABLE, .type = type, .offset = offset};
  return t;
}

static tl_term *with_operands (tl_arena *arena, tl_term t, va_list list) {
  tl_term *const made = get (arena, 1, sizeof *made);
  t.operand = get (arena, t.operands, sizeof *t.operand);
  for (uint32_t i = 0; i < t.operands; i++)
    t.operand[i] = va_arg (list, tl_term *);
  *made = t;
  return made;
}

tl_term *term_of (tl_arena *arena, tl_term_kind kind, const tl_type *type,
                  uint32_t operands, ...) {
  va_list list;
  va_start (list, operands);
  tl_term *const t = with_operands (
      arena, (tl_term){.kind = kind, .type = type, .operands = operands}, list);
  va_end (list);
  return t;
}

tl_term *term_call (tl_arena *arena, const tl_function *f, uint32_t operands,
                    ...) {
  va_list list;
  va_start (list, operands);
  tl_term *const t = with_operands (arena,
                                    (tl_term){.kind = TL_TERM_CALL,
                                              .type = f->type,
                                              .function = f,
                                              .operands = operands},
                                    list);
  va_end (list);
  return t;
}

tl_term *term_at (tl_term *t, uint32_t line, uint32_t column) {
  t->where = (tl_where){line, column};
  return t;
}

tl_loop *loop_over (tl_arena *arena, const tl_type *type, uint32_t offset) {
  tl_loop *const l = get (arena, 1, sizeof *l);
  *l = (tl_loop){
      .kind = TL_LOOP_TYPE, .name = "i", .type = type, .offset = offset};
  return l;
}

tl_term *term_loop (tl_term *t, tl_loop *loop, uint32_t loops) {
  t->loop = loop;
  t->loops = loops;
  return t;
}

tl_statement *statement_of (tl_arena *arena, tl_statement_kind kind,
                            tl_term *term, uint32_t bodies, ...) {
  tl_statement *const st = get (arena, 1, sizeof *st);
  *st = (tl_statement){.kind = kind, .term = term, .bodies = bodies};
  st->body = get (arena, bodies, sizeof *st->body);
  va_list list;
  va_start (list, bodies);
  for (uint32_t i = 0; i < bodies; i++)
    st->body[i] = va_arg (list, tl_statement *);
  va_end (list);
  return st;
}

tl_statement *statement_assign (tl_arena *arena, const tl_type *type,
                                uint32_t offset, tl_term *term) {
  tl_statement *const st = statement_of (arena, TL_DO_ASSIGN, term, 0);
  st->target = (tl_target){.offset = offset, .type = type};
  return st;
}
