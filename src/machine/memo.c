#include "machine/parts.h"

#include <string.h>

static size_t entries (const tl_memo *memo) {
  return ((size_t)1 << TL_MEMO_BITS) * (memo->words + 1);
}

tl_status tl_memo_open (tl_machine *m, tl_memo *memo, uint32_t words) {
  memo->words = words;
  return TL_NEW (m->mem, memo->entry, entries (memo)) ? TL_OK : TL_E_NOMEM;
}

void tl_memo_close (tl_machine *m, tl_memo *memo) {
  TL_DEL (m->mem, memo->entry, entries (memo));
}

void tl_memo_clear (tl_memo *memo) {
  if (memo->entry)
    memset (memo->entry, 0, entries (memo) * sizeof *memo->entry);
}
