#include "colour/type.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static tl_type *make (tl_arena *arena, const char *name, tl_type_kind kind) {
  tl_type *t;
  if (!TL_ARENA_NEW (arena, t, 1))
    return 0;
  t->name = tl_arena_text (arena, name, strlen (name));
  t->kind = kind;
  t->root = t;
  return t->name ? t : 0;
}

static tl_type *make_discrete (tl_arena *arena, const char *name,
                               tl_type_kind kind, int64_t first, int64_t last) {
  tl_type *t = make (arena, name, kind);
  if (!t)
    return 0;
  t->first = first;
  t->last = last;
  t->cells = 1;
  return t;
}

tl_type *tl_type_range (tl_arena *arena, const char *name, int64_t first,
                        int64_t last) {
  return make_discrete (arena, name, TL_TYPE_RANGE, first, last);
}

tl_type *tl_type_mod (tl_arena *arena, const char *name, int64_t modulus) {
  return make_discrete (arena, name, TL_TYPE_MOD, 0, modulus - 1);
}

tl_type *tl_type_enum (tl_arena *arena, const char *name, const char **constant,
                       uint32_t count) {
  tl_type *t = make_discrete (arena, name, TL_TYPE_ENUM, 0, (int64_t)count - 1);
  if (!t || !TL_ARENA_NEW (arena, t->constant, count))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    if (!(t->constant[i] =
              tl_arena_text (arena, constant[i], strlen (constant[i]))))
      return 0;
  return t;
}

tl_type *tl_type_sub (tl_arena *arena, const char *name, const tl_type *parent,
                      int64_t first, int64_t last) {
  tl_type *t = make (arena, name, parent->kind);
  if (!t)
    return 0;
  const char *const own = t->name;
  *t = *parent;
  t->name = own;
  t->first = first;
  t->last = last;
  return t;
}

// The cells of a value that has `more` beside so many elements; false: too many
static bool count_cells (tl_type *t, uint32_t more, uint64_t elements) {
  uint64_t cells;
  if (__builtin_mul_overflow (elements, t->element->cells, &cells) ||
      cells > TL_MAX_CELLS - more)
    return false;
  t->elements = (uint32_t)elements;
  t->cells = (uint32_t)cells + more;
  return true;
}

tl_type *tl_type_vector (tl_arena *arena, const char *name,
                         const tl_type **index, uint32_t index_count,
                         const tl_type *element, bool *limit) {
  tl_type *t = make (arena, name, TL_TYPE_VECTOR);
  if (!t || !TL_ARENA_NEW (arena, t->index, index_count))
    return 0;
  t->index_count = index_count;
  t->element = element;
  uint64_t elements = 1;
  for (uint32_t i = 0; i < index_count; i++) {
    t->index[i] = index[i];
    if (__builtin_mul_overflow (elements, tl_type_values (index[i]), &elements))
      elements = UINT64_MAX;
  }
  *limit = !count_cells (t, 0, elements);
  return *limit ? 0 : t;
}

tl_type *tl_type_struct (tl_arena *arena, const char *name,
                         const tl_member *component, uint32_t count,
                         bool *limit) {
  tl_type *t = make (arena, name, TL_TYPE_STRUCT);
  tl_member *own;
  if (!t || !TL_ARENA_NEW (arena, own, count))
    return 0;
  uint64_t cells = 0;
  for (uint32_t i = 0; i < count; i++) {
    own[i] = component[i];
    own[i].offset = (uint32_t)cells;
    own[i].name =
        tl_arena_text (arena, component[i].name, strlen (component[i].name));
    if (!own[i].name)
      return 0;
    cells += component[i].type->cells;
    if ((*limit = cells > TL_MAX_CELLS))
      return 0;
  }
  t->component = own;
  t->component_count = count;
  t->cells = (uint32_t)cells;
  return t;
}

