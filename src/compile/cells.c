#include "compile/emit.h"

// Terms whose value is a list, set, vector or structure, and parts of these.

// An operand that is a container of the type itself, not an element.
static bool is_whole (const tl_term *operand, const tl_type *type) {
  return operand->type->root == type->root;
}

static uint32_t constant (tl_emit *e, const tl_term *t) {
  const uint32_t p = tl_emit_new_pointer (e);
  fprintf (e->globals, "static const cell c%u[] = {", p);
  for (uint32_t i = 0; i < t->type->cells; i++)
    fprintf (e->globals, "%lldll,", (long long)t->value[i]);
  fprintf (e->globals, "%s};\n", t->type->cells ? "" : "0");
  fprintf (e->body, "p%u = c%u;\n", p, p);
  return p;
}

// A number in a room of one cell.
static uint32_t number_cell (tl_emit *e, const tl_term *t) {
  const uint32_t p = tl_emit_new_room (e, 1);
  tl_emit_copy (e, t, p, 0);
  return p;
}

static uint32_t choose (tl_emit *e, const tl_term *t) {
  const uint32_t p = tl_emit_new_pointer (e);
  fprintf (e->body, "if (n%u) {\n", tl_emit_number (e, t->operand[0]));
  fprintf (e->body, "p%u = p%u;\n", p, tl_emit_cells (e, t->operand[1]));
  fprintf (e->body, "} else {\n");
  fprintf (e->body, "p%u = p%u;\n}\n", p, tl_emit_cells (e, t->operand[2]));
  return p;
}

static uint32_t cells (tl_emit *e, const tl_term *t) {
  if (t->kind == TL_TERM_VARIABLE) {
    const uint32_t p = tl_emit_new_pointer (e);
    fprintf (e->body, "p%u = f + %u;\n", p, t->offset);
    return p;
  }
  if (t->kind == TL_TERM_CONSTANT)
    return constant (e, t);
  if (tl_type_is_discrete (t->type))
    return number_cell (e, t);
  switch (t->kind) {
  case TL_TERM_CALL: return tl_emit_call (e, t);
  case TL_TERM_CHOOSE: return choose (e, t);
  case TL_TERM_CHECK:
  case TL_TERM_CAST: return tl_emit_cells (e, t->operand[0]);
  default: return tl_emit_container_cells (e, t);
  }
}

uint32_t tl_emit_cells (tl_emit *e, const tl_term *t) {
  const uint32_t p = tl_emit_down (e) ? cells (e, t) : 0;
  tl_emit_up (e);
  return p;
}

static void target (tl_emit *e, uint32_t room, uint32_t offset) {
  if (room == TL_TO_FRAME)
    fprintf (e->body, "f[%u]", offset);
  else
    fprintf (e->body, "b%u[%u]", room, offset);
}

void tl_emit_copy (tl_emit *e, const tl_term *t, uint32_t room,
                   uint32_t offset) {
  if (!tl_type_is_discrete (t->type)) {
    const uint32_t p = tl_emit_cells (e, t);
    fprintf (e->body, "__builtin_memmove (&");
    target (e, room, offset);
    fprintf (e->body, ", p%u, %zu);\n", p, t->type->cells * sizeof (tl_cell));
    return;
  }
  const uint32_t n = tl_emit_number (e, t);
  fprintf (e->body, "if (n%u != (cell)n%u) goto wrong;\n", n, n);
  target (e, room, offset);
  fprintf (e->body, " = (cell)n%u;\n", n);
}

uint32_t tl_emit_offset (tl_emit *e, const tl_type *type, uint32_t pointer,
                         tl_term *const *index) {
  const uint32_t at = tl_emit_new_number (e);
  fprintf (e->body, "n%u = 0;\n", at);
  for (uint32_t i = 0; i < type->index_count; i++) {
    const tl_type *it = type->index[i];
    const uint32_t n = tl_emit_number (e, index[i]);
    fprintf (e->body,
             "if (n%u < %lldll || n%u > %lldll) goto wrong;\n"
             "n%u = n%u * %lldll + (n%u - %lldll);\n",
             n, (long long)it->first, n, (long long)it->last, at, at,
             (long long)tl_type_values (it), n, (long long)it->first);
  }
  if (type->kind == TL_TYPE_LIST)
    fprintf (e->body, "if (n%u >= p%u[0]) goto wrong;\n", at, pointer);
  fprintf (e->body, "n%u = n%u * %u + %d;\n", at, at, type->element->cells,
           type->kind == TL_TYPE_LIST);
  return at;
}

// A new room for a value of the type, all zero: an empty container.
static uint32_t fresh (tl_emit *e, const tl_type *type) {
  const uint32_t p = tl_emit_new_room (e, type->cells);
  fprintf (e->body, "__builtin_memset (b%u, 0, sizeof b%u);\n", p, p);
  return p;
}

