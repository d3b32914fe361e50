#ifndef TL_NET_ORIGIN_H
#define TL_NET_ORIGIN_H

#include "net/folded.h"

// Where an unfolded net comes from: the coloured net, as far as answers speak
// of it.  The places that a coloured place is unfolded into have consecutive
// numbers, and so have the transitions of a coloured transition, one for each
// binding.  Of a coloured node that can never hold a token, or never fire,
// there may be none.
//
// The id of an unfolded node says what it is, waiting(3) or move{r=2,s=0}; the
// name of an unfolded transition is its binding as people write it:
// move {r=2, s=0}.
//
// It lives in the arena of the net (the maps: on its account), and is closed
// with it, as is the coloured net behind it.
struct tl_origin {
  uint32_t places, transitions;
  uint64_t arcs;
  const char **place_id, **place_name;
  const char **transition_id, **transition_name;
  tl_names place_ids, transition_ids;
  // [places + 1], [transitions + 1]: where the unfolded ones of each begin
  const uint32_t *place_first, *transition_first;
  uint64_t types;
  // The most tokens of each unfolded place, more is an error of the model;
  // UINT32_MAX: any.  Null: of all.
  const uint32_t *capacity;
  // For each coloured place the cells of its tokens, for each coloured
  // transition the cells of the variables of its bindings (those of arcs and
  // picks, in order), in the order of the unfolded ones.
  const int32_t **token, **binding;
  // The coloured net; closed by the function with the unfolded one
  struct tl_coloured *coloured;
  void (*close) (struct tl_coloured *);
};

// The coloured node that an unfolded one belongs to.
uint32_t tl_origin_place (const tl_origin *, uint32_t place);
uint32_t tl_origin_transition (const tl_origin *, uint32_t transition);

// Places or transitions with consecutive numbers.
typedef struct tl_node_range {
  uint32_t first, count;
} tl_node_range;

// The places and transitions that answers speak of: those of the coloured net
// if there is one, else those of the net itself; and what each of them is
// unfolded into, in the second case itself alone.

static inline uint32_t tl_shown_places (const tl_net *net) {
  return net->origin ? net->origin->places : tl_net_counted (net);
}

static inline uint64_t tl_shown_arcs (const tl_net *net) {
  return net->origin   ? net->origin->arcs
         : net->folded ? net->folded->arcs
                       : net->arcs;
}

static inline uint32_t tl_shown_transitions (const tl_net *net) {
  return net->origin ? net->origin->transitions : net->transitions;
}

static inline tl_node_range tl_shown_place (const tl_net *net, uint32_t p) {
  const uint32_t *first = net->origin ? net->origin->place_first : 0;
  return first ? (tl_node_range){first[p], first[p + 1] - first[p]}
               : (tl_node_range){p, 1};
}

static inline tl_node_range tl_shown_transition (const tl_net *net,
                                                 uint32_t t) {
  const uint32_t *first = net->origin ? net->origin->transition_first : 0;
  return first ? (tl_node_range){first[t], first[t + 1] - first[t]}
               : (tl_node_range){t, 1};
}

// The transition that answers speak of instead of this one, and all that are
// the same to them.
static inline uint32_t tl_shown_number (const tl_net *net, uint32_t t) {
  return net->origin ? tl_origin_transition (net->origin, t) : t;
}

static inline tl_node_range tl_shown_with (const tl_net *net, uint32_t t) {
  return tl_shown_transition (net, tl_shown_number (net, t));
}

static inline const char *tl_shown_place_id (const tl_net *net, uint32_t p) {
  return net->origin ? net->origin->place_id[p] : net->place_id[p];
}

static inline const char *tl_shown_transition_id (const tl_net *net,
                                                  uint32_t t) {
  return net->origin ? net->origin->transition_id[t] : net->transition_id[t];
}

#endif
