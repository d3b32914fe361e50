// Series of transitions through a place that nobody looks at: those that fill
// it (F) and those that empty it (H) become one for each pair, and the place
// goes. (Berthelot, "Transformations and decompositions of nets", 1987: post-
// and pre-agglomeration; Thierry-Mieg, "Structural reductions revisited", Petri
// Nets 2020, from which `before` is the "free" one.)
//
// In common: p is not looked at and inhibits nobody, F and H have none in
// common, every transition of H takes w tokens and every one of F makes w; with
// one transition in H, those of F may make several times w, and with one in F
// those of H may take several times what it makes.
//
// `behind`: a transition of H needs tokens of p alone, so it may be fired as
// soon as F was, and what it makes is there sooner and inhibits nobody.
//   Keeps deadlocks: in a dead marking H has emptied p.
//   Keeps reach where nobody looks at what H makes: what is left in p at the
//   end is taken away, and nobody sees it.
//   Keeps stutter, too, then: of a run, what H does is done sooner, or is done
//   though the run does without it, and nobody sees that.  An infinite run has
//   infinitely many steps that are not of H, which F has to make tokens for.
//   Keeps branches if H is one transition, for it decides nothing: a marking
//   and the one where H has emptied p do the same.
// Tokens that p has at the beginning are taken before the first step, if it is
// clear by whom.
//
// `before`: a transition of F makes nothing but tokens of p, inhibitors do not
// count for it, and the places it takes from are not looked at and inhibit
// nobody; so it may wait until H is fired, and need not be fired if H is not.
//   Keeps reach.  Not deadlocks: tokens that F has not taken enable others.
//   Keeps stutter if nobody else takes from where F takes, and F
//   takes from somewhere, so that it does not go on for ever alone.  Of a run,
//   what F does is done later, or not at all, and keeps nobody waiting; and
//   where nothing is enabled, nothing but F was, and that ends
//   (Poitrenaud, Pradat-Peyre, "Pre- and post-agglomerations for LTL model
//   checking", ICATPN 2000).
//   Keeps branches if F is one transition, too, for it decides nothing: a
//   marking and the one where it has not been fired yet do the same.

#include "base/budget.h"
#include "reduce/rules.h"

enum {
  POLL = 64,
  MOST_SIDE = 1000, // transitions
  MORE_ARCS = 64    // than before, at most
};

// The transitions around a place.
typedef struct surroundings {
  tl_draft *draft;
  uint32_t place;
  uint32_t filler[MOST_SIDE], taker[MOST_SIDE];
  uint32_t fillers, takers;
} surroundings;

static uint32_t makes (const surroundings *s, uint32_t i) {
  return tl_row_weight (s->draft->transition[s->filler[i]].post, s->place);
}

static uint32_t takes (const surroundings *s, uint32_t i) {
  return tl_row_weight (s->draft->transition[s->taker[i]].pre, s->place);
}

// False: there is nothing to be put together.
static bool survey (surroundings *s, uint32_t place) {
  tl_draft *d = s->draft;
  const tl_users *u = tl_draft_users (d, place);
  s->place = place;
  s->fillers = s->takers = 0;
  for (size_t i = 0; i < u->count; i++) {
    const uint32_t t = u->transition[i];
    const tl_drafted *x = d->transition + t;
    const bool fills = tl_row_weight (x->post, place),
               empties = tl_row_weight (x->pre, place);
    if (fills == empties || tl_row_weight (x->inhibitor, place) ||
        s->fillers == MOST_SIDE || s->takers == MOST_SIDE)
      return false;
    if (fills)
      s->filler[s->fillers++] = t;
    else
      s->taker[s->takers++] = t;
  }
  return s->fillers && s->takers;
}

// Would there be fewer transitions, and not many more arcs?
static bool pays (const surroundings *s) {
  const tl_drafted *x = s->draft->transition;
  uint64_t left = 0, right = 0;
  for (uint32_t i = 0; i < s->fillers; i++)
    left += x[s->filler[i]].pre.count + x[s->filler[i]].post.count;
  for (uint32_t i = 0; i < s->takers; i++)
    right += x[s->taker[i]].pre.count + x[s->taker[i]].post.count;
  return (uint64_t)s->fillers * s->takers <= (uint64_t)s->fillers + s->takers &&
         left * s->takers + right * s->fillers <= left + right + MORE_ARCS;
}

// All arcs of a row lead to places that inhibit nobody and, if that matters,
// that nobody looks at.
static bool is_quiet (tl_draft *d, tl_row row, bool unseen) {
  for (uint32_t i = 0; i < row.count; i++)
    if ((unseen && tl_draft_is_seen (d, row.arc[i].place)) ||
        tl_draft_inhibits (d, row.arc[i].place))
      return false;
  return true;
}

