#include "colour/fold.h"

#include "base/error.h"
#include "colour/multiset.h"

#include <stdio.h>
#include <string.h>

enum { MOST_INHIBITORS = 64 }; // the test keeps them as bits of a word

uint32_t tl_folded_frame (const tl_coloured *net) {
  uint32_t most = net->measure_frame;
  for (uint32_t t = 0; t < net->transitions; t++)
    most = net->transition[t].frame > most ? net->transition[t].frame : most;
  for (uint32_t i = 0; i < net->propositions; i++)
    most = net->proposition[i].frame > most ? net->proposition[i].frame : most;
  for (uint32_t p = 0; p < net->places; p++)
    most =
        net->place[p].initial_frame > most ? net->place[p].initial_frame : most;
  return most;
}

static uint64_t count_arcs (const tl_coloured *net) {
  uint64_t arcs = 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_ctransition *c = net->transition + t;
    arcs += (uint64_t)c->ins + c->outs + c->inhibits;
  }
  return arcs;
}

static tl_status count_inhibitors (const tl_coloured *net, tl_error *error) {
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_ctransition *c = net->transition + t;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->variables; i++)
      count += c->variable[i].kind == TL_VARIABLE_INHIBITOR;
    if (count > MOST_INHIBITORS)
      return tl_fail_at (error, TL_E_MODEL, net->path, (long)c->where.line,
                         (long)c->where.column,
                         "transition %s has %u inhibitor variables; %d are the "
                         "most",
                         c->name, count, MOST_INHIBITORS);
  }
  return TL_OK;
}

// ---- The initial marking ---------------------------------------------------

// Keeps what the multi-set holds.
static tl_status keep (tl_coloured *net, const tl_multiset *bag, uint32_t cells,
                       tl_tokens *tokens) {
  tl_cell *token;
  uint32_t *many;
  const size_t most = bag->set.count;
  if (!TL_ARENA_NEW (&net->arena, token, most * cells + 1) ||
      !TL_ARENA_NEW (&net->arena, many, most + 1))
    return TL_E_NOMEM;
  uint32_t count = 0;
  for (uint32_t i = 0; i < most; i++) {
    if (!bag->many[i])
      continue;
    if (cells)
      memcpy (token + (size_t)count * cells, tl_token_at (&bag->set, i),
              cells * sizeof *token);
    many[count++] = (uint32_t)bag->many[i];
  }
  *tokens = (tl_tokens){token, many, count};
  return TL_OK;
}

// A place that is derived reads the marking of those before it.
static tl_status find_initial (tl_coloured *net, tl_mem *mem, tl_cell *frame,
                               tl_tokens *marking, tl_error *error) {
  tl_evaluation evaluation;
  tl_multiset bag;
  tl_status rc = TL_OK;
  tl_evaluation_open (&evaluation, mem, net->path, error);
  tl_multiset_open (&bag, mem);
  evaluation.place = net->place;
  evaluation.marking = marking;
  for (uint32_t p = 0; !rc && p < net->places; p++) {
    const tl_cplace *place = net->place + p;
    rc = tl_multiset_of (&bag, &evaluation, place, &place->initial, frame);
    if (!rc)
      rc = keep (net, &bag, place->cells, marking + p);
  }
  tl_multiset_close (&bag);
  tl_evaluation_close (&evaluation);
  return rc;
}

// ---- The net ---------------------------------------------------------------

static tl_status add_place (tl_builder *b, const tl_cplace *place,
                            const tl_tokens *tokens) {
  uint32_t number;
  tl_status rc = tl_builder_place (b, place->id, place->name, 0, &number);
  for (uint32_t i = 0; !rc && i < tokens->count; i++)
    rc = tl_builder_add_initial (b, number, tokens->many[i]);
  return rc;
}

// Names that no place has, but for the first of what the net says.
static tl_status add_measure (tl_builder *b, const tl_coloured *c, uint32_t i) {
  char name[32] = "progress";
  if (i >= c->progress_parts)
    snprintf (name, sizeof name, "(time)");
  else if (i || c->asked)
    snprintf (name, sizeof name, "(%s %u)", c->asked ? "asked" : "progress",
              i + 1);
  return tl_builder_place (b, name, 0, 0, 0);
}

static tl_status build (tl_net **net, tl_mem *mem, const tl_coloured *c,
                        const tl_tokens *initial, tl_error *error) {
  tl_builder *b;
  tl_status rc = tl_builder_open (&b, mem);
  if (rc)
    return rc;
  for (uint32_t p = 0; !rc && p < c->places; p++)
    rc = add_place (b, c->place + p, initial + p);
  for (uint32_t i = 0; !rc && i < c->propositions; i++)
    rc = tl_builder_place (b, c->proposition[i].name, 0, 0, 0);
  for (uint32_t i = 0; !rc && i < c->measures; i++)
    rc = add_measure (b, c, i);
  if (!rc)
    rc = tl_builder_place (b, "(initial)", 0, 1, 0); // no other is called so
  for (uint32_t t = 0; !rc && t < c->transitions; t++)
    rc = tl_builder_transition (b, c->transition[t].id, c->transition[t].name,
                                0);
  if (rc) {
    tl_builder_close (b);
    return rc == TL_E_ARG
               ? tl_fail (error, TL_E_MODEL,
                          "a place and a proposition have the same name")
               : rc;
  }
  return tl_builder_finish (b, c->name, c->format, net, error);
}

static void close_folded (tl_folded *f) {
  tl_coloured_close (f->coloured);
}

static tl_status attach (tl_net *net, tl_coloured *c,
                         const tl_tokens *initial) {
  tl_folded *f;
  if (!TL_ARENA_NEW (&net->arena, f, 1))
    return TL_E_NOMEM;
  *f = (tl_folded){.counted = c->places,
                   .propositions = c->propositions,
                   .measures = c->measures,
                   .progress_parts = c->progress_parts,
                   .has_time = c->has_time,
                   .arcs = count_arcs (c),
                   .coloured = c,
                   .initial = initial,
                   .close = close_folded};
  net->folded = f;
  return TL_OK;
}

tl_status tl_folded_net (tl_net **net, tl_mem *mem, tl_coloured *c,
                         tl_error *error) {
  tl_tokens *initial;
  tl_cell *frame = 0;
  const size_t cells = (size_t)tl_folded_frame (c) + 1;
  *net = 0;
  tl_status rc = count_inhibitors (c, error);
  if (!rc && (!TL_ARENA_NEW (&c->arena, initial, (size_t)c->places + 1) ||
              !TL_NEW (mem, frame, cells)))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = find_initial (c, mem, frame, initial, error);
  TL_DEL (mem, frame, cells);
  if (!rc)
    rc = build (net, mem, c, initial, error);
  if (!rc)
    rc = attach (*net, c, initial);
  if (rc) {
    tl_net_close (*net);
    *net = 0;
    tl_coloured_close (c);
  }
  return rc == TL_E_NOMEM ? tl_fail (error, rc, "no memory for the net") : rc;
}
