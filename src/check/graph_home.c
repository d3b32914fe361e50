#include "check/graph_home.h"

#include "base/bits.h"
#include "check/culprits.h"
#include "check/home.h"
#include "explore/worker.h"
#include "graph/way.h"
#include "net/marking.h"
#include "net/origin.h"

#include <string.h>

static void set_bit (uint64_t *row, size_t i) {
  row[i / 64] |= (uint64_t)1 << i % 64;
}

static bool has_bit (const uint64_t *row, size_t i) {
  return row[i / 64] >> i % 64 & 1;
}

// Is no marking in the graph more than once?  Then numbers tell them apart.
static bool is_folded (const tl_graph *graph) {
  return graph->markings == graph->states;
}

// If there are home states, every marking of any component is one.
static tl_status choose_target (tl_graph_home *h) {
  tl_goals *g = h->goals;
  tl_trace way;
  g->home_number = h->terminals.first[0];
  h->has_target = true;
  if (is_folded (h->graph) || !tl_net_has_arcs (g->net))
    return TL_OK;
  uint64_t *marking;
  if (!TL_NEW (g->mem, marking, g->net->places))
    return TL_E_NOMEM;
  g->home_target.seen = marking;
  const tl_status rc = tl_graph_way (h->graph, g->net, g->home_number, &way);
  if (rc)
    return rc;
  tl_marking_initial (g->net, marking);
  for (uint64_t i = 0; i < way.length; i++)
    tl_marking_fire (g->net, marking, way.transition[i]);
  tl_trace_close (&way);
  return TL_OK;
}

static bool is_target (const tl_graph_home *h, uint64_t number,
                       const tl_visit *v) {
  const tl_goals *g = h->goals;
  return g->home_target.seen ? tl_noted_is_at (&g->home_target, g->net, v)
                             : number == g->home_number;
}

// Of several components each may have the same markings as the others; without
// arcs that is not seen where a marking is there more than once.
static tl_status prepare_home_state (tl_graph_home *h) {
  tl_goals *g = h->goals;
  if (h->terminals.count > 1 && !tl_net_has_arcs (g->net) &&
      !is_folded (h->graph)) {
    g->home_state_why = "the graph has some markings more than once";
    return TL_OK;
  }
  return choose_target (h);
}

static tl_status find_components (tl_graph_home *h) {
  tl_arc_list arcs;
  tl_status rc = tl_arc_list_open (&arcs, h->mem, h->graph, 0);
  if (!rc)
    rc = tl_terminals_open (&h->terminals, h->mem, &arcs);
  tl_arc_list_close (&arcs);
  return !rc && (!TL_NEW (h->mem, h->met, h->terminals.count * h->row) ||
                 !TL_NEW (h->mem, h->all, h->row))
             ? TL_E_NOMEM
             : rc;
}

// What a component may have.
static void fill_all (tl_graph_home *h) {
  const tl_goals *g = h->goals;
  const uint32_t transitions = h->fired ? tl_shown_transitions (g->net) : 0;
  for (uint32_t t = 0; t < transitions; t++)
    set_bit (h->all, t);
  for (size_t i = 0; i < g->goals; i++)
    if (g->goal[i].home && !g->goal[i].moot)
      set_bit (h->all + h->fired, i);
  if (h->has_target)
    set_bit (h->all + h->fired, g->goals);
}

tl_status tl_graph_home_open (tl_graph_home *h, tl_mem *mem, tl_goals *g,
                              const tl_graph *graph) {
  *h = (tl_graph_home){.goals = g, .mem = mem, .graph = graph};
  if (!tl_home_is_asked (g) || tl_home_leave (g))
    return TL_OK;
  h->fired = g->asks_live ? tl_shown_transitions (g->net) / 64 + 1 : 0;
  h->row = h->fired + g->goals / 64 + 1;
  tl_status rc = find_components (h);
  if (!rc && g->asks_home_state)
    rc = prepare_home_state (h);
  if (!rc)
    fill_all (h);
  else
    tl_graph_home_close (h);
  if (rc == TL_E_NOMEM)
    g->home_why = "there was no memory for the terminal components";
  return rc == TL_E_NOMEM ? TL_OK : rc;
}

void tl_graph_home_close (tl_graph_home *h) {
  TL_DEL (h->mem, h->met, h->terminals.count * h->row);
  TL_DEL (h->mem, h->all, h->row);
  tl_terminals_close (&h->terminals);
}

void tl_graph_home_visit (tl_graph_home *h, uint64_t number,
                          const tl_visit *v) {
  tl_goals *g = h->goals;
  const uint64_t component =
      h->met ? tl_numbers_get (&h->terminals.of, number) : 0;
  if (!component)
    return;
  uint64_t *row = h->met + (component - 1) * h->row, *met = row + h->fired;
  for (uint32_t i = 0; h->fired && i < v->enabled_count; i++)
    set_bit (row, tl_shown_number (g->net, v->enabled[i]));
  if (h->has_target && is_target (h, number, v))
    set_bit (met, g->goals);
  if (!g->homes)
    return;
  tl_goals_set_enabled (g, v, true);
  for (size_t i = 0; i < g->goals; i++)
    if (g->goal[i].home && !g->goal[i].moot && !has_bit (met, i) &&
        tl_home_holds (g, g->goal + i, v))
      set_bit (met, i);
  tl_goals_set_enabled (g, v, false);
}

