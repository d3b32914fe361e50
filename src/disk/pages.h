#ifndef TL_DISK_PAGES_H
#define TL_DISK_PAGES_H

#include "base/mem.h"

#include <pthread.h>

// Pages of bytes that are put away and fetched again: in memory while the run
// has some to spare, else in one file of the folder that the user gave.  The
// file has no name, and is gone with the process, however that ends.  Space of
// pages that are given up is used again.
//
// Several threads may put, fetch and drop different pages at the same time.

// Where a page is.  Whoever has put it keeps this.
typedef struct tl_page {
  union {
    unsigned char *bytes;
    uint64_t at; // in the file
  };
  uint64_t sum; // of the bytes in the file
  uint32_t size;
  bool in_file;
} tl_page;

enum { TL_PAGE_CLASSES = 16 }; // sizes of places in the file, powers of two

typedef struct tl_pages {
  tl_mem *mem;
  const char *folder;
  int file;
  int sys;        // errno of what went wrong
  size_t most;    // bytes of a page
  bool file_only; // no page stays in memory
  pthread_mutex_t lock;
  uint64_t end;                    // of the file
  uint64_t *free[TL_PAGE_CLASSES]; // places of each size
  size_t frees[TL_PAGE_CLASSES], room[TL_PAGE_CLASSES];
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

#endif
