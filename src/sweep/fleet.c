// A round of several ranks: each expands what it has at the line, sends
// successors to their owners and puts those that come.

#include "sweep/fleet.h"

#include "base/hash.h"
#include "explore/together.h"

// ---- Owners ----------------------------------------------------------------

static unsigned owner_of (const uint64_t *key, uint32_t words, unsigned ranks) {
  const uint64_t seed = 0x9e3779b97f4a7c15u, // no store's
      hash = tl_hash_words (key, words, seed);
  return (unsigned)((hash >> 32) * ranks >> 32);
}

bool tl_fleet_owns (const tl_sweep_fleet *f, const uint64_t *key,
                    uint32_t words) {
  return owner_of (key, words, f->all->ranks) == f->all->rank;
}

// ---- Opening ---------------------------------------------------------------

static size_t board_words (const tl_sweep_fleet *f) {
  return TL_FLEET_SUMS + (size_t)f->all->ranks * TL_FLEET_SLOT;
}

static size_t look_words (const tl_search *s) {
  const size_t seen = s->visitor ? s->visitor->skips_room : 0;
  return seen > s->watch.skips_room ? seen : s->watch.skips_room;
}

static bool open_parts (tl_sweep_fleet *f, const tl_sweeping *w) {
  tl_search *s = w->search;
  tl_mem *mem = &s->engine;
  f->look_words = look_words (s);
  f->room = w->room > TL_PACKET_RECORDS ? w->room : TL_PACKET_RECORDS;
  return TL_NEW (mem, f->keys, f->room * w->key_words) &&
         TL_NEW (mem, f->parents, f->room) &&
         TL_NEW (mem, f->events, f->room) && TL_NEW (mem, f->list, f->room) &&
         TL_NEW (mem, f->owner, f->room) &&
         TL_NEW (mem, f->board, board_words (f)) &&
         TL_NEW (mem, f->misfit, w->key_words + 2) &&
         TL_NEW (mem, f->look, f->look_words);
}

tl_status tl_fleet_open (tl_sweeping *w) {
  tl_search *s = w->search;
  tl_sweep_fleet *f;
  if (!TL_NEW (&s->engine, f, 1))
    return TL_E_NOMEM;
  *f = (tl_sweep_fleet){.all = s->cluster};
  w->fleet = f;
  s->one_thread = "a sweep of several ranks has one in each";
  if (!open_parts (f, w))
    return TL_E_NOMEM;
  const tl_status rc = tl_post_open (&f->post, &s->engine, s->cluster, 1);
  if (rc || !tl_post_shape (&f->post, w->key_words, s->code.key_bits,
                            s->net->transitions))
    return TL_E_NOMEM;
  return tl_outbox_open (&f->outbox, &f->post);
}

tl_status tl_fleet_begin (tl_sweeping *w, tl_status opened) {
  const tl_status rc = tl_together_agree (w->search, opened);
  return rc ? rc : tl_post_agree (&w->fleet->post) ? TL_OK : TL_E_NOMEM;
}

void tl_fleet_close (tl_sweeping *w) {
  tl_sweep_fleet *f = w->fleet;
  tl_search *s = w->search;
  tl_mem *mem = &s->engine;
  if (!f)
    return;
  s->sent[0] += f->post.records;
  s->sent[1] += f->post.bytes;
  tl_outbox_close (&f->outbox);
  tl_post_close (&f->post);
  TL_DEL (mem, f->keys, f->room * w->key_words);
  TL_DEL (mem, f->parents, f->room);
  TL_DEL (mem, f->events, f->room);
  TL_DEL (mem, f->list, f->room);
  TL_DEL (mem, f->owner, f->room);
  TL_DEL (mem, f->board, board_words (f));
  TL_DEL (mem, f->misfit, w->key_words + 2);
  TL_DEL (mem, f->look, f->look_words);
  TL_DEL (mem, f->shown, f->shown_room);
  TL_DEL (mem, f, 1);
  w->fleet = 0;
}

// ---- States ----------------------------------------------------------------

