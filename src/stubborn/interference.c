#include "stubborn/interference.h"

#include "structure/contact.h"

#include <stdlib.h>

// A conflict list of a transition.
typedef struct link {
  uint32_t transition, list;
  bool strict;
} link;

typedef struct maker {
  tl_interference *all;
  tl_mem *mem;
  tl_contacts contacts;
  link *link;
  size_t links, link_room;
} maker;

// ---- Sorting ---------------------------------------------------------------

static int order (uint64_t left, uint64_t right) {
  return (left > right) - (left < right);
}

static int by_inhibitor (const void *left, const void *right) {
  const tl_contact *l = left, *r = right;
  const int by = order (r->inhibitor, l->inhibitor); // the largest first
  return by ? by : order (l->transition, r->transition);
}

static int by_weights (const void *left, const void *right) {
  const tl_contact *l = left, *r = right;
  int by = order (l->pre, r->pre);
  if (!by)
    by = order (l->post, r->post);
  return by ? by : by_inhibitor (left, right);
}

static bool alike (const tl_contact *l, const tl_contact *r) {
  return l->pre == r->pre && l->post == r->post && l->inhibitor == r->inhibitor;
}

static void sort_contacts (const maker *m,
                           int (*by) (const void *, const void *)) {
  const tl_contacts *all = &m->contacts;
  for (uint32_t p = 0; p < m->all->net->places; p++)
    if (all->start[p + 1] > all->start[p])
      qsort (all->contact + all->start[p], all->start[p + 1] - all->start[p],
             sizeof *all->contact, by);
}

// ---- Lists -----------------------------------------------------------------

static bool is_taker (const tl_contact *t) {
  return t->post < t->pre;
}

static bool is_adder (const tl_contact *t) {
  return t->post > t->pre;
}

static bool takes_from (const tl_contact *taker, const tl_contact *t) {
  return is_taker (taker) && taker->post < t->pre;
}

static bool inhibits (const tl_contact *adder, const tl_contact *t) {
  return is_adder (adder) && t->inhibitor != TL_NO_INHIBITOR &&
         (adder->inhibitor == TL_NO_INHIBITOR ||
          adder->inhibitor + adder->post - adder->pre > t->inhibitor);
}

static bool in_conflict (const tl_contact *t, const tl_contact *other) {
  return takes_from (t, other) || takes_from (other, t) ||
         inhibits (t, other) || inhibits (other, t);
}

// As far as the others must be able to fire after t, whatever becomes of t.
static bool in_the_way (const tl_contact *t, const tl_contact *other) {
  return (is_taker (t) && (takes_from (t, other) || takes_from (other, t))) ||
         (is_adder (t) && (inhibits (t, other) || inhibits (other, t)));
}

static bool only_strictly (const tl_contact *t, const tl_contact *other) {
  return in_conflict (t, other) && !in_the_way (t, other);
}

static bool add_member (tl_interference *r, const tl_contact *t) {
  if (!TL_ROOM (r->mem, r->member, &r->member_room, r->members + 1))
    return false;
  r->member[r->members++] = t->transition;
  return true;
}

// The members since the end of the last list are a list.
static bool end_list (tl_interference *r) {
  if (r->lists == UINT32_MAX - r->net->transitions - 1 ||
      !TL_ROOM (r->mem, r->start, &r->start_room, (size_t)r->lists + 2))
    return false;
  r->start[++r->lists] = r->members;
  return true;
}

// The takers of every place, or the adders.
static tl_status list_all (maker *m, bool (*wanted) (const tl_contact *)) {
  tl_interference *r = m->all;
  const tl_contacts *all = &m->contacts;
  for (uint32_t p = 0; p < r->net->places; p++) {
    for (uint64_t i = all->start[p]; i < all->start[p + 1]; i++) {
      const tl_contact *t = all->contact + i;
      if (!wanted (t))
        continue;
      if (!TL_ROOM (r->mem, r->need, &r->need_room, r->members + 1) ||
          !add_member (r, t))
        return TL_E_NOMEM;
      r->need[r->members - 1] = wanted == is_taker ? t->inhibitor : t->pre;
    }
    if (!end_list (r))
      return TL_E_NOMEM;
  }
  return TL_OK;
}

