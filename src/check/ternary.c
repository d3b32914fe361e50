#include "check/ternary.h"

enum {
  ROUNDS = 3,      // of tries, each with so many times the steps
  MORE = 8,        //
  SHARE = 16,      // of the steps of a search, for a part at a state
  FIRST_WALK = 16, // steps; the next is twice as long
  WALKS = 2        // these have one of so many parts of the steps
};

// In common to all parts.
typedef struct tl_ternary_means {
  tl_vantage *vantage;
  tl_random random;
  tl_status rc; // a fault, or the end of time: nothing is found out any more
} tl_ternary_means;

bool tl_ternary_takes (const tl_sat *s) {
  if (s->kind == TL_SAT_PATH)
    return false;
  for (uint32_t i = 0; i < s->parts; i++)
    if (!tl_ternary_takes (s->part[i]))
      return false;
  return true;
}

// ---- Opening ---------------------------------------------------------------

// Of a path that leads somewhere; one that stays is looked for otherwise.
static tl_status open_nearest (tl_ternary *t, tl_arena *arena) {
  const tl_formula *f = t->sat->formula;
  const bool all = f->op == TL_ALL;
  const tl_op op = all ? tl_op_dual (f->operand[0]->op) : f->operand[0]->op;
  return op == TL_FINALLY || op == TL_UNTIL
             ? tl_nearest_open (&t->nearest, arena, t->means->vantage,
                                t->sat->part[t->sat->parts - 1]->formula, all)
             : TL_OK;
}

static tl_status open_in (tl_ternary *t, tl_arena *arena, tl_space *space,
                          const tl_labels *labels, const tl_sat *sat,
                          tl_ternary_means *means) {
  *t = (tl_ternary){.sat = sat, .space = space, .means = means};
  if (sat->kind == TL_SAT_LABEL)
    t->program = tl_labels_program (labels, sat->formula);
  if (sat->parts && !TL_ARENA_NEW (arena, t->part, sat->parts))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < sat->parts; i++)
    rc = open_in (t->part + i, arena, space, labels, sat->part[i], means);
  return rc || sat->kind != TL_SAT_CTL ? rc : open_nearest (t, arena);
}

tl_status tl_ternary_open (tl_ternary **out, tl_arena *arena, tl_space *space,
                           const tl_labels *labels, const tl_sat *sat) {
  tl_ternary_means *means;
  *out = 0;
  if (!TL_ARENA_NEW (arena, means, 1) ||
      tl_vantage_open (&means->vantage, arena, space) ||
      !TL_ARENA_NEW (arena, *out, 1))
    return TL_E_NOMEM;
  return open_in (*out, arena, space, labels, sat, means);
}

void tl_ternary_close (tl_ternary *t) {
  if (!t || !t->sat)
    return;
  for (uint32_t i = 0; t->part && i < t->sat->parts; i++)
    tl_ternary_close (t->part + i);
  tl_mem *mem = t->space->mem;
  tl_findings_close (&t->known, mem);
  tl_nearest_close (&t->nearest);
  TL_DEL (mem, t->tried, t->tried_room);
  TL_DEL (mem, t->mark, t->mark_room);
  TL_DEL (mem, t->from, t->from_room);
  TL_DEL (mem, t->list, t->list_room);
  TL_DEL (mem, t->arc, t->arc_room);
}

// ---- Values ----------------------------------------------------------------

static tl_verdict verdict (bool holds) {
  return holds ? TL_VERDICT_TRUE : TL_VERDICT_FALSE;
}

static tl_verdict opposite (tl_verdict v) {
  return v == TL_VERDICT_UNKNOWN ? v : verdict (v == TL_VERDICT_FALSE);
}

static bool fail (tl_ternary *t, tl_status rc) {
  t->means->rc = t->means->rc ? t->means->rc : rc;
  return false;
}

static void keep (tl_ternary *t, uint64_t state, tl_verdict v) {
  const tl_status rc =
      tl_findings_set (&t->known, t->space->mem, state, v == TL_VERDICT_TRUE);
  if (rc)
    fail (t, rc);
}

// Until the space has made so many steps; 0: what can be seen at once.
static bool has_steps (const tl_ternary *t, uint64_t until) {
  return !t->means->rc && t->space->work < until;
}

