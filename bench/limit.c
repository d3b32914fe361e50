// The machine's own limit for a search that keeps whole states: batched random
// puts into a plain store, with nothing else around them.
//
//   limit STATES ARCS
//
// puts ARCS keys of one word, STATES of which are new, and prints the puts per
// second.  The new ones are spread evenly over the run and the others are drawn
// from those that are there, so the table grows as it does in a search and most
// puts find.  Time is that of the processor, which other jobs on the machine
// disturb least; making up the keys is not counted.

#include "base/random.h"
#include "store/kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

enum {
  BATCH = 256,       // as many as a breadth-first search gathers
  MADE = 32 * BATCH, // keys made up at a time
};

typedef struct limit {
  uint64_t states, arcs; // to be put
  uint64_t put, known;   // so far
  double seconds;
  tl_random random;
  uint64_t keys[MADE];
  uint8_t isnew[BATCH];
} limit;

// Key number n is a bijection of n: all are different and none is near another.
static size_t make_keys (limit *l) {
  size_t n = 0;
  for (; n < MADE && l->put < l->arcs; n++) {
    l->put++;
    const uint64_t due =
        (uint64_t)((unsigned __int128)l->put * l->states / l->arcs);
    const bool add = !l->known || l->known < due;
    const uint64_t number =
        add ? l->known++ : tl_random_below (&l->random, l->known);
    l->keys[n] = tl_mix (number + 1);
  }
  return n;
}

static double processor_time (void) {
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static tl_status run (limit *l, tl_store *store) {
  tl_status rc = TL_OK;
  for (size_t n; !rc && (n = make_keys (l));) {
    const double start = processor_time ();
    for (size_t from = 0; !rc && from < n; from += BATCH) {
      tl_batch batch = {.count = n - from < BATCH ? n - from : BATCH,
                        .keys = l->keys + from,
                        .isnew = l->isnew};
      rc = store->kind->put (store, &batch);
    }
    l->seconds += processor_time () - start;
  }
  return rc;
}

int main (int argc, char **argv) {
  limit l = {.random = {1}};
  if (argc != 3 || sscanf (argv[1], "%" SCNu64, &l.states) != 1 ||
      sscanf (argv[2], "%" SCNu64, &l.arcs) != 1 || !l.states ||
      l.arcs < l.states) {
    fputs ("usage: limit STATES ARCS\n", stderr);
    return 2;
  }
  tl_mem mem = TL_MEM (0, "states");
  tl_store *store;
  tl_status rc = tl_store_plain.open (
      &store, &mem, &(tl_store_spec){.key_words = 1, .key_bits = 64});
  if (!rc)
    rc = run (&l, store);
  if (rc) {
    fprintf (stderr, "limit: %s\n", tl_status_text (rc));
    return 4;
  }
  if (store->count != l.states) {
    fprintf (stderr, "limit: %" PRIu64 " keys are there\n", store->count);
    return 4;
  }
  printf ("%.0f\n", (double)l.arcs / l.seconds);
  store->kind->close (store);
  return 0;
}
