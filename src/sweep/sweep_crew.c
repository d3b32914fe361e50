// Several threads sweep: which layers they put states into, and what is done by
// one of them while the others wait.

#include "sweep/sweep_crew.h"

#include "base/tuning.h"
#include "explore/ahead.h"
#include "explore/how.h"

enum { SHARDS = 4 }; // of a layer, for each thread

// ---- Where successors belong -----------------------------------------------

// The layer of such a value, if it is not behind the line and is open.
static tl_layer *layer_of (const tl_sweeping *w, const int64_t *value) {
  if (tl_layers_compare (&w->layers, value, w->line->value) < 0)
    return 0;
  tl_layer *layer = tl_layers_find (&w->layers, value);
  return layer && layer->open ? layer : 0;
}

// Does a state of such a value become persistent?
static bool is_behind (const tl_sweeping *w, const int64_t *value) {
  return !w->layers.archive && !w->by_layer && !w->search->options->monotone &&
         tl_layers_compare (&w->layers, value, w->line->value) < 0 &&
         tl_sweep_gone (w, value);
}

// Its states, if they have shards; those of a small layer get some.
static tl_store *shards_of (const tl_sweep_crew *c, tl_layer *layer) {
  const tl_pool_kind *kind = &c->sweep->layers.kind;
  tl_pool *states = &layer->states;
  if (!states->store && states->count >= TL_SWEEP_SHARDED &&
      tl_pool_enlarge (states, kind))
    return 0;
  const tl_store *store = states->store;
  // Layers that were filled in a sweep before have another salt.
  return store && store->spec.owner_bits == c->shard_bits &&
                 store->spec.salt == kind->spec.salt
             ? states->store
             : 0;
}

static uint16_t add_lead (tl_sweep_crew *c, tl_layer *layer) {
  for (uint32_t i = 0; i < c->leads; i++)
    if (c->layer[i] == layer)
      return (uint16_t)i;
  tl_store *store = c->leads < c->room ? shards_of (c, layer) : 0;
  if (!store)
    return TL_DEAL_NOWHERE;
  c->layer[c->leads] = layer;
  c->shards[c->leads] = (tl_shards *)store;
  return (uint16_t)c->leads++;
}

static void find_lead (tl_sweep_crew *c, uint32_t class) {
  const tl_sweeping *w = c->sweep;
  int64_t value[TL_MEASURE_PARTS];
  c->lead_of[class] = TL_DEAL_NOWHERE;
  c->behind[class] = false;
  for (uint32_t i = 0; i < w->layers.parts; i++)
    if (__builtin_add_overflow (w->line->value[i], w->offset[class][i],
                                value + i))
      return;
  tl_layer *layer = layer_of (w, value);
  c->behind[class] = is_behind (w, value);
  if (layer)
    c->lead_of[class] = add_lead (c, layer);
}

static void find_leads (tl_sweep_crew *c) {
  c->leads = 0;
  for (uint32_t i = 0; i < c->sweep->classes; i++)
    find_lead (c, i);
}

// ---- Alone -----------------------------------------------------------------

// The layers learn what was put into them.
static void settle (tl_sweep_crew *c) {
  tl_sweeping *w = c->sweep;
  for (uint32_t i = 0; i < c->leads; i++) {
    uint64_t added = 0, kept = 0;
    for (tl_sweep_mate *m = c->mate; m < c->mate + c->size; m++) {
      added += m->added[i];
      kept += m->kept[i];
      m->added[i] = m->kept[i] = 0;
    }
    tl_shards_add (c->shards[i], added);
    tl_layers_settle (&w->layers, c->layer[i], added, kept);
  }
  for (tl_sweep_mate *m = c->mate; m < c->mate + c->size; m++)
    w->lost |= m->lost;
  tl_expand_tell (w);
}

// A successor that has waited.
static tl_status take_waiting (tl_sweep_mate *m, size_t i) {
  tl_sweeping *w = m->crew->sweep;
  tl_status rc;
  if (!m->is_put[i])
    return tl_expand_gather (w, m->worker.keys + i * w->key_words,
                             m->worker.events + i, m->origin + i, 1);
  while ((rc = tl_sweep_mate_list (m, i)) == TL_E_NOMEM && tl_sweep_relieve (w))
    continue;
  return rc;
}

// What was left: first those that may be freed on the way.
static tl_status take_all_waiting (tl_sweep_crew *c) {
  tl_status rc = TL_OK;
  for (int put = 1; put >= 0; put--)
    for (tl_sweep_mate *m = c->mate; m < c->mate + c->size; m++)
      for (size_t i = 0; !rc && i < m->waits; i++)
        if (m->is_put[i] == put)
          rc = take_waiting (m, i);
  for (tl_sweep_mate *m = c->mate; m < c->mate + c->size; m++)
    m->waits = m->worker.gathered = 0;
  return rc ? rc : tl_expand_distribute (c->sweep);
}

