#ifndef TL_CHECK_CHECK_H
#define TL_CHECK_CHECK_H

#include "check/saved.h"

// tl_check on a given root account.  With a saved graph of the net nothing is
// searched.
tl_status tl_check_on (tl_mem *root, const tl_net *, const tl_saved *,
                       const tl_questions *, const tl_options *, tl_answers *,
                       tl_error *);

#endif
