// Which of the successors of a level are new?  Each thread takes a range of
// keys, gathers the successors in it from all piles and from what threads have
// in memory, sorts them, strikes out those that the tiers have, and writes what
// is left: as a part of the next level, and of a tier.

#include "disk/disk.h"

// ---- Gathering a range -----------------------------------------------------

// Records that are looked up at once.
static size_t half (const tl_disk *d) {
  return d->room / 2;
}

// Keys that do not count any more: the range ends at `end`, if it has one.
static bool is_beyond (const tl_disk_hand *h, const uint64_t *key) {
  return h->end && tl_key_compare (key, h->end, h->disk->form.words) >= 0;
}

// There is no more room: leaves each key once, and if these are still many, the
// smaller half of them, where the range ends then.
static size_t halve (tl_disk_hand *h, size_t count, uint64_t *end) {
  const tl_disk *d = h->disk;
  const tl_successor_form *f = &d->record;
  count =
      tl_successors_sort (f, h->spare, count, h->spare + half (d) * f->size);
  if (count <= half (d) / 2)
    return count;
  count /= 2;
  tl_successor_key (f, h->spare + count * f->size, end);
  h->end = end;
  return count;
}

// Adds a record, if it is in the range.
static void take (tl_disk_hand *h, const uint64_t *key, uint32_t event,
                  size_t *count, uint64_t *end) {
  const tl_disk *d = h->disk;
  if (is_beyond (h, key))
    return;
  if (*count == half (d)) {
    *count = halve (h, *count, end);
    if (is_beyond (h, key))
      return;
  }
  tl_successor_make (&d->record, key, event,
                     h->spare + (*count)++ * d->record.size);
}

static tl_status take_pile (tl_disk_hand *h, const tl_sorted_run *pile,
                            size_t *count, uint64_t *end) {
  const tl_disk *d = h->disk;
  tl_status rc = tl_run_seek (&h->with_events, pile, h->from, h->end);
  for (size_t n = 1; !rc && n;) {
    h->with_events.end = h->end; // it may come sooner
    rc = tl_run_read (&h->with_events, TL_DISK_BATCH, h->batch, h->event, &n);
    for (size_t i = 0; !rc && i < n; i++)
      take (h, h->batch + i * d->form.words, h->event[i], count, end);
  }
  return rc;
}

