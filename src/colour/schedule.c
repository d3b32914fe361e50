#include "colour/schedule.h"

#include "base/error.h"
#include "colour/uses.h"

#include <string.h>

// Something that is still to be done.  `needs` are variables.
typedef struct chore {
  tl_task task;
  bool *needs;
  bool done, tried, safe;
} chore;

typedef struct planner {
  const tl_coloured *net;
  const tl_ctransition *transition;
  uint32_t first;
  tl_arena *arena; // of the result
  tl_arena scratch;
  bool *known; // [variables]
  bool *temporary;
  bool *for_test; // variables that some test needs, also by other lets
  chore *test, *take, *claim, *let, *pick;
  uint32_t tests, takes, claims, lets, picks;
  tl_schedule *schedule;
  uint32_t room;
} planner;

bool tl_tuple_is_taken (const tl_label *label, const tl_tuple *tuple) {
  for (uint32_t i = 0; i < label->tuples; i++)
    if (label->tuple[i].factor < 0)
      return false;
  return !tuple->loops && !tuple->condition && tuple->factor > 0;
}

static bool has_negative (const tl_label *label) {
  for (uint32_t i = 0; i < label->tuples; i++)
    if (label->tuple[i].factor < 0)
      return true;
  return false;
}

static bool *no_variables (planner *p) {
  bool *uses;
  return TL_ARENA_NEW (&p->scratch, uses, p->transition->variables + 1);
}

static bool is_known (const planner *p, const bool *needs) {
  for (uint32_t v = 0; v < p->transition->variables; v++)
    if (needs[v] && !p->known[v])
      return false;
  return true;
}

static bool is_term_known (planner *p, const tl_term *t) {
  memset (p->temporary, 0, p->transition->variables);
  tl_term_uses (p->transition, t, p->temporary);
  return is_known (p, p->temporary);
}

// A part that is nothing but a variable of an arc.
static uint32_t plain_variable (const planner *p, const tl_term *part) {
  if (part->kind != TL_TERM_VARIABLE)
    return UINT32_MAX;
  const uint32_t v = tl_variable_at (p->transition, part->offset);
  return v < p->transition->variables &&
                 p->transition->variable[v].kind == TL_VARIABLE_ARC
             ? v
             : UINT32_MAX;
}

// The guard: safe conjuncts on the left one by one, then the rest.

static uint32_t count_conjuncts (const tl_term *t) {
  return t->kind == TL_TERM_AND
             ? count_conjuncts (t->operand[0]) + count_conjuncts (t->operand[1])
             : 1;
}

static bool add_test (planner *p, const tl_term *term, bool safe) {
  chore *const c = p->test + p->tests++;
  *c = (chore){.task = {TL_TASK_TEST, .term = term},
               .needs = no_variables (p),
               .safe = safe};
  if (!c->needs)
    return false;
  tl_term_uses (p->transition, term, c->needs);
  return true;
}

// Adds the conjuncts until one may fail; false: there is no memory.  *whole:
// all of them were added.
static bool add_safe (planner *p, const tl_term *t, bool *whole) {
  if (t->kind == TL_TERM_AND)
    return add_safe (p, t->operand[0], whole) &&
           (!*whole || add_safe (p, t->operand[1], whole));
  *whole = tl_term_is_safe (t);
  return !*whole || add_test (p, t, true);
}

// What could not be split off is tested with all that stands left of it, which
// costs little and keeps the protection.
static bool add_guard (planner *p) {
  const tl_term *guard = p->transition->guard;
  if (!guard)
    return true;
  bool whole = true;
  return TL_ARENA_NEW (&p->scratch, p->test, count_conjuncts (guard) + 1) &&
         add_safe (p, guard, &whole) && (whole || add_test (p, guard, false));
}

