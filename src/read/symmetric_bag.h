#ifndef TL_READ_SYMMETRIC_BAG_H
#define TL_READ_SYMMETRIC_BAG_H

#include "read/symmetric_terms.h"

// A sum of tuples while it is put together, a list in the arena of the
// document.

// The most tuples, and the most parts of tuples, that a product of sums may be
// multiplied out to.
#define TL_MOST_TUPLES (1u << 20)

typedef struct tl_item tl_item;

struct tl_item {
  tl_where where;
  int64_t factor;
  tl_loop *loop;
  tl_term **part;
  uint32_t loops, parts;
  tl_item *next;
};

typedef struct tl_bag {
  tl_item *first, *last;
  uint32_t count;
} tl_bag;

// What an element means.  The recursion is as deep as the document, which the
// XML reader bounds.
tl_status tl_bag_read (tl_terms *, const tl_element *, tl_bag *);

// A new term of the net; `operands` follow as arguments.  Null: no memory.
tl_term *tl_bag_term (tl_terms *, tl_term_kind, tl_where, const tl_type *,
                      uint32_t operands, ...);
tl_term *tl_bag_constant (tl_terms *, tl_where, const tl_type *, int64_t value);

// The term itself where it is wrapped in <subterm>; null (with an error) where
// there is none or there are several.
const tl_element *tl_bag_unwrap (const tl_terms *, const tl_element *);

#endif
