#include "colour/bind.h"

#include "base/error.h"

#include <string.h>

// The clock is looked at when so many tokens were tried and tasks done.
#define TICKS 16384u

#define NO_INDEX UINT32_MAX

// Where a task is.
typedef struct tl_cursor {
  uint32_t index;      // of a tuple of which some parts are known, not all
  bool all_known;      // a tuple of which all parts are known
  uint32_t next;       // tokens: the number of the next one
  tl_cell *like;       // what is known of the token; a container
  int64_t value, last; // picks: the next value, or number of element
} tl_cursor;

static const tl_cplace *place_of (const tl_binder *b, const tl_task *task) {
  return b->net->place + task->arc->place;
}

static tl_status prepare_take (tl_binder *b, const tl_task *task, tl_cursor *c,
                               tl_arena *arena) {
  const tl_cplace *place = place_of (b, task);
  uint64_t mask = 0;
  c->index = NO_INDEX;
  c->all_known = true;
  for (uint32_t i = 0; i < place->parts; i++) {
    if (task->use[i] != TL_PART_KNOWN)
      c->all_known = false;
    else if (i < 64)
      mask |= UINT64_C (1) << i;
  }
  if (!TL_ARENA_NEW (arena, c->like, place->cells))
    return TL_E_NOMEM;
  if (c->all_known || !mask)
    return TL_OK;
  return tl_token_index_open (b->set + task->arc->place, mask, &c->index);
}

static tl_status prepare (tl_binder *b, tl_arena *arena) {
  for (uint32_t i = 0; i < b->schedule->tasks; i++) {
    const tl_task *task = b->schedule->task + i;
    tl_cursor *const c = b->cursor + i;
    if (task->kind == TL_TASK_TAKE) {
      if (prepare_take (b, task, c, arena))
        return TL_E_NOMEM;
    } else if (task->kind == TL_TASK_PICK) {
      const tl_loop *pick = &b->transition->variable[task->variable].pick;
      if (pick->kind == TL_LOOP_CONTAINER &&
          !TL_ARENA_NEW (arena, c->like, pick->container->type->cells))
        return TL_E_NOMEM;
    }
  }
  return TL_OK;
}

tl_status tl_binder_open (tl_binder *b, tl_evaluation *evaluation,
                          const tl_coloured *net,
                          const tl_ctransition *transition,
                          const tl_schedule *schedule, tl_token_set *set,
                          tl_cell *frame, tl_arena *arena) {
  *b = (tl_binder){.evaluation = evaluation,
                   .net = net,
                   .transition = transition,
                   .schedule = schedule,
                   .set = set,
                   .frame = frame};
  if (!TL_ARENA_NEW (arena, b->cursor, schedule->tasks + 1) ||
      !TL_ARENA_NEW (arena, b->token, schedule->takes) ||
      !TL_ARENA_NEW (arena, b->span, schedule->takes) || prepare (b, arena))
    return tl_fail (evaluation->error, TL_E_NOMEM, "out of memory");
  return TL_OK;
}

static tl_status look_at_clock (tl_binder *b) {
  if (b->most_ticks && b->ticks >= b->most_ticks)
    return TL_E_LIMIT;
  return ++b->ticks % TICKS ? TL_OK : tl_evaluation_look (b->evaluation);
}

// Tuples.

static tl_status enter_take (tl_binder *b, const tl_task *task, tl_cursor *c) {
  const tl_cplace *place = place_of (b, task);
  const tl_token_set *set = b->set + task->arc->place;
  const tl_token_span span = b->span[task->take];
  c->next = TL_NO_TOKEN;
  if (span.from >= span.to)
    return TL_OK;
  for (uint32_t i = 0; i < place->parts; i++)
    if (task->use[i] == TL_PART_KNOWN) {
      const tl_status s =
          tl_evaluate (b->evaluation, task->tuple->part[i], b->frame,
                       c->like + place->part_offset[i]);
      if (s)
        return s;
    }
  if (c->all_known) {
    c->next = tl_token_find (set, c->like);
  } else if (c->index == NO_INDEX) {
    c->next = span.to - 1;
  } else {
    c->next = tl_token_index_find (set, c->index, c->like) - 1;
    while (c->next != TL_NO_TOKEN && c->next >= span.to)
      c->next = set->index[c->index].next[c->next] - 1;
  }
  return TL_OK;
}

