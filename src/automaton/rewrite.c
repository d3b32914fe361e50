#include "automaton/paths.h"

#include <stdlib.h>

// Every rule has a dual: AND and OR, U and R, TRUE and FALSE, eventual and
// universal change places, and implications turn round.  The functions here
// are written for U and OR on its right side; `dual` turns them round.

static const tl_path_op NEXT = TL_PATH_NEXT;

static bool less (tl_paths *t, bool dual, tl_path f, tl_path g) {
  return dual ? tl_path_implies (t, g, f) : tl_path_implies (t, f, g);
}

// Eventual, or in the dual universal: it swallows an F (a G).
static bool closed (const tl_paths *t, bool dual, tl_path f) {
  return dual ? tl_path_at (t, f)->universal : tl_path_at (t, f)->eventual;
}

// Only the end of a run matters to it.
static bool suspended (const tl_paths *t, tl_path f) {
  return tl_path_at (t, f)->eventual && tl_path_at (t, f)->universal;
}

// Each rule makes a formula smaller in some sense.  That they end when they are
// applied one after the other is not left to that.
static bool rules_apply (const tl_paths *t) {
  return t->effort && t->nested < 100;
}

static bool is_constant (tl_path f) {
  return f == TL_PATH_FALSE || f == TL_PATH_TRUE;
}

static tl_path join_two (tl_paths *t, tl_path_op op, tl_path f, tl_path g) {
  return tl_path_join (t, op, (tl_path[]){f, g}, 2);
}

// ---- AND and OR ------------------------------------------------------------

typedef struct list {
  tl_path *member;
  size_t count;
} list;

