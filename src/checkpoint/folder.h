#ifndef TL_CHECKPOINT_FOLDER_H
#define TL_CHECKPOINT_FOLDER_H

#include "checkpoint/parcel.h"

// The folder of a checkpoint:
//
//     lock          held by the run that writes there
//     checkpoint    where the search stands, replaced as a whole each time
//     states.N      the states that it speaks of: a journal
//                   (checkpoint/journal.h), or what a sweep has in memory
//     disk.N        the same of a search with its states on disk: a link to
//                   their file, which is where the user wanted it
//     run, inputs/  what the run was asked for, and copies of what it has read
//                   (checkpoint/request.h)
//
// A file `checkpoint` with another N than before makes the states before
// needless, and where the link leads, too.

typedef struct tl_folder {
  char path[4096];
  int lock;        // -1: not held
  uint64_t number; // N of the states in use
} tl_folder;

enum { TL_FOLDER_PATH = 4096 + 64 };

// Makes the folder if it is not there, and locks it.  TL_E_ARG: another run has
// it; TL_E_IO.
tl_status tl_folder_open (tl_folder *, const char *path, tl_error *);
void tl_folder_close (tl_folder *);

// The path of a file in it.
const char *tl_folder_file (const tl_folder *, const char *name,
                            char path[TL_FOLDER_PATH]);
const char *tl_folder_states (const tl_folder *, uint64_t number,
                              char path[TL_FOLDER_PATH]);
const char *tl_folder_link (const tl_folder *, uint64_t number,
                            char path[TL_FOLDER_PATH]);

// Is there a checkpoint?
bool tl_folder_has (const tl_folder *);
// Writes it, with states of that number; those of other numbers are removed
// afterwards.
tl_status tl_folder_write (tl_folder *, const tl_parcel *, uint64_t number,
                           tl_error *);
// Reads it; the bytes are on the account, and are to be given back.
// TL_E_SYNTAX: there is none, or it is damaged.
tl_status tl_folder_read (tl_folder *, tl_mem *, unsigned char **bytes,
                          size_t *length, tl_error *);
// Removes the checkpoint, and its states.
void tl_folder_clear (tl_folder *);

#endif
