#include "explore/ahead.h"

#include "base/threads.h"
#include "explore/how.h"

enum {
  FIRST_ROOM = 1024,  // successors of a chunk
  HELPER_ROOM = 4096, // that a thread gathers
  STATE_BYTES = 1024, // of a state and its successors, about
  STATE_FINDS = 4     // new ones, of a state, for which there is to be room
};

// A thread and what is its own.
typedef struct helper {
  tl_ahead *ahead;
  tl_worker worker;
  tl_chunk *chunk; // that it expands
  // Its successors, where the worker has no room for them all.
  uint64_t *keys;
  uint32_t *events;
  size_t count, keys_room, events_room;
  uint64_t *room; // of the visitor
  bool shows;     // the visitor wants to see the state
  uint64_t expanded;
} helper;

typedef struct round {
  tl_chunk *chunk; // [most]
  size_t chunks;   // in the end those that have states that are done
} round;

typedef enum job { EXPAND, SETTLE, NUMBER } job;

struct tl_ahead {
  tl_search *search;
  tl_ahead_plan plan;
  tl_threads *team;
  unsigned size;
  helper *helper;        // [size]
  tl_joint_share *share; // [size]
  size_t most;           // chunks of a round
  tl_joint joint;        // with a list for each chunk
  uint32_t key_words;    // of what chunks have room for
  uint64_t found;        // new states of the round before
  bool overlaps;         // chunks are told while others are expanded
  round told, now;
  job job;
  bool telling;             // somebody tells
  tl_visit_verdict verdict; // of who was told
};

// ---- Who may ---------------------------------------------------------------

const char *tl_ahead_refusal (const tl_search *s) {
  const tl_visitor *v = s->visitor;
  return !tl_net_has_arcs (s->net)    ? "a net that is not unfolded has one"
         : v && v->visit && !v->skips ? "who looks at the states has one"
         : s->for_property            ? "stubborn sets for a property have one"
         : s->result->unbounded.transition ? "an unbounded net has one"
         : s->capacities.count             ? "capacities are watched by one"
                                           : 0;
}

static bool has_memory (const tl_search *s) {
  const size_t limit = s->root->limit, used = tl_mem_used (s->root),
               need = (size_t)4 * TL_AHEAD_CHUNKS * s->how->threads *
                      TL_CHUNK_STATES * STATE_BYTES;
  return !limit || (limit > used && limit - used > need);
}

// So few states are not worth it.
static bool are_few (const tl_search *s, uint64_t states) {
  const uint64_t from = s->options->parallel_from;
  return states < (from && from < TL_AHEAD_NARROW ? from : TL_AHEAD_NARROW);
}

bool tl_ahead_pays (const tl_search *s, uint64_t left) {
  return s->how->threads > 1 && !s->one_thread && !are_few (s, left) &&
         tl_search_seen (s) >= s->parallel_from && !tl_ahead_refusal (s);
}

// ---- A chunk ---------------------------------------------------------------

static void close_successors (tl_chunk *c, tl_mem *mem, uint32_t words) {
  TL_DEL (mem, c->numbers, c->room);
  TL_DEL (mem, c->keys, c->room * words);
  TL_DEL (mem, c->at, c->room);
  TL_DEL (mem, c->which, c->room);
  TL_DEL (mem, c->rank, c->room);
  TL_DEL (mem, c->repeat, c->room);
  TL_DEL (mem, c->events, c->room);
  TL_DEL (mem, c->isnew, c->room);
  c->room = 0;
}

// Room for so many; what was there is gone.
static tl_status make_room (tl_chunk *c, tl_mem *mem, uint32_t words,
                            size_t need) {
  size_t room = c->room ? c->room : FIRST_ROOM;
  if (need <= c->room)
    return TL_OK;
  while (room < need)
    room *= 2;
  close_successors (c, mem, words);
  c->room = room;
  if (TL_NEW (mem, c->numbers, room) && TL_NEW (mem, c->keys, room * words) &&
      TL_NEW (mem, c->at, room) && TL_NEW (mem, c->which, room) &&
      TL_NEW (mem, c->rank, room) && TL_NEW (mem, c->repeat, room) &&
      TL_NEW (mem, c->events, room) && TL_NEW (mem, c->isnew, room))
    return TL_OK;
  close_successors (c, mem, words);
  return TL_E_NOMEM;
}

