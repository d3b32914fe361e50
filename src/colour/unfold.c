#include "base/error.h"
#include "colour/unfold_parts.h"
#include "colour/waiting.h"

#include <string.h>

// The search for the tokens that places can hold and the bindings that can be
// enabled.  It goes in rounds.  In each one only those bindings are looked for
// that take a token that came in the round before: for each tuple of the
// transition in turn, that tuple takes a new token, tuples before it an old one
// and tuples after it any.

tl_status tl_unfold_no_memory (tl_unfolder *u) {
  return tl_fail (u->error, TL_E_NOMEM, "no memory to unfold the net");
}

static tl_status too_large (tl_unfolder *u, const char *what, uint64_t most) {
  return tl_fail (u->error, TL_E_LIMIT,
                  "the unfolded net has more than %llu %s",
                  (unsigned long long)most, what);
}

tl_status tl_unfold_refuse (tl_unfolder *u, tl_status s, const char *kind,
                            const char *name) {
  if (s != TL_E_ARG)
    return s;
  const tl_error why = *u->error;
  return tl_fail_at (u->error, TL_E_MODEL, why.file, why.line, why.column,
                     "cannot be unfolded: %.300s (%s %.100s)", why.text, kind,
                     name);
}

tl_status tl_links_add (tl_unfolder *u, tl_links *list, tl_link link) {
  if (!TL_ROOM (u->mem, list->link, &list->room, list->count + 1))
    return tl_unfold_no_memory (u);
  list->link[list->count++] = link;
  return TL_OK;
}

// A token that a place can hold.
static tl_status add_token (tl_unfolder *u, uint32_t place,
                            const tl_cell *token, uint32_t *number) {
  tl_token_set *const set = u->set + place;
  const uint32_t before = set->count;
  const tl_status s = tl_token_add (set, token, number);
  if (s)
    return s == TL_E_NOMEM ? tl_unfold_no_memory (u)
                           : too_large (u, "places", UINT32_MAX / 2);
  if (set->count == before)
    return TL_OK;
  u->tokens++;
  if (u->limits->places && u->tokens > u->limits->places)
    return too_large (u, "places", u->limits->places);
  tl_waiting_wake (u->waiting, place, token);
  return TL_OK;
}

static tl_status add_links (tl_unfolder *u, uint32_t place, tl_links *list) {
  const tl_multiset *m = &u->multiset;
  for (uint32_t i = 0; i < m->set.count; i++) {
    if (!m->many[i])
      continue;
    tl_link link = {.place = place, .weight = (uint32_t)m->many[i]};
    tl_status s;
    if ((s = add_token (u, place, tl_token_at (&m->set, i), &link.token)) ||
        (s = tl_links_add (u, list, link)))
      return s;
  }
  return TL_OK;
}

static tl_status mark_initially (tl_unfolder *u) {
  for (uint32_t p = 0; p < u->net->places; p++) {
    const tl_cplace *place = u->net->place + p;
    if (place->derived)
      return tl_fail_at (u->error, TL_E_MODEL, u->net->path,
                         (long)place->where.line, (long)place->where.column,
                         "the marking of place %s follows from that of others, "
                         "which is to be watched",
                         place->name);
    if (place->most)
      return tl_fail_at (u->error, TL_E_MODEL, u->net->path,
                         (long)place->where.line, (long)place->where.column,
                         "how many tokens place %s has in all is to be watched",
                         place->name);
    tl_cell *frame;
    if (!TL_ARENA_NEW (&u->arena, frame, place->initial_frame + 1))
      return tl_unfold_no_memory (u);
    tl_status s = tl_multiset_of (&u->multiset, &u->evaluation, place,
                                  &place->initial, frame);
    if (s)
      return tl_unfold_refuse (u, s, "place", place->name);
    if ((s = add_links (u, p, &u->initial)))
      return s;
  }
  return TL_OK;
}

// Bindings.

tl_status tl_unfold_restore (tl_unfolder *u, tl_bindings *b,
                             const tl_cell *binding) {
  const tl_ctransition *t = b->transition;
  for (uint32_t v = 0; v < t->variables; v++) {
    if (!tl_is_part_of_binding (t->variable + v))
      continue;
    const uint32_t cells = t->variable[v].type->cells;
    memcpy (b->frame + t->variable[v].offset, binding, cells * sizeof *binding);
    binding += cells;
  }
  tl_status s = TL_OK;
  for (uint32_t v = 0; v < t->variables && !s; v++)
    if (t->variable[v].kind == TL_VARIABLE_LET)
      s = tl_evaluate (&u->evaluation, t->variable[v].let, b->frame,
                       b->frame + t->variable[v].offset);
  return s;
}

