// What happens while a search goes on: the visitor is heeded, and budgets and
// clock are looked at.

#include "base/budget.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "explore/saving.h"
#include "explore/shorten.h"
#include "explore/together.h"
#include "explore/worker.h"

bool tl_search_is_late (tl_search *s) {
  const tl_status rc = tl_budget_look (s->root);
  if (rc)
    s->stop = rc == TL_E_CANCEL ? TL_STOP_CANCEL : TL_STOP_TIME;
  return rc;
}

tl_status tl_search_failed (tl_search *s) {
  const tl_fault *fault = &s->fault;
  if (fault->failed != TL_E_NOMEM && tl_search_is_late (s))
    return TL_E_LIMIT;
  if (fault->failed == TL_E_NOMEM ||
      tl_search_trace_by (s, fault->event, &s->result->fault_trace) ==
          TL_E_NOMEM)
    return TL_E_NOMEM;
  s->result->fault = fault->error;
  s->stop = TL_STOP_FAULT;
  return TL_E_LIMIT;
}

// The log has positions in lists of what is enabled.  Without memory to go that
// way again there is no trace.
static tl_status find_steps (const tl_search *s, tl_trace *trace) {
  tl_mem mem = TL_MEM (0, "path"); // it may take as much again
  mem.limit = s->root->limit;
  if (!trace->transition)
    return TL_OK;
  const tl_status rc = s->generator->kind->path (s->net, &mem, trace);
  if (rc)
    tl_trace_close (trace);
  return rc == TL_E_NOMEM ? TL_E_LIMIT : rc;
}

tl_status tl_search_trace_by (tl_search *s, uint32_t event, tl_trace *trace) {
  *trace = (tl_trace){0};
  tl_status rc = s->trace_here ? s->trace_here (s, trace) : TL_OK;
  if (!rc)
    rc = s->logs_positions ? find_steps (s, trace)
                           : tl_generator_release (s->generator, trace);
  return rc || event == TL_NO_EVENT
             ? rc
             : tl_generator_append (s->generator, trace, event);
}

tl_status tl_search_trace (tl_search *s, tl_trace *trace) {
  return tl_search_trace_by (s, TL_NO_EVENT, trace);
}

tl_status tl_search_heed (tl_search *s, tl_visit_verdict verdict) {
  if (verdict == TL_VISIT_STOP)
    s->stop = TL_STOP_DECIDED;
  else if (verdict == TL_VISIT_GIVE_UP)
    s->stop = TL_STOP_UNBOUNDED;
  return verdict == TL_VISIT_CONTINUE ? TL_OK
         : verdict == TL_VISIT_FAILED ? TL_E_NOMEM
                                      : TL_E_LIMIT;
}

tl_status tl_search_unbounded (tl_search *s) {
  tl_exploration *r = s->result;
  tl_shorten_unbounded (&s->engine, s->net, &r->unbounded, &r->unbounded_place);
  tl_visit_verdict verdict =
      s->visitor && s->visitor->unbounded
          ? s->visitor->unbounded (s->visitor->context, &r->unbounded)
          : TL_VISIT_GIVE_UP;
  if (s->cluster)
    verdict = tl_together_verdict (s, verdict);
  // What the report says of the run is to agree with what it says of states.
  if (verdict == TL_VISIT_GIVE_UP && !tl_search_expanded (s))
    s->found = tl_census_run (&s->census, &r->unbounded);
  return tl_search_heed (s, verdict);
}

bool tl_search_finalises (const tl_search *s) {
  // Stubborn sets leave arcs out: components would not be what they are.
  return s->visitor && s->visitor->finalised && !s->reduces;
}

tl_status tl_search_finalise (tl_search *s, const tl_finalised *states) {
  const tl_visitor *v = s->visitor;
  const tl_status rc = tl_search_heed (s, v->finalised (v->context, s, states));
  return !rc && s->stop != TL_STOP_DONE ? TL_E_LIMIT : rc;
}

tl_status tl_search_finalise_all (tl_search *s, const tl_finalised *states) {
  const tl_status rc = tl_search_finalise (s, states);
  if (s->stop != TL_STOP_DECIDED)
    return rc;
  s->stop = TL_STOP_DONE; // every state was visited, whatever the verdict
  return TL_OK;
}

void tl_search_open_sleep (tl_search *s, const uint32_t *order) {
  tl_sleep_close (&s->sleep);
  s->prunes_events = false;
  if (s->spec.numbered || s->reduces)
    return;
  if (!tl_net_has_arcs (s->net))
    s->prunes_events = !order && s->generator->kind->prune;
  else if (!tl_sleep_open (&s->sleep, &s->engine, s->net))
    tl_sleep_order (&s->sleep, order);
}

