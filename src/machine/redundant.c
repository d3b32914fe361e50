#include "colour/unfold.h"
#include "machine/parts.h"
#include "structure/eliminate.h"

#include <string.h>

// Places whose markings follow from those of the others: found on the unfolded
// net, where such a marking is a linear function of the others for every
// colour.  The relations are exact (structure/eliminate.h).

// Nets of more nodes than this are not unfolded for it.
static const tl_unfold_limits limits = {
    .places = 20000, .transitions = 200000, .arcs = 2000000, .seconds = 2};

// What it costs to have each unfolded place in the code: the same for all
// colours of a place, and the more the more tokens it has in the beginning.
static void set_costs (const tl_machine *m, const tl_net *net, uint32_t *cost) {
  const tl_origin *o = net->origin;
  for (uint32_t p = 0; p < m->places; p++) {
    uint64_t tokens = 0;
    for (uint32_t i = o->place_first[p]; i < o->place_first[p + 1]; i++)
      tokens += net->initial[i];
    const uint64_t values = m->coded.code[p].values;
    const uint64_t width = values ? tl_bits_for (values - 1) : 64;
    const uint64_t all = 1 + tokens * (width + 1);
    for (uint32_t i = o->place_first[p]; i < o->place_first[p + 1]; i++)
      cost[i] = all < UINT32_MAX ? (uint32_t)all : UINT32_MAX;
  }
}

static bool all_depend (const tl_elimination *e, const tl_origin *o,
                        uint32_t place) {
  for (uint32_t i = o->place_first[place]; i < o->place_first[place + 1]; i++)
    if (!e->dependent[i])
      return false;
  return o->place_first[place] < o->place_first[place + 1];
}

static tl_status token_number (tl_machine *m, const tl_origin *o,
                               uint32_t place, uint32_t unfolded,
                               uint32_t *token) {
  const uint32_t cells = m->coloured->place[place].cells;
  const uint32_t nothing = 0;
  const size_t at = (size_t)(unfolded - o->place_first[place]) * cells;
  return tl_intern_put (
      m->token + place,
      cells ? (const uint32_t *)o->token[place] + at : &nothing, cells, token);
}

// Keeps the relation of one colour.
static tl_status keep (tl_machine *m, const tl_origin *o, uint32_t place,
                       const tl_elimination *e, const tl_relation *r) {
  tl_coded *c = &m->coded;
  const tl_vector terms = tl_relation_terms (e, r);
  tl_colour_relation *kept;
  if (!TL_ROOM (m->mem, c->relation, &c->relation_room, c->relations + 1) ||
      !TL_ROOM (m->mem, c->term, &c->term_room, c->terms + terms.count))
    return TL_E_NOMEM;
  kept = c->relation + c->relations++;
  *kept = (tl_colour_relation){.place = place,
                               .start = c->terms,
                               .count = terms.count,
                               .denominator = r->denominator,
                               .constant = r->constant};
  tl_status rc = token_number (m, o, place, r->place, &kept->token);
  for (uint32_t i = 0; !rc && i < terms.count; i++) {
    tl_colour_term *t = c->term + c->terms++;
    t->place = tl_origin_place (o, terms.term[i].index);
    t->factor = terms.term[i].factor;
    rc = token_number (m, o, t->place, terms.term[i].index, &t->token);
  }
  return rc;
}

static tl_status choose (tl_machine *m, const tl_net *net,
                         const tl_elimination *e) {
  const tl_origin *o = net->origin;
  tl_status rc = TL_OK;
  for (uint32_t p = 0; p < m->places; p++)
    m->coded.redundant[p] = all_depend (e, o, p);
  for (size_t i = 0; !rc && i < e->relations; i++) {
    const uint32_t place = tl_origin_place (o, e->relation[i].place);
    if (m->coded.redundant[place])
      rc = keep (m, o, place, e, e->relation + i);
  }
  return rc;
}

static tl_status eliminate (tl_machine *m, const tl_net *net,
                            const tl_incidence *incidence) {
  tl_elimination *e;
  uint32_t *cost;
  if (!TL_NEW (m->mem, cost, (size_t)net->places + 1))
    return TL_E_NOMEM;
  set_costs (m, net, cost);
  tl_status rc = tl_elimination_open (&e, m->mem, incidence, net->initial, cost,
                                      TL_ELIMINATION_WORK);
  if (!rc) {
    rc = choose (m, net, e);
    tl_elimination_close (e);
  }
  TL_DEL (m->mem, cost, (size_t)net->places + 1);
  return rc;
}

static tl_status study (tl_machine *m, tl_net *net) {
  tl_incidence *incidence;
  tl_status rc =
      tl_incidence_open (&incidence, m->mem, net, TL_COLUMNS_FIREABLE);
  if (rc)
    return rc;
  if (!m->coloured->every_place)
    rc = eliminate (m, net, incidence);
  if (!rc && m->form == TL_KEYS_CODED)
    rc = tl_coded_bound (m, net, incidence);
  tl_incidence_close (incidence);
  return rc;
}

