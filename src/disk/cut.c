// Ranges of keys that have about as many successors each, and so few that a
// thread can sort them at once.  The first keys of the pages of piles, and some
// of the records in memory, tell how keys are distributed.

#include "disk/disk.h"

enum {
  SAMPLES = 64, // of what a thread has in memory
  RANGES = 4,   // for each thread, so that none waits long for another
  WORTH = 4096  // successors that several threads look up
};

static uint64_t successors (const tl_disk *d) {
  uint64_t sum = 0;
  for (size_t i = 0; i < d->piles; i++)
    sum += d->pile[i].count;
  for (unsigned i = 0; i < d->size; i++)
    sum += d->hand[i].count;
  return sum;
}

// Two thirds of what a thread can take: the rest is for what samples do not
// tell.
static size_t wanted_parts (const tl_disk *d, uint64_t count) {
  const uint64_t each = d->room / 3 ? d->room / 3 : 1, least = count / each + 1;
  return d->size > 1 && count >= WORTH && least < d->size * RANGES
             ? d->size * RANGES
             : (size_t)least;
}

static size_t sample_count (const tl_disk *d) {
  size_t count = 0;
  for (size_t i = 0; i < d->piles; i++)
    count += d->pile[i].pages;
  return count + (size_t)d->size * (SAMPLES + 1);
}

// A sample is a key, and before it how many it stands for.
static size_t take_samples (const tl_disk *d, uint64_t *sample) {
  const uint32_t words = d->form.words;
  uint64_t *at = sample;
  for (size_t i = 0; i < d->piles; i++) {
    const tl_sorted_run *pile = d->pile + i;
    for (size_t p = 0; p < pile->pages; p++) {
      *at++ = pile->count / pile->pages + 1;
      tl_copy_words (at, pile->first + p * words, words);
      at += words;
    }
  }
  for (unsigned i = 0; i < d->size; i++) {
    const tl_disk_hand *h = d->hand + i;
    const size_t each = h->count / SAMPLES + 1;
    for (size_t r = 0; r < h->count; r += each) {
      *at++ = each;
      tl_successor_key (&d->record, h->gathered + r * d->record.size, at);
      at += words;
    }
  }
  return (size_t)(at - sample) / (words + 1);
}

// Begins a range each time that so many have passed.
static void choose_cuts (tl_disk *d, const uint64_t *sample, size_t samples,
                         uint64_t each, size_t most) {
  const uint32_t words = d->form.words;
  uint64_t passed = 0;
  for (size_t i = 0; i < samples && d->parts < most; i++) {
    const uint64_t *at = sample + i * (words + 1);
    if (passed >= each) {
      tl_copy_words (d->cut + (d->parts++ - 1) * words, at + 1, words);
      passed = 0;
    }
    passed += *at;
  }
}

tl_status tl_disk_cut (tl_disk *d) {
  tl_mem *mem = &d->search->engine;
  const uint32_t words = d->form.words;
  const uint64_t count = successors (d);
  const size_t most = wanted_parts (d, count),
               length = sample_count (d) * (words + 1);
  uint64_t *sample, *room = 0;
  d->parts = 1;
  if (most == 1)
    return TL_OK;
  if (!TL_ROOM (mem, d->cut, &d->cut_room, most * words))
    return TL_E_NOMEM;
  if (!TL_NEW (mem, sample, length) || !TL_NEW (mem, room, length)) {
    TL_DEL (mem, sample, length);
    return TL_E_NOMEM;
  }
  const tl_successor_form form = {.words = words, .size = words + 1};
  const size_t samples =
      tl_successors_sort (&form, sample, take_samples (d, sample), room);
  choose_cuts (d, sample, samples, count / most + 1, most);
  TL_DEL (mem, sample, length);
  TL_DEL (mem, room, length);
  return TL_OK;
}
