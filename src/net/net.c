#include "base/error.h"
#include "net/folded.h"
#include "net/origin.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool tl_net_change_next (tl_change *c) {
  while (c->pre.count || c->post.count) {
    const uint32_t in = c->pre.count ? c->pre.arc->place : UINT32_MAX;
    const uint32_t out = c->post.count ? c->post.arc->place : UINT32_MAX;
    c->amount = 0;
    c->place = in < out ? in : out;
    if (in == c->place) {
      c->amount -= c->pre.arc->weight;
      c->pre.arc++, c->pre.count--;
    }
    if (out == c->place) {
      c->amount += c->post.arc->weight;
      c->post.arc++, c->post.count--;
    }
    if (c->amount)
      return true;
  }
  return false;
}

int64_t tl_net_change_of (const tl_net *net, uint32_t t, uint32_t place) {
  for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
    if (c.place == place)
      return c.amount;
  return 0;
}

static void close_origin (tl_origin *origin) {
  if (!origin)
    return;
  tl_names_close (&origin->place_ids);
  tl_names_close (&origin->transition_ids);
  if (origin->close)
    origin->close (origin->coloured);
}

void tl_net_close (tl_net *net) {
  if (!net)
    return;
  close_origin (net->origin);
  if (net->folded)
    net->folded->close (net->folded);
  tl_names_close (&net->place_ids);
  tl_names_close (&net->transition_ids);
  tl_arena arena = net->arena; // the net itself lives in it
  tl_mem *account = net->owns_account ? net->mem : 0;
  tl_arena_close (&arena);
  free (account);
}

const char *tl_net_name (const tl_net *net) {
  return net ? net->name : 0;
}

const char *tl_net_format (const tl_net *net) {
  return net ? net->format : 0;
}

uint32_t tl_net_places (const tl_net *net) {
  return net ? net->places : 0;
}

uint32_t tl_net_transitions (const tl_net *net) {
  return net ? net->transitions : 0;
}

uint64_t tl_net_arcs (const tl_net *net) {
  return net ? net->arcs : 0;
}

const char *tl_net_place_id (const tl_net *net, uint32_t place) {
  return net && place < net->places ? net->place_id[place] : 0;
}

const char *tl_net_transition_id (const tl_net *net, uint32_t transition) {
  return net && transition < net->transitions ? net->transition_id[transition]
                                              : 0;
}

tl_status tl_net_want_arcs (const tl_net *net, const char *what,
                            tl_error *err) {
  return tl_net_has_arcs (net)
             ? TL_OK
             : tl_fail (err, TL_E_MODEL,
                        "%s needs arcs, and %s is not unfolded", what,
                        net->name);
}

bool tl_net_is_coloured (const tl_net *net) {
  return net && (net->origin || net->folded);
}

bool tl_net_has_place (const tl_net *net, const char *id) {
  if (!net || !id)
    return false;
  return tl_names_find (&net->place_ids, id) != TL_NO_NAME ||
         (net->origin &&
          tl_names_find (&net->origin->place_ids, id) != TL_NO_NAME);
}

const char *tl_net_step_name (const tl_net *net, uint32_t step) {
  if (!net || step >= net->transitions)
    return 0;
  return net->origin ? net->transition_name[step] : net->transition_id[step];
}
