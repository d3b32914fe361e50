#ifndef TL_LNA_TREE_H
#define TL_LNA_TREE_H

#include "lna/lex.h"

// What a file says, before anybody asks what it means: nodes with words and
// with nodes below, some of which may be missing (null).  All of it lives in
// the scratch arena.

typedef enum tl_lna_kind {
  // Expressions.  In brackets: words; then the nodes below.
  TL_LNA_IS_NUMBER,
  TL_LNA_IS_NAME,           // [name]
  TL_LNA_IS_EMPTY,          // the empty list or set
  TL_LNA_IS_APPLY,          // [function or type] arguments
  TL_LNA_IS_PART,           // [token variable] `number`: which part, from 1
  TL_LNA_IS_UNARY,          // `op`; operand
  TL_LNA_IS_BINARY,         // `op`; two operands
  TL_LNA_IS_CHOICE,         // condition, value if true, value if false
  TL_LNA_IS_STRUCTURE,      // components
  TL_LNA_IS_VECTOR,         // elements
  TL_LNA_IS_CONTAINER,      // elements
  TL_LNA_IS_ELEMENT,        // vector or list, indices
  TL_LNA_IS_SLICE,          // list, first and last index
  TL_LNA_IS_COMPONENT,      // [component] structure
  TL_LNA_IS_WITH_COMPONENT, // [component] structure, value
  TL_LNA_IS_WITH_ELEMENT,   // vector or list, indices, value
  TL_LNA_IS_ATTRIBUTE,      // [attribute] of what
  TL_LNA_IS_ITERATOR,       // `op`; loops (a list), condition, value
  // Statements
  TL_LNA_IS_ASSIGN, // target (an expression), value
  TL_LNA_IS_IF,     // condition, statement, else
  TL_LNA_IS_CASE,   // expression, choice and statement ..., default
  TL_LNA_IS_WHILE,  // condition, statement
  TL_LNA_IS_FOR,    // loops (a list), statement
  TL_LNA_IS_RETURN, // value
  TL_LNA_IS_ASSERT, // condition
  TL_LNA_IS_BLOCK,  // declarations and statements
  TL_LNA_IS_LOCAL,  // [type, name] value; `op` is CONSTANT for those
  // Parts of others
  TL_LNA_IS_LIST,    // of any nodes
  TL_LNA_IS_LOOP,    // [name] what it runs over, first and last
  TL_LNA_IS_TUPLE,   // loops (a list), condition, factor, parts (a list), delay
  TL_LNA_IS_ARC,     // [place] tuples (a list)
  TL_LNA_IS_LETTING, // [type, name] value
  // Definitions; the first word is the name.
  TL_LNA_IS_RANGE_TYPE,  // first, last
  TL_LNA_IS_MOD_TYPE,    // modulus
  TL_LNA_IS_ENUM_TYPE,   // [name, constants]
  TL_LNA_IS_VECTOR_TYPE, // [name, element type, index types]
  TL_LNA_IS_STRUCT_TYPE, // [name, type and name of each component]
  TL_LNA_IS_LIST_TYPE,   // [name, element type, index type] capacity
  TL_LNA_IS_SET_TYPE,    // [name, element type] capacity
  TL_LNA_IS_SUBTYPE,     // [name, parent] first, last
  TL_LNA_IS_CONSTANT,    // [name, type] value
  TL_LNA_IS_FUNCTION,    // [name, type, type and name of each parameter] body
  TL_LNA_IS_PLACE,       // [name, types] initial tuples (a list), capacity,
                         // time, tokens: least, most
  TL_LNA_IS_TRANSITION,  // [name] see tl_lna_section
  TL_LNA_IS_PROPOSITION, // [name] condition
  TL_LNA_IS_PROGRESS     // expression
} tl_lna_kind;

// The nodes below a transition; the first five are lists.
typedef enum tl_lna_section {
  TL_LNA_SECTION_IN,
  TL_LNA_SECTION_OUT,
  TL_LNA_SECTION_INHIBIT,
  TL_LNA_SECTION_PICK,
  TL_LNA_SECTION_LET,
  TL_LNA_SECTION_GUARD,
  TL_LNA_SECTION_PRIORITY,
  TL_LNA_SECTION_DESCRIPTION, // a list; `text` is the format
  TL_LNA_SECTIONS
} tl_lna_section;

// The nodes below a tuple
enum {
  TL_LNA_TUPLE_LOOPS,
  TL_LNA_TUPLE_CONDITION,
  TL_LNA_TUPLE_FACTOR,
  TL_LNA_TUPLE_PARTS,
  TL_LNA_TUPLE_DELAY
};

typedef struct tl_lna_word {
  const char *text;
  tl_where where;
} tl_lna_word;

typedef struct tl_lna_node tl_lna_node;
struct tl_lna_node {
  tl_lna_kind kind;
  tl_lna_token op;
  tl_where where;
  uint32_t number;
  uint32_t height; // levels of nodes below
  const char *text;
  tl_lna_word *word;
  uint32_t words;
  tl_lna_node **kid; // some may be null
  uint32_t kids;
  struct tl_lna_meaning *meaning; // of an expression; see resolve.h
};

// The whole of a net: parameters are [name] with `number`.
typedef struct tl_lna_tree {
  tl_lna_word name;
  tl_lna_node *parameters, *definitions; // lists
} tl_lna_tree;

// Nodes stand in one another at most so deep, so that functions on trees may
// simply recurse.
#define TL_LNA_DEPTH 1000

#endif