// The first of the sorted records of a thread whose key is not smaller.
static size_t find (const tl_disk_hand *of, const uint64_t *key) {
  const tl_successor_form *f = &of->disk->record;
  uint64_t here[f->words];
  size_t low = 0, high = key ? of->count : 0;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    tl_successor_key (f, of->gathered + middle * f->size, here);
    if (tl_key_compare (here, key, f->words) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void take_gathered (tl_disk_hand *h, const tl_disk_hand *of,
                           size_t *count, uint64_t *end) {
  const tl_successor_form *f = &of->disk->record;
  uint64_t key[f->words];
  for (size_t i = find (of, h->from); i < of->count; i++) {
    const uint64_t *record = of->gathered + i * f->size;
    tl_successor_key (f, record, key);
    if (is_beyond (h, key))
      return;
    take (h, key, tl_successor_event (f, record), count, end);
  }
}

// All successors from h->from on, up to h->end or, if these are too many, less
// far: then h->end says so.
static tl_status gather (tl_disk_hand *h, size_t *count, uint64_t *end) {
  const tl_disk *d = h->disk;
  tl_status rc = TL_OK;
  *count = 0;
  for (size_t i = 0; !rc && i < d->piles; i++)
    rc = take_pile (h, d->pile + i, count, end);
  for (unsigned i = 0; !rc && i < d->size; i++)
    take_gathered (h, d->hand + i, count, end);
  if (!rc)
    *count = tl_successors_sort (&d->record, h->spare, *count,
                                 h->spare + half (d) * d->record.size);
  return rc;
}

// ---- Looking them up -------------------------------------------------------

// Where levels are narrow a thread looks up all successors, a few, and each
// would cost a page of each tier.  Most are in none, which a filter tells.
enum { NARROW = 64, NARROW_LEVELS = 64, FILTER_PART = 4 };

// Reads all known states into a filter, if there is memory for that.
static tl_status open_filter (tl_disk *d) {
  tl_search *s = d->search;
  tl_disk_hand *h = d->hand;
  const size_t limit = s->root->limit;
  tl_status rc = TL_OK;
  if ((limit &&
       tl_filter_bytes (s->found + s->found / 2) > limit / FILTER_PART) ||
      tl_filter_open (&d->filter, &s->engine, s->found + s->found / 2,
                      d->form.words))
    return TL_OK;
  for (size_t i = 0; !rc && i < d->tiers; i++) {
    rc = tl_run_seek (h->tier, d->tier + i, 0, 0);
    for (size_t n = 1; !rc && n;) {
      rc = tl_run_read (h->tier, TL_DISK_BATCH, h->batch, 0, &n);
      for (size_t k = 0; !rc && k < n; k++)
        tl_filter_add (&d->filter, h->batch + k * d->form.words);
    }
  }
  return rc;
}

// A level was added.
static tl_status tend_filter (tl_disk *d) {
  const tl_search *s = d->search;
  const bool tested = s->options->disk_room; // it is to happen
  const bool narrow = d->parts == 1 && d->level[d->levels - 1].count <
                                           s->found / (tested ? 2 : NARROW);
  d->narrow = narrow ? d->narrow + 1 : 0;
  if (!narrow || d->filter.count > d->filter.most)
    tl_filter_close (&d->filter);
  return !d->filter.word && d->narrow >= (tested ? 2 : NARROW_LEVELS)
             ? open_filter (d)
             : TL_OK;
}

// Those that the filter does not know need not be looked up.
static tl_status strike_filtered (tl_disk_hand *h, const uint64_t *keys,
                                  size_t count) {
  const tl_disk *d = h->disk;
  const uint32_t words = d->form.words;
  uint8_t *mark = h->mark + count;
  size_t few = 0;
  tl_status rc = TL_OK;
  for (size_t i = 0; i < count; i++)
    if ((h->mark[i] = tl_filter_may_have (&d->filter, keys + i * words)))
      tl_copy_words (h->ahead + few++ * words, keys + i * words, words);
  memset (mark, 0, few);
  for (size_t i = 0; !rc && i < d->tiers; i++)
    rc = tl_run_strike (h->tier, d->tier + i, h->ahead, few, mark);
  for (size_t i = 0, k = 0; i < count; i++)
    if (h->mark[i])
      h->mark[i] = mark[k++];
  return rc;
}

static tl_status strike (tl_disk_hand *h, const uint64_t *keys, size_t count) {
  const tl_disk *d = h->disk;
  tl_status rc = TL_OK;
  if (d->filter.word && count <= TL_DISK_TIERS * TL_DISK_BATCH &&
      2 * count <= half (d))
    return strike_filtered (h, keys, count);
  memset (h->mark, 0, count);
  for (size_t i = 0; !rc && i < d->tiers; i++)
    rc = tl_run_strike (h->tier, d->tier + i, keys, count, h->mark);
  return rc;
}

static tl_status write_new (tl_disk_hand *h, const uint64_t *keys,
                            size_t count) {
  tl_disk *d = h->disk;
  const tl_successor_form *f = &d->record;
  uint64_t found = 0;
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < count; i++) {
    if (h->mark[i])
      continue;
    found++;
    if (d->filter.word && d->parts == 1)
      tl_filter_add (&d->filter, keys + i * f->words);
    rc = tl_run_write (&h->found, keys + i * f->words,
                       tl_successor_event (f, h->spare + i * f->size));
    if (!rc)
      rc = tl_run_write (&h->known, keys + i * f->words, 0);
  }
  __atomic_fetch_add (&d->search->found, found, __ATOMIC_RELAXED);
  return rc;
}

// Those gathered, in ascending order.
static tl_status look_up (tl_disk_hand *h, size_t count) {
  const tl_disk *d = h->disk;
  const tl_successor_form *f = &d->record;
  uint64_t *keys = h->spare + half (d) * f->size;
  for (size_t i = 0; i < count; i++)
    tl_successor_key (f, h->spare + i * f->size, keys + i * f->words);
  const tl_status rc = strike (h, keys, count);
  return rc ? rc : write_new (h, keys, count);
}

static tl_status do_range (tl_disk_hand *h, size_t part) {
  tl_disk *d = h->disk;
  const uint32_t words = d->form.words;
  const uint64_t *last = part + 1 < d->parts ? d->cut + part * words : 0;
  uint64_t from[words], end[words];
  tl_status rc = TL_OK;
  tl_run_writer_begin (&h->found, &d->task[part].found);
  tl_run_writer_begin (&h->known, &d->task[part].known);
  h->from = part ? d->cut + (part - 1) * words : 0;
  for (bool over = false; !rc && !over;) {
    size_t count;
    h->end = (uint64_t *)last;
    rc = gather (h, &count, end);
    over = h->end == last;
    if (!rc)
      rc = look_up (h, count);
    if (!over)
      tl_copy_words (h->from = from, end, words);
    if (!rc)
      rc = tl_disk_halts (d) ? TL_E_CANCEL : tl_disk_poll (h);
  }
  if (!rc)
    rc = tl_run_writer_end (&h->found);
  return rc ? rc : tl_run_writer_end (&h->known);
}

static void do_ranges (void *disk, unsigned who) {
  tl_disk *d = disk;
  tl_status rc = TL_OK;
  for (size_t part; !rc && (part = __atomic_fetch_add (
                                &d->taken, 1, __ATOMIC_RELAXED)) < d->parts;)
    rc = do_range (d->hand + who, part);
  tl_disk_leave (d, rc);
}

// ---- The next level --------------------------------------------------------

// Puts the parts together: the next level, and another tier.
static tl_status join_parts (tl_disk *d) {
  tl_mem *mem = &d->search->engine;
  tl_sorted_run *level = d->level + d->levels, *tier = d->tier + d->tiers;
  tl_status rc = TL_OK;
  if (!TL_ROOM (mem, d->level, &d->level_room, d->levels + 1) ||
      !TL_ROOM (mem, d->tier, &d->tier_room, d->tiers + 1))
    return TL_E_NOMEM;
  level = d->level + d->levels;
  tier = d->tier + d->tiers;
  *level = *tier = (tl_sorted_run){0};
  for (size_t i = 0; !rc && i < d->parts; i++) {
    rc = tl_run_join (level, &d->task[i].found, &d->pages, &d->form);
    if (!rc)
      rc = tl_run_join (tier, &d->task[i].known, &d->pages, &d->form);
  }
  if (rc || !level->count) {
    tl_run_close (level, &d->pages, &d->form);
    tl_run_close (tier, &d->pages, &d->form);
    return rc;
  }
  tl_run_fit (level, &d->pages, &d->form);
  d->levels++;
  d->tiers++;
  return TL_OK;
}

static void forget_successors (tl_disk *d) {
  for (size_t i = 0; i < d->piles; i++)
    tl_run_close (d->pile + i, &d->pages, &d->form);
  for (unsigned i = 0; i < d->size; i++)
    d->hand[i].count = 0;
  d->piles = 0;
}

tl_status tl_disk_look_up (tl_disk *d) {
  tl_mem *mem = &d->search->engine;
  tl_status rc = tl_disk_cut (d);
  if (rc)
    return rc;
  const size_t parts = d->parts;
  if (!TL_NEW (mem, d->task, parts))
    return TL_E_NOMEM;
  rc = tl_disk_together (d, do_ranges, parts == 1);
  if (!rc)
    rc = join_parts (d);
  for (size_t i = 0; i < parts; i++) {
    tl_run_close (&d->task[i].found, &d->pages, &d->form);
    tl_run_close (&d->task[i].known, &d->pages, &d->form);
  }
  TL_DEL (mem, d->task, parts);
  forget_successors (d);
  d->parts = parts;
  return rc ? rc : tend_filter (d);
}