// A net that says itself which places follow from others cannot be unfolded, so
// it is believed.
static tl_status find (tl_machine *m) {
  tl_net *net;
  tl_error error = {0};
  for (uint32_t p = 0; p < m->places; p++)
    m->coded.redundant[p] =
        m->coloured->place[p].derived && !m->coloured->every_place;
  if (m->derives)
    return TL_OK;
  const tl_status unfolded =
      tl_unfold (m->coloured, &limits, m->mem, &net, &error);
  if (unfolded)
    return unfolded == TL_E_NOMEM ? TL_E_NOMEM : TL_OK; // nothing is known
  const tl_status rc = study (m, net);
  tl_net_close (net);
  return rc;
}

tl_status tl_redundant_open (tl_machine *m) {
  tl_coded *c = &m->coded;
  const size_t places = (size_t)m->places + 1;
  if (!TL_ARENA_NEW (&m->names, c->code, places) ||
      !TL_ARENA_NEW (&m->names, c->redundant, places))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < m->places; p++)
    c->code[p] = tl_place_code_of (m->coloured->place + p);
  c->bag.mem = m->mem;
  return m->coloured->every_place && m->form != TL_KEYS_CODED ? TL_OK
                                                              : find (m);
}

// What is written there while states are visited is the bag only.
tl_status tl_redundant_beside (tl_machine *m, const tl_machine *first) {
  const tl_coded *from = &first->coded;
  tl_coded *c = &m->coded;
  c->code = from->code;
  c->redundant = from->redundant;
  c->bag.mem = m->mem;
  if (!TL_ROOM (m->mem, c->relation, &c->relation_room, from->relations) ||
      !TL_ROOM (m->mem, c->term, &c->term_room, from->terms))
    return TL_E_NOMEM;
  c->relations = from->relations;
  c->terms = from->terms;
  if (c->relations)
    memcpy (c->relation, from->relation, c->relations * sizeof *c->relation);
  if (c->terms)
    memcpy (c->term, from->term, c->terms * sizeof *c->term);
  return TL_OK;
}

// One more kind of token in the bag.
static tl_status add (tl_machine *m, uint32_t cells, const tl_cell *token,
                      int64_t many) {
  tl_place_bag *bag = &m->coded.bag;
  if (many <= 0)
    return TL_OK;
  if (!TL_ROOM (m->mem, bag->token, &bag->token_room,
                ((size_t)bag->count + 1) * cells + 1) ||
      !TL_ROOM (m->mem, bag->many, &bag->many_room, (size_t)bag->count + 1))
    return TL_E_NOMEM;
  if (cells)
    memcpy (bag->token + (size_t)bag->count * cells, token,
            cells * sizeof *token);
  bag->many[bag->count++] = (uint32_t)many;
  return TL_OK;
}

// What its initial marking says where the places before it are marked as in
// `state`.
static tl_status derived_bag (tl_machine *m, uint32_t place,
                              const uint32_t *state) {
  const tl_cplace *of = m->coloured->place + place;
  const uint32_t cells = of->cells;
  tl_status rc = TL_OK;
  for (uint32_t q = 0; !rc && q < place; q++)
    rc = tl_machine_show_local (m, q, state[q]);
  m->evaluation.marking = m->marking;
  if (!rc)
    rc = tl_multiset_of (&m->bag, &m->evaluation, of, &of->initial, m->frame);
  m->evaluation.marking = 0;
  for (uint32_t i = 0; !rc && i < m->bag.set.count; i++)
    rc = add (m, cells, tl_token_at (&m->bag.set, i), m->bag.many[i]);
  return rc;
}

tl_status tl_redundant_bag (tl_machine *m, uint32_t place,
                            const uint32_t *state) {
  tl_coded *c = &m->coded;
  tl_status rc = TL_OK;
  c->bag.count = 0;
  if (m->coloured->place[place].derived)
    return derived_bag (m, place, state);
  for (size_t i = 0; !rc && i < c->relations; i++) {
    const tl_colour_relation *r = c->relation + i;
    if (r->place != place)
      continue;
    int64_t sum = r->constant;
    for (size_t k = r->start; k < r->start + r->count; k++) {
      const tl_colour_term *t = c->term + k;
      sum += t->factor *
             (int64_t)tl_machine_many (m, t->place, state[t->place], t->token);
    }
    rc = add (m, m->coloured->place[place].cells,
              (const tl_cell *)tl_intern_list (m->token + place, r->token),
              sum / r->denominator);
  }
  return rc;
}

void tl_redundant_close (tl_machine *m) {
  tl_coded *c = &m->coded;
  TL_DEL (m->mem, c->relation, c->relation_room);
  TL_DEL (m->mem, c->term, c->term_room);
}