// Do the markings of the component enable all transitions?
static bool all_fired (const tl_graph_home *h, const uint64_t *row) {
  uint64_t fired = 0;
  for (size_t i = 0; i < h->fired; i++)
    fired += (uint64_t)__builtin_popcountll (row[i]);
  return fired == tl_shown_transitions (h->goals->net);
}

static void look_at_component (tl_graph_home *h, size_t component) {
  tl_goals *g = h->goals;
  const uint64_t *row = h->met + component * h->row,
                 first = h->terminals.first[component];
  for (size_t i = 0; i < g->goals; i++) {
    tl_goal *goal = g->goal + i;
    if (!goal->home || goal->moot || has_bit (row + h->fired, i) ||
        (goal->verdict == TL_VERDICT_FALSE && goal->number < first))
      continue;
    goal->verdict = TL_VERDICT_FALSE;
    goal->number = first;
  }
  if (h->fired && first < g->live_number && !all_fired (h, row))
    g->live_number = first;
  if (h->has_target && !has_bit (row + h->fired, g->goals))
    tl_goals_decide (g, TL_ASK_HOME_STATE, TL_VERDICT_FALSE, 0);
}

// Liveness: names what the component where the trace leads does not fire.
static void name_dead (tl_graph_home *h) {
  tl_goals *g = h->goals;
  uint8_t *mark = tl_culprits_begin (g);
  const uint64_t *row =
      h->met + (tl_numbers_get (&h->terminals.of, g->live_number) - 1) * h->row;
  for (uint32_t t = 0; t < tl_shown_transitions (g->net); t++)
    mark[t] = !has_bit (row, t);
  tl_culprits_name (g, TL_ASK_LIVE);
}

void tl_graph_home_decide (tl_graph_home *h) {
  tl_goals *g = h->goals;
  for (size_t i = 0; h->met && i < h->terminals.count; i++)
    look_at_component (h, i);
  if (g->live_number != UINT64_MAX) {
    tl_goals_decide (g, TL_ASK_LIVE, TL_VERDICT_FALSE, 0);
    name_dead (h);
  }
  tl_goals_look (g);
}

// ---- At the end of a search ------------------------------------------------

static void show (tl_graph_home *h, tl_worker *w, tl_store *store,
                  uint64_t number) {
  store->get (store, number, w->key);
  tl_worker_load (w);
  const tl_visit visit = tl_worker_shown (w);
  tl_graph_home_visit (h, number, &visit);
}

// Is it in a terminal component that something has not been seen of?
static bool is_wanted (const tl_graph_home *h, uint64_t number) {
  const uint64_t component = tl_numbers_get (&h->terminals.of, number);
  return component && memcmp (h->met + (component - 1) * h->row, h->all,
                              h->row * sizeof *h->all);
}

static tl_status show_all (tl_graph_home *h, tl_search *s, tl_store *store) {
  enum { POLL = 256 };
  tl_worker w;
  tl_status rc =
      tl_worker_open (&w, s, &(tl_worker_plan){.mem = h->mem, .lists = true});
  for (uint64_t i = 0; !rc && i < h->graph->states; i++) {
    if (is_wanted (h, i))
      show (h, &w, store, i);
    if (i % POLL == 0)
      rc = tl_search_poll (s);
  }
  tl_worker_close (&w);
  return rc;
}

tl_status tl_graph_home_settle (tl_mem *mem, tl_goals *g, tl_search *s,
                                tl_store *store, const tl_graph *graph) {
  tl_graph_home h;
  if (tl_home_leave (g))
    return TL_OK;
  tl_status rc = tl_graph_home_open (&h, mem, g, graph);
  if (!rc && g->home_why) {
    g->home_why = 0;
    rc = TL_E_NOMEM;
  }
  if (!rc)
    rc = show_all (&h, s, store);
  if (!rc)
    tl_graph_home_decide (&h);
  tl_graph_home_close (&h);
  return rc;
}

uint64_t tl_graph_home_shown_at (const tl_goals *g, const tl_asked *a) {
  const tl_verdict verdict = a->answer->verdict;
  const bool holds = verdict == TL_VERDICT_TRUE;
  if (verdict == TL_VERDICT_UNKNOWN || a->answer->trace.transition)
    return TL_SHOWN_NOWHERE;
  if (a->question->kind == TL_ASK_LIVE)
    return holds ? TL_SHOWN_NOWHERE : g->live_number;
  if (a->question->kind == TL_ASK_HOME_STATE)
    return holds ? g->home_number : TL_SHOWN_NOWHERE;
  if (!tl_goals_hinges (a))
    return TL_SHOWN_NOWHERE;
  const tl_goal *goal = g->goal + a->first_goal;
  return goal->home && goal->verdict == TL_VERDICT_FALSE ? goal->number
                                                         : TL_SHOWN_NOWHERE;
}

void tl_graph_home_show (const tl_graph *graph, tl_goals *g) {
  for (size_t i = 0; i < g->count; i++) {
    const tl_asked *a = g->asked + i;
    const uint64_t state = tl_graph_home_shown_at (g, a);
    if (state != TL_SHOWN_NOWHERE)
      (void)tl_graph_way (graph, g->net, state, &a->answer->trace);
  }
}