// The token after this one, in descending order.
static uint32_t older (const tl_binder *b, const tl_task *task,
                       const tl_cursor *c) {
  if (c->all_known)
    return TL_NO_TOKEN;
  if (c->index == NO_INDEX)
    return c->next - 1; // after 0 comes TL_NO_TOKEN
  return b->set[task->arc->place].index[c->index].next[c->next] - 1;
}

// Binds what the tuple binds and compares the rest.
static tl_status match (tl_binder *b, const tl_task *task, tl_cursor *c,
                        const tl_cell *token, bool *fits) {
  const tl_cplace *place = place_of (b, task);
  for (uint32_t i = 0; i < place->parts; i++)
    if (task->use[i] == TL_PART_BINDS)
      memcpy (b->frame + task->tuple->part[i]->offset,
              token + place->part_offset[i],
              place->part[i]->cells * sizeof *token);
  *fits = true;
  for (uint32_t i = 0; i < place->parts && *fits; i++) {
    if (task->use[i] == TL_PART_BINDS ||
        (task->use[i] == TL_PART_KNOWN && i < 64))
      continue;
    tl_cell *const like = c->like + place->part_offset[i];
    if (task->use[i] == TL_PART_AFTER) {
      const tl_status s =
          tl_evaluate (b->evaluation, task->tuple->part[i], b->frame, like);
      if (s)
        return s;
    }
    *fits = !memcmp (like, token + place->part_offset[i],
                     place->part[i]->cells * sizeof *like);
  }
  return TL_OK;
}

static tl_status advance_take (tl_binder *b, const tl_task *task, tl_cursor *c,
                               bool *found) {
  const tl_token_span span = b->span[task->take];
  *found = false;
  while (c->next != TL_NO_TOKEN && c->next >= span.from && !*found) {
    const uint32_t token = c->next;
    c->next = older (b, task, c);
    if (token >= span.to)
      continue;
    b->token[task->take] = token;
    tl_status s = look_at_clock (b);
    if (s ||
        (s = match (b, task, c, tl_token_at (b->set + task->arc->place, token),
                    found)))
      return s;
  }
  return TL_OK;
}

// Picks.

static tl_status enter_pick (tl_binder *b, const tl_task *task, tl_cursor *c) {
  const tl_loop *pick = &b->transition->variable[task->variable].pick;
  tl_status s = TL_OK;
  if (pick->kind == TL_LOOP_CONTAINER) {
    s = tl_evaluate (b->evaluation, pick->container, b->frame, c->like);
    c->value = 0;
    c->last = (int64_t)c->like[0] - 1;
    return s;
  }
  c->value = pick->type->first;
  c->last = pick->type->last;
  if ((pick->first && (s = tl_evaluate_number (b->evaluation, pick->first,
                                               b->frame, &c->value))) ||
      (pick->last && (s = tl_evaluate_number (b->evaluation, pick->last,
                                              b->frame, &c->last))))
    return s;
  if (c->value > c->last ||
      (c->value >= pick->type->first && c->last <= pick->type->last))
    return TL_OK;
  const tl_where where = (pick->first ? pick->first : pick->last)->where;
  return tl_fail_at (b->evaluation->error, TL_E_ARG, b->net->path, where.line,
                     where.column, "out of range: %s is picked from %lld..%lld",
                     pick->name, (long long)c->value, (long long)c->last);
}