// Replaces all around the place by pairs.  What was made is as good as all else
// when there are too large numbers on the way: then it only was no use.
static tl_status pair_all (surroundings *s, bool *done) {
  tl_draft *d = s->draft;
  const uint32_t first = d->transitions;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < s->fillers; i++)
    for (uint32_t k = 0; !rc && k < s->takers; k++) {
      const uint32_t made = makes (s, i), taken = takes (s, k);
      rc = tl_draft_pair (
          d, &(tl_pairing){.first = s->filler[i],
                           .second = s->taker[k],
                           .through = s->place,
                           .first_times = taken > made ? taken / made : 1,
                           .second_times = made > taken ? made / taken : 1});
    }
  *done = !rc;
  if (rc)
    for (uint32_t t = first; t < d->transitions; t++)
      tl_draft_drop_transition (d, t);
  if (rc)
    return rc == TL_E_LIMIT ? TL_OK : rc;
  for (uint32_t i = 0; i < s->fillers; i++)
    tl_draft_drop_transition (d, s->filler[i]);
  for (uint32_t i = 0; i < s->takers; i++)
    tl_draft_drop_transition (d, s->taker[i]);
  tl_draft_drop_place (d, s->place);
  return TL_OK;
}

// ---- Behind ----------------------------------------------------------------

static bool may_go_behind (surroundings *s, tl_keep keep) {
  tl_draft *d = s->draft;
  const uint32_t taken = takes (s, 0);
  for (uint32_t k = 0; k < s->takers; k++) {
    const tl_drafted *h = d->transition + s->taker[k];
    if (takes (s, k) != taken || h->pre.count != 1 || h->inhibitor.count ||
        !is_quiet (d, h->post, keep != TL_KEEP_DEADLOCKS))
      return false;
  }
  if (s->takers > 1 && keep == TL_KEEP_BRANCHES)
    return false;
  for (uint32_t i = 0; i < s->fillers; i++)
    if (makes (s, i) % taken || (s->takers > 1 && makes (s, i) != taken))
      return false;
  return s->takers == 1 || d->initial[s->place] < taken;
}

static tl_status go_behind (surroundings *s, bool *done) {
  tl_draft *d = s->draft;
  const uint64_t times = d->initial[s->place] / takes (s, 0);
  tl_status rc = TL_OK;
  *done = false;
  if (times > TL_WORD_MOST)
    return TL_OK;
  if (times)
    rc = tl_draft_begin (d, s->taker[0], (uint32_t)times);
  if (rc)
    return rc == TL_E_LIMIT ? TL_OK : rc;
  return pair_all (s, done);
}

// ---- Before ----------------------------------------------------------------

static bool is_filler (const surroundings *s, uint32_t t) {
  return tl_row_weight (s->draft->transition[t].post, s->place);
}

// Does nobody take from these places but those that fill p?
static bool is_theirs (const surroundings *s, tl_row row) {
  tl_draft *d = s->draft;
  for (uint32_t i = 0; i < row.count; i++) {
    const tl_users *u = tl_draft_users (d, row.arc[i].place);
    for (size_t k = 0; k < u->count; k++)
      if (tl_row_weight (d->transition[u->transition[k]].pre,
                         row.arc[i].place) &&
          !is_filler (s, u->transition[k]))
        return false;
  }
  return row.count;
}

static bool may_go_before (surroundings *s, tl_keep keep) {
  tl_draft *d = s->draft;
  const uint32_t made = makes (s, 0);
  for (uint32_t i = 0; i < s->fillers; i++) {
    const tl_drafted *f = d->transition + s->filler[i];
    if (makes (s, i) != made || f->post.count != 1 || f->inhibitor.count ||
        !is_quiet (d, f->pre, true) ||
        (keep != TL_KEEP_REACH && !is_theirs (s, f->pre)))
      return false;
  }
  for (uint32_t k = 0; k < s->takers; k++)
    if (takes (s, k) % made || (s->fillers > 1 && takes (s, k) != made))
      return false;
  return !d->initial[s->place] && (s->fillers == 1 || keep != TL_KEEP_BRANCHES);
}

// ---- Everywhere ------------------------------------------------------------

static tl_status try_place (surroundings *s, uint32_t p, tl_keep keep,
                            bool behind, uint64_t *changes) {
  tl_draft *d = s->draft;
  bool done = false;
  if (d->place_gone[p] || tl_draft_is_seen (d, p) || !survey (s, p) ||
      !pays (s) ||
      !(behind ? may_go_behind (s, keep) : may_go_before (s, keep)))
    return TL_OK;
  const tl_status rc = behind ? go_behind (s, &done) : pair_all (s, &done);
  *changes += done;
  return rc;
}

static tl_status try_all (tl_draft *d, tl_keep keep, bool behind,
                          uint64_t *changes) {
  surroundings *s;
  tl_status rc = TL_OK;
  if (!TL_NEW (d->mem, s, 1))
    return TL_E_NOMEM;
  s->draft = d;
  for (uint32_t p = 0; !rc && p < d->places; p++) {
    if (p % POLL == 0)
      rc = tl_budget_look (d->mem);
    if (!rc)
      rc = try_place (s, p, keep, behind, changes);
  }
  TL_DEL (d->mem, s, 1);
  return rc;
}

tl_status tl_agglomerate_behind (tl_draft *d, tl_keep keep, uint64_t *changes) {
  return try_all (d, keep, true, changes);
}

tl_status tl_agglomerate_before (tl_draft *d, tl_keep keep, uint64_t *changes) {
  return try_all (d, keep, false, changes);
}
