#ifndef TL_LNA_TYPING_H
#define TL_LNA_TYPING_H

#include "colour/evaluate.h"
#include "lna/tree.h"

// From the tree to the coloured net: names are resolved and everything gets its
// type.
//
// An expression is looked at twice.  First `resolve` goes up from the leaves
// and finds the types that it may have: a number has every numeric one, a
// constant that of several enumerations, `|1, 2|` that of every list and set of
// numbers.  Then `term` goes down with the one type that the context wants.
//
// Types are told by their roots; where a value is used, `use` puts a check of
// the bounds around the term if they could be violated.

// The types an expression may have, as roots.
typedef struct tl_lna_types {
  bool numbers; // every numeric one; then the list is empty
  const tl_type **type;
  uint32_t count;
} tl_lna_types;

// A variable, in the scope of the transition, function, ... at hand
typedef struct tl_lna_variable {
  const char *name;
  tl_where where;
  const struct tl_lna_variable *outer;
  const tl_type *type; // null: a token
  uint32_t offset;
  uint32_t place; // of a token
  bool assignable;
} tl_lna_variable;

// What `resolve` finds out about an expression
typedef struct tl_lna_meaning {
  tl_lna_types types;
  const tl_lna_variable *variable;
  const tl_function *function;
  const tl_type *type;  // of a constant; of a cast; that an attribute is of
  const tl_cell *value; // of a constant
  bool of_place;        // an attribute
  uint32_t place;
  tl_loop *loop; // of an iterator
} tl_lna_meaning;

// A constant of an enumeration; others of the same name follow.
typedef struct tl_lna_enumerator {
  const tl_type *type;
  tl_cell value;
  struct tl_lna_enumerator *next;
} tl_lna_enumerator;

typedef struct tl_lna_constant {
  const tl_type *type;
  const tl_cell *value;
} tl_lna_constant;

typedef struct tl_lna_checker {
  tl_lna_source *source;
  tl_coloured *net;
  tl_evaluation evaluation; // of constants
  const tl_type *integer;
  // Name spaces; the numbers are those of the arrays.
  tl_names type_name, constant_name, enumerator_name, function_name, place_name,
      transition_name, proposition_name;
  const tl_type **root; // all types that are not subtypes
  uint32_t roots;
  uint32_t *type_depth; // [types] how deep it nests
  tl_lna_constant *constant;
  tl_lna_enumerator **enumerator;
  const tl_type **found; // [roots] what is being looked for
  // Time: the place of the clock, or TL_NO_NAME, and the type of times.
  uint32_t clock;
  const tl_type *natural;
  // Where we are.
  const tl_lna_variable *scope, *barrier; // those from `barrier` on are hidden
  uint32_t frame;                         // cells of the frame so far
  bool marking;                           // may the marking be asked for?
  const tl_lna_variable *now; // the time, in transitions that know it
} tl_lna_checker;

// Names

// The next number of a name space; what: "place".
bool tl_lna_name (tl_lna_checker *, tl_names *, const tl_lna_word *,
                  const char *what, uint32_t *number);
const tl_type *tl_lna_find_type (tl_lna_checker *, const tl_lna_word *);
bool tl_lna_find_place (tl_lna_checker *, const tl_lna_word *, uint32_t *);
const tl_lna_variable *tl_lna_find_variable (const tl_lna_checker *,
                                             const char *name);
// Is it a constant, a parameter, or a constant of an enumeration?
bool tl_lna_is_constant (const tl_lna_checker *, const char *name);

// A new variable in the innermost scope; `cells`: of its value.
tl_lna_variable *tl_lna_add_variable (tl_lna_checker *, const tl_lna_word *,
                                      const tl_type *, uint32_t cells);
// The same, but the name must be new among the variables up to `end`.
tl_lna_variable *tl_lna_add_new_variable (tl_lna_checker *, const tl_lna_word *,
                                          const tl_type *,
                                          const tl_lna_variable *end);