static void close_mates (tl_sweep_crew *c) {
  for (tl_sweep_mate *m = c->mate; m < c->mate + c->size; m++)
    tl_sweep_mate_close (m);
}

static tl_status open_mates (tl_sweep_crew *c) {
  tl_status rc = TL_OK;
  for (tl_sweep_mate *m = c->mate; !rc && m < c->mate + c->size; m++)
    rc = tl_sweep_mate_open (m);
  if (rc)
    close_mates (c);
  return rc;
}

static size_t count_aside (const tl_sweep_crew *c) {
  size_t count = 0;
  for (unsigned i = 0; i < c->size; i++)
    count += c->mate[i].aside;
  return count;
}

// All that were put aside, in one list.
static tl_status gather_aside (tl_sweep_crew *c, size_t count) {
  tl_mem *mem = &c->sweep->search->engine;
  const uint32_t words = c->sweep->key_words + 1;
  if (!TL_NEW (mem, c->aside, count * words))
    return TL_E_NOMEM;
  c->aside_words = count * words;
  uint64_t *at = c->aside;
  for (tl_sweep_mate *m = c->mate; m < c->mate + c->size; m++) {
    tl_copy_words (at, m->record, m->aside * words);
    at += m->aside * words;
    m->aside = 0;
  }
  return TL_OK;
}

tl_status tl_sweep_crew_move (tl_sweep_crew *c, const tl_widening *how) {
  tl_mem *mem = &c->sweep->search->engine;
  const uint32_t words = c->sweep->key_words, old_words = how->code.key_words;
  const size_t count = c->aside_words / (old_words + 1),
               room = count * (words + 1);
  uint64_t *list;
  if (!count)
    return TL_OK;
  if (!TL_NEW (mem, list, room))
    return TL_E_NOMEM;
  for (size_t i = 0; i < count; i++) {
    const uint64_t *old = c->aside + i * (old_words + 1);
    uint64_t *record = list + i * (words + 1);
    tl_widening_key (how, old, record);
    record[words] = old[old_words];
  }
  TL_DEL (mem, c->aside, c->aside_words);
  c->aside = list;
  c->aside_words = room;
  return TL_OK;
}

// Expands the states that were put aside, as if there were one thread; fields
// may get wider, and then these records move, too.
static tl_status expand_aside (tl_sweep_crew *c) {
  tl_sweeping *w = c->sweep;
  const size_t count = count_aside (c);
  tl_status rc = TL_OK;
  if (!count)
    return TL_OK;
  while ((rc = gather_aside (c, count)) && tl_sweep_relieve (w))
    continue;
  close_mates (c);
  for (size_t i = 0; !rc && i < count; i++) {
    const uint32_t words = w->key_words + 1;
    tl_copy_words (w->worker.key, c->aside + i * words, words);
    rc = tl_expand_here (w);
    if (!rc && (w->worker.gathered >= w->room / 2))
      rc = tl_expand_distribute (w);
  }
  TL_DEL (&w->search->engine, c->aside, c->aside_words);
  c->aside_words = 0;
  if (!rc)
    rc = tl_expand_distribute (w);
  return rc ? rc : open_mates (c);
}

// ---- The crew --------------------------------------------------------------

static void share_accounts (tl_search *s, bool shared) {
  tl_mem *const account[] = {&s->engine, &s->states, &s->queue, &s->trace};
  for (size_t i = 0; i < sizeof account / sizeof *account; i++)
    tl_mem_share (account[i], shared);
}

// Is there something else to be done for the visitor?
static tl_status give_turn (tl_search *s) {
  const tl_visitor *v = s->visitor;
  return v && v->is_due && v->is_due (v->context, s)
             ? tl_search_heed (s, v->turn (v->context, s))
             : TL_OK;
}

// All expand states of the line, until there is something for one alone, or
// nothing is left.
static tl_status run (tl_sweep_crew *c) {
  tl_sweeping *w = c->sweep;
  find_leads (c);
  c->over = c->halt = false;
  c->rc = TL_OK;
  c->wants_dead = !w->worker.census.deadlocks;
  share_accounts (w->search, true);
  tl_threads_run (c->team, tl_sweep_mate_work, c);
  share_accounts (w->search, false);
  settle (c);
  tl_status rc = take_all_waiting (c);
  if (!rc)
    rc = expand_aside (c);
  if (!rc)
    rc = c->rc;
  if (rc == TL_E_NOMEM && c->rc == rc && tl_sweep_relieve (w))
    rc = TL_OK;
  return rc ? rc : give_turn (w->search);
}

static uint64_t left (tl_sweeping *w) {
  return tl_layers_line (&w->layers) == w->line
             ? tl_layer_left (w->line) + tl_layer_checked (w->line)
             : 0;
}

