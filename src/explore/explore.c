#include "explore/explore.h"

#include "base/sized.h"
#include "explore/search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Every laptop has so much to spare.  Breadth-first search keeps some hundred
// million states in it; the minutes that takes are lost where a sweep has to be
// made then.
#define BFS_MEMORY ((uint64_t)1 << 30)

tl_options tl_options_whole (void) {
  return (tl_options){.size = sizeof (tl_options),
                      .order = "bfs",
                      .store = "auto",
                      .delta_k = 20,
                      .progress = "auto",
                      .window = TL_WINDOW_AUTO,
                      .bfs_memory = BFS_MEMORY,
                      .stubborn = "none",
                      .seed = 1};
}

#define ROW(SYMBOL, NAME, BLURB) {NAME, BLURB},
static const tl_kind_row rows[] = {TL_ORDERS (ROW)};
#undef ROW

#define ORDER(SYMBOL, NAME, BLURB) &tl_order_##SYMBOL,
static const tl_order *const orders[] = {TL_ORDERS (ORDER)};
#undef ORDER

enum { ORDERS = sizeof rows / sizeof *rows };

const tl_kind_row *tl_orders (size_t *count) {
  if (count)
    *count = ORDERS;
  return rows;
}

const tl_order *tl_order_find (const char *name) {
  for (size_t i = 0; i < ORDERS; i++)
    if (!strcmp (rows[i].name, name))
      return orders[i];
  return 0;
}

const char *tl_stop_text (tl_stop stop) {
  switch (stop) {
  case TL_STOP_DONE: return "every reachable state was visited";
  case TL_STOP_DECIDED: return "every question was decided";
  case TL_STOP_MEMORY: return "the memory budget was reached";
  case TL_STOP_STATES: return "the limit on states was reached";
  case TL_STOP_TIME: return "the time limit was reached";
  case TL_STOP_CANCEL: return "it was interrupted";
  case TL_STOP_UNBOUNDED: return "the net is unbounded";
  case TL_STOP_TOKENS: return "a place outgrew what can be counted";
  case TL_STOP_REGRESS: return "progress was lost";
  case TL_STOP_FAULT: return "the model computes something undefined";
  }
  return "unknown";
}

void tl_exploration_add_row (tl_exploration *r, const char *name, size_t used,
                             size_t would_be) {
  assert (r->memory_rows < TL_MEMORY_ROWS);
  r->memory[r->memory_rows++] = (tl_memory_row){name, used, would_be};
}

void tl_exploration_close (tl_exploration *result) {
  tl_exploration whole;
  if (!TL_TAKE (&whole, result))
    return;
  tl_trace_close (&whole.deadlock);
  tl_trace_close (&whole.unbounded);
  tl_trace_close (&whole.regress);
  tl_trace_close (&whole.fault_trace);
  free (whole.sweep.weights);
  free (whole.sweep.point);
  free (whole.place_max);
  free (whole.fired);
  free (whole.states_text);
  free (whole.arcs_text);
  free (whole.deadlocks_text);
  free (whole.symmetry.classes);
  tl_sized_clear (result);
}