// The worker has no more room: what it has gathered goes elsewhere.
static tl_status hand_on (void *context) {
  helper *h = context;
  tl_worker *w = &h->worker;
  tl_mem *mem = w->plan.mem;
  const size_t count = w->gathered, need = h->count + count;
  if (!TL_ROOM (mem, h->keys, &h->keys_room, need * w->key_words) ||
      !TL_ROOM (mem, h->events, &h->events_room, need))
    return TL_E_NOMEM;
  memcpy (h->keys + h->count * w->key_words, w->keys,
          count * w->key_words * sizeof *w->keys);
  memcpy (h->events + h->count, w->events, count * sizeof *w->events);
  w->gathered = 0;
  h->count = need;
  return TL_OK;
}

// What does not fit is for one thread.
static tl_status leave_it (void *context, uint32_t event) {
  (void)context, (void)event;
  return TL_E_LIMIT;
}

static const tl_worker_hooks hooks = {.put = hand_on, .widen = leave_it};

static tl_status show (void *context, const tl_visit *visit) {
  helper *h = context;
  const tl_visitor *v = visit->search->visitor;
  h->shows = !v->skips (v->context, visit, h->room);
  return TL_OK;
}

static tl_status expand_state (helper *h, uint32_t k) {
  tl_chunk *c = h->chunk;
  tl_worker *w = &h->worker;
  const tl_store *store = w->search->store;
  h->shows = false;
  store->get (store, c->first + k, w->key);
  tl_worker_load (w);
  c->arcs[k] = w->count;
  tl_status rc = tl_worker_visit (w);
  c->followed[k] = w->count;
  if (!rc)
    rc = tl_worker_fire (w, w->enabled, w->count, &hooks, h);
  c->shows[k] = h->shows;
  c->end[k] = (uint32_t)(h->count + w->gathered);
  return rc;
}

// Those states of a chunk whose successors are there, up to `count`; returns
// how many successors these have.
static size_t keep_done (tl_chunk *c, size_t count) {
  while (c->done && c->end[c->done - 1] > count)
    c->done--;
  return c->done ? c->end[c->done - 1] : 0;
}

// The successors, as a list without room for what is found out of them.
static tl_joint_list expand_states (helper *h, tl_chunk *c) {
  tl_worker *w = &h->worker;
  h->chunk = c;
  w->gathered = h->count = c->done = 0;
  while (c->done < c->states && !expand_state (h, c->done))
    c->done++;
  const bool elsewhere = h->count;
  if (elsewhere)
    hand_on (h); // where that fails there are fewer
  return (tl_joint_list){.count =
                             keep_done (c, elsewhere ? h->count : w->gathered),
                         .keys = elsewhere ? h->keys : w->keys};
}

static void expand_chunk (tl_ahead *a, unsigned who, uint32_t number) {
  helper *h = a->helper + who;
  const tl_worker *w = &h->worker;
  tl_chunk *c = a->now.chunk + number;
  tl_joint_list *list = a->joint.list + number;
  *list = expand_states (h, c);
  if (make_room (c, w->plan.mem, w->key_words, list->count))
    list->count = keep_done (c, 0);
  list->number = c->numbers;
  list->which = c->which;
  list->key = c->keys;
  list->at = c->at;
  list->rank = c->rank;
  list->repeat = c->repeat;
  list->isnew = c->isnew;
  tl_joint_look (&a->joint, number, a->share + who);
  list->count = keep_done (c, list->looked);
  const uint32_t *events = list->keys == h->keys ? h->events : w->events;
  for (size_t k = 0; k < list->candidates; k++)
    c->events[k] = events[c->which[k]];
  c->who = who;
  h->expanded += c->done;
}

// Those that are new, for the log.  They stand at the beginning, for what comes
// from the caches of another thread is to be short.
static void keep_found (const tl_joint_list *list, tl_chunk *c) {
  size_t found = 0;
  for (size_t k = 0; found < list->found; k++) {
    c->which[found] = c->which[k];
    c->events[found] = c->events[k];
    found += c->isnew[k];
  }
  c->found = found;
}

// Numbers the successors of a chunk, and makes its arcs ready for the visitor.
static void number_chunk (const tl_ahead *a, uint32_t number) {
  const tl_arcs_apart *apart = a->search->visitor->apart;
  const tl_joint_list *list = a->joint.list + number;
  tl_chunk *c = a->now.chunk + number;
  tl_joint_number (&a->joint, number);
  keep_found (list, c);
  c->ready = c->part && c->done == apart->states &&
             c->first % apart->states == 0 &&
             !apart->make (c->part, list->first, c->numbers, c->end);
}

// ---- A round ---------------------------------------------------------------

static tl_visit_verdict tell_round (tl_ahead *a, round *r) {
  tl_visit_verdict verdict = TL_VISIT_CONTINUE;
  for (size_t i = 0; verdict == TL_VISIT_CONTINUE && i < r->chunks; i++)
    verdict = a->plan.tell (a->plan.order, r->chunk + i);
  return verdict;
}

