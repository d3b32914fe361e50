#ifndef TL_CHECKPOINT_FOLDER_H
#define TL_CHECKPOINT_FOLDER_H

#include "checkpoint/parcel.h"

// The folder of a checkpoint:
//
//     lock          held by the run that writes there
//     checkpoint    where the search stands, replaced as a whole each time
//     states.N      the journal that it speaks of (checkpoint/journal.h)
//     run, inputs/  what the run was asked for, and copies of what it has read
//                   (checkpoint/request.h)
//
// A file `checkpoint` with another N than before makes the journal before
// needless.

typedef struct tl_folder {
  char path[4096];
  int lock;         // -1: not held
  uint64_t journal; // N of the journal in use
} tl_folder;

enum { TL_FOLDER_PATH = 4096 + 64 };

// Makes the folder if it is not there, and locks it.  TL_E_ARG: another run has
// it; TL_E_IO.
tl_status tl_folder_open (tl_folder *, const char *path, tl_error *);
void tl_folder_close (tl_folder *);

// The path of a file in it.
const char *tl_folder_file (const tl_folder *, const char *name,
                            char path[TL_FOLDER_PATH]);
const char *tl_folder_journal (const tl_folder *, uint64_t number,
                               char path[TL_FOLDER_PATH]);

// Is there a checkpoint?
bool tl_folder_has (const tl_folder *);
// Writes it, with a journal of that number; journals of other numbers are
// removed afterwards.
tl_status tl_folder_write (tl_folder *, const tl_parcel *, uint64_t journal,
                           tl_error *);
// Reads it; the bytes are on the account, and are to be given back.
// TL_E_SYNTAX: there is none, or it is damaged.
tl_status tl_folder_read (tl_folder *, tl_mem *, unsigned char **bytes,
                          size_t *length, tl_error *);
// Removes the checkpoint, and its journal.
void tl_folder_clear (tl_folder *);

#endif
