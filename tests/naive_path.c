// Path formulas by their tableau.
//
// What holds at a node follows from the atoms of the state and one promise for
// each temporal subformula: X f promises f for the next state, and any other f
// promises f itself.  A promise is kept or not, so a node knows its promises
// from any successor: the tableau is stored backwards, without lists of edges.

#include "naive.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 64, PROMISES = 6 };

typedef struct part {
  tl_op op;
  uint32_t a, b;    // operands
  uint8_t *set;     // of an atom
  uint32_t promise; // number of it
} part;

typedef struct tableau {
  const naive *n;
  part part[PARTS];
  uint32_t parts, promises;
  uint64_t nodes;
  uint64_t *values;         // [nodes] the parts that hold
  uint64_t *first, *source; // the arcs of the graph, backwards
} tableau;

static void *room (size_t count, size_t size) {
  void *p = calloc (count + 1, size);
  if (!p)
    abort ();
  return p;
}

// ---- Parts -----------------------------------------------------------------

static bool put (tableau *t, part p) {
  if (t->parts == PARTS || (p.op >= TL_NEXT && t->promises == PROMISES)) {
    free (p.set);
    return false;
  }
  if (p.op >= TL_NEXT)
    p.promise = t->promises++;
  t->part[t->parts++] = p;
  return true;
}

// Takes a formula apart, operands first; false: it is too large.
static bool take_apart (tableau *t, const tl_formula *f) {
  if (!tl_formula_is_path (f)) {
    uint8_t *set = naive_states (t->n, f, false);
    return set && put (t, (part){.op = TL_TRUE, .set = set});
  }
  if (!take_apart (t, f->operand[0]))
    return false;
  uint32_t a = t->parts - 1;
  if (f->count == 1 && f->op != TL_AND && f->op != TL_OR)
    return put (t, (part){.op = f->op, .a = a});
  for (uint32_t i = 1; i < f->count; i++, a = t->parts - 1)
    if (!take_apart (t, f->operand[i]) ||
        !put (t, (part){.op = f->op, .a = a, .b = t->parts - 1}))
      return false;
  return true;
}

static uint64_t evaluate (const tableau *t, uint64_t node) {
  const uint64_t s = node >> t->promises;
  uint64_t values = 0;
  for (uint32_t i = 0; i < t->parts; i++) {
    const part *p = t->part + i;
    const bool a = values >> p->a & 1, b = values >> p->b & 1;
    const bool next = node >> p->promise & 1;
    bool value = false;
    switch (p->op) {
    case TL_NOT: value = !a; break;
    case TL_AND: value = a && b; break;
    case TL_OR: value = a || b; break;
    case TL_NEXT: value = next; break;
    case TL_FINALLY: value = a || next; break;
    case TL_GLOBALLY: value = a && next; break;
    case TL_UNTIL: value = b || (a && next); break;
    case TL_RELEASE: value = b && (a || next); break;
    default: value = p->set[s];
    }
    values |= (uint64_t)value << i;
  }
  return values;
}

// The promises that a predecessor of the node makes.
static uint64_t promised (const tableau *t, uint64_t node) {
  uint64_t promises = 0;
  for (uint32_t i = 0; i < t->parts; i++) {
    const part *p = t->part + i;
    if (p->op >= TL_NEXT)
      promises |= (t->values[node] >> (p->op == TL_NEXT ? p->a : i) & 1)
                  << p->promise;
  }
  return promises;
}

// Eventualities that need not be waited for at the node.  That G f or a R b
// does not hold is one, too.
static uint64_t fulfilled (const tableau *t, uint64_t node) {
  const uint64_t values = t->values[node];
  uint64_t done = 0;
  for (uint32_t i = 0; i < t->parts; i++) {
    const part *p = t->part + i;
    const bool now = values >> i & 1, a = values >> p->a & 1,
               b = values >> p->b & 1;
    if (p->op == TL_NEXT || (p->op == TL_FINALLY && (!now || a)) ||
        (p->op == TL_GLOBALLY && (now || !a)) ||
        (p->op == TL_UNTIL && (!now || b)) ||
        (p->op == TL_RELEASE && (now || !b)))
      done |= (uint64_t)1 << p->promise;
  }
  return done;
}

