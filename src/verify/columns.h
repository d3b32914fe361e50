#ifndef TL_VERIFY_COLUMNS_H
#define TL_VERIFY_COLUMNS_H

#include "verify/certified.h"

// Changes of each place by all transitions that may fire, one list after the
// other.
typedef struct tl_cert_columns {
  uint64_t *start; // [places + 1]
  uint32_t *transition;
  int64_t *amount;
} tl_cert_columns;

tl_status tl_cert_list_columns (tl_cert_source *, const tl_cert_net *,
                                const bool *fireable, tl_cert_columns *);

#endif
