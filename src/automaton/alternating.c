#include "automaton/alternating.h"

#include "logic/formula.h"

#include <string.h>

void tl_alternating_open (tl_alternating *a, tl_paths *paths, uint64_t effort) {
  memset (a, 0, sizeof *a);
  a->mem = paths->mem;
  a->paths = paths;
  a->effort = effort;
}

void tl_moves_close (tl_mem *mem, tl_moves *m) {
  TL_DEL (mem, m->move, m->room);
  *m = (tl_moves){0};
}

void tl_alternating_close (tl_alternating *a) {
  for (uint32_t s = 0; s < a->states; s++)
    tl_moves_close (a->mem, a->moves + s);
}

// ---- Lists of moves --------------------------------------------------------

// Whatever is accepted after m is accepted after n.
static bool follows (const tl_move *m, const tl_move *n) {
  return !(n->holds & ~m->holds) && !(n->fails & ~m->fails) &&
         tl_team_within (&n->to, &m->to);
}

// Adds a move, unless its label contradicts itself or there is one that allows
// as much; those that allow no more than it does go.
static tl_status add (tl_alternating *a, tl_moves *to, const tl_move *m) {
  if (m->holds & m->fails)
    return TL_OK;
  if (a->effort <= to->count)
    return TL_E_LIMIT;
  a->effort -= to->count + 1;
  for (size_t i = 0; i < to->count; i++)
    if (follows (m, to->move + i))
      return TL_OK;
  size_t n = 0;
  for (size_t i = 0; i < to->count; i++)
    if (!follows (to->move + i, m))
      to->move[n++] = to->move[i];
  to->count = n;
  if (!TL_ROOM (a->mem, to->move, &to->room, n + 1))
    return TL_E_NOMEM;
  to->move[to->count++] = *m;
  return TL_OK;
}

static tl_status add_all (tl_alternating *a, tl_moves *to,
                          const tl_moves *more) {
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < more->count; i++)
    rc = add (a, to, more->move + i);
  return rc;
}

// Adds the moves that do one of each list at once.
static tl_status add_product (tl_alternating *a, tl_moves *to,
                              const tl_moves *l, const tl_moves *r) {
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < l->count; i++)
    for (size_t k = 0; !rc && k < r->count; k++) {
      tl_move m = l->move[i];
      m.holds |= r->move[k].holds;
      m.fails |= r->move[k].fails;
      tl_team_add (&m.to, &r->move[k].to);
      rc = add (a, to, &m);
    }
  return rc;
}

// ---- The moves of formulas -------------------------------------------------

static tl_status state_of (tl_alternating *a, tl_path f, tl_move *to) {
  uint32_t s = 0;
  while (s < a->states && a->path[s] != f)
    s++;
  if (s == TL_ALTERNATING_STATES)
    return TL_E_LIMIT;
  if (s == a->states)
    a->path[a->states++] = f;
  *to = (tl_move){0};
  to->to.word[s / 64] = (uint64_t)1 << s % 64;
  return TL_OK;
}

static tl_status moves_of (tl_alternating *, tl_path, bool later, tl_moves *);

static tl_status moves_of_list (tl_alternating *a, const tl_path_node *n,
                                bool later, tl_moves *to) {
  tl_status rc = TL_OK;
  if (n->op == TL_PATH_OR) {
    for (uint32_t i = 0; !rc && i < n->count; i++)
      rc = moves_of (a, n->operand[i], later, to);
    return rc;
  }
  tl_moves all = {0};
  rc = add (a, &all, &(tl_move){0});
  for (uint32_t i = 0; !rc && i < n->count; i++) {
    tl_moves one = {0}, both = {0};
    rc = moves_of (a, n->operand[i], later, &one);
    if (!rc)
      rc = add_product (a, &both, &all, &one);
    tl_moves_close (a->mem, &one);
    tl_moves_close (a->mem, &all);
    all = both;
  }
  if (!rc)
    rc = add_all (a, to, &all);
  tl_moves_close (a->mem, &all);
  return rc;
}

// f U g: what g does, or what f does with f U g again.  f R g: what g does,
// with what f does or with f R g again.
static tl_status moves_of_temporal (tl_alternating *a, tl_path f,
                                    tl_moves *to) {
  const tl_path_node *n = tl_path_at (a->paths, f);
  const bool until = n->op == TL_PATH_UNTIL;
  tl_moves left = {0}, right = {0};
  tl_move again;
  tl_status rc = state_of (a, f, &again);
  if (!rc)
    rc = moves_of (a, n->operand[0], false, &left);
  if (!rc)
    rc = moves_of (a, n->operand[1], false, &right);
  if (!rc && until)
    rc = add_all (a, to, &right);
  if (!rc && !until)
    rc = add_product (a, to, &right, &left);
  if (!rc)
    rc = add_product (a, to, until ? &left : &right,
                      &(tl_moves){.move = &again, .count = 1});
  tl_moves_close (a->mem, &left);
  tl_moves_close (a->mem, &right);
  return rc;
}

// Adds the moves of a formula; `later`: the moves, with empty labels, to the
// states from which it holds.
static tl_status moves_of (tl_alternating *a, tl_path f, bool later,
                           tl_moves *to) {
  const tl_path_node *n = tl_path_at (a->paths, f);
  tl_move m = {0};
  if (f == TL_PATH_FALSE)
    return TL_OK;
  if (f == TL_PATH_TRUE)
    return add (a, to, &m);
  if (n->op == TL_PATH_AND || n->op == TL_PATH_OR)
    return moves_of_list (a, n, later, to);
  if (later) {
    const tl_status rc = state_of (a, f, &m);
    return rc ? rc : add (a, to, &m);
  }
  if (n->op == TL_PATH_NEXT)
    return moves_of (a, n->operand[0], true, to);
  if (n->op != TL_PATH_LITERAL)
    return moves_of_temporal (a, f, to);
  *(n->negated ? &m.fails : &m.holds) = (uint64_t)1 << n->atom;
  return add (a, to, &m);
}

tl_status tl_alternating_ready (tl_alternating *a, uint32_t state) {
  if (a->ready[state])
    return TL_OK;
  tl_moves_close (a->mem, a->moves + state);
  const tl_status rc = moves_of (a, a->path[state], false, a->moves + state);
  a->ready[state] = !rc;
  return rc;
}

tl_status tl_alternating_initial (tl_alternating *a, tl_path f, tl_moves *to) {
  return moves_of (a, f, true, to);
}
