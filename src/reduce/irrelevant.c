// Transitions that bring nobody nearer to what is wanted.  From the places that
// are looked at backwards: whoever adds to a place of which more is wanted, or
// takes from one of which less is wanted, is relevant, and so are the places it
// waits for.  A run without those that are not is still one, and where it ends
// there is at least as much of what is wanted, and at most as much of what is
// not.  Loops that change nothing and transitions that only take away are gone
// with it.  (The closure of Schmidt's up- and down-sets, "Stubborn sets for
// standard properties", ICATPN 1999, taken for all markings at once.)
//
// Keeps reach alone: others may be needed to go on at all.

#include "reduce/rules.h"

enum { MORE = 1, LESS = 2 };

typedef struct closure {
  const tl_draft *draft;
  uint8_t *wanted;   // [places] more, less
  uint8_t *relevant; // [transitions]
  uint32_t *place;   // to be looked at, perhaps twice
  size_t waiting;
} closure;

static void want (closure *c, uint32_t place, uint8_t what) {
  if ((c->wanted[place] | what) == c->wanted[place])
    return;
  c->wanted[place] |= what;
  c->place[c->waiting++] = place;
}

static void take_in (closure *c, uint32_t t) {
  const tl_drafted *x = c->draft->transition + t;
  if (c->relevant[t])
    return;
  c->relevant[t] = 1;
  for (uint32_t i = 0; i < x->pre.count; i++)
    want (c, x->pre.arc[i].place, MORE);
  for (uint32_t i = 0; i < x->inhibitor.count; i++)
    want (c, x->inhibitor.arc[i].place, LESS);
}

static void look (closure *c, tl_draft *d, uint32_t place) {
  const tl_users *u = tl_draft_users (d, place);
  for (size_t i = 0; i < u->count; i++) {
    const int64_t change = tl_draft_change (d, u->transition[i], place);
    if ((change > 0 && c->wanted[place] & MORE) ||
        (change < 0 && c->wanted[place] & LESS))
      take_in (c, u->transition[i]);
  }
}

tl_status tl_drop_irrelevant (tl_draft *d, tl_keep keep, uint64_t *changes) {
  (void)keep;
  closure c = {.draft = d};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (d->mem, c.wanted, d->places) &&
      TL_NEW (d->mem, c.relevant, d->transitions) &&
      TL_NEW (d->mem, c.place, 2 * (size_t)d->places)) {
    for (uint32_t p = 0; p < d->places; p++)
      want (&c, p, (uint8_t)((d->up[p] ? MORE : 0) | (d->down[p] ? LESS : 0)));
    while (c.waiting)
      look (&c, d, c.place[--c.waiting]);
    for (uint32_t t = 0; t < d->transitions; t++)
      if (!c.relevant[t] && !d->transition[t].gone) {
        tl_draft_drop_transition (d, t);
        ++*changes;
      }
    rc = TL_OK;
  }
  TL_DEL (d->mem, c.wanted, d->places);
  TL_DEL (d->mem, c.relevant, d->transitions);
  TL_DEL (d->mem, c.place, 2 * (size_t)d->places);
  return rc;
}
