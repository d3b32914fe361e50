#include "machine/parts.h"

#include <xxhash.h>

static size_t entries (const tl_memo *memo) {
  return ((size_t)1 << TL_MEMO_BITS) * (memo->words + 1);
}

tl_status tl_memo_open (tl_machine *m, tl_memo *memo, uint32_t words) {
  memo->words = words;
  return TL_NEW (m->mem, memo->entry, entries (memo)) ? TL_OK : TL_E_NOMEM;
}

void tl_memo_close (tl_machine *m, tl_memo *memo) {
  if (memo->entry)
    TL_DEL (m->mem, memo->entry, entries (memo));
}

uint32_t *tl_memo_at (const tl_memo *memo, const uint32_t *key) {
  const uint64_t hash = XXH3_64bits (key, memo->words * sizeof *key);
  return memo->entry + (hash >> (64 - TL_MEMO_BITS)) * (memo->words + 1);
}