uint64_t tl_search_expanded (const tl_search *s) {
  uint64_t states = s->census.states;
  for (const tl_worker *w = s->workers; w; w = w->next)
    states += w->census.states;
  return states;
}

uint64_t tl_search_seen (const tl_search *s) {
  return s->sweeping    ? s->elsewhere + tl_search_expanded (s)
         : s->on_device ? s->found
         : s->store     ? s->elsewhere +
                          __atomic_load_n (&s->store->count, __ATOMIC_RELAXED)
                    : __atomic_load_n (&s->found, __ATOMIC_RELAXED);
}

tl_status tl_search_arcs (tl_search *s, uint64_t state, const uint64_t *numbers,
                          size_t count, bool last) {
  const tl_visitor *v = s->visitor;
  return tl_search_heed (s, v->arcs (v->context, state, numbers, count, last));
}

// There was no memory for a wider shape; now there may be.
static tl_status shape_again (tl_search *s) {
  tl_code_close (&s->code);
  tl_layout_close (&s->layout);
  s->code = (tl_code){0};
  s->layout = (tl_layout){0};
  return tl_search_shape (s);
}

tl_status tl_search_again (tl_search *s) {
  const tl_visitor *v = s->visitor;
  const tl_status rc = s->fire ? TL_OK : shape_again (s);
  if (rc)
    return rc;
  if (s->saving)
    tl_saving_again (s->saving);
  return v && v->again ? tl_search_heed (s, v->again (v->context)) : TL_OK;
}

static uint64_t arcs_seen (const tl_search *s) {
  uint64_t arcs = s->census.arcs;
  for (const tl_worker *w = s->workers; w; w = w->next)
    arcs += w->census.arcs;
  return arcs;
}

static void report_progress (tl_search *s, double now) {
  tl_progress progress = {
      .size = sizeof progress,
      .states = tl_search_seen (s),
      .arcs = arcs_seen (s),
      .queued = s->queued,
      .depth = s->depth,
      .bytes = tl_mem_used (s->root),
      .budget = s->root->limit,
      .seconds = now - s->start,
      .most_states = s->options->max_states,
      .most_seconds = s->options->timeout,
      .expected = tl_levels_steady (&s->levels, tl_search_seen (s)),
      .checkpoint_problem = s->saving ? tl_saving_problem (s->saving) : 0};
  s->next_report = now + 0.1;
  if (s->tell_progress)
    s->tell_progress (s, &progress);
  if (s->options->on_progress (s->options->context, &progress)) {
    s->stop = TL_STOP_CANCEL;
    tl_cancel (s->options->cancel);
  }
}

// Nobody looks at the clock while a table grows: seconds that it would take to,
// if it is about to.
static double growing (const tl_search *s) {
  const double each = 16e-9;
  const tl_store *t = s->store;
  return t && t->kind->fill && t->kind->fill (t, t->count / 64) >= 1
             ? each * (double)t->count
             : 0;
}

// States of so many bytes are more than what the pages have that are given back
// (base/trim.c); a small search ends sooner without.
#define TRIM_FROM ((size_t)1 << 20)

void tl_search_trim (tl_search *s) {
  if (__atomic_exchange_n (&s->trims, false, __ATOMIC_RELAXED))
    tl_mem_trim ();
}

tl_status tl_search_poll (tl_search *s) {
  const tl_options *o = s->options;
  if (__atomic_load_n (&s->states.used, __ATOMIC_RELAXED) > TRIM_FROM &&
      __atomic_load_n (&s->trims, __ATOMIC_RELAXED))
    tl_search_trim (s);
  if (tl_cancelled (o->cancel))
    s->stop = TL_STOP_CANCEL;
  else if (o->max_states && tl_search_seen (s) > o->max_states)
    s->stop = TL_STOP_STATES;
  else if (s->deadline > 0 || o->on_progress) {
    const double now = tl_clock ();
    if (s->deadline > 0 && now + growing (s) > s->deadline)
      s->stop = TL_STOP_TIME;
    else if (o->on_progress && now > s->next_report)
      report_progress (s, now);
  }
  const bool enough = s->enough && tl_mem_used (s->root) > s->enough;
  return (s->stop == TL_STOP_DONE || s->defers) && !enough ? TL_OK : TL_E_LIMIT;
}
