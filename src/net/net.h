#ifndef TL_NET_NET_H
#define TL_NET_NET_H

#include "base/arena.h"
#include "base/names.h"

// A place/transition net with weights, inhibitor arcs and NUPN units.  It is
// put together with a builder and never changes after that.  Places and
// transitions are numbers in the order in which they were added.
//
// A read arc is a pair of an input and an output arc of equal weight; beside
// other arcs between the same nodes it asks for its weight to be there, not
// for more.  Several other arcs between the same two nodes are one arc with the
// sum of their weights.
// A transition with an inhibitor arc of weight w is enabled only while the
// place holds fewer than w tokens (w >= 1); of several the smallest counts.

// A list of arcs: part of an array of the net, sorted by place.
typedef struct tl_arcs {
  const tl_arc *arc;
  uint32_t count;
} tl_arcs;

#define TL_NO_UNIT UINT32_MAX

// A unit of a nested-unit net: its own places, and where it hangs.
typedef struct tl_unit {
  const char *id;
  uint32_t parent; // TL_NO_UNIT for the root
  const uint32_t *places;
  uint32_t place_count;
} tl_unit;

typedef struct tl_origin tl_origin;
typedef struct tl_folded tl_folded;

struct tl_net {
  tl_mem *mem;       // what it lives on
  bool owns_account; // and `mem` was made with malloc for it alone
  tl_arena arena;
  tl_names place_ids, transition_ids;
  const char *name;   // of the net, or of its file; never null
  const char *title;  // for people, or null
  const char *format; // "pnml", "lola", "tina", ... or "example"
  uint32_t places, transitions, units;
  uint64_t arcs;           // input, output and inhibitor arcs
  bool units_safe;         // the file promises one token at most in each unit
  const char **place_id;   // as formulas name them
  const char **place_name; // for people; the id where the file gives none
  const char **transition_id, **transition_name;
  const uint32_t *initial; // tokens of each place
  const tl_unit *unit;
  // [transitions + 1] each: where the arcs of a transition begin
  const uint64_t *pre_start, *post_start, *inhibitor_start;
  const tl_arc *pre_arc, *post_arc, *inhibitor_arc;
  tl_origin *origin; // of an unfolded net (net/origin.h), else null
  tl_folded *folded; // of one that is not unfolded (net/folded.h), else null
  // What such a net was read from (read/inside.h), or null.
  const char *inside;
  size_t inside_length;
};

static inline tl_arcs tl_net_pre (const tl_net *net, uint32_t t) {
  return (tl_arcs){net->pre_arc + net->pre_start[t],
                   (uint32_t)(net->pre_start[t + 1] - net->pre_start[t])};
}

static inline tl_arcs tl_net_post (const tl_net *net, uint32_t t) {
  return (tl_arcs){net->post_arc + net->post_start[t],
                   (uint32_t)(net->post_start[t + 1] - net->post_start[t])};
}

static inline tl_arcs tl_net_inhibitors (const tl_net *net, uint32_t t) {
  return (tl_arcs){
      net->inhibitor_arc + net->inhibitor_start[t],
      (uint32_t)(net->inhibitor_start[t + 1] - net->inhibitor_start[t])};
}

// Firing is given by arcs, and all of a state is in the tokens of the places.
static inline bool tl_net_has_arcs (const tl_net *net) {
  return !net->folded;
}

// TL_E_MODEL and a message: the net has no arcs, which `what` ("drawing it")
// needs.
tl_status tl_net_want_arcs (const tl_net *, const char *what, tl_error *);

// A transition's change of each place it changes, sorted by place; the same
// place never twice, never 0.  Walk it with tl_net_change_next.
typedef struct tl_change {
  uint32_t place;
  int64_t amount;
  tl_arcs pre, post; // what is still to come
} tl_change;

static inline tl_change tl_net_change (const tl_net *net, uint32_t t) {
  return (tl_change){.pre = tl_net_pre (net, t), .post = tl_net_post (net, t)};
}

bool tl_net_change_next (tl_change *); // false: there are no more

// That of one place.
int64_t tl_net_change_of (const tl_net *, uint32_t transition, uint32_t place);

// The builder.  `mem` is the account the net will live on.  Texts are copied.
typedef struct tl_builder tl_builder;

tl_status tl_builder_open (tl_builder **, tl_mem *mem);
// TL_E_ARG: there is a place (or transition) of that id already.  `name` may
// be null.  *index, if not null, is set also when the id was there.
tl_status tl_builder_place (tl_builder *, const char *id, const char *name,
                            uint32_t initial, uint32_t *index);
tl_status tl_builder_transition (tl_builder *, const char *id, const char *name,
                                 uint32_t *index);
// For formats in which the marking or the label comes after the node.
void tl_builder_set_initial (tl_builder *, uint32_t place, uint32_t initial);
// TL_E_LIMIT: more than TL_MAX_TOKENS in all.
tl_status tl_builder_add_initial (tl_builder *, uint32_t place, uint32_t more);
tl_status tl_builder_name_place (tl_builder *, uint32_t place,
                                 const char *name);
tl_status tl_builder_name_transition (tl_builder *, uint32_t transition,
                                      const char *name);
uint32_t tl_builder_find_place (const tl_builder *, const char *id);
uint32_t tl_builder_find_transition (const tl_builder *, const char *id);
// TL_E_LIMIT: the weights of parallel arcs add up to more than
// TL_MAX_TOKENS.  (Told when the net is finished.)
tl_status tl_builder_arc (tl_builder *, tl_arc_kind, uint32_t place,
                          uint32_t transition, uint32_t weight);
// Units are numbered in the order of the calls; `parent` was added before.
tl_status tl_builder_unit (tl_builder *, const char *id, uint32_t parent,
                           const uint32_t *places, uint32_t count);
void tl_builder_units_safe (tl_builder *, bool);
// Gives the net and takes the builder, also when it fails.
tl_status tl_builder_finish (tl_builder *, const char *name, const char *format,
                             tl_net **, tl_error *);
void tl_builder_close (tl_builder *); // gives up

#endif
