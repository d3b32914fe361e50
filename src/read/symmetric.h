#ifndef TL_READ_SYMMETRIC_H
#define TL_READ_SYMMETRIC_H

#include "read/symmetric_document.h"

// Makes the coloured net of a symmetric net that was read: pages are gone
// already, references are followed, every term is typed.  A variable that some
// input arc binds comes from there, any other runs over its sort.
tl_status tl_symmetric_make (tl_document *, tl_mem *, tl_coloured **);

#endif