// A copy of a text that lives as long as the net
const char *tl_lna_keep (tl_lna_checker *, const char *text);
// Zeroed memory that lives as long as the net; null was remembered.
void *tl_lna_net_get (tl_lna_checker *, size_t count, size_t size);

#define TL_LNA_NET_NEW(C, PTR, COUNT)                                          \
  ((PTR) = tl_lna_net_get ((C), (COUNT), sizeof *(PTR)))

// Sets of types

bool tl_lna_has (const tl_lna_types *, const tl_type *root);
bool tl_lna_has_numbers (const tl_lna_types *);
void tl_lna_all_numbers (tl_lna_types *);
bool tl_lna_one_type (tl_lna_checker *, tl_lna_types *, const tl_type *);
// The roots that pass a test; `with` is handed through.
typedef bool tl_lna_test (tl_lna_checker *, const tl_type *root, void *with);
bool tl_lna_select (tl_lna_checker *, tl_lna_types *, tl_lna_test *,
                    void *with);
bool tl_lna_both (tl_lna_checker *, tl_lna_types *, const tl_lna_types *,
                  const tl_lna_types *);
// The only type; numbers of any type are int.  Null: it is ambiguous.
const tl_type *tl_lna_choose (tl_lna_checker *, const tl_lna_types *, tl_where);
// For messages: "int", "a number", "red or blue"
const char *tl_lna_describe (const tl_lna_types *, char *out, size_t size);

#define TL_LNA_DESCRIPTION 200

// Expressions

bool tl_lna_resolve (tl_lna_checker *, tl_lna_node *);
// Of its kinds: literals of structures, vectors and containers; elements,
// components and changed copies; attributes
bool tl_lna_resolve_aggregate (tl_lna_checker *, tl_lna_node *);
bool tl_lna_resolve_access (tl_lna_checker *, tl_lna_node *);
bool tl_lna_resolve_attribute (tl_lna_checker *, tl_lna_node *);
// The type of an access if it is to something of type `root`; or null.
const tl_type *tl_lna_access (const tl_lna_node *, const tl_type *root);
// The only type that what is accessed can have for a result of type `root`.
const tl_type *tl_lna_accessed (tl_lna_checker *, const tl_lna_node *,
                                const tl_type *root);
const tl_member *tl_lna_component (const tl_type *, const char *name);

typedef enum tl_lna_attribute {
  TL_LNA_FIRST,
  TL_LNA_LAST,
  TL_LNA_PREFIX,
  TL_LNA_SUFFIX,
  TL_LNA_FIRST_INDEX,
  TL_LNA_LAST_INDEX,
  TL_LNA_SIZE,
  TL_LNA_ROOM, // 'capacity
  TL_LNA_SPACE,
  TL_LNA_IS_VOID, // 'empty
  TL_LNA_IS_FULL,
  TL_LNA_CARDINAL, // 'card
  TL_LNA_TOKENS,   // 'mult
  TL_LNA_NO_ATTRIBUTE
} tl_lna_attribute;

tl_lna_attribute tl_lna_attribute_of (const tl_lna_node *);
// The types of one that was resolved
static inline const tl_lna_types *tl_lna_types_of (const tl_lna_node *n) {
  return &n->meaning->types;
}

// A term of the root of a type; where there is a choice, as by succ, with the
// bounds of the type itself.
tl_term *tl_lna_term (tl_lna_checker *, tl_lna_node *, const tl_type *);
// The same within the bounds of the type
tl_term *tl_lna_use (tl_lna_checker *, tl_lna_node *, const tl_type *);
tl_term *tl_lna_condition (tl_lna_checker *, tl_lna_node *);
// A term of any numeric type
tl_term *tl_lna_numeric (tl_lna_checker *, tl_lna_node *);

tl_term *tl_lna_constant_term (tl_lna_checker *, tl_where, const tl_type *,
                               const tl_cell *value);
