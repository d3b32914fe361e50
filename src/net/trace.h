#ifndef TL_NET_TRACE_H
#define TL_NET_TRACE_H

#include "tideline.h"

// Traces are made with malloc.  While a search goes on, its traces hold the
// numbers that the search has for its steps; those that leave it hold
// transitions and, where these do not say it all, the steps in words
// (model/model.h).

void tl_trace_close (tl_trace *);
// Adds a step at the end; false: no memory, and it is as it was.  Not for
// traces that have words.
bool tl_trace_extend (tl_trace *, uint32_t transition);

// The words of all steps for a trace: a list, and these behind it in the same
// block.  Null: no memory.
char **tl_trace_words (const char *const *word, uint64_t length);

#endif
