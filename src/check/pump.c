#include "check/pump.h"

#include "base/budget.h"
#include "base/clock.h"
#include "check/leader.h"
#include "explore/covering.h"
#include "net/stroll.h"
#include "net/trace.h"

#include <stdlib.h>
#include <string.h>

enum {
  LENGTH = 1 << 20, // of a walk
  FAILURES = 8,     // plans of one that came to nothing
  CHANCES = 10,     // powers of two: steps by chance after such a plan
  POLL = 256
};

typedef struct pump {
  tl_mem *mem;
  const tl_net *net;
  tl_entry *sum; // minus what is to be added to
  uint32_t count;
  tl_stroll at;
  tl_leader leader;
  tl_random random;
  uint64_t *times;   // [transitions] each is to fire
  uint64_t *home;    // [places] where the part begins
  uint32_t *enabled; // [transitions] a list
  bool begun;        // what is planned is the part, else a way to it
  uint32_t *step;
  size_t length, room, from;
  uint64_t ticks;
  double end;
} pump;

static bool is_over (pump *p) {
  return ++p->ticks % POLL == 0 &&
         (tl_clock () >= p->end || tl_budget_look (p->mem));
}

static tl_status fire (pump *p, uint32_t t) {
  if (!TL_ROOM (p->mem, p->step, &p->room, p->length + 1))
    return TL_E_NOMEM;
  tl_stroll_fire (&p->at, t);
  p->step[p->length++] = t;
  return TL_OK;
}

// ---- Plans -----------------------------------------------------------------

static void look_around (pump *p) {
  uint32_t count = 0;
  for (uint32_t w = 0; w <= p->net->transitions / 64; w++)
    for (uint64_t bits = p->at.enabled[w]; bits; bits &= bits - 1)
      p->enabled[count++] = 64 * w + (uint32_t)__builtin_ctzll (bits);
  p->leader.count = count;
  memcpy (p->leader.marking, p->at.tokens,
          p->net->places * sizeof *p->at.tokens);
}

// From the marking at hand.  False: there is no such part.
static bool plan (pump *p) {
  __int128 most = -1;
  look_around (p);
  p->leader.detours = 0;
  memcpy (p->home, p->at.tokens, p->net->places * sizeof *p->home);
  p->from = p->length;
  p->begun = true;
  for (uint32_t i = 0; i < p->count; i++)
    most += (__int128)p->sum[i].factor * (int64_t)p->home[p->sum[i].index];
  if (most < INT64_MIN || most > INT64_MAX)
    return false;
  tl_course_from (p->leader.course, p->leader.marking);
  tl_course_repeats (p->leader.course);
  return !tl_course_sum (p->leader.course, p, (tl_vector){p->sum, p->count},
                         (int64_t)most) &&
         tl_course_find (p->leader.course, tl_random_next (&p->random),
                         p->end - tl_clock (), p->times);
}

// One that is planned and enabled, or false: none is.
static bool pick (pump *p, uint32_t *t) {
  uint64_t count = 0;
  for (uint32_t w = 0; w <= p->net->transitions / 64; w++)
    for (uint64_t bits = p->at.enabled[w]; bits; bits &= bits - 1) {
      const uint32_t one = 64 * w + (uint32_t)__builtin_ctzll (bits);
      if (p->times[one] && !tl_random_below (&p->random, ++count))
        *t = one;
    }
  return count;
}

// ---- Walks -----------------------------------------------------------------

static tl_status step_by_chance (pump *p) {
  tl_status rc = TL_OK;
  uint32_t t;
  for (uint64_t i = (uint64_t)1 << tl_random_below (&p->random, CHANCES);
       !rc && i && p->at.count && !is_over (p); i--) {
    if (!TL_ROOM (p->mem, p->step, &p->room, p->length + 1))
      rc = TL_E_NOMEM;
    else if (tl_stroll_step (&p->at, &t))
      p->step[p->length++] = t;
  }
  return rc;
}

static bool is_found (const pump *p) {
  bool more = p->length > p->from;
  for (uint32_t i = 0; more && i < p->net->places; i++)
    more = p->at.tokens[i] >= p->home[i];
  if (!more)
    return false;
  for (uint32_t i = 0; i < p->count; i++)
    if (p->at.tokens[p->sum[i].index] > p->home[p->sum[i].index])
      return true;
  return false;
}

