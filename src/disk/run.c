#include "disk/run.h"

#include "base/bits.h"

enum { COUNT_BYTES = 4, WORD_CODE = 10 }; // of a page; of a difference at most

// ---- Differences -----------------------------------------------------------

// Bytes of a difference at most.
static size_t longest (const tl_run_form *f) {
  return f->words == 1 ? WORD_CODE : 8 * (size_t)f->words + 2;
}

static size_t mark_bytes (const tl_run_form *f) {
  return sizeof (uint32_t) + 8 * (size_t)f->words;
}

static unsigned char *write_number (unsigned char *at, uint64_t n) {
  for (; n >= 128; n >>= 7)
    *at++ = (unsigned char)(n | 128);
  *at++ = (unsigned char)n;
  return at;
}

static inline const unsigned char *read_number (const unsigned char *at,
                                                uint64_t *number) {
  uint64_t n = *at++;
  if (__builtin_expect (n >= 128, 0)) {
    n &= 127;
    for (unsigned shift = 7;; shift += 7) {
      const uint64_t more = *at++;
      n |= (more & 127) << shift;
      if (more < 128)
        break;
    }
  }
  *number = n;
  return at;
}

// Of several words: how many bytes of the difference are not zero above, and
// these.
static unsigned char *write_long (unsigned char *at, const uint64_t *key,
                                  uint64_t *last, uint32_t words) {
  unsigned char *const start = at;
  size_t bytes = 0;
  uint64_t borrow = 0;
  at += 2;
  for (uint32_t w = 0; w < words; w++, at += 8) {
    const uint64_t d = key[w] - last[w], less = d - borrow;
    borrow = key[w] < last[w] || d < borrow;
    tl_write_word (at, less);
    if (less)
      bytes = 8 * (size_t)w + (tl_bits_for (less) + 7) / 8;
    last[w] = key[w];
  }
  start[0] = (unsigned char)bytes;
  start[1] = (unsigned char)(bytes >> 8);
  return start + 2 + bytes;
}

static const unsigned char *read_long (const unsigned char *at, uint64_t *key,
                                       uint32_t words) {
  size_t bytes = at[0] | (size_t)at[1] << 8;
  unsigned carry = 0;
  at += 2;
  for (uint32_t w = 0; w < words && (bytes || carry); w++) {
    const size_t some = bytes < 8 ? bytes : 8;
    uint64_t add = 0;
    for (size_t i = 0; i < some; i++)
      add |= (uint64_t)at[i] << 8 * i;
    at += some;
    bytes -= some;
    const uint64_t sum = key[w] + add;
    const unsigned over = sum < add;
    key[w] = sum + carry;
    carry = over | (key[w] < sum);
  }
  return at;
}

static unsigned char *write_difference (const tl_run_form *f, unsigned char *at,
                                        const uint64_t *key, uint64_t *last) {
  if (f->words > 1)
    return write_long (at, key, last, f->words);
  at = write_number (at, *key - *last);
  *last = *key;
  return at;
}

static inline const unsigned char *
read_difference (const tl_run_form *f, const unsigned char *at, uint64_t *key) {
  if (f->words > 1)
    return read_long (at, key, f->words);
  uint64_t n;
  at = read_number (at, &n);
  *key += n;
  return at;
}

static inline uint32_t read_event (const unsigned char *at, unsigned bytes) {
  uint32_t event = 0;
  for (unsigned i = 0; i < bytes; i++)
    event |= (uint32_t)at[i] << 8 * i;
  return event;
}

// ---- Runs ------------------------------------------------------------------

void tl_run_close (tl_sorted_run *r, tl_pages *pages, const tl_run_form *f) {
  (void)f;
  for (size_t i = 0; i < r->pages; i++)
    tl_pages_drop (pages, r->page + i);
  TL_DEL (pages->mem, r->page, r->page_room);
  TL_DEL (pages->mem, r->first, r->first_room);
  *r = (tl_sorted_run){0};
}

static bool make_room (tl_sorted_run *r, tl_mem *mem, size_t pages,
                       uint32_t words) {
  return TL_ROOM (mem, r->page, &r->page_room, pages) &&
         TL_ROOM (mem, r->first, &r->first_room, pages * words);
}

void tl_run_fit (tl_sorted_run *r, tl_pages *pages, const tl_run_form *f) {
  const size_t words = r->pages * f->words;
  tl_page *page;
  uint64_t *first = 0;
  if (!TL_NEW (pages->mem, page, r->pages) ||
      !TL_NEW (pages->mem, first, words)) {
    TL_DEL (pages->mem, page, r->pages);
    return; // it stays as it is
  }
  for (size_t i = 0; i < r->pages; i++)
    page[i] = r->page[i];
  tl_copy_words (first, r->first, words);
  TL_DEL (pages->mem, r->page, r->page_room);
  TL_DEL (pages->mem, r->first, r->first_room);
  r->page = page;
  r->first = first;
  r->page_room = r->pages;
  r->first_room = words;
}

