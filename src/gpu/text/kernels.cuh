// The kernels.  `expand_state` was written for the net, before this.

DEVICE key key_at (u64 keys, u64 i) {
  key k;
#if KEY_WORDS > 1
  k.a = ((const u64 *)keys)[2 * i];
  k.b = ((const u64 *)keys)[2 * i + 1];
#else
  k.a = ((const u64 *)keys)[i];
#endif
  return k;
}

// The states of a level.  A warp takes as many as it has lanes; none are begun
// when there may be no room for what they lead to, so those that were begun are
// all before those that were not.
KERNEL (expand) {
  tl_gpu_tally *tally = (tl_gpu_tally *)c.tally;
  own mine = {0};
  mine.most = c.most;
  for (;;) {
    u64 first = c.take;
    if (LANE == 0 && load_now (&tally->found) <= c.room &&
        load_now (&tally->extra) <= c.extra_room)
      first = take_states (tally, c.take);
    first = told_by_first (first);
    if (first >= c.take)
      break;
    // A lane that has no state of its own goes along with the first one.
    const u64 i = first + LANE < c.take ? first + LANE : first;
    expand_state (&c, tally, &mine, key_at (c.keys, i),
                  ((const u16 *)c.by)[i], i == first + LANE ? ~(u64)0 : 0);
  }
  empty_box (&c, tally, &mine);
  const u64 arcs = sum_of (mine.arcs), followed = sum_of (mine.followed),
            dead = sum_of (mine.dead), most = most_of (mine.most);
  if (LANE == 0) {
    if (arcs)
      add (&tally->arcs, arcs);
    if (followed)
      add (&tally->followed, followed);
    if (dead)
      add (&tally->dead, dead);
    if (most > c.most)
      raise_to (&tally->most, most);
  }
}

// Puts a list of keys.
KERNEL (start) {
  tl_gpu_tally *tally = (tl_gpu_tally *)c.tally;
  EACH (i, c.count) {
    const key k = key_at (c.keys, i);
    const u32 by = ((const u16 *)c.by)[i];
    if (put (&c, k, by))
      append (&c, tally, k, by);
  }
}

// By what was a state found?
KERNEL (find_one) {
  EACH (i, 1)
    ((tl_gpu_tally *)c.tally)->answer = find (&c, key_at (c.keys, 0));
}

// Shows states of a level once more, when something else is looked for.
KERNEL (look) {
  tl_gpu_tally *tally = (tl_gpu_tally *)c.tally;
  EACH (i, c.count)
    look_at (&c, tally, key_at (c.keys, i), ((const u16 *)c.by)[i]);
}

// Puts all keys of another table.
KERNEL (move) {
  const u64 *old = (const u64 *)c.old;
#if TABLE_KIND == PAIRS
  EACH (i, c.old_slots) {
    const u64 low = old[2 * i], more = old[2 * i + 1];
    if (low) {
      const u64 rest = more & LOW (REST_BITS);
      key k;
      k.a = (low & ~FLAG) | rest << 63;
#if KEY_WORDS > 1
      k.b = rest >> 1;
#endif
      put (&c, k, (u32)((more & ~FLAG) >> REST_BITS));
    }
  }
#endif
#if KEY_WORDS == 1 && TABLE_KIND != PAIRS
  const u64 lane = LOW (c.old_lane);
  EACH (i, c.old_lane ? 8 * c.old_slots : c.old_slots) {
    key k;
    if (!c.old_lane) {
      const u64 there = old[i * c.old_words];
      k.a = there & LOW (KEY_BITS);
      if (there)
        put (&c, k, (u32)((there & ~FLAG) >> (KEY_BITS % 64)));
    } else
      for (u64 word = old[i]; word & lane; word >>= c.old_lane) {
        k.a = unmix_key (((word & lane) - 1) * c.old_slots + i / 8);
        put (&c, k, 0);
      }
  }
#endif
}
