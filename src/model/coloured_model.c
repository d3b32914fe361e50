// Coloured nets that are not unfolded: everything is asked of a machine, and
// what can be seen of a state is brought up to date when it changes.

#include "model/coloured_model.h"

#include <string.h>

enum { SEEN_WIDTH = 32 }; // of the fields of what can be seen

static tl_machine *machine_of (const tl_generator *g) {
  return ((const tl_coloured_generator *)g)->machine;
}

// What can be seen of a state, followed by its key, which is there.
static void show (tl_coloured_generator *g, const tl_layout *l,
                  uint64_t *state) {
  tl_machine_observe (g->machine, state + l->fields, g->seen);
  tl_layout_set (l, g->seen, state);
}

// ---- Keys ------------------------------------------------------------------

static tl_coloured_generator *maker_of (const tl_code *c) {
  return c->maker;
}

static void key_of (const tl_code *c, const uint64_t *state, uint64_t *key) {
  memcpy (key, state + c->layout->fields, c->key_words * sizeof *key);
}

static void state_of (const tl_code *c, const uint64_t *key, uint64_t *state) {
  memcpy (state + c->layout->fields, key, c->key_words * sizeof *key);
  show (maker_of (c), c->layout, state);
}

static void steps (const tl_code *c, const uint64_t *key, const uint32_t *list,
                   uint32_t count, uint64_t *keys) {
  tl_machine_steps (maker_of (c)->machine, key, list, count, keys);
}

static bool undo (const tl_code *c, uint32_t event, uint64_t *key) {
  return tl_machine_undo (maker_of (c)->machine, event, key);
}

static uint64_t hash (const tl_code *c, const uint64_t *key) {
  return tl_machine_hash (maker_of (c)->machine, key);
}

static uint64_t change (const tl_code *c, uint32_t event) {
  return tl_machine_change (maker_of (c)->machine, event);
}

static void convert_key (const tl_code *c, const tl_code *from,
                         const uint64_t *old, uint64_t *room, uint64_t *key) {
  (void)from;
  (void)room;
  tl_machine_convert (maker_of (c)->machine, old, key);
}

static void convert_state (const tl_code *c, const tl_code *from,
                           const uint64_t *old, uint64_t *room,
                           uint64_t *state) {
  const tl_layout *before = from->layout, *l = c->layout;
  (void)room;
  memcpy (state, old, l->fields * sizeof *state); // fields are as they were
  tl_machine_convert (maker_of (c)->machine, old + before->fields,
                      state + l->fields);
}

// What was in this form has moved.
static void close_code (tl_code *c) {
  tl_machine_settle (maker_of (c)->machine);
}

static const tl_code_kind codes = {.key = key_of,
                                   .state = state_of,
                                   .steps = steps,
                                   .undo = undo,
                                   .hash = hash,
                                   .change = change,
                                   .convert_key = convert_key,
                                   .convert_state = convert_state,
                                   .close = close_code};

static tl_status code (tl_generator *g, tl_mem *mem, const tl_layout *l,
                       const tl_digits *digits, tl_code *c) {
  const tl_machine_view *view = tl_machine_see (machine_of (g));
  (void)digits;
  *c = (tl_code){.kind = &codes,
                 .mem = mem,
                 .layout = l,
                 .maker = g,
                 .key_words = view->key_words,
                 .key_bits = view->key_bits,
                 .lengths = view->coded,
                 .bits = view->key_bits};
  return TL_OK;
}

// ---- Firing ----------------------------------------------------------------

typedef struct engine {
  tl_fire base;
  tl_coloured_generator *generator;
} engine;

static tl_coloured_generator *generator_of (const tl_fire *f) {
  return ((const engine *)f)->generator;
}

static uint32_t enabled (const tl_fire *f, const uint64_t *state,
                         uint32_t *list, uint64_t *scratch) {
  (void)scratch;
  return tl_machine_enabled (generator_of (f)->machine,
                             state + f->layout->fields, list);
}

