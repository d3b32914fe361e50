#include "structure/exclude.h"

#include "base/budget.h"

#include <stdlib.h>

typedef enum { OPEN, MARKED, EMPTY } fate;

// Sets of places that share one token, a set for each semiflow that has one,
// and what is known of them while one place is taken for marked.
typedef struct solver {
  tl_mem *mem;
  uint32_t places;
  size_t sets;
  uint64_t *set_first; // [sets + 1] of its members
  uint32_t *member;
  bool *full;         // [sets] one of the members is marked, always
  uint64_t *of_first; // [places + 1]
  uint32_t *of;       // the sets that a place is in
  size_t members;
  // [places * words] row p, bit q: if p is marked so is q; and the other way
  // round, if p is empty so is q
  uint64_t *marks, *empties;
  size_t words;
  uint32_t *shared; // [sets] members in common with the set at hand
  uint32_t *left;   // [sets] members that may be marked
  uint8_t *known;   // [places] a fate
  uint32_t *queue;
  uint32_t queued;
  uint64_t work;
} solver;

// Is the place in the set of its semiflow?  One that is too light does not
// exclude others, and one that is too heavy is never marked.
static bool counts (const tl_semiflow *f, tl_entry e) {
  const uint64_t weight = (uint64_t)e.factor;
  return weight > f->tokens / 2 && weight <= f->tokens;
}

static tl_status open_solver (solver *s, tl_mem *mem,
                              const tl_semiflows *semiflows, uint32_t places) {
  *s = (solver){.mem = mem,
                .places = places,
                .sets = semiflows->count,
                .words = ((size_t)places + 63) / 64};
  for (size_t i = 0; i < semiflows->count; i++)
    for (uint32_t k = 0; k < semiflows->semiflow[i].count; k++)
      s->members += counts (semiflows->semiflow + i,
                            tl_semiflows_terms (semiflows, i).term[k]);
  return TL_NEW (mem, s->set_first, s->sets + 1) &&
                 TL_NEW (mem, s->member, s->members) &&
                 TL_NEW (mem, s->full, s->sets) &&
                 TL_NEW (mem, s->of_first, (size_t)places + 1) &&
                 TL_NEW (mem, s->of, s->members) &&
                 TL_NEW (mem, s->marks, places * s->words) &&
                 TL_NEW (mem, s->empties, places * s->words) &&
                 TL_NEW (mem, s->shared, s->sets) &&
                 TL_NEW (mem, s->left, s->sets) &&
                 TL_NEW (mem, s->known, places) &&
                 TL_NEW (mem, s->queue, places)
             ? TL_OK
             : TL_E_NOMEM;
}

static void close_solver (solver *s) {
  TL_DEL (s->mem, s->set_first, s->sets + 1);
  TL_DEL (s->mem, s->member, s->members);
  TL_DEL (s->mem, s->full, s->sets);
  TL_DEL (s->mem, s->of_first, (size_t)s->places + 1);
  TL_DEL (s->mem, s->of, s->members);
  TL_DEL (s->mem, s->marks, s->places * s->words);
  TL_DEL (s->mem, s->empties, s->places * s->words);
  TL_DEL (s->mem, s->shared, s->sets);
  TL_DEL (s->mem, s->left, s->sets);
  TL_DEL (s->mem, s->known, s->places);
  TL_DEL (s->mem, s->queue, s->places);
}

static void fill_sets (solver *s, const tl_semiflows *semiflows) {
  uint64_t n = 0;
  for (size_t i = 0; i < semiflows->count; i++) {
    const tl_semiflow *f = semiflows->semiflow + i;
    const tl_vector y = tl_semiflows_terms (semiflows, i);
    s->full[i] = f->kind == TL_SEMIFLOW_EXACT && f->tokens == 1;
    for (uint32_t k = 0; k < y.count; k++)
      if (counts (f, y.term[k])) {
        s->member[n++] = y.term[k].index;
        s->of_first[y.term[k].index + 1]++;
      }
    s->set_first[i + 1] = n;
    s->left[i] = (uint32_t)(n - s->set_first[i]);
  }
  for (uint32_t p = 0; p < s->places; p++)
    s->of_first[p + 1] += s->of_first[p];
}

// While a list is filled, entry p + 1 says where it goes on; in the end that is
// where the next list begins.
static void fill_lists (solver *s) {
  for (uint32_t p = s->places; p > 0; p--)
    s->of_first[p] = s->of_first[p - 1];
  s->of_first[0] = 0;
  for (size_t i = 0; i < s->sets; i++)
    for (uint64_t k = s->set_first[i]; k < s->set_first[i + 1]; k++)
      s->of[s->of_first[s->member[k] + 1]++] = (uint32_t)i;
}

