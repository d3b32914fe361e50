#include "structure/sleep.h"

#include "structure/contact.h"

#include <string.h>

enum {
  MOST_TRANSITIONS = 4096,          // two megabytes
  WORDS = MOST_TRANSITIONS / 64 + 1 // of a row, at most
};

static uint64_t bit_of (uint32_t transition) {
  return (uint64_t)1 << transition % 64;
}

// Can u fire before t, as far as this place is concerned, if it can after t?
static bool goes_before (const tl_contact *u, const tl_contact *t) {
  return (t->post <= t->pre || u->pre <= t->pre) &&
         (t->post >= t->pre || t->inhibitor <= u->inhibitor);
}

// Can t then fire after u?
static bool goes_after (const tl_contact *t, const tl_contact *u) {
  return (u->post >= u->pre || !t->pre || u->post >= t->post) &&
         (u->post <= u->pre || t->inhibitor == TL_NO_INHIBITOR);
}

static void drop_dependent (tl_sleep *z, const tl_contacts *all) {
  for (uint32_t p = 0; p < all->places; p++) {
    const tl_contact *from = all->contact + all->start[p],
                     *end = all->contact + all->start[p + 1];
    for (const tl_contact *t = from; t < end; t++)
      for (const tl_contact *u = from; u < end; u++)
        if (!goes_before (u, t) || !goes_after (t, u))
          z->row[t->transition * z->words + u->transition / 64] &=
              ~bit_of (u->transition);
  }
}

tl_status tl_sleep_open (tl_sleep *z, tl_mem *mem, const tl_net *net) {
  const uint32_t n = net->transitions;
  *z = (tl_sleep){.mem = mem, .transitions = n, .words = n / 64 + 1};
  if (n > MOST_TRANSITIONS)
    return TL_OK;
  tl_contacts contacts;
  tl_status rc = tl_contacts_open (&contacts, mem, net);
  if (!rc && !TL_NEW (mem, z->row, n * z->words))
    rc = TL_E_NOMEM;
  if (!rc) {
    memset (z->row, 0xff, n * z->words * sizeof *z->row);
    drop_dependent (z, &contacts);
  }
  tl_contacts_close (&contacts);
  return rc;
}

void tl_sleep_close (tl_sleep *z) {
  TL_DEL (z->mem, z->row, z->transitions * z->words);
  *z = (tl_sleep){0};
}

void tl_sleep_order (tl_sleep *z, const uint32_t *order) {
  const uint32_t n = z->transitions;
  if (!z->row)
    return;
  uint64_t before[WORDS] = {0};
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t t = order ? order[i] : n - 1 - i;
    for (size_t w = 0; w < z->words; w++)
      z->row[t * z->words + w] &= before[w];
    before[t / 64] |= bit_of (t);
  }
}
