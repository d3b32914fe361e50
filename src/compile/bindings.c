#include "compile/emit.h"

// Bindings, task by task, and the tokens of labels.

// Each task opens a block, and what comes after it stands inside.  Tokens are
// tried from the last to the first, as the binder does it (colour/bind.h), so
// that bindings come in the same order.

// A place with more tokens than that is not searched from end to end for those
// with known parts: there the binder has indices.
enum { MOST_SCANNED = 1000 };

tl_emit_known tl_emit_value (tl_emit *e, const tl_term *part) {
  if (!tl_type_is_discrete (part->type))
    return (tl_emit_known){tl_emit_cells (e, part), false};
  const uint32_t n = tl_emit_number (e, part);
  fprintf (e->body, "if (n%u != (cell)n%u) goto wrong;\n", n, n);
  return (tl_emit_known){n, true};
}

// Compares cells of a token with a value.
static void pass_unless_same (tl_emit *e, uint32_t token, uint32_t offset,
                              uint32_t cells, tl_emit_known value) {
  if (value.number)
    fprintf (e->body, "if (p%u[%u] != n%u) continue;\n", token, offset,
             value.name);
  else
    fprintf (e->body, "if (!same (p%u + %u, p%u, %u)) continue;\n", token,
             offset, value.name, cells);
}

// The values of known parts, computed once before the tokens are gone through;
// `value` has room for all parts.
static void know (tl_emit *e, const tl_task *task, const tl_cplace *place,
                  tl_emit_known *value) {
  bool any = false;
  for (uint32_t i = 0; i < place->parts; i++)
    any |= task->use[i] == TL_PART_KNOWN;
  if (any)
    fprintf (e->body, "if (e->marking[%u].count > %d) goto wrong;\n",
             task->arc->place, MOST_SCANNED);
  for (uint32_t i = 0; i < place->parts; i++)
    if (task->use[i] == TL_PART_KNOWN)
      value[i] = tl_emit_value (e, task->tuple->part[i]);
}

static uint32_t take (tl_emit *e, const tl_task *task) {
  const uint32_t p = task->arc->place;
  const tl_cplace *place = e->net->place + p;
  tl_emit_known value[TL_EMIT_PARTS];
  if (place->parts > TL_EMIT_PARTS) {
    e->refused = true;
    return 0;
  }
  const uint32_t i = tl_emit_new_number (e), token = tl_emit_new_pointer (e);
  fprintf (e->body, "if (e->marking[%u].count) {\n", p);
  know (e, task, place, value);
  fprintf (e->body,
           "for (n%u = e->marking[%u].count; n%u-- > 0;) {\n"
           "p%u = e->marking[%u].token + n%u * %u;\n",
           i, p, i, token, p, i, place->cells);
  for (uint32_t k = 0; k < place->parts; k++)
    if (task->use[k] == TL_PART_KNOWN)
      pass_unless_same (e, token, place->part_offset[k], place->part[k]->cells,
                        value[k]);
    else if (task->use[k] == TL_PART_BINDS)
      fprintf (e->body, "__builtin_memcpy (f + %u, p%u + %u, %u);\n",
               task->tuple->part[k]->offset, token, place->part_offset[k],
               place->part[k]->cells * 4);
  for (uint32_t k = 0; k < place->parts; k++)
    if (task->use[k] == TL_PART_AFTER)
      pass_unless_same (e, token, place->part_offset[k], place->part[k]->cells,
                        tl_emit_value (e, task->tuple->part[k]));
  return 2;
}

// A value that a conjunct gives; it may not be one that the variable can have.
static void set (tl_emit *e, const tl_variable *v, const tl_term *term) {
  if (!tl_type_is_discrete (v->type)) {
    fprintf (e->body, "{\n");
    tl_emit_copy (e, term, TL_TO_FRAME, v->offset);
    return;
  }
  const bool any = v->kind == TL_VARIABLE_ARC; // tokens will say no
  const uint32_t n = tl_emit_number (e, term);
  fprintf (e->body,
           "if (n%u >= %lldll && n%u <= %lldll) {\nf[%u] = (cell)n%u;"
           "\n",
           n, any ? (long long)INT32_MIN : (long long)v->type->first, n,
           any ? (long long)INT32_MAX : (long long)v->type->last, v->offset, n);
}

uint32_t tl_emit_task (tl_emit *e, const tl_ctransition *t,
                       const tl_task *task) {
  const tl_variable *v = t->variable + task->variable;
  switch (task->kind) {
  case TL_TASK_TEST:
  case TL_TASK_TRY: // the binder knows what to do where it goes wrong
    fprintf (e->body, "if (n%u) {\n", tl_emit_number (e, task->term));
    return 1;
  case TL_TASK_SET: set (e, v, task->term); return 1;
  case TL_TASK_LET: tl_emit_copy (e, v->let, TL_TO_FRAME, v->offset); return 0;
  case TL_TASK_PICK: tl_emit_loops (e, &v->pick, 1); return 1;
  case TL_TASK_TAKE:
  case TL_TASK_CLAIM: break;
  }
  return 0;
}

tl_status tl_emit_find (tl_emit *e, uint32_t transition,
                        const tl_schedule *schedule) {
  const tl_ctransition *t = e->net->transition + transition;
  if (!tl_emit_open (e))
    return TL_E_NOMEM;
  uint32_t blocks = 0;
  fprintf (e->head, "int32_t said;\n");
  for (uint32_t i = 0; i < schedule->tasks; i++)
    blocks += schedule->task[i].kind == TL_TASK_TAKE
                  ? take (e, schedule->task + i)
                  : tl_emit_task (e, t, schedule->task + i);
  fprintf (e->body, "if ((said = e->found (e->context, %u, f))) return said;\n",
           transition);
  tl_emit_loops_end (e, blocks);
  return tl_emit_close (e, "find", transition, "");
}

static void tuple (tl_emit *e, const tl_tuple *t, uint32_t place) {
  const tl_cplace *at = e->net->place + place;
  e->refused |= t->factor < 0;
  if (!t->factor)
    return;
  fprintf (e->body, "{\n");
  tl_emit_loops (e, t->loop, t->loops);
  if (t->condition)
    fprintf (e->body, "if (n%u) {\n", tl_emit_number (e, t->condition));
  const uint32_t token = tl_emit_new_room (e, at->cells);
  for (uint32_t i = 0; i < at->parts; i++)
    tl_emit_copy (e, t->part[i], token, at->part_offset[i]);
  fprintf (e->body,
           "if ((said = e->give (e->context, %u, b%u, %lldll))) return said;\n",
           place, token, (long long)t->factor);
  tl_emit_loops_end (e, t->loops + 1 + (t->condition != 0));
}

tl_status tl_emit_labels (tl_emit *e, const char *kind, uint32_t transition,
                          const tl_carc *arc, uint32_t arcs) {
  if (!tl_emit_open (e))
    return TL_E_NOMEM;
  fprintf (e->head, "int32_t said;\n");
  for (uint32_t i = 0; i < arcs; i++)
    for (uint32_t k = 0; k < arc[i].label.tuples; k++)
      tuple (e, arc[i].label.tuple + k, arc[i].place);
  return tl_emit_close (e, kind, transition, "");
}
