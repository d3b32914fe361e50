#include "explore/together.h"

#include "explore/how.h"
#include "explore/parallel.h"

#include <xxhash.h>

// ---- Agreeing --------------------------------------------------------------

// How bad it is.  What ends the search with a result comes first.
enum { FINE, ENDED, CROWDED, FAILED };

static uint64_t grade (tl_status rc) {
  return !rc                                     ? FINE
         : rc == TL_E_LIMIT || rc == TL_E_CANCEL ? ENDED
         : rc == TL_E_NOMEM                      ? CROWDED
                                                 : FAILED;
}

static tl_status status_of (uint64_t grade) {
  static const tl_status status[] = {TL_OK, TL_E_LIMIT, TL_E_NOMEM, TL_E_IO};
  return status[grade];
}

tl_status tl_together_agree (tl_search *s, tl_status rc) {
  uint64_t most[] = {grade (rc), s->stop};
  s->cluster->raise (s->cluster, most, 2);
  if (most[0] == ENDED)
    s->stop = (tl_stop)most[1];
  return most[0] == grade (rc) ? rc : status_of (most[0]);
}

tl_status tl_together_agree_on (tl_search *s, tl_status rc, tl_error *why) {
  tl_cluster *all = s->cluster;
  uint64_t first = rc ? all->ranks - all->rank : 0;
  tl_error said = *why;
  all->raise (all, &first, 1);
  if (!first)
    return TL_OK;
  all->tell (all, (unsigned)(all->ranks - first), &said, sizeof said);
  if (!rc)
    *why = said;
  return rc ? rc : TL_E_IO;
}

void tl_together_tell (tl_search *s, tl_mem *mem, unsigned char **bytes,
                       size_t *length) {
  tl_cluster *all = s->cluster;
  uint64_t size = *length;
  all->tell (all, 0, &size, sizeof size);
  if (all->rank && !TL_NEW (mem, *bytes, size))
    all->abandon (all, 3, "no memory for what rank 0 tells");
  all->tell (all, 0, *bytes, size);
  *length = size;
}

tl_visit_verdict tl_together_verdict (tl_search *s, tl_visit_verdict verdict) {
  uint64_t said = verdict;
  s->cluster->tell (s->cluster, 0, &said, sizeof said);
  // Nobody counts how long several ranks go on in a net without bounds.
  return s->met && said == TL_VISIT_CONTINUE ? TL_VISIT_GIVE_UP
                                             : (tl_visit_verdict)said;
}

// ---- Preparing -------------------------------------------------------------

// Tells the others some words, of which they do not know how many there are.
static tl_status tell_words (tl_search *s, uint64_t **words, size_t *count,
                             size_t *room) {
  tl_cluster *all = s->cluster;
  uint64_t size = *count;
  all->tell (all, 0, &size, sizeof size);
  if (all->rank && !TL_ROOM (&s->engine, *words, room, size))
    all->abandon (all, 3, "no memory for what rank 0 tells");
  all->tell (all, 0, *words, size * sizeof **words);
  *count = size;
  return TL_OK;
}

static bool add (tl_search *s, uint64_t **words, size_t *count, size_t *room,
                 uint64_t word) {
  if (!TL_ROOM (&s->engine, *words, room, *count + 1))
    return false;
  (*words)[(*count)++] = word;
  return true;
}

// Bounds and semiflows: all that keys depend on and that takes time to find.
static bool write_structure (tl_search *s, const tl_structure *known,
                             uint64_t **words, size_t *count, size_t *room) {
  const tl_semiflows *f = &known->semiflows;
  bool ok = add (s, words, count, room, known->semiflows_extended);
  for (uint32_t p = 0; ok && p < s->net->places; p++)
    ok = add (s, words, count, room, known->bound[p]) &&
         add (s, words, count, room, known->source[p]);
  ok = ok && add (s, words, count, room, f->count);
  for (size_t i = 0; ok && i < f->count; i++) {
    const tl_vector v = tl_semiflows_terms (f, i);
    ok = add (s, words, count, room, v.count);
    for (uint32_t k = 0; ok && k < v.count; k++)
      ok = add (s, words, count, room, v.term[k].index) &&
           add (s, words, count, room, (uint64_t)v.term[k].factor);
  }
  return ok;
}