static bool add_tuple (planner *p, const tl_carc *arc, const tl_tuple *tuple) {
  const tl_cplace *place = p->net->place + arc->place;
  const bool taken = tl_tuple_is_taken (&arc->label, tuple);
  chore *const c = taken ? p->take + p->takes : p->claim + p->claims++;
  *c = (chore){.task = {taken ? TL_TASK_TAKE : TL_TASK_CLAIM, .arc = arc,
                        .tuple = tuple, .take = taken ? p->takes++ : 0},
               .needs = no_variables (p),
               .safe = true};
  if (!c->needs)
    return false;
  for (uint32_t i = 0; taken && i < place->parts; i++)
    c->safe &= tl_term_is_safe (tuple->part[i]);
  for (uint32_t i = 0; taken && i < place->parts; i++)
    if (plain_variable (p, tuple->part[i]) == UINT32_MAX)
      tl_term_uses (p->transition, tuple->part[i], c->needs);
  if (!taken)
    tl_tuple_uses (p->transition, tuple, place, c->needs);
  // Those that it binds itself do not matter.
  for (uint32_t i = 0; taken && i < place->parts; i++) {
    const uint32_t v = plain_variable (p, tuple->part[i]);
    if (v != UINT32_MAX)
      c->needs[v] = false;
  }
  return true;
}

// A label with a negative factor is claimed as a whole.
static bool add_whole (planner *p, const tl_carc *arc) {
  chore *const c = p->claim + p->claims++;
  *c = (chore){.task = {TL_TASK_CLAIM, .arc = arc}, .needs = no_variables (p)};
  for (uint32_t i = 0; c->needs && i < arc->label.tuples; i++)
    tl_tuple_uses (p->transition, arc->label.tuple + i,
                   p->net->place + arc->place, c->needs);
  return c->needs;
}

static bool add_tuples (planner *p) {
  const tl_ctransition *t = p->transition;
  size_t tuples = 0;
  for (uint32_t a = 0; a < t->ins; a++)
    tuples += t->in[a].label.tuples;
  if (!TL_ARENA_NEW (&p->scratch, p->take, tuples + 1) ||
      !TL_ARENA_NEW (&p->scratch, p->claim, tuples + 1))
    return false;
  for (uint32_t a = 0; a < t->ins; a++) {
    const tl_label *label = &t->in[a].label;
    if (has_negative (label)) {
      if (!add_whole (p, t->in + a))
        return false;
      continue;
    }
    for (uint32_t i = 0; i < label->tuples; i++)
      if (!add_tuple (p, t->in + a, label->tuple + i))
        return false;
  }
  return true;
}

static bool pick_is_safe (const tl_loop *pick) {
  return !pick->first && !pick->last &&
         (!pick->container || tl_term_is_safe (pick->container));
}

static bool add_variables (planner *p) {
  const tl_ctransition *t = p->transition;
  if (!TL_ARENA_NEW (&p->scratch, p->pick, t->variables + 1) ||
      !TL_ARENA_NEW (&p->scratch, p->let, t->variables + 1))
    return false;
  for (uint32_t v = 0; v < t->variables; v++) {
    const bool let = t->variable[v].kind == TL_VARIABLE_LET;
    if (!let && t->variable[v].kind != TL_VARIABLE_PICK)
      continue;
    chore *const c = let ? p->let + p->lets++ : p->pick + p->picks++;
    *c = (chore){.task = {let ? TL_TASK_LET : TL_TASK_PICK, .variable = v},
                 .needs = no_variables (p),
                 .safe = !let && pick_is_safe (&t->variable[v].pick)};
    if (!c->needs)
      return false;
    if (let)
      tl_term_uses (t, t->variable[v].let, c->needs);
    else
      tl_loop_uses (t, &t->variable[v].pick, c->needs);
  }
  return true;
}

static void find_what_tests_need (planner *p) {
  const uint32_t variables = p->transition->variables;
  for (uint32_t i = 0; i < p->tests; i++)
    for (uint32_t v = 0; v < variables; v++)
      p->for_test[v] |= p->test[i].needs[v];
  for (uint32_t i = p->lets; i-- > 0;)
    for (uint32_t v = 0; v < variables; v++)
      if (p->for_test[p->let[i].task.variable])
        p->for_test[v] |= p->let[i].needs[v];
}

