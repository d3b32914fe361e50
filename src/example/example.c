// The table of families, and what is common to making one.

#include "base/error.h"
#include "example/coloured_examples.h"
#include "example/maker.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 2 };

// More than this would take gigabytes.
#define MOST_NODES 10000000

//  name, sizes, how many, blurb, whether there is a coloured net, too,
//  function, smallest first size, places and transitions at most, for sizes n
//  (and k)
#define FAMILIES(ROW)                                                          \
  ROW ("philosophers", "N", 1, "philosophers who take the left fork first", 0, \
       philosophers, 1, 7 * n)                                                 \
  ROW ("philosophers-both", "N", 1, "philosophers who take either fork first", \
       0, philosophers_both, 1, 10 * n)                                        \
  ROW ("dining", "N", 1, "philosophers and one chair fewer", 1, dining, 1,     \
       9 * n + 1)                                                              \
  ROW ("dbm", "N", 1, "managers of a distributed data base", 1, dbm, 1,        \
       6 * n * n)                                                              \
  ROW ("kanban", "N", 1, "kanban system with N cards in each of 4 cells", 0,   \
       kanban, 1, 32)                                                          \
  ROW ("fms", "N", 1, "flexible manufacturing system with 3 N pallets", 0,     \
       fms, 1, 42)                                                             \
  ROW ("token-ring", "N", 1, "mutual exclusion by a token in a ring", 0,       \
       token_ring, 1, 8 * n)                                                   \
  ROW ("peterson", "N", 1, "Peterson's mutual exclusion of N processes", 1,    \
       peterson, 2, 12 * n * n * n)                                            \
  ROW ("leader", "N", 1, "election of a leader in a ring of N processes", 1,   \
       leader, 1, 11 * n)                                                      \
  ROW ("stop-and-wait", "PACKETS", 1,                                          \
       "stop-and-wait protocol over a bad network", 1, stop_and_wait, 1,       \
       14 * n + 12)                                                            \
  ROW ("sliding-window", "PACKETS WINDOW", 2,                                  \
       "sliding window protocol over a bad network", 1, sliding_window, 1,     \
       (4 * k + 9) * n + 2 * k + 8)                                            \
  ROW ("chains", "M K", 2, "M independent processes of K steps", 0, chains, 1, \
       (2 * k + 1) * n)                                                        \
  ROW ("pipe", "TOKENS PLACES", 2,                                             \
       "tokens that drift through a row of places", 0, pipe, 1, 2 * k)

//  Families that are there as coloured nets only: name, sizes, how many, blurb,
//  smallest first size
#define COLOURED_FAMILIES(ROW)                                                 \
  ROW ("client-server", "CLIENTS", 1,                                          \
       "a program: tasks that order money from a server", 2)                   \
  ROW ("timed", "PACKETS", 1, "protocol with timers over a bad network", 1)

#define PUBLIC_ROW(NAME, SIZES, COUNT, BLURB, COLOURED, FUNCTION, LEAST,       \
                   NODES)                                                      \
  {NAME, SIZES, BLURB, COUNT, true, COLOURED},
#define PUBLIC_COLOURED_ROW(NAME, SIZES, COUNT, BLURB, LEAST)                  \
  {NAME, SIZES, BLURB, COUNT, false, true},
static const tl_family families[] = {
    FAMILIES (PUBLIC_ROW) COLOURED_FAMILIES (PUBLIC_COLOURED_ROW)};

// A double counts beyond what any integer type holds, so nothing overflows.
#define NODES_FUNCTION(NAME, SIZES, COUNT, BLURB, COLOURED, FUNCTION, LEAST,   \
                       NODES)                                                  \
  static double FUNCTION##_nodes (double n, double k) {                        \
    (void)n, (void)k;                                                          \
    return NODES;                                                              \
  }
FAMILIES (NODES_FUNCTION)

typedef struct recipe {
  uint32_t least;        // of the first size; of others it is 1
  tl_example_make *make; // null: there is only a coloured net
  double (*nodes) (double, double);
} recipe;

