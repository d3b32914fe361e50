#ifndef TL_CHECK_CHECK_H
#define TL_CHECK_CHECK_H

#include "base/mem.h"

// tl_check on a given root account.
tl_status tl_check_on (tl_mem *root, const tl_net *, const tl_questions *,
                       const tl_options *, tl_answers *, tl_error *);

#endif
