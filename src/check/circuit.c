#include "check/circuit.h"

#include "automaton/word.h"
#include "check/leader.h"
#include "logic/simplify.h"
#include "net/stroll.h"
#include "structure/structure.h"

#include <stdlib.h>
#include <string.h>

enum {
  LENGTH = 1 << 20, // of a walk
  LOOP = 1 << 16,   // of a loop
  SLOTS = 1 << 16,  // for markings on the way
  FAILURES = 12,    // plans in a row that lead nowhere
  TRIES = 8,        // of steps by chance
  SHORT = 1 << 10,  // of a walk that nobody leads
  DOUBLINGS = 10,   // of that, before it is short again
  PRELUDES = 8,     // powers of two: steps by chance before the first plan
  POLL = 256
};

// Where a marking was last, on the way of that walk.
typedef struct slot {
  uint64_t hash, walk;
  size_t at;
} slot;

// The way: the steps; at each marking of it the letter that the automaton reads
// there, and where it may be before.
typedef struct way {
  size_t length;
  uint32_t *step;
  uint64_t *letter, *states;
  size_t steps, letters, sets; // room
} way;

typedef struct circuit {
  tl_search *search;
  tl_mem *mem;
  const tl_net *net;
  const tl_automaton *automaton;
  uint64_t terminal; // states
  uint32_t atoms;
  const tl_predicate *program[TL_BUCHI_ATOMS];
  tl_formula *is[TL_BUCHI_ATOMS], *is_not[TL_BUCHI_ATOMS];
  tl_arena arena; // for these
  tl_stroll at;
  tl_leader leader;
  tl_random random;
  way way;
  uint64_t *salt, hash; // [places] of the marking
  slot *slot;           // [SLOTS]
  uint64_t walk;
  int64_t *change;   // [places] 0 between calls
  uint64_t *scratch; // for loops
  size_t scratch_room;
  uint32_t *enabled; // [transitions] a list
  uint64_t *times;   // [transitions] each is to fire
  uint8_t *avoid;    // [transitions] was taken back
  uint8_t *exact;    // [places] must have the same number of tokens again
  // What the walk is up to: an edge of the automaton, and a marking to which it
  // wants to come back.
  enum { LEAVES, MARKS, MARKED, RETURNS } phase;
  const tl_edge *aim;
  uint64_t *home; // [places]
  size_t home_at;
  uint64_t home_hash;
  uint32_t failures;
  uint64_t ticks;
  // The run that was found.
  bool found, loops, grows;
  size_t loop_from;
} circuit;

// ---- The way ---------------------------------------------------------------

static uint64_t letter_here (const circuit *c) {
  uint64_t letter = 0;
  for (uint32_t i = 0; i < c->atoms; i++)
    if (tl_predicate_run (c->program[i], c->at.tokens, c->at.enabled))
      letter |= (uint64_t)1 << i;
  return letter;
}

static uint64_t states_behind (const circuit *c) {
  const way *w = &c->way;
  return tl_word_after (c->automaton, w->states[w->length],
                        w->letter[w->length]);
}

static uint64_t change_of_hash (const circuit *c, uint32_t t) {
  uint64_t sum = 0;
  for (tl_change d = tl_net_change (c->net, t); tl_net_change_next (&d);)
    sum += c->salt[d.place] * (uint64_t)d.amount;
  return sum;
}

// The marking at hand is number `at` of the way.
static tl_status enter (circuit *c, size_t at, uint64_t states,
                        uint64_t letter) {
  way *w = &c->way;
  if (!TL_ROOM (c->mem, w->step, &w->steps, at + 1) ||
      !TL_ROOM (c->mem, w->letter, &w->letters, at + 1) ||
      !TL_ROOM (c->mem, w->states, &w->sets, at + 1))
    return TL_E_NOMEM;
  w->length = at;
  w->letter[at] = letter;
  w->states[at] = states;
  return TL_OK;
}

