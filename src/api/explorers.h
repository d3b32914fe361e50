#ifndef TL_API_EXPLORERS_H
#define TL_API_EXPLORERS_H

#include "api/api_call.h"

// The engines of tl_explore: their names, and who they are.

typedef tl_status tl_explorer (tl_api_call *, const tl_net *, tl_exploration *,
                               tl_error *);

// The one that the options name; null: the explicit one.  An engine for
// questions is none here, but people set both at once: the explicit one goes
// then, too.  TL_E_ARG: there is no such engine.
tl_status tl_explorer_parse (tl_explorer **, const tl_options *, tl_error *);

#endif
