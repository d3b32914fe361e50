// What is done with a state: notes for the host, and firing.

// What a lane counts for itself.
typedef struct own {
  u64 arcs, followed, dead, most;
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
// fit.
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
  while (go) {
    const u32 event = 64 * set + lowest (go);
    key to = k;
    go &= go - 1;
    to.a += step_a[event];
#if KEY_WORDS > 1
    to.b += step_b[event];
#endif
    if (put (c, to, event))
      append (c, tally, to, event);
  }
}