tl_status tl_sweep_run_crew (tl_sweeping *w) {
  tl_sweep_crew *c = w->crew;
  tl_status rc = open_mates (c);
  if (rc) {
    w->no_crew = true;
    return TL_OK;
  }
  while (!rc && !tl_sweep_is_due (w) && tl_ahead_pays (w->search, left (w)))
    rc = tl_layer_left (w->line) ? run (c) : tl_expand_check (w);
  close_mates (c);
  return rc;
}

// Shards of each layer, as a power of two.
static unsigned shard_bits (const tl_search *s) {
  unsigned bits = 1;
  while ((1u << bits) < SHARDS * s->how->threads &&
         bits + 1 < s->code.key_bits && bits < TL_SHARD_BITS)
    bits++;
  return bits;
}

// Stores of layers that become large have so many shards from now on.
static void set_shards (tl_sweeping *w, unsigned bits) {
  tl_search *s = w->search;
  s->owner_bits = s->spec.owner_bits = w->layers.kind.spec.owner_bits = bits;
}

static bool has_memory (const tl_search *s) {
  const size_t limit = s->root->limit, used = tl_mem_used (s->root),
               each = TL_MATE_ROOM * (3 * s->code.key_words + 5) * 8;
  return !limit || (limit > used && limit - used > 8 * s->how->threads * each);
}

// What it takes beside the mates' own.
static tl_status open_parts (tl_sweep_crew *c) {
  const tl_sweeping *w = c->sweep;
  tl_search *s = w->search;
  tl_mem *mem = &s->engine;
  const size_t room = s->visitor ? s->visitor->skips_room : 0;
  if (tl_threads_open (&c->team, mem, s->how->threads))
    return TL_E_NOMEM;
  const unsigned size = tl_threads_size (c->team);
  if (size < 2 || !TL_NEW (mem, c->lead_of, w->classes) ||
      !TL_NEW (mem, c->behind, w->classes) ||
      !TL_NEW (mem, c->layer, c->room) || !TL_NEW (mem, c->shards, c->room) ||
      !TL_NEW (mem, c->mate, size))
    return TL_E_NOMEM;
  c->size = size;
  for (unsigned i = 0; i < size; i++) {
    c->mate[i].crew = c;
    c->mate[i].who = i;
    if (!TL_NEW (mem, c->mate[i].room, room))
      return TL_E_NOMEM;
  }
  return TL_OK;
}

static tl_status open_crew (tl_sweeping *w) {
  tl_search *s = w->search;
  const unsigned bits = shard_bits (s);
  const uint32_t most = ((uint32_t)TL_DEAL_NOWHERE >> bits) - 1;
  tl_sweep_crew *c;
  if (!has_memory (s) || !TL_NEW (&s->engine, c, 1))
    return TL_E_NOMEM;
  *c = (tl_sweep_crew){.sweep = w,
                       .shard_bits = bits,
                       .room = w->classes < most ? w->classes : most};
  w->crew = c;
  pthread_mutex_init (&c->desk, 0);
  pthread_cond_init (&c->more, 0);
  set_shards (w, bits);
  const tl_status rc = open_parts (c);
  if (rc)
    tl_sweep_close_crew (w);
  return rc;
}

// How even the work was, see explore/parallel.c.
static void tell (const tl_sweep_crew *c) {
  tl_exploration *r = c->sweep->search->result;
  uint64_t sum = 0, most = 0;
  for (unsigned i = 0; i < c->size; i++) {
    const uint64_t expanded = c->mate[i].expanded;
    sum += expanded;
    most = expanded > most ? expanded : most;
  }
  if (!most)
    return;
  r->threads = c->size;
  r->balance = (double)sum / (double)most / c->size;
}

void tl_sweep_close_crew (tl_sweeping *w) {
  tl_sweep_crew *c = w->crew;
  tl_search *s = w->search;
  tl_mem *mem = &s->engine;
  if (!c)
    return;
  tell (c);
  tl_threads_close (c->team);
  for (unsigned i = 0; i < c->size; i++)
    TL_DEL (mem, c->mate[i].room, s->visitor ? s->visitor->skips_room : 0);
  TL_DEL (mem, c->mate, c->size);
  TL_DEL (mem, c->lead_of, w->classes);
  TL_DEL (mem, c->behind, w->classes);
  TL_DEL (mem, c->layer, c->room);
  TL_DEL (mem, c->shards, c->room);
  pthread_mutex_destroy (&c->desk);
  pthread_cond_destroy (&c->more);
  set_shards (w, 0);
  TL_DEL (mem, c, 1);
  w->crew = 0;
}

bool tl_sweep_has_crew (tl_sweeping *w) {
  tl_search *s = w->search;
  if (s->spec.numbered || w->no_crew || s->code.key_bits < 3 ||
      !tl_ahead_pays (s, left (w)))
    return false;
  if (!w->class_of)
    s->one_thread = "a measure that is not linear has one";
  else
    w->no_crew = !w->crew && open_crew (w);
  return w->class_of && !w->no_crew;
}