void tl_fleet_note_dead (tl_sweeping *w) {
  tl_sweep_fleet *f = w->fleet;
  if (!f->dead && w->worker.census.deadlocks)
    f->dead = tl_fleet_number (f, w->number) + 1;
}

// Notes a state for the visitor of the first rank, unless it shows nothing new.
tl_status tl_fleet_show (void *sweeping, const tl_visit *shown) {
  tl_sweeping *w = sweeping;
  tl_sweep_fleet *f = w->fleet;
  tl_search *s = w->search;
  const tl_visitor *v = &s->watch;
  tl_visit visit = *shown;
  if (!v->visit || v->skips (v->context, shown, f->look))
    return TL_OK;
  if (!TL_ROOM (&s->engine, f->shown, &f->shown_room,
                f->showns + 1 + w->key_words))
    return TL_E_NOMEM;
  f->shown[f->showns] = tl_fleet_number (f, w->number);
  tl_copy_words (f->shown + f->showns + 1, w->worker.key, w->key_words);
  f->showns += 1 + w->key_words;
  visit.search = 0; // there is no way to be told now
  return tl_search_heed (s, v->visit (v->context, &visit));
}

// The first successor that does not fit tells what is to be wider; the sweep
// begins anew then, so that others need not be known.
tl_status tl_fleet_defer (void *sweeping, uint32_t event) {
  const tl_sweeping *w = sweeping;
  tl_sweep_fleet *f = w->fleet;
  if (f->has_misfit)
    return TL_OK;
  f->misfit[0] = tl_fleet_number (f, w->number);
  f->misfit[1] = event;
  tl_copy_words (f->misfit + 2, w->worker.key, w->key_words);
  f->has_misfit = true;
  return TL_OK;
}

void tl_fleet_note_regress (tl_sweeping *w, uint32_t event) {
  tl_sweep_fleet *f = w->fleet;
  tl_search *s = w->search;
  f->regress[0] = w->number;
  f->regress[1] = event;
  f->regress[2] = (uint64_t)s->result->progress_before;
  f->regress[3] = (uint64_t)s->result->progress_after;
  f->has_regress = true;
  s->stop = TL_STOP_REGRESS;
}

// ---- Sending ---------------------------------------------------------------

// Finds out whose the successors are, and lists those of others.
static size_t list_leaving (tl_sweeping *w) {
  tl_sweep_fleet *f = w->fleet;
  const uint64_t events = tl_low_bits (w->event_bits);
  size_t count = 0;
  for (size_t i = 0; i < w->worker.gathered; i++) {
    const uint64_t *key = w->worker.keys + i * w->key_words;
    f->owner[i] = (uint16_t)owner_of (key, w->key_words, f->all->ranks);
    f->parents[i] = w->origin[i] >> w->event_bits;
    f->events[i] = (uint32_t)(w->origin[i] & events);
    f->list[count] = (uint32_t)i;
    count += f->owner[i] != f->all->rank;
  }
  return count;
}

// Those that stay move together.
static size_t keep_own (tl_sweeping *w) {
  tl_sweep_fleet *f = w->fleet;
  size_t kept = 0;
  for (size_t i = 0; i < w->worker.gathered; i++) {
    tl_copy_words (w->worker.keys + kept * w->key_words,
                   w->worker.keys + i * w->key_words, w->key_words);
    w->origin[kept] = w->origin[i];
    f->events[kept] = f->events[i];
    kept += f->owner[i] == f->all->rank;
  }
  return kept;
}

tl_status tl_fleet_send (tl_sweeping *w) {
  tl_sweep_fleet *f = w->fleet;
  const size_t count = list_leaving (w);
  const tl_sendings all = {w->worker.keys, f->parents, f->events, f->owner};
  size_t done = 0;
  tl_status rc;
  while ((rc = tl_outbox_add (&f->outbox, &all, f->list, count, &done)) ==
             TL_E_NOMEM &&
         tl_sweep_relieve (w))
    continue;
  if (rc)
    return rc;
  const size_t kept = keep_own (w);
  w->worker.gathered = 0;
  rc = tl_expand_share (w, f->events, (uint32_t)kept);
  w->worker.gathered = kept;
  return rc;
}

