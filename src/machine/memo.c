#include "machine/parts.h"

#include <string.h>

enum { FEWEST_BITS = 6, MOST_BITS = 14 };

static size_t entries (const tl_memo *memo) {
  return ((size_t)1 << memo->bits) * (memo->words + 1);
}

void tl_memo_plan (tl_machine *m, uint64_t words) {
  const size_t most = tl_machine_most (m, SIZE_MAX); // for all of them
  m->memo_bits = MOST_BITS;
  while (m->memo_bits > FEWEST_BITS &&
         words * sizeof (uint32_t) << m->memo_bits > most)
    m->memo_bits--;
}

tl_status tl_memo_open (tl_machine *m, tl_memo *memo, uint32_t words) {
  memo->words = words;
  memo->bits = m->memo_bits;
  return TL_NEW (m->mem, memo->entry, entries (memo)) ? TL_OK : TL_E_NOMEM;
}

void tl_memo_close (tl_machine *m, tl_memo *memo) {
  TL_DEL (m->mem, memo->entry, entries (memo));
}

void tl_memo_clear (tl_memo *memo) {
  if (memo->entry)
    memset (memo->entry, 0, entries (memo) * sizeof *memo->entry);
}
