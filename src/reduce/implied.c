// Places that never keep anybody waiting: all that take from p are enabled as
// soon as the other places say so.  Either nobody takes from it; or it never
// has less than at the beginning, which is enough; or it always has at least k
// times as many tokens as a place q, plus a constant c, and that is enough
// wherever q is.  If no transition makes p - k q smaller, then p >= k q + c in
// every marking, with c as at the beginning; and who waits for w of p needs w
// <= k v
// + c if it waits for v of q.  (Berthelot, "Checking properties of nets using
// transformations", APN 1985: redundant places; constant and parallel places
// among them.)
//
// Keeps runs: enabling is as it was.

#include "base/budget.h"
#include "reduce/rules.h"

enum { POLL = 256, CANDIDATES = 16, MOST_FACTOR = 1000000 };

// Is p >= k q + c for ever, and is that enough for all that take from p?
static bool suffices (tl_draft *d, uint32_t p, uint32_t q, int64_t k) {
  const int64_t c =
      (int64_t)d->initial[p] - (k ? k * (int64_t)d->initial[q] : 0);
  for (int side = 0; side < (k ? 2 : 1); side++) {
    const tl_users *u = tl_draft_users (d, side ? q : p);
    for (size_t i = 0; i < u->count; i++) {
      const uint32_t t = u->transition[i];
      const tl_row pre = d->transition[t].pre;
      const int64_t w = tl_row_weight (pre, p),
                    v = k ? tl_row_weight (pre, q) : 0,
                    more = k ? tl_draft_change (d, t, q) : 0;
      if (tl_draft_change (d, t, p) < k * more || (w && w > k * v + c))
        return false;
    }
  }
  return true;
}

// One that takes from p and waits for few other places; TL_NO_WORD: none.
static uint32_t taker (tl_draft *d, uint32_t p) {
  const tl_users *u = tl_draft_users (d, p);
  uint32_t best = TL_NO_WORD, least = UINT32_MAX;
  for (size_t i = 0; i < u->count; i++) {
    const tl_row pre = d->transition[u->transition[i]].pre;
    if (tl_row_weight (pre, p) && pre.count < least) {
      least = pre.count;
      best = u->transition[i];
    }
  }
  return best;
}

static bool is_implied (tl_draft *d, uint32_t p) {
  const uint32_t t = taker (d, p);
  if (t == TL_NO_WORD || suffices (d, p, p, 0))
    return true;
  const tl_row pre = d->transition[t].pre;
  const int64_t w = tl_row_weight (pre, p);
  for (uint32_t i = 0; i < pre.count && i < CANDIDATES; i++) {
    const uint32_t q = pre.arc[i].place;
    const int64_t k = (w + pre.arc[i].weight - 1) / pre.arc[i].weight;
    if (q != p && (suffices (d, p, q, 1) ||
                   (k > 1 && k < MOST_FACTOR && suffices (d, p, q, k))))
      return true;
  }
  return false;
}

tl_status tl_drop_implied (tl_draft *d, tl_keep keep, uint64_t *changes) {
  (void)keep;
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < d->places; p++) {
    if (p % POLL == 0)
      rc = tl_budget_look (d->mem);
    if (rc || d->place_gone[p] || tl_draft_is_seen (d, p) ||
        tl_draft_inhibits (d, p) || !is_implied (d, p))
      continue;
    tl_draft_drop_place (d, p);
    ++*changes;
  }
  return rc;
}
