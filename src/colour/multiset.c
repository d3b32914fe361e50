#include "colour/multiset.h"

#include "colour/evaluate_parts.h"

void tl_multiset_open (tl_multiset *m, tl_mem *mem) {
  *m = (tl_multiset){.set.mem = mem};
}

void tl_multiset_close (tl_multiset *m) {
  TL_DEL (m->set.mem, m->many, m->room);
  TL_DEL (m->set.mem, m->token, m->token_room);
  tl_token_set_close (&m->set);
}

typedef struct sum {
  tl_multiset *multiset;
  const tl_tuple *tuple;
} sum;

// Adds the tuple for the values that its loops have.
static tl_status add (tl_loop_walk *w, void *with, bool *stop) {
  (void)stop;
  const sum *const s = with;
  tl_multiset *const m = s->multiset;
  const tl_cplace *place = m->set.place;
  int64_t yes = true;
  tl_status status;
  if (s->tuple->condition &&
      (status =
           tl_term_number (w->evaluation, s->tuple->condition, w->frame, &yes)))
    return status;
  if (!yes || !s->tuple->factor)
    return TL_OK;
  for (uint32_t i = 0; i < place->parts; i++)
    if ((status = tl_term_copy (w->evaluation, s->tuple->part[i], w->frame,
                                m->token + place->part_offset[i])))
      return status;
  uint32_t number;
  const uint32_t before = m->set.count;
  if (tl_token_add (&m->set, m->token, &number) ||
      !TL_ROOM (m->set.mem, m->many, &m->room, m->set.count))
    return TL_NO_SCRATCH (w->evaluation);
  if (number == before)
    m->many[number] = 0;
  return __builtin_add_overflow (m->many[number], s->tuple->factor,
                                 &m->many[number])
             ? TL_WRONG (w->evaluation, s->tuple->where, "too many tokens")
             : TL_OK;
}

static tl_status check (const tl_multiset *m, tl_evaluation *e,
                        const tl_label *label) {
  for (uint32_t i = 0; i < m->set.count; i++) {
    if (m->many[i] < 0)
      return TL_WRONG (e, label->tuple->where,
                       "more tokens are taken away than there are");
    if (m->many[i] > TL_MAX_TOKENS)
      return TL_WRONG (e, label->tuple->where, "too many tokens");
  }
  return TL_OK;
}

tl_status tl_multiset_of (tl_multiset *m, tl_evaluation *e,
                          const tl_cplace *place, const tl_label *label,
                          tl_cell *frame) {
  if (m->set.place)
    tl_token_set_clear (&m->set);
  m->set.place = place;
  if (!TL_ROOM (m->set.mem, m->token, &m->token_room, place->cells))
    return TL_NO_SCRATCH (e);
  const tl_scratch_mark mark = tl_evaluation_begin (e);
  tl_status s = TL_OK;
  for (uint32_t i = 0; i < label->tuples && !s; i++) {
    sum with = {m, label->tuple + i};
    tl_loop_walk w = {e, frame, label->tuple[i].where, add, &with, 0};
    s = tl_walk_loops (&w, label->tuple[i].loop, label->tuple[i].loops);
  }
  tl_scratch_back (e, mark);
  return s ? s : check (m, e, label);
}
