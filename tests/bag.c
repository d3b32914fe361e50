#include "bag.h"

#include <stdlib.h>
#include <string.h>

void *bag_get (size_t count, size_t size) {
  void *const at = calloc (count ? count : 1, size);
  if (!at)
    abort ();
  return at;
}

void *bag_more (void *at, size_t bytes) {
  if (!(at = realloc (at, bytes)))
    abort ();
  return at;
}

bool bag_add (bag *b, const tl_cell *token, int64_t many) {
  uint32_t i = 0;
  int order = 1;
  while (i < b->count && (order = tl_value_compare (b->token + i * b->cells,
                                                    token, b->cells)) < 0)
    i++;
  if (i == b->count || order) {
    b->token = bag_more (b->token, (b->count + 1) * (b->cells + 1) * 4);
    b->many = bag_more (b->many, (b->count + 1) * 4);
    memmove (b->token + (i + 1) * b->cells, b->token + i * b->cells,
             (b->count - i) * b->cells * 4);
    memmove (b->many + i + 1, b->many + i, (b->count - i) * 4);
    memcpy (b->token + i * b->cells, token, b->cells * 4);
    b->many[i] = 0;
    b->count++;
  }
  const bool enough = b->many[i] + many >= 0;
  b->many[i] = (uint32_t)(b->many[i] + many);
  if (!b->many[i]) {
    b->count--;
    memmove (b->token + i * b->cells, b->token + (i + 1) * b->cells,
             (b->count - i) * b->cells * 4);
    memmove (b->many + i, b->many + i + 1, (b->count - i) * 4);
  }
  return enough;
}

uint32_t bag_many (const bag *b, const tl_cell *token) {
  for (uint32_t i = 0; i < b->count; i++)
    if (!tl_value_compare (b->token + i * b->cells, token, b->cells))
      return b->many[i];
  return 0;
}

bag *marking_new (const tl_coloured *net) {
  bag *const m = bag_get (net->places, sizeof *m);
  for (uint32_t p = 0; p < net->places; p++)
    m[p].cells = net->place[p].cells;
  return m;
}

bag *marking_copy (const tl_coloured *net, const bag *from) {
  bag *const m = marking_new (net);
  for (uint32_t p = 0; p < net->places; p++)
    for (uint32_t i = 0; i < from[p].count; i++)
      bag_add (m + p, from[p].token + i * m[p].cells, from[p].many[i]);
  return m;
}

void marking_free (const tl_coloured *net, bag *m) {
  for (uint32_t p = 0; p < net->places; p++) {
    free (m[p].token);
    free (m[p].many);
  }
  free (m);
}

bool marking_equal (const tl_coloured *net, const bag *a, const bag *b) {
  for (uint32_t p = 0; p < net->places; p++)
    if (a[p].count != b[p].count ||
        (a[p].count && (memcmp (a[p].many, b[p].many, a[p].count * 4) ||
                        (a[p].cells && memcmp (a[p].token, b[p].token,
                                               a[p].count * a[p].cells * 4)))))
      return false;
  return true;
}

bool marking_contains (const tl_coloured *net, const bag *large,
                       const bag *small) {
  for (uint32_t p = 0; p < net->places; p++)
    for (uint32_t i = 0; i < small[p].count; i++)
      if (bag_many (large + p, small[p].token + i * small[p].cells) <
          small[p].many[i])
        return false;
  return true;
}
