#include "stubborn/coarse.h"

#include <string.h>

// An arc from or to a place.
typedef struct arc {
  uint32_t node; // at the other end
  const tl_label *label;
  bool returns; // the transition gives back what it takes
  bool one;     // and none takes two
} arc;

// Arcs of one kind, by the nodes that they belong to.
typedef struct arcs {
  uint32_t *start; // [nodes + 1]
  arc *arc;
  uint32_t nodes;
  size_t count;
} arcs;

struct tl_coarse {
  tl_mem *mem;
  const tl_coloured *net;
  arcs takes, puts, inhibited;     // of a transition: places
  arcs taken_by, put_by, inhibits; // of a place: transitions
  uint32_t most_enabled;
  const tl_tokens *tokens;       // [places] of the state
  uint32_t *by;                  // [most_enabled]
  uint32_t *enabled;             // [transitions] bindings
  bool *member, *blocked, *best; // [transitions]
  uint32_t *stack; // [2 * transitions] to be seen to; blocked ones plus their
                   // number
  uint32_t waits;
};

bool tl_coarse_is_for (const tl_coloured *net) {
  for (uint32_t t = 0; t < net->transitions; t++)
    if (net->transition[t].priority)
      return false;
  return true;
}

// ---- Arcs ------------------------------------------------------------------

static bool is_plain (const tl_tuple *t) {
  return !t->loops && !t->condition && t->factor > 0;
}

static bool is_one (const tl_label *label) {
  return label->tuples == 1 && is_plain (label->tuple) &&
         label->tuple->factor == 1;
}

static bool is_same (const tl_term *a, const tl_term *b) {
  return a->kind == TL_TERM_VARIABLE && b->kind == TL_TERM_VARIABLE &&
         a->offset == b->offset;
}

// Does the label put what the other takes?  Only plain ones are looked at.
static bool is_returned (const tl_label *in, const tl_label *out,
                         uint32_t parts) {
  if (!is_one (in) || !is_one (out))
    return false;
  for (uint32_t i = 0; i < parts; i++)
    if (!is_same (in->tuple->part[i], out->tuple->part[i]))
      return false;
  return true;
}

static bool gives_back (const tl_coloured *net, const tl_ctransition *t,
                        uint32_t place) {
  const tl_label *in = 0, *out = 0;
  uint32_t ins = 0, outs = 0;
  for (uint32_t i = 0; i < t->ins; i++)
    if (t->in[i].place == place)
      in = &t->in[i].label, ins++;
  for (uint32_t i = 0; i < t->outs; i++)
    if (t->out[i].place == place)
      out = &t->out[i].label, outs++;
  return ins == 1 && outs == 1 &&
         is_returned (in, out, net->place[place].parts);
}

static tl_status open_arcs (tl_coarse *c, arcs *a, uint32_t nodes,
                            size_t count) {
  a->nodes = nodes;
  a->count = count;
  return TL_NEW (c->mem, a->start, (size_t)nodes + 1) &&
                 TL_NEW (c->mem, a->arc, count + 1)
             ? TL_OK
             : TL_E_NOMEM;
}

static void close_arcs (tl_coarse *c, arcs *a) {
  TL_DEL (c->mem, a->start, (size_t)a->nodes + 1);
  TL_DEL (c->mem, a->arc, a->count + 1);
}

// The arcs of all transitions of one kind, and the same seen from the places.
typedef struct kind {
  const tl_carc *(*of) (const tl_ctransition *, uint32_t *count);
  arcs *forth, *back;
} kind;

static const tl_carc *ins_of (const tl_ctransition *t, uint32_t *count) {
  *count = t->ins;
  return t->in;
}

static const tl_carc *outs_of (const tl_ctransition *t, uint32_t *count) {
  *count = t->outs;
  return t->out;
}

static const tl_carc *inhibits_of (const tl_ctransition *t, uint32_t *count) {
  *count = t->inhibits;
  return t->inhibit;
}

