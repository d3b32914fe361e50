#ifndef TL_DISK_RUN_H
#define TL_DISK_RUN_H

#include "disk/pages.h"

// A sorted run: keys in ascending order, each once, as differences, in pages.
// A key is one number; of one with several words the last word counts most.
//
//     page   | count | event, difference, event, difference, ... | end | marks
//     | mark   | where it is | key |              one for TL_RUN_MARK keys
//
// The first key of each page is kept in memory with where the page is, so a key
// is found by reading one page; and marks let a reader pass over what it need
// not see.  A run may have events beside its keys: by what each was found.
//
// Cost: a byte or two for a key on the disk, a nanosecond or so to read it.

enum { TL_RUN_MARK = 256 };

// What keys and events are like.
typedef struct tl_run_form {
  uint32_t words;       // of a key
  uint32_t key_bits;    // that may be set
  unsigned event_bytes; // 0: runs without events
} tl_run_form;

typedef struct tl_sorted_run {
  tl_page *page;
  uint64_t *first; // keys, of each page
  size_t pages, page_room, first_room;
  uint64_t count; // keys
} tl_sorted_run;

// Gives up its pages.
void tl_run_close (tl_sorted_run *, tl_pages *, const tl_run_form *);
// Gives back what it has reserved for more pages.
void tl_run_fit (tl_sorted_run *, tl_pages *, const tl_run_form *);
// Adds the pages of another run, whose keys are all larger.  The other is empty
// then.  TL_E_NOMEM: nothing has changed.
tl_status tl_run_join (tl_sorted_run *, tl_sorted_run *more, tl_pages *,
                       const tl_run_form *);

static inline int tl_key_compare (const uint64_t *a, const uint64_t *b,
                                  uint32_t words) {
  while (words-- > 0)
    if (a[words] != b[words])
      return a[words] < b[words] ? -1 : 1;
  return 0;
}

// ---- Writing ---------------------------------------------------------------

typedef struct tl_run_writer {
  tl_sorted_run *run;
  tl_pages *pages;
  const tl_run_form *form;
  bool events;           // are written beside the keys
  unsigned char *buffer; // [pages->most] the page being filled
  unsigned char *mark;   // its marks
  size_t used, marked;   // bytes of these
  uint32_t count;
  uint64_t *last; // the key written last
} tl_run_writer;

// Bytes that it takes from the account of the pages.
tl_status tl_run_writer_open (tl_run_writer *, tl_pages *, const tl_run_form *,
                              bool events);
void tl_run_writer_close (tl_run_writer *);
// From now on keys go to the end of that run.
void tl_run_writer_begin (tl_run_writer *, tl_sorted_run *);
// Keys in ascending order.
tl_status tl_run_write (tl_run_writer *, const uint64_t *key, uint32_t event);
tl_status tl_run_writer_end (tl_run_writer *);

// The least that a page may have.
size_t tl_run_page_least (const tl_run_form *);

// ---- Reading ---------------------------------------------------------------

// Of one thread; it reads one page at a time.
typedef struct tl_run_reader {
  tl_pages *pages;
  const tl_run_form *form;
  bool events;
  unsigned char *room; // [pages->most]
  const tl_sorted_run *run;
  size_t page; // the one at hand; that of `run` which is next if left == 0
  const unsigned char *at;
  uint32_t left;       // keys of it
  uint64_t *key;       // the next one
  const uint64_t *end; // the first key that does not count; null: all do
} tl_run_reader;

tl_status tl_run_reader_open (tl_run_reader *, tl_pages *, const tl_run_form *,
                              bool events);
void tl_run_reader_close (tl_run_reader *);
// The keys from `from` on (null: the first) and before `end`.
tl_status tl_run_seek (tl_run_reader *, const tl_sorted_run *,
                       const uint64_t *from, const uint64_t *end);
// The keys of one page.
tl_status tl_run_seek_page (tl_run_reader *, const tl_sorted_run *,
                            size_t page);
// The next keys, up to `most`; fewer only at the end.  Events null: not wanted.
tl_status tl_run_read (tl_run_reader *, size_t most, uint64_t *keys,
                       uint32_t *events, size_t *count);

// Sets mark[i] to 1 for each of these keys, in ascending order, that is in the
// run.
tl_status tl_run_strike (tl_run_reader *, const tl_sorted_run *,
                         const uint64_t *keys, size_t count, uint8_t *mark);

#endif