static void set_bit (const solver *s, uint64_t *rows, uint32_t p, uint32_t q) {
  rows[p * s->words + q / 64] |= (uint64_t)1 << q % 64;
}

// All of a full set but one place are in another set, too: if a place that only
// the other one has is marked, those are empty, and the one is marked.
static void compare_sets (solver *s, size_t full, uint32_t other) {
  uint32_t one = 0;
  const uint64_t end = s->set_first[other + 1];
  s->work += 2 * (end - s->set_first[other]);
  for (uint64_t k = s->set_first[other]; k < end; k++)
    s->known[s->member[k]] = MARKED;
  for (uint64_t k = s->set_first[full]; k < s->set_first[full + 1]; k++) {
    if (s->known[s->member[k]] == OPEN)
      one = s->member[k];
    s->known[s->member[k]] = OPEN;
  }
  for (uint64_t k = s->set_first[other]; k < end; k++) {
    const uint32_t p = s->member[k];
    if (s->known[p] == MARKED) {
      set_bit (s, s->marks, p, one);
      set_bit (s, s->empties, one, p);
    }
    s->known[p] = OPEN;
  }
}

// Counts what each other set has in common with a full one, twice: the second
// time back to zero.
static void find_implications (solver *s, uint64_t work) {
  for (size_t i = 0; i < s->sets && s->work <= work; i++) {
    const uint64_t first = s->set_first[i], end = s->set_first[i + 1];
    const uint32_t size = (uint32_t)(end - first);
    for (uint64_t k = first; s->full[i] && k < end; k++)
      for (uint64_t n = s->of_first[s->member[k]];
           n < s->of_first[s->member[k] + 1]; n++, s->work++)
        s->shared[s->of[n]]++;
    for (uint64_t k = first; s->full[i] && k < end; k++)
      for (uint64_t n = s->of_first[s->member[k]];
           n < s->of_first[s->member[k] + 1]; n++) {
        if (size > 1 && s->shared[s->of[n]] == size - 1)
          compare_sets (s, i, s->of[n]);
        s->shared[s->of[n]] = 0;
      }
  }
}

static void learn (solver *s, uint32_t place, fate what) {
  if (s->known[place] != OPEN)
    return;
  s->known[place] = (uint8_t)what;
  s->queue[s->queued++] = place;
}

// A place is marked: the others of the set are empty.
static void empty_others (solver *s, uint32_t set, uint32_t place) {
  s->work += s->set_first[set + 1] - s->set_first[set];
  for (uint64_t k = s->set_first[set]; k < s->set_first[set + 1]; k++)
    if (s->member[k] != place)
      learn (s, s->member[k], EMPTY);
}

// A place is empty: if only one of the set is left, it is marked.
static void look_for_last (solver *s, uint32_t set) {
  s->work++;
  if (--s->left[set] != 1 || !s->full[set])
    return;
  s->work += s->set_first[set + 1] - s->set_first[set];
  for (uint64_t k = s->set_first[set]; k < s->set_first[set + 1]; k++)
    learn (s, s->member[k], MARKED);
}