static bool is_only (const tl_carc *list, uint32_t count, uint32_t place) {
  uint32_t there = 0;
  for (uint32_t i = 0; i < count; i++)
    there += list[i].place == place;
  return there == 1;
}

static tl_status add_kind (tl_coarse *c, const kind *k) {
  const tl_coloured *net = c->net;
  size_t count = 0;
  uint32_t n;
  for (uint32_t t = 0; t < net->transitions; t++) {
    k->of (net->transition + t, &n);
    count += n;
  }
  if (open_arcs (c, k->forth, net->transitions, count) ||
      open_arcs (c, k->back, net->places, count))
    return TL_E_NOMEM;
  uint32_t *first = k->back->start, at = 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_carc *list = k->of (net->transition + t, &n);
    k->forth->start[t] = at;
    for (uint32_t i = 0; i < n; i++, at++) {
      k->forth->arc[at] = (arc){
          .node = list[i].place,
          .returns = gives_back (net, net->transition + t, list[i].place),
          .label = &list[i].label,
          .one = is_one (&list[i].label) && is_only (list, n, list[i].place)};
      first[list[i].place + 1]++;
    }
  }
  k->forth->start[net->transitions] = at;
  for (uint32_t p = 0; p < net->places; p++)
    first[p + 1] += first[p];
  for (uint32_t t = net->transitions; t--;) // the ends move to the starts
    for (uint32_t i = k->forth->start[t]; i < k->forth->start[t + 1]; i++) {
      const arc *a = k->forth->arc + i;
      k->back->arc[--first[a->node + 1]] =
          (arc){t, a->label, a->returns, a->one};
    }
  memmove (first, first + 1, net->places * sizeof *first);
  first[net->places] = (uint32_t)count;
  return TL_OK;
}

static tl_status add_arcs (tl_coarse *c) {
  const kind kinds[] = {{ins_of, &c->takes, &c->taken_by},
                        {outs_of, &c->puts, &c->put_by},
                        {inhibits_of, &c->inhibited, &c->inhibits}};
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < sizeof kinds / sizeof *kinds; i++)
    rc = add_kind (c, kinds + i);
  return rc;
}

// ---- Opening and closing ---------------------------------------------------

tl_status tl_coarse_open (tl_coarse **out, tl_mem *mem, const tl_coloured *net,
                          uint32_t most_enabled) {
  tl_coarse *c;
  const size_t transitions = net->transitions;
  *out = 0;
  if (!TL_NEW (mem, c, 1))
    return TL_E_NOMEM;
  *c = (tl_coarse){.mem = mem, .net = net, .most_enabled = most_enabled};
  if (add_arcs (c) || !TL_NEW (mem, c->by, most_enabled) ||
      !TL_NEW (mem, c->enabled, transitions) ||
      !TL_NEW (mem, c->member, transitions) ||
      !TL_NEW (mem, c->blocked, transitions) ||
      !TL_NEW (mem, c->best, transitions) ||
      !TL_NEW (mem, c->stack, 2 * transitions)) {
    tl_coarse_close (c);
    return TL_E_NOMEM;
  }
  *out = c;
  return TL_OK;
}

void tl_coarse_close (tl_coarse *c) {
  if (!c)
    return;
  tl_mem *mem = c->mem;
  const size_t transitions = c->net->transitions;
  arcs *all[] = {&c->takes,    &c->puts,   &c->inhibited,
                 &c->taken_by, &c->put_by, &c->inhibits};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    close_arcs (c, all[i]);
  TL_DEL (mem, c->by, c->most_enabled);
  TL_DEL (mem, c->enabled, transitions);
  TL_DEL (mem, c->member, transitions);
  TL_DEL (mem, c->blocked, transitions);
  TL_DEL (mem, c->best, transitions);
  TL_DEL (mem, c->stack, 2 * transitions);
  TL_DEL (mem, c, 1);
}

