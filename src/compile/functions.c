#include "compile/emit.h"

// Functions of the net, and calls of them.  The frame of a function is made by
// its caller; the result goes to cells of the caller, too.

enum { MOST_CALLS = 200 }; // that are nested, for the stack's sake

static uint32_t number_of (const tl_emit *e, const tl_function *f) {
  uint32_t i = 0;
  while (i < e->net->functions && e->net->function[i] != f)
    i++;
  return i;
}

uint32_t tl_emit_call (tl_emit *e, const tl_term *t) {
  const tl_function *f = t->function;
  const uint32_t number = number_of (e, f);
  const uint32_t frame = tl_emit_new_room (e, f->frame);
  const uint32_t result = tl_emit_new_room (e, t->type->cells);
  e->refused |= number == e->net->functions;
  fprintf (e->body, "__builtin_memset (b%u, 0, sizeof b%u);\n", frame, frame);
  for (uint32_t i = 0; i < f->parameters; i++)
    tl_emit_copy (e, t->operand[i], frame, f->parameter_offset[i]);
  fprintf (e->body, "if (g%u (e, b%u, b%u)) goto wrong;\n", number, frame,
           result);
  return result;
}

static void statement (tl_emit *, const tl_statement *);

static void assign (tl_emit *e, const tl_statement *st) {
  const tl_target *target = &st->target;
  const tl_type *type = target->type;
  const uint32_t value = tl_emit_cells (e, st->term),
                 to = tl_emit_new_pointer (e);
  fprintf (e->body, "p%u = f + %u;\n", to, target->offset);
  for (uint32_t i = 0; i < target->steps; i++) {
    const struct tl_target_step *step = target->step + i;
    if (step->index) {
      fprintf (e->body, "p%u += n%u;\n", to,
               tl_emit_offset (e, type, to, step->index));
      type = type->element;
    } else {
      fprintf (e->body, "p%u += %u;\n", to,
               type->component[step->component].offset);
      type = type->component[step->component].type;
    }
  }
  fprintf (e->body, "__builtin_memmove ((cell *)p%u, p%u, %u);\n", to, value,
           type->cells * 4);
}

static void select_case (tl_emit *e, const tl_statement *st) {
  const uint32_t n = tl_emit_number (e, st->term);
  for (uint32_t i = 0; i < st->choices; i++) {
    fprintf (e->body, "%sif (n%u == %lldll) {\n", i ? "} else " : "", n,
             (long long)st->choice[i]);
    statement (e, st->body[i]);
  }
  fprintf (e->body, st->choices ? "} else {\n" : "{\n");
  if (st->bodies > st->choices)
    statement (e, st->body[st->choices]);
  fprintf (e->body, "}\n");
}

static void decide (tl_emit *e, const tl_statement *st) {
  fprintf (e->body, "if (n%u) {\n", tl_emit_number (e, st->term));
  statement (e, st->body[0]);
  fprintf (e->body, "} else {\n");
  if (st->bodies > 1)
    statement (e, st->body[1]);
  fprintf (e->body, "}\n");
}

static void repeat (tl_emit *e, const tl_statement *st) {
  fprintf (e->body, "for (;;) {\nif (!e->left--) goto wrong;\n");
  fprintf (e->body, "if (!n%u) break;\n", tl_emit_number (e, st->term));
  statement (e, st->body[0]);
  fprintf (e->body, "}\n");
}

static void give_back (tl_emit *e, const tl_statement *st) {
  const uint32_t p = tl_emit_cells (e, st->term);
  fprintf (e->body,
           "__builtin_memmove (result, p%u, %u);\ne->depth--;\nreturn 0;\n", p,
           st->term->type->cells * 4);
}

static void do_statement (tl_emit *e, const tl_statement *st) {
  switch (st->kind) {
  case TL_DO_ASSIGN: assign (e, st); break;
  case TL_DO_IF: decide (e, st); break;
  case TL_DO_CASE: select_case (e, st); break;
  case TL_DO_WHILE: repeat (e, st); break;
  case TL_DO_FOR:
    tl_emit_loops (e, st->loop, st->loops);
    statement (e, st->body[0]);
    tl_emit_loops_end (e, st->loops);
    break;
  case TL_DO_RETURN: give_back (e, st); break;
  case TL_DO_ASSERT:
    fprintf (e->body, "if (!n%u) goto wrong;\n", tl_emit_number (e, st->term));
    break;
  case TL_DO_BLOCK:
    for (uint32_t i = 0; i < st->bodies; i++)
      statement (e, st->body[i]);
    break;
  }
}

static void statement (tl_emit *e, const tl_statement *st) {
  if (st && tl_emit_down (e))
    do_statement (e, st);
  if (st)
    tl_emit_up (e);
}

tl_status tl_emit_functions (tl_emit *e) {
  static const char parameters[] = ", cell *result";
  for (uint32_t i = 0; i < e->net->functions; i++)
    fprintf (e->out,
             "static int32_t g%u (tl_program_call *, cell *, cell *);\n", i);
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < e->net->functions; i++) {
    const tl_function *f = e->net->function[i];
    if (!tl_emit_open (e))
      return TL_E_NOMEM;
    e->refused = !f->body;
    fprintf (e->body, "if (e->depth++ >= %d || !e->left--) goto wrong;\n",
             MOST_CALLS);
    statement (e, f->body);
    fprintf (e->body, "goto wrong;\n"); // no value returned
    rc = tl_emit_close (e, "g", i, parameters);
  }
  return rc;
}