static bool claim (tl_chunk *c) {
  return !__atomic_exchange_n (&c->claimed, true, __ATOMIC_RELAXED);
}

// Those that a thread has expanded are in its caches: it begins with them.
static void finish_chunks (const tl_ahead *a, unsigned who) {
  for (unsigned others = 0; others < 2; others++)
    for (uint32_t i = 0; i < a->now.chunks; i++) {
      tl_chunk *c = a->now.chunk + i;
      if ((!others && c->who != who) || !claim (c))
        continue;
      if (a->job == SETTLE)
        tl_joint_settle (&a->joint, i);
      else
        number_chunk (a, i);
    }
}

// Writes what the visitor was told of, of the chunks of a thread.
static void write_parts (const tl_ahead *a, unsigned who) {
  const tl_visitor *v = a->search->visitor;
  const round *r = &a->told;
  for (const tl_chunk *c = r->chunk; c < r->chunk + r->chunks; c++)
    if (c->told && c->who == who)
      v->apart->write (v->context, c->part);
}

// States that follow each other have successors in common, which are in the
// caches of who has looked for them: so each thread begins elsewhere.
static void expand_chunks (tl_ahead *a, unsigned who) {
  const size_t chunks = a->now.chunks, first = chunks * who / a->size;
  for (size_t i = 0; i < chunks; i++) {
    const size_t at = first + i < chunks ? first + i : first + i - chunks;
    if (claim (a->now.chunk + at))
      expand_chunk (a, who, (uint32_t)at);
  }
}

static void work (void *context, unsigned who) {
  tl_ahead *a = context;
  if (a->job != EXPAND) {
    finish_chunks (a, who);
    return;
  }
  write_parts (a, who);
  if (!__atomic_exchange_n (&a->telling, true, __ATOMIC_RELAXED))
    a->verdict = tell_round (a, &a->told);
  expand_chunks (a, who);
}

static void run (tl_ahead *a, job what) {
  a->job = what;
  a->telling = false;
  for (size_t i = 0; i < a->now.chunks; i++)
    a->now.chunk[i].claimed = false;
  tl_threads_run (a->team, work, a);
}

// Lays out the states that are next.  A chunk ends with a multiple of what it
// may have.
static uint64_t fill (tl_ahead *a, uint64_t next, uint64_t end) {
  round *r = &a->now;
  uint64_t at = next;
  for (r->chunks = 0; r->chunks < a->most && at < end; r->chunks++) {
    tl_chunk *c = r->chunk + r->chunks;
    const uint64_t rest = end - at,
                   some = TL_CHUNK_STATES - at % TL_CHUNK_STATES;
    c->first = at;
    c->states = (uint32_t)(rest < some ? rest : some);
    c->done = 0;
    at += c->states;
  }
  return at - next;
}

// Nothing from this chunk on is put.
static void cut_from (tl_ahead *a, size_t chunk) {
  for (size_t i = chunk; i < a->now.chunks; i++) {
    a->now.chunk[i].done = 0;
    a->joint.list[i].count = 0;
  }
}

// The first chunk that was not done wholly, and what is behind it, which is
// not put.
static size_t find_cut (tl_ahead *a) {
  const round *r = &a->now;
  size_t cut = 0;
  while (cut < r->chunks && r->chunk[cut].done == r->chunk[cut].states)
    cut++;
  if (cut < r->chunks)
    cut_from (a, cut + 1);
  return cut;
}

// The new ones of each list come behind those of the lists before it.
static uint64_t add_up (tl_ahead *a) {
  const uint64_t before = a->search->store->count;
  uint64_t found = 0;
  for (size_t i = 0; i < a->now.chunks; i++) {
    tl_joint_list *list = a->joint.list + i;
    list->first = before + found;
    found += list->found;
  }
  return found;
}

// Puts the successors that were looked for.  Where there is no memory, none.
static void put_round (tl_ahead *a, bool none) {
  round *r = &a->now;
  size_t cut = none ? 0 : find_cut (a);
  run (a, SETTLE);
  uint64_t found = none ? 0 : add_up (a);
  if (none || tl_joint_room (&a->joint, found)) {
    cut_from (a, cut = 0);
    found = 0;
  }
  run (a, NUMBER);
  for (size_t i = cut; i < r->chunks; i++)
    tl_joint_drop (&a->joint, (uint32_t)i);
  tl_joint_end (&a->joint, found, a->share, a->size);
  a->found = found;
  if (cut < r->chunks)
    r->chunks = cut + (r->chunk[cut].done > 0);
}

