#ifndef TL_READ_SCAN_H
#define TL_READ_SCAN_H

#include "read/formats.h"

// Characters of a text format with their positions, and the words they make.
// The first failure is remembered and ends the input, so a reader may look at
// the status once a sentence.
typedef struct tl_scan {
  tl_reading *reading;
  size_t at;           // in the block at hand
  long line, column;   // of the next character
  char *word;          // the last word, with a zero byte
  size_t length, room; // of it
  long word_line, word_column;
  tl_status status;
} tl_scan;

#define TL_SCAN_END (-1)

void tl_scan_open (tl_scan *, tl_reading *);
void tl_scan_close (tl_scan *);

int tl_scan_refill (tl_scan *);

// The next character; it stays the next one until it is skipped.
static inline int tl_scan_peek (tl_scan *s) {
  return s->at < s->reading->in->length ? s->reading->in->block[s->at]
                                        : tl_scan_refill (s);
}

static inline void tl_scan_skip (tl_scan *s) {
  const bool newline = s->reading->in->block[s->at++] == '\n';
  s->line += newline;
  s->column = newline ? 1 : s->column + 1;
}

// A word: `begin` at its first character, `add` each, then `end`.  What is not
// UTF-8 is taken for ISO-8859-1.
void tl_scan_begin (tl_scan *);
void tl_scan_add (tl_scan *, int c);
tl_status tl_scan_end (tl_scan *);

// A complaint about the last word.
tl_status tl_scan_fail (tl_scan *, tl_status, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));
tl_status tl_scan_no_memory (tl_scan *);

#endif
