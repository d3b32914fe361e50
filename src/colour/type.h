#ifndef TL_COLOUR_TYPE_H
#define TL_COLOUR_TYPE_H

#include "base/arena.h"

// The types of coloured nets, and what their values look like.
//
// A value is a fixed number of cells: one for a number or an enumeration
// constant; those of the elements, row by row, for a vector; those of the
// components for a structure; for a list or a set the length and then room for
// as many elements as the capacity says.  Sets are sorted and have no element
// twice; cells beyond the length are zero.  Two values of a type are thus equal
// when their cells are, and their order is that of the cells.
//
// A subtype shares the root of its parent.  Types mix when their roots are the
// same; what differs are the bounds, and those are checked where a value is
// used, by a term of kind TL_TERM_CHECK.

typedef int32_t tl_cell;

// The largest value of a type, in cells, and the largest token.
#define TL_MAX_CELLS (1u << 20)

typedef enum tl_type_kind {
  TL_TYPE_RANGE,  // numbers; a result outside is an error
  TL_TYPE_MOD,    // numbers; every operator wraps
  TL_TYPE_ENUM,   // named values 0, 1, ...; succ and pred wrap
  TL_TYPE_VECTOR, // one element for each tuple of indices, last index fastest
  TL_TYPE_STRUCT,
  TL_TYPE_LIST,
  TL_TYPE_SET
} tl_type_kind;

typedef struct tl_type tl_type;

typedef struct tl_member {
  const char *name;
  const tl_type *type;
  uint32_t offset; // in cells, from the start of the structure
} tl_member;

struct tl_type {
  const char *name;
  tl_type_kind kind;
  const tl_type *root;   // itself, unless it is a subtype
  uint32_t cells;        // of a value
  int64_t first, last;   // discrete types: the bounds (of the subtype)
  const char **constant; // enumerations, in the root: names of 0, 1, ...
  const tl_type **index; // vectors: index types; lists: the only one
  uint32_t index_count;
  const tl_type *element;     // vectors, lists, sets
  uint32_t elements;          // vectors: how many; containers: capacity
  const tl_member *component; // structures
  uint32_t component_count;
};

static inline bool tl_type_is_discrete (const tl_type *t) {
  return t->kind <= TL_TYPE_ENUM;
}

static inline bool tl_type_is_numeric (const tl_type *t) {
  return t->kind <= TL_TYPE_MOD;
}

static inline bool tl_type_is_container (const tl_type *t) {
  return t->kind == TL_TYPE_LIST || t->kind == TL_TYPE_SET;
}

// Making types.  Each lives in the arena; null: no memory, or (where *limit is
// set) more cells than TL_MAX_CELLS.  Bounds were checked by the caller.
tl_type *tl_type_range (tl_arena *, const char *name, int64_t first,
                        int64_t last);
tl_type *tl_type_mod (tl_arena *, const char *name, int64_t modulus);
tl_type *tl_type_enum (tl_arena *, const char *name, const char **constant,
                       uint32_t count);
tl_type *tl_type_sub (tl_arena *, const char *name, const tl_type *parent,
                      int64_t first, int64_t last);
tl_type *tl_type_vector (tl_arena *, const char *name, const tl_type **index,
                         uint32_t index_count, const tl_type *element,
                         bool *limit);
tl_type *tl_type_struct (tl_arena *, const char *name, const tl_member *,
                         uint32_t count, bool *limit);
tl_type *tl_type_container (tl_arena *, const char *name, tl_type_kind,
                            const tl_type *index, const tl_type *element,
                            uint32_t capacity, bool *limit);

// How many values a discrete type has.
static inline uint64_t tl_type_values (const tl_type *t) {
  return (uint64_t)(t->last - t->first) + 1;
}

// The first value: lowest number, componentwise, empty.
void tl_type_default (const tl_type *, tl_cell *value);

// Compares values of a type: negative, 0, positive.
int tl_value_compare (const tl_cell *, const tl_cell *, uint32_t cells);

// Writes a value as a term of the language: 3, red, {1, false}, [1, 2], |4|.
// Returns the length it has, as snprintf does.
size_t tl_value_print (const tl_type *, const tl_cell *value, char *text,
                       size_t size);

// Is this text a value of the type, as it is written above?  Only of discrete
// types; false of others.
bool tl_value_is (const tl_type *, const char *text, size_t length);

#endif
