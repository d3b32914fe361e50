#include "net/titles.h"

#include <string.h>

static uint32_t count_nodes (const tl_net *net, bool place) {
  return place ? tl_shown_places (net) : tl_shown_transitions (net);
}

static const char *id_of (const tl_net *net, bool place, uint32_t node) {
  return place ? tl_shown_place_id (net, node)
               : tl_shown_transition_id (net, node);
}

static const char *name_of (const tl_net *net, bool place, uint32_t node) {
  const tl_origin *o = net->origin;
  return o ? (place ? o->place_name : o->transition_name)[node]
           : (place ? net->place_name : net->transition_name)[node];
}

static bool is_id (const tl_net *net, bool place, const char *text) {
  const tl_origin *o = net->origin;
  return tl_names_find (place ? &net->place_ids : &net->transition_ids, text) !=
             TL_NO_NAME ||
         (o && tl_names_find (place ? &o->place_ids : &o->transition_ids,
                              text) != TL_NO_NAME);
}

uint32_t tl_title_find (const tl_net *net, bool place, const char *name) {
  uint32_t found = TL_NO_NAME;
  if (is_id (net, place, name))
    return found;
  for (uint32_t i = 0; i < count_nodes (net, place); i++) {
    if (strcmp (name_of (net, place, i), name))
      continue;
    if (found != TL_NO_NAME)
      return TL_SEVERAL_NAMED;
    found = i;
  }
  return found;
}

// A name that is there twice stands for nothing.
static tl_status collect (tl_titles *t, bool place) {
  for (uint32_t i = 0; i < count_nodes (t->net, place); i++) {
    const char *name = name_of (t->net, place, i);
    uint32_t number = i;
    bool added;
    if (is_id (t->net, place, name))
      continue;
    if (tl_names_add (&t->name[place], name, &number, &added))
      return TL_E_NOMEM;
    if (!added)
      tl_names_set (&t->name[place], name, TL_SEVERAL_NAMED);
  }
  return TL_OK;
}

tl_status tl_titles_open (tl_titles *t, tl_mem *mem, const tl_net *net) {
  *t = (tl_titles){.net = net, .name = {TL_NAMES (mem), TL_NAMES (mem)}};
  const tl_status rc = collect (t, true);
  return rc ? rc : collect (t, false);
}

void tl_titles_close (tl_titles *t) {
  if (!t->net)
    return;
  TL_DEL (t->name[0].mem, t->text, t->room);
  tl_names_close (&t->name[0]);
  tl_names_close (&t->name[1]);
}

const char *tl_title (const tl_titles *t, bool place, uint32_t node) {
  const char *name = name_of (t->net, place, node);
  return tl_names_find (&t->name[place], name) == node
             ? name
             : id_of (t->net, place, node);
}

const char *tl_title_in (tl_titles *t, bool place, uint32_t node,
                         const char *text) {
  const char *id = id_of (t->net, place, node),
             *title = tl_title (t, place, node);
  const size_t known = strlen (id), length = strlen (title);
  if (title == id || strncmp (text, id, known))
    return text;
  const size_t rest = strlen (text + known) + 1;
  if (!TL_ROOM (t->name[0].mem, t->text, &t->room, length + rest))
    return text;
  memcpy (t->text, title, length);
  memcpy (t->text + length, text + known, rest);
  return t->text;
}
