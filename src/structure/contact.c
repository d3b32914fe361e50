#include "structure/contact.h"

// The places of a transition, one after the other.
typedef struct walk {
  tl_arcs pre, post, inhibitors; // still to come
  uint32_t place;
  tl_contact contact;
} walk;

static walk begin_walk (const tl_net *net, uint32_t t) {
  return (walk){.pre = tl_net_pre (net, t),
                .post = tl_net_post (net, t),
                .inhibitors = tl_net_inhibitors (net, t),
                .contact = {.transition = t}};
}

static void look (const tl_arcs *arcs, uint32_t *place) {
  if (arcs->count && arcs->arc->place < *place)
    *place = arcs->arc->place;
}

// The weight of the arc to this place, if it is the next.
static bool take (tl_arcs *arcs, uint32_t place, uint32_t *weight) {
  if (!arcs->count || arcs->arc->place != place)
    return false;
  *weight = arcs->arc->weight;
  arcs->arc++, arcs->count--;
  return true;
}

static bool walk_on (walk *w) {
  w->place = UINT32_MAX;
  look (&w->pre, &w->place);
  look (&w->post, &w->place);
  look (&w->inhibitors, &w->place);
  if (w->place == UINT32_MAX)
    return false;
  uint32_t inhibitor;
  w->contact.pre = w->contact.post = 0;
  take (&w->pre, w->place, &w->contact.pre);
  take (&w->post, w->place, &w->contact.post);
  w->contact.inhibitor =
      take (&w->inhibitors, w->place, &inhibitor) ? inhibitor : TL_NO_INHIBITOR;
  return true;
}

tl_status tl_contacts_open (tl_contacts *all, tl_mem *mem, const tl_net *net) {
  *all = (tl_contacts){.mem = mem, .places = net->places};
  if (!TL_NEW (mem, all->start, (size_t)net->places + 2))
    return TL_E_NOMEM;
  uint64_t *next = all->start + 1; // of a place: where its next one goes
  for (uint32_t t = 0; t < net->transitions; t++)
    for (walk w = begin_walk (net, t); walk_on (&w); all->count++)
      next[w.place + 1]++;
  for (uint32_t p = 0; p < net->places; p++)
    next[p + 1] += next[p];
  if (!TL_NEW (mem, all->contact, all->count))
    return TL_E_NOMEM;
  for (uint32_t t = 0; t < net->transitions; t++)
    for (walk w = begin_walk (net, t); walk_on (&w);)
      all->contact[next[w.place]++] = w.contact;
  return TL_OK;
}

void tl_contacts_close (tl_contacts *all) {
  TL_DEL (all->mem, all->contact, all->count);
  TL_DEL (all->mem, all->start, (size_t)all->places + 2);
  *all = (tl_contacts){0};
}
