// The table: which keys were seen.  Nothing that stands in it ever changes, so
// a look that finds a key is right, and one that finds an empty place is
// confirmed by a compare-and-swap.
//
//   SLOTS  a word for each key, with the event that it was found by:
//            1 | event | key         open addressing, linear probing
//   PAIRS  the same in two words, the first of which claims the pair:
//            1 | low 63 bits of the key      1 | event | the rest of it
//   LANES  blocks of eight words, each of lanes of LANE_BITS bits.  The place of
//          a block and what stands in a lane are quotient and remainder, one
//          more, of the key after a bijection.  A block that is full has the
//          rest of its keys in the extra table, of slots without events.
//   MAP    CELL_BITS bits for each key there can be: 1, or the event and one
//          more.
//
// `put` says whether the key is new; `find` gives its event and one more, where
// that is known, else 1; 0: it is not there.

typedef struct key {
  u64 a;
#if KEY_WORDS > 1
  u64 b;
#endif
} key;

#define FLAG ((u64)1 << 63)
#define LOW(BITS) ((BITS) >= 64 ? ~(u64)0 : ((u64)1 << ((BITS) % 64)) - 1)

DEVICE u64 mix (u64 x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ull;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ull;
  return x ^ x >> 32;
}

// A table that is not too full has a place within so many slots.
#define FAR 16384

#if KEY_WORDS == 1 && KEY_BITS < 64
DEVICE int slots_put (const tl_gpu_call *c, u64 *table, u64 slots, u64 mine) {
  u64 i = high_product (mix (mine & LOW (KEY_BITS)), slots);
  for (u32 left = FAR; left; left--) {
    u64 there = load (table + i);
    if (!there) {
      there = swap_if (table + i, 0, mine);
      if (!there)
        return 1;
    }
    if (!((there ^ mine) & LOW (KEY_BITS)))
      return 0;
    i = i + 1 == slots ? 0 : i + 1;
  }
  set_bits (&((tl_gpu_tally *)c->tally)->lost, 1);
  return 0;
}

DEVICE u64 slots_find (const u64 *table, u64 slots, u64 k) {
  u64 i = high_product (mix (k), slots);
  for (u64 there; (there = load (table + i));) {
    if (!((there ^ k) & LOW (KEY_BITS)))
      return there;
    i = i + 1 == slots ? 0 : i + 1;
  }
  return 0;
}
#endif

#if TABLE_KIND == SLOTS
DEVICE int put (const tl_gpu_call *c, key k, u32 event) {
  return slots_put (c, (u64 *)c->table, c->slots,
                    FLAG | (u64)event << (KEY_BITS % 64) | k.a);
}
DEVICE u64 find (const tl_gpu_call *c, key k) {
  const u64 there = slots_find ((const u64 *)c->table, c->slots, k.a);
  return there ? ((there & ~FLAG) >> (KEY_BITS % 64)) + 1 : 0;
}
#endif

#if TABLE_KIND == PAIRS
#define REST_BITS (KEY_BITS > 63 ? KEY_BITS - 63 : 0)
DEVICE u64 rest_of (key k) {
#if KEY_WORDS > 1
  return k.b << 1 | k.a >> 63;
#else
  return k.a >> 63;
#endif
}
DEVICE u64 pair_of (key k, u64 slots) {
  return high_product (mix (k.a ^ mix (rest_of (k) + 0x9e3779b97f4a7c15ull)),
                       slots);
}
DEVICE u64 published (const u64 *p) {
  u64 v;
  do
    v = load_now (p);
  while (!v);
  return v;
}
DEVICE int put (const tl_gpu_call *c, key k, u32 event) {
  u64 *table = (u64 *)c->table;
  const u64 mine = FLAG | k.a, rest = rest_of (k);
  u64 i = pair_of (k, c->slots);
  for (u32 left = FAR; left; left--, i = i + 1 == c->slots ? 0 : i + 1) {
    u64 there = load (table + 2 * i);
    if (!there) {
      there = swap_if (table + 2 * i, 0, mine);
      if (!there) {
        publish (table + 2 * i + 1, FLAG | (u64)event << REST_BITS | rest);
        return 1;
      }
    }
    if (there == mine &&
        (published (table + 2 * i + 1) & LOW (REST_BITS)) == rest)
      return 0;
  }
  set_bits (&((tl_gpu_tally *)c->tally)->lost, 1);
  return 0;
}
DEVICE u64 find (const tl_gpu_call *c, key k) {
  const u64 *table = (const u64 *)c->table;
  u64 there;
  for (u64 i = pair_of (k, c->slots); (there = load (table + 2 * i));
       i = i + 1 == c->slots ? 0 : i + 1) {
    const u64 more = load (table + 2 * i + 1);
    if (there == (FLAG | k.a) && (more & LOW (REST_BITS)) == rest_of (k))
      return ((more & ~FLAG) >> REST_BITS) + 1;
  }
  return 0;
}
#endif

