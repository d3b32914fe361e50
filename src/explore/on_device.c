#include "explore/on_device.h"

#include "base/clock.h"
#include "base/error.h"
#include "explore/how.h"
#include "explore/worker.h"
#include "gpu/levels.h"

#include <stdlib.h>

// States that a device expands between two looks at the clock.
#define SLICE ((uint64_t)1 << 26)

// From so many states on a search is long.
#define LONG ((uint64_t)1 << 21)

// How often fields are widened before the processor takes over.
enum { MOST_WIDENED = 6 };

typedef struct run {
  tl_search *search;
  tl_device *device;
  tl_gpu *gpu;
  tl_firing firing;
  uint8_t *bounded; // [places]
  uint64_t *wanted; // [limits of the visitor]
  tl_worker worker;
  double begin, ready;      // the clock
  bool broken;              // there was no memory for wider fields
  const tl_gpu_shown *here; // the state being visited
} run;

// ---- Who may ---------------------------------------------------------------

#define ROW(NAME, BLURB) {NAME, BLURB},
static const tl_kind_row rows[] = {
    ROW ("cpu", "the processor") ROW (
        "gpu", "a card of NVIDIA: breadth-first search, keys up to 126 bits")
        ROW ("auto", "a card where there is one and the search is long")
            ROW ("emulated", "the programs for a card, run by the processor")};
#undef ROW

const tl_kind_row *tl_devices (size_t *count) {
  if (count)
    *count = sizeof rows / sizeof *rows;
  return rows;
}

static bool is_asked (const tl_search *s, const char *name) {
  return s->options->device && !strcmp (s->options->device, name);
}

static bool is_named (const tl_search *s) {
  return is_asked (s, "gpu") || is_asked (s, "emulated");
}

bool tl_on_device_wanted (const tl_search *s) {
  return is_named (s) && !s->options->device_from;
}

bool tl_on_device_pays (const tl_search *s) {
  const uint64_t from = s->options->device_from;
  return (is_asked (s, "auto") || (from && is_named (s))) &&
         !*s->result->device.why && tl_search_seen (s) >= (from ? from : LONG);
}

// Why the processor makes this search; null: a device may.
static const char *refusal (const tl_search *s) {
  const tl_visitor *v = s->visitor;
  return !tl_net_has_arcs (s->net) ? "the net is not unfolded"
         : s->capacities.count     ? "places have capacities"
         : s->options->checkpoint  ? "checkpoints are written by the processor"
         : s->options->certificate ? "certificates are written by the processor"
         : s->reduces              ? "stubborn sets are made by the processor"
         : s->spec.numbered        ? "a graph is built by the processor"
         : v && v->finalised       ? "components are found by the processor"
         : v && v->visit && !v->write_test ? "what is asked needs every state"
                                           : 0;
}

// The processor goes on.
static tl_status leave (tl_search *s, const char *why) {
  tl_on_device *d = &s->result->device;
  d->kind = "cpu";
  snprintf (d->why, sizeof d->why, "%s", why);
  return TL_E_ARG;
}

void tl_on_device_tell (tl_search *s) {
  if (is_named (s) && !s->result->device.kind)
    leave (s, "the order is not breadth-first");
}

// ---- Opening ---------------------------------------------------------------

static void mark_bounded (const run *r) {
  const tl_search *s = r->search;
  for (uint32_t p = 0; p < s->net->places; p++)
    r->bounded[p] = s->structure->bound[p] <= tl_low_bits (s->width[p]) &&
                    s->structure->source[p] != TL_BOUND_CLAIM;
}

static void write_test (void *context, FILE *f) {
  const tl_visitor *v = ((const run *)context)->search->visitor;
  v->write_test (v->context, f);
}