// Takes what is done; the next state is the first that is not.
static tl_status take_round (tl_ahead *a, uint64_t *next) {
  tl_search *s = a->search;
  tl_status rc = TL_OK;
  for (tl_chunk *c = a->now.chunk; !rc && c < a->now.chunk + a->now.chunks;
       c++) {
    *next += c->done;
    rc = a->plan.take (a->plan.order, c);
    if (!rc && !a->overlaps)
      rc = tl_search_heed (s, a->plan.tell (a->plan.order, c));
  }
  return rc ? rc : tl_search_poll (s);
}

// Where all chunks are ready the visitor is told of their parts, to be written
// by all with the next round.
static tl_visit_verdict tell_parts (tl_ahead *a) {
  const tl_visitor *v = a->search->visitor;
  const round *r = &a->now;
  tl_visit_verdict verdict = TL_VISIT_CONTINUE;
  bool all = a->overlaps;
  for (size_t i = 0; i < r->chunks; i++)
    all &= r->chunk[i].ready;
  for (tl_chunk *c = r->chunk; c < r->chunk + r->chunks; c++) {
    c->told = all && verdict == TL_VISIT_CONTINUE;
    if (c->told)
      verdict = v->apart->tell (v->context, c->part);
  }
  if (all && verdict == TL_VISIT_CONTINUE)
    v->apart->touch (v->context, a->team);
  return verdict;
}

// What was taken is told with the next round.
static void turn (tl_ahead *a) {
  const round gone = a->told;
  a->told = a->now;
  a->now = gone;
  if (!a->overlaps)
    a->told.chunks = 0;
}

// ---- Threads ---------------------------------------------------------------

static size_t room_words (const tl_search *s) {
  return s->visitor ? s->visitor->skips_room : 0;
}

// What it has counted is counted by who takes the states.
static void close_workers (tl_ahead *a) {
  for (unsigned i = 0; i < a->size; i++) {
    tl_worker *w = &a->helper[i].worker;
    if (w->census.net)
      tl_census_forget (&w->census);
    tl_worker_close (w);
  }
}

static void forget_successors (tl_ahead *a, round *r) {
  for (size_t i = 0; r->chunk && i < a->most; i++)
    close_successors (r->chunk + i, &a->search->engine, a->key_words);
}

// Fields may have become wider since.
static tl_status open_workers (tl_ahead *a) {
  tl_search *s = a->search;
  tl_status rc = TL_OK;
  if (a->key_words != s->code.key_words) {
    forget_successors (a, &a->told);
    forget_successors (a, &a->now);
    a->key_words = s->code.key_words;
  }
  if (a->joint.store != s->store)
    a->joint.keys_ready = 0;
  a->joint.store = s->store;
  a->joint.team = a->team;
  for (unsigned i = 0; !rc && i < a->size; i++)
    rc = tl_worker_open (&a->helper[i].worker, s,
                         &(tl_worker_plan){.mem = &s->engine,
                                           .room = HELPER_ROOM,
                                           .visits = true,
                                           .apart = true,
                                           .show = show,
                                           .order = a->helper + i,
                                           .lists = true,
                                           .events = true});
  return rc;
}

// Without memory for them the visitor is told of arcs as they are.
static void open_parts (tl_ahead *a, round *r) {
  const tl_arcs_apart *apart = a->search->visitor->apart;
  for (size_t i = 0; apart && i < a->most; i++)
    if (apart->open (&r->chunk[i].part, &a->search->engine))
      r->chunk[i].part = 0;
}

static void close_parts (tl_ahead *a, round *r) {
  const tl_arcs_apart *apart = a->search->visitor->apart;
  for (size_t i = 0; r->chunk && i < a->most; i++)
    if (r->chunk[i].part)
      apart->close (r->chunk[i].part);
}

static void close_round (tl_ahead *a, round *r) {
  close_parts (a, r);
  forget_successors (a, r);
  TL_DEL (&a->search->engine, r->chunk, a->most);
}

// Buffers, and what is put.
static void share_accounts (tl_search *s, bool shared) {
  tl_mem_share (&s->engine, shared);
  tl_mem_share (&s->states, shared);
}

static tl_status open_helpers (tl_ahead *a) {
  tl_search *s = a->search;
  tl_status rc = tl_threads_open (&a->team, &s->engine, s->how->threads);
  if (rc)
    return rc;
  const unsigned size = tl_threads_size (a->team);
  if (size < 2 || !TL_NEW (&s->engine, a->helper, size))
    return TL_E_NOMEM;
  a->size = size;
  for (unsigned i = 0; i < size; i++) {
    a->helper[i].ahead = a;
    if (!TL_NEW (&s->engine, a->helper[i].room, room_words (s)))
      return TL_E_NOMEM;
  }
  return TL_NEW (&s->engine, a->share, size) ? TL_OK : TL_E_NOMEM;
}