static tl_status read_semiflow (tl_search *s, tl_structure *known,
                                const uint64_t *word, uint32_t count) {
  tl_semiflow_kind kind;
  tl_entry *term;
  if (!TL_NEW (&s->engine, term, count))
    return TL_E_NOMEM;
  for (uint32_t k = 0; k < count; k++)
    term[k] = (tl_entry){.index = (uint32_t)word[2 * k],
                         .factor = (int64_t)word[2 * k + 1]};
  const tl_status rc = tl_semiflows_add (&known->semiflows, term, count, &kind);
  TL_DEL (&s->engine, term, count);
  return rc;
}

static tl_status read_structure (tl_search *s, tl_structure *known,
                                 const uint64_t *word) {
  tl_status rc = TL_OK;
  known->semiflows_extended = *word++;
  for (uint32_t p = 0; p < s->net->places; p++) {
    known->bounds.bound[p] = *word++;
    known->bounds.source[p] = (uint8_t)*word++;
  }
  while (known->semiflows.count)
    tl_semiflows_drop_last (&known->semiflows);
  const uint64_t semiflows = *word++;
  for (uint64_t i = 0; !rc && i < semiflows; i++) {
    const uint32_t count = (uint32_t)*word++;
    rc = read_semiflow (s, known, word, count);
    word += 2 * (size_t)count;
  }
  return rc;
}

tl_status tl_together_study (tl_search *s, tl_structure *known) {
  uint64_t *words = 0;
  size_t count = 0, room = 0;
  if (!s->cluster->rank && !write_structure (s, known, &words, &count, &room))
    s->cluster->abandon (s->cluster, 3, "no memory for the other ranks");
  tl_status rc = tell_words (s, &words, &count, &room);
  if (s->cluster->rank)
    rc = read_structure (s, known, words);
  TL_DEL (&s->engine, words, room);
  return rc;
}

// What keys look like: the initial one, what each transition adds to it, and
// which layouts can still follow.
static uint64_t hash_of_keys (tl_search *s) {
  uint64_t hash = XXH3_64bits (s->width, s->net->places), *state = 0, *key = 0;
  const size_t words = s->layout.words, key_words = s->code.key_words;
  hash = XXH3_64bits_withSeed (s->most, s->net->places * sizeof *s->most, hash);
  const bool room =
      TL_NEW (&s->engine, state, words) && TL_NEW (&s->engine, key, key_words);
  const tl_status rc = room ? tl_search_initial (s, state) : TL_E_NOMEM;
  if (rc == TL_E_NOMEM)
    s->cluster->abandon (s->cluster, 3, "no memory to begin");
  if (!rc) {
    tl_code_key (&s->code, state, key);
    hash = XXH3_64bits_withSeed (key, key_words * sizeof *key, hash);
    for (uint32_t t = 0; t < s->net->transitions; t++) {
      tl_code_steps (&s->code, key, &t, 1, key);
      hash = XXH3_64bits_withSeed (key, key_words * sizeof *key, hash);
    }
  }
  TL_DEL (&s->engine, state, words);
  TL_DEL (&s->engine, key, key_words);
  return hash ^ s->code.key_bits ^ (uint64_t) !!s->result->unbounded.transition;
}

tl_status tl_together_opened (tl_search *s, tl_status rc) {
  if ((rc = tl_together_agree (s, rc)))
    return rc;
  const uint64_t mine = hash_of_keys (s);
  uint64_t first = mine;
  s->cluster->tell (s->cluster, 0, &first, sizeof first);
  if (first != mine)
    s->cluster->abandon (s->cluster, 4, "it makes other keys than rank 0");
  return TL_OK;
}

// ---- From each for itself to all together ----------------------------------