tl_type *tl_type_container (tl_arena *arena, const char *name,
                            tl_type_kind kind, const tl_type *index,
                            const tl_type *element, uint32_t capacity,
                            bool *limit) {
  tl_type *t = make (arena, name, kind);
  if (!t || !TL_ARENA_NEW (arena, t->index, 1))
    return 0;
  t->index[0] = index;
  t->index_count = kind == TL_TYPE_LIST;
  t->element = element;
  *limit = !count_cells (t, 1, capacity);
  return *limit ? 0 : t;
}

void tl_type_default (const tl_type *t, tl_cell *value) {
  switch (t->kind) {
  case TL_TYPE_RANGE:
  case TL_TYPE_MOD:
  case TL_TYPE_ENUM: *value = (tl_cell)t->first; break;
  case TL_TYPE_VECTOR:
    for (uint32_t i = 0; i < t->elements; i++)
      tl_type_default (t->element, value + (size_t)i * t->element->cells);
    break;
  case TL_TYPE_STRUCT:
    for (uint32_t i = 0; i < t->component_count; i++)
      tl_type_default (t->component[i].type, value + t->component[i].offset);
    break;
  case TL_TYPE_LIST:
  case TL_TYPE_SET: memset (value, 0, t->cells * sizeof *value); break;
  }
}

int tl_value_compare (const tl_cell *a, const tl_cell *b, uint32_t cells) {
  for (uint32_t i = 0; i < cells; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

typedef struct paper {
  char *text;
  size_t size, length;
} paper;

__attribute__ ((format (printf, 2, 3))) static void
put (paper *p, const char *format, ...) {
  va_list list;
  va_start (list, format);
  const bool room = p->length < p->size;
  const int more = vsnprintf (room ? p->text + p->length : 0,
                              room ? p->size - p->length : 0, format, list);
  va_end (list);
  if (more > 0)
    p->length += (size_t)more;
}

static void print (paper *, const tl_type *, const tl_cell *);

static void print_elements (paper *p, const tl_type *t, const tl_cell *value,
                            uint32_t count, const char *brackets) {
  put (p, "%c", brackets[0]);
  for (uint32_t i = 0; i < count; i++) {
    put (p, "%s", i ? "," : "");
    print (p, t->element, value + (size_t)i * t->element->cells);
  }
  put (p, "%c", brackets[1]);
}

// The depth is that of the type, which the reader bounds.
static void print (paper *p, const tl_type *t, const tl_cell *value) {
  switch (t->kind) {
  case TL_TYPE_RANGE:
  case TL_TYPE_MOD: put (p, "%d", *value); break;
  case TL_TYPE_ENUM: put (p, "%s", t->root->constant[*value]); break;
  case TL_TYPE_VECTOR: print_elements (p, t, value, t->elements, "[]"); break;
  case TL_TYPE_STRUCT:
    for (uint32_t i = 0; i < t->component_count; i++) {
      put (p, "%s", i ? "," : "{");
      print (p, t->component[i].type, value + t->component[i].offset);
    }
    put (p, "}");
    break;
  case TL_TYPE_LIST:
  case TL_TYPE_SET:
    print_elements (p, t, value + 1, (uint32_t)value[0], "||");
    break;
  }
}

size_t tl_value_print (const tl_type *t, const tl_cell *value, char *text,
                       size_t size) {
  paper p = {text, size, 0};
  print (&p, t, value);
  return p.length;
}

static bool is_number (const char *text, size_t length, int64_t *value) {
  const bool negative = length && *text == '-';
  *value = 0;
  for (size_t i = negative; i < length; i++) {
    if (text[i] < '0' || text[i] > '9' || *value > UINT32_MAX)
      return false;
    *value = 10 * *value + (text[i] - '0');
  }
  if (negative)
    *value = -*value;
  return length > negative;
}

bool tl_value_is (const tl_type *t, const char *text, size_t length) {
  int64_t number;
  if (tl_type_is_numeric (t))
    return is_number (text, length, &number) && t->first <= number &&
           number <= t->last;
  for (int64_t i = t->first; t->kind == TL_TYPE_ENUM && i <= t->last; i++)
    if (strlen (t->root->constant[i]) == length &&
        !strncmp (t->root->constant[i], text, length))
      return true;
  return false;
}
