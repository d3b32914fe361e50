#ifndef TL_CHECKPOINT_WHOLE_H
#define TL_CHECKPOINT_WHOLE_H

#include "base/records.h"

// A file of records with one section, written and read at once.

tl_status tl_records_save (const char *path, tl_mem *, const tl_record_kind *,
                           const char *section, const void *bytes,
                           size_t length, tl_error *);
// The bytes are on the account, to be given back with their length.
// TL_E_SYNTAX: it is damaged, cut off, or another file.
tl_status tl_records_load (const char *path, tl_mem *, const tl_record_kind *,
                           const char *section, unsigned char **bytes,
                           size_t *length, tl_error *);

#endif
