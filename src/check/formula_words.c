#include "check/formula_words.h"

// ---- Writing ---------------------------------------------------------------

void tl_pack (tl_packing *p, uint64_t word) {
  if (p->failed || !TL_ROOM (p->mem, *p->words, p->room, *p->count + 1))
    p->failed = true;
  else
    (*p->words)[(*p->count)++] = word;
}

void tl_pack_terms (tl_packing *p, const tl_summand *term, uint32_t count) {
  tl_pack (p, count);
  for (uint32_t i = 0; i < count; i++) {
    tl_pack (p, term[i].place);
    tl_pack (p, (uint64_t)term[i].coefficient);
  }
}

void tl_pack_formula (tl_packing *p, const tl_formula *f) {
  tl_pack (p, f->op);
  if (f->op == TL_COMPARE) {
    tl_pack (p, (uint64_t)f->bound);
    tl_pack_terms (p, f->term, f->count);
    return;
  }
  tl_pack (p, f->count);
  for (uint32_t i = 0; f->op == TL_FIREABLE && i < f->count; i++)
    tl_pack (p, f->transition[i]);
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    tl_pack_formula (p, f->operand[i]);
}

// ---- Reading ---------------------------------------------------------------

uint64_t tl_unpack (tl_unpacking *u) {
  u->failed |= u->at == u->end;
  return u->failed ? 0 : *u->at++;
}

// So many things, of which each has a word at least.
static uint32_t unpack_count (tl_unpacking *u) {
  const uint64_t count = tl_unpack (u);
  u->failed |= count > (size_t)(u->end - u->at);
  return u->failed ? 0 : (uint32_t)count;
}

// The number of one of so many nodes.
static uint32_t unpack_node (tl_unpacking *u, uint32_t nodes) {
  const uint64_t node = tl_unpack (u);
  u->failed |= node >= nodes;
  return u->failed ? 0 : (uint32_t)node;
}

tl_summand *tl_unpack_terms (tl_unpacking *u, uint32_t *count) {
  tl_summand *term;
  *count = unpack_count (u);
  if (!TL_ARENA_NEW (u->arena, term, *count + 1))
    u->failed = true;
  for (uint32_t i = 0; !u->failed && i < *count; i++) {
    term[i].place = unpack_node (u, u->net->places);
    term[i].coefficient = (int64_t)tl_unpack (u);
  }
  return u->failed ? 0 : term;
}

static tl_formula *unpack_compare (tl_unpacking *u) {
  const int64_t bound = (int64_t)tl_unpack (u);
  uint32_t count;
  bool overflow;
  const tl_summand *term = tl_unpack_terms (u, &count);
  return term ? tl_formula_compare (u->arena, term, count, bound, &overflow)
              : 0;
}

static tl_formula *unpack_fireable (tl_unpacking *u) {
  const uint32_t count = unpack_count (u);
  uint32_t *list;
  if (!TL_ARENA_NEW (u->arena, list, count + 1))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    list[i] = unpack_node (u, u->net->transitions);
  return u->failed ? 0 : tl_formula_fireable (u->arena, list, count);
}

static tl_formula *unpack (tl_unpacking *u, unsigned depth);

static tl_formula *unpack_operator (tl_unpacking *u, tl_op op, unsigned depth) {
  const uint32_t count = unpack_count (u);
  tl_formula **operand;
  if (!TL_ARENA_NEW (u->arena, operand, count + 1))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    if (!(operand[i] = unpack (u, depth - 1)))
      return 0;
  if (op == TL_AND || op == TL_OR)
    return tl_formula_nary (u->arena, op, operand, count);
  const bool binary = op == TL_UNTIL || op == TL_RELEASE;
  u->failed |= count != 1u + binary;
  return u->failed ? 0
         : binary  ? tl_formula_binary (u->arena, op, operand[0], operand[1])
                   : tl_formula_unary (u->arena, op, operand[0]);
}

static tl_formula *unpack (tl_unpacking *u, unsigned depth) {
  const uint64_t op = tl_unpack (u);
  if (u->failed || !depth || op > TL_RELEASE)
    return 0;
  switch ((tl_op)op) {
  case TL_COMPARE: return unpack_compare (u);
  case TL_FIREABLE: return unpack_fireable (u);
  case TL_TRUE:
  case TL_FALSE:
    tl_unpack (u); // it has no operands
    return tl_formula_constant (u->arena, op == TL_TRUE);
  case TL_DEADLOCK: tl_unpack (u); return tl_formula_deadlock (u->arena);
  default: return unpack_operator (u, (tl_op)op, depth);
  }
}

// What rewriting makes of a formula may be somewhat deeper than it was.
tl_formula *tl_unpack_formula (tl_unpacking *u) {
  tl_formula *f = unpack (u, 4 * TL_FORMULA_DEPTH);
  u->failed |= !f;
  return u->failed ? 0 : f;
}
