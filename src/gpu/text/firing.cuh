// What is done with a state: notes for the host, and firing.

// What a lane counts for itself.
typedef struct own {
  u64 arcs, followed, dead, most;
  u32 boxed; // states in the box of its warp
} own;

DEVICE u64 take_states (tl_gpu_tally *tally, u64 end) {
#if WARP == 1
  (void)end;
  return next_of (&tally->taken);
#else
  return atomicAdd (&tally->taken, (u64)WARP);
#endif
}

DEVICE void append (const tl_gpu_call *c, tl_gpu_tally *tally, key k,
                    u32 event) {
  const u64 i = next_of (&tally->found);
#if KEY_WORDS > 1
  ((u64 *)c->next_keys)[2 * i] = k.a;
  ((u64 *)c->next_keys)[2 * i + 1] = k.b;
#else
  ((u64 *)c->next_keys)[i] = k.a;
#endif
  ((u16 *)c->next_by)[i] = (u16)event;
}

// New states wait in a box of their warp until there are as many as lanes: then
// they get their places in the list all at once, and side by side.  All lanes
// call this, with a state or without.
#if WARP == 1
DEVICE void add_new (const tl_gpu_call *c, tl_gpu_tally *tally, own *mine,
                     int fresh, key k, u32 event) {
  (void)mine;
  if (fresh)
    append (c, tally, k, event);
}
DEVICE void empty_box (const tl_gpu_call *c, tl_gpu_tally *tally, own *mine) {
  (void)c, (void)tally, (void)mine;
}
#else
#define BOX (2 * WARP)
#define BOXES 8 // warps of a block
__shared__ key box_key[BOXES][BOX];
__shared__ u16 box_by[BOXES][BOX];

DEVICE void write_box (const tl_gpu_call *c, tl_gpu_tally *tally, own *mine,
                       u32 count) {
  const u32 warp = threadIdx.x / WARP, lane = LANE;
  u64 first = 0;
  if (lane == 0)
    first = atomicAdd (&tally->found, (u64)count);
  first = told_by_first (first);
  if (lane < count) {
    ((key *)c->next_keys)[first + lane] = box_key[warp][lane];
    ((u16 *)c->next_by)[first + lane] = box_by[warp][lane];
  }
  mine->boxed -= count;
  key k = {0};
  u16 by = 0;
  if (lane < mine->boxed) {
    k = box_key[warp][count + lane];
    by = box_by[warp][count + lane];
  }
  __syncwarp ();
  if (lane < mine->boxed) {
    box_key[warp][lane] = k;
    box_by[warp][lane] = by;
  }
  __syncwarp ();
}
DEVICE void add_new (const tl_gpu_call *c, tl_gpu_tally *tally, own *mine,
                     int fresh, key k, u32 event) {
  const u32 warp = threadIdx.x / WARP, who = __ballot_sync (~0u, fresh);
  if (fresh) {
    const u32 at =
        mine->boxed + (u32)__popc (who & ((1u << LANE) - 1));
    box_key[warp][at] = k;
    box_by[warp][at] = (u16)event;
  }
  mine->boxed += (u32)__popc (who);
  __syncwarp ();
  if (mine->boxed >= WARP)
    write_box (c, tally, mine, WARP);
}
DEVICE void empty_box (const tl_gpu_call *c, tl_gpu_tally *tally, own *mine) {
  if (mine->boxed)
    write_box (c, tally, mine, mine->boxed);
}
#endif

APART void tell (tl_gpu_shown *shown, key k, u32 by, u32 why, u32 event) {
  shown->key[0] = k.a;
#if KEY_WORDS > 1
  shown->key[1] = k.b;
#else
  shown->key[1] = 0;
#endif
  shown->by = by;
  shown->why = why;
  shown->event = event;
}

DEVICE void show (tl_gpu_tally *tally, key k, u32 by, u32 why) {
  const u64 i = next_of (&tally->showing);
  if (i < TL_GPU_SHOWN)
    tell (tally->shown + i, k, by, why, 0);
}

// A word of a state has a place with more tokens than any before.
APART void raise_tokens (tl_gpu_tally *tally, u32 word, u64 state) {
  u64 *most = (u64 *)(tally + 1);
  for (u32 i = field_first[word]; i < field_first[word + 1]; i++) {
    const u64 tokens = state >> field_shift[i] & LOW (field_width[i]);
    if (tokens > load_now (most + field_place[i]))
      raise_to (most + field_place[i], tokens);
  }
}

// Sixty-four transitions: those that are enabled, and those of them that do not
// fit.  All lanes of a warp come here together.
SET_WAY void fire_set (const tl_gpu_call *c, tl_gpu_tally *tally, own *mine,
                       key k, u32 by, u32 set, u64 enabled, u64 misfits) {
  mine->arcs += ones (enabled);
  if (enabled & ~c->fired[set])
    set_bits (tally->fired + set, enabled);
  u64 go = enabled & ~((const u64 *)c->sleep)[by * SETS + set];
  mine->followed += ones (go);
  misfits &= go;
  if (misfits) {
    if (!next_of (&tally->misfits))
      tell (&tally->misfit, k, by, TL_GPU_MISFIT, 64 * set + lowest (misfits));
    go &= ~misfits;
  }
  while (any_lane (go)) {
    key to = k;
    u32 event = 0;
    int fresh = 0;
    if (go) {
      event = 64 * set + lowest (go);
      go &= go - 1;
      to.a += step_a[event];
#if KEY_WORDS > 1
      to.b += step_b[event];
#endif
      fresh = put (c, to, event);
    }
    add_new (c, tally, mine, fresh, to, event);
  }
}
