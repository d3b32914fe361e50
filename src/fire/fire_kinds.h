#ifndef TL_FIRE_FIRE_KINDS_H
#define TL_FIRE_FIRE_KINDS_H

#include "fire/compile.h"
#include "fire/fire.h"

// The kinds behind the seam.  Each takes over the program, also when it fails.
typedef struct tl_engine {
  tl_fire base;
  tl_firing program;
} tl_engine;

enum { TL_DENSE_WORDS = 4 }; // states of more words are for `sparse`

tl_status tl_fire_dense_open (tl_fire **, tl_mem *, const tl_layout *,
                              tl_firing *);
tl_status tl_fire_sparse_open (tl_fire **, tl_mem *, const tl_layout *,
                               tl_firing *, const uint32_t *sample);

// What they share.
void tl_engine_step (const tl_fire *, uint32_t transition, uint64_t *state);
void tl_engine_undo (const tl_fire *, uint32_t transition, uint64_t *state);

#endif
