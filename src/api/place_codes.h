#ifndef TL_API_PLACE_CODES_H
#define TL_API_PLACE_CODES_H

#include "encode/digits.h"

// What becomes of each place in the key, in words: "stored: 0 to 5", "which of
// 3 is marked: a b c", "5 - waiting_1 - made_1", "never changes".  Each text
// is made with malloc; text[] has room for all places.
tl_status tl_place_codes_tell (const tl_layout *, const tl_digits *,
                               char **text);

#endif
