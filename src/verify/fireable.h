#ifndef TL_VERIFY_FIREABLE_H
#define TL_VERIFY_FIREABLE_H

#include "verify/certified.h"

// Transitions that may fire some time: all but those with an input place that
// is empty at first and that none of them ever fills.  What is to hold for all
// transitions that fire need not hold for the others.

// [transitions], in the arena; null: there is no memory.
bool *tl_cert_fireable (tl_arena *, const tl_cert_net *);

#endif
