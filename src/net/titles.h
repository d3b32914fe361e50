#ifndef TL_NET_TITLES_H
#define TL_NET_TITLES_H

#include "net/origin.h"

// Names for people.  A place or a transition has an id, and perhaps a name. The
// name stands for it where no other node of its kind has that for a name or an
// id; everywhere else it is called by its id.  A coloured net counts, not what
// it is unfolded into.

#define TL_SEVERAL_NAMED (TL_NO_NAME - 1)

// The node that this is the name of, by number; or TL_NO_NAME, or
// TL_SEVERAL_NAMED.
uint32_t tl_title_find (const tl_net *, bool place, const char *name);

// What to call nodes, for somebody who speaks of many.
typedef struct tl_titles {
  const tl_net *net;
  tl_names name[2]; // of transitions, of places: number, or TL_SEVERAL_NAMED
  char *text;       // the one made last
  size_t room;
} tl_titles;

// TL_E_NOMEM; to be closed either way.
tl_status tl_titles_open (tl_titles *, tl_mem *, const tl_net *);
void tl_titles_close (tl_titles *);

// The name of a node that people see (net/origin.h), or its id.
const char *tl_title (const tl_titles *, bool place, uint32_t node);
// The same for the first word of a text that begins with the id of the node: a
// place with a colour, a transition with a binding.  Good until the next call.
const char *tl_title_in (tl_titles *, bool place, uint32_t node,
                         const char *text);

#endif
