#ifndef TL_MODEL_COLOURED_MODEL_H
#define TL_MODEL_COLOURED_MODEL_H

#include "model/model.h"

// What the files of the kind coloured share.

typedef struct tl_coloured_generator {
  tl_generator base;
  tl_machine *machine;
  uint64_t *seen; // [places] room for what can be seen of a state
  struct tl_coloured_generator *first; // beside which it is, or null
} tl_coloured_generator;

// As in tl_model_kind (coloured_path.c).
bool tl_coloured_replay (const tl_net *, const tl_trace *, bool closes,
                         uint64_t *seen);
tl_status tl_coloured_path (const tl_net *, tl_mem *, tl_trace *);

// A path that is fired step by step, from the initial marking on.  TL_E_ARG: a
// step is not enabled.
typedef struct tl_coloured_walk tl_coloured_walk;

tl_status tl_coloured_walk_open (tl_coloured_walk **, const tl_net *);
tl_status tl_coloured_walk_step (tl_coloured_walk *, uint32_t transition,
                                 const char *words);
// What is enabled, in the order of the machine; the words are good until the
// next call.  What is wrong in the net is told by `fault`.
typedef tl_status tl_coloured_enabled (void *context, uint32_t transition,
                                       const char *words);
tl_status tl_coloured_walk_enabled (tl_coloured_walk *, tl_coloured_enabled *,
                                    void *context, tl_error *fault);
tl_status tl_coloured_walk_tell (tl_coloured_walk *, tl_marking_told *,
                                 void *context);
void tl_coloured_walk_close (tl_coloured_walk *);

#endif
