#ifndef TL_COLOUR_TERM_H
#define TL_COLOUR_TERM_H

#include "colour/type.h"

// Expressions, statements and labels of a coloured net, typed and resolved:
// what the readers make of their files, and what is evaluated, unfolded and
// compiled.
//
// Variables live in a frame, an array of cells: each transition, function,
// proposition and initial marking has a frame of its own, and a variable is an
// offset in it.  Iteration variables and locals have cells of their own there,
// so nothing is shadowed.
//
// Everything implicit is explicit here.  A TL_TERM_CHECK stands where a value
// must lie within the bounds of its (sub)type; literals fit the type of their
// context; attributes of types are constants; a component of a token variable
// is a variable.  Operators of a MOD type wrap at the modulus of its root.

typedef struct tl_term tl_term;
typedef struct tl_function tl_function;

typedef struct tl_where {
  uint32_t line, column;
} tl_where;

typedef enum tl_term_kind {
  TL_TERM_CONSTANT, // `value`, cells of the type
  TL_TERM_VARIABLE, // the cells at `offset` of the frame
  // One operand.
  TL_TERM_CHECK, // the operand, if it is in the bounds of `type`; else an
                 // error "out of range"
  TL_TERM_CAST,  // the same, from any numeric type; error "cast failed"
  TL_TERM_MINUS,
  TL_TERM_NOT,
  TL_TERM_SUCC, // MOD and ENUM wrap at the bounds of `type`; RANGE adds 1
  TL_TERM_PRED,
  // Two operands of one root; the result has it too.
  TL_TERM_ADD,
  TL_TERM_SUBTRACT,
  TL_TERM_MULTIPLY,
  TL_TERM_DIVIDE, // towards zero
  TL_TERM_MODULO, // has the sign of the left operand
  // Two operands of one type (their roots); the result is a bool.
  TL_TERM_EQUAL,
  TL_TERM_UNEQUAL,
  TL_TERM_LESS, // discrete types; sets: strict subset
  TL_TERM_LESS_EQUAL,
  TL_TERM_GREATER,
  TL_TERM_GREATER_EQUAL,
  TL_TERM_AND, // the right one is evaluated only if needed
  TL_TERM_OR,
  TL_TERM_MEMBER, // element, container
  // Containers; an operand is one of the type or (where said) an element.
  TL_TERM_JOIN,      // lists or elements on either side
  TL_TERM_UNION,     // sets or elements
  TL_TERM_INTERSECT, // sets or elements
  TL_TERM_REMOVE,    // set, set or element
  // Others.
  TL_TERM_CHOOSE,    // condition, value if true, value if false
  TL_TERM_CALL,      // `function`, arguments
  TL_TERM_MAKE,      // structure, vector (the last one is repeated), container
  TL_TERM_ELEMENT,   // vector, its indices; list, index
  TL_TERM_SLICE,     // list, first and last index
  TL_TERM_COMPONENT, // structure; `offset`: cells before the component
  TL_TERM_WITH_ELEMENT,   // vector or list, indices, new element: a copy
  TL_TERM_WITH_COMPONENT, // structure, new value; `offset`: a copy
  // Of containers; one operand.
  TL_TERM_SIZE,
  TL_TERM_CAPACITY,
  TL_TERM_SPACE,
  TL_TERM_IS_EMPTY,
  TL_TERM_IS_FULL,
  TL_TERM_FIRST, // of lists, an error on an empty one
  TL_TERM_LAST,
  TL_TERM_PREFIX,
  TL_TERM_SUFFIX,
  TL_TERM_FIRST_INDEX,
  TL_TERM_LAST_INDEX,
  // Of the marking: only in propositions, priorities, measures and initial
  // markings.
  TL_TERM_PLACE_CARD, // distinct tokens of `place`
  TL_TERM_PLACE_MULT, // tokens
  // Iterators: `loop`, then the operands: condition (or null), and for those
  // that have one the value.
  TL_TERM_FORALL,
  TL_TERM_EXISTS,
  TL_TERM_CARD,
  TL_TERM_MULT, // one loop over a place; adds multiplicities
  TL_TERM_SUM,
  TL_TERM_PRODUCT,
  TL_TERM_MIN, // nothing iterated over: the last value of `type`
  TL_TERM_MAX  // the first
} tl_term_kind;

// A variable that runs over a discrete type (perhaps between two terms), the
// elements of a container, or the distinct tokens of a place.
typedef enum tl_loop_kind {
  TL_LOOP_TYPE,
  TL_LOOP_CONTAINER,
  TL_LOOP_PLACE
} tl_loop_kind;

typedef struct tl_loop {
  tl_loop_kind kind;
  const char *name;
  const tl_type *type;   // of the variable; null for tokens
  uint32_t offset;       // of the variable, or of the token, in the frame
  tl_term *first, *last; // TYPE: null: the bounds of the type.  The terms are
                         // numbers of that type, not checked: an empty range
                         // is no error
  tl_term *container;
  uint32_t place;
} tl_loop;

struct tl_term {
  tl_term_kind kind;
  tl_where where;
  const tl_type *type; // of the result
  const tl_cell *value;
  uint32_t offset, place;
  const tl_function *function;
  tl_loop *loop; // [loops], left to right; a later one may use earlier ones
  uint32_t loops;
  tl_term **operand; // [operands]; may be null where said
  uint32_t operands;
};

typedef enum tl_statement_kind {
  TL_DO_ASSIGN, // `target` becomes `term`
  TL_DO_IF,     // `term`; body[0], and body[1] or null
  TL_DO_CASE,   // `term`; choice[i]: body[i]; one body more: the default
  TL_DO_WHILE,  // `term`; body[0]
  TL_DO_FOR,    // loops; body[0]
  TL_DO_RETURN,
  TL_DO_ASSERT,
  TL_DO_BLOCK
} tl_statement_kind;

// What is assigned to: a variable, or part of one.  Steps are taken from the
// left; checks of indices are in the terms.
typedef struct tl_target {
  uint32_t offset;     // of the variable in the frame
  const tl_type *type; // of the variable
  struct tl_target_step {
    tl_term **index;    // of a vector or list; null: a component
    uint32_t component; // its number in the structure
    tl_where where;
  } * step;
  uint32_t steps;
} tl_target;

typedef struct tl_statement tl_statement;
struct tl_statement {
  tl_statement_kind kind;
  tl_where where;
  tl_target target;
  tl_term *term;
  tl_loop *loop;
  uint32_t loops;
  int64_t *choice;
  uint32_t choices;
  tl_statement **body;
  uint32_t bodies;
};

// Parameters are the first variables of the frame, in order.  A local without
// an initial value is assigned the default of its type by a statement.
struct tl_function {
  const char *name;
  tl_where where;
  const tl_type *type; // of the result
  const tl_type **parameter;
  const char **parameter_name;
  uint32_t *parameter_offset;
  uint32_t parameters;
  uint32_t frame; // cells
  tl_statement *body;
};

// A label: a sum of tuples, each perhaps repeated over loops, only if a
// condition holds, and with a factor.  A negative factor takes tokens away from
// what the other tuples of the label give (symmetric nets only).
typedef struct tl_tuple {
  tl_where where;
  tl_loop *loop;
  uint32_t loops;
  tl_term *condition; // or null
  int64_t factor;
  tl_term **part; // one for each type of the domain of the place
} tl_tuple;

typedef struct tl_label {
  tl_tuple *tuple;
  uint32_t tuples;
} tl_label;

#endif