static uint32_t fits (const tl_fire *f, const uint64_t *state,
                      const uint32_t *list, uint32_t count) {
  return tl_machine_steps (generator_of (f)->machine, state + f->layout->fields,
                           list, count, 0);
}

static void step (const tl_fire *f, uint32_t event, uint64_t *state) {
  uint64_t *key = state + f->layout->fields;
  tl_machine_steps (generator_of (f)->machine, key, &event, 1, key);
  show (generator_of (f), f->layout, state);
}

static void step_back (const tl_fire *f, uint32_t event, uint64_t *state) {
  tl_machine_undo (generator_of (f)->machine, event, state + f->layout->fields);
  show (generator_of (f), f->layout, state);
}

static void close_engine (tl_fire *f) {
  engine *self = (engine *)f;
  TL_DEL (f->mem, self, 1);
}

static const tl_fire_kind engines = {.name = "coloured",
                                     .blurb = "a coloured net, not unfolded",
                                     .enabled = enabled,
                                     .fits = fits,
                                     .step = step,
                                     .undo = step_back,
                                     .close = close_engine};

static tl_status fire (tl_generator *g, tl_mem *mem, const tl_layout *l,
                       const uint32_t *sample, tl_fire **out) {
  engine *self;
  (void)sample;
  if (!TL_NEW (mem, self, 1))
    return TL_E_NOMEM;
  self->base = (tl_fire){.kind = &engines,
                         .mem = mem,
                         .layout = l,
                         .transitions = g->net->transitions};
  self->generator = (tl_coloured_generator *)g;
  *out = &self->base;
  return TL_OK;
}

// ---- The generator ---------------------------------------------------------

static void close_generator (tl_generator *g) {
  tl_coloured_generator *self = (tl_coloured_generator *)g;
  tl_machine_close (self->machine);
  TL_DEL (g->mem, self->seen, g->net->places);
  TL_DEL (g->mem, self, 1);
}

// A generator without a machine; null: no memory.
static tl_coloured_generator *make (const tl_net *net, tl_mem *mem,
                                    tl_fault *fault) {
  tl_coloured_generator *self;
  if (!TL_NEW (mem, self, 1))
    return 0;
  self->base = (tl_generator){.kind = &tl_model_coloured,
                              .net = net,
                              .mem = mem,
                              .most_events = UINT32_MAX - 1,
                              .most_enabled = TL_MACHINE_MOST_ENABLED,
                              .fault = fault};
  if (TL_NEW (mem, self->seen, net->places))
    return self;
  close_generator (&self->base);
  return 0;
}

static tl_status made (tl_generator **out, tl_coloured_generator *self,
                       tl_status rc) {
  if (rc)
    close_generator (&self->base);
  else
    *out = &self->base;
  return rc;
}

static tl_status open_generator (tl_generator **out, const tl_net *net,
                                 const tl_generator_request *request,
                                 tl_fault *fault) {
  tl_coloured_generator *self = make (net, request->engine, fault);
  return self ? made (out, self,
                      tl_machine_open (&self->machine, net, request->form,
                                       request->measured, request->states,
                                       request->engine, fault))
              : TL_E_NOMEM;
}

// ---- Several threads -------------------------------------------------------

static tl_machine *first_of (const tl_generator *g) {
  return ((const tl_coloured_generator *)g)->first->machine;
}

static tl_status share (tl_generator *g, unsigned generators) {
  return tl_machine_share (machine_of (g), generators);
}

static void unshare (tl_generator *g) {
  tl_machine_unshare (machine_of (g));
}

static tl_status beside (tl_generator **out, tl_generator *first,
                         tl_fault *fault) {
  tl_coloured_generator *self = make (first->net, first->mem, fault);
  if (!self)
    return TL_E_NOMEM;
  self->first = (tl_coloured_generator *)first;
  return made (
      out, self,
      tl_machine_open_beside (&self->machine, machine_of (first), fault));
}

