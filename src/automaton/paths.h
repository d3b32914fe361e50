#ifndef TL_AUTOMATON_PATHS_H
#define TL_AUTOMATON_PATHS_H

#include "base/arena.h"

// Path formulas over numbered atoms, in negation normal form, in a table that
// has each of them once: equal formulas have equal numbers.  F f is TRUE U f,
// and G f is FALSE R f.
//
// Formulas are simplified as they are made, by the rules of Etessami and
// Holzmann (CONCUR 2000) and of Somenzi and Bloem (CAV 2000).  Besides the
// shape of a formula these look at two things:
//
// - Does one formula imply another, as far as the syntax shows?
// - Is it a pure eventuality: does it stay true when any states are put in
//   front of a run?  Is it purely universal: does it stay true when states are
//   taken from the front?  If both, only the end of a run matters, and F, G, X
//   and the left sides of U and R say nothing.

typedef uint32_t tl_path;

#define TL_PATH_NONE 0u // no memory, or too large: see tl_paths.rc
#define TL_PATH_FALSE 1u
#define TL_PATH_TRUE 2u

typedef enum tl_path_op {
  TL_PATH_CONSTANT,
  TL_PATH_LITERAL,
  TL_PATH_AND, // 2 or more operands, ascending, none of them an AND
  TL_PATH_OR,
  TL_PATH_NEXT,
  TL_PATH_UNTIL,
  TL_PATH_RELEASE
} tl_path_op;

typedef struct tl_path_node {
  tl_path_op op;
  uint32_t count; // operands
  uint32_t depth;
  bool eventual, universal, has_next;
  bool negated; // of a literal
  uint32_t atom;
  tl_path *operand;
  tl_path negation; // when it is known
} tl_path_node;

typedef struct tl_paths {
  tl_mem *mem;
  tl_arena arena;
  tl_status rc; // the first failure: TL_E_NOMEM or TL_E_LIMIT
  tl_path_node *node;
  uint32_t count;
  size_t room;
  uint32_t *slot; // a hash table of numbers
  size_t slots;
  uint64_t *known; // some of the implications decided so far
  uint64_t effort; // steps left for rules that compare formulas
  uint32_t nested; // rules that are being applied
} tl_paths;

// TL_E_NOMEM; then, too, it may be closed.
tl_status tl_paths_open (tl_paths *, tl_mem *);
void tl_paths_close (tl_paths *);

// Of TL_PATH_NONE they all make TL_PATH_NONE.
tl_path tl_path_literal (tl_paths *, uint32_t atom, bool negated);
tl_path tl_path_join (tl_paths *, tl_path_op and_or_or, const tl_path *,
                      size_t count);
tl_path tl_path_next (tl_paths *, tl_path);
tl_path tl_path_temporal (tl_paths *, tl_path_op until_or_release, tl_path left,
                          tl_path right);
tl_path tl_path_negate (tl_paths *, tl_path);

// Does every run on which the first holds satisfy the second?  False: perhaps.
bool tl_path_implies (tl_paths *, tl_path, tl_path);

// A formula as it is, without any rules; the operands are copied.
tl_path tl_paths_put (tl_paths *, tl_path_op, const tl_path *operand,
                      uint32_t count);

static inline const tl_path_node *tl_path_at (const tl_paths *t, tl_path f) {
  return t->node + f;
}

#endif