static tl_verdict value_at (tl_ternary *, uint64_t state, uint64_t until);

static uint64_t target (const tl_ternary *t, uint64_t state, uint64_t arc) {
  return tl_numbers_get (&t->space->target, t->space->first[state] + arc);
}

// One of the parts at the state decides it, or its part at one of the states
// that follow; that is looked for without any steps first.
static tl_verdict join (tl_ternary *t, uint64_t state, uint64_t until,
                        tl_verdict decides, bool follows) {
  const uint32_t count = follows ? t->space->degree[state] : t->sat->parts;
  bool open = true;
  for (int pass = 0; open && pass < (until ? 2 : 1); pass++) {
    open = false;
    for (uint32_t i = 0; i < count; i++) {
      const tl_verdict v =
          value_at (follows ? t->part : t->part + i,
                    follows ? target (t, state, i) : state, pass ? until : 0);
      if (v == decides)
        return v;
      open |= v == TL_VERDICT_UNKNOWN;
    }
  }
  return open ? TL_VERDICT_UNKNOWN : opposite (decides);
}

static tl_verdict boolean (tl_ternary *t, uint64_t state, uint64_t until) {
  const tl_op op = t->sat->formula->op;
  return op == TL_NOT ? opposite (value_at (t->part, state, until))
                      : join (t, state, until, verdict (op == TL_OR), false);
}

// Finds the arcs of a state.
static bool expand (tl_ternary *t, uint64_t state) {
  const tl_status rc = tl_space_expand (t->space, state);
  return rc ? fail (t, rc) : true;
}

static tl_verdict next (tl_ternary *t, uint64_t state, uint64_t until) {
  return has_steps (t, until) && expand (t, state)
             ? join (t, state, until,
                     verdict (t->sat->formula->op == TL_EXISTS), true)
             : TL_VERDICT_UNKNOWN;
}

// ---- Paths -----------------------------------------------------------------

// A path is looked for on which `hold` is true (null: anything) until `goal` is
// (null: never), or for ever if it may stay.
typedef struct quest {
  tl_ternary *of; // the part that asks
  tl_ternary *hold, *goal;
  bool negated;  // it is the opposite of these
  bool together; // hold is true where goal is, too
  bool stays;
  bool unsure;       // a state was left out, or may have been a goal
  uint64_t until;    // steps
  uint64_t for_part; // of these, for a part at a state
} quest;

static quest quest_of (tl_ternary *t, uint64_t until) {
  const tl_formula *f = t->sat->formula;
  const bool all = f->op == TL_ALL;
  const tl_op op = all ? tl_op_dual (f->operand[0]->op) : f->operand[0]->op;
  quest q = {.of = t, .negated = all, .until = until};
  q.stays = op == TL_GLOBALLY || op == TL_RELEASE;
  q.together = op == TL_RELEASE;
  q.hold = op == TL_RELEASE                      ? t->part + 1
           : op == TL_UNTIL || op == TL_GLOBALLY ? t->part
                                                 : 0;
  q.goal = op == TL_UNTIL                         ? t->part + 1
           : op == TL_FINALLY || op == TL_RELEASE ? t->part
                                                  : 0;
  if (until > t->space->work)
    q.for_part = (until - t->space->work) / SHARE + 1;
  return q;
}

static tl_verdict side (const quest *q, tl_ternary *part, uint64_t state,
                        uint64_t steps) {
  const uint64_t now = q->of->space->work,
                 until = now + steps < q->until ? now + steps : q->until;
  const tl_verdict v = value_at (part, state, steps ? until : 0);
  return q->negated ? opposite (v) : v;
}

static tl_verdict both (tl_verdict a, tl_verdict b) {
  return a == TL_VERDICT_FALSE || b == TL_VERDICT_FALSE ? TL_VERDICT_FALSE
         : a == TL_VERDICT_TRUE                         ? b
                                                        : a;
}

typedef enum footing {
  FOOTING_GOAL,  // the path may end here
  FOOTING_PASS,  // it may go on from here
  FOOTING_NONE,  // neither
  FOOTING_UNSURE // it may be that it ends or goes on
} footing;