#if KEY_WORDS == 1
// A bijection of the keys.
#define HALF ((KEY_BITS + 1) / 2)
DEVICE u64 mix_key (u64 x) {
  x ^= x >> HALF;
  x = x * 0xd6e8feb86659fd93ull & LOW (KEY_BITS);
  x ^= x >> HALF;
  x = x * 0xd6e8feb86659fd93ull & LOW (KEY_BITS);
  return x ^ x >> HALF;
}
DEVICE u64 unmix_key (u64 x) {
  x ^= x >> HALF;
  x = x * 0xcfee444d8b59a89bull & LOW (KEY_BITS);
  x ^= x >> HALF;
  x = x * 0xcfee444d8b59a89bull & LOW (KEY_BITS);
  return x ^ x >> HALF;
}
#endif

#if TABLE_KIND == LANES
#define IN_WORD (64 / LANE_BITS)
#define IN_LANE LOW (LANE_BITS)
// Where a key belongs: its block, and what stands in a lane of that.
DEVICE u64 *aim (const tl_gpu_call *c, u64 k, u64 *lane) {
  const u64 m = mix_key (k);
  u64 q = high_product (m, c->inverse), r = m - q * c->slots;
  if (r >= c->slots) {
    r -= c->slots;
    q++;
  }
  *lane = q + 1;
  return (u64 *)c->table + 8 * r;
}
// Looks through a word: the lane has the value, or is the first empty one;
// IN_WORD: neither.
DEVICE u32 seek (u64 word, u64 lane, int *there) {
  *there = 0;
  for (u32 j = 0; j < IN_WORD; j++) {
    const u64 v = word >> (j * LANE_BITS) & IN_LANE;
    if (v == lane)
      *there = 1;
    if (v == lane || !v)
      return j;
  }
  return IN_WORD;
}
DEVICE int put (const tl_gpu_call *c, key k, u32 event) {
  u64 lane;
  u64 *block = aim (c, k.a, &lane), words[8];
  (void)event;
  load_block (block, words); // one way to the memory, not eight
  UNROLL
  for (u32 w = 0; w < 8; w++) {
    u64 word = words[w];
    for (;;) {
      int there;
      const u32 j = seek (word, lane, &there);
      if (there)
        return 0;
      if (j == IN_WORD)
        break;
      const u64 more = word | lane << (j * LANE_BITS);
      const u64 was = swap_if (block + w, word, more);
      if (was == word)
        return 1;
      word = was;
    }
  }
  if (!slots_put (c, (u64 *)c->extra, c->extra_slots, FLAG | k.a))
    return 0;
  next_of (&((tl_gpu_tally *)c->tally)->extra);
  return 1;
}
DEVICE u64 find (const tl_gpu_call *c, key k) {
  u64 lane;
  const u64 *block = aim (c, k.a, &lane);
  for (u32 w = 0; w < 8; w++) {
    int there;
    const u32 j = seek (load (block + w), lane, &there);
    if (there || j < IN_WORD)
      return (u64)there;
  }
  return slots_find ((const u64 *)c->extra, c->extra_slots, k.a) != 0;
}
#endif

#if TABLE_KIND == MAP
DEVICE u32 *cell_of (const tl_gpu_call *c, key k, u32 *shift) {
  *shift = (u32)(k.a * CELL_BITS % 32);
  return (u32 *)c->table + k.a / (32 / CELL_BITS);
}
DEVICE int put (const tl_gpu_call *c, key k, u32 event) {
  u32 shift, *cell = cell_of (c, k, &shift), there = load32 (cell);
#if CELL_BITS == 1
  (void)event;
  return !(there >> shift & 1) &&
         !(set_bits32 (cell, (u32)1 << shift) >> shift & 1);
#else
  for (u32 was;; there = was) {
    if (there >> shift & (u32)LOW (CELL_BITS))
      return 0;
    was = swap_if32 (cell, there, there | (event + 1) << shift);
    if (was == there)
      return 1;
  }
#endif
}
DEVICE u64 find (const tl_gpu_call *c, key k) {
  u32 shift, *cell = cell_of (c, k, &shift);
  return load32 (cell) >> shift & (u32)LOW (CELL_BITS);
}
#endif
