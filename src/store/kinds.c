#include "store/kinds.h"

#include "store/lengths.h"
#include "store/shards.h"

#include <string.h>

#define ROW(SYMBOL, NAME, BLURB) {NAME, BLURB},
static const tl_kind_row rows[] = {TL_STORE_KINDS (ROW)};
#undef ROW

#define KIND(SYMBOL, NAME, BLURB) &tl_store_##SYMBOL,
static const tl_store_kind *const kinds[] = {TL_STORE_KINDS (KIND)};
#undef KIND

enum { KINDS = sizeof rows / sizeof *rows };

const tl_kind_row *tl_stores (size_t *count) {
  if (count)
    *count = KINDS;
  return rows;
}

static size_t find (const char *name) {
  size_t i = 0;
  while (i < KINDS && strcmp (rows[i].name, name))
    i++;
  return i;
}

const tl_store_kind *tl_store_find (const char *name) {
  const size_t i = find (name);
  return i < KINDS ? kinds[i] : 0;
}

// Numbers are counted in one store only.
tl_status tl_store_open (tl_store **out, const tl_store_kind *kind, tl_mem *mem,
                         const tl_store_spec *spec) {
  if (spec->owner_bits)
    return tl_shards_open (out, kind, mem, spec);
  return spec->lengths && kind->unit && !spec->numbered
             ? tl_lengths_open (out, kind, mem, spec)
             : kind->open (out, mem, spec);
}

tl_status tl_store_open_numbered (tl_store **out, tl_mem *mem,
                                  uint32_t key_words, uint32_t key_bits) {
  return tl_store_open (out, &tl_store_plain, mem,
                        &(tl_store_spec){.key_words = key_words,
                                         .key_bits = key_bits,
                                         .numbered = true});
}

const char *tl_store_name (const char *name) {
  const size_t i = find (name);
  return i < KINDS ? rows[i].name : 0;
}