static footing look (quest *q, uint64_t state, uint64_t steps) {
  tl_verdict hold = q->hold ? side (q, q->hold, state, steps) : TL_VERDICT_TRUE,
             goal = TL_VERDICT_FALSE;
  if (q->goal && !(q->together && hold == TL_VERDICT_FALSE))
    goal = side (q, q->goal, state, steps);
  if (q->together)
    goal = both (goal, hold);
  return goal == TL_VERDICT_TRUE      ? FOOTING_GOAL
         : hold == TL_VERDICT_UNKNOWN ? FOOTING_UNSURE
         : hold == TL_VERDICT_TRUE    ? FOOTING_PASS
         : goal == TL_VERDICT_FALSE   ? FOOTING_NONE
                                      : FOOTING_UNSURE;
}

// Is the goal known not to be here?
static bool lacks_goal (quest *q, uint64_t state) {
  return !q->goal || side (q, q->goal, state, 0) == TL_VERDICT_FALSE;
}

// What the state is for the path, with so many steps to find it out if it
// cannot be seen.
static footing stand (quest *q, uint64_t state, uint64_t steps) {
  bool found;
  if (tl_findings_get (&q->of->known, state, &found))
    return found != q->negated ? FOOTING_GOAL : FOOTING_NONE;
  footing f = look (q, state, 0);
  if (steps &&
      (f == FOOTING_UNSURE || (f == FOOTING_PASS && !lacks_goal (q, state))))
    f = look (q, state, steps);
  return f;
}

// Begins a search, with marks of its own: one for states on its list, and the
// next number for those that a search for a cycle has left.
static void begin (tl_ternary *t) {
  t->searches += 2;
  t->listed = 0;
}

static bool step (tl_ternary *t) {
  const tl_status rc = tl_space_step (t->space);
  return rc ? fail (t, rc) : true;
}

// Adds a state to the list of the search.
static bool note (tl_ternary *t, uint64_t state, uint64_t from) {
  tl_mem *mem = t->space->mem;
  const size_t states = (size_t)t->space->store->count;
  if (states >= UINT32_MAX || t->searches >= UINT32_MAX - 2)
    return fail (t, TL_E_LIMIT);
  if (!TL_ROOM (mem, t->mark, &t->mark_room, states) ||
      !TL_ROOM (mem, t->from, &t->from_room, states) ||
      !TL_ROOM (mem, t->list, &t->list_room, t->listed + 1) ||
      !TL_ROOM (mem, t->arc, &t->arc_room, t->listed + 1))
    return fail (t, TL_E_NOMEM);
  t->mark[state] = t->searches;
  t->from[state] = (uint32_t)from;
  t->arc[t->listed] = 0;
  t->list[t->listed++] = (uint32_t)state;
  return true;
}

static bool was_here (const tl_ternary *t, uint64_t state) {
  return state < t->mark_room && t->mark[state] == t->searches;
}

static bool was_left (const tl_ternary *t, uint64_t state) {
  return state < t->mark_room && t->mark[state] == t->searches + 1;
}

// The path is found: from each of these states there is one.
static tl_verdict keep_path (const quest *q, uint64_t last, uint64_t first) {
  const tl_verdict v = verdict (!q->negated);
  for (uint64_t s = last;; s = q->of->from[s]) {
    keep (q->of, s, v);
    if (s == first)
      return v;
  }
}

// There is none from any state of the list.
static tl_verdict keep_none (const quest *q) {
  const tl_verdict v = verdict (q->negated);
  for (size_t i = 0; i < q->of->listed; i++)
    keep (q->of, q->of->list[i], v);
  return v;
}

// ---- Walks -----------------------------------------------------------------

// A state to go on to, from one that is passed: any of those that may be
// passed.  True: the path is found, which ends there.
static bool choose (quest *q, uint64_t state, bool thorough, uint64_t *to) {
  tl_ternary *t = q->of;
  const uint32_t degree = t->space->degree[state];
  const uint64_t first = tl_random_below (&t->means->random, degree);
  *to = UINT64_MAX;
  for (uint32_t i = 0; i < degree; i++) {
    const uint64_t s = target (t, state, (first + i) % degree);
    const footing f = stand (q, s, thorough || q->hold ? q->for_part : 0);
    if (f == FOOTING_GOAL || (q->stays && f == FOOTING_PASS && was_here (t, s)))
      return true;
    if (f == FOOTING_PASS && *to == UINT64_MAX) {
      *to = s;
      return false;
    }
  }
  return false;
}

