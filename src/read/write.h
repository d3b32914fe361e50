#ifndef TL_READ_WRITE_H
#define TL_READ_WRITE_H

#include "base/budget.h"
#include "net/net.h"

#include <stdio.h>

// Writing a net as "pnml", "lola", "tina" or "dot".  What the first three
// write reads back as the same net: ids a format cannot express are quoted or
// escaped, what it lacks altogether is refused (TL_E_MODEL) before a byte is
// written.  Whether the bytes arrived is for the owner of the file to find
// out.  The time that the account allows is kept.
tl_status tl_write_net (const tl_net *, tl_mem *, FILE *, const char *format,
                        tl_error *);

// Before node number `i` is written: is there time for it?
static inline tl_status tl_write_look (const tl_mem *mem, uint32_t i) {
  return i % 1024 ? TL_OK : tl_budget_look (mem);
}

// The formats
tl_status tl_write_pnml (const tl_net *, tl_mem *, FILE *, tl_error *);
// With what an unfolded net comes from, for our own files.
tl_status tl_write_pnml_kept (const tl_net *, tl_mem *, FILE *, tl_error *);
tl_status tl_write_lola (const tl_net *, tl_mem *, FILE *, tl_error *);
tl_status tl_write_tina (const tl_net *, tl_mem *, FILE *, tl_error *);
tl_status tl_write_dot (const tl_net *, tl_mem *, FILE *, tl_error *);

#endif