tl_status tl_together_meet (tl_search *s, bool goes_on, tl_status rc) {
  tl_cluster *all = s->cluster;
  uint64_t stays = !goes_on,
           sums[] = {goes_on, tl_parallel_threads (s), s->sleep.row != 0},
           most[] = {grade (rc), s->stop, s->store ? s->store->count : 0};
  const uint64_t count = most[2];
  s->met = true;
  all->tell (all, 0, &stays, sizeof stays);
  all->add_up (all, sums, 3);
  all->raise (all, most, 3);
  if (stays ||
      !goes_on) // the first rank has all, or there is nothing to be had
    return goes_on ? TL_E_LIMIT : rc;
  if (sums[0] < all->ranks) { // somebody could not come so far
    s->stop = most[0] == CROWDED ? TL_STOP_MEMORY : (tl_stop)most[1];
    return most[0] == CROWDED ? TL_E_NOMEM : TL_E_LIMIT;
  }
  // Without memory for sleep sets it has found states in another order.
  if (sums[2] % all->ranks) {
    s->stop = TL_STOP_MEMORY;
    return TL_E_NOMEM;
  }
  s->all_threads = sums[1];
  if (all->rank)
    tl_census_forget (&s->census); // the first rank has counted these
  if (most[2] != count)
    all->abandon (all, 4, "it has found fewer states than another rank");
  if ((rc = tl_together_brief (s)))
    return rc;
  if (all->rank)
    s->visitor = s->watch.visit ? &s->watch : 0;
  return TL_OK;
}

tl_status tl_together_brief (tl_search *s) {
  const tl_visitor *v = s->visitor;
  uint64_t *words = 0;
  size_t count = 0, room = 0;
  tl_status rc = TL_OK;
  if (!s->cluster->rank && v && v->brief)
    rc = v->brief (v->context, &s->engine, &words, &count, &room);
  if ((rc = tl_together_agree (s, rc)))
    return rc;
  tell_words (s, &words, &count, &room);
  if (s->lookout)
    s->lookout->close (&s->watch);
  s->watch = (tl_visitor){0};
  if (count)
    rc = s->lookout->open (&s->watch, &s->engine, s->net, words, count);
  TL_DEL (&s->engine, words, room);
  return tl_together_agree (s, rc);
}

// ---- Adding up -------------------------------------------------------------

static void add_up_memory (tl_search *s) {
  tl_mem *const account[] = {&s->states, &s->queue, &s->trace, &s->engine};
  enum { ACCOUNTS = sizeof account / sizeof *account };
  uint64_t peak[ACCOUNTS];
  for (size_t i = 0; i < ACCOUNTS; i++)
    peak[i] = account[i]->peak;
  s->cluster->add_up (s->cluster, peak, ACCOUNTS);
  for (size_t i = 0; !s->cluster->rank && i < ACCOUNTS; i++)
    account[i]->peak = peak[i];
}

// Some transitions at a time.
static void add_up_fired (tl_search *s) {
  enum { SOME = 256 };
  uint8_t *fired = s->census.fired;
  for (uint32_t t = 0; t < s->net->transitions; t += SOME) {
    const uint32_t left = s->net->transitions - t,
                   count = left < SOME ? left : SOME;
    uint64_t some[SOME];
    for (uint32_t i = 0; i < count; i++)
      some[i] = fired[t + i];
    s->cluster->raise (s->cluster, some, count);
    for (uint32_t i = 0; i < count; i++)
      fired[t + i] = (uint8_t)some[i];
  }
}

// How even the work was.
static void tell_balance (tl_search *s) {
  tl_exploration *r = s->result;
  uint64_t sum = s->visits, most = s->visits, threads = r->threads;
  s->cluster->add_up (s->cluster, &sum, 1);
  s->cluster->raise (s->cluster, &most, 1);
  s->cluster->raise (s->cluster, &threads, 1);
  s->cluster->add_up (s->cluster, s->sent, 3);
  r->rank_sent = s->sent[0];
  r->rank_bytes = s->sent[1];
  r->rank_blocks = s->sent[2];
  r->ranks = s->cluster->ranks;
  r->threads = (uint32_t)threads;
  r->rank_balance = most ? (double)sum / (double)most / s->cluster->ranks : 1;
}

void tl_together_add_up (tl_search *s) {
  tl_cluster *all = s->cluster;
  tl_census *c = &s->census;
  const uint64_t stored = s->store ? s->store->count : s->found;
  uint64_t sums[] = {c->states,    c->arcs, c->followed,
                     c->deadlocks, stored,  s->spilled};
  all->add_up (all, sums, sizeof sums / sizeof *sums);
  c->states = sums[0];
  c->arcs = sums[1];
  c->followed = sums[2];
  c->deadlocks = sums[3];
  s->elsewhere = sums[4] - stored;
  s->spilled = sums[5];
  all->raise (all, &c->max_tokens, 1);
  all->raise (all, c->place_max, s->net->places);
  add_up_fired (s);
  add_up_memory (s);
  tell_balance (s);
}