// Nothing of the plan is enabled.  Found: it was fired, and is a part that can
// be repeated; false as well: the walk ends.
static tl_status plan_again (pump *p, uint32_t *failures, bool *goes_on,
                             bool *found) {
  bool left;
  p->ticks = POLL - 1; // a plan takes long
  look_around (p);
  const bool detour = tl_leader_detour (&p->leader, p->times, &left);
  *found = !left && p->begun && is_found (p);
  *goes_on = !*found;
  if (detour)
    p->begun = false;
  if (detour || *found)
    return TL_OK;
  memset (p->times, 0, p->net->transitions * sizeof *p->times);
  tl_status rc = TL_OK;
  if (left) {
    *goes_on = (*failures)++ < FAILURES;
    rc = step_by_chance (p);
  }
  return rc || !*goes_on || plan (p) ? rc : TL_E_LIMIT;
}

static tl_status walk (pump *p, bool *found) {
  uint32_t failures = 0, t;
  bool goes_on = true;
  tl_status rc = TL_OK;
  tl_stroll_begin (&p->at);
  memset (p->times, 0, p->net->transitions * sizeof *p->times);
  p->length = 0;
  p->begun = false;
  while (!rc && goes_on && p->length < LENGTH && !is_over (p))
    if (pick (p, &t)) {
      p->times[t]--;
      rc = fire (p, t);
    } else
      rc = plan_again (p, &failures, &goes_on, found);
  return rc;
}

// ---- The search ------------------------------------------------------------

static tl_status open_pump (pump *p, const tl_summand *term) {
  const uint32_t places = p->net->places, transitions = p->net->transitions;
  tl_status rc = tl_stroll_open (&p->at, p->mem, p->net, p->random.state);
  if (!rc)
    rc = tl_leader_open (&p->leader, p->mem, p->net, p->random.state);
  if (!rc && (!TL_NEW (p->mem, p->sum, p->count) ||
              !TL_NEW (p->mem, p->home, places) ||
              !TL_NEW (p->mem, p->enabled, transitions) ||
              !TL_NEW (p->mem, p->times, transitions)))
    rc = TL_E_NOMEM;
  p->leader.enabled = p->enabled;
  for (uint32_t i = 0; !rc && i < p->count; i++)
    p->sum[i] = (tl_entry){term[i].place, -term[i].coefficient};
  return rc;
}

static void close_pump (pump *p) {
  tl_stroll_close (&p->at);
  tl_leader_close (&p->leader);
  TL_DEL (p->mem, p->sum, p->count);
  TL_DEL (p->mem, p->home, p->net->places);
  TL_DEL (p->mem, p->enabled, p->net->transitions);
  TL_DEL (p->mem, p->times, p->net->transitions);
  TL_DEL (p->mem, p->step, p->room);
}

static tl_status tell (const pump *p, tl_trace *run) {
  *run = (tl_trace){.length = p->length, .loop = true, .loop_from = p->from};
  run->transition = calloc (p->length, sizeof *run->transition);
  if (!run->transition)
    return TL_E_NOMEM;
  memcpy (run->transition, p->step, p->length * sizeof *p->step);
  return TL_OK;
}

// It is believed only after it was fired once more: what inhibits counts, too.
static bool is_proven (const pump *p, const tl_trace *run) {
  bool proven = false;
  for (uint32_t i = 0; i < p->count && !proven; i++)
    proven = tl_covering_proves (p->net, run, p->sum[i].index);
  return proven;
}

tl_status tl_pump_find (tl_mem *mem, const tl_net *net, const tl_summand *term,
                        uint32_t count, uint64_t seed, double seconds,
                        tl_trace *run, bool *found) {
  pump p = {.mem = mem,
            .net = net,
            .count = count,
            .random = {seed},
            .end = tl_clock () + seconds};
  *found = false;
  *run = (tl_trace){0};
  tl_status rc = open_pump (&p, term);
  while (!rc && !*found && tl_clock () < p.end && !tl_budget_look (mem)) {
    rc = walk (&p, found);
    if (rc || !*found)
      continue;
    rc = tell (&p, run);
    if (rc || (*found = is_proven (&p, run)))
      break;
    tl_trace_close (run);
  }
  close_pump (&p);
  return rc;
}