// What the helpers of the prelude need to know of a container type.
static void shape (tl_emit *e, const tl_type *type) {
  fprintf (e->body, "%u, %u, %d", type->element->cells, type->elements,
           type->kind == TL_TYPE_SET);
}

static void operand_items (tl_emit *e, const tl_term *t, uint32_t i,
                           uint32_t p) {
  if (is_whole (t->operand[i], t->type))
    fprintf (e->body, "p%u + 1, p%u[0], ", p, p);
  else
    fprintf (e->body, "p%u, 1, ", p);
}

// JOIN, UNION, INTERSECT, REMOVE.
static void combine (tl_emit *e, const tl_term *t, uint32_t to) {
  const uint32_t a = tl_emit_cells (e, t->operand[0]),
                 b = tl_emit_cells (e, t->operand[1]);
  const bool both = t->kind == TL_TERM_JOIN || t->kind == TL_TERM_UNION;
  fprintf (e->body, "if (%s (b%u, ", both ? "join" : "sift", to);
  operand_items (e, t, 0, a);
  operand_items (e, t, 1, b);
  if (!both)
    fprintf (e->body, "%d, ", t->kind == TL_TERM_INTERSECT);
  shape (e, t->type);
  fprintf (e->body, ")) goto wrong;\n");
}

static void make (tl_emit *e, const tl_term *t, uint32_t to) {
  const tl_type *type = t->type;
  if (type->kind == TL_TYPE_STRUCT) {
    for (uint32_t i = 0; i < t->operands; i++)
      tl_emit_copy (e, t->operand[i], to, type->component[i].offset);
    return;
  }
  const uint32_t size = type->element->cells;
  if (type->kind == TL_TYPE_VECTOR) {
    for (uint32_t i = 0; i < t->operands && i < type->elements; i++)
      tl_emit_copy (e, t->operand[i], to, i * size);
    if (t->operands < type->elements)
      fprintf (e->body, "repeat (b%u, %u, %u, %u);\n", to, t->operands,
               type->elements, size);
    return;
  }
  for (uint32_t i = 0; i < t->operands; i++) {
    const uint32_t p = tl_emit_cells (e, t->operand[i]);
    fprintf (e->body, "if (add (b%u, p%u, ", to, p);
    shape (e, type);
    fprintf (e->body, ")) goto wrong;\n");
  }
}

static void slice (tl_emit *e, const tl_term *t, uint32_t to) {
  const tl_type *type = t->operand[0]->type;
  const uint32_t list = tl_emit_cells (e, t->operand[0]),
                 a = tl_emit_offset (e, type, list, t->operand + 1),
                 b = tl_emit_offset (e, type, list, t->operand + 2),
                 size = t->type->element->cells;
  fprintf (e->body,
           "if (n%u <= n%u) {\nb%u[0] = (cell)((n%u - n%u) / %u + 1);\n"
           "__builtin_memcpy (b%u + 1, p%u + n%u, (n%u - n%u + %u) * 4);\n}\n",
           a, b, to, b, a, size, to, list, a, b, a, size);
}

// PREFIX and SUFFIX.
static void shorten (tl_emit *e, const tl_term *t, uint32_t to) {
  const uint32_t list = tl_emit_cells (e, t->operand[0]),
                 size = t->type->element->cells;
  fprintf (e->body,
           "if (!p%u[0]) goto wrong;\nb%u[0] = p%u[0] - 1;\n"
           "__builtin_memcpy (b%u + 1, p%u + %u, (unsigned long)b%u[0] * %u);"
           "\n",
           list, to, list, to, list, 1 + (t->kind == TL_TERM_SUFFIX ? size : 0),
           to, size * 4);
}

// A copy of the first operand in which another value stands at some cells.
static void replace (tl_emit *e, const tl_term *t, uint32_t to) {
  tl_emit_copy (e, t->operand[0], to, 0);
  if (t->kind == TL_TERM_WITH_COMPONENT) {
    tl_emit_copy (e, t->operand[t->operands - 1], to, t->offset);
    return;
  }
  const tl_term *value = t->operand[t->operands - 1];
  const uint32_t at = tl_emit_offset (e, t->type, to, t->operand + 1),
                 p = tl_emit_cells (e, value);
  fprintf (e->body, "__builtin_memmove (b%u + n%u, p%u, %zu);\n", to, at, p,
           value->type->cells * sizeof (tl_cell));
}

static bool is_part (const tl_term *t) {
  return t->kind == TL_TERM_COMPONENT || t->kind == TL_TERM_ELEMENT ||
         t->kind == TL_TERM_FIRST || t->kind == TL_TERM_LAST;
}