// Makes room for one more binding, and writes it there.
static tl_status copy_binding (tl_unfolder *u, tl_bindings *b,
                               const tl_cell **binding) {
  const tl_ctransition *t = b->transition;
  const size_t start = (size_t)b->count * b->cells;
  // Room for a cell also where there are no variables.
  if (!TL_ROOM (u->mem, b->binding, &b->room, start + b->cells + 1))
    return tl_unfold_no_memory (u);
  tl_cell *to = b->binding + start;
  *binding = to;
  for (uint32_t v = 0; v < t->variables; v++) {
    if (!tl_is_part_of_binding (t->variable + v))
      continue;
    const uint32_t cells = t->variable[v].type->cells;
    memcpy (to, b->frame + t->variable[v].offset, cells * sizeof *to);
    to += cells;
  }
  return TL_OK;
}

// Input arcs.  *missing is a token that is not there; it waits for that.
static tl_status take_input (tl_unfolder *u, tl_bindings *b,
                             const tl_cell *binding, bool *missing) {
  const tl_ctransition *t = b->transition;
  const tl_multiset *m = &u->multiset;
  for (uint32_t a = 0; a < t->ins; a++) {
    const tl_carc *arc = t->in + a;
    tl_status s =
        tl_multiset_of (&u->multiset, &u->evaluation,
                        u->net->place + arc->place, &arc->label, b->frame);
    for (uint32_t i = 0; !s && i < m->set.count; i++) {
      if (!m->many[i])
        continue;
      const tl_cell *token = tl_token_at (&m->set, i);
      const uint32_t number = tl_token_find (u->set + arc->place, token);
      if (number == TL_NO_TOKEN) {
        *missing = true;
        s = tl_waiting_add (u->waiting, arc->place, token,
                            (uint32_t)(b - u->bindings), binding, b->cells);
        return s ? tl_unfold_no_memory (u) : TL_OK;
      }
      s = tl_links_add (u, &b->links,
                        (tl_link){arc->place, number, (uint32_t)m->many[i]});
    }
    if (s)
      return s;
  }
  return TL_OK;
}

static tl_status give_output (tl_unfolder *u, tl_bindings *b) {
  const tl_ctransition *t = b->transition;
  tl_status s = TL_OK;
  for (uint32_t a = 0; a < t->outs && !s; a++) {
    const tl_carc *arc = t->out + a;
    s = tl_multiset_of (&u->multiset, &u->evaluation,
                        u->net->place + arc->place, &arc->label, b->frame);
    if (!s)
      s = add_links (u, arc->place, &b->links);
  }
  return s;
}

static tl_status keep_binding (tl_unfolder *u, tl_bindings *b, size_t inputs) {
  if (!TL_ROOM (u->mem, b->end, &b->end_room, 2 * ((size_t)b->count + 1)))
    return tl_unfold_no_memory (u);
  b->end[2 * (size_t)b->count] = inputs;
  b->end[2 * (size_t)b->count + 1] = b->links.count;
  const size_t begin = b->count ? b->end[2 * (size_t)b->count - 1] : 0;
  b->count++;
  u->found++;
  u->links += b->links.count - begin;
  if (u->limits->transitions && u->found > u->limits->transitions)
    return too_large (u, "transitions", u->limits->transitions);
  if (u->limits->arcs && u->links > u->limits->arcs)
    return too_large (u, "arcs", u->limits->arcs);
  if (u->found >= UINT32_MAX / 2)
    return too_large (u, "transitions", UINT32_MAX / 2);
  return TL_OK;
}

// The binding that the frame has: its guard holds.
static tl_status accept (tl_unfolder *u, tl_bindings *b) {
  const tl_cell *binding;
  tl_status s = copy_binding (u, b, &binding);
  if (s)
    return s;
  const size_t begin = b->links.count;
  bool missing = false;
  s = take_input (u, b, binding, &missing);
  const size_t inputs = b->links.count;
  if (s || missing) {
    b->links.count = begin;
    return s;
  }
  s = give_output (u, b);
  return s ? s : keep_binding (u, b, inputs);
}

// Has it been found before?
static tl_status is_new (tl_unfolder *u, tl_bindings *b, bool *new) {
  const tl_cell *binding;
  tl_status s = copy_binding (u, b, &binding);
  if (s)
    return s;
  const uint32_t before = b->seen.count;
  uint32_t number;
  s = tl_token_add (&b->seen, binding, &number);
  *new = b->seen.count > before;
  return s ? tl_unfold_no_memory (u) : TL_OK;
}

static tl_status search (tl_unfolder *u, tl_bindings *b, tl_binder *binder) {
  tl_binder_start (binder);
  bool found, new = true;
  tl_status s;
  while (!(s = tl_binder_next (binder, &found)) && found) {
    if (b->repeats && (s = is_new (u, b, &new)))
      return s;
    if (new && (s = accept (u, b)))
      return s;
  }
  return s;
}

