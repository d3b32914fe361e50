#include "graph/permutation.h"

#include "graph/arc_code.h"

#include <assert.h>

// The images of a block, as far as they are known.
typedef struct tl_open_block {
  uint64_t image[TL_PERMUTED];
  uint32_t known;
} open_block;

tl_status tl_permutation_open (tl_permutation **out, tl_mem *mem) {
  *out = 0;
  tl_permutation *p;
  if (!TL_NEW (mem, p, 1))
    return TL_E_NOMEM;
  *p = (tl_permutation){.mem = mem};
  if (tl_map_open (&p->words, mem)) {
    TL_DEL (mem, p, 1);
    return TL_E_NOMEM;
  }
  *out = p;
  return TL_OK;
}

static void drop_open (tl_permutation *p) {
  for (size_t i = 0; i < p->open_room; i++)
    TL_DEL (p->mem, p->open[i], 1);
  TL_DEL (p->mem, p->open, p->open_room);
  p->open_room = 0;
}

void tl_permutation_close (tl_permutation *p) {
  if (!p)
    return;
  tl_mem *mem = p->mem;
  drop_open (p);
  if (!p->borrowed) {
    tl_map_close (&p->words);
    TL_DEL (mem, p->block, p->block_room);
  }
  TL_DEL (mem, p, 1);
}

// ---- Writing ---------------------------------------------------------------

static tl_status close_block (tl_permutation *p, size_t block) {
  open_block *o = p->open[block];
  uint64_t least = UINT64_MAX, most = 0;
  for (uint32_t i = 0; i < o->known; i++) {
    least = o->image[i] < least ? o->image[i] : least;
    most = o->image[i] > most ? o->image[i] : most;
  }
  const unsigned width = tl_bits_for (most - least);
  if (tl_code_room (&p->words, p->bits, (uint64_t)width * o->known))
    return TL_E_NOMEM;
  p->block[block] = (tl_permutation_block){p->bits * 64 + width, least};
  for (uint32_t i = 0; width && i < o->known; i++, p->bits += width)
    tl_set_bits ((uint64_t *)p->words.base, p->bits, width,
                 o->image[i] - least);
  TL_DEL (p->mem, p->open[block], 1);
  return TL_OK;
}

tl_status tl_permutation_set (tl_permutation *p, uint64_t number,
                              uint64_t image) {
  const size_t block = (size_t)(number / TL_PERMUTED);
  if (!TL_ROOM (p->mem, p->open, &p->open_room, block + 1) ||
      !TL_ROOM (p->mem, p->block, &p->block_room, block + 1) ||
      (!p->open[block] && !TL_NEW (p->mem, p->open[block], 1)))
    return TL_E_NOMEM;
  p->blocks = block >= p->blocks ? block + 1 : p->blocks;
  open_block *o = p->open[block];
  o->image[number % TL_PERMUTED] = image;
  o->known++;
  p->count++;
  return o->known == TL_PERMUTED ? close_block (p, block) : TL_OK;
}

tl_status tl_permutation_finish (tl_permutation *p) {
  const size_t last = p->blocks - 1;
  tl_status rc = TL_OK;
  if (p->blocks && p->open[last])
    rc = close_block (p, last); // it has less than the others
  if (!rc)
    rc = tl_code_room (&p->words, p->bits, 0);
  if (!rc)
    drop_open (p);
  return rc;
}

// ---- Reading ---------------------------------------------------------------

uint64_t tl_permutation_find (const tl_permutation *p, uint64_t image) {
  for (uint64_t b = 0; b < p->blocks; b++) {
    const tl_permutation_block *block = p->block + b;
    if (image < block->least ||
        image - block->least > tl_low_bits (block->where % 64))
      continue;
    for (uint64_t i = b * TL_PERMUTED;
         i < (b + 1) * TL_PERMUTED && i < p->count; i++)
      if (tl_permutation_image (p, i) == image)
        return i;
  }
  assert (false && "an image that is missing");
  return 0;
}

uint64_t tl_permutation_bytes (const tl_permutation *p) {
  return (p->bits + 7) / 8 + p->blocks * sizeof *p->block;
}

// The bits of a block are there, and its images, which have not been seen.
static bool block_is_sound (const tl_permutation *p, uint64_t b,
                            uint64_t *seen) {
  const uint64_t first = b * TL_PERMUTED, left = p->count - first,
                 n = left < TL_PERMUTED ? left : TL_PERMUTED,
                 bit = p->block[b].where / 64, width = p->block[b].where % 64;
  if (bit > p->bits || p->bits - bit < n * width)
    return false;
  for (uint64_t i = first; i < first + n; i++) {
    const uint64_t image = tl_permutation_image (p, i);
    if (image >= p->count || seen[image / 64] >> image % 64 & 1)
      return false;
    seen[image / 64] |= (uint64_t)1 << image % 64;
  }
  return true;
}

static tl_status check (const tl_permutation *p) {
  const size_t words = (size_t)(p->count / 64 + 1);
  uint64_t *seen;
  if (!TL_NEW (p->mem, seen, words))
    return TL_E_NOMEM;
  bool sound = true;
  for (uint64_t b = 0; sound && b < p->blocks; b++)
    sound = block_is_sound (p, b, seen);
  TL_DEL (p->mem, seen, words);
  return sound ? TL_OK : TL_E_SYNTAX;
}

tl_status tl_permutation_borrow (tl_permutation **out, tl_mem *mem,
                                 uint64_t count, uint64_t bits,
                                 const tl_permutation_block *block,
                                 const uint64_t *words) {
  *out = 0;
  tl_permutation *p;
  if (!TL_NEW (mem, p, 1))
    return TL_E_NOMEM;
  *p = (tl_permutation){.mem = mem,
                        .count = count,
                        .block = (tl_permutation_block *)block,
                        .blocks = (size_t)tl_graph_blocks (count),
                        .words.base = (unsigned char *)words,
                        .bits = bits,
                        .borrowed = true};
  const tl_status rc = check (p);
  if (rc)
    tl_permutation_close (p);
  else
    *out = p;
  return rc;
}
