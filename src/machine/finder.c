#include "machine/finder.h"

#include "colour/bind.h"

struct tl_finder {
  tl_mem *mem;
  const tl_coloured *net;
  tl_arena arena;
  tl_token_set *set;     // [places] the tokens of the marking
  tl_schedule *schedule; // [transitions]
  tl_binder *binder;
  tl_cell **frame;
};

// The tokens of the places that the transition takes from.
static tl_status fill_sets (tl_finder *f, uint32_t transition,
                            const tl_tokens *marking) {
  const tl_ctransition *t = f->net->transition + transition;
  for (uint32_t i = 0; i < t->ins; i++) {
    const uint32_t place = t->in[i].place, cells = f->net->place[place].cells;
    tl_token_set *set = f->set + place;
    uint32_t number;
    tl_token_set_clear (set);
    for (uint32_t k = 0; k < marking[place].count; k++)
      if (tl_token_add (set, marking[place].token + (size_t)k * cells, &number))
        return TL_E_NOMEM;
    if (tl_token_index_update (set))
      return TL_E_NOMEM;
  }
  return TL_OK;
}

tl_status tl_finder_find (tl_finder *f, uint32_t transition,
                          const tl_tokens *marking, tl_found *call,
                          void *context) {
  tl_binder *b = f->binder + transition;
  const tl_schedule *s = f->schedule + transition;
  tl_status rc = fill_sets (f, transition, marking);
  if (rc)
    return rc;
  for (uint32_t i = 0; i < s->tasks; i++)
    if (s->task[i].kind == TL_TASK_TAKE)
      b->span[s->task[i].take] =
          (tl_token_span){0, f->set[s->task[i].arc->place].count};
  tl_binder_start (b);
  for (bool found = true; !rc && found;)
    if (!(rc = tl_binder_next (b, &found)) && found)
      rc = call (context, transition, f->frame[transition]);
  return rc;
}

void tl_finder_close (tl_finder *f) {
  if (!f)
    return;
  tl_mem *mem = f->mem;
  for (uint32_t p = 0; f->set && p < f->net->places; p++)
    tl_token_set_close (f->set + p);
  tl_arena_close (&f->arena);
  TL_DEL (mem, f, 1);
}

static tl_status prepare (tl_finder *f, uint32_t transition,
                          tl_evaluation *evaluation) {
  const tl_ctransition *t = f->net->transition + transition;
  const tl_status rc =
      tl_schedule_make (f->net, t, TL_ANY_TAKE, &f->arena,
                        f->schedule + transition, evaluation->error);
  if (rc)
    return rc;
  if (!TL_ARENA_NEW (&f->arena, f->frame[transition], (size_t)t->frame + 1))
    return TL_E_NOMEM;
  return tl_binder_open (f->binder + transition, evaluation, f->net, t,
                         f->schedule + transition, f->set, f->frame[transition],
                         &f->arena);
}

tl_status tl_finder_open (tl_finder **out, tl_mem *mem, const tl_coloured *net,
                          tl_evaluation *evaluation) {
  tl_finder *f;
  *out = 0;
  if (!TL_NEW (mem, f, 1))
    return TL_E_NOMEM;
  *f = (tl_finder){.mem = mem, .net = net};
  f->arena = TL_ARENA (mem);
  tl_status rc = TL_OK;
  if (!TL_ARENA_NEW (&f->arena, f->set, (size_t)net->places + 1) ||
      !TL_ARENA_NEW (&f->arena, f->schedule, (size_t)net->transitions + 1) ||
      !TL_ARENA_NEW (&f->arena, f->binder, (size_t)net->transitions + 1) ||
      !TL_ARENA_NEW (&f->arena, f->frame, (size_t)net->transitions + 1))
    rc = TL_E_NOMEM;
  for (uint32_t p = 0; f->set && p < net->places; p++)
    tl_token_set_open (f->set + p, mem, net->place + p);
  for (uint32_t t = 0; !rc && t < net->transitions; t++)
    rc = prepare (f, t, evaluation);
  if (rc)
    tl_finder_close (f);
  else
    *out = f;
  return rc;
}