static bool append (planner *p, chore *c) {
  c->done = true;
  if (p->schedule->tasks == p->room)
    return false;
  p->schedule->task[p->schedule->tasks++] = c->task;
  return true;
}

static chore *evaluable (planner *p, chore *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!list[i].done && is_known (p, list[i].needs))
      return list + i;
  return 0;
}

static bool is_left (const chore *list, uint32_t count, bool safe_too) {
  for (uint32_t i = 0; i < count; i++)
    if (!list[i].done && (safe_too || !list[i].safe))
      return true;
  return false;
}

// Are there tokens to be taken and variables to run; or, of these, some that
// may fail?
static bool are_left (const planner *p, bool safe_too) {
  return is_left (p->take, p->takes, safe_too) ||
         is_left (p->pick, p->picks, safe_too);
}

// The next test that can be made, or that can be tried.
static chore *next_test (planner *p) {
  for (uint32_t i = 0; i < p->tests; i++) {
    chore *const c = p->test + i;
    if (!c->done && is_known (p, c->needs) &&
        (c->safe || !are_left (p, true) || !(c->tried || are_left (p, false))))
      return c;
  }
  return 0;
}

static bool append_test (planner *p, chore *c) {
  if (c->safe || !are_left (p, true))
    return append (p, c);
  c->task.kind = TL_TASK_TRY;
  const bool memory = append (p, c);
  c->task.kind = TL_TASK_TEST;
  c->done = false;
  c->tried = true;
  return memory;
}

// A conjunct x = term of which only x is not known, and x may be any value.
static bool turn_to_set (planner *p, chore *c) {
  const tl_term *t = c->task.term;
  if (c->done || !c->safe || t->kind != TL_TERM_EQUAL)
    return false;
  for (uint32_t side = 0; side < 2; side++) {
    const tl_term *left = t->operand[side], *right = t->operand[!side];
    if (left->kind != TL_TERM_VARIABLE)
      continue;
    const uint32_t v = tl_variable_at (p->transition, left->offset);
    if (v >= p->transition->variables || p->known[v])
      continue;
    const tl_variable *variable = p->transition->variable + v;
    const bool any = variable->kind == TL_VARIABLE_ARC ||
                     (variable->kind == TL_VARIABLE_PICK &&
                      variable->pick.kind == TL_LOOP_TYPE &&
                      !variable->pick.first && !variable->pick.last);
    if (!any || !is_term_known (p, right))
      continue;
    c->task = (tl_task){TL_TASK_SET, .variable = v, .term = right};
    return true;
  }
  return false;
}

// How much of a tuple is known, of 1000; SIZE_MAX: all of it.
static size_t known_parts (planner *p, const chore *c) {
  const uint32_t parts = p->net->place[c->task.arc->place].parts;
  size_t known = 0;
  for (uint32_t i = 0; i < parts; i++) {
    known += is_term_known (p, c->task.tuple->part[i]);
  }
  return known == parts ? SIZE_MAX : known * 1000 / parts;
}

static chore *best_take (planner *p) {
  chore *best = 0;
  size_t most = 0;
  if (p->first < p->takes && !p->take[p->first].done &&
      is_known (p, p->take[p->first].needs))
    return p->take + p->first;
  for (uint32_t i = 0; i < p->takes; i++) {
    chore *const c = p->take + i;
    if (c->done || !c->safe || !is_known (p, c->needs))
      continue;
    const size_t known = known_parts (p, c);
    if (!best || known > most) {
      best = c;
      most = known;
    }
  }
  return best ? best : evaluable (p, p->take, p->takes);
}

static bool append_take (planner *p, chore *c) {
  const tl_tuple *tuple = c->task.tuple;
  const uint32_t parts = p->net->place[c->task.arc->place].parts;
  tl_part_use *use;
  if (!TL_ARENA_NEW (p->arena, use, parts))
    return false;
  for (uint32_t i = 0; i < parts; i++) {
    use[i] = is_term_known (p, tuple->part[i]) ? TL_PART_KNOWN : TL_PART_AFTER;
  }
  for (uint32_t i = 0; i < parts; i++) {
    const uint32_t v = plain_variable (p, tuple->part[i]);
    if (v != UINT32_MAX && !p->known[v]) {
      use[i] = TL_PART_BINDS;
      p->known[v] = true;
    }
  }
  c->task.use = use;
  return append (p, c);
}

