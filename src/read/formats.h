#ifndef TL_READ_FORMATS_H
#define TL_READ_FORMATS_H

#include "base/input.h"
#include "colour/coloured.h"
#include "net/net.h"
#include "read/kept_origin.h"

// What a reader of a net gets, and gives.  The first block of the input is at
// hand.  A place/transition net goes to the builder, a coloured one to
// `coloured`.
typedef struct tl_reading {
  tl_mem *mem;
  tl_input *in;
  const tl_settings *settings; // or null
  tl_builder *builder;
  tl_error *err;
  tl_arena arena;    // lives until the net is made
  const char *name;  // of the net, where the file has one; in the arena
  const char *title; // the same for people
  tl_coloured *coloured;
  tl_kept_origin origin; // of a net that was unfolded before
} tl_reading;

tl_status tl_read_pnml (tl_reading *);
tl_status tl_read_lola (tl_reading *);
tl_status tl_read_tina (tl_reading *);
tl_status tl_read_tapaal (tl_reading *);
tl_status tl_read_greatspn (tl_reading *);

// Is the first block of an input the beginning of this format?
bool tl_is_pnml (const tl_input *);
bool tl_is_lola (const tl_input *);
bool tl_is_tina (const tl_input *);
bool tl_is_tapaal (const tl_input *); // where tl_is_pnml says so, too
bool tl_is_greatspn (const tl_input *);

#endif