tl_term *tl_lna_variable_term (tl_lna_checker *, tl_where,
                               const tl_lna_variable *);
tl_term *tl_lna_make_term (tl_lna_checker *, tl_term_kind, tl_where,
                           const tl_type *, uint32_t operands);
// Null if the operand is.
tl_term *tl_lna_make_one (tl_lna_checker *, tl_term_kind, tl_where,
                          const tl_type *, tl_term *operand);

// Values that do not depend on any variable
bool tl_lna_value (tl_lna_checker *, tl_lna_node *, const tl_type *,
                   tl_cell *value);
bool tl_lna_number (tl_lna_checker *, tl_lna_node *, int64_t *);
// The same of a discrete type, whatever its bounds
bool tl_lna_number_of (tl_lna_checker *, tl_lna_node *, const tl_type *,
                       int64_t *);

// Loops over types, and perhaps over places and containers; their variables go
// into the scope.
typedef enum tl_lna_range {
  TL_LNA_OVER_TYPES = 0,
  TL_LNA_OVER_CONTAINERS = 1,
  TL_LNA_OVER_PLACES = 2
} tl_lna_range;

bool tl_lna_loop (tl_lna_checker *, tl_lna_node *, unsigned over, tl_loop *);
tl_loop *tl_lna_loops (tl_lna_checker *, const tl_lna_node *list,
                       unsigned over);

// Definitions

bool tl_lna_predefine (tl_lna_checker *);
bool tl_lna_define_type (tl_lna_checker *, const tl_lna_node *);
bool tl_lna_define_function (tl_lna_checker *, const tl_lna_node *);
bool tl_lna_functions_are_whole (tl_lna_checker *);
tl_statement *tl_lna_statement (tl_lna_checker *, tl_lna_node *,
                                const tl_type *result);
bool tl_lna_define_place (tl_lna_checker *, const tl_lna_node *);
bool tl_lna_define_transition (tl_lna_checker *, const tl_lna_node *);

// A label of a place.  `binding`: parts that are variables are not checked.
bool tl_lna_label (tl_lna_checker *, const tl_lna_node *list, const tl_cplace *,
                   bool binding, tl_label *);
// Declares the new names that are parts of tuples by themselves; these are
// variables.
bool tl_lna_find_variables (tl_lna_checker *, const tl_lna_node *list,
                            const tl_cplace *);

// Time.  A token of a timed place has one part more, the time from which on it
// is there; the clock is a place with one token.  Transitions that touch timed
// places read the clock.  When nothing else is enabled, the transition `tick`
// moves it to the next time of a token.

// A place is timed: it gets its part more, and there is a clock from now on.
bool tl_lna_make_timed (tl_lna_checker *, const tl_lna_word *, tl_cplace *);
// The part more of a tuple: bound (input), computed (output), or given.
tl_term *tl_lna_time (tl_lna_checker *, const tl_lna_node *tuple, bool binding);
// Declares the variable for the time of an input tuple.
bool tl_lna_time_variable (tl_lna_checker *, const tl_lna_node *tuple);
// The arcs of the clock, and the conditions on the times of input tokens.
bool tl_lna_read_clock (tl_lna_checker *, tl_ctransition *);
// The transition that moves the clock.
bool tl_lna_let_time_pass (tl_lna_checker *);

// Measures of progress: what the net says, what somebody asks for instead (any
// text, or null; only what is written in this language is meant for the net),
// and the time.
bool tl_lna_define_progress (tl_lna_checker *, const tl_lna_node *);
bool tl_lna_define_asked (tl_lna_checker *, const char *text);
bool tl_lna_measure_time (tl_lna_checker *);

// Can a value be found for every variable, one after the other?
bool tl_lna_schedule (tl_lna_checker *, const tl_ctransition *,
                      const tl_lna_variable *scope);

#endif
