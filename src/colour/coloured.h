#ifndef TL_COLOUR_COLOURED_H
#define TL_COLOUR_COLOURED_H

#include "colour/term.h"

// A coloured net: the one form that Helena's language and PNML symmetric nets
// are read into.  It is typed and complete; parameters have their values.
//
// A token of a place is a tuple of its domain, kept as the cells of its parts
// one after the other.  A place without a domain (`epsilon`, the sort dot)
// holds plain tokens of no cells.  A marking is a multi-set of tokens for each
// place.
//
// A binding is a value for each arc and pick variable of a transition.  Let
// variables follow from these.  A binding is enabled when the input tokens are
// there, the guard holds, not all inhibitor tuples are there for some values of
// the inhibitor variables (in symmetric nets, which have no such variables: of
// no value that an inhibitor arc names as many are there), and no enabled
// binding of any transition has a higher priority.  What is computed wrongly on
// the way (out of range, division by zero, ...) is an error of the model that
// ends the run.

#define TL_NO_CAPACITY UINT32_MAX

typedef struct tl_cplace {
  const char *id, *name; // the same in Helena's language
  tl_where where;
  const tl_type **part;  // the domain
  uint32_t *part_offset; // [parts] in cells
  uint32_t parts, cells;
  // The most tokens of one value; more is an error.
  uint32_t capacity;
  // So many tokens in all, or else the net is wrong; most is 0: any number.
  uint32_t least, most;
  // Evaluated in a frame of `initial_frame` cells.  A place that is `derived`
  // has an initial marking that is told by those of places before it, and what
  // it says holds in every reachable state, or else the net is wrong.
  tl_label initial;
  uint32_t initial_frame;
  bool derived;
  bool timed; // the last part is the time from which on a token is there
} tl_cplace;

typedef struct tl_carc {
  uint32_t place;
  tl_where where;
  tl_label label;
} tl_carc;

typedef enum tl_variable_kind {
  TL_VARIABLE_ARC,      // bound by an input tuple without condition
  TL_VARIABLE_PICK,     // runs over a type or a container
  TL_VARIABLE_LET,      // a function of the others
  TL_VARIABLE_INHIBITOR // exists only in the inhibition test
} tl_variable_kind;

typedef struct tl_variable {
  const char *name;
  tl_variable_kind kind;
  const tl_type *type;
  uint32_t offset;
  tl_loop pick; // PICK: what it runs over (same offset)
  tl_term *let; // LET: its value
} tl_variable;

// Is it a part of bindings?
static inline bool tl_variable_is_bound (const tl_variable *v) {
  return v->kind == TL_VARIABLE_ARC || v->kind == TL_VARIABLE_PICK;
}

// Variables stand in the order of the file, but picks and lets after what they
// use.  In input and inhibitor tuples a part that is a plain TL_TERM_VARIABLE
// of an arc (inhibitor) variable binds it; no check stands around it.
typedef struct tl_ctransition {
  const char *id, *name;
  tl_where where;
  tl_variable *variable;
  uint32_t variables;
  uint32_t frame; // cells
  tl_carc *in, *out, *inhibit;
  uint32_t ins, outs, inhibits;
  bool inhibits_each; // each value of each inhibitor arc inhibits by itself
  tl_term *guard;     // or null
  tl_term *priority;  // or null: 0
  // It moves the clock: takes `now`, its first variable, from the only place
  // it takes from, and gives `next`, the second one.  Of the values that this
  // may have only the least time of a token that is later than `now` is one.
  bool tick;
  const char *description; // printf-like, or null
  tl_term **description_part;
  uint32_t description_parts;
} tl_ctransition;

typedef struct tl_proposition {
  const char *name;
  tl_where where;
  tl_term *term; // a bool
  uint32_t frame;
} tl_proposition;

enum { TL_PROGRESS_PARTS = 8 };

typedef struct tl_coloured {
  tl_mem *mem;
  tl_arena arena;
  const char *name;   // of the net or its file
  const char *path;   // for messages
  const char *format; // "lna" or "pnml"
  const tl_type *boolean;
  const tl_type **type; // all types, for people
  uint32_t types;
  tl_function **function;
  uint32_t functions;
  tl_cplace *place;
  uint32_t places;
  tl_ctransition *transition;
  uint32_t transitions;
  tl_proposition *proposition;
  uint32_t propositions;
  // Measures over the marking: what the net says of its progress, compared one
  // after another; then, in a net with time that says something else, the time.
  tl_term *measure[TL_PROGRESS_PARTS + 1];
  uint32_t measures;
  uint32_t progress_parts; // of these
  uint32_t measure_frame;  // the largest
  bool has_time;           // the last of them is the time: it never goes back
  const char *asked;       // what was asked for replaces what it says; or null
  bool every_place;        // keys have those that follow from others, too
} tl_coloured;

void tl_coloured_close (tl_coloured *);

#endif
