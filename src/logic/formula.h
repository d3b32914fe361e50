#ifndef TL_LOGIC_FORMULA_H
#define TL_LOGIC_FORMULA_H

#include "base/budget.h"
#include "net/net.h"

// Formulas over the markings of a net: state formulas, CTL, LTL and CTL* in
// one abstract syntax.  Nodes live in an arena, never change once they are
// made, and may be shared; names are resolved to numbers of places and
// transitions when a formula is read.
//
// A state formula says something about one marking; a path formula about a
// run.  A question is a state formula, decided at the initial marking: readers
// put an A in front of a path formula.

// Readers refuse formulas that are nested deeper or are larger (written out as
// a tree), so that functions on formulas may simply recurse.
#define TL_FORMULA_DEPTH 1000u
#define TL_FORMULA_SIZE (1u << 20)

typedef enum tl_op {
  TL_TRUE,
  TL_FALSE,
  TL_COMPARE,  // terms <= bound
  TL_FIREABLE, // any of the listed transitions is enabled
  TL_DEADLOCK, // no transition is enabled
  TL_NOT,      // 1 operand
  TL_AND,      // 1 or more
  TL_OR,       // 1 or more
  TL_EXISTS,   // E: 1, a path formula
  TL_ALL,      // A: 1
  TL_NEXT,     // X: 1
  TL_FINALLY,  // F: 1
  TL_GLOBALLY, // G: 1
  TL_UNTIL,    // U: 2
  TL_RELEASE   // R: 2
} tl_op;

// coefficient * m(place)
typedef struct tl_summand {
  uint32_t place;
  int64_t coefficient;
} tl_summand;

typedef struct tl_formula tl_formula;

struct tl_formula {
  tl_op op;
  uint32_t count; // operands, terms or transitions
  union {
    tl_formula **operand;
    struct {
      // sum of terms <= bound; terms sorted by place, no place twice, no
      // coefficient 0; all of them together are at most INT64_MAX in size, so
      // that a sum over a marking fits in 128 bits
      tl_summand *term;
      int64_t bound;
    };
    uint32_t *transition; // sorted, none twice
  };
};

// A question: a formula to decide, a sum of places to maximise, or one of the
// named global properties.
typedef enum tl_question_kind {
  TL_ASK_FORMULA,
  TL_ASK_BOUND,
  TL_ASK_DEADLOCK,       // is there a reachable dead state?
  TL_ASK_ONE_SAFE,       // does every place hold at most one token, always?
  TL_ASK_QUASI_LIVE,     // is every transition enabled somewhere?
  TL_ASK_STABLE_MARKING, // does some place keep its number of tokens?
  TL_ASK_LIVE, // can every transition fire again and again, whatever happens?
  TL_ASK_HOME_STATE // can some marking be reached again, whatever happens?
} tl_question_kind;

typedef struct tl_question {
  tl_question_kind kind;
  const char *name; // id in the file, or the text typed
  tl_formula *formula;
  bool linear; // in LTL: where a run ends, X speaks of its last state again
  // For TL_ASK_BOUND: maximise the sum of these terms over the markings, or
  // only say whether it has a bound.
  tl_summand *term;
  uint32_t term_count;
  bool finite;
  const char *warning; // that it may be read otherwise than meant, or null
} tl_question;

// The questions of one file or one command line, and all they consist of.
struct tl_questions {
  tl_mem mem;       // the account everything here lives on
  tl_budget budget; // of reading more of them
  const tl_net *net;
  tl_arena arena;
  tl_question *question;
  size_t count, capacity;
};

// Constructors: null when the arena has no memory (or an operand is null, so
// that calls can be nested and tested once).  They take over the operands as
// they are and copy lists.
tl_formula *tl_formula_constant (tl_arena *, bool);
tl_formula *tl_formula_deadlock (tl_arena *);
// Sorts and joins the terms; a comparison without places is a constant.  When
// the coefficients are too large the result is null and *overflow is true.
tl_formula *tl_formula_compare (tl_arena *, const tl_summand *, size_t count,
                                int64_t bound, bool *overflow);
// With which coefficient a comparison counts the tokens of a place; 0: not.
int64_t tl_formula_coefficient (const tl_formula *comparison, uint32_t place);
// Sorts the transitions; none is false.
tl_formula *tl_formula_fireable (tl_arena *, const uint32_t *transitions,
                                 size_t count);
tl_formula *tl_formula_unary (tl_arena *, tl_op, tl_formula *);
tl_formula *tl_formula_binary (tl_arena *, tl_op, tl_formula *, tl_formula *);
// TL_AND or TL_OR; of one operand it is that operand, of none a constant.
tl_formula *tl_formula_nary (tl_arena *, tl_op, tl_formula *const *,
                             size_t count);

// The same operator with other operands, as many.
tl_formula *tl_formula_with (tl_arena *, const tl_formula *,
                             tl_formula *const *operand);

// The operands of an operator; 0 of constants and atoms.
static inline uint32_t tl_formula_operands (const tl_formula *f) {
  return f->op < TL_NOT ? 0 : f->count;
}

bool tl_formula_has_temporal (const tl_formula *); // any of E A X F G U R

// Does it speak of a run: is there an X F G U R outside of every E and A?
bool tl_formula_is_path (const tl_formula *);

// Has it one quantifier, in front of it all?
bool tl_formula_is_about_runs (const tl_formula *);

// EF f, or AG f?
bool tl_formula_is_reach (const tl_formula *);

// An order of formulas as they are written, in which cheap ones come first
// and comparisons of the same sum stand together; 0: they are the same.
int tl_formula_order (const tl_formula *, const tl_formula *);

// The formula with another one wherever the part stands, not simplified.  Null:
// no memory.
tl_formula *tl_formula_put (tl_arena *, tl_formula *, const tl_formula *part,
                            tl_formula *instead);

// The formula as text that the reader of formulas reads back, in `out` (at
// most `size` bytes, cut off with "..."); returns the length it would have.
size_t tl_formula_print (const tl_formula *, const tl_net *, char *out,
                         size_t size);
// The same for a question of any kind.
size_t tl_question_print (const tl_question *, const tl_net *, char *out,
                          size_t size);

// A name as formulas write it, in quotes where it needs them.
size_t tl_name_print (const char *name, char *out, size_t size);

// A new question at the end, zeroed; null when there is no memory.
tl_question *tl_questions_add (tl_questions *, const char *name);

#endif