// Bindings in which tuple number `at` takes a new token.
static tl_status search_from (tl_unfolder *u, tl_bindings *b, uint32_t at) {
  tl_binder *const binder = b->binder + at;
  bool any = true;
  for (uint32_t i = 0; i < b->schedule[at].tasks; i++) {
    const tl_task *task = b->schedule[at].task + i;
    if (task->kind != TL_TASK_TAKE)
      continue;
    const uint32_t p = task->arc->place;
    const tl_token_span span = {task->take == at ? u->from[p] : 0,
                                task->take < at ? u->from[p] : u->to[p]};
    binder->span[task->take] = span;
    any &= span.from < span.to;
  }
  return any ? search (u, b, binder) : TL_OK;
}

static tl_status search_all (tl_unfolder *u) {
  for (uint32_t t = 0; t < u->net->transitions; t++) {
    tl_bindings *const b = u->bindings + t;
    for (uint32_t i = 0; i < b->schedules; i++) {
      const tl_status s = search_from (u, b, i);
      if (s)
        return tl_unfold_refuse (u, s, "transition", b->transition->name);
    }
  }
  return TL_OK;
}

static tl_status wake (tl_unfolder *u) {
  const tl_waiter *w;
  while ((w = tl_waiting_next (u->waiting))) {
    tl_bindings *const b = u->bindings + w->transition;
    tl_status s = tl_unfold_restore (u, b, u->waiting->cell + w->cell);
    if (s || (s = accept (u, b)))
      return tl_unfold_refuse (u, s, "transition", b->transition->name);
  }
  return TL_OK;
}

static tl_status one_round (tl_unfolder *u, bool *more) {
  *more = false;
  for (uint32_t p = 0; p < u->net->places; p++) {
    u->from[p] = u->to[p];
    u->to[p] = u->set[p].count;
    *more |= u->from[p] < u->to[p];
    if (tl_token_index_update (u->set + p))
      return tl_unfold_no_memory (u);
  }
  if (!*more)
    return TL_OK;
  const tl_status s = search_all (u);
  return s ? s : wake (u);
}

// Transitions without a tuple that takes a token: all bindings at once.
static tl_status search_sources (tl_unfolder *u) {
  for (uint32_t t = 0; t < u->net->transitions; t++) {
    tl_bindings *const b = u->bindings + t;
    if (b->schedules)
      continue;
    const tl_status s = search (u, b, b->binder);
    if (s)
      return tl_unfold_refuse (u, s, "transition", b->transition->name);
  }
  return wake (u);
}

static tl_status find_all (tl_unfolder *u) {
  tl_status s;
  if ((s = tl_unfold_prepare (u)) || (s = mark_initially (u)) ||
      (s = search_sources (u)))
    return s;
  bool more = true;
  while (more && !(s = one_round (u, &more)))
    ;
  return s;
}

static void close (tl_unfolder *u) {
  for (uint32_t p = 0; u->set && p < u->net->places; p++)
    tl_token_set_close (u->set + p);
  for (uint32_t t = 0; u->bindings && t < u->net->transitions; t++) {
    tl_bindings *const b = u->bindings + t;
    TL_DEL (u->mem, b->binding, b->room);
    TL_DEL (u->mem, b->links.link, b->links.room);
    TL_DEL (u->mem, b->end, b->end_room);
    if (b->transition)
      tl_token_set_close (&b->seen);
  }
  TL_DEL (u->mem, u->initial.link, u->initial.room);
  if (u->waiting && u->waiting->mem)
    tl_waiting_close (u->waiting);
  tl_multiset_close (&u->multiset);
  tl_evaluation_close (&u->evaluation);
  tl_arena_close (&u->arena);
}

tl_status tl_unfold (const tl_coloured *net, const tl_unfold_limits *limits,
                     tl_mem *mem, tl_net **out, tl_error *err) {
  *out = 0;
  tl_error own;
  tl_unfolder u = {.net = net,
                   .limits = limits,
                   .mem = mem,
                   .work = TL_MEM (mem, "unfolding"),
                   .arena = TL_ARENA (mem),
                   .error = err ? err : &own};
  if (limits->seconds > 0) {
    u.budget = tl_budget_part (mem, limits->seconds);
    u.work.budget = &u.budget;
  }
  tl_evaluation_open (&u.evaluation, &u.work, net->path, u.error);
  tl_multiset_open (&u.multiset, mem);
  tl_status s = find_all (&u);
  if (!s)
    s = tl_unfold_build (&u, out);
  close (&u);
  return s;
}
