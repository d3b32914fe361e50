#ifndef TL_READ_INSIDE_H
#define TL_READ_INSIDE_H

#include "base/container.h"
#include "base/input.h"
#include "net/net.h"

// The net inside a file that is about it (base/container.h).  A net that is not
// unfolded is there as the text that it was read from, with all that was said
// from outside; every word but the text ends with a zero byte:
//
//     format | name | =value or nothing | ... | empty word | the text

// Keeps all this with a net that is not unfolded, for tl_inside_section.  The
// input has kept what was read; settings may be null.
tl_status tl_inside_keep (tl_net *, const char *format, const tl_settings *,
                          const tl_input *);

// The section, for a net that is not unfolded; false: its text was not kept.
bool tl_inside_section (const tl_net *, tl_section *);

tl_status tl_read_net_section (tl_net **, tl_mem *, const char *path,
                               const tl_section *, tl_error *);

#endif
