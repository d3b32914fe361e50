// Transitions that are never enabled, whatever is observed.  Tokens are only
// added in this approximation: a place that some transition adds to has as many
// as its bound allows, any other those of the beginning.  What no such marking
// enables is dead (an unmarked siphon: Murata, "Petri nets: properties,
// analysis and applications", 1989).
//
// Keeps runs: nothing else changes.

#include "reduce/rules.h"

typedef struct flood {
  tl_draft *draft;
  uint32_t *missing; // [transitions] arcs that want more than there can be
  uint8_t *fed;      // [places] somebody adds to it
  uint32_t *ready;   // transitions that may be enabled, to be looked at
  size_t waiting;
} flood;

static uint64_t most (const flood *f, uint32_t place) {
  const tl_draft *d = f->draft;
  const uint64_t bound = d->bound ? d->bound[place] : UINT64_MAX;
  return f->fed[place] ? bound : d->initial[place];
}

static void feed (flood *f, uint32_t place) {
  const uint64_t before = most (f, place);
  f->fed[place] = 1;
  const uint64_t now = most (f, place);
  const tl_users *u = tl_draft_users (f->draft, place);
  for (size_t i = 0; i < u->count; i++) {
    const uint32_t t = u->transition[i],
                   w = tl_row_weight (f->draft->transition[t].pre, place);
    if (w > before && w <= now && !--f->missing[t])
      f->ready[f->waiting++] = t;
  }
}

static void begin (flood *f) {
  const tl_draft *d = f->draft;
  for (uint32_t t = 0; t < d->transitions; t++) {
    const tl_row pre = d->transition[t].pre;
    for (uint32_t i = 0; i < pre.count; i++)
      f->missing[t] += pre.arc[i].weight > most (f, pre.arc[i].place);
    if (!f->missing[t] && !d->transition[t].gone)
      f->ready[f->waiting++] = t;
  }
}

static void spread (flood *f) {
  const tl_draft *d = f->draft;
  while (f->waiting) {
    const uint32_t t = f->ready[--f->waiting];
    const tl_row post = d->transition[t].post;
    for (uint32_t i = 0; i < post.count; i++)
      if (!f->fed[post.arc[i].place] &&
          tl_draft_change (d, t, post.arc[i].place) > 0)
        feed (f, post.arc[i].place);
  }
}

tl_status tl_drop_dead (tl_draft *d, tl_keep keep, uint64_t *changes) {
  (void)keep;
  flood f = {.draft = d};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (d->mem, f.missing, d->transitions) &&
      TL_NEW (d->mem, f.fed, d->places) &&
      TL_NEW (d->mem, f.ready, d->transitions)) {
    begin (&f);
    spread (&f);
    for (uint32_t t = 0; t < d->transitions; t++)
      if (f.missing[t] && !d->transition[t].gone) {
        tl_draft_drop_transition (d, t);
        ++*changes;
      }
    rc = TL_OK;
  }
  TL_DEL (d->mem, f.missing, d->transitions);
  TL_DEL (d->mem, f.fed, d->places);
  TL_DEL (d->mem, f.ready, d->transitions);
  return rc;
}
