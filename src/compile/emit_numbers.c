#include "compile/emit.h"

// Terms whose value is a number.

// Operators of a modulo type wrap.
static void wrap (tl_emit *e, const tl_type *type, uint32_t n) {
  if (type->kind != TL_TYPE_MOD)
    return;
  const long long modulus = (long long)type->root->last + 1;
  fprintf (e->body, "n%u %%= %lldll;\nif (n%u < 0) n%u += %lldll;\n", n,
           modulus, n, n, modulus);
}

static void neighbour (tl_emit *e, const tl_term *t, uint32_t n, uint32_t a) {
  const tl_type *type = t->type;
  const bool up = t->kind == TL_TERM_SUCC;
  if (type->kind != TL_TYPE_RANGE)
    fprintf (e->body, "if (n%u == %lldll) n%u = %lldll; else\n", a,
             (long long)(up ? type->last : type->first), n,
             (long long)(up ? type->first : type->last));
  fprintf (e->body, "if (__builtin_add_overflow (n%u, %d, &n%u)) goto wrong;\n",
           a, up ? 1 : -1, n);
}

static uint32_t unary (tl_emit *e, const tl_term *t) {
  const uint32_t a = tl_emit_number (e, t->operand[0]);
  const uint32_t n = tl_emit_new_number (e);
  switch (t->kind) {
  case TL_TERM_MINUS:
    fprintf (e->body,
             "if (__builtin_sub_overflow ((num)0, n%u, &n%u)) goto wrong;\n", a,
             n);
    wrap (e, t->type, n);
    break;
  case TL_TERM_NOT: fprintf (e->body, "n%u = !n%u;\n", n, a); break;
  case TL_TERM_SUCC:
  case TL_TERM_PRED: neighbour (e, t, n, a); break;
  default: // CHECK, CAST
    fprintf (e->body,
             "n%u = n%u;\nif (n%u < %lldll || n%u > %lldll) goto wrong;\n", n,
             a, n, (long long)t->type->first, n, (long long)t->type->last);
  }
  return n;
}

static uint32_t arithmetic (tl_emit *e, const tl_term *t) {
  const uint32_t a = tl_emit_number (e, t->operand[0]),
                 b = tl_emit_number (e, t->operand[1]),
                 n = tl_emit_new_number (e);
  if (t->kind == TL_TERM_DIVIDE || t->kind == TL_TERM_MODULO)
    fprintf (e->body, "if (!n%u || n%u == -1) goto wrong;\nn%u = n%u %c n%u;\n",
             b, b, n, a, t->kind == TL_TERM_DIVIDE ? '/' : '%', b);
  else
    fprintf (e->body,
             "if (__builtin_%s_overflow (n%u, n%u, &n%u)) goto wrong;\n",
             t->kind == TL_TERM_ADD        ? "add"
             : t->kind == TL_TERM_SUBTRACT ? "sub"
                                           : "mul",
             a, b, n);
  wrap (e, t->type, n);
  return n;
}

static const char *operator_of (tl_term_kind kind) {
  switch (kind) {
  case TL_TERM_EQUAL: return "==";
  case TL_TERM_UNEQUAL: return "!=";
  case TL_TERM_LESS: return "<";
  case TL_TERM_LESS_EQUAL: return "<=";
  case TL_TERM_GREATER: return ">";
  default: return ">=";
  }
}

static uint32_t compare (tl_emit *e, const tl_term *t) {
  const tl_type *type = t->operand[0]->type;
  if (!tl_type_is_discrete (type)) {
    if (t->kind > TL_TERM_UNEQUAL)
      return tl_emit_container_number (e, t);
    const uint32_t p = tl_emit_cells (e, t->operand[0]),
                   q = tl_emit_cells (e, t->operand[1]),
                   n = tl_emit_new_number (e);
    fprintf (e->body, "n%u = %ssame (p%u, p%u, %u);\n", n,
             t->kind == TL_TERM_EQUAL ? "" : "!", p, q, type->cells);
    return n;
  }
  const uint32_t a = tl_emit_number (e, t->operand[0]),
                 b = tl_emit_number (e, t->operand[1]),
                 n = tl_emit_new_number (e);
  fprintf (e->body, "n%u = n%u %s n%u;\n", n, a, operator_of (t->kind), b);
  return n;
}

static uint32_t logic (tl_emit *e, const tl_term *t) {
  const uint32_t n = tl_emit_new_number (e);
  const uint32_t a = tl_emit_number (e, t->operand[0]);
  fprintf (e->body, "n%u = n%u;\nif (%sn%u) {\n", n, a,
           t->kind == TL_TERM_OR ? "!" : "", n);
  const uint32_t b = tl_emit_number (e, t->operand[1]);
  fprintf (e->body, "n%u = n%u;\n}\n", n, b);
  return n;
}

static uint32_t choose (tl_emit *e, const tl_term *t) {
  const uint32_t n = tl_emit_new_number (e);
  fprintf (e->body, "if (n%u) {\n", tl_emit_number (e, t->operand[0]));
  fprintf (e->body, "n%u = n%u;\n", n, tl_emit_number (e, t->operand[1]));
  fprintf (e->body, "} else {\n");
  fprintf (e->body, "n%u = n%u;\n}\n", n, tl_emit_number (e, t->operand[2]));
  return n;
}

static uint32_t leaf (tl_emit *e, const tl_term *t) {
  const uint32_t n = tl_emit_new_number (e);
  if (t->kind == TL_TERM_VARIABLE)
    fprintf (e->body, "n%u = f[%u];\n", n, t->offset);
  else if (t->kind == TL_TERM_CONSTANT)
    fprintf (e->body, "n%u = %lldll;\n", n, (long long)*t->value);
  else
    fprintf (e->body, "n%u = *p%u;\n", n, tl_emit_call (e, t));
  return n;
}

static uint32_t number (tl_emit *e, const tl_term *t) {
  if (t->kind == TL_TERM_VARIABLE || t->kind == TL_TERM_CONSTANT ||
      t->kind == TL_TERM_CALL)
    return leaf (e, t);
  if (t->kind <= TL_TERM_PRED)
    return unary (e, t);
  if (t->kind <= TL_TERM_MODULO)
    return arithmetic (e, t);
  if (t->kind <= TL_TERM_GREATER_EQUAL)
    return compare (e, t);
  if (t->kind <= TL_TERM_OR)
    return logic (e, t);
  if (t->kind == TL_TERM_CHOOSE)
    return choose (e, t);
  if (t->kind >= TL_TERM_PLACE_CARD)
    return tl_emit_iterator (e, t);
  return tl_emit_container_number (e, t);
}

uint32_t tl_emit_number (tl_emit *e, const tl_term *t) {
  const uint32_t n = tl_emit_down (e) ? number (e, t) : 0;
  tl_emit_up (e);
  return n;
}
