#include "automaton/paths.h"

#include "base/bits.h"
#include "logic/formula.h"

#include <string.h>

#define MOST (1u << 16)  // formulas in a table
#define KNOWN (1u << 12) // implications that are remembered
#define EFFORT ((uint64_t)1 << 21)

tl_status tl_paths_open (tl_paths *t, tl_mem *mem) {
  *t = (tl_paths){.mem = mem, .arena = TL_ARENA (mem), .effort = EFFORT};
  t->slots = 256;
  if (!TL_NEW (mem, t->slot, t->slots) || !TL_NEW (mem, t->known, KNOWN) ||
      !TL_ROOM (mem, t->node, &t->room, 3))
    return t->rc = TL_E_NOMEM;
  t->count = 3;
  for (tl_path f = TL_PATH_FALSE; f <= TL_PATH_TRUE; f++)
    t->node[f] = (tl_path_node){.eventual = true,
                                .universal = true,
                                .negation = f ^ TL_PATH_FALSE ^ TL_PATH_TRUE};
  return TL_OK;
}

void tl_paths_close (tl_paths *t) {
  TL_DEL (t->mem, t->slot, t->slots);
  TL_DEL (t->mem, t->known, KNOWN);
  TL_DEL (t->mem, t->node, t->room);
  tl_arena_close (&t->arena);
}

// ---- The table -------------------------------------------------------------

static uint64_t hash (const tl_path_node *n) {
  uint64_t h = tl_mix ((uint64_t)n->atom << 8 | (uint64_t)n->negated << 4 |
                       (uint64_t)n->op);
  for (uint32_t i = 0; i < n->count; i++)
    h = tl_mix (h ^ n->operand[i]);
  return h;
}

static bool same (const tl_path_node *l, const tl_path_node *r) {
  return l->op == r->op && l->atom == r->atom && l->negated == r->negated &&
         l->count == r->count &&
         (!l->count ||
          !memcmp (l->operand, r->operand, l->count * sizeof *l->operand));
}

// The slot of a formula, or the empty one where it belongs.
static uint32_t *find (const tl_paths *t, const tl_path_node *n) {
  size_t i = tl_range (hash (n), t->slots);
  while (t->slot[i] && !same (t->node + t->slot[i], n))
    i = i + 1 == t->slots ? 0 : i + 1;
  return t->slot + i;
}

static bool grow (tl_paths *t) {
  uint32_t *old = t->slot;
  const size_t slots = t->slots;
  if (!TL_NEW (t->mem, t->slot, 2 * slots)) {
    t->slot = old;
    return false;
  }
  t->slots = 2 * slots;
  for (tl_path f = TL_PATH_TRUE + 1; f < t->count; f++)
    *find (t, t->node + f) = f;
  TL_DEL (t->mem, old, slots);
  return true;
}

static tl_path fail (tl_paths *t, tl_status rc) {
  if (!t->rc)
    t->rc = rc;
  return TL_PATH_NONE;
}

// What a formula has from its operands.
static void inherit (const tl_paths *t, tl_path_node *n) {
  n->eventual = n->universal = n->op != TL_PATH_LITERAL;
  n->has_next = n->op == TL_PATH_NEXT;
  for (uint32_t i = 0; i < n->count; i++) {
    const tl_path_node *operand = t->node + n->operand[i];
    n->eventual &= operand->eventual;
    n->universal &= operand->universal;
    n->has_next |= operand->has_next;
    if (n->depth <= operand->depth)
      n->depth = operand->depth + 1;
  }
  if (n->op != TL_PATH_UNTIL && n->op != TL_PATH_RELEASE)
    return;
  const tl_path_node *right = t->node + n->operand[1];
  n->eventual = right->eventual ||
                (n->op == TL_PATH_UNTIL && n->operand[0] == TL_PATH_TRUE);
  n->universal = right->universal ||
                 (n->op == TL_PATH_RELEASE && n->operand[0] == TL_PATH_FALSE);
}

static tl_path put (tl_paths *t, tl_path_node n) {
  const tl_path there = *find (t, &n);
  if (there)
    return there;
  inherit (t, &n);
  if (t->count == MOST || n.depth > TL_FORMULA_DEPTH)
    return fail (t, TL_E_LIMIT);
  const tl_path *operand = n.operand;
  if (!TL_ROOM (t->mem, t->node, &t->room, t->count + 1u) ||
      (t->count > t->slots / 2 && !grow (t)) ||
      !TL_ARENA_NEW (&t->arena, n.operand, n.count))
    return fail (t, TL_E_NOMEM);
  if (n.count)
    memcpy (n.operand, operand, n.count * sizeof *operand);
  t->node[t->count] = n;
  *find (t, &n) = t->count;
  return t->count++;
}