// Fires it, unless no run goes on from there that is accepted: then it is to be
// avoided.
static tl_status fire (circuit *c, uint32_t t, bool *fired) {
  way *w = &c->way;
  const uint64_t states = states_behind (c);
  tl_stroll_fire (&c->at, t);
  const uint64_t letter = letter_here (c);
  *fired = tl_word_after (c->automaton, states, letter);
  if (!*fired) {
    tl_stroll_take_back (&c->at, t);
    c->avoid[t] = 1;
    c->times[t] = 0;
    return TL_OK;
  }
  w->step[w->length] = t;
  c->hash += change_of_hash (c, t);
  return enter (c, w->length + 1, states, letter);
}

// ---- Runs ------------------------------------------------------------------

static void find (circuit *c, bool loops, size_t loop_from) {
  c->found = true;
  c->loops = loops;
  c->loop_from = loop_from;
}

// Do the steps since then change nothing?
static bool is_loop (circuit *c, size_t since) {
  const way *w = &c->way;
  bool same = true;
  for (size_t i = since; i < w->length; i++)
    for (tl_change d = tl_net_change (c->net, w->step[i]);
         tl_net_change_next (&d);)
      c->change[d.place] += d.amount;
  for (size_t i = since; i < w->length; i++)
    for (tl_change d = tl_net_change (c->net, w->step[i]);
         tl_net_change_next (&d);) {
      same &= !c->change[d.place];
      c->change[d.place] = 0;
    }
  return same;
}

// A run that repeats so many letters since then.
static tl_status look_at_loop (circuit *c, size_t since, size_t length) {
  const way *w = &c->way;
  if (!TL_ROOM (c->mem, c->scratch, &c->scratch_room, 2 * length))
    return TL_E_NOMEM;
  if (tl_word_repeats (c->automaton, w->states[since], w->letter + since,
                       length, c->scratch))
    find (c, since < w->length, since);
  return TL_OK;
}

static tl_status look_back (circuit *c, size_t since) {
  const size_t length = c->way.length - since;
  c->ticks += length / POLL;
  return length && length <= LOOP && is_loop (c, since)
             ? look_at_loop (c, since, length)
             : TL_OK;
}

// Has the part since the walk wanted to come back brought more tokens, where
// that does not matter?
static bool has_grown (const circuit *c) {
  bool more = c->way.length > c->home_at && c->way.length - c->home_at <= LOOP;
  for (uint32_t p = 0; more && p < c->net->places; p++)
    more = c->exact[p] ? c->at.tokens[p] == c->home[p]
                       : c->at.tokens[p] >= c->home[p];
  return more;
}

// Does the way end a run that is accepted?
static tl_status look (circuit *c) {
  const way *w = &c->way;
  slot *s = c->slot + c->hash % SLOTS;
  tl_status rc = TL_OK;
  if (states_behind (c) & c->terminal)
    find (c, false, w->length);
  if (!c->found && !c->at.count)
    rc = look_at_loop (c, w->length, 1);
  if (!rc && !c->found && s->walk == c->walk && s->hash == c->hash)
    rc = look_back (c, s->at);
  if (!rc && !c->found && c->home_hash == c->hash)
    rc = look_back (c, c->home_at);
  *s = (slot){c->hash, c->walk, w->length};
  return rc;
}

// ---- Plans -----------------------------------------------------------------

static void list_enabled (circuit *c) {
  uint32_t count = 0;
  for (uint32_t w = 0; w <= c->net->transitions / 64; w++)
    for (uint64_t bits = c->at.enabled[w]; bits; bits &= bits - 1)
      c->enabled[count++] = 64 * w + (uint32_t)__builtin_ctzll (bits);
  c->leader.count = count;
}

// One of the states where the automaton may be.
static uint32_t any_state (circuit *c) {
  uint64_t states = c->way.states[c->way.length];
  uint64_t skip =
      tl_random_below (&c->random, (uint64_t)__builtin_popcountll (states));
  for (; skip; skip--)
    states &= states - 1;
  return (uint32_t)__builtin_ctzll (states);
}

