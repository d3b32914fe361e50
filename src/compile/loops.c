#include "compile/emit.h"

// Loops over types, containers and places, and the terms made of them.

static void over_type (tl_emit *e, const tl_loop *l) {
  const uint32_t first = tl_emit_new_number (e), last = tl_emit_new_number (e);
  const long long low = (long long)l->type->first,
                  high = (long long)l->type->last;
  fprintf (e->body, "n%u = %lldll;\nn%u = %lldll;\n", first, low, last, high);
  if (l->first)
    fprintf (e->body, "n%u = n%u;\n", first, tl_emit_number (e, l->first));
  if (l->last)
    fprintf (e->body, "n%u = n%u;\n", last, tl_emit_number (e, l->last));
  if (l->first || l->last)
    fprintf (e->body,
             "if (n%u <= n%u && (n%u < %lldll || n%u > %lldll)) goto wrong;\n",
             first, last, first, low, last, high);
  fprintf (e->body, "for (; n%u <= n%u; n%u++) {\nf[%u] = (cell)n%u;\n", first,
           last, first, l->offset, first);
}

static void over_container (tl_emit *e, const tl_loop *l) {
  const uint32_t list = tl_emit_cells (e, l->container),
                 i = tl_emit_new_number (e);
  fprintf (e->body,
           "for (n%u = 0; n%u < p%u[0]; n%u++) {\n"
           "__builtin_memmove (f + %u, p%u + 1 + n%u * %u, %u);\n",
           i, i, list, i, l->offset, list, i, l->type->cells,
           l->type->cells * 4);
}

static void over_place (tl_emit *e, const tl_loop *l) {
  const uint32_t i = tl_emit_new_number (e),
                 cells = e->net->place[l->place].cells;
  e->many = tl_emit_new_number (e);
  fprintf (e->body,
           "if (!e->marking) goto wrong;\n"
           "for (n%u = 0; n%u < e->marking[%u].count; n%u++) {\n"
           "n%u = e->marking[%u].many[n%u];\n",
           i, i, l->place, i, e->many, l->place, i);
  if (cells)
    fprintf (
        e->body,
        "__builtin_memcpy (f + %u, e->marking[%u].token + n%u * %u, %u);\n",
        l->offset, l->place, i, cells, cells * 4);
}

void tl_emit_loops (tl_emit *e, const tl_loop *loop, uint32_t loops) {
  for (uint32_t i = 0; i < loops; i++) {
    if (loop[i].kind == TL_LOOP_TYPE)
      over_type (e, loop + i);
    else if (loop[i].kind == TL_LOOP_CONTAINER)
      over_container (e, loop + i);
    else
      over_place (e, loop + i);
    fprintf (e->body, "if (!e->left--) goto wrong;\n");
  }
}

void tl_emit_loops_end (tl_emit *e, uint32_t loops) {
  for (uint32_t i = 0; i < loops; i++)
    fprintf (e->body, "}\n");
}

static long long value_of_none (const tl_term *t) {
  switch (t->kind) {
  case TL_TERM_FORALL:
  case TL_TERM_PRODUCT: return 1;
  case TL_TERM_MIN: return (long long)t->type->last;
  case TL_TERM_MAX: return (long long)t->type->first;
  default: return 0;
  }
}

// Takes number n of one more iteration, of which the condition holds.
static void take (tl_emit *e, const tl_term *t, uint32_t value, uint32_t n) {
  switch (t->kind) {
  case TL_TERM_FORALL:
    fprintf (e->body, "n%u = n%u;\nif (!n%u) goto stop%u;\n", value, n, n,
             value);
    break;
  case TL_TERM_SUM:
  case TL_TERM_PRODUCT:
    fprintf (e->body,
             "if (__builtin_%s_overflow (n%u, n%u, &n%u)) goto wrong;\n",
             t->kind == TL_TERM_SUM ? "add" : "mul", value, n, value);
    break;
  default:
    fprintf (e->body, "if (n%u %c n%u) n%u = n%u;\n", n,
             t->kind == TL_TERM_MIN ? '<' : '>', value, value, n);
  }
  if (t->type->kind == TL_TYPE_MOD)
    fprintf (e->body, "n%u %%= %lldll;\n", value,
             (long long)t->type->root->last + 1);
}

uint32_t tl_emit_iterator (tl_emit *e, const tl_term *t) {
  const uint32_t value = tl_emit_new_number (e);
  if (t->kind <= TL_TERM_PLACE_MULT) {
    fprintf (e->body, "if (!e->marking) goto wrong;\n");
    if (t->kind == TL_TERM_PLACE_CARD)
      fprintf (e->body, "n%u = e->marking[%u].count;\n", value, t->place);
    else
      fprintf (e->body, "n%u = total (e->marking + %u);\n", value, t->place);
    return value;
  }
  fprintf (e->body, "n%u = %lldll;\n", value, value_of_none (t));
  tl_emit_loops (e, t->loop, t->loops);
  const uint32_t many = e->many;
  if (t->operands && t->operand[0])
    fprintf (e->body, "if (n%u) {\n", tl_emit_number (e, t->operand[0]));
  else
    fprintf (e->body, "{\n");
  if (t->kind == TL_TERM_EXISTS)
    fprintf (e->body, "n%u = 1;\ngoto stop%u;\n", value, value);
  else if (t->kind == TL_TERM_CARD)
    fprintf (e->body, "n%u++;\n", value);
  else if (t->kind == TL_TERM_MULT)
    fprintf (e->body, "n%u += n%u;\n", value, many);
  else
    take (e, t, value, tl_emit_number (e, t->operand[1]));
  fprintf (e->body, "}\n");
  tl_emit_loops_end (e, t->loops);
  fprintf (e->body, "stop%u:;\n", value);
  return value;
}