// Is it worth the steps to look for the goal here?  Now and then.
static bool is_power (uint64_t n) {
  return !(n & (n - 1));
}

static bool walk (quest *q, uint64_t state, uint64_t length, uint64_t *end) {
  tl_ternary *t = q->of;
  uint64_t at = state, to;
  begin (t);
  if (!step (t) || !note (t, at, at))
    return false;
  for (uint64_t i = 1; has_steps (t, q->until) && expand (t, at);
       i++, at = to) {
    *end = at;
    if (!t->space->degree[at])
      return q->stays || stand (q, at, q->for_part) == FOOTING_GOAL;
    if (choose (q, at, is_power (i) || i == length, &to))
      return true;
    if (to == UINT64_MAX || i == length || !step (t))
      return false;
    if (!was_here (t, to) && !note (t, to, at))
      return false;
  }
  return false;
}

// The same where any state may be passed: only its end is looked at.
static bool wander (quest *q, uint64_t state, uint64_t length) {
  tl_ternary *t = q->of;
  uint64_t end;
  const tl_status rc =
      tl_space_wander (t->space, state, length, &t->means->random, &end);
  if (rc)
    return fail (t, rc);
  return stand (q, end, q->for_part) == FOOTING_GOAL;
}

static tl_verdict walk_some (quest *q, uint64_t state) {
  tl_ternary *t = q->of;
  const uint64_t all = q->until, now = t->space->work;
  uint64_t end = state;
  bool found = false;
  q->until = now + (all - now) / WALKS;
  for (uint64_t length = FIRST_WALK; !found && has_steps (t, q->until);
       length *= 2) {
    found = !q->hold && wander (q, state, length);
    if (!found && has_steps (t, q->until))
      found = walk (q, state, length, &end);
    else if (found)
      end = state;
  }
  q->until = all;
  return found ? keep_path (q, end, state) : TL_VERDICT_UNKNOWN;
}

// ---- All states ------------------------------------------------------------

// Where the path may go from a state: what is not certain is remembered.
static footing try_step (quest *q, uint64_t to) {
  const footing f = stand (q, to, q->for_part);
  q->unsure |=
      f == FOOTING_UNSURE || (f == FOOTING_PASS && !lacks_goal (q, to));
  return f;
}

// The same as note; it is to be looked at.
static bool wait_for (tl_ternary *t, uint64_t state, uint64_t from) {
  return note (t, state, from) &&
         (tl_nearest_push (&t->nearest, state) || fail (t, TL_E_NOMEM));
}

// Near ones first.
static tl_verdict spread (quest *q, uint64_t state) {
  tl_ternary *t = q->of;
  begin (t);
  tl_nearest_clear (&t->nearest);
  if (!wait_for (t, state, state))
    return TL_VERDICT_UNKNOWN;
  for (uint64_t at; tl_nearest_pop (&t->nearest, &at);) {
    if (!has_steps (t, q->until) || !expand (t, at) || !step (t))
      return TL_VERDICT_UNKNOWN;
    for (uint32_t k = 0; k < t->space->degree[at]; k++) {
      const uint64_t to = target (t, at, k);
      if (was_here (t, to))
        continue;
      const footing f = try_step (q, to);
      if (f == FOOTING_GOAL)
        return keep_path (q, at, state);
      if (f == FOOTING_PASS && !wait_for (t, to, at))
        return TL_VERDICT_UNKNOWN;
    }
  }
  return q->unsure ? TL_VERDICT_UNKNOWN : keep_none (q);
}

// The last state of the path has no other arcs.
static void leave (quest *q) {
  tl_ternary *t = q->of;
  const uint64_t at = t->list[--t->listed];
  t->mark[at] = t->searches + 1;
  if (!q->unsure)
    keep (t, at, verdict (q->negated));
}

