#ifndef TL_READ_SYMMETRIC_SORTS_H
#define TL_READ_SYMMETRIC_SORTS_H

#include "base/names.h"
#include "read/symmetric_document.h"

// The declarations of a symmetric net.  A sort is flattened into the types of
// its parts: none for dot, one for an enumeration or a range, those of the
// components for a product.  An enumeration becomes a type of its own, as does
// the set of the elements of a partition; an element of a partition, where its
// values are consecutive, becomes a subtype.

#define TL_MOST_PARTS 64u

typedef struct tl_sort {
  const tl_type **part;
  uint32_t parts;
} tl_sort;

typedef enum tl_declared {
  TL_DECLARED_SORT, // also partitions and their elements
  TL_DECLARED_VARIABLE,
  TL_DECLARED_CONSTANT,
  TL_DECLARED_KINDS
} tl_declared;

typedef struct tl_declaration {
  const char *id, *name;
  const tl_element *element;
  enum { TL_NOT_SEEN, TL_LOOKED_AT, TL_KNOWN } progress;
  tl_sort sort;
  tl_cell value; // of a constant
  // Partitions: of which type, and the number of the element that has each
  // value.
  const tl_type *carrier;
  uint32_t *element_of;
  // Variables: the first of their parts in the transition `user`.
  uint32_t user, slot;
} tl_declaration;

typedef struct tl_sorts {
  tl_document *document;
  tl_coloured *net; // types live in its arena
  tl_names ids[TL_DECLARED_KINDS];
  tl_declaration *declaration;
  size_t count, room;
  size_t type_room; // of net->type
  unsigned depth;   // of sorts that name each other
} tl_sorts;

// Reads all declarations of the document.
tl_status tl_sorts_open (tl_sorts *, tl_document *, tl_coloured *);
void tl_sorts_close (tl_sorts *);

// What a sort at its place in the document means.
tl_status tl_sorts_resolve (tl_sorts *, const tl_element *, tl_sort *);

// The declaration of that id, or null and an error.
tl_declaration *tl_sorts_find (tl_sorts *, tl_declared, const tl_element *);

// Do values of the two types mix?  Ranges with the same bounds do.
bool tl_types_mix (const tl_type *, const tl_type *);

// A number of an attribute, from `first` to `last`.
tl_status tl_sorts_number (const tl_sorts *, const tl_element *,
                           const char *text, int64_t first, int64_t last,
                           int64_t *value);

#endif
