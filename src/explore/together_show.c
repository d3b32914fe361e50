// What ranks have noted is shown to the visitor of the first one.  While it
// looks the others wait, and help with the ways that it asks for.

#include "explore/together.h"
#include "explore/worker.h"

enum { WAY_WANTED, ALL_SEEN };

// The way to a state, while the others wait for what is wanted of them.
static tl_status ask_way (tl_search *s, tl_trace *trace) {
  const tl_sightings *w = s->showing;
  uint64_t wanted[] = {WAY_WANTED, *w->asked};
  s->cluster->tell (s->cluster, 0, wanted, sizeof wanted);
  return w->trace (s, trace);
}

static void help_ways (tl_search *s) {
  const tl_sightings *w = s->showing;
  for (uint64_t wanted[2];;) {
    s->cluster->tell (s->cluster, 0, wanted, sizeof wanted);
    if (wanted[0] == ALL_SEEN)
      return;
    tl_trace trace = {0};
    *w->asked = wanted[1];
    if (!w->trace (s, &trace))
      tl_trace_close (&trace);
  }
}

static tl_status see (tl_search *s, uint64_t number, const uint64_t *key) {
  const tl_sightings *showing = s->showing;
  tl_worker *w = showing->worker;
  const tl_visitor *v = s->visitor;
  *showing->asked = number;
  tl_copy_words (w->key, key, w->key_words);
  tl_worker_load (w);
  const tl_visit visit = tl_worker_shown (w);
  return v->skips (v->context, &visit, showing->room)
             ? TL_OK
             : tl_search_heed (s, v->visit (v->context, &visit));
}

static tl_status see_all (tl_search *s, const uint64_t *shown, size_t count) {
  const size_t record = 1 + s->code.key_words;
  tl_status (*const before) (tl_search *, tl_trace *) = s->trace_here;
  tl_status rc = TL_OK;
  s->trace_here = ask_way;
  for (size_t i = 0; !rc && i < count; i += record)
    rc = see (s, shown[i], shown + i + 1);
  s->trace_here = before;
  uint64_t over[] = {ALL_SEEN, 0};
  s->cluster->tell (s->cluster, 0, over, sizeof over);
  return rc;
}

// Where a rank takes everything for decided, the first one has to see why.
static tl_status see_what_decides (tl_search *s, const uint64_t *shown,
                                   size_t count) {
  const bool decided = s->stop == TL_STOP_DECIDED;
  if (decided)
    s->stop = TL_STOP_DONE;
  const tl_status rc = see_all (s, shown, count);
  if (!rc && decided)
    s->cluster->abandon (s->cluster, 4, "another rank has decided too much");
  return rc;
}

// Gathers what all ranks have to show; `sizes` [ranks].
static uint64_t *gather_shown (tl_search *s, const uint64_t *sizes,
                               size_t sum) {
  tl_cluster *all = s->cluster;
  uint64_t *shown, *at;
  if (!TL_NEW (&s->engine, shown, sum))
    all->abandon (all, 3, "no memory for what other ranks have found");
  at = shown;
  for (unsigned r = 0; r < all->ranks; r++) {
    if (r == all->rank && sizes[r])
      memcpy (at, s->showing->shown, sizes[r] * sizeof *at);
    all->tell (all, r, at, sizes[r] * sizeof *at);
    at += sizes[r];
  }
  return shown;
}

tl_status tl_together_show (tl_search *s, const tl_sightings *showing) {
  tl_cluster *all = s->cluster;
  uint64_t *sizes, sum = 0;
  if (!TL_NEW (&s->engine, sizes, all->ranks))
    all->abandon (all, 3, "no memory for what other ranks have found");
  sizes[all->rank] = showing->words;
  all->add_up (all, sizes, all->ranks);
  for (unsigned r = 0; r < all->ranks; r++)
    sum += sizes[r];
  tl_status rc = TL_OK;
  if (sum) {
    s->showing = showing;
    uint64_t *shown = gather_shown (s, sizes, sum);
    if (all->rank)
      help_ways (s);
    else
      rc = see_what_decides (s, shown, sum);
    TL_DEL (&s->engine, shown, sum);
    s->showing = 0;
    rc = tl_together_agree (s, rc);
    if (!rc)
      rc = tl_together_brief (s);
  }
  TL_DEL (&s->engine, sizes, all->ranks);
  return rc;
}
