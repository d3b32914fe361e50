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

static uint8_t *quantified (const naive *n, const tl_formula *f) {
  const tl_formula *path = f->operand[0];
  const bool greatest = path->op == TL_GLOBALLY || path->op == TL_RELEASE;
  uint8_t *a = naive_ctl (n, path->operand[0]);
  uint8_t *b = path->count > 1 ? naive_ctl (n, path->operand[1]) : 0;
  uint8_t *now = room (n->b->states, 1);
  memset (now, greatest, n->b->states);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint64_t s = 0; s < n->b->states; s++) {
      const uint8_t next =
          equation (n, f->op == TL_EXISTS, path->op, s, a, b, now);
      changed |= next != now[s];
      now[s] = next;
    }
  }
  free (a);
  free (b);
  return now;
}

uint8_t *naive_ctl (const naive *n, const tl_formula *f) {
  if (f->op == TL_EXISTS || f->op == TL_ALL)
    return quantified (n, f);
  uint8_t *set = room (n->b->states, 1);
  if (f->op != TL_NOT && f->op != TL_AND && f->op != TL_OR) {
    for (uint64_t s = 0; s < n->b->states; s++)
      set[s] = tl_formula_holds (f, n->b->net, brute_marking (n->b, s));
    return set;
  }
  memset (set, f->op == TL_AND, n->b->states);
  for (uint32_t i = 0; i < f->count; i++) {
    uint8_t *one = naive_ctl (n, f->operand[i]);
    for (uint64_t s = 0; s < n->b->states; s++)
      set[s] = f->op == TL_NOT   ? !one[s]
               : f->op == TL_AND ? set[s] && one[s]
                                 : set[s] || one[s];
    free (one);
  }
  return set;
}
