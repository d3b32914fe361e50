#ifndef TL_FIRE_FIRE_H
#define TL_FIRE_FIRE_H

#include "encode/layout.h"

// The seam between nets and search: which transitions leave a state, where
// to, and back.  States are working states of the layout that the engine was
// opened with.  Nothing in it changes when it is asked: of a net with arcs it
// may be shared by threads.
typedef struct tl_fire tl_fire;

typedef struct tl_fire_kind {
  const char *name;
  const char *blurb;
  // Lists the enabled transitions in ascending order; `list` has room for all
  // transitions of the net, and `scratch`, all zero before and after, for
  // `scratch_words` words.  Returns how many.
  uint32_t (*enabled) (const tl_fire *, const uint64_t *state, uint32_t *list,
                       uint64_t *scratch);
  // How many of the listed (enabled) transitions can fire, counted from the
  // first, until one would put more tokens into a place than its field takes.
  uint32_t (*fits) (const tl_fire *, const uint64_t *state,
                    const uint32_t *list, uint32_t count);
  void (*step) (const tl_fire *, uint32_t transition, uint64_t *state);
  void (*undo) (const tl_fire *, uint32_t transition, uint64_t *state);
  void (*close) (tl_fire *);
} tl_fire_kind;

struct tl_fire {
  const tl_fire_kind *kind;
  tl_mem *mem;
  const tl_layout *layout;
  uint32_t transitions;
  uint32_t scratch_words; // that whoever asks what is enabled has to bring
};

// Picks the kind by the size of the net.  `sample` tells how often each place
// was seen marked in a sample of markings (any unit; null: not known).
tl_status tl_fire_open (tl_fire **, tl_mem *, const tl_layout *,
                        const uint32_t *sample);
// Is a sample of use to the kind for such a net?
bool tl_fire_wants_sample (const tl_layout *);

static inline uint32_t tl_fire_enabled (const tl_fire *f, const uint64_t *state,
                                        uint32_t *list, uint64_t *scratch) {
  return f->kind->enabled (f, state, list, scratch);
}

static inline uint32_t tl_fire_fits (const tl_fire *f, const uint64_t *state,
                                     const uint32_t *list, uint32_t count) {
  return f->kind->fits (f, state, list, count);
}

void tl_fire_close (tl_fire *);

// Fires a transition that is enabled and fits, in place; and takes it back.
static inline void tl_fire_step (const tl_fire *f, uint32_t transition,
                                 uint64_t *state) {
  f->kind->step (f, transition, state);
}

static inline void tl_fire_undo (const tl_fire *f, uint32_t transition,
                                 uint64_t *state) {
  f->kind->undo (f, transition, state);
}

#endif
