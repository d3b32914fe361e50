#ifndef TL_READ_OPERANDS_H
#define TL_READ_OPERANDS_H

#include "logic/formula.h"
#include "read/position.h"
#include "read/sums.h"

// What a reader of formulas has understood so far: a stack of operands, each
// a formula or a sum of places, and the operators to apply to the last of
// them.  The rules that hold in every format are kept here: which operator
// takes what, how deep and how large a formula may be, which names there are.
// All functions report what is wrong, at the position given or at that of the
// operand.

// One of the formulas that <-> and XOR join.
typedef struct tl_joined {
  struct tl_joined *next;
  tl_formula *formula;
  unsigned depth;
  uint64_t size; // written out as a tree
} tl_joined;

// Formulas joined by <-> and XOR, however they were nested: they hold where an
// odd number of the links does, or an even number.
typedef struct tl_chain {
  tl_joined *first, *last;
  size_t count; // 0: not such a formula
  bool even;
} tl_chain;

typedef struct tl_operand {
  enum {
    TL_A_FORMULA,
    TL_A_SUM,
    TL_A_MAXIMUM,
    TL_AN_INFINITY, // oo
    TL_A_BOUND      // sum < oo, and how many of G and A are before it: depth
  } kind;
  tl_position at;
  const char
      *prefix; // for the reader: what stands before it, in no parentheses
  tl_formula *formula;
  unsigned depth; // of the formula
  uint64_t size;
  tl_chain chain; // that the formula is written out from
  tl_sum sum;
} tl_operand;

typedef struct tl_operands {
  tl_mem *mem;
  const tl_net *net;
  tl_arena *arena; // of the formulas
  const char *file;
  bool ids_only; // names of nodes do not count
  tl_error *err;
  tl_operand *operand;
  size_t count, capacity;
  tl_sums sums;
  uint32_t *transition; // of the atom being read
  size_t transitions, transition_capacity;
} tl_operands;

// For questions to be added to these.
void tl_operands_open (tl_operands *, tl_questions *, const char *file,
                       tl_error *);
void tl_operands_close (tl_operands *);

tl_status tl_operands_fail (const tl_operands *, tl_position,
                            const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));
tl_status tl_operands_no_memory (const tl_operands *);

// Leaves.
tl_status tl_operands_formula (tl_operands *, tl_position, tl_formula *atom);
tl_status tl_operands_initial (tl_operands *, tl_position);
tl_status tl_operands_transition (tl_operands *, tl_position, const char *id);
// Any of the transitions since the last call is enabled.
tl_status tl_operands_fireable (tl_operands *, tl_position);
tl_status tl_operands_number (tl_operands *, tl_position, uint64_t);
// oo: AG p < oo asks whether p has a bound.
tl_status tl_operands_infinity (tl_operands *, tl_position);
// Adds a place to the last operand, a sum.
tl_status tl_operands_place (tl_operands *, tl_position, const char *id);

// Operators on sums.
typedef enum tl_arithmetic { TL_PLUS, TL_MINUS, TL_TIMES } tl_arithmetic;
tl_status tl_operands_arithmetic (tl_operands *, tl_position, tl_arithmetic);
tl_status tl_operands_negate_sum (tl_operands *, tl_position);
tl_status tl_operands_compare (tl_operands *, tl_position, tl_comparison);
tl_status tl_operands_maximum (tl_operands *, tl_position);

// Operators on formulas.  Those that the abstract syntax lacks are written
// out.
typedef enum tl_connective {
  TL_IFF,
  TL_XOR,
  TL_IMPLIES,
  TL_STRONG_UNTIL,
  TL_WEAK_UNTIL,
  TL_RELEASED_BY
} tl_connective;
tl_status tl_operands_unary (tl_operands *, tl_position, tl_op);
tl_status tl_operands_binary (tl_operands *, tl_position, tl_connective);
// TL_IFF or TL_XOR of the last `count`.  What they join is joined anew, in an
// order in which what is written out does not become much larger than the
// square of its size.
tl_status tl_operands_chain (tl_operands *, tl_position, tl_connective,
                             size_t count);
// TL_AND or TL_OR of the last `count`.
tl_status tl_operands_join (tl_operands *, tl_position, tl_op, size_t count);

// Makes the only operand a question of that name.
tl_status tl_operands_finish (tl_operands *, tl_questions *, const char *name);

#endif