static bool append_value (planner *p, chore *c) {
  p->known[c->task.variable] = true;
  return append (p, c);
}

// A pick whose variable a test has set is done already.
static void forget_set_picks (planner *p) {
  for (uint32_t i = 0; i < p->picks; i++)
    if (p->known[p->pick[i].task.variable])
      p->pick[i].done = true;
}

static chore *next_let (planner *p) {
  for (uint32_t i = 0; i < p->lets; i++)
    if (!p->let[i].done && p->for_test[p->let[i].task.variable] &&
        is_known (p, p->let[i].needs))
      return p->let + i;
  return evaluable (p, p->let, p->lets);
}

// Does the next thing that can be done; false: there is none.
static bool plan_one (planner *p, bool *memory) {
  chore *c;
  if ((c = next_test (p)))
    return *memory = append_test (p, c), true;
  for (uint32_t i = 0; i < p->tests; i++)
    if (turn_to_set (p, p->test + i)) {
      *memory = append_value (p, p->test + i);
      forget_set_picks (p);
      return true;
    }
  if ((c = best_take (p)))
    return *memory = append_take (p, c), true;
  if ((c = evaluable (p, p->claim, p->claims)))
    return *memory = append (p, c), true;
  if ((c = evaluable (p, p->pick, p->picks)))
    return *memory = append_value (p, c), true;
  if ((c = next_let (p)))
    return *memory = append_value (p, c), true;
  return false;
}

static bool all_done (const planner *p) {
  const struct {
    const chore *list;
    uint32_t count;
  } lists[] = {{p->test, p->tests},
               {p->take, p->takes},
               {p->claim, p->claims},
               {p->pick, p->picks},
               {p->let, p->lets}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    for (uint32_t j = 0; j < lists[i].count; j++)
      if (!lists[i].list[j].done)
        return false;
  return true;
}

static tl_status impossible (const planner *p, tl_error *err) {
  const tl_ctransition *t = p->transition;
  const char *name = "?";
  for (uint32_t v = 0; v < t->variables; v++)
    if (!p->known[v] && t->variable[v].kind != TL_VARIABLE_INHIBITOR)
      name = t->variable[v].name;
  return tl_fail_at (err, TL_E_MODEL, p->net->path, t->where.line,
                     t->where.column,
                     "transition %s cannot be evaluated: nothing binds its "
                     "variable %s",
                     t->name, name);
}

static tl_status plan (planner *p, tl_error *err) {
  bool memory = (p->known = no_variables (p)) &&
                (p->temporary = no_variables (p)) &&
                (p->for_test = no_variables (p)) && add_guard (p) &&
                add_tuples (p) && add_variables (p);
  if (!memory)
    return tl_fail (err, TL_E_NOMEM, "out of memory");
  find_what_tests_need (p);
  p->room = p->tests + p->takes + p->claims + p->picks + p->lets + 1;
  if (!TL_ARENA_NEW (p->arena, p->schedule->task, p->room))
    return tl_fail (err, TL_E_NOMEM, "out of memory");
  p->schedule->takes = p->takes;
  while (plan_one (p, &memory) && memory)
    ;
  if (!memory)
    return tl_fail (err, TL_E_NOMEM, "out of memory");
  return all_done (p) ? TL_OK : impossible (p, err);
}

tl_status tl_schedule_make (const tl_coloured *net,
                            const tl_ctransition *transition, uint32_t first,
                            tl_arena *arena, tl_schedule *schedule,
                            tl_error *err) {
  *schedule = (tl_schedule){0};
  planner p = {.net = net,
               .transition = transition,
               .first = first,
               .arena = arena,
               .scratch = TL_ARENA (arena->mem),
               .schedule = schedule};
  const tl_status s = plan (&p, err);
  tl_arena_close (&p.scratch);
  return s;
}
