// A net as the public header shows it: names, arcs, and markings that are
// fired straight from the definition.

#include "base/error.h"
#include "net/marking.h"
#include "net/titles.h"

const char *tl_net_place_name (const tl_net *net, uint32_t place) {
  return net && place < net->places ? net->place_name[place] : 0;
}

const char *tl_net_transition_name (const tl_net *net, uint32_t transition) {
  return net && transition < net->transitions ? net->transition_name[transition]
                                              : 0;
}

// Names of an unfolded net are those of the coloured one: they stand for
// several nodes.
static bool find (const tl_net *net, bool place, const char *words,
                  uint32_t *node) {
  if (!net || !words || !node)
    return false;
  *node = tl_names_find (place ? &net->place_ids : &net->transition_ids, words);
  if (*node == TL_NO_NAME && !net->origin)
    *node = tl_title_find (net, place, words);
  return *node < TL_SEVERAL_NAMED;
}

bool tl_net_find_place (const tl_net *net, const char *words, uint32_t *place) {
  return find (net, true, words, place);
}

bool tl_net_find_transition (const tl_net *net, const char *words,
                             uint32_t *transition) {
  return find (net, false, words, transition);
}

size_t tl_net_arcs_of (const tl_net *net, uint32_t transition, tl_arc_kind kind,
                       const tl_arc **list) {
  if (!net || !list || transition >= net->transitions || !tl_net_has_arcs (net))
    return 0;
  const tl_arcs arcs = kind == TL_ARC_PRE    ? tl_net_pre (net, transition)
                       : kind == TL_ARC_POST ? tl_net_post (net, transition)
                       : kind == TL_ARC_INHIBITOR
                           ? tl_net_inhibitors (net, transition)
                           : (tl_arcs){0};
  *list = arcs.arc;
  return arcs.count;
}

// ---- Markings --------------------------------------------------------------

tl_status tl_net_initial (const tl_net *net, uint64_t *marking,
                          tl_error *error) {
  if (!net || !marking)
    return tl_fail (error, TL_E_ARG, "tl_net_initial needs a net, a marking");
  const tl_status rc = tl_net_want_arcs (net, "a marking of numbers", error);
  if (!rc)
    tl_marking_initial (net, marking);
  return rc;
}

bool tl_net_enables (const tl_net *net, const uint64_t *marking,
                     uint32_t transition) {
  return net && marking && transition < net->transitions &&
         tl_net_has_arcs (net) && tl_marking_enables (net, marking, transition);
}

// Do all places have room for what the transition adds?
static bool is_room (const tl_net *net, const uint64_t *marking, uint32_t t) {
  for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
    if (c.amount > 0 && marking[c.place] > UINT64_MAX - (uint64_t)c.amount)
      return false;
  return true;
}

tl_status tl_net_fire (const tl_net *net, uint64_t *marking,
                       uint32_t transition, tl_error *error) {
  if (!net || !marking)
    return tl_fail (error, TL_E_ARG, "tl_net_fire needs a net, a marking");
  const tl_status rc = tl_net_want_arcs (net, "firing", error);
  if (rc)
    return rc;
  if (!tl_net_enables (net, marking, transition))
    return tl_fail (error, TL_E_ARG, "the transition is not enabled");
  if (!is_room (net, marking, transition))
    return tl_fail (error, TL_E_LIMIT, "a place would have too many tokens");
  tl_marking_fire (net, marking, transition);
  return TL_OK;
}