static bool advance_pick (tl_binder *b, const tl_task *task, tl_cursor *c) {
  const tl_loop *pick = &b->transition->variable[task->variable].pick;
  if (c->value > c->last)
    return false;
  if (pick->kind == TL_LOOP_CONTAINER)
    memcpy (b->frame + pick->offset,
            c->like + 1 + (size_t)c->value * pick->type->cells,
            pick->type->cells * sizeof *c->like);
  else
    b->frame[pick->offset] = (tl_cell)c->value;
  c->value++;
  return true;
}

// A value that a conjunct gives; it may not be one that the variable can have.
static tl_status set_variable (tl_binder *b, const tl_task *task, bool *fits) {
  const tl_variable *v = b->transition->variable + task->variable;
  if (!tl_type_is_discrete (v->type)) {
    *fits = true;
    return tl_evaluate (b->evaluation, task->term, b->frame,
                        b->frame + v->offset);
  }
  int64_t n;
  const tl_status s =
      tl_evaluate_number (b->evaluation, task->term, b->frame, &n);
  if (s)
    return s;
  const bool any = v->kind == TL_VARIABLE_ARC; // tokens will say no
  *fits = n >= (any ? INT32_MIN : v->type->first) &&
          n <= (any ? INT32_MAX : v->type->last);
  if (*fits)
    b->frame[v->offset] = (tl_cell)n;
  return TL_OK;
}

// Does a task for the first time with what the tasks before it have bound.
static tl_status enter (tl_binder *b, const tl_task *task, tl_cursor *c,
                        bool *fits) {
  *fits = true;
  tl_status s;
  int64_t n;
  switch (task->kind) {
  case TL_TASK_TEST:
    s = tl_evaluate_number (b->evaluation, task->term, b->frame, &n);
    *fits = !s && n;
    return s;
  case TL_TASK_TRY:
    s = tl_evaluate_number (b->evaluation, task->term, b->frame, &n);
    *fits = s || n;
    return s == TL_E_ARG ? TL_OK : s;
  case TL_TASK_SET: return set_variable (b, task, fits);
  case TL_TASK_LET: {
    const tl_variable *v = b->transition->variable + task->variable;
    return tl_evaluate (b->evaluation, v->let, b->frame, b->frame + v->offset);
  }
  case TL_TASK_PICK:
    s = enter_pick (b, task, c);
    *fits = !s && advance_pick (b, task, c);
    return s;
  case TL_TASK_TAKE:
    s = enter_take (b, task, c);
    return s ? s : advance_take (b, task, c, fits);
  case TL_TASK_CLAIM: break;
  }
  return TL_OK;
}

// The next way to do a task.
static tl_status again (tl_binder *b, const tl_task *task, tl_cursor *c,
                        bool *fits) {
  *fits = false;
  if (task->kind == TL_TASK_TAKE)
    return advance_take (b, task, c, fits);
  if (task->kind == TL_TASK_PICK)
    *fits = advance_pick (b, task, c);
  return TL_OK;
}

void tl_binder_start (tl_binder *b) {
  b->task = 0;
}

tl_status tl_binder_next (tl_binder *b, bool *found) {
  const uint32_t tasks = b->schedule->tasks;
  // After a binding (or before the first one without tasks) go back.
  bool forward = b->task == 0;
  *found = false;
  if (b->task > tasks)
    return TL_OK;
  if (!tasks) {
    b->task = 1;
    *found = true;
    return TL_OK;
  }
  uint32_t at = b->task ? tasks - 1 : 0;
  for (;;) {
    const tl_task *task = b->schedule->task + at;
    bool fits;
    tl_status s = look_at_clock (b);
    if (s || (s = (forward ? enter : again) (b, task, b->cursor + at, &fits)))
      return s;
    if ((forward = fits)) {
      if (++at == tasks) {
        b->task = tasks;
        *found = true;
        return TL_OK;
      }
    } else if (!at--) {
      b->task = tasks + 1;
      return TL_OK;
    }
  }
}