tl_path tl_paths_put (tl_paths *t, tl_path_op op, const tl_path *operand,
                      uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!operand[i])
      return TL_PATH_NONE;
  return put (t, (tl_path_node){
                     .op = op, .count = count, .operand = (tl_path *)operand});
}

tl_path tl_path_literal (tl_paths *t, uint32_t atom, bool negated) {
  return put (t, (tl_path_node){
                     .op = TL_PATH_LITERAL, .atom = atom, .negated = negated});
}

// ---- Negation --------------------------------------------------------------

static tl_path negation (tl_paths *t, tl_path f) {
  const tl_path_node n = t->node[f]; // a copy: the table may move
  tl_path *operand;
  switch (n.op) {
  case TL_PATH_CONSTANT: return n.negation;
  case TL_PATH_LITERAL: return tl_path_literal (t, n.atom, !n.negated);
  case TL_PATH_NEXT: return tl_path_next (t, tl_path_negate (t, n.operand[0]));
  case TL_PATH_UNTIL:
  case TL_PATH_RELEASE:
    return tl_path_temporal (
        t, n.op == TL_PATH_UNTIL ? TL_PATH_RELEASE : TL_PATH_UNTIL,
        tl_path_negate (t, n.operand[0]), tl_path_negate (t, n.operand[1]));
  default: break;
  }
  if (!TL_ARENA_NEW (&t->arena, operand, n.count))
    return fail (t, TL_E_NOMEM);
  for (uint32_t i = 0; i < n.count; i++)
    operand[i] = tl_path_negate (t, n.operand[i]);
  return tl_path_join (t, n.op == TL_PATH_AND ? TL_PATH_OR : TL_PATH_AND,
                       operand, n.count);
}

tl_path tl_path_negate (tl_paths *t, tl_path f) {
  if (!f || t->node[f].negation)
    return t->node[f].negation;
  const tl_path g = negation (t, f);
  t->node[f].negation = g;
  if (g && !t->node[g].negation)
    t->node[g].negation = f;
  return g;
}

// ---- Implication -----------------------------------------------------------

static bool decide (tl_paths *, tl_path, tl_path);

bool tl_path_implies (tl_paths *t, tl_path f, tl_path g) {
  if (!f || !g || !t->effort)
    return false;
  if (f == g || f == TL_PATH_FALSE || g == TL_PATH_TRUE)
    return true;
  if (f == TL_PATH_TRUE || g == TL_PATH_FALSE)
    return false;
  const uint64_t pair = (uint64_t)f << 32 | (uint64_t)g << 1;
  uint64_t *known = t->known + tl_range (tl_mix (pair), KNOWN);
  if ((*known & ~(uint64_t)1) == pair)
    return *known & 1;
  t->effort--;
  const bool result = decide (t, f, g);
  *known = pair | result;
  return result;
}

// Both sides of an implication get smaller in every step, never larger.
static bool decide (tl_paths *t, tl_path f, tl_path g) {
  const tl_path_node *l = t->node + f, *r = t->node + g;
  const tl_path *a = l->operand, *b = r->operand;
  if (l->op == TL_PATH_OR || r->op == TL_PATH_AND) {
    const bool left = l->op == TL_PATH_OR;
    for (uint32_t i = 0; i < (left ? l : r)->count; i++)
      if (!tl_path_implies (t, left ? a[i] : f, left ? g : b[i]))
        return false;
    return true;
  }
  for (uint32_t i = 0; l->op == TL_PATH_AND && i < l->count; i++)
    if (tl_path_implies (t, a[i], g))
      return true;
  for (uint32_t i = 0; r->op == TL_PATH_OR && i < r->count; i++)
    if (tl_path_implies (t, f, b[i]))
      return true;
  if (l->op == TL_PATH_NEXT &&
      ((r->op == TL_PATH_NEXT && tl_path_implies (t, a[0], b[0])) ||
       (r->eventual && tl_path_implies (t, a[0], g))))
    return true;
  if (l->op == TL_PATH_UNTIL && tl_path_implies (t, a[1], g) &&
      (r->eventual || tl_path_implies (t, a[0], g) ||
       (r->op == TL_PATH_UNTIL && tl_path_implies (t, a[0], b[0]))))
    return true;
  if (l->op == TL_PATH_RELEASE && tl_path_implies (t, a[1], g))
    return true;
  switch (r->op) {
  case TL_PATH_NEXT: return l->universal && tl_path_implies (t, f, b[0]);
  case TL_PATH_UNTIL: return tl_path_implies (t, f, b[1]);
  case TL_PATH_RELEASE:
    return tl_path_implies (t, f, b[1]) &&
           (l->universal || tl_path_implies (t, f, b[0]) ||
            (l->op == TL_PATH_RELEASE && tl_path_implies (t, a[0], b[0])));
  default: return false;
  }
}
