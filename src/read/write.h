#ifndef TL_READ_WRITE_H
#define TL_READ_WRITE_H

#include "net/net.h"

#include <stdio.h>

// Writing a net as "pnml", "lola", "tina" or "dot".  What the first three
// write reads back as the same net: ids a format cannot express are quoted or
// escaped, what it lacks altogether is refused (TL_E_MODEL) before a byte is
// written.  Whether the bytes arrived is for the owner of the file to find
// out.
tl_status tl_write_net (const tl_net *, tl_mem *, FILE *, const char *format,
                        tl_error *);

// The formats
tl_status tl_write_pnml (const tl_net *, tl_mem *, FILE *, tl_error *);
// With what an unfolded net comes from, for our own files.
tl_status tl_write_pnml_kept (const tl_net *, tl_mem *, FILE *, tl_error *);
tl_status tl_write_lola (const tl_net *, tl_mem *, FILE *, tl_error *);
tl_status tl_write_tina (const tl_net *, tl_mem *, FILE *, tl_error *);
tl_status tl_write_dot (const tl_net *, tl_mem *, FILE *, tl_error *);

#endif
