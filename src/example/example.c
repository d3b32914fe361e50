// The table of families, and what is common to making one.

#include "base/error.h"
#include "example/maker.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 2 };

//  name, sizes, how many, blurb, function, smallest first size,
//  places and transitions at most, for sizes n (and k)
#define FAMILIES(ROW)                                                          \
  ROW ("philosophers", "N", 1, "philosophers who take the left fork first",    \
       philosophers, 1, 7 * n)                                                 \
  ROW ("philosophers-both", "N", 1, "philosophers who take either fork first", \
       philosophers_both, 1, 10 * n)                                           \
  ROW ("dining", "N", 1, "philosophers and one chair fewer", dining, 1,        \
       9 * n + 1)                                                              \
  ROW ("dbm", "N", 1, "managers of a distributed data base", dbm, 1,           \
       6 * n * n)                                                              \
  ROW ("kanban", "N", 1, "kanban system with N cards in each of 4 cells",      \
       kanban, 1, 32)                                                          \
  ROW ("fms", "N", 1, "flexible manufacturing system with 3 N pallets", fms,   \
       1, 42)                                                                  \
  ROW ("token-ring", "N", 1, "mutual exclusion by a token in a ring",          \
       token_ring, 1, 8 * n)                                                   \
  ROW ("peterson", "N", 1, "Peterson's mutual exclusion of N processes",       \
       peterson, 2, 12 * n * n * n)                                            \
  ROW ("leader", "N", 1, "election of a leader in a ring of N processes",      \
       leader, 1, 11 * n)                                                      \
  ROW ("stop-and-wait", "PACKETS", 1,                                          \
       "stop-and-wait protocol over a bad network", stop_and_wait, 1,          \
       14 * n + 12)                                                            \
  ROW ("sliding-window", "PACKETS WINDOW", 2,                                  \
       "sliding window protocol over a bad network", sliding_window, 1,        \
       (4 * k + 9) * n + 2 * k + 8)                                            \
  ROW ("chains", "M K", 2, "M independent processes of K steps", chains, 1,    \
       (2 * k + 1) * n)                                                        \
  ROW ("pipe", "TOKENS PLACES", 2,                                             \
       "tokens that drift through a row of places", pipe, 1, 2 * k)

#define PUBLIC_ROW(NAME, SIZES, COUNT, BLURB, FUNCTION, LEAST, NODES)          \
  {NAME, SIZES, BLURB, COUNT},
static const tl_family families[] = {FAMILIES (PUBLIC_ROW)};

// A double counts beyond what any integer type holds, so nothing overflows.
#define NODES_FUNCTION(NAME, SIZES, COUNT, BLURB, FUNCTION, LEAST, NODES)      \
  static double FUNCTION##_nodes (double n, double k) {                        \
    (void)n, (void)k;                                                          \
    return NODES;                                                              \
  }
FAMILIES (NODES_FUNCTION)

typedef struct recipe {
  tl_example_make *make;
  uint32_t least; // of the first size; of others it is 1
  double (*nodes) (double, double);
} recipe;

#define RECIPE_ROW(NAME, SIZES, COUNT, BLURB, FUNCTION, LEAST, NODES)          \
  {tl_example_##FUNCTION, LEAST, FUNCTION##_nodes},
static const recipe recipes[] = {FAMILIES (RECIPE_ROW)};

const tl_family *tl_example_families (size_t *count) {
  *count = sizeof families / sizeof *families;
  return families;
}

static size_t find_family (const char *name) {
  size_t count, i = 0;
  tl_example_families (&count);
  while (i < count && strcmp (families[i].name, name))
    i++;
  return i;
}

// Checks the sizes and narrows them.
static tl_status take_sizes (size_t family, size_t count, const uint64_t *given,
                             uint32_t *sizes, tl_error *err) {
  const tl_family *f = families + family;
  if (count != f->size_count)
    return tl_fail (err, TL_E_ARG, "%s takes %zu size%s (%s), not %zu", f->name,
                    f->size_count, f->size_count == 1 ? "" : "s", f->sizes,
                    count);
  for (size_t i = 0; i < count; i++) {
    const uint32_t least = i ? 1 : recipes[family].least;
    if (given[i] < least)
      return tl_fail (err, TL_E_ARG,
                      "%s: a size of %llu is too small, %u is "
                      "the least",
                      f->name, (unsigned long long)given[i], least);
    if (given[i] >= TL_MAX_TOKENS)
      return tl_fail (err, TL_E_ARG, "%s: a size of %llu is too large", f->name,
                      (unsigned long long)given[i]);
    sizes[i] = (uint32_t)given[i];
  }
  if (recipes[family].nodes (sizes[0], sizes[1]) > 0x1p31)
    return tl_fail (err, TL_E_ARG, "%s of that size has more than 2^31 nodes",
                    f->name);
  return TL_OK;
}

static tl_status make (size_t family, const uint32_t *sizes, tl_mem *mem,
                       tl_net **out, tl_error *err) {
  tl_maker m = {0};
  if (tl_builder_open (&m.builder, mem))
    return tl_fail (err, TL_E_NOMEM, "no memory for the net");
  recipes[family].make (&m, sizes);
  if (m.status) {
    tl_builder_close (m.builder);
    return tl_fail (err, m.status, "no memory for the net");
  }
  char name[80];
  int length = snprintf (name, sizeof name, "%s", families[family].name);
  for (size_t i = 0; i < families[family].size_count; i++)
    length +=
        snprintf (name + length, sizeof name - (size_t)length, "-%u", sizes[i]);
  const tl_status rc = tl_builder_finish (m.builder, name, "example", out, err);
  assert (rc || (double)(*out)->places + (double)(*out)->transitions <=
                    recipes[family].nodes (sizes[0], sizes[1]));
  return rc;
}

tl_status tl_net_example (tl_net **out, const char *name, size_t count,
                          const uint64_t *given, tl_error *err) {
  *out = 0;
  size_t known;
  tl_example_families (&known);
  const size_t family = find_family (name);
  if (family == known)
    return tl_fail (err, TL_E_ARG, "there is no family '%s'", name);
  uint32_t sizes[MAX_SIZES] = {0};
  tl_status rc = take_sizes (family, count, given, sizes, err);
  if (rc)
    return rc;
  tl_mem *mem = malloc (sizeof *mem);
  if (!mem)
    return tl_fail (err, TL_E_NOMEM, "no memory for the net");
  *mem = TL_MEM (0, "net");
  mem->limit = tl_mem_physical () / 4 * 3;
  if ((rc = make (family, sizes, mem, out, err))) {
    free (mem);
    return rc;
  }
  (*out)->owns_account = true;
  return TL_OK;
}
