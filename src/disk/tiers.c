// Tiers: the states that are known, in runs of which the later are shorter.
// Each level adds one.  As long as the last ones are together as long as the
// one before them they become one with it, so there are never many, and a state
// is written again about as often as their number doubles.

#include "disk/disk.h"

enum { PARTS = 4, WORTH = 1 << 16 }; // for each thread; keys of several parts

// The first of the tiers that are to become one; the number of tiers: none.
static size_t choose (const tl_disk *d) {
  size_t first = d->tiers - 1;
  uint64_t sum = d->tier[first].count;
  while (first > 0 && d->tiers - first < TL_DISK_TIERS &&
         d->tier[first - 1].count <= sum)
    sum += d->tier[--first].count;
  return first + 1 < d->tiers ? first : d->tiers;
}

// ---- Merging a range -------------------------------------------------------

// What one thread reads: the keys of some tiers, batch by batch.
typedef struct merging {
  tl_disk_hand *hand;
  size_t count;                 // tiers
  size_t at[TL_DISK_TIERS];     // the next key of the batch
  size_t filled[TL_DISK_TIERS]; // keys in it
} merging;

static uint64_t *keys_of (const merging *m, size_t tier) {
  return m->hand->ahead + tier * TL_DISK_BATCH * m->hand->disk->form.words;
}

static tl_status fill (merging *m, size_t tier) {
  m->at[tier] = 0;
  return tl_run_read (m->hand->tier + tier, TL_DISK_BATCH, keys_of (m, tier), 0,
                      m->filled + tier);
}

static tl_status begin (merging *m, size_t part) {
  const tl_disk *d = m->hand->disk;
  const uint32_t words = d->form.words;
  const uint64_t *from = part ? d->cut + (part - 1) * words : 0,
                 *end = part + 1 < d->parts ? d->cut + part * words : 0;
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < m->count; i++) {
    rc =
        tl_run_seek (m->hand->tier + i, d->tier + d->first_tier + i, from, end);
    if (!rc)
      rc = fill (m, i);
  }
  return rc;
}

// Of one word: the least comes first.
static tl_status merge_short (merging *m) {
  tl_run_writer *w = &m->hand->known;
  uint64_t head[TL_DISK_TIERS];
  tl_status rc = TL_OK;
  for (size_t i = 0; i < m->count; i++)
    head[i] = m->filled[i] ? *keys_of (m, i) : 0;
  for (;;) {
    size_t least = m->count;
    for (size_t i = 0; i < m->count; i++)
      if (m->filled[i] && (least == m->count || head[i] < head[least]))
        least = i;
    if (least == m->count)
      return TL_OK;
    if ((rc = tl_run_write (w, head + least, 0)))
      return rc;
    if (++m->at[least] == m->filled[least] && (rc = fill (m, least)))
      return rc;
    if (m->filled[least])
      head[least] = keys_of (m, least)[m->at[least]];
  }
}

static tl_status merge_long (merging *m) {
  const uint32_t words = m->hand->disk->form.words;
  tl_status rc = TL_OK;
  for (;;) {
    const uint64_t *least = 0;
    size_t which = 0;
    for (size_t i = 0; i < m->count; i++) {
      const uint64_t *key = keys_of (m, i) + m->at[i] * words;
      if (m->filled[i] && (!least || tl_key_compare (key, least, words) < 0)) {
        least = key;
        which = i;
      }
    }
    if (!least)
      return TL_OK;
    if ((rc = tl_run_write (&m->hand->known, least, 0)))
      return rc;
    if (++m->at[which] == m->filled[which] && (rc = fill (m, which)))
      return rc;
  }
}

static tl_status merge_part (tl_disk_hand *h, size_t part) {
  tl_disk *d = h->disk;
  merging m = {.hand = h, .count = d->tiers - d->first_tier};
  tl_run_writer_begin (&h->known, &d->task[part].known);
  tl_status rc = begin (&m, part);
  if (!rc)
    rc = d->form.words == 1 ? merge_short (&m) : merge_long (&m);
  if (!rc)
    rc = tl_run_writer_end (&h->known);
  return rc ? rc : tl_disk_halts (d) ? TL_E_CANCEL : tl_disk_poll (h);
}

static void merge_parts (void *disk, unsigned who) {
  tl_disk *d = disk;
  tl_status rc = TL_OK;
  for (size_t part; !rc && (part = __atomic_fetch_add (
                                &d->taken, 1, __ATOMIC_RELAXED)) < d->parts;)
    rc = merge_part (d->hand + who, part);
  tl_disk_leave (d, rc);
}

// ---- All of them -----------------------------------------------------------

// The first keys of pages of the longest, in regular distances.
static tl_status cut (tl_disk *d) {
  const uint32_t words = d->form.words;
  const tl_sorted_run *longest = d->tier + d->first_tier;
  uint64_t keys = 0;
  for (size_t i = d->first_tier; i < d->tiers; i++) {
    keys += d->tier[i].count;
    longest = d->tier[i].count > longest->count ? d->tier + i : longest;
  }
  const size_t most = d->size > 1 && keys >= WORTH ? d->size * PARTS : 1;
  d->parts = most < longest->pages ? most : longest->pages;
  if (!TL_ROOM (&d->search->engine, d->cut, &d->cut_room, d->parts * words))
    return TL_E_NOMEM;
  for (size_t i = 1; i < d->parts; i++)
    tl_copy_words (d->cut + (i - 1) * words,
                   longest->first + i * longest->pages / d->parts * words,
                   words);
  return TL_OK;
}

static tl_status replace (tl_disk *d) {
  tl_sorted_run merged = {0};
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < d->parts; i++)
    rc = tl_run_join (&merged, &d->task[i].known, &d->pages, &d->form);
  if (rc) {
    tl_run_close (&merged, &d->pages, &d->form);
    return rc;
  }
  for (size_t i = d->first_tier; i < d->tiers; i++)
    tl_run_close (d->tier + i, &d->pages, &d->form);
  d->tier[d->first_tier] = merged;
  d->tiers = d->first_tier + 1;
  d->merged++;
  return TL_OK;
}

tl_status tl_disk_merge_tiers (tl_disk *d) {
  tl_mem *mem = &d->search->engine;
  d->first_tier = choose (d);
  if (d->first_tier == d->tiers)
    return TL_OK;
  tl_status rc = cut (d);
  if (rc)
    return rc;
  const size_t parts = d->parts;
  if (!TL_NEW (mem, d->task, parts))
    return TL_E_NOMEM;
  rc = tl_disk_together (d, merge_parts, parts == 1);
  if (!rc)
    rc = replace (d);
  for (size_t i = 0; i < parts; i++)
    tl_run_close (&d->task[i].known, &d->pages, &d->form);
  TL_DEL (mem, d->task, parts);
  return rc;
}