// Depth first: a cycle is a path that stays.
static tl_verdict stay (quest *q, uint64_t state) {
  tl_ternary *t = q->of;
  begin (t);
  if (!note (t, state, state))
    return TL_VERDICT_UNKNOWN;
  while (t->listed) {
    const uint64_t at = t->list[t->listed - 1];
    if (!has_steps (t, q->until) || !expand (t, at) || !step (t))
      return TL_VERDICT_UNKNOWN;
    if (!t->space->degree[at])
      return keep_path (q, at, state);
    if (t->arc[t->listed - 1] == t->space->degree[at]) {
      leave (q);
      continue;
    }
    const uint64_t to = target (t, at, t->arc[t->listed - 1]++);
    if (was_left (t, to))
      continue;
    const footing f = was_here (t, to) ? FOOTING_GOAL : try_step (q, to);
    if (f == FOOTING_GOAL)
      return keep_path (q, at, state);
    if (f == FOOTING_PASS && !note (t, to, at))
      return TL_VERDICT_UNKNOWN;
  }
  return q->unsure ? TL_VERDICT_UNKNOWN : verdict (q->negated);
}

// ---- At a state ------------------------------------------------------------

static tl_verdict search (tl_ternary *t, uint64_t state, uint64_t until) {
  quest q = quest_of (t, until);
  switch (try_step (&q, state)) {
  case FOOTING_GOAL: return verdict (!q.negated);
  case FOOTING_NONE: return verdict (q.negated);
  case FOOTING_UNSURE: return TL_VERDICT_UNKNOWN;
  case FOOTING_PASS: break;
  }
  if (!has_steps (t, until))
    return TL_VERDICT_UNKNOWN;
  const tl_verdict v = walk_some (&q, state);
  return v != TL_VERDICT_UNKNOWN ? v
         : q.stays               ? stay (&q, state)
                                 : spread (&q, state);
}

static tl_verdict find_out (tl_ternary *t, uint64_t state, uint64_t until) {
  switch (t->sat->kind) {
  case TL_SAT_LABEL:
    return step (t) ? verdict (tl_vantage_holds (t->means->vantage, t->program,
                                                 state))
                    : TL_VERDICT_UNKNOWN;
  case TL_SAT_BOOLEAN: return boolean (t, state, until);
  case TL_SAT_CTL:
    return t->sat->formula->operand[0]->op == TL_NEXT
               ? next (t, state, until)
               : search (t, state, until);
  case TL_SAT_PATH: break;
  }
  return TL_VERDICT_UNKNOWN;
}

// How many steps are left, as a power of two + 1.
static uint8_t level (const tl_ternary *t, uint64_t until) {
  const uint64_t now = t->space->work;
  return until > now ? (uint8_t)(65 - __builtin_clzll (until - now)) : 1;
}

static tl_verdict value_at (tl_ternary *t, uint64_t state, uint64_t until) {
  bool holds;
  if (tl_findings_get (&t->known, state, &holds))
    return verdict (holds);
  const uint8_t now = level (t, until);
  if (t->means->rc || (state < t->tried_room && t->tried[state] >= now))
    return TL_VERDICT_UNKNOWN;
  const tl_verdict v = find_out (t, state, until);
  if (v != TL_VERDICT_UNKNOWN)
    keep (t, state, v);
  else if (!TL_ROOM (t->space->mem, t->tried, &t->tried_room, state + 1))
    fail (t, TL_E_NOMEM);
  else
    t->tried[state] = now;
  return t->means->rc == TL_E_NOMEM ? TL_VERDICT_UNKNOWN : v;
}

tl_status tl_ternary_decide (tl_ternary *t, bool *holds) {
  tl_verdict v = TL_VERDICT_UNKNOWN;
  uint64_t part = 1;
  for (int i = 1; i < ROUNDS; i++)
    part *= MORE;
  for (; part && v == TL_VERDICT_UNKNOWN && !t->means->rc; part /= MORE) {
    const uint64_t now = t->space->work;
    v = value_at (t, 0, now + (t->space->most - now) / part);
  }
  *holds = v == TL_VERDICT_TRUE;
  return v != TL_VERDICT_UNKNOWN ? TL_OK
         : t->means->rc          ? t->means->rc
                                 : TL_E_LIMIT;
}