#define RECIPE_ROW(NAME, SIZES, COUNT, BLURB, COLOURED, FUNCTION, LEAST,       \
                   NODES)                                                      \
  {LEAST, tl_example_##FUNCTION, FUNCTION##_nodes},
#define COLOURED_RECIPE_ROW(NAME, SIZES, COUNT, BLURB, LEAST) {LEAST, 0, 0},
static const recipe recipes[] = {FAMILIES (RECIPE_ROW)
                                     COLOURED_FAMILIES (COLOURED_RECIPE_ROW)};

static const struct {
  const char *family, *text;
} texts[] = {
    {"dining", tl_coloured_dining},
    {"dbm", tl_coloured_dbm},
    {"peterson", tl_coloured_peterson},
    {"leader", tl_coloured_leader},
    {"stop-and-wait", tl_coloured_stop_and_wait},
    {"sliding-window", tl_coloured_sliding_window},
    {"client-server", tl_coloured_client_server},
    {"timed", tl_coloured_timed},
};

const tl_family *tl_example_families (size_t *count) {
  if (count)
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
    if (given[i] >= (recipes[family].make ? TL_MAX_TOKENS : INT32_MAX))
      return tl_fail (err, TL_E_ARG, "%s: a size of %llu is too large", f->name,
                      (unsigned long long)given[i]);
    sizes[i] = (uint32_t)given[i];
  }
  if (recipes[family].make &&
      recipes[family].nodes (sizes[0], sizes[1]) > MOST_NODES)
    return tl_fail (err, TL_E_ARG,
                    "%s of that size has more than %d places and transitions",
                    f->name, MOST_NODES);
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

// Finds the family and checks the sizes.
static tl_status look_up (const char *name, size_t count, const uint64_t *given,
                          size_t *family, uint32_t *sizes, tl_error *err) {
  size_t known;
  tl_example_families (&known);
  *family = find_family (name);
  if (*family == known)
    return tl_fail (err, TL_E_ARG, "there is no family '%s'", name);
  return take_sizes (*family, count, given, sizes, err);
}

tl_status tl_net_example (tl_net **out, const char *name, size_t count,
                          const uint64_t *given, tl_error *err) {
  if (!out || !name || (count && !given))
    return tl_fail (err, TL_E_ARG, "tl_net_example needs a family and sizes");
  *out = 0;
  size_t family;
  uint32_t sizes[MAX_SIZES] = {0};
  tl_status rc = look_up (name, count, given, &family, sizes, err);
  if (rc)
    return rc;
  if (!recipes[family].make)
    return tl_fail (err, TL_E_ARG, "%s is only there as a coloured net", name);
  tl_mem *mem = malloc (sizeof *mem);
  if (!mem)
    return tl_fail (err, TL_E_NOMEM, "no memory for the net");
  *mem = TL_MEM (0, "net");
  mem->limit = tl_mem_default ();
  if ((rc = make (family, sizes, mem, out, err))) {
    free (mem);
    return rc;
  }
  (*out)->owns_account = true;
  return TL_OK;
}

// The name of the family as that of a net, and a parameter for each size.
static void write_head (FILE *f, const tl_family *family,
                        const uint32_t *sizes) {
  for (const char *c = family->name; *c; c++)
    putc (*c == '-' ? '_' : *c, f);
  const char *size = family->sizes;
  for (size_t i = 0; i < family->size_count; i++) {
    const size_t length = strcspn (size, " ");
    fprintf (f, "%s%.*s := %u", i ? ", " : " (", (int)length, size, sizes[i]);
    size += length + strspn (size + length, " ");
  }
  fputs (") {\n", f);
}

tl_status tl_example_coloured (char **text, const char *name, size_t count,
                               const uint64_t *given, tl_error *err) {
  if (!text || !name || (count && !given))
    return tl_fail (err, TL_E_ARG,
                    "tl_example_coloured needs a family and sizes");
  *text = 0;
  size_t family, i = 0;
  uint32_t sizes[MAX_SIZES] = {0};
  const tl_status rc = look_up (name, count, given, &family, sizes, err);
  if (rc)
    return rc;
  if (!families[family].coloured)
    return tl_fail (err, TL_E_ARG, "%s is not there as a coloured net", name);
  while (strcmp (texts[i].family, name))
    i++;
  size_t length;
  FILE *f = open_memstream (text, &length);
  if (f) {
    write_head (f, families + family, sizes);
    fputs (texts[i].text, f);
    if (!fclose (f))
      return TL_OK;
    free (*text);
  }
  *text = 0;
  return tl_fail (err, TL_E_NOMEM, "no memory for the text of a net");
}
