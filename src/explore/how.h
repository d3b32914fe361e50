#ifndef TL_EXPLORE_HOW_H
#define TL_EXPLORE_HOW_H

#include "explore/search.h"

// What the options say by name, found out once: strings are for those who type
// them.

typedef enum tl_reduction {
  TL_REDUCE_NONE,
  TL_REDUCE_DEADLOCK, // stubborn sets that keep deadlocks
  TL_REDUCE_PROPERTY  // or what a property is about
} tl_reduction;

typedef struct tl_how {
  const tl_order *order;
  const tl_store_kind *store; // null: to be chosen
  tl_key_form keys;           // of a net that is not unfolded
  tl_reduction stubborn;
  unsigned threads;
} tl_how;

// TL_E_ARG: a name that is not known.
tl_status tl_how_parse (tl_how *, const tl_options *, tl_error *);

// As people know it; null: none.
const char *tl_reduction_name (tl_reduction);

#endif
