#include "machine/parts.h"

#include <string.h>

// Inhibitor arcs.  A binding is inhibited when some values of the inhibitor
// variables put all tuples of all inhibitor arcs into the marking.  Tuples that
// bind variables are tried with every token of the place; then the labels are
// looked up as a whole.  In symmetric nets each value inhibits by itself.
//
// In which order tokens come must not matter: what cannot be computed for one
// of them is an error only if no other inhibits.

typedef struct test {
  tl_machine *machine;
  const tl_ctransition *transition;
  tl_cell *frame;
  uint64_t bound; // inhibitor variables that have a value, counted among these
} test;

static tl_status descend (test *, uint32_t arc, uint32_t tuple, bool *holds);

static uint32_t many_of (const tl_machine *m, uint32_t place,
                         const tl_cell *cells) {
  const uint32_t token =
      tl_intern_find (m->token + place, (const uint32_t *)cells,
                      m->coloured->place[place].cells);
  return token == TL_NO_NUMBER ? 0 : tl_machine_many_now (m, place, token);
}

// Are all tokens of a label that binds nothing there?
static tl_status look (test *x, const tl_label *label, uint32_t place,
                       bool *there) {
  tl_machine *m = x->machine;
  const tl_status rc = tl_multiset_of (
      &m->bag, &m->evaluation, m->coloured->place + place, label, x->frame);
  *there = !rc;
  for (uint32_t i = 0; *there && i < m->bag.set.count; i++)
    *there = many_of (m, place, tl_token_at (&m->bag.set, i)) >=
             (uint64_t)m->bag.many[i];
  return rc;
}

// The inhibitor variable that the part binds, and its bit; or null.
static const tl_variable *binds (const test *x, const tl_term *part,
                                 uint64_t *bit) {
  if (part->kind != TL_TERM_VARIABLE)
    return 0;
  *bit = 1;
  for (uint32_t i = 0; i < x->transition->variables; i++) {
    const tl_variable *v = x->transition->variable + i;
    if (v->kind != TL_VARIABLE_INHIBITOR)
      continue;
    if (v->offset == part->offset)
      return x->bound & *bit ? 0 : v;
    *bit <<= 1;
  }
  return 0;
}

static bool binds_any (const test *x, const tl_tuple *tuple,
                       const tl_cplace *place) {
  uint64_t bit;
  for (uint32_t i = 0; i < place->parts; i++)
    if (binds (x, tuple->part[i], &bit))
      return true;
  return false;
}

// Does the token fit the tuple?  Binds what it binds.
static tl_status match (test *x, const tl_tuple *tuple, const tl_cplace *place,
                        const tl_cell *token, bool *fits) {
  tl_machine *m = x->machine;
  *fits = true;
  for (uint32_t i = 0; i < place->parts; i++) {
    uint64_t bit;
    const tl_variable *v = binds (x, tuple->part[i], &bit);
    if (!v)
      continue;
    memcpy (x->frame + v->offset, token + place->part_offset[i],
            v->type->cells * sizeof *token);
    x->bound |= bit;
  }
  for (uint32_t i = 0; i < place->parts && *fits; i++) {
    const uint32_t cells = place->part[i]->cells;
    if (!TL_ROOM (m->mem, m->part, &m->part_room, (size_t)cells + 1))
      return TL_E_NOMEM;
    const tl_status rc =
        tl_evaluate (&m->evaluation, tuple->part[i], x->frame, m->part);
    if (rc)
      return rc;
    *fits = !memcmp (m->part, token + place->part_offset[i],
                     cells * sizeof *m->part);
  }
  return TL_OK;
}

// May others still inhibit?
static bool is_open (tl_status rc) {
  return !rc || rc == TL_E_ARG;
}

static tl_status try_tokens (test *x, uint32_t arc, uint32_t tuple,
                             bool *holds) {
  tl_machine *m = x->machine;
  const tl_carc *a = x->transition->inhibit + arc;
  const tl_tuple *t = a->label.tuple + tuple;
  const tl_cplace *place = m->coloured->place + a->place;
  const tl_tokens *tokens = m->marking + a->place;
  const uint64_t before = x->bound;
  tl_status wrong = TL_OK;
  for (uint32_t i = 0; is_open (wrong) && !*holds && i < tokens->count; i++) {
    bool fits;
    tl_status rc =
        match (x, t, place, tokens->token + (size_t)i * place->cells, &fits);
    if (!rc && fits)
      rc = descend (x, arc, tuple + 1, holds);
    wrong = rc ? rc : wrong;
    x->bound = before;
  }
  return *holds ? TL_OK : wrong;
}

// All inhibitor variables have values: are all labels there?
static tl_status look_at_all (test *x, bool *holds) {
  const tl_ctransition *t = x->transition;
  tl_status rc = TL_OK;
  bool there = true;
  for (uint32_t i = 0; !rc && there && i < t->inhibits; i++)
    rc = look (x, &t->inhibit[i].label, t->inhibit[i].place, &there);
  *holds = !rc && there;
  return rc;
}

// Gives values to what tuples from this one on bind; the depth is their number.
static tl_status descend (test *x, uint32_t arc, uint32_t tuple, bool *holds) {
  for (; arc < x->transition->inhibits; arc++, tuple = 0) {
    const tl_carc *a = x->transition->inhibit + arc;
    const tl_cplace *place = x->machine->coloured->place + a->place;
    for (; tuple < a->label.tuples; tuple++) {
      const tl_tuple *t = a->label.tuple + tuple;
      if (binds_any (x, t, place) && !t->loops && !t->condition)
        return try_tokens (x, arc, tuple, holds);
    }
  }
  return look_at_all (x, holds);
}

// Is one of the tokens of a label there, as often as it says?
static tl_status look_for_one (test *x, const tl_carc *arc, bool *there) {
  tl_machine *m = x->machine;
  const tl_status rc =
      tl_multiset_of (&m->bag, &m->evaluation, m->coloured->place + arc->place,
                      &arc->label, x->frame);
  for (uint32_t i = 0; !rc && !*there && i < m->bag.set.count; i++)
    *there = m->bag.many[i] &&
             many_of (m, arc->place, tl_token_at (&m->bag.set, i)) >=
                 (uint64_t)m->bag.many[i];
  return rc;
}

static tl_status look_for_each (test *x, bool *inhibited) {
  const tl_ctransition *t = x->transition;
  tl_status wrong = TL_OK;
  for (uint32_t i = 0; is_open (wrong) && !*inhibited && i < t->inhibits; i++) {
    const tl_status rc = look_for_one (x, t->inhibit + i, inhibited);
    wrong = rc ? rc : wrong;
  }
  return *inhibited ? TL_OK : wrong;
}

tl_status tl_machine_inhibited (tl_machine *m, uint32_t transition,
                                tl_cell *frame, bool *inhibited) {
  test x = {.machine = m,
            .transition = m->coloured->transition + transition,
            .frame = frame};
  *inhibited = false;
  return x.transition->inhibits_each ? look_for_each (&x, inhibited)
         : x.transition->inhibits    ? descend (&x, 0, 0, inhibited)
                                     : TL_OK;
}