static tl_gpu_plan plan_of (run *r) {
  tl_search *s = r->search;
  const tl_visitor *v = s->visitor;
  const bool asks = v && v->visit;
  tl_gpu_plan plan = {.mem = &s->engine,
                      .device = r->device,
                      .net = {.layout = &s->layout,
                              .code = &s->code,
                              .firing = &r->firing,
                              .bounded = r->bounded,
                              .test = asks ? write_test : 0,
                              .test_context = r},
                      .sleep = &s->sleep,
                      .memory = r->device->memory / 100 * 95,
                      .limits = asks ? v->test_limits : 0};
  if (s->options->memory && s->options->memory < plan.memory)
    plan.memory = s->options->memory;
  return plan;
}

static void close_parts (run *r) {
  tl_worker_close (&r->worker);
  tl_gpu_close (r->gpu);
  r->gpu = 0;
  if (r->firing.mem)
    tl_firing_close (&r->firing);
  r->firing = (tl_firing){0};
}

// Sets what the device looks for; false: that is what it looked for before.
static bool look_for (run *r) {
  const tl_visitor *v = r->search->visitor;
  const size_t limits = r->gpu->plan.limits;
  uint64_t changed = 0;
  if (!limits)
    return false;
  v->set_limits (v->context, r->wanted);
  for (size_t i = 0; i < limits; i++) {
    changed |= r->gpu->limit[i] ^ r->wanted[i];
    r->gpu->limit[i] = r->wanted[i];
  }
  return changed;
}

// What depends on the layout; and the first state.
static tl_status open_parts (run *r) {
  tl_search *s = r->search;
  tl_status rc = tl_firing_open (&r->firing, &s->engine, &s->layout);
  if (rc) {
    r->firing = (tl_firing){0};
    return rc;
  }
  mark_bounded (r);
  rc = tl_worker_open (
      &r->worker, s,
      &(tl_worker_plan){.mem = &s->engine, .room = 1, .lists = true});
  const tl_gpu_plan plan = plan_of (r);
  const char *why = tl_gpu_refusal (&plan.net);
  if (!rc && why)
    return leave (s, why);
  if (!rc)
    rc = tl_worker_begin (&r->worker);
  if (!rc)
    rc = tl_gpu_open (&r->gpu, &plan);
  if (!rc)
    look_for (r);
  r->ready = tl_clock ();
  if (!rc)
    rc = tl_gpu_start (r->gpu, r->worker.key);
  if (!rc)
    r->gpu->wants_dead = !s->result->deadlock.transition;
  return rc;
}

// ---- The states that are shown ---------------------------------------------

static bool add_step (tl_trace *trace, uint32_t event) {
  return tl_trace_extend (trace, event);
}

static void turn_round (tl_trace *trace) {
  for (uint64_t i = 0, k = trace->length; i + 1 < k--; i++) {
    const uint32_t event = trace->transition[i];
    trace->transition[i] = trace->transition[k];
    trace->transition[k] = event;
  }
}

// A state knows by what it was found, and so its parent is known.
static tl_status trace_here (tl_search *s, tl_trace *trace) {
  run *r = s->order_context;
  uint64_t key[2] = {r->here->key[0], r->here->key[1]};
  uint32_t event = (uint32_t)r->here->by;
  *trace = (tl_trace){0};
  trace->transition = calloc (1, sizeof *trace->transition);
  tl_status rc = trace->transition ? TL_OK : TL_E_NOMEM;
  while (!rc && event < s->net->transitions) {
    rc = add_step (trace, event) ? TL_OK : TL_E_NOMEM;
    tl_code_undo (&s->code, event, key);
    if (!rc)
      rc = tl_gpu_event (r->gpu, key, &event);
  }
  if (rc)
    tl_trace_close (trace);
  else
    turn_round (trace);
  return rc == TL_E_IO ? TL_E_LIMIT : rc;
}

static void enter (run *r, const tl_gpu_shown *shown) {
  r->here = shown;
  for (uint32_t w = 0; w < r->worker.key_words; w++)
    r->worker.key[w] = shown->key[w];
  tl_worker_load (&r->worker);
}