static bool is_open_here (const circuit *c, const tl_edge *e) {
  return tl_edge_open (e, c->way.letter[c->way.length]);
}

static void settle_here (circuit *c) {
  memcpy (c->home, c->at.tokens, c->net->places * sizeof *c->home);
  c->home_at = c->way.length;
  c->home_hash = c->hash;
}

// Out of a component, or round a cycle, by an edge that is in sets if not all
// are.
static void choose_aim (circuit *c) {
  const tl_automaton *a = c->automaton;
  const uint32_t here = a->component[any_state (c)];
  const bool back = c->phase == MARKED,
             leaves = a->kind[here] == TL_REJECTING ||
                      tl_random_below (&c->random, 2);
  c->phase = RETURNS;
  c->aim = 0;
  if (back)
    return;
  c->aim = leaves ? tl_automaton_any_edge (a, here, true, &c->random) : 0;
  if (c->aim && !is_open_here (c, c->aim)) {
    c->phase = LEAVES;
    return;
  }
  settle_here (c);
  c->aim = a->kind[here] == TL_STRONG
               ? tl_automaton_any_edge (a, here, false, &c->random)
               : 0;
  if (c->aim && is_open_here (c, c->aim))
    c->aim = 0;
  c->phase = c->aim ? MARKS : RETURNS;
}

static bool plan_to_edge (circuit *c, const tl_edge *e) {
  tl_formula *all[2 * TL_BUCHI_ATOMS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->atoms; i++) {
    if (e->holds >> i & 1)
      all[count++] = c->is[i];
    if (e->fails >> i & 1)
      all[count++] = c->is_not[i];
  }
  return tl_leader_plan_all (&c->leader, all, count, c->times);
}

static bool plan (circuit *c) {
  bool left;
  list_enabled (c);
  memcpy (c->leader.marking, c->at.tokens,
          c->net->places * sizeof *c->at.tokens);
  if (tl_leader_detour (&c->leader, c->times, &left))
    return true;
  if (!left && c->phase == RETURNS && has_grown (c)) {
    c->grows = true;
    if (look_at_loop (c, c->home_at, c->way.length - c->home_at) || c->found)
      return true;
    c->grows = false;
  }
  memset (c->times, 0, c->net->transitions * sizeof *c->times);
  choose_aim (c);
  return c->aim ? plan_to_edge (c, c->aim)
                : tl_leader_return (&c->leader, c->home, c->exact, c->times);
}

// ---- Steps -----------------------------------------------------------------

// One that is planned and enabled; false: none is.
static bool pick (circuit *c, uint32_t *t) {
  uint64_t count = 0;
  for (uint32_t w = 0; w <= c->net->transitions / 64; w++)
    for (uint64_t bits = c->at.enabled[w]; bits; bits &= bits - 1) {
      const uint32_t one = 64 * w + (uint32_t)__builtin_ctzll (bits);
      if (c->times[one] && !tl_random_below (&c->random, ++count))
        *t = one;
    }
  return count;
}

static tl_status step_by_chance (circuit *c, bool *stepped) {
  tl_status rc = TL_OK;
  *stepped = false;
  list_enabled (c);
  for (uint32_t i = 0; !rc && !*stepped && i < TRIES && c->leader.count; i++)
    rc = fire (c, c->enabled[tl_random_below (&c->random, c->leader.count)],
               stepped);
  return rc;
}

// What was to be reached is: the next plan is another one.
static void note_aim (circuit *c) {
  if (!c->aim || !is_open_here (c, c->aim))
    return;
  c->phase = c->phase == MARKS ? MARKED : RETURNS;
  c->aim = 0;
  memset (c->times, 0, c->net->transitions * sizeof *c->times);
}

// False: the walk ends.
static tl_status step (circuit *c, bool *goes_on) {
  uint32_t t;
  bool fired;
  tl_status rc = TL_OK;
  *goes_on = true;
  while (!rc && pick (c, &t)) {
    c->times[t]--;
    rc = fire (c, t, &fired);
    if (!rc && fired) {
      c->failures = 0;
      note_aim (c);
      return TL_OK;
    }
  }
  *goes_on = c->at.count && c->failures++ < FAILURES;
  if (rc || !*goes_on || (rc = tl_search_poll (c->search)) || plan (c))
    return rc;
  return step_by_chance (c, goes_on);
}

