#ifndef TL_TESTS_SAVED_H
#define TL_TESTS_SAVED_H

#include "tideline.h"

// As tl_check, but the graph is built first and then asked; where there is no
// whole graph the answers are those of a search.
tl_status check_saved (const tl_net *, const tl_questions *, const tl_options *,
                       tl_answers *, tl_error *);

#endif
