#ifndef TL_API_API_RUNS_H
#define TL_API_API_RUNS_H

#include "check/saved.h"

// tl_check, or with a saved graph of the net from that.
tl_status tl_check_run (const tl_net *, const tl_saved *, const tl_questions *,
                        const tl_options *, tl_answers *, tl_error *);

#endif
