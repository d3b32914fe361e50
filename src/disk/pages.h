#ifndef TL_DISK_PAGES_H
#define TL_DISK_PAGES_H

#include "base/mem.h"

#include <pthread.h>

// Pages of bytes that are put away and fetched again: in memory while the run
// has some to spare, else in one file of the folder that the user gave.  The
// file has no name, and is gone with the process, however that ends.  Space of
// pages that are given up is used again.
//
// For a checkpoint (disk/disk_save.c) the file gets a name, and pages in memory
// are written, too.  What a checkpoint needs is not written over before the
// next one stands, even if it is given up.
//
// Several threads may put, fetch and drop different pages at the same time.

// Where a page is.  Whoever has put it keeps this.
typedef struct tl_page {
  unsigned char *bytes; // in memory; null: they are not
  uint64_t at;          // in the file, if they are there
  uint64_t sum;         // of the bytes in the file
  uint32_t size;
  bool in_file;
  bool kept; // the last checkpoint needs it
} tl_page;

// A place in the file.
typedef struct tl_place {
  uint64_t at;
  unsigned size; // its class
} tl_place;

enum { TL_PAGE_CLASSES = 16 }; // sizes of places in the file, powers of two

enum { TL_PAGES_PATH = 4096 };

typedef struct tl_pages {
  tl_mem *mem;
  const char *folder;
  bool keeps; // there will be checkpoints
  int file;
  char path[TL_PAGES_PATH]; // where a file without a name cannot be made
  int sys;                  // errno of what went wrong
  size_t most;              // bytes of a page
  bool file_only;           // no page stays in memory
  pthread_mutex_t lock;
  uint64_t end;                    // of the file
  uint64_t *free[TL_PAGE_CLASSES]; // places of each size
  size_t frees[TL_PAGE_CLASSES], room[TL_PAGE_CLASSES];
  tl_place *left; // places given up that the last checkpoint needs
  size_t lefts, left_room;
  uint64_t written, read; // bytes in all
  uint64_t held, peak;    // bytes of the file in use
} tl_pages;

// For pages of at most so many bytes.
void tl_pages_open (tl_pages *, tl_mem *, const char *folder, size_t most);
// Makes the file, so that a folder that is not there is seen at once.  TL_E_IO
// as below.
tl_status tl_pages_make (tl_pages *);
void tl_pages_close (tl_pages *); // those in memory are to be dropped before

// TL_E_IO: it cannot be written, and `sys` says why.
tl_status tl_pages_put (tl_pages *, const unsigned char *bytes, size_t size,
                        tl_page *);
// The bytes of a page, in `room` if they were not in memory.  TL_E_IO: they
// cannot be read back, or not as they were.
tl_status tl_pages_get (tl_pages *, const tl_page *, unsigned char *room,
                        const unsigned char **bytes);
void tl_pages_drop (tl_pages *, tl_page *);

// ---- Checkpoints -----------------------------------------------------------

// Gives the file that name.  TL_E_IO as above.
tl_status tl_pages_name (tl_pages *, const char *path);
// Opens a file that has one instead of making one.  TL_E_ARG: another run has
// it; TL_E_IO.
tl_status tl_pages_resume (tl_pages *, const char *path);

// Writes a page that is in memory to the file, too.
tl_status tl_pages_save (tl_pages *, tl_page *);
// The same for bytes that are nowhere else.
tl_status tl_pages_write (tl_pages *, const unsigned char *bytes, size_t size,
                          tl_page *);
// What was written is on the disk.
tl_status tl_pages_sync (tl_pages *);
// A checkpoint stands that does not need the places that were left.
void tl_pages_leave (tl_pages *);
// Of a file that was opened: these places are in use, and no others.  The list
// is sorted here.
void tl_pages_use (tl_pages *, tl_place *, size_t count);
tl_place tl_page_place (const tl_page *);

#endif