static void learn_row (solver *s, const uint64_t *rows, uint32_t p, fate what) {
  s->work += s->words;
  for (size_t w = 0; w < s->words; w++)
    for (uint64_t left = rows[p * s->words + w]; left; left &= left - 1)
      learn (s, (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll (left), what);
}

// Finds what follows if the place is marked.  Should that contradict itself the
// place is never marked, and then excludes whatever was found.
static void suppose (solver *s, uint32_t place) {
  s->queued = 0;
  learn (s, place, MARKED);
  for (uint32_t i = 0; i < s->queued; i++) {
    const uint32_t p = s->queue[i];
    const bool marked = s->known[p] == MARKED;
    learn_row (s, marked ? s->marks : s->empties, p, marked ? MARKED : EMPTY);
    for (uint64_t k = s->of_first[p]; k < s->of_first[p + 1]; k++)
      if (marked)
        empty_others (s, s->of[k], p);
      else
        look_for_last (s, s->of[k]);
  }
}

static void forget (solver *s) {
  for (uint32_t i = 0; i < s->queued; i++) {
    const uint32_t p = s->queue[i];
    for (uint64_t k = s->of_first[p];
         s->known[p] == EMPTY && k < s->of_first[p + 1]; k++)
      s->left[s->of[k]]++;
    s->known[p] = OPEN;
  }
}

static void set_pair (tl_exclusion *e, uint32_t p, uint32_t q) {
  e->bits[p * e->words + q / 64] |= (uint64_t)1 << q % 64;
  e->bits[q * e->words + p / 64] |= (uint64_t)1 << p % 64;
}

tl_status tl_exclusion_open (tl_exclusion *e, tl_mem *mem,
                             const tl_semiflows *semiflows, uint32_t places,
                             uint64_t work) {
  *e = (tl_exclusion){
      .mem = mem, .places = places, .words = ((size_t)places + 63) / 64};
  if (places > TL_EXCLUSION_PLACES)
    return TL_OK;
  solver s;
  tl_status rc = open_solver (&s, mem, semiflows, places);
  if (!rc && !TL_NEW (mem, e->bits, places * e->words))
    rc = TL_E_NOMEM;
  if (!rc) {
    fill_sets (&s, semiflows);
    fill_lists (&s);
    find_implications (&s, work);
  }
  for (uint32_t p = 0; !rc && p < places && s.work <= work; p++) {
    if (tl_budget_look (mem))
      s.work = work + 1; // it is too late
    suppose (&s, p);
    for (uint32_t i = 0; i < s.queued; i++)
      if (s.known[s.queue[i]] == EMPTY)
        set_pair (e, p, s.queue[i]);
    forget (&s);
  }
  const bool given_up = s.work > work;
  close_solver (&s);
  if (rc || given_up)
    tl_exclusion_close (e);
  return rc;
}

void tl_exclusion_close (tl_exclusion *e) {
  TL_DEL (e->mem, e->bits, e->places * e->words);
  e->bits = 0;
}

// ---- Groups ----------------------------------------------------------------

// Groups as they grow: the places that exclude all members, how many members
// there are, and the group of each place.
typedef struct gathering {
  uint64_t *order;    // [places] what excludes most others comes first
  uint64_t *may_join; // [groups * words]
  uint32_t *size;     // [groups]
  uint32_t *group_of; // [places]
  uint32_t groups;
} gathering;

static void join (gathering *g, const tl_exclusion *e, uint32_t p,
                  uint32_t group) {
  uint64_t *may = g->may_join + group * e->words;
  const uint64_t *row = e->bits + p * e->words;
  for (size_t w = 0; w < e->words; w++)
    may[w] = g->size[group] ? may[w] & row[w] : row[w];
  g->size[group]++;
  g->group_of[p] = group;
  g->groups += group == g->groups;
}

static int compare (const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

// Places that exclude few others would keep the many from joining.
static void put_in_order (gathering *g, const tl_exclusion *e) {
  for (uint32_t p = 0; p < e->places; p++) {
    uint64_t others = 0;
    for (size_t w = 0; w < e->words; w++)
      others += (unsigned)__builtin_popcountll (e->bits[p * e->words + w]);
    g->order[p] = (UINT32_MAX - others) << 32 | p;
  }
  qsort (g->order, e->places, sizeof *g->order, compare);
}

static void gather (gathering *g, const tl_exclusion *e,
                    const uint64_t *bound) {
  for (uint32_t k = 0; k < e->places; k++) {
    const uint32_t p = (uint32_t)g->order[k];
    uint32_t best = g->groups;
    g->group_of[p] = UINT32_MAX;
    if (bound[p] != 1)
      continue;
    for (uint32_t i = 0; i < g->groups; i++)
      if (g->may_join[i * e->words + p / 64] >> p % 64 & 1 &&
          (best == g->groups || g->size[i] > g->size[best]))
        best = i;
    join (g, e, p, best);
  }
}

static tl_status list_groups (const gathering *g, const tl_exclusion *e,
                              tl_groups *out) {
  if (!TL_ROOM (out->mem, out->group, &out->capacity, g->groups) ||
      !TL_ROOM (out->mem, out->place, &out->place_capacity, e->places))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < g->groups; i++) {
    if (g->size[i] < 2)
      continue;
    out->group[out->count++] =
        (tl_group){.start = out->places, .count = g->size[i]};
    for (uint32_t p = 0; p < e->places; p++)
      if (g->group_of[p] == i)
        out->place[out->places++] = p;
  }
  return TL_OK;
}

tl_status tl_exclusion_groups (const tl_exclusion *e, const uint64_t *bound,
                               tl_groups *out) {
  *out = (tl_groups){.mem = e->mem};
  if (!e->bits)
    return TL_OK;
  gathering g = {0};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (e->mem, g.order, e->places) &&
      TL_NEW (e->mem, g.may_join, e->places * e->words) &&
      TL_NEW (e->mem, g.size, (size_t)e->places + 1) &&
      TL_NEW (e->mem, g.group_of, e->places)) {
    put_in_order (&g, e);
    gather (&g, e, bound);
    rc = list_groups (&g, e, out);
  }
  TL_DEL (e->mem, g.order, e->places);
  TL_DEL (e->mem, g.may_join, e->places * e->words);
  TL_DEL (e->mem, g.size, (size_t)e->places + 1);
  TL_DEL (e->mem, g.group_of, e->places);
  if (rc)
    tl_groups_close (out);
  return rc;
}
