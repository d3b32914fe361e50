// Managers of copies of one data base (Jensen): one at a time changes its
// copy, tells all others and waits until each has acknowledged.  Each message
// has its own four places, one of which is marked, so the net is one-safe.

#include "example/maker.h"

typedef struct databases {
  tl_maker *m;
  uint32_t n, inactive, waiting, performing, mutex;
  uint32_t unused; // of the first pair; a pair's four places follow each other
} databases;

enum { UNUSED, SENT, RECEIVED, ACKNOWLEDGED };

// The place of the message from manager `s` to manager `r` (not s).
static uint32_t message (const databases *d, uint32_t s, uint32_t r,
                         uint32_t stage) {
  const uint32_t pair = s * (d->n - 1) + (r < s ? r : r - 1);
  return d->unused + 4 * pair + stage;
}

static void make_messages (databases *d) {
  static const char *const stage[] = {"unused", "sent", "received",
                                      "acknowledged"};
  d->unused = d->m->places;
  for (uint32_t s = 0; s < d->n && !d->m->status; s++)
    for (uint32_t r = 0; r < d->n; r++)
      for (uint32_t k = 0; k < 4 && r != s; k++)
        tl_maker_place (d->m, k == UNUSED, "%s_%u_%u", stage[k], s + 1, r + 1);
}

// Moves all messages of manager s from one stage to another.
static void broadcast (const databases *d, uint32_t t, uint32_t s,
                       uint32_t from, uint32_t to) {
  for (uint32_t r = 0; r < d->n; r++)
    if (r != s) {
      TL_TAKE (d->m, t, message (d, s, r, from));
      TL_GIVE (d->m, t, message (d, s, r, to));
    }
}

static void manage (const databases *d, uint32_t s) {
  tl_maker *m = d->m;
  const uint32_t update = tl_maker_transition (m, "update_and_send_%u", s + 1);
  TL_TAKE (m, update, d->inactive + s, d->mutex);
  TL_GIVE (m, update, d->waiting + s);
  broadcast (d, update, s, UNUSED, SENT);
  const uint32_t finish =
      tl_maker_transition (m, "receive_acknowledgements_%u", s + 1);
  TL_TAKE (m, finish, d->waiting + s);
  TL_GIVE (m, finish, d->inactive + s, d->mutex);
  broadcast (d, finish, s, ACKNOWLEDGED, UNUSED);
  for (uint32_t r = 0; r < d->n && !m->status; r++) {
    if (r == s)
      continue;
    const uint32_t receive =
        tl_maker_transition (m, "receive_message_%u_%u", s + 1, r + 1);
    TL_TAKE (m, receive, d->inactive + r, message (d, s, r, SENT));
    TL_GIVE (m, receive, d->performing + r, message (d, s, r, RECEIVED));
    const uint32_t reply =
        tl_maker_transition (m, "acknowledge_%u_%u", s + 1, r + 1);
    TL_TAKE (m, reply, d->performing + r, message (d, s, r, RECEIVED));
    TL_GIVE (m, reply, d->inactive + r, message (d, s, r, ACKNOWLEDGED));
  }
}

void tl_example_dbm (tl_maker *m, const uint32_t *sizes) {
  databases d = {.m = m, .n = sizes[0]};
  d.inactive = tl_maker_row (m, "inactive", d.n, 1);
  d.waiting = tl_maker_row (m, "waiting", d.n, 0);
  d.performing = tl_maker_row (m, "performing", d.n, 0);
  d.mutex = tl_maker_place (m, 1, "mutex");
  make_messages (&d);
  for (uint32_t s = 0; s < d.n && !m->status; s++)
    manage (&d, s);
}
