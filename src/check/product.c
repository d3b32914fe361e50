#include "check/product.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/random.h"
#include "check/fixpoint.h"
#include "check/product_parts.h"

// What `order` says of nodes whose component is complete.
#define DONE UINT32_MAX       // no accepted run begins there
#define GOOD (UINT32_MAX - 1) // one does
#define MOST_LIVE (UINT32_MAX - 2)

enum {
  POLL = 4096,
  FIRST_WALK = 64, // steps; the next is twice as long
  DOUBLINGS = 10,  // of that, before it is short again
  PATIENCES = 7    // powers of two
};

void tl_product_open (tl_product *p, tl_mem *mem, const tl_arc_list *graph,
                      const tl_automaton *automaton,
                      const tl_state_set *const *atom, uint32_t atoms) {
  *p = (tl_product){.mem = mem,
                    .graph = graph,
                    .automaton = automaton,
                    .atom = atom,
                    .atoms = atoms};
}

void tl_product_open_space (tl_product *p, tl_mem *mem, tl_space *space,
                            const tl_automaton *automaton,
                            const tl_oracle *oracle) {
  *p = (tl_product){
      .mem = mem, .space = space, .automaton = automaton, .oracle = *oracle};
}

void tl_product_close (tl_product *p) {
  TL_DEL (p->mem, p->order, p->nodes);
  TL_DEL (p->mem, p->path, p->path_room);
  TL_DEL (p->mem, p->root, p->root_room);
  TL_DEL (p->mem, p->live, p->live_room);
}

uint64_t tl_product_values (const tl_product *p, uint64_t node) {
  const uint64_t state = node / p->automaton->states;
  uint64_t reads = p->automaton->reads[node % p->automaton->states];
  uint64_t values = 0;
  for (; reads; reads &= reads - 1) {
    const unsigned a = (unsigned)__builtin_ctzll (reads);
    values |= (uint64_t)tl_bits_has (p->atom[a], state) << a;
  }
  return values;
}

// ---- A graph that is found on the way --------------------------------------

// Asks for atoms of the label until one is not as the edge demands.
static bool ask_label (tl_product *p, tl_product_frame *f, const tl_edge *e,
                       uint64_t atoms) {
  const uint64_t state = f->state;
  for (; atoms && !p->rc; atoms &= atoms - 1) {
    const unsigned a = (unsigned)__builtin_ctzll (atoms);
    const uint64_t bit = (uint64_t)1 << a;
    bool holds = f->values & bit;
    if (!(f->known & bit))
      p->rc = p->oracle.ask (p->oracle.context, a, state, &holds);
    if (p->rc)
      return false;
    f->known |= bit;
    f->values |= holds ? bit : 0;
    if (holds ? e->fails & bit : e->holds & bit)
      return false;
  }
  return !p->rc;
}

uint32_t tl_product_ask_edge (tl_product *p, tl_product_frame *f) {
  const tl_automaton *a = p->automaton;
  const uint32_t end = a->first[f->node - f->state * a->states + 1];
  for (; f->edge < end && !p->rc; f->edge++) {
    const tl_edge *e = a->edge + f->edge;
    const uint64_t atoms = e->holds | e->fails;
    if (ask_label (p, f, e, atoms & p->oracle.cheap) &&
        ask_label (p, f, e, atoms & ~p->oracle.cheap))
      return f->edge;
  }
  return end;
}

uint32_t tl_product_ask_degree (tl_product *p, uint64_t state) {
  p->rc = tl_space_expand (p->space, state);
  return p->rc ? 0 : p->space->degree[state];
}

// ---- The search ------------------------------------------------------------

tl_status tl_product_enter (tl_product *p, uint64_t node, uint64_t sets) {
  const bool terminal = tl_product_is_terminal (p, node);
  if (terminal && !p->first_only) { // no need to look further
    p->order[node] = GOOD;
    if (p->roots)
      p->root[p->roots - 1].good = true;
    return TL_OK;
  }
  if (p->found >= MOST_LIVE)
    return TL_E_LIMIT;
  if (!TL_ROOM (p->mem, p->order, &p->nodes, node + 1) ||
      !TL_ROOM (p->mem, p->path, &p->path_room, p->depth + 1) ||
      !TL_ROOM (p->mem, p->root, &p->root_room, p->roots + 1) ||
      !TL_ROOM (p->mem, p->live, &p->live_room, p->lives + 1))
    return TL_E_NOMEM;
  p->order[node] = ++p->found;
  p->path[p->depth++] = tl_product_begin (p, node);
  p->root[p->roots++] = (tl_product_root){.order = p->found, .entered = sets};
  p->live[p->lives++] = node;
  p->accepted |= terminal;
  return TL_OK;
}

