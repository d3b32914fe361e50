#ifndef TL_API_NOT_UNFOLDED_H
#define TL_API_NOT_UNFOLDED_H

#include "colour/coloured.h"
#include "net/net.h"

// The part of tl_net_info that is about coloured nets.

// The types, in words.
tl_status tl_info_types (tl_info *, const tl_coloured *);

// What is known about a net that is not unfolded.
tl_status tl_info_not_unfolded (tl_info *, tl_mem *, const tl_net *,
                                tl_error *);

#endif
