#ifndef TL_VERIFY_CLOSURE_H
#define TL_VERIFY_CLOSURE_H

#include "verify/key_code.h"
#include "verify/key_stream.h"

// Are the states of the stream all that can be reached, each at its distance
// from the initial one?  They are if
//
//     the initial marking is there with depth 0,
//     with a state all its successors are there, at most one deeper, and
//     every other state has a predecessor there that is one less deep.
//
// Keys are sums, so what a transition adds to a key does not depend on the
// state: of states in ascending order the successors by one transition ascend,
// too.  For each transition a cursor goes over the stream beside the one that
// goes over the states, and all of it is a merge of sorted streams.  Where
// there are more transitions than cursors fit in memory, that is done for some
// of them at a time.  What has a predecessor is a bit for each state.

// Who wants to see the marking of every state, once.
typedef struct tl_closure_watch {
  void *context;
  void (*see) (void *context, const uint64_t *tokens);
} tl_closure_watch;

// Counts what it sees; `watch` may be null.  TL_E_MODEL: they are not.
tl_status tl_closure_check (tl_mem *, tl_key_code *, tl_key_stream *,
                            const tl_closure_watch *, tl_cert_figures *,
                            tl_error *);

#endif