// ---- Taking ----------------------------------------------------------------

// Another rank says that the search is to end.
static tl_status stop (tl_sweeping *w, unsigned why) {
  tl_search *s = w->search;
  if (s->stop == TL_STOP_DONE)
    s->stop = (tl_stop)why;
  w->fleet->told_to_stop = true;
  return TL_E_LIMIT;
}

// Takes a packet that has come; false in *took: there is none.
static tl_status take_packet (tl_sweeping *w, bool *took) {
  tl_sweep_fleet *f = w->fleet;
  tl_packet *packet = tl_post_take (&f->post);
  *took = packet;
  if (!packet)
    return TL_OK;
  const tl_status rc = tl_packet_unpack (&f->outbox, packet);
  const unsigned why = packet->what;
  const size_t count =
      rc ? 0
         : tl_packet_read (&f->post, packet, f->keys, f->events, f->parents);
  tl_post_give_back (&f->post, packet);
  for (size_t i = 0; i < count; i++)
    f->parents[i] = f->parents[i] << w->event_bits | f->events[i];
  return rc    ? rc
         : why ? stop (w, why)
               : tl_expand_gather (w, f->keys, f->events, f->parents, count);
}

// Puts what has come, and more if much is on its way.
static tl_status exchange (tl_sweeping *w) {
  tl_post *post = &w->fleet->post;
  tl_status rc = TL_OK;
  bool took = true;
  for (unsigned times = 0; !rc && (took || tl_post_is_full (post));) {
    if (!took)
      tl_post_rest (post, &times);
    rc = take_packet (w, &took);
  }
  return rc ? rc : tl_expand_distribute (w);
}

static void count_sent (tl_sweep_fleet *f) {
  tl_post_count (&f->post);
  f->counted = true;
}

// All was sent: puts what comes until nothing is on its way to anybody.
static tl_status attend (tl_sweeping *w) {
  tl_sweep_fleet *f = w->fleet;
  tl_status rc = TL_OK;
  tl_outbox_send (&f->outbox);
  count_sent (f);
  for (unsigned times = 0; !rc && !tl_post_is_settled (&f->post);) {
    bool took;
    rc = take_packet (w, &took);
    if (took)
      times = 0;
    else
      tl_post_rest (&f->post, &times);
  }
  return rc ? rc : tl_expand_distribute (w);
}

// ---- The round -------------------------------------------------------------

// Has this rank something there, and nothing before?
static bool is_at_line (tl_sweeping *w) {
  return tl_layers_line (&w->layers) == w->line;
}

tl_status tl_fleet_round (tl_sweeping *w) {
  tl_sweep_fleet *f = w->fleet;
  tl_status rc = TL_OK;
  f->counted = false;
  tl_post_begin (&f->post);
  // States that are not sure wait for those that come in this round: duplicates
  // are detected once for all of them.
  for (bool sure = true; !rc && sure && is_at_line (w);
       sure = tl_layer_left (w->line) || tl_layer_checked (w->line))
    if (!(rc = tl_expand_some (w)))
      rc = exchange (w);
  if (!rc)
    rc = attend (w);
  if (rc == TL_E_ARG)
    f->all->abandon (f->all, 2, "the progress measure exceeds 64 bits");
  return rc;
}

void tl_fleet_break_off (tl_sweeping *w, tl_status rc) {
  tl_sweep_fleet *f = w->fleet;
  const tl_search *s = w->search;
  const tl_stop why = rc == TL_E_NOMEM          ? TL_STOP_MEMORY
                      : s->stop != TL_STOP_DONE ? s->stop
                                                : TL_STOP_CANCEL;
  if (!f->counted) { // else all will see it soon
    if (!f->told_to_stop && tl_post_stop (&f->post, why))
      f->all->abandon (f->all, 3, "no memory to tell the other ranks");
    count_sent (f);
  }
  tl_post_discard (&f->post);
}
