// Nets in Helena's language: what is read must be whole, with a type for every
// term and no operand missing.

#include "lna/lna.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length);

static void demand (bool good) {
  if (!good)
    abort ();
}

static void look_at_term (const tl_term *);

static void look_at_loops (const tl_loop *loop, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    demand (loop[i].name && (loop[i].type || loop[i].kind == TL_LOOP_PLACE));
    demand ((loop[i].kind == TL_LOOP_CONTAINER) == (loop[i].container != 0));
    if (loop[i].container)
      look_at_term (loop[i].container);
    if (loop[i].first)
      look_at_term (loop[i].first);
    if (loop[i].last)
      look_at_term (loop[i].last);
  }
}

static void look_at_term (const tl_term *t) {
  demand (t && t->type && t->type->root);
  demand ((t->kind == TL_TERM_CONSTANT) == (t->value != 0));
  demand ((t->kind == TL_TERM_CALL) == (t->function != 0));
  const bool bounded = t->kind == TL_TERM_CHECK || t->kind == TL_TERM_CAST;
  demand (!bounded || tl_type_is_discrete (t->type));
  if (t->kind >= TL_TERM_ADD && t->kind <= TL_TERM_MODULO)
    demand (t->operand[0]->type->root == t->type->root &&
            t->operand[1]->type->root == t->type->root);
  if (t->kind >= TL_TERM_EQUAL && t->kind <= TL_TERM_GREATER_EQUAL)
    demand (t->operand[0]->type->root == t->operand[1]->type->root);
  look_at_loops (t->loop, t->loops);
  for (uint32_t i = 0; i < t->operands; i++)
    if (t->operand[i] || !t->loops)
      look_at_term (t->operand[i]);
}

static void look_at_statement (const tl_statement *s) {
  demand (s);
  demand (s->term || s->kind == TL_DO_FOR || s->kind == TL_DO_BLOCK);
  if (s->term)
    look_at_term (s->term);
  look_at_loops (s->loop, s->loops);
  for (uint32_t i = 0; i < s->bodies; i++)
    if (s->body[i] || s->kind != TL_DO_IF)
      look_at_statement (s->body[i]);
}

static void look_at_label (const tl_label *label, const tl_cplace *p) {
  for (uint32_t i = 0; i < label->tuples; i++) {
    const tl_tuple *t = label->tuple + i;
    look_at_loops (t->loop, t->loops);
    if (t->condition)
      look_at_term (t->condition);
    for (uint32_t k = 0; k < p->parts; k++) {
      look_at_term (t->part[k]);
      demand (t->part[k]->type->root == p->part[k]->root);
    }
  }
}

static void look_at_arcs (const tl_coloured *net, const tl_carc *arc,
                          uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    look_at_label (&arc[i].label, net->place + arc[i].place);
}

static void look_at_transition (const tl_coloured *net,
                                const tl_ctransition *t) {
  for (uint32_t i = 0; i < t->variables; i++) {
    const tl_variable *v = t->variable + i;
    demand (v->name && v->type && v->offset + v->type->cells <= t->frame);
    if (v->kind == TL_VARIABLE_PICK)
      look_at_loops (&v->pick, 1);
    if (v->kind == TL_VARIABLE_LET)
      look_at_term (v->let);
  }
  look_at_arcs (net, t->in, t->ins);
  look_at_arcs (net, t->out, t->outs);
  look_at_arcs (net, t->inhibit, t->inhibits);
  if (t->guard)
    look_at_term (t->guard);
  if (t->priority)
    look_at_term (t->priority);
  for (uint32_t i = 0; i < t->description_parts; i++)
    look_at_term (t->description_part[i]);
}

static void look_at_net (const tl_coloured *net) {
  for (uint32_t i = 0; i < net->functions; i++)
    look_at_statement (net->function[i]->body);
  for (uint32_t i = 0; i < net->places; i++)
    look_at_label (&net->place[i].initial, net->place + i);
  for (uint32_t i = 0; i < net->transitions; i++)
    look_at_transition (net, net->transition + i);
  for (uint32_t i = 0; i < net->propositions; i++)
    look_at_term (net->proposition[i].term);
  for (uint32_t i = 0; i < net->measures; i++)
    look_at_term (net->measure[i]);
}

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_coloured *net;
  tl_input in;
  tl_input_open_memory (&in, "x.lna", bytes, length);
  if (tl_input_next (&in, &err))
    abort ();
  tl_is_lna (&in);
  const tl_status status = tl_read_lna (&net, &mem, &in, 0, &err);
  if (status)
    demand (status != TL_E_INTERNAL && status != TL_E_NOMEM && !net &&
            err.code == status && err.text[0]);
  else {
    look_at_net (net);
    tl_coloured_close (net);
  }
  demand (!mem.used);
  return 0;
}