// Lists the conflicts that `count` alike transitions have at a place with these
// contacts.
static tl_status list_conflicts (maker *m, const tl_contact *first,
                                 uint64_t count, const tl_contact *from,
                                 const tl_contact *to, bool strict) {
  tl_interference *r = m->all;
  for (const tl_contact *other = from; other < to; other++)
    if ((strict ? only_strictly : in_the_way) (first, other) &&
        !add_member (r, other))
      return TL_E_NOMEM;
  const size_t begin = r->start[r->lists], length = r->members - begin;
  if (!length ||
      (length == 1 && count == 1 && r->member[begin] == first->transition)) {
    r->members = begin; // nothing, or only itself
    return TL_OK;
  }
  for (uint64_t i = 0; i < count; i++) {
    if (!TL_ROOM (m->mem, m->link, &m->link_room, m->links + 1))
      return TL_E_NOMEM;
    m->link[m->links++] = (link){first[i].transition, r->lists, strict};
  }
  return end_list (r) ? TL_OK : TL_E_NOMEM;
}

static tl_status list_all_conflicts (maker *m) {
  const tl_contacts *all = &m->contacts;
  for (uint32_t p = 0; p < m->all->net->places; p++) {
    const tl_contact *from = all->contact + all->start[p],
                     *to = all->contact + all->start[p + 1];
    for (const tl_contact *first = from, *next; first < to; first = next) {
      for (next = first + 1; next < to && alike (next, first);)
        next++;
      const uint64_t count = (uint64_t)(next - first);
      tl_status rc = list_conflicts (m, first, count, from, to, false);
      if (!rc)
        rc = list_conflicts (m, first, count, from, to, true);
      if (rc)
        return rc;
    }
  }
  return TL_OK;
}

static int by_transition (const void *left, const void *right) {
  const link *l = left, *r = right;
  int by = order (l->transition, r->transition);
  if (!by)
    by = order (l->strict, r->strict);
  return by ? by : order (l->list, r->list);
}

// Gives each transition its links, the strict ones behind the others.
static tl_status sort_links (maker *m) {
  tl_interference *r = m->all;
  const uint32_t transitions = r->net->transitions;
  r->conflict_room = m->links;
  if (!TL_NEW (r->mem, r->conflict_start, (size_t)transitions + 1) ||
      !TL_NEW (r->mem, r->strict_start, (size_t)transitions + 1) ||
      !TL_NEW (r->mem, r->conflict, r->conflict_room))
    return TL_E_NOMEM;
  if (m->links)
    qsort (m->link, m->links, sizeof *m->link, by_transition);
  size_t i = 0;
  for (uint32_t t = 0; t < transitions; t++) {
    r->conflict_start[t] = i;
    for (; i < m->links && m->link[i].transition == t && !m->link[i].strict;)
      i++;
    r->strict_start[t] = i;
    for (; i < m->links && m->link[i].transition == t;)
      i++;
  }
  r->conflict_start[transitions] = m->links;
  for (i = 0; i < m->links; i++)
    r->conflict[i] = m->link[i].list;
  return TL_OK;
}

// ---- All of it -------------------------------------------------------------

static tl_status make (maker *m) {
  tl_interference *r = m->all;
  if (!TL_ROOM (r->mem, r->start, &r->start_room, 1))
    return TL_E_NOMEM;
  tl_status rc = tl_contacts_open (&m->contacts, m->mem, r->net);
  if (rc)
    return rc;
  sort_contacts (m, by_inhibitor);
  rc = list_all (m, is_taker);
  sort_contacts (m, by_weights);
  if (!rc)
    rc = list_all (m, is_adder);
  if (!rc)
    rc = list_all_conflicts (m);
  return rc ? rc : sort_links (m);
}

tl_status tl_interference_open (tl_interference *r, tl_mem *mem,
                                const tl_net *net) {
  *r = (tl_interference){.mem = mem, .net = net};
  maker m = {.all = r, .mem = mem};
  const tl_status rc = make (&m);
  tl_contacts_close (&m.contacts);
  TL_DEL (mem, m.link, m.link_room);
  return rc;
}

void tl_interference_close (tl_interference *r) {
  const uint32_t transitions = r->net->transitions;
  TL_DEL (r->mem, r->start, r->start_room);
  TL_DEL (r->mem, r->member, r->member_room);
  TL_DEL (r->mem, r->need, r->need_room);
  TL_DEL (r->mem, r->conflict_start, (size_t)transitions + 1);
  TL_DEL (r->mem, r->strict_start, (size_t)transitions + 1);
  TL_DEL (r->mem, r->conflict, r->conflict_room);
}
