#include "base/error.h"
#include "colour/unfold_parts.h"
#include "colour/uses.h"

#include <string.h>

// Inhibitor arcs.  A binding is inhibited when, for some values of the
// inhibitor variables, all tokens of all inhibitor labels are there.  A
// place/transition net can say "this token is not there", and that of several
// tokens, but not "these are not there together".

static tl_status cannot (tl_unfolder *u, const tl_ctransition *t) {
  return tl_fail_at (u->error, TL_E_MODEL, u->net->path, t->where.line,
                     t->where.column,
                     "cannot be unfolded: several tokens inhibit transition "
                     "%s only together",
                     t->name);
}

static bool has_variables (const tl_ctransition *t) {
  for (uint32_t v = 0; v < t->variables; v++)
    if (t->variable[v].kind == TL_VARIABLE_INHIBITOR)
      return true;
  return false;
}

// Without variables of their own the labels are tokens that must be there.
static tl_status from_labels (tl_unfolder *u, const tl_bindings *b,
                              tl_links *list, bool *never) {
  const tl_ctransition *t = b->transition;
  const tl_multiset *m = &u->multiset;
  const size_t begin = list->count;
  bool possible = true;
  for (uint32_t a = 0; a < t->inhibits; a++) {
    const tl_carc *arc = t->inhibit + a;
    tl_status s =
        tl_multiset_of (&u->multiset, &u->evaluation,
                        u->net->place + arc->place, &arc->label, b->frame);
    for (uint32_t i = 0; !s && i < m->set.count; i++) {
      const uint32_t token =
          tl_token_find (u->set + arc->place, tl_token_at (&m->set, i));
      possible &= !m->many[i] || token != TL_NO_TOKEN;
      if (m->many[i] && token != TL_NO_TOKEN)
        s = tl_links_add (u, list,
                          (tl_link){arc->place, token, (uint32_t)m->many[i]});
    }
    if (s)
      return s;
  }
  *never = possible && list->count == begin;
  if (possible && list->count > begin + 1)
    return cannot (u, t);
  if (!possible)
    list->count = begin;
  return TL_OK;
}

// Of two that name the same token, the one that needs fewer of them.
static tl_status add_least (tl_unfolder *u, tl_links *list, size_t begin,
                            tl_link link) {
  for (size_t i = begin; i < list->count; i++) {
    tl_link *there = list->link + i;
    if (there->place != link.place || there->token != link.token)
      continue;
    there->weight = link.weight < there->weight ? link.weight : there->weight;
    return TL_OK;
  }
  return tl_links_add (u, list, link);
}

// Each token of each label inhibits by itself.
static tl_status from_each (tl_unfolder *u, const tl_bindings *b,
                            tl_links *list) {
  const tl_ctransition *t = b->transition;
  const tl_multiset *m = &u->multiset;
  const size_t begin = list->count;
  for (uint32_t a = 0; a < t->inhibits; a++) {
    const tl_carc *arc = t->inhibit + a;
    tl_status s =
        tl_multiset_of (&u->multiset, &u->evaluation,
                        u->net->place + arc->place, &arc->label, b->frame);
    for (uint32_t i = 0; !s && i < m->set.count; i++) {
      const uint32_t token =
          tl_token_find (u->set + arc->place, tl_token_at (&m->set, i));
      if (m->many[i] && token != TL_NO_TOKEN)
        s = add_least (u, list, begin,
                       (tl_link){arc->place, token, (uint32_t)m->many[i]});
    }
    if (s)
      return s;
  }
  return TL_OK;
}

// Which parts of a tuple give an inhibitor variable its value: the first ones
// that are nothing but the variable.
static void find_binding (const tl_ctransition *t, const tl_tuple *tuple,
                          uint32_t parts, bool *binds) {
  for (uint32_t i = 0; i < parts; i++) {
    const tl_term *part = tuple->part[i];
    const uint32_t v = part->kind == TL_TERM_VARIABLE
                           ? tl_variable_at (t, part->offset)
                           : UINT32_MAX;
    binds[i] = v < t->variables && t->variable[v].kind == TL_VARIABLE_INHIBITOR;
    for (uint32_t before = 0; before < i; before++)
      if (binds[before] && tuple->part[before]->offset == part->offset)
        binds[i] = false;
  }
}

// Does a token fit a tuple, with a value for each inhibitor variable?
static tl_status fits (tl_unfolder *u, const tl_bindings *b,
                       const tl_tuple *tuple, const tl_cplace *place,
                       const bool *binds, const tl_cell *token, tl_cell *like,
                       bool *yes) {
  for (uint32_t i = 0; i < place->parts; i++)
    if (binds[i])
      memcpy (b->frame + tuple->part[i]->offset, token + place->part_offset[i],
              place->part[i]->cells * sizeof *token);
  *yes = true;
  for (uint32_t i = 0; i < place->parts && *yes; i++) {
    if (binds[i])
      continue;
    const tl_status s =
        tl_evaluate (&u->evaluation, tuple->part[i], b->frame, like);
    if (s)
      return s;
    *yes = !memcmp (like, token + place->part_offset[i],
                    place->part[i]->cells * sizeof *like);
  }
  return TL_OK;
}

// One tuple with variables: each token that fits inhibits.
static tl_status from_tuple (tl_unfolder *u, const tl_bindings *b,
                             tl_links *list) {
  const tl_carc *arc = b->transition->inhibit;
  const tl_tuple *tuple = arc->label.tuple;
  const tl_cplace *place = u->net->place + arc->place;
  const tl_token_set *set = u->set + arc->place;
  tl_cell *like;
  bool *binds = 0;
  tl_status s = TL_OK;
  if (!TL_NEW (u->mem, like, place->cells) ||
      !TL_NEW (u->mem, binds, place->parts))
    s = tl_unfold_no_memory (u);
  else
    find_binding (b->transition, tuple, place->parts, binds);
  for (uint32_t n = 0; n < set->count && !s; n++) {
    bool yes;
    s = fits (u, b, tuple, place, binds, tl_token_at (set, n), like, &yes);
    if (!s && yes)
      s = tl_links_add (u, list,
                        (tl_link){arc->place, n, (uint32_t)tuple->factor});
  }
  TL_DEL (u->mem, like, place->cells);
  TL_DEL (u->mem, binds, place->parts);
  return s;
}

tl_status tl_unfold_inhibitors (tl_unfolder *u, const tl_bindings *b,
                                tl_links *list, bool *never) {
  const tl_ctransition *t = b->transition;
  *never = false;
  if (!t->inhibits)
    return TL_OK;
  if (t->inhibits_each)
    return from_each (u, b, list);
  if (!has_variables (t))
    return from_labels (u, b, list, never);
  const tl_label *label = &t->inhibit->label;
  const tl_tuple *tuple = label->tuple;
  if (t->inhibits > 1 || label->tuples != 1 || tuple->loops ||
      tuple->condition || tuple->factor < 1 ||
      tuple->factor > (int64_t)TL_MAX_TOKENS)
    return cannot (u, t);
  return from_tuple (u, b, list);
}
