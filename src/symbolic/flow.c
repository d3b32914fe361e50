// In which order the places of a group come: along the way of their token.
//
// While a node is saturated its values are gone through from the least up, and
// what fires at one of them adds to others.  Where that mostly adds to values
// that are still to come, one round is nearly enough.

#include "symbolic/variables.h"

typedef struct flow {
  tl_variables *v;
  uint32_t *from;  // [variables] where a transition takes the token of a group
  uint32_t *start; // [places + 1] of the list of each place
  uint32_t *to;    // [moves] where its token may go
  uint32_t *at;    // [places] what is to be followed next
  uint32_t *stack, *left; // [places] on the way, and in the order of leaving
  uint32_t *stamp;        // [variables]
  uint32_t moves, count;
} flow;

// Counts the moves of a token within a group, or lists them.
static void find_moves (flow *f, bool list) {
  const tl_variables *v = f->v;
  const tl_net *net = v->net;
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_arcs pre = tl_net_pre (net, t), post = tl_net_post (net, t);
    for (uint32_t i = 0; i < pre.count; i++)
      if (v->value[pre.arc[i].place]) {
        const uint32_t variable = v->of[pre.arc[i].place];
        f->from[variable] = pre.arc[i].place;
        f->stamp[variable] = t + 1;
      }
    for (uint32_t i = 0; i < post.count; i++) {
      const uint32_t p = post.arc[i].place, variable = v->of[p];
      if (!v->value[p] || f->stamp[variable] != t + 1)
        continue;
      uint32_t *end = f->start + f->from[variable];
      if (list)
        f->to[--*end] = p;
      else
        ++*end;
      f->moves += !list;
    }
  }
}

// Depth-first; a place is left when all that follows it was left.
static void follow (flow *f, uint32_t first) {
  uint32_t depth = 0;
  if (f->at[first] != TL_NO_NAME)
    return;
  f->stack[depth++] = first;
  f->at[first] = f->start[first];
  while (depth) {
    const uint32_t p = f->stack[depth - 1];
    if (f->at[p] == f->start[p + 1]) {
      f->left[f->count++] = p;
      depth--;
      continue;
    }
    const uint32_t q = f->to[f->at[p]++];
    if (f->at[q] == TL_NO_NAME) {
      f->at[q] = f->start[q];
      f->stack[depth++] = q;
    }
  }
}

static void renumber (flow *f, uint32_t variable) {
  tl_variables *v = f->v;
  const uint32_t n = v->variable[variable].count;
  uint32_t *place = v->place + v->variable[variable].first;
  f->count = 0;
  if (v->initial[variable])
    follow (f, place[v->initial[variable] - 1]);
  for (uint32_t i = n; i-- > 0;)
    follow (f, place[i]);
  v->initial[variable] = 0;
  for (uint32_t i = 0; i < n; i++) {
    place[i] = f->left[n - 1 - i];
    v->value[place[i]] = i + 1;
    if (v->net->initial[place[i]])
      v->initial[variable] = i + 1;
  }
}

static void renumber_all (flow *f) {
  tl_variables *v = f->v;
  const uint32_t places = v->net->places;
  for (uint32_t p = 0; p < places; p++) {
    f->start[p + 1] += f->start[p];
    f->at[p] = TL_NO_NAME;
  }
  for (uint32_t i = 0; i < v->count; i++)
    f->stamp[i] = 0;
  find_moves (f, true);
  for (uint32_t i = 0; i < v->count; i++)
    if (tl_variable_is_group (v, i))
      renumber (f, i);
}

tl_status tl_variables_follow (tl_variables *v) {
  const uint32_t room = v->room;
  tl_mem *mem = v->mem;
  flow f = {.v = v};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, f.from, room) && TL_NEW (mem, f.start, room) &&
      TL_NEW (mem, f.at, room) && TL_NEW (mem, f.stack, room) &&
      TL_NEW (mem, f.left, room) && TL_NEW (mem, f.stamp, room)) {
    find_moves (&f, false);
    if (TL_NEW (mem, f.to, f.moves)) {
      renumber_all (&f);
      rc = TL_OK;
    }
  }
  TL_DEL (mem, f.from, room);
  TL_DEL (mem, f.start, room);
  TL_DEL (mem, f.at, room);
  TL_DEL (mem, f.stack, room);
  TL_DEL (mem, f.left, room);
  TL_DEL (mem, f.stamp, room);
  TL_DEL (mem, f.to, f.moves);
  return rc;
}