static tl_status begin (circuit *c) {
  const tl_net *net = c->net;
  tl_stroll_begin (&c->at);
  memset (c->times, 0, net->transitions * sizeof *c->times);
  memset (c->avoid, 0, net->transitions);
  c->walk++;
  c->hash = 0;
  c->failures = 0;
  c->phase = RETURNS;
  c->aim = 0;
  const tl_status rc = enter (c, 0, 1, letter_here (c));
  if (!rc)
    settle_here (c);
  return rc ? rc : states_behind (c) ? TL_OK : TL_E_LIMIT;
}

// So many steps are made by chance before the first plan.  Of two walks one has
// none: where runs end, and no cycle is to be found, that is all there is.
static size_t steps_by_chance (circuit *c) {
  return c->walk % 2   ? (size_t)SHORT << c->walk / 2 % DOUBLINGS
         : c->walk % 4 ? (size_t)1 << tl_random_below (&c->random, PRELUDES)
                       : 0;
}

static tl_status walk (circuit *c) {
  const size_t chances = steps_by_chance (c),
               length = c->walk % 2 ? chances : LENGTH;
  tl_status rc = begin (c);
  for (bool goes_on = true;
       !rc && !c->found && goes_on && c->way.length < length;) {
    rc = look (c);
    if (rc || c->found)
      break;
    if (++c->ticks >= POLL) {
      c->ticks = 0;
      rc = tl_search_poll (c->search);
    }
    if (!rc)
      rc = c->way.length < chances ? step_by_chance (c, &goes_on)
                                   : step (c, &goes_on);
  }
  return rc;
}

// ---- The search ------------------------------------------------------------

static tl_status take_atoms (circuit *c, const tl_sat *sat,
                             const tl_labels *labels) {
  c->atoms = sat->parts;
  for (uint32_t i = 0; i < sat->parts; i++) {
    tl_formula *atom = (tl_formula *)(uintptr_t)sat->part[i]->formula;
    c->program[i] = tl_labels_program (labels, atom);
    c->is[i] = tl_formula_simplify (&c->arena, atom);
    c->is_not[i] = tl_formula_negate (&c->arena, atom);
    if (!c->is[i] || !c->is_not[i])
      return TL_E_NOMEM;
  }
  return TL_OK;
}

static void note_exact (circuit *c, tl_arcs arcs) {
  for (uint32_t i = 0; i < arcs.count; i++)
    c->exact[arcs.arc[i].place] = 1;
}

// The places that a formula looks at.  No marking of a part that repeats is
// dead.
static void note_watched (circuit *c, const tl_formula *f) {
  for (uint32_t i = 0; f->op == TL_COMPARE && i < f->count; i++)
    c->exact[f->term[i].place] = 1;
  for (uint32_t i = 0; f->op == TL_FIREABLE && i < f->count; i++) {
    note_exact (c, tl_net_pre (c->net, f->transition[i]));
    note_exact (c, tl_net_inhibitors (c->net, f->transition[i]));
  }
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    note_watched (c, f->operand[i]);
}

// Those that have a bound can have no more for ever.
static void choose_exact (circuit *c) {
  const tl_structure *s = c->search->structure;
  for (uint32_t p = 0; p < c->net->places; p++)
    c->exact[p] = s && s->bound[p] != TL_NO_BOUND;
  for (uint32_t t = 0; t < c->net->transitions; t++)
    note_exact (c, tl_net_inhibitors (c->net, t));
  for (uint32_t i = 0; i < c->atoms; i++)
    note_watched (c, c->is[i]);
}