uint32_t *tl_coarse_transitions (tl_coarse *c) {
  return c->by;
}

// ---- Tokens that labels name -----------------------------------------------

// One that lies outside of its type is an error, and says nothing.
static bool is_constant (const tl_term *term, tl_cell *value) {
  const tl_term *t = term;
  while (t->kind == TL_TERM_CHECK)
    t = t->operand[0];
  if (t->kind != TL_TERM_CONSTANT || !tl_type_is_discrete (term->type))
    return false;
  *value = *t->value;
  return *value >= term->type->first && *value <= term->type->last;
}

static bool may_be_same (const tl_tuple *a, const tl_tuple *b, uint32_t parts) {
  tl_cell x, y;
  for (uint32_t i = 0; i < parts; i++)
    if (is_constant (a->part[i], &x) && is_constant (b->part[i], &y) && x != y)
      return false;
  return true;
}

// Can both labels have the same token of a place?
static bool may_share (const tl_coarse *c, uint32_t place, const tl_label *a,
                       const tl_label *b) {
  const uint32_t parts = c->net->place[place].parts;
  for (uint32_t i = 0; i < a->tuples; i++)
    for (uint32_t k = 0; k < b->tuples; k++)
      if (may_be_same (a->tuple + i, b->tuple + k, parts))
        return true;
  return false;
}

static bool may_be_token (const tl_tuple *t, const tl_cplace *place,
                          const tl_cell *token) {
  tl_cell value;
  for (uint32_t i = 0; i < place->parts; i++)
    if (is_constant (t->part[i], &value) &&
        token[place->part_offset[i]] != value)
      return false;
  return true;
}

static bool is_there (const tl_coarse *c, const tl_tuple *t, uint32_t p) {
  const tl_cplace *place = c->net->place + p;
  const tl_tokens *tokens = c->tokens + p;
  for (uint32_t i = 0; i < tokens->count; i++)
    if (may_be_token (t, place, tokens->token + (size_t)i * place->cells))
      return true;
  return false;
}

// Does every binding lack a token of this place?
static bool is_lacking (const tl_coarse *c, const arc *a) {
  bool lacks = false;
  for (uint32_t i = 0; i < a->label->tuples; i++) {
    const tl_tuple *t = a->label->tuple + i;
    if (t->factor < 0)
      return false; // it takes away from the others
    lacks |= is_plain (t) && !is_there (c, t, a->node);
  }
  return lacks;
}

// ---- Sets ------------------------------------------------------------------

static void add (tl_coarse *c, uint32_t t) {
  if (c->member[t])
    return;
  c->member[t] = true;
  c->stack[c->waits++] = t;
}

static void block (tl_coarse *c, uint32_t t) {
  add (c, t);
  if (c->blocked[t])
    return;
  c->blocked[t] = true;
  c->stack[c->waits++] = c->net->transitions + t;
}

// Those that put or take tokens that the label may have.  What gives back adds
// nothing to a place, and takes nothing from it.
static void block_all (tl_coarse *c, const arcs *of, const arc *a) {
  const uint32_t place = a->node;
  for (uint32_t i = of->start[place]; i < of->start[place + 1]; i++)
    if (!of->arc[i].returns && may_share (c, place, a->label, of->arc[i].label))
      block (c, of->arc[i].node);
}

static uint32_t many (const arcs *of, uint32_t node) {
  return of->start[node + 1] - of->start[node];
}

#define ANY_PLACE UINT32_MAX

// A disabled binding of t would take a token that is there from `from`, if that
// is a place: it can be one that nothing else is needed of.
static bool is_needed (const arc *a, uint32_t from) {
  return a->node != from || !a->one;
}