// An edge back into a component that is not complete: all from there on are
// one.
static void merge (tl_product *p, uint32_t order, uint64_t sets) {
  bool good = false;
  while (p->root[p->roots - 1].order > order) {
    const tl_product_root *r = p->root + --p->roots;
    sets |= r->sets | r->entered;
    good |= r->good;
  }
  tl_product_root *r = p->root + p->roots - 1;
  r->sets |= sets;
  r->good |= good;
  const uint64_t all = p->automaton->sets < 64
                           ? ((uint64_t)1 << p->automaton->sets) - 1
                           : ~(uint64_t)0;
  if ((r->sets & all) == all) {
    r->good = true;
    p->accepted = true;
  }
}

// All edges of the node were followed.
static void leave (tl_product *p) {
  const uint64_t node = p->path[--p->depth].node;
  const tl_product_root r = p->root[p->roots - 1];
  if (p->order[node] != r.order)
    return; // its component goes on
  uint64_t member;
  do {
    member = p->live[--p->lives];
    p->order[member] = r.good ? GOOD : DONE;
  } while (member != node);
  p->roots--;
  if (r.good && p->roots)
    p->root[p->roots - 1].good = true;
}

static tl_status follow (tl_product *p, uint64_t to, uint64_t sets) {
  const uint32_t order = tl_product_order (p, to);
  if (!order)
    return tl_product_enter (p, to, sets);
  if (order == GOOD)
    p->accepted = p->root[p->roots - 1].good = true;
  else if (order != DONE)
    merge (p, order, sets);
  return TL_OK;
}

tl_status tl_product_step (tl_product *p) {
  if (p->space)
    return tl_space_step (p->space);
  if (++p->steps % POLL)
    return TL_OK;
  const bool over = tl_cancelled (p->cancel) ||
                    (p->deadline > 0 && tl_clock () > p->deadline);
  return over ? TL_E_LIMIT : TL_OK;
}

// Makes room for all nodes where these are known.
static tl_status take_room (tl_product *p) {
  if (!p->graph || p->order)
    return TL_OK;
  p->nodes = (size_t)p->graph->states * p->automaton->states + 1;
  return TL_NEW (p->mem, p->order, p->nodes) ? TL_OK : TL_E_NOMEM;
}

// Arcs back to nodes on the path close cycles, and a short one may be all that
// is looked for: they are looked at before the search goes on from the node
// that was entered.  Not where the graph is known, for there it ends; nor where
// that takes more than labels; nor where many states are asked about, of which
// most are decided by what is known of others.
static void look_back (tl_product *p) {
  tl_product_frame *top = p->path + p->depth - 1, f = *top;
  uint64_t to, sets;
  if (!p->looks_back || !p->space ||
      (p->automaton->reads[f.node - f.state * p->automaton->states] &
       ~p->oracle.cheap))
    return;
  while (!p->accepted && tl_product_next (p, &f, &to, &sets)) {
    const uint32_t order = tl_product_order (p, to);
    if (order && order != GOOD && order != DONE)
      merge (p, order, sets);
  }
  top->known = f.known; // what was asked need not be asked again
  top->values = f.values;
}

// Everything that can be reached from the node, or until a run is accepted.
static tl_status search_from (tl_product *p, uint64_t node) {
  tl_status rc = tl_product_enter (p, node, 0);
  size_t before = 0;
  while (!rc && p->depth) {
    if (p->depth > before && !p->accepted)
      look_back (p);
    before = p->depth;
    if (p->first_only && p->accepted)
      return TL_OK;
    if ((rc = p->rc ? p->rc : tl_product_step (p)))
      return rc;
    uint64_t to, sets;
    if (tl_product_next (p, p->path + p->depth - 1, &to, &sets))
      rc = follow (p, to, sets);
    else if (!(rc = p->rc))
      leave (p);
  }
  return rc;
}