static tl_status note_dead (run *r) {
  tl_search *s = r->search;
  if (s->result->deadlock.transition || !r->gpu->wants_dead)
    return TL_OK;
  r->gpu->wants_dead = false;
  return tl_search_trace (s, &s->result->deadlock) == TL_E_NOMEM ? TL_E_NOMEM
                                                                 : TL_OK;
}

static tl_status visit (run *r) {
  tl_search *s = r->search;
  const tl_visit here = tl_worker_shown (&r->worker);
  return tl_search_heed (s, s->visitor->visit (s->visitor->context, &here));
}

// Looks at what the device has shown, and as long as that changes what is
// looked for, at the level once more.
static tl_status heed_shown (run *r) {
  tl_gpu *g = r->gpu;
  tl_status rc = TL_OK;
  for (bool first = true; !rc && g->tally->showing; first = false) {
    const uint64_t showing = g->tally->showing;
    for (uint64_t i = 0; !rc && i < showing && i < TL_GPU_SHOWN; i++) {
      const tl_gpu_shown shown = g->tally->shown[i];
      enter (r, &shown);
      rc = shown.why == TL_GPU_DEAD ? note_dead (r) : visit (r);
    }
    g->tally->showing = 0;
    if (!rc && (look_for (r) || (first && showing > TL_GPU_SHOWN)))
      rc = tl_gpu_look (g);
  }
  return rc;
}

// A successor does not fit its fields: these get wider, and the search begins
// anew.  If the processor has states already, it goes on with them as they are,
// and has its own way to make fields wider.
static tl_status widen (run *r) {
  tl_search *s = r->search;
  const tl_gpu_shown misfit = r->gpu->tally->misfit;
  tl_widening widening;
  if (s->store && s->store->count)
    return leave (s, "places outgrow their fields");
  enter (r, &misfit);
  tl_status rc = tl_search_widen (s, 0, r->worker.state, (uint32_t)misfit.event,
                                  &widening);
  if (rc) {
    r->broken = rc == TL_E_NOMEM;
    return rc;
  }
  tl_widening_close (&widening);
  close_parts (r);
  if (s->result->unbounded.transition)
    return leave (s, "the net is unbounded");
  if (s->result->widened > MOST_WIDENED)
    return leave (s, "places outgrow their fields");
  rc = tl_search_again (s);
  return rc ? rc : open_parts (r);
}

// ---- The search ------------------------------------------------------------

static void tell_progress (const tl_search *s, tl_progress *p) {
  const run *r = s->order_context;
  p->arcs = r->gpu->tally->arcs;
  p->bytes = r->gpu->used;
}

static void note_level (run *r) {
  tl_search *s = r->search;
  const tl_gpu *g = r->gpu;
  s->found = g->states;
  s->depth = g->depth;
  s->queued = g->tally->found + g->width - g->done;
}

static tl_status expand_level (run *r) {
  tl_search *s = r->search;
  tl_gpu *g = r->gpu;
  tl_status rc = TL_OK;
  while (!rc && g->done < g->width && !g->tally->misfits) {
    rc = tl_gpu_expand (g, SLICE);
    if (!rc && g->lost)
      rc = TL_E_NOMEM;
    note_level (r);
    if (!rc)
      rc = heed_shown (r);
    if (!rc)
      rc = tl_search_poll (s);
  }
  return rc;
}

static tl_status expand_all (run *r) {
  tl_search *s = r->search;
  tl_status rc = TL_OK;
  while (!rc && r->gpu->width) {
    rc = expand_level (r);
    if (rc)
      return rc;
    if (r->gpu->tally->misfits) {
      rc = widen (r);
      continue;
    }
    if (!r->gpu->tally->found)
      break;
    tl_gpu_descend (r->gpu);
    tl_levels_add (&s->levels, r->gpu->width, r->gpu->states);
  }
  return rc;
}

// ---- What it tells ---------------------------------------------------------