tl_status tl_run_join (tl_sorted_run *r, tl_sorted_run *more, tl_pages *pages,
                       const tl_run_form *f) {
  if (!r->pages) {
    tl_run_close (r, pages, f);
    *r = *more;
    *more = (tl_sorted_run){0};
    return TL_OK;
  }
  if (!make_room (r, pages->mem, r->pages + more->pages, f->words))
    return TL_E_NOMEM;
  for (size_t i = 0; i < more->pages; i++)
    r->page[r->pages + i] = more->page[i];
  tl_copy_words (r->first + r->pages * f->words, more->first,
                 more->pages * f->words);
  r->pages += more->pages;
  r->count += more->count;
  more->pages = 0; // they are the other's
  tl_run_close (more, pages, f);
  return TL_OK;
}

// The last page from `from` on whose first key is not larger; `from` itself if
// there is none.  It is looked for in steps that get longer: mostly it is near.
static size_t find_page (const tl_sorted_run *r, size_t from,
                         const uint64_t *key, uint32_t words) {
  size_t low = from, step = 1;
  while (low + step < r->pages &&
         tl_key_compare (r->first + (low + step) * words, key, words) <= 0) {
    low += step;
    step *= 2;
  }
  size_t high = low + step < r->pages ? low + step : r->pages;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (tl_key_compare (r->first + middle * words, key, words) <= 0)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// ---- Writing ---------------------------------------------------------------

size_t tl_run_page_least (const tl_run_form *f) {
  return COUNT_BYTES + 4 * (longest (f) + sizeof (uint32_t)) +
         2 * mark_bytes (f) + WORD_CODE;
}

tl_status tl_run_writer_open (tl_run_writer *w, tl_pages *pages,
                              const tl_run_form *f, bool events) {
  *w = (tl_run_writer){.pages = pages, .form = f, .events = events};
  return TL_NEW (pages->mem, w->buffer, pages->most) &&
                 TL_NEW (pages->mem, w->mark, pages->most) &&
                 TL_NEW (pages->mem, w->last, 2 * f->words)
             ? TL_OK
             : TL_E_NOMEM;
}

void tl_run_writer_close (tl_run_writer *w) {
  if (!w->pages)
    return;
  TL_DEL (w->pages->mem, w->buffer, w->pages->most);
  TL_DEL (w->pages->mem, w->mark, w->pages->most);
  TL_DEL (w->pages->mem, w->last, 2 * w->form->words);
}

void tl_run_writer_begin (tl_run_writer *w, tl_sorted_run *run) {
  w->run = run;
  w->count = 0;
}

// What ends the last difference of a page without events: a reader that looks
// for a key of one word goes on until it has passed it.
static void write_end (tl_run_writer *w) {
  if (w->form->words == 1 && !w->events)
    w->used =
        (size_t)(write_number (w->buffer + w->used, UINT64_MAX - *w->last) -
                 w->buffer);
}

static tl_status put_page (tl_run_writer *w) {
  const uint32_t words = w->form->words;
  tl_sorted_run *r = w->run;
  if (!make_room (r, w->pages->mem, r->pages + 1, words))
    return TL_E_NOMEM;
  write_end (w);
  memcpy (w->buffer + w->used, w->mark, w->marked);
  memcpy (w->buffer, &w->count, COUNT_BYTES);
  const tl_status rc = tl_pages_put (w->pages, w->buffer, w->used + w->marked,
                                     r->page + r->pages);
  if (rc)
    return rc;
  tl_copy_words (r->first + r->pages * words, w->last + words, words);
  r->pages++;
  r->count += w->count;
  w->count = 0;
  return TL_OK;
}

static bool is_full (const tl_run_writer *w) {
  return w->used + w->marked + longest (w->form) + w->form->event_bytes +
             mark_bytes (w->form) + WORD_CODE >
         w->pages->most;
}

static void add_mark (tl_run_writer *w) {
  const uint32_t at = (uint32_t)w->used;
  memcpy (w->mark + w->marked, &at, sizeof at);
  memcpy (w->mark + w->marked + sizeof at, w->last,
          w->form->words * sizeof *w->last);
  w->marked += mark_bytes (w->form);
}

tl_status tl_run_write (tl_run_writer *w, const uint64_t *key, uint32_t event) {
  const uint32_t words = w->form->words;
  tl_status rc;
  if (w->count && is_full (w) && (rc = put_page (w)))
    return rc;
  if (!w->count) {
    tl_copy_words (w->last, key, words);
    tl_copy_words (w->last + words, key, words);
    w->used = COUNT_BYTES;
    w->marked = 0;
  } else {
    w->used =
        (size_t)(write_difference (w->form, w->buffer + w->used, key, w->last) -
                 w->buffer);
    if (w->count % TL_RUN_MARK == 0)
      add_mark (w);
  }
  w->count++;
  for (unsigned i = 0; w->events && i < w->form->event_bytes; i++)
    w->buffer[w->used++] = (unsigned char)(event >> 8 * i);
  return TL_OK;
}

tl_status tl_run_writer_end (tl_run_writer *w) {
  return w->count ? put_page (w) : TL_OK;
}

// ---- Reading ---------------------------------------------------------------

tl_status tl_run_reader_open (tl_run_reader *r, tl_pages *pages,
                              const tl_run_form *f, bool events) {
  *r = (tl_run_reader){.pages = pages, .form = f, .events = events};
  return TL_NEW (pages->mem, r->room, pages->most) &&
                 TL_NEW (pages->mem, r->key, f->words)
             ? TL_OK
             : TL_E_NOMEM;
}

void tl_run_reader_close (tl_run_reader *r) {
  if (!r->pages)
    return;
  TL_DEL (r->pages->mem, r->room, r->pages->most);
  TL_DEL (r->pages->mem, r->key, r->form->words);
}

// A page that was fetched.
typedef struct opened {
  const unsigned char *bytes, *mark;
  uint32_t count, marks;
} opened;

static tl_status open_page (tl_run_reader *r, const tl_sorted_run *run,
                            size_t page, opened *o) {
  const tl_page *p = run->page + page;
  const tl_status rc = tl_pages_get (r->pages, p, r->room, &o->bytes);
  if (rc)
    return rc;
  memcpy (&o->count, o->bytes, COUNT_BYTES);
  o->marks = (o->count - 1) / TL_RUN_MARK;
  o->mark = o->bytes + p->size - o->marks * mark_bytes (r->form);
  return TL_OK;
}

static const unsigned char *mark_at (const opened *o, uint32_t mark,
                                     const tl_run_form *f, uint64_t *key) {
  const unsigned char *at = o->mark + mark * mark_bytes (f);
  uint32_t where;
  memcpy (&where, at, sizeof where);
  memcpy (key, at + sizeof where, f->words * sizeof *key);
  return o->bytes + where;
}

static tl_status enter (tl_run_reader *r, size_t page, opened *o) {
  const tl_status rc = open_page (r, r->run, page, o);
  if (rc)
    return rc;
  r->page = page + 1;
  r->left = o->count;
  r->at = o->bytes + COUNT_BYTES;
  tl_copy_words (r->key, r->run->first + page * r->form->words, r->form->words);
  return TL_OK;
}

// Goes on behind the key at hand.
static inline void step (tl_run_reader *r) {
  r->at += r->events ? r->form->event_bytes : 0;
  if (--r->left)
    r->at = read_difference (r->form, r->at, r->key);
}

// Goes to the last mark of the page at hand whose key is not larger.
static void pass_marks (tl_run_reader *r, const opened *o,
                        const uint64_t *from) {
  const uint32_t words = r->form->words;
  uint64_t key[words];
  for (uint32_t m = 0; m < o->marks; m++) {
    const unsigned char *at = mark_at (o, m, r->form, key);
    if (tl_key_compare (key, from, words) > 0)
      break;
    tl_copy_words (r->key, key, words);
    r->at = at;
    r->left = o->count - (m + 1) * TL_RUN_MARK;
  }
}

// In the page at hand or, if that is over, the next.
static tl_status reach (tl_run_reader *r, const uint64_t *from) {
  const uint32_t words = r->form->words;
  opened o;
  while (r->left && tl_key_compare (r->key, from, words) < 0)
    step (r);
  return r->left || r->page == r->run->pages ? TL_OK : enter (r, r->page, &o);
}

tl_status tl_run_seek (tl_run_reader *r, const tl_sorted_run *run,
                       const uint64_t *from, const uint64_t *end) {
  const uint32_t words = r->form->words;
  opened o;
  r->run = run;
  r->page = r->left = 0;
  r->end = end;
  if (!run->pages || !from)
    return TL_OK;
  const tl_status rc = enter (r, find_page (run, 0, from, words), &o);
  if (rc)
    return rc;
  pass_marks (r, &o, from);
  return reach (r, from);
}

tl_status tl_run_seek_page (tl_run_reader *r, const tl_sorted_run *run,
                            size_t page) {
  opened o;
  r->run = run;
  r->end = page + 1 < run->pages ? run->first + (page + 1) * r->form->words : 0;
  return enter (r, page, &o);
}

// Those of the page at hand, of one word and without events.
static size_t read_short (tl_run_reader *r, size_t most, uint64_t *keys) {
  const uint64_t end = r->end ? *r->end : UINT64_MAX;
  const unsigned char *at = r->at;
  const size_t some = r->left < most ? r->left : most;
  uint64_t key = *r->key, n;
  size_t i = 0;
  while (i < some && (key < end || !r->end)) {
    keys[i++] = key;
    at = read_number (at, &n);
    key += n;
  }
  r->left = i < some ? 0 : r->left - (uint32_t)i;
  if (i < some)
    r->page = r->run->pages; // the end
  *r->key = key;
  r->at = at;
  return i;
}

// Those of the page at hand.
static size_t read_some (tl_run_reader *r, size_t most, uint64_t *keys,
                         uint32_t *events) {
  const uint32_t words = r->form->words;
  size_t i = 0;
  while (r->left && i < most) {
    if (r->end && tl_key_compare (r->key, r->end, words) >= 0) {
      r->left = 0;
      r->page = r->run->pages;
      break;
    }
    tl_copy_words (keys + i * words, r->key, words);
    if (events)
      events[i] = read_event (r->at, r->form->event_bytes);
    i++;
    step (r);
  }
  return i;
}

tl_status tl_run_read (tl_run_reader *r, size_t most, uint64_t *keys,
                       uint32_t *events, size_t *count) {
  const uint32_t words = r->form->words;
  opened o;
  *count = 0;
  while (*count < most) {
    tl_status rc;
    if (!r->left) {
      if (r->page == r->run->pages)
        break;
      if ((rc = enter (r, r->page, &o)))
        return rc;
    }
    uint64_t *to = keys + *count * words;
    const size_t left = most - *count;
    *count += words == 1 && !r->events
                  ? read_short (r, left, to)
                  : read_some (r, left, to, events ? events + *count : 0);
  }
  return TL_OK;
}

// ---- Striking out ----------------------------------------------------------

// Keys of one word that are not all ones: the end of a page passes them all.
// Those before `next`, the first key of the page that follows; returns the
// first that is not.
static size_t strike_page (const opened *o, const tl_run_form *f,
                           uint64_t first, uint64_t next, const uint64_t *keys,
                           size_t i, size_t count, uint8_t *mark) {
  uint64_t begin = first, limit = first;
  const unsigned char *at = o->bytes + COUNT_BYTES, *beyond = at;
  uint32_t m = 0;
  while (i < count && keys[i] < next) {
    // The marks before and behind this key.
    while (m < o->marks && (beyond = mark_at (o, m, f, &limit)) &&
           limit <= keys[i]) {
      begin = limit;
      at = beyond;
      m++;
    }
    limit = m < o->marks ? limit : next;
    for (uint64_t key = begin; i < count && keys[i] < limit; i++) {
      const uint64_t wanted = keys[i];
      while (key < wanted) {
        uint64_t n;
        at = read_number (at, &n);
        key += n;
      }
      mark[i] |= key == wanted;
      begin = key; // the next one may be in the same part
    }
  }
  return i;
}

static tl_status strike_short (tl_run_reader *r, const tl_sorted_run *run,
                               const uint64_t *keys, size_t count,
                               uint8_t *mark) {
  size_t page = 0, i = 0;
  opened o;
  while (i < count && keys[i] < run->first[0])
    i++;
  while (i < count) {
    page = find_page (run, page, keys + i, 1);
    const tl_status rc = open_page (r, run, page, &o);
    if (rc)
      return rc;
    const uint64_t next =
        page + 1 < run->pages ? run->first[page + 1] : UINT64_MAX;
    i = strike_page (&o, r->form, run->first[page], next, keys, i, count, mark);
  }
  return TL_OK;
}

static tl_status strike_long (tl_run_reader *r, const tl_sorted_run *run,
                              const uint64_t *keys, size_t count,
                              uint8_t *mark) {
  const uint32_t words = r->form->words;
  tl_status rc = tl_run_seek (r, run, keys, 0);
  for (size_t i = 0; !rc && r->left && i < count; i++) {
    const uint64_t *key = keys + i * words;
    if (r->page < run->pages &&
        tl_key_compare (run->first + r->page * words, key, words) <= 0)
      rc = tl_run_seek (r, run, key, 0);
    else
      rc = reach (r, key);
    mark[i] |= !rc && r->left && !tl_key_compare (r->key, key, words);
  }
  return rc;
}

tl_status tl_run_strike (tl_run_reader *r, const tl_sorted_run *run,
                         const uint64_t *keys, size_t count, uint8_t *mark) {
  if (!run->pages || !count)
    return TL_OK;
  return r->form->words == 1 && r->form->key_bits < 64
             ? strike_short (r, run, keys, count, mark)
             : strike_long (r, run, keys, count, mark);
}