tl_status tl_product_search (tl_product *p, bool *accepted) {
  p->first_only = p->looks_back = true;
  tl_status rc = TL_OK;
  if (p->automaton->worst != TL_REJECTING && !(rc = take_room (p)))
    rc = search_from (p, p->start * p->automaton->states);
  *accepted = p->accepted;
  return rc;
}

void tl_product_close_cycle (tl_product *p, uint64_t node, uint64_t sets) {
  merge (p, tl_product_order (p, node), sets);
}

// What is not complete has an accepted run if one was found: from everywhere
// there the search can get to where it is, and there the run goes on.
static void settle (tl_product *p) {
  while (p->lives)
    p->order[p->live[--p->lives]] = p->accepted ? GOOD : 0;
  p->depth = p->roots = 0;
}

void tl_product_forget (tl_product *p) {
  settle (p);
  p->found = 0;
}

// ---- Walks -----------------------------------------------------------------

// Edges of the last node of the path, one of which is taken.
typedef struct choice {
  uint64_t count, to, sets;
  tl_product_frame by;
} choice;

static void consider (choice *c, tl_random *random, const tl_product_frame *by,
                      uint64_t to, uint64_t sets) {
  if (!tl_random_below (random, ++c->count))
    *c = (choice){c->count, to, sets, *by};
}

// Those back to the path close cycles.  Of the others, those that stay in the
// component of the automaton are apart from those that leave it: there an
// automaton guesses what is to come, and a walk that guesses soon gets nowhere.
static void look_around (tl_product *p, tl_random *random, choice *stays,
                         choice *leaves) {
  const tl_automaton *a = p->automaton;
  tl_product_frame f = p->path[p->depth - 1];
  const uint32_t here = a->component[f.node % a->states];
  uint64_t to, sets;
  while (!p->accepted && tl_product_next (p, &f, &to, &sets)) {
    const uint32_t order = tl_product_order (p, to);
    if (order)
      merge (p, order, sets);
    else
      consider (a->component[to % a->states] == here ? stays : leaves, random,
                &f, to, sets);
  }
}

// One of `patience` times an edge that leaves is taken, if there is another.
static tl_status walk (tl_product *p, tl_random *random, uint64_t length,
                       uint64_t patience) {
  tl_status rc = tl_product_enter (p, p->start * p->automaton->states, 0);
  while (!rc && !p->accepted && p->depth < length) {
    choice stays = {0}, leaves = {0};
    look_around (p, random, &stays, &leaves);
    if ((rc = p->rc) || p->accepted || !(stays.count + leaves.count))
      break;
    const bool leave =
        !stays.count || (leaves.count && !tl_random_below (random, patience));
    const choice *next = leave ? &leaves : &stays;
    p->path[p->depth - 1] = next->by;
    if (!(rc = tl_product_step (p)))
      rc = tl_product_enter (p, next->to, next->sets);
  }
  return rc;
}

tl_status tl_product_walk (tl_product *p, bool *accepted) {
  tl_random random = {0};
  tl_status rc = TL_OK;
  p->first_only = true;
  if (p->automaton->worst == TL_REJECTING)
    return TL_E_LIMIT;
  for (unsigned i = 0; !rc && !p->accepted; i++) {
    tl_product_forget (p);
    rc = walk (p, &random, (uint64_t)FIRST_WALK << i % DOUBLINGS,
               (uint64_t)1 << i % PATIENCES);
    if (!rc && !p->accepted)
      rc = tl_product_step (p);
  }
  *accepted = p->accepted;
  return p->accepted ? TL_OK : rc;
}

tl_status tl_product_states (tl_product *p, tl_state_set *set) {
  tl_status rc = take_room (p);
  for (uint64_t s = 0; !rc && s < p->graph->states; s++) {
    const uint64_t node = s * p->automaton->states;
    if (!p->order[node]) {
      p->found = 0;
      rc = search_from (p, node);
    }
    if (p->order[node] == GOOD)
      tl_bits_add (set, s);
  }
  return rc;
}

tl_status tl_product_ask (tl_product *p, uint64_t state, bool *accepted) {
  const uint64_t node = state * p->automaton->states;
  const uint32_t order = tl_product_order (p, node);
  *accepted = order == GOOD;
  if (order || p->automaton->worst == TL_REJECTING)
    return TL_OK;
  p->first_only = true;
  p->accepted = false;
  p->found = 0;
  p->rc = TL_OK;
  const tl_status rc = search_from (p, node);
  *accepted = p->accepted;
  settle (p);
  return rc;
}