static bool is_taken (const tl_sat *sat, const tl_net *net) {
  bool taken = tl_sat_is_linear (sat) && tl_net_has_arcs (net) &&
               net->transitions &&
               sat->automaton->general.states <= TL_WORD_STATES;
  for (uint32_t i = 0; taken && i < sat->parts; i++)
    taken = sat->part[i]->kind == TL_SAT_LABEL;
  return taken;
}

static tl_status open_circuit (circuit *c, const tl_sat *sat,
                               const tl_labels *labels, uint64_t seed) {
  const uint32_t places = c->net->places, transitions = c->net->transitions;
  tl_status rc = tl_stroll_open (&c->at, c->mem, c->net, seed);
  if (!rc)
    rc = tl_leader_open (&c->leader, c->mem, c->net, seed);
  if (!rc &&
      (!TL_NEW (c->mem, c->salt, places) ||
       !TL_NEW (c->mem, c->change, places) ||
       !TL_NEW (c->mem, c->home, places) || !TL_NEW (c->mem, c->slot, SLOTS) ||
       !TL_NEW (c->mem, c->enabled, transitions) ||
       !TL_NEW (c->mem, c->times, transitions) ||
       !TL_NEW (c->mem, c->avoid, transitions) ||
       !TL_NEW (c->mem, c->exact, places)))
    rc = TL_E_NOMEM;
  for (uint32_t p = 0; !rc && p < places; p++)
    c->salt[p] = tl_random_next (&c->random) | 1;
  c->leader.enabled = c->enabled;
  c->leader.avoid = c->avoid;
  c->terminal = tl_word_terminal (c->automaton);
  if (!rc && !(rc = take_atoms (c, sat, labels)))
    choose_exact (c);
  return rc;
}

static void close_circuit (circuit *c) {
  const uint32_t places = c->net->places, transitions = c->net->transitions;
  tl_stroll_close (&c->at);
  tl_leader_close (&c->leader);
  tl_arena_close (&c->arena);
  TL_DEL (c->mem, c->way.step, c->way.steps);
  TL_DEL (c->mem, c->way.letter, c->way.letters);
  TL_DEL (c->mem, c->way.states, c->way.sets);
  TL_DEL (c->mem, c->salt, places);
  TL_DEL (c->mem, c->change, places);
  TL_DEL (c->mem, c->home, places);
  TL_DEL (c->mem, c->slot, SLOTS);
  TL_DEL (c->mem, c->scratch, c->scratch_room);
  TL_DEL (c->mem, c->enabled, transitions);
  TL_DEL (c->mem, c->times, transitions);
  TL_DEL (c->mem, c->avoid, transitions);
  TL_DEL (c->mem, c->exact, places);
}

static tl_status tell (const circuit *c, tl_trace *trace) {
  *trace = (tl_trace){.length = c->way.length,
                      .loop = c->loops,
                      .loop_from = c->loops ? c->loop_from : 0};
  trace->transition = calloc (trace->length + 1, sizeof *trace->transition);
  if (!trace->transition)
    return TL_E_NOMEM;
  memcpy (trace->transition, c->way.step,
          trace->length * sizeof *trace->transition);
  return TL_OK;
}

tl_status tl_circuit_find (tl_search *s, tl_mem *mem, const tl_sat *sat,
                           const tl_labels *labels, uint64_t seed,
                           tl_trace *trace, tl_circuit_end *end) {
  *trace = (tl_trace){0};
  if (!is_taken (sat, s->net))
    return TL_E_LIMIT;
  circuit c = {.search = s,
               .mem = mem,
               .net = s->net,
               .automaton = &sat->automaton->general,
               .arena = TL_ARENA (mem),
               .random = {seed}};
  tl_status rc = c.automaton->worst == TL_REJECTING
                     ? TL_E_LIMIT
                     : open_circuit (&c, sat, labels, seed);
  while (!rc && !c.found)
    rc = walk (&c);
  if (!rc)
    rc = tell (&c, trace);
  *end = c.grows      ? TL_CIRCUIT_GROWS
         : c.at.count ? TL_CIRCUIT_REPEATS
                      : TL_CIRCUIT_DEAD;
  close_circuit (&c);
  return rc;
}