static void count_all (const run *r) {
  tl_census *c = &r->search->census;
  const tl_gpu *g = r->gpu;
  const tl_gpu_tally *t = g->tally;
  tl_census_forget (c);
  c->states = g->states - t->found - (g->width - g->done);
  c->arcs = t->arcs;
  c->followed = t->followed;
  c->deadlocks = t->dead;
  if (t->most > c->max_tokens)
    c->max_tokens = t->most;
  for (uint32_t p = 0; p < c->net->places; p++) {
    const uint64_t most = r->search->layout.field[p].width ? g->place_most[p]
                                                           : c->net->initial[p];
    if (most > c->place_max[p])
      c->place_max[p] = most;
  }
  for (uint32_t i = 0; i < c->net->transitions; i++)
    c->fired[i] |= (uint8_t)(t->fired[i / 64] >> i % 64 & 1);
}

static void tell (const run *r) {
  tl_on_device *d = &r->search->result->device;
  d->kind = r->device->kind->name;
  d->table = tl_gpu_table_name (r->gpu);
  d->used = r->gpu->peak;
  d->start = r->ready - r->begin;
  d->moving = r->gpu->moving;
  note_level ((run *)(uintptr_t)r);
  count_all (r);
}

// Is what went wrong to be told as a result of the device, or does the
// processor begin anew?
static tl_status settle (run *r, tl_status rc) {
  tl_search *s = r->search;
  if (rc == TL_E_ARG || r->broken)
    return rc;
  if (rc == TL_E_IO)
    return leave (s, r->device->why);
  if (!r->gpu)
    return rc == TL_E_NOMEM ? leave (s, "its memory is too small") : rc;
  if (rc == TL_E_NOMEM && is_asked (s, "auto"))
    return leave (s, "its memory was used up");
  tell (r);
  return rc;
}

static tl_status search (run *r) {
  tl_search *s = r->search;
  void *order = s->order_context;
  tl_status (*trace) (tl_search *, tl_trace *) = s->trace_here;
  void (*progress) (const tl_search *, tl_progress *) = s->tell_progress;
  const uint64_t found = s->found, depth = s->depth;
  s->on_device = true;
  s->order_context = r;
  s->trace_here = trace_here;
  s->tell_progress = tell_progress;
  tl_status rc = open_parts (r);
  if (!rc)
    rc = expand_all (r);
  rc = settle (r, rc);
  s->tell_progress = progress;
  s->trace_here = trace;
  s->order_context = order;
  s->on_device = rc != TL_E_ARG;
  if (rc == TL_E_ARG) {
    s->found = found;
    s->depth = depth;
  }
  return rc;
}

static tl_status no_device (tl_search *s, tl_status rc, const char *why) {
  if (rc == TL_E_NOMEM)
    return rc;
  return is_asked (s, "auto")
             ? leave (s, why)
             : tl_fail (s->error, TL_E_MODEL, "no GPU can be used: %s", why);
}

tl_status tl_on_device_run (tl_search *s) {
  const char *why = refusal (s);
  if (why)
    return leave (s, why);
  tl_on_device *d = &s->result->device;
  run r = {.search = s, .begin = tl_clock ()};
  const size_t limits = s->visitor ? s->visitor->test_limits : 0;
  if (!TL_NEW (&s->engine, r.bounded, s->net->places))
    return TL_E_NOMEM;
  if (!TL_NEW (&s->engine, r.wanted, limits)) {
    TL_DEL (&s->engine, r.bounded, s->net->places);
    return TL_E_NOMEM;
  }
  char text[192];
  tl_status rc = tl_device_open (&r.device, &s->states,
                                 is_asked (s, "emulated") ? "emulated" : "gpu",
                                 s->how->threads, text, sizeof text);
  if (rc)
    rc = no_device (s, rc, text);
  else {
    memcpy (d->name, r.device->label, sizeof d->name);
    d->memory = r.device->memory;
    rc = search (&r);
  }
  close_parts (&r);
  tl_device_close (r.device);
  TL_DEL (&s->engine, r.wanted, limits);
  TL_DEL (&s->engine, r.bounded, s->net->places);
  return rc;
}
