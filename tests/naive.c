#include "naive.h"

#include "logic/eval.h"

#include <stdlib.h>
#include <string.h>

static void *room (size_t count, size_t size) {
  void *p = calloc (count + 1, size);
  if (!p)
    abort ();
  return p;
}

naive naive_open (const brute *b) {
  const tl_net *net = b->net;
  naive n = {.b = b,
             .states = b->states,
             .first = room (b->states + 1, sizeof *n.first),
             .target = room (b->arcs, sizeof *n.target)};
  uint64_t *m = room (net->places, sizeof *m), arcs = 0;
  for (uint64_t s = 0; s < b->states; s++) {
    n.first[s] = arcs;
    for (uint32_t t = 0; t < net->transitions; t++) {
      memcpy (m, brute_marking (b, s), net->places * sizeof *m);
      if (!brute_enabled (net, m, t))
        continue;
      brute_fire (net, m, t);
      n.target[arcs++] = brute_find (b, m);
    }
  }
  n.first[b->states] = arcs;
  free (m);
  return n;
}

void naive_close (naive *n) {
  free (n->first);
  free (n->target);
}

static bool dead (const naive *n, uint64_t s) {
  return n->first[s] == n->first[s + 1];
}

static bool some (const naive *n, uint64_t s, const uint8_t *set) {
  for (uint64_t a = n->first[s]; a < n->first[s + 1]; a++)
    if (set[n->target[a]])
      return true;
  return false;
}

static bool every (const naive *n, uint64_t s, const uint8_t *set) {
  for (uint64_t a = n->first[s]; a < n->first[s + 1]; a++)
    if (!set[n->target[a]])
      return false;
  return true;
}

// What an operator says of a state, given what is believed of all: X a, F a, G
// a, a U b, a R b.  A run that ends in a dead state is a run.
static bool equation (const naive *n, bool exists, tl_op op, uint64_t s,
                      const uint8_t *a, const uint8_t *b, const uint8_t *now) {
  const bool on = exists ? some (n, s, now) : every (n, s, now) && !dead (n, s);
  switch (op) {
  case TL_NEXT: return exists ? some (n, s, a) : every (n, s, a);
  case TL_FINALLY: return a[s] || on;
  case TL_GLOBALLY: return a[s] && (dead (n, s) || on);
  case TL_UNTIL: return b[s] || (a[s] && on);
  default: return b[s] && (a[s] || dead (n, s) || on);
  }
}

uint8_t *naive_operator (const naive *n, bool exists, tl_op op,
                         const uint8_t *a, const uint8_t *b) {
  uint8_t *now = room (n->states, 1);
  memset (now, op == TL_GLOBALLY || op == TL_RELEASE, n->states);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint64_t s = n->states; s-- > 0;) {
      const uint8_t next = equation (n, exists, op, s, a, b, now);
      changed |= next != now[s];
      now[s] = next;
    }
  }
  return now;
}

uint8_t *naive_boolean (const naive *n, tl_op op, uint8_t *const *set,
                        uint32_t count) {
  uint8_t *all = room (n->states, 1);
  memset (all, op == TL_AND, n->states);
  for (uint32_t i = 0; i < count; i++)
    for (uint64_t s = 0; s < n->states; s++)
      all[s] = op == TL_NOT   ? !set[i][s]
               : op == TL_AND ? all[s] && set[i][s]
                              : all[s] || set[i][s];
  return all;
}

// ---- State formulas --------------------------------------------------------

// Is it X, F, G, U or R of state formulas?
static bool is_step (const tl_formula *path) {
  bool step = path->op >= TL_NEXT;
  for (uint32_t i = 0; step && i < path->count; i++)
    step = !tl_formula_is_path (path->operand[i]);
  return step;
}

static uint8_t *atom (const naive *n, const tl_formula *f) {
  uint8_t *set = room (n->states, 1);
  for (uint64_t s = 0; s < n->states; s++)
    set[s] = tl_formula_holds (f, n->b->net, brute_marking (n->b, s));
  return set;
}

uint8_t *naive_states (const naive *n, const tl_formula *f, bool linear) {
  if (tl_formula_operands (f) == 0)
    return atom (n, f);
  const bool quantified = f->op == TL_EXISTS || f->op == TL_ALL;
  const tl_formula *path = f->operand[0];
  const bool step = quantified && is_step (path);
  if (quantified && (!step || (linear && path->op == TL_NEXT)))
    return naive_path (n, path, f->op == TL_EXISTS);
  const tl_formula *of = step ? path : f;
  uint8_t **set = room (of->count, sizeof *set), *result = 0;
  uint32_t made = 0;
  while (made < of->count &&
         (set[made] = naive_states (n, of->operand[made], false)))
    made++;
  if (made == of->count)
    result = step ? naive_operator (n, f->op == TL_EXISTS, path->op, set[0],
                                    made > 1 ? set[1] : 0)
                  : naive_boolean (n, f->op, set, made);
  while (made)
    free (set[--made]);
  free (set);
  return result;
}