// Those whose result is a part of their first operand.
static uint32_t part (tl_emit *e, const tl_term *t) {
  const tl_type *type = t->operand[0]->type;
  const uint32_t whole = tl_emit_cells (e, t->operand[0]),
                 p = tl_emit_new_pointer (e);
  if (t->kind == TL_TERM_COMPONENT)
    fprintf (e->body, "p%u = p%u + %u;\n", p, whole, t->offset);
  else if (t->kind == TL_TERM_ELEMENT)
    fprintf (e->body, "p%u = p%u + n%u;\n", p, whole,
             tl_emit_offset (e, type, whole, t->operand + 1));
  else
    fprintf (e->body,
             "if (!p%u[0]) goto wrong;\np%u = p%u + 1 + (p%u[0] - 1) * %u;\n",
             whole, p, whole, whole,
             t->kind == TL_TERM_LAST ? type->element->cells : 0);
  return p;
}

uint32_t tl_emit_container_cells (tl_emit *e, const tl_term *t) {
  if (is_part (t))
    return part (e, t);
  const uint32_t to = fresh (e, t->type);
  switch (t->kind) {
  case TL_TERM_JOIN:
  case TL_TERM_UNION:
  case TL_TERM_INTERSECT:
  case TL_TERM_REMOVE: combine (e, t, to); break;
  case TL_TERM_MAKE: make (e, t, to); break;
  case TL_TERM_SLICE: slice (e, t, to); break;
  case TL_TERM_PREFIX:
  case TL_TERM_SUFFIX: shorten (e, t, to); break;
  case TL_TERM_WITH_ELEMENT:
  case TL_TERM_WITH_COMPONENT: replace (e, t, to); break;
  default: e->refused = true;
  }
  return to;
}

static uint32_t compare_sets (tl_emit *e, const tl_term *t) {
  const uint32_t a = tl_emit_cells (e, t->operand[0]),
                 b = tl_emit_cells (e, t->operand[1]),
                 n = tl_emit_new_number (e);
  const bool upwards = t->kind == TL_TERM_LESS || t->kind == TL_TERM_LESS_EQUAL;
  const bool strict = t->kind == TL_TERM_LESS || t->kind == TL_TERM_GREATER;
  const uint32_t small = upwards ? a : b, large = upwards ? b : a;
  fprintf (e->body, "n%u = subset (p%u, p%u, %u)", n, small, large,
           t->operand[0]->type->element->cells);
  if (strict)
    fprintf (e->body, " && p%u[0] < p%u[0]", small, large);
  fprintf (e->body, ";\n");
  return n;
}

// The attributes of containers that are numbers.
static uint32_t attribute (tl_emit *e, const tl_term *t) {
  const tl_type *type = t->operand[0]->type;
  const uint32_t p = tl_emit_cells (e, t->operand[0]),
                 n = tl_emit_new_number (e);
  const long long capacity = type->elements;
  switch (t->kind) {
  case TL_TERM_SIZE: fprintf (e->body, "n%u = p%u[0];\n", n, p); break;
  case TL_TERM_CAPACITY: fprintf (e->body, "n%u = %lld;\n", n, capacity); break;
  case TL_TERM_SPACE:
    fprintf (e->body, "n%u = %lldll - p%u[0];\n", n, capacity, p);
    break;
  case TL_TERM_IS_EMPTY: fprintf (e->body, "n%u = !p%u[0];\n", n, p); break;
  case TL_TERM_IS_FULL:
    fprintf (e->body, "n%u = p%u[0] == %lldll;\n", n, p, capacity);
    break;
  case TL_TERM_FIRST_INDEX:
    fprintf (e->body, "n%u = %lldll;\n", n, (long long)type->index[0]->first);
    break;
  case TL_TERM_LAST_INDEX:
    fprintf (e->body, "if (!p%u[0]) goto wrong;\nn%u = %lldll + p%u[0] - 1;\n",
             p, n, (long long)type->index[0]->first, p);
    break;
  default: e->refused = true;
  }
  return n;
}

uint32_t tl_emit_container_number (tl_emit *e, const tl_term *t) {
  if (t->kind <= TL_TERM_GREATER_EQUAL)
    return compare_sets (e, t);
  if (!is_part (t) && t->kind != TL_TERM_MEMBER)
    return attribute (e, t);
  const uint32_t p =
      is_part (t) ? part (e, t) : tl_emit_cells (e, t->operand[0]);
  const uint32_t n = tl_emit_new_number (e);
  if (is_part (t))
    fprintf (e->body, "n%u = *p%u;\n", n, p);
  else
    fprintf (e->body, "n%u = has (p%u, p%u, %u);\n", n,
             tl_emit_cells (e, t->operand[1]), p,
             t->operand[1]->type->element->cells);
  return n;
}
