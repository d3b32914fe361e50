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
//     log.N         how the states of a sweep were found (a journal)
//     archive.N     states that it has left behind
//     rank1, ...    with several ranks: the folder of another one, with a
//                   journal of its own
//     run, inputs/  what the run was asked for, and copies of what it has read
//                   (checkpoint/request.h)
//
// What a checkpoint that stands does not speak of is needless, and where such a
// link leads, too.

typedef enum tl_folder_kind {
  TL_FOLDER_STATES,
  TL_FOLDER_DISK,
  TL_FOLDER_LOG,
  TL_FOLDER_ARCHIVE,
  TL_FOLDER_KINDS
} tl_folder_kind;

typedef struct tl_folder {
  char path[4096];
  int lock;                         // -1: not held
  uint64_t number[TL_FOLDER_KINDS]; // N of those in use; 0: none
} tl_folder;

enum { TL_FOLDER_PATH = 4096 + 64 };

// Makes the folder if it is not there, and locks it.  TL_E_ARG: another run has
// it; TL_E_IO.
tl_status tl_folder_open (tl_folder *, const char *path, tl_error *);
void tl_folder_close (tl_folder *);

// The path of a file in it.
const char *tl_folder_file (const tl_folder *, const char *name,
                            char path[TL_FOLDER_PATH]);
const char *tl_folder_path (const tl_folder *, tl_folder_kind, uint64_t number,
                            char path[TL_FOLDER_PATH]);

// Removes what a run that was killed may have left there, and where it leads.
void tl_folder_forget (const tl_folder *, tl_folder_kind, uint64_t number);

// Is there a checkpoint?
bool tl_folder_has (const tl_folder *);
// Writes it, and removes what has other numbers than those in use.
tl_status tl_folder_write (tl_folder *, const tl_parcel *, tl_error *);
// Reads it; the bytes are on the account, and are to be given back.
// TL_E_SYNTAX: there is none, or it is damaged.
tl_status tl_folder_read (tl_folder *, tl_mem *, unsigned char **bytes,
                          size_t *length, tl_error *);
// For the folder of a rank other than the first, which has no checkpoint: what
// is written has its name; and the states of other numbers are removed.
#define TL_FOLDER_RANK "rank"
void tl_folder_sync (const tl_folder *);
void tl_folder_tidy (const tl_folder *);
// Removes the checkpoint, and its states.
void tl_folder_clear (tl_folder *);

#endif
