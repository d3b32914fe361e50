#ifndef TL_API_AS_IT_IS_H
#define TL_API_AS_IT_IS_H

#include "colour/coloured.h"
#include "net/net.h"

// The part of tl_net_info that is about coloured nets.

// The types, in words.
tl_status tl_info_types (tl_info *, const tl_coloured *);

// What is known about a net that runs as it is.
tl_status tl_info_as_it_is (tl_info *, const tl_net *, tl_error *);

#endif
