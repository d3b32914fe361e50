#ifndef TL_STRUCTURE_CLASS_H
#define TL_STRUCTURE_CLASS_H

#include "net/net.h"

// Which of the classical classes a net belongs to.  tideline.h says what the
// words mean.
typedef struct tl_class {
  bool ordinary, free_choice, state_machine, marked_graph;
  uint64_t inhibitors;
} tl_class;

tl_status tl_class_find (tl_class *, tl_mem *, const tl_net *);

#endif
