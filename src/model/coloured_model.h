#ifndef TL_MODEL_COLOURED_MODEL_H
#define TL_MODEL_COLOURED_MODEL_H

#include "model/model.h"

// What the files of the kind coloured share.

typedef struct tl_coloured_generator {
  tl_generator base;
  tl_machine *machine;
  uint64_t *seen; // [places] room for what can be seen of a state
} tl_coloured_generator;

// As in tl_model_kind (coloured_path.c).
bool tl_coloured_replay (const tl_net *, const tl_trace *, bool closes,
                         uint64_t *seen);
tl_status tl_coloured_path (const tl_net *, tl_trace *);

#endif