static void report (tl_generator *g) {
  if (machine_of (g)) // else there was no memory to follow
    tl_machine_report (machine_of (g), first_of (g));
}

static tl_status follow (tl_generator *g) {
  tl_coloured_generator *self = (tl_coloured_generator *)g;
  const tl_status rc = tl_machine_follow (self->machine, first_of (g));
  if (rc != TL_E_ARG)
    return rc;
  report (g);
  tl_machine_close (self->machine);
  return tl_machine_open_beside (&self->machine, first_of (g), g->fault);
}

static tl_status catch_up (tl_generator *g) {
  return tl_machine_catch_up (machine_of (g));
}

// ---- What it says of itself ------------------------------------------------

static void widths (const tl_generator *g, const uint64_t *most,
                    uint8_t *width) {
  (void)most;
  memset (width, SEEN_WIDTH, g->net->places);
}

static tl_status layout (const tl_generator *g, tl_mem *mem,
                         const uint8_t *width, tl_layout *l) {
  return tl_layout_open (l, mem, g->net, width,
                         tl_machine_see (machine_of (g))->key_words);
}

static tl_status initial (tl_generator *g, const tl_layout *l,
                          uint64_t *state) {
  const tl_status rc = tl_machine_initial (machine_of (g), state + l->fields);
  if (!rc)
    show ((tl_coloured_generator *)g, l, state);
  return rc;
}

static tl_status widen (tl_generator *g) {
  return tl_machine_widen (machine_of (g));
}

static size_t known (const tl_generator *g) {
  return tl_machine_known (machine_of (g));
}

static tl_status collect (tl_generator *g) {
  return tl_machine_collect (machine_of (g));
}

static uint32_t prune (tl_generator *g, uint32_t found_by, uint32_t *events,
                       uint32_t count) {
  return tl_machine_prune (machine_of (g), found_by, events, count);
}

static uint32_t transition (const tl_generator *g, uint32_t event) {
  return tl_machine_transition (machine_of (g), event);
}

static const char *event_name (tl_generator *g, uint32_t event) {
  return tl_machine_event_name (machine_of (g), event);
}

static void tell (const tl_generator *g, tl_exploration *r) {
  const tl_machine_view *view = tl_machine_see (machine_of (g));
  r->max_tokens_in_place = view->most_alike;
  r->compiled = tl_machine_how (machine_of (g));
  if (view->coded_states) {
    r->code_bytes = (double)view->coded_bytes / (double)view->coded_states;
    r->bits = (uint32_t)view->longest_code;
  }
}

static tl_status marking (tl_generator *g, const tl_layout *l,
                          const uint64_t *state, tl_marking_told *told,
                          void *context) {
  return tl_machine_tell (machine_of (g), state + l->fields, told, context);
}

static void changes (const tl_generator *g, uint32_t event,
                     tl_machine_changed *changed, void *context) {
  tl_machine_changes (machine_of (g), event, changed, context);
}

static const tl_tokens *tokens (tl_generator *g, const tl_layout *l,
                                const uint64_t *state) {
  return tl_machine_marking (machine_of (g), state + l->fields);
}

const tl_model_kind tl_model_coloured = {.name = "coloured",
                                         .open = open_generator,
                                         .close = close_generator,
                                         .widths = widths,
                                         .layout = layout,
                                         .code = code,
                                         .fire = fire,
                                         .initial = initial,
                                         .widen = widen,
                                         .known = known,
                                         .collect = collect,
                                         .prune = prune,
                                         .share = share,
                                         .unshare = unshare,
                                         .beside = beside,
                                         .follow = follow,
                                         .report = report,
                                         .catch_up = catch_up,
                                         .transition = transition,
                                         .event_name = event_name,
                                         .tell = tell,
                                         .replay = tl_coloured_replay,
                                         .path = tl_coloured_path,
                                         .changes = changes,
                                         .tokens = tokens,
                                         .marking = marking};