// The disabled bindings of a transition need something: whoever could bring it
// is blocked.
static void block_enablers (tl_coarse *c, uint32_t t, uint32_t from) {
  const arcs *takes = &c->takes;
  const arc *lacking = 0;
  for (uint32_t i = takes->start[t]; i < takes->start[t + 1]; i++) {
    const arc *a = takes->arc + i;
    if (is_needed (a, from) && is_lacking (c, a) &&
        (!lacking ||
         many (&c->put_by, a->node) < many (&c->put_by, lacking->node)))
      lacking = a;
  }
  if (lacking) {
    block_all (c, &c->put_by, lacking);
    return;
  }
  for (uint32_t i = takes->start[t]; i < takes->start[t + 1]; i++)
    if (is_needed (takes->arc + i, from))
      block_all (c, &c->put_by, takes->arc + i);
  for (uint32_t i = c->inhibited.start[t]; i < c->inhibited.start[t + 1]; i++)
    block_all (c, &c->taken_by, c->inhibited.arc + i);
}

// What could get in the way of the enabled bindings of a transition.
static void add_rivals (tl_coarse *c, uint32_t t) {
  for (uint32_t i = c->takes.start[t]; i < c->takes.start[t + 1]; i++) {
    const arc *mine = c->takes.arc + i;
    const uint32_t p = mine->node;
    for (uint32_t k = c->taken_by.start[p]; k < c->taken_by.start[p + 1]; k++) {
      const arc *theirs = c->taken_by.arc + k;
      if ((mine->returns && theirs->returns) ||
          !may_share (c, p, mine->label, theirs->label))
        continue;
      add (c, theirs->node);
      block_enablers (c, theirs->node, p);
    }
  }
  for (uint32_t i = c->inhibited.start[t]; i < c->inhibited.start[t + 1]; i++)
    block_all (c, &c->put_by, c->inhibited.arc + i);
  for (uint32_t i = c->puts.start[t]; i < c->puts.start[t + 1]; i++) {
    const uint32_t p = c->puts.arc[i].node;
    for (uint32_t k = c->inhibits.start[p]; k < c->inhibits.start[p + 1]; k++)
      if (may_share (c, p, c->puts.arc[i].label, c->inhibits.arc[k].label))
        block (c, c->inhibits.arc[k].node);
  }
}

// The set around a transition; how many bindings of it are enabled, or `most`
// if it is not less than that.
static uint32_t grow (tl_coarse *c, uint32_t t, uint32_t most) {
  const uint32_t transitions = c->net->transitions;
  uint32_t count = 0;
  memset (c->member, 0, transitions * sizeof *c->member);
  memset (c->blocked, 0, transitions * sizeof *c->blocked);
  c->waits = 0;
  add (c, t);
  while (c->waits && count < most) {
    const uint32_t next = c->stack[--c->waits];
    if (next >= transitions)
      block_enablers (c, next - transitions, ANY_PLACE);
    else if (c->enabled[next]) {
      count += c->enabled[next];
      add_rivals (c, next);
    }
  }
  return count < most ? count : most;
}

uint32_t tl_coarse_reduce (tl_coarse *c, const tl_tokens *tokens,
                           uint32_t *events, uint32_t count) {
  const uint32_t transitions = c->net->transitions;
  uint32_t most = count, left = 0;
  c->tokens = tokens;
  memset (c->enabled, 0, transitions * sizeof *c->enabled);
  for (uint32_t i = 0; i < count; i++)
    c->enabled[c->by[i]]++;
  for (uint32_t t = 0; t < transitions && most > 1; t++) {
    if (!c->enabled[t] || c->enabled[t] >= most)
      continue;
    const uint32_t enabled = grow (c, t, most);
    if (enabled >= most)
      continue;
    most = enabled;
    memcpy (c->best, c->member, transitions * sizeof *c->best);
  }
  if (most == count)
    return count;
  for (uint32_t i = 0; i < count; i++)
    if (c->best[c->by[i]])
      events[left++] = events[i];
  return left;
}