static int by_number (const void *left, const void *right) {
  const tl_path *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

static bool new_list (tl_paths *t, list *l, size_t room) {
  *l = (list){0};
  if (TL_ARENA_NEW (&t->arena, l->member, room))
    return true;
  t->rc = t->rc ? t->rc : TL_E_NOMEM;
  return false;
}

// Members of members become members; neutral ones and repetitions go.  A list
// with the deciding constant is that constant.
static bool flatten (tl_paths *t, tl_path_op op, list *l) {
  const bool and = op == TL_PATH_AND;
  size_t count = 0;
  for (size_t i = 0; i < l->count; i++) {
    const tl_path_node *n = tl_path_at (t, l->member[i]);
    count += n->op == op ? n->count : 1;
  }
  list flat;
  if (!new_list (t, &flat, count))
    return false;
  for (size_t i = 0; i < l->count; i++) {
    const tl_path_node *n = tl_path_at (t, l->member[i]);
    for (uint32_t k = 0; n->op == op && k < n->count; k++)
      flat.member[flat.count++] = n->operand[k];
    if (n->op != op)
      flat.member[flat.count++] = l->member[i];
  }
  qsort (flat.member, flat.count, sizeof *flat.member, by_number);
  l->count = 0;
  l->member = flat.member;
  for (size_t i = 0; i < flat.count; i++) {
    const tl_path f = flat.member[i];
    if (f == (and? TL_PATH_FALSE : TL_PATH_TRUE)) {
      l->member[0] = f;
      l->count = 1;
      return true;
    }
    if (!is_constant (f) && (!l->count || l->member[l->count - 1] != f))
      l->member[l->count++] = f;
  }
  return true;
}

// One formula for two members, or TL_PATH_NONE:
//
//     X f AND X g              X (f AND g)
//     (f R g) AND (f R h)      f R (g AND h), but GF g stays by itself
//     (f U h) AND (g U h)      (f AND g) U h
//     F f AND F g              F (f AND g), if f and g are universal
static tl_path merge (tl_paths *t, tl_path_op op, tl_path f, tl_path g) {
  const bool and = op == TL_PATH_AND;
  const tl_path_node *l = tl_path_at (t, f), *r = tl_path_at (t, g);
  const tl_path *a = l->operand, *b = r->operand;
  if (l->op != r->op || l->op < NEXT)
    return TL_PATH_NONE;
  const tl_path_op kind = l->op;
  if (kind == NEXT)
    return tl_path_next (t, join_two (t, op, a[0], b[0]));
  if (kind == (and? TL_PATH_RELEASE : TL_PATH_UNTIL)) {
    if (a[0] != b[0] || (and&&a[0] == TL_PATH_FALSE &&
                         (closed (t, false, a[1]) || closed (t, false, b[1]))))
      return TL_PATH_NONE;
    return tl_path_temporal (t, kind, a[0], join_two (t, op, a[1], b[1]));
  }
  if (a[1] == b[1])
    return tl_path_temporal (t, kind, join_two (t, op, a[0], b[0]), a[1]);
  const tl_path top = and? TL_PATH_TRUE : TL_PATH_FALSE;
  if (a[0] == top && b[0] == top && closed (t, and, a[1]) &&
      closed (t, and, b[1]))
    return tl_path_temporal (t, kind, top, join_two (t, op, a[1], b[1]));
  return TL_PATH_NONE;
}

// Merges two members, if there are two that can be.
static bool merge_some (tl_paths *t, tl_path_op op, list *l) {
  for (size_t i = 0; i < l->count; i++)
    for (size_t k = i + 1; k < l->count && t->effort; k++, t->effort--) {
      const tl_path f = merge (t, op, l->member[i], l->member[k]);
      if (!f)
        continue;
      l->member[i] = f;
      l->member[k] = l->member[--l->count];
      return true;
    }
  return false;
}

// Drops what follows from other members; true when they contradict each other
// (in an OR: when one of them must be true).
static bool absorb (tl_paths *t, tl_path_op op, list *l) {
  const bool and = op == TL_PATH_AND;
  for (size_t i = 0; i < l->count;) {
    bool needless = false;
    const tl_path f = l->member[i], not = tl_path_negate (t, f);
    for (size_t k = 0; k < l->count && !needless && t->effort; k++) {
      if (k != i && less (t, !and, l->member[k], not ))
        return true;
      needless = k != i && less (t, !and, l->member[k], f);
    }
    if (needless)
      l->member[i] = l->member[--l->count];
    else
      i++;
  }
  return false;
}

static tl_path join (tl_paths *t, tl_path_op op, const tl_path *member,
                     size_t count) {
  list l;
  if (!new_list (t, &l, count))
    return TL_PATH_NONE;
  for (; l.count < count; l.count++)
    if (!(l.member[l.count] = member[l.count]))
      return TL_PATH_NONE;
  do
    if (!flatten (t, op, &l))
      return TL_PATH_NONE;
  while (rules_apply (t) && merge_some (t, op, &l));
  if (rules_apply (t) && l.count > 1 && absorb (t, op, &l))
    return op == TL_PATH_AND ? TL_PATH_FALSE : TL_PATH_TRUE;
  if (t->rc)
    return TL_PATH_NONE;
  if (!l.count)
    return op == TL_PATH_AND ? TL_PATH_TRUE : TL_PATH_FALSE;
  qsort (l.member, l.count, sizeof *l.member, by_number);
  return l.count == 1 ? l.member[0]
                      : tl_paths_put (t, op, l.member, (uint32_t)l.count);
}

tl_path tl_path_join (tl_paths *t, tl_path_op op, const tl_path *member,
                      size_t count) {
  t->nested++;
  const tl_path f = join (t, op, member, count);
  t->nested--;
  return f;
}

// ---- Temporal operators ----------------------------------------------------

// Which operands of an AND or OR can stand outside of a temporal operator, and
// as what.
typedef enum outside {
  ANY_SUSPENDED, // those that only the end of a run matters to
  ANY_CLOSED,    // eventual ones; universal ones in the dual
  G_OF_EVENTUAL  // eventual ones, each under a G
} outside;

static bool goes_out (const tl_paths *t, outside which, bool dual, tl_path f) {
  return which == ANY_SUSPENDED ? suspended (t, f)
         : which == ANY_CLOSED  ? closed (t, dual, f)
                                : closed (t, false, f);
}

// Takes operands out of f, the right side of `op` (for X the only one); false
// when there are none.
static bool take_out (tl_paths *t, tl_path_op op, tl_path left, tl_path f,
                      outside which, tl_path *result) {
  const bool dual = op == TL_PATH_RELEASE;
  const tl_path_node n = *tl_path_at (t, f);
  list in, out;
  *result = TL_PATH_NONE;
  if (!new_list (t, &in, n.count) || !new_list (t, &out, n.count + 1u))
    return true;
  for (uint32_t i = 0; i < n.count; i++) {
    const tl_path g = n.operand[i];
    if (!goes_out (t, which, dual, g))
      in.member[in.count++] = g;
    else
      out.member[out.count++] =
          which == G_OF_EVENTUAL ? tl_path_temporal (t, op, left, g) : g;
  }
  if (!out.count || (!in.count && which != G_OF_EVENTUAL))
    return false;
  const tl_path rest = tl_path_join (t, n.op, in.member, in.count);
  out.member[out.count++] = op == NEXT ? tl_path_next (t, rest)
                                       : tl_path_temporal (t, op, left, rest);
  *result = tl_path_join (t, n.op, out.member, out.count);
  return true;
}

tl_path tl_path_next (tl_paths *t, tl_path f) {
  tl_path result;
  if (!f || suspended (t, f))
    return f;
  const tl_path_op op = tl_path_at (t, f)->op;
  if ((op == TL_PATH_AND || op == TL_PATH_OR) &&
      take_out (t, NEXT, TL_PATH_NONE, f, ANY_SUSPENDED, &result))
    return result;
  return tl_paths_put (t, NEXT, &f, 1);
}

// Drops the operands of the left side that the right side makes needless:
// (f OR g) U g is f U g.
static tl_path strip_left (tl_paths *t, bool dual, tl_path left,
                           tl_path right) {
  const tl_path_node n = *tl_path_at (t, left);
  list l;
  if (n.op != (dual ? TL_PATH_AND : TL_PATH_OR) || !t->effort)
    return left;
  if (!new_list (t, &l, n.count))
    return TL_PATH_NONE;
  for (uint32_t i = 0; i < n.count; i++)
    if (!less (t, dual, n.operand[i], right))
      l.member[l.count++] = n.operand[i];
  return l.count == n.count ? left : tl_path_join (t, n.op, l.member, l.count);
}

// Rules that look into the right side; false: none applies.
static bool open_right (tl_paths *t, tl_path_op op, tl_path p, tl_path q,
                        tl_path *result) {
  const bool dual = op == TL_PATH_RELEASE;
  const tl_path top = dual ? TL_PATH_FALSE : TL_PATH_TRUE;
  const tl_path_node *left = tl_path_at (t, p), *right = tl_path_at (t, q);
  const tl_path *b = right->operand;
  if (right->op == op && p == top) {
    *result = tl_path_temporal (t, op, top, b[1]); // F (f U g) is F g
    return true;
  }
  if (right->op == op && less (t, dual, p, b[0])) {
    *result = q; // f U (f U g) is f U g
    return true;
  }
  if (right->op == NEXT && (p == top || left->op == NEXT)) {
    const tl_path under = p == top ? top : left->operand[0];
    *result = tl_path_next (t, tl_path_temporal (t, op, under, b[0]));
    return true;
  }
  if (right->op == (dual ? TL_PATH_AND : TL_PATH_OR))
    return take_out (t, op, p, q, ANY_CLOSED, result) ||
           (dual && p == top && take_out (t, op, p, q, G_OF_EVENTUAL, result));
  if (right->op == TL_PATH_AND || right->op == TL_PATH_OR)
    return take_out (t, op, p, q, ANY_SUSPENDED, result);
  return false;
}

static tl_path temporal (tl_paths *t, tl_path_op op, tl_path p, tl_path q) {
  const bool dual = op == TL_PATH_RELEASE;
  const tl_path top = dual ? TL_PATH_FALSE : TL_PATH_TRUE;
  if (!p || !q)
    return TL_PATH_NONE;
  if (closed (t, dual, q) || less (t, dual, p, q) ||
      p == (dual ? TL_PATH_TRUE : TL_PATH_FALSE))
    return q;
  if (!rules_apply (t))
    return tl_paths_put (t, op, (tl_path[]){p, q}, 2);
  // f U g is F g, when f holds wherever g does not
  if (p != top && less (t, dual, tl_path_negate (t, q), p))
    p = top;
  const tl_path_node *left = tl_path_at (t, p);
  if (left->op == op && left->operand[1] == q)
    return p; // (f U g) U g is f U g
  tl_path result;
  if (open_right (t, op, p, q, &result))
    return result;
  const tl_path stripped = strip_left (t, dual, p, q);
  return stripped == p ? tl_paths_put (t, op, (tl_path[]){p, q}, 2)
                       : tl_path_temporal (t, op, stripped, q);
}

tl_path tl_path_temporal (tl_paths *t, tl_path_op op, tl_path left,
                          tl_path right) {
  t->nested++;
  const tl_path f = temporal (t, op, left, right);
  t->nested--;
  return f;
}
