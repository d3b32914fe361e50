#ifndef TL_CHECKPOINT_REQUEST_H
#define TL_CHECKPOINT_REQUEST_H

#include "checkpoint/folder.h"

// What a run was asked for, in the folder of its checkpoints: the file `run`
// with the words of its command line, and in `inputs` copies of the files that
// they name, which keep their names.  The file has their checksums.

// In a folder that is locked.
tl_status tl_folder_keep_request (const tl_folder *, const tl_request_word *,
                                  size_t count, tl_error *);
tl_status tl_folder_end_request (const tl_folder *, int code, tl_error *);
tl_status tl_folder_request (tl_request **, const char *folder, tl_error *);

#endif
