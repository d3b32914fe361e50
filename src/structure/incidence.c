#include "structure/incidence.h"

// Which transitions may fire, as far as "a place that was once marked may be
// marked" can tell: a fixpoint that looks at every arc once.
typedef struct closure {
  uint32_t *missing; // [transitions] input places never seen marked
  uint64_t *start;   // [places + 1] where the readers of a place begin
  uint32_t *reader;  // transitions with an input arc from the place
  uint32_t *stack;   // places newly marked
  uint8_t *marked;   // [places]
  size_t depth;
} closure;

static bool closure_open (closure *w, tl_mem *mem, const tl_net *net) {
  return TL_NEW (mem, w->missing, net->transitions) &&
         TL_NEW (mem, w->start, (size_t)net->places + 1) &&
         TL_NEW (mem, w->reader, net->pre_start[net->transitions]) &&
         TL_NEW (mem, w->stack, net->places) &&
         TL_NEW (mem, w->marked, net->places);
}

static void closure_close (closure *w, tl_mem *mem, const tl_net *net) {
  TL_DEL (mem, w->missing, net->transitions);
  TL_DEL (mem, w->start, (size_t)net->places + 1);
  TL_DEL (mem, w->reader, net->pre_start[net->transitions]);
  TL_DEL (mem, w->stack, net->places);
  TL_DEL (mem, w->marked, net->places);
}

static void list_readers (closure *w, const tl_net *net) {
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_arcs pre = tl_net_pre (net, t);
    w->missing[t] = pre.count;
    for (uint32_t i = 0; i < pre.count; i++)
      w->start[pre.arc[i].place]++;
  }
  for (uint32_t p = 0; p < net->places; p++)
    w->start[p + 1] += w->start[p];
  // `start` holds the ends now; filling backwards turns them into beginnings.
  for (uint32_t t = net->transitions; t-- > 0;) {
    const tl_arcs pre = tl_net_pre (net, t);
    for (uint32_t i = 0; i < pre.count; i++)
      w->reader[--w->start[pre.arc[i].place]] = t;
  }
}

static void mark (closure *w, uint32_t place) {
  if (w->marked[place])
    return;
  w->marked[place] = 1;
  w->stack[w->depth++] = place;
}

static void mark_outputs (closure *w, const tl_net *net, uint32_t t) {
  const tl_arcs post = tl_net_post (net, t);
  for (uint32_t i = 0; i < post.count; i++)
    mark (w, post.arc[i].place);
}

// After this a transition may fire iff nothing is missing.
static void close_over (closure *w, const tl_net *net) {
  list_readers (w, net);
  for (uint32_t p = 0; p < net->places; p++)
    if (net->initial[p])
      mark (w, p);
  for (uint32_t t = 0; t < net->transitions; t++)
    if (!w->missing[t])
      mark_outputs (w, net, t);
  while (w->depth) {
    const uint32_t p = w->stack[--w->depth];
    for (uint64_t i = w->start[p]; i < w->start[p + 1]; i++)
      if (!--w->missing[w->reader[i]])
        mark_outputs (w, net, w->reader[i]);
  }
}

// Counts the entries of each row and column, so that `start` of each is the
// end of it.
static void count_entries (tl_incidence *c, const tl_net *net,
                           const closure *w) {
  for (uint32_t t = 0; t < net->transitions; t++) {
    if (!w->missing || !w->missing[t])
      for (tl_change ch = tl_net_change (net, t); tl_net_change_next (&ch);) {
        c->place_start[ch.place]++;
        c->entries++;
      }
    c->transition_start[t + 1] = c->entries;
  }
  for (uint32_t p = 0; p < net->places; p++)
    c->place_start[p + 1] += c->place_start[p];
}

static void fill_entries (tl_incidence *c, const tl_net *net) {
  for (uint32_t t = net->transitions; t-- > 0;) {
    uint64_t at = c->transition_start[t];
    if (at == c->transition_start[t + 1])
      continue;
    for (tl_change ch = tl_net_change (net, t); tl_net_change_next (&ch);) {
      c->transition_term[at++] = (tl_entry){ch.place, ch.amount};
      c->place_term[--c->place_start[ch.place]] = (tl_entry){t, ch.amount};
    }
  }
}

tl_status tl_incidence_open (tl_incidence **out, tl_mem *mem, const tl_net *net,
                             tl_columns columns) {
  *out = 0;
  tl_incidence *c;
  closure w = {0};
  if (!TL_NEW (mem, c, 1))
    return TL_E_NOMEM;
  *c = (tl_incidence){
      .mem = mem, .places = net->places, .transitions = net->transitions};
  bool ok = TL_NEW (mem, c->place_start, (size_t)net->places + 1) &&
            TL_NEW (mem, c->transition_start, (size_t)net->transitions + 1);
  if (ok && columns == TL_COLUMNS_FIREABLE &&
      (ok = closure_open (&w, mem, net)))
    close_over (&w, net);
  if (ok) {
    count_entries (c, net, &w);
    ok = TL_NEW (mem, c->place_term, c->entries) &&
         TL_NEW (mem, c->transition_term, c->entries);
  }
  closure_close (&w, mem, net);
  if (!ok) {
    tl_incidence_close (c);
    return TL_E_NOMEM;
  }
  fill_entries (c, net);
  *out = c;
  return TL_OK;
}

void tl_incidence_close (tl_incidence *c) {
  if (!c)
    return;
  tl_mem *mem = c->mem;
  TL_DEL (mem, c->place_term, c->entries);
  TL_DEL (mem, c->transition_term, c->entries);
  TL_DEL (mem, c->place_start, (size_t)c->places + 1);
  TL_DEL (mem, c->transition_start, (size_t)c->transitions + 1);
  TL_DEL (mem, c, 1);
}