// ---- Components ------------------------------------------------------------

// Successor number i of a state; a dead state is its own successor.
static bool successor (const naive *n, uint64_t s, uint64_t i, uint64_t *to) {
  const uint64_t degree = n->first[s + 1] - n->first[s];
  *to = degree ? n->target[n->first[s] + i] : s;
  return i < (degree ? degree : 1);
}

static void turn_arcs (tableau *t) {
  const naive *n = t->n;
  uint64_t to;
  t->first = room (n->states + 2, sizeof *t->first);
  t->source = room (n->first[n->states] + n->states, sizeof *t->source);
  for (uint64_t s = 0; s < n->states; s++)
    for (uint64_t i = 0; successor (n, s, i, &to); i++)
      t->first[to + 2]++;
  for (uint64_t s = 0; s < n->states; s++)
    t->first[s + 2] += t->first[s + 1];
  for (uint64_t s = 0; s < n->states; s++)
    for (uint64_t i = 0; successor (n, s, i, &to); i++)
      t->source[t->first[to + 1]++] = s;
}

// Tarjan's search, backwards.
typedef struct search {
  const tableau *t;
  uint64_t *order, *low; // 0: not found yet; DONE: its component is complete
  uint64_t *open;        // nodes whose component is not complete
  uint64_t *path, *next; // the way here, and which arc is next
  uint8_t *good;         // nodes where a run begins that keeps its promises
  uint64_t found, opened, depth;
} search;

#define DONE UINT64_MAX

static void enter (search *h, uint64_t node) {
  h->order[node] = h->low[node] = ++h->found;
  h->open[h->opened++] = node;
  h->path[h->depth] = node;
  h->next[h->depth++] = h->t->first[node >> h->t->promises];
}

static uint64_t before (const tableau *t, uint64_t node, uint64_t arc) {
  return t->source[arc] << t->promises | promised (t, node);
}

static bool precedes_itself (const tableau *t, uint64_t node) {
  const uint64_t s = node >> t->promises;
  for (uint64_t a = t->first[s]; a < t->first[s + 1]; a++)
    if (before (t, node, a) == node)
      return true;
  return false;
}

// A component is good if a run can stay there and all is fulfilled in it.
static void complete (search *h, uint64_t root) {
  uint64_t from = h->opened, done = 0;
  do
    done |= fulfilled (h->t, h->open[--from]);
  while (h->open[from] != root);
  const bool good = done == ((uint64_t)1 << h->t->promises) - 1 &&
                    (h->opened - from > 1 || precedes_itself (h->t, root));
  while (h->opened > from) {
    const uint64_t node = h->open[--h->opened];
    h->order[node] = DONE;
    h->good[node] = good;
  }
}

static void search_from (search *h, uint64_t begin) {
  const tableau *t = h->t;
  enter (h, begin);
  while (h->depth) {
    const uint64_t node = h->path[h->depth - 1], arc = h->next[h->depth - 1]++;
    if (arc < t->first[(node >> t->promises) + 1]) {
      const uint64_t to = before (t, node, arc);
      if (!h->order[to])
        enter (h, to);
      else if (h->order[to] < h->low[node])
        h->low[node] = h->order[to];
      continue;
    }
    h->depth--;
    if (h->low[node] == h->order[node])
      complete (h, node);
    else if (h->low[node] < h->low[h->path[h->depth - 1]])
      h->low[h->path[h->depth - 1]] = h->low[node];
  }
}