tl_status tl_ahead_open (tl_ahead **out, tl_search *s,
                         const tl_ahead_plan *plan) {
  tl_ahead *a;
  *out = 0;
  if (!has_memory (s) || !TL_NEW (&s->engine, a, 1))
    return TL_E_NOMEM;
  const size_t most = (size_t)TL_AHEAD_CHUNKS * s->how->threads;
  a->search = s;
  a->plan = *plan;
  a->key_words = s->code.key_words;
  a->most = most < TL_JOINT_LISTS ? most : TL_JOINT_LISTS;
  a->overlaps = !s->visitor->visit;
  share_accounts (s, true);
  tl_status rc = TL_NEW (&s->engine, a->told.chunk, a->most) &&
                         TL_NEW (&s->engine, a->now.chunk, a->most) &&
                         TL_NEW (&s->engine, a->joint.list, a->most)
                     ? open_helpers (a)
                     : TL_E_NOMEM;
  if (rc) {
    tl_ahead_close (a);
    return TL_E_NOMEM;
  }
  open_parts (a, &a->told);
  open_parts (a, &a->now);
  *out = a;
  return TL_OK;
}

// How even the work was, see explore/parallel.c.
static void tell (const tl_ahead *a) {
  tl_exploration *r = a->search->result;
  uint64_t sum = 0, most = 0;
  for (unsigned i = 0; i < a->size; i++) {
    const uint64_t expanded = a->helper[i].expanded;
    sum += expanded;
    most = expanded > most ? expanded : most;
  }
  if (!most)
    return;
  r->threads = a->size;
  r->balance = (double)sum / (double)most / a->size;
}

void tl_ahead_close (tl_ahead *a) {
  if (!a)
    return;
  tl_search *s = a->search;
  tl_mem *mem = &s->engine;
  tell (a);
  tl_threads_close (a->team);
  share_accounts (s, false);
  for (unsigned i = 0; i < a->size; i++) {
    helper *h = a->helper + i;
    TL_DEL (mem, h->room, room_words (s));
    TL_DEL (mem, h->keys, h->keys_room);
    TL_DEL (mem, h->events, h->events_room);
  }
  TL_DEL (mem, a->helper, a->size);
  TL_DEL (mem, a->share, a->size);
  TL_DEL (mem, a->joint.list, a->most);
  close_round (a, &a->told);
  close_round (a, &a->now);
  TL_DEL (mem, a, 1);
}

// ---- Running ---------------------------------------------------------------

// Is there something else to be done for the visitor?
static tl_status give_turn (tl_search *s) {
  const tl_visitor *v = s->visitor;
  return v && v->is_due && v->is_due (v->context, s)
             ? tl_search_heed (s, v->turn (v->context, s))
             : TL_OK;
}

// Goes one round further; `*whole` if all of it was done.
static tl_status run_round (tl_ahead *a, uint64_t *next, uint64_t end,
                            bool *whole) {
  tl_status rc = give_turn (a->search);
  if (rc)
    return rc;
  const uint64_t states = fill (a, *next, end), from = *next;
  if (tl_joint_begin (&a->joint, STATE_FINDS * states))
    return TL_E_ARG;
  tl_joint_prepare (&a->joint, 2 * a->found);
  memset (a->share, 0, a->size * sizeof *a->share);
  run (a, EXPAND);
  a->told.chunks = 0;
  rc = tl_search_heed (a->search, a->verdict);
  put_round (a, rc != TL_OK);
  if (!rc)
    rc = take_round (a, next);
  if (!rc)
    rc = tl_search_heed (a->search, tell_parts (a));
  turn (a);
  *whole = *next - from == states;
  return rc;
}

tl_status tl_ahead_run (tl_ahead *a, uint64_t *next, uint64_t end) {
  tl_search *s = a->search;
  tl_status rc = tl_joint_suits (s->store) ? open_workers (a) : TL_E_ARG;
  for (bool whole = true; !rc && whole && !are_few (s, end - *next);)
    rc = run_round (a, next, end, &whole);
  if (!rc || rc == TL_E_ARG) {
    for (unsigned i = 0; i < a->size; i++)
      write_parts (a, i);
    const tl_status told = tl_search_heed (s, tell_round (a, &a->told));
    rc = told ? told : rc;
  }
  a->told.chunks = 0;
  close_workers (a);
  return rc;
}
