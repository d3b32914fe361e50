#include "store/kinds.h"

#include <string.h>

#define ROW(SYMBOL, NAME, BLURB) {NAME, BLURB},
static const tl_kind_row rows[] = {TL_STORE_KINDS (ROW)};
#undef ROW

#define KIND(SYMBOL, NAME, BLURB) &tl_store_##SYMBOL,
static const tl_store_kind *const kinds[] = {TL_STORE_KINDS (KIND)};
#undef KIND

enum { KINDS = sizeof rows / sizeof *rows };

const tl_kind_row *tl_stores (size_t *count) {
  *count = KINDS;
  return rows;
}

const tl_store_kind *tl_store_find (const char *name) {
  for (size_t i = 0; i < KINDS; i++)
    if (!strcmp (rows[i].name, name))
      return kinds[i];
  return 0;
}