// From where a good component can be reached, a run can do what it does.
static void spread (search *h) {
  const tableau *t = h->t;
  for (uint64_t node = 0; node < t->nodes; node++)
    if (h->good[node])
      h->open[h->opened++] = node;
  while (h->opened) {
    const uint64_t node = h->open[--h->opened], s = node >> t->promises;
    for (uint64_t a = t->first[s]; a < t->first[s + 1]; a++) {
      const uint64_t to = before (t, node, a);
      if (!h->good[to]) {
        h->good[to] = true;
        h->open[h->opened++] = to;
      }
    }
  }
}

static uint8_t *good_nodes (const tableau *t) {
  search h = {.t = t,
              .order = room (t->nodes, sizeof *h.order),
              .low = room (t->nodes, sizeof *h.low),
              .open = room (t->nodes, sizeof *h.open),
              .path = room (t->nodes, sizeof *h.path),
              .next = room (t->nodes, sizeof *h.next),
              .good = room (t->nodes, 1)};
  for (uint64_t node = 0; node < t->nodes; node++)
    if (!h.order[node])
      search_from (&h, node);
  spread (&h);
  free (h.order);
  free (h.low);
  free (h.open);
  free (h.path);
  free (h.next);
  return h.good;
}

// ---- All of it -------------------------------------------------------------

static void close_tableau (tableau *t) {
  for (uint32_t i = 0; i < t->parts; i++)
    free (t->part[i].set);
  free (t->values);
  free (t->first);
  free (t->source);
}

// The states where some run makes the last part true, or false.
static uint8_t *begin_runs (tableau *t, bool value) {
  t->nodes = t->n->states << t->promises;
  t->values = room (t->nodes, sizeof *t->values);
  for (uint64_t node = 0; node < t->nodes; node++)
    t->values[node] = evaluate (t, node);
  turn_arcs (t);
  uint8_t *good = good_nodes (t), *set = room (t->n->states, 1);
  for (uint64_t node = 0; node < t->nodes; node++)
    if (good[node] && (t->values[node] >> (t->parts - 1) & 1) == value)
      set[node >> t->promises] = true;
  free (good);
  return set;
}

uint8_t *naive_path (const naive *n, const tl_formula *path, bool exists) {
  tableau t = {.n = n};
  uint8_t *set = 0;
  if (take_apart (&t, path)) {
    set = begin_runs (&t, exists);
    for (uint64_t s = 0; !exists && s < n->states; s++)
      set[s] = !set[s];
  }
  close_tableau (&t);
  return set;
}

// ---- A single run ----------------------------------------------------------

// Where the formula holds on a graph of one run, given which states of the
// other graph it passes.
static uint8_t *on_run (const naive *n, const naive *run, const uint64_t *state,
                        const tl_formula *f) {
  if (!tl_formula_is_path (f)) {
    uint8_t *everywhere = naive_states (n, f, false);
    uint8_t *set = everywhere ? room (run->states, 1) : 0;
    for (uint64_t i = 0; set && i < run->states; i++)
      set[i] = everywhere[state[i]];
    free (everywhere);
    return set;
  }
  uint8_t **of = room (f->count, sizeof *of), *set = 0;
  uint32_t made = 0;
  while (made < f->count &&
         (of[made] = on_run (n, run, state, f->operand[made])))
    made++;
  if (made == f->count)
    set = f->op < TL_NEXT
              ? naive_boolean (run, f->op, of, made)
              : naive_operator (run, true, f->op, of[0], made > 1 ? of[1] : 0);
  while (made)
    free (of[--made]);
  free (of);
  return set;
}

int naive_run (const naive *n, const tl_formula *path, const uint64_t *state,
               uint64_t length, uint64_t loop) {
  naive run = {.states = length,
               .first = room (length + 1, sizeof *run.first),
               .target = room (length, sizeof *run.target)};
  for (uint64_t i = 0; i < length; i++) {
    run.first[i + 1] = i + 1;
    run.target[i] = i + 1 < length ? i + 1 : loop;
  }
  uint8_t *set = on_run (n, &run, state, path);
  const int holds = set ? set[0] : 2;
  free (set);
  naive_close (&run);
  return holds;
}
