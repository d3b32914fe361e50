#ifndef TL_SYMBOLIC_VARIABLES_H
#define TL_SYMBOLIC_VARIABLES_H

#include "structure/structure.h"

// What a diagram asks for: the places that change, those that share one token
// together.  The value of a single place is its number of tokens, that of a
// group 0 when none of its places is marked, else i + 1 for the i-th of them.
//
// Groups are what makes diagrams small: a process of thirty places is one
// variable with thirty values, not thirty variables that all depend on each
// other.  Only groups that are proven count.  A place with an inhibitor arc
// stays by itself, so that every transition maps an interval of the values of a
// variable to another one.
typedef struct tl_variable_places {
  uint32_t first, count; // of its places
} tl_variable_places;

typedef struct tl_variables {
  tl_mem *mem;
  const tl_net *net;
  tl_variable_places *variable; // [room]
  uint32_t count, room;
  uint32_t *place;   // [room] of one variable after the other
  uint32_t *of;      // [places] its variable; TL_NO_NAME: it never changes
  uint32_t *value;   // [places] of a group where it is marked; 0: no group
  uint32_t *initial; // [room] values of the initial marking
} tl_variables;

// `kept` [places]: these are variables also if they never change; or null.
tl_status tl_variables_open (tl_variables *, tl_mem *, tl_structure *,
                             const uint8_t *kept, tl_error *);
void tl_variables_close (tl_variables *);

// Numbers the places of each group along the way of its token.
tl_status tl_variables_follow (tl_variables *);

static inline bool tl_variable_is_group (const tl_variables *v, uint32_t i) {
  return v->variable[i].count > 1;
}

#endif
