// Paths of coloured nets that are not unfolded: a machine fires them.

#include "model/coloured_model.h"
#include "net/trace.h"

#include <stdlib.h>
#include <string.h>

typedef struct walk {
  tl_generator *generator;
  tl_machine *machine;
  tl_fault fault;
  uint64_t *key, *next; // [words]
  uint64_t *loop;       // the key where a lasso closes, or null
  uint32_t words;
  uint32_t *events; // room for what is enabled
} walk;

// Room for keys of the form in use; those that are there get longer.
static bool make_room (walk *w) {
  const uint32_t words = tl_machine_see (w->machine)->key_words;
  uint64_t *key = calloc (words, sizeof *key);
  uint64_t *next = calloc (words, sizeof *next);
  uint64_t *loop = w->loop ? calloc (words, sizeof *loop) : 0;
  const bool ok = key && next && (loop || !w->loop);
  if (ok && w->key)
    tl_machine_convert (w->machine, w->key, key);
  if (ok && w->loop)
    tl_machine_convert (w->machine, w->loop, loop);
  free (w->key);
  free (w->next);
  free (w->loop);
  w->key = key;
  w->next = next;
  w->loop = loop;
  w->words = words;
  return ok;
}

static uint32_t list_enabled (walk *w) {
  const uint32_t n = tl_machine_enabled (w->machine, w->key, w->events);
  return w->fault.failed ? 0 : n;
}

// A long path leaves much behind it.  Events lose their numbers.
static bool forget (walk *w) {
  enum { ENOUGH = 1 << 20 }; // bytes
  if (tl_machine_known (w->machine) < ENOUGH)
    return true;
  const bool ok = !tl_machine_collect (w->machine) && make_room (w);
  tl_machine_settle (w->machine);
  return ok && !w->fault.failed;
}

// Fires an event that is enabled.
static bool fire (walk *w, uint32_t event) {
  while (!tl_machine_steps (w->machine, w->key, &event, 1, w->next))
    if (w->fault.failed || tl_machine_widen (w->machine) || !make_room (w))
      return false;
  memcpy (w->key, w->next, w->words * sizeof *w->key);
  return true;
}

static void close_walk (walk *w) {
  tl_generator_close (w->generator);
  free (w->key);
  free (w->next);
  free (w->loop);
  free (w->events);
}

// At the initial state.  TL_E_NOMEM, TL_E_ARG.
static tl_status open_walk (walk *w, const tl_net *net, tl_mem *mem) {
  *w = (walk){0};
  const tl_status rc = tl_generator_open (
      &w->generator, net,
      &(tl_generator_request){
          .form = TL_KEYS_NUMBERS, .states = mem, .engine = mem},
      &w->fault);
  if (rc)
    return rc;
  w->machine = ((tl_coloured_generator *)w->generator)->machine;
  w->events = calloc (w->generator->most_enabled, sizeof *w->events);
  return w->events && make_room (w) ? tl_machine_initial (w->machine, w->key)
                                    : TL_E_NOMEM;
}

// ---- From words ------------------------------------------------------------

// The enabled event of that transition and these words, or TL_NO_EVENT.
static uint32_t find_event (walk *w, uint32_t transition, const char *name) {
  const uint32_t n = list_enabled (w);
  for (uint32_t i = 0; i < n; i++)
    if (tl_machine_transition (w->machine, w->events[i]) == transition &&
        !strcmp (tl_machine_event_name (w->machine, w->events[i]), name))
      return w->events[i];
  return TL_NO_EVENT;
}

static bool follow (walk *w, const tl_trace *trace) {
  for (uint64_t i = 0; i < trace->length; i++) {
    if (trace->loop && i == trace->loop_from) {
      if (!(w->loop = calloc (w->words, sizeof *w->loop)))
        return false;
      memcpy (w->loop, w->key, w->words * sizeof *w->key);
    }
    const uint32_t event = find_event (w, trace->transition[i], trace->step[i]);
    if (event == TL_NO_EVENT || !fire (w, event) || !forget (w))
      return false;
  }
  return true;
}

static bool returns (const walk *w) {
  return w->loop && !memcmp (w->loop, w->key, w->words * sizeof *w->key);
}

bool tl_coloured_replay (const tl_net *net, const tl_trace *trace, bool closes,
                         uint64_t *seen) {
  tl_mem mem = TL_MEM (0, "replay");
  walk w = {0};
  const bool right = (trace->step || !trace->length) &&
                     !open_walk (&w, net, &mem) && follow (&w, trace) &&
                     (!closes || !trace->loop || returns (&w));
  if (right)
    tl_machine_observe (w.machine, w.key, seen);
  close_walk (&w);
  return right;
}

// ---- From positions --------------------------------------------------------

static tl_status failure (const walk *w) {
  return w->fault.failed == TL_E_NOMEM ? TL_E_NOMEM : TL_E_ARG;
}

// One more event, told by its position in the list of those enabled; that
// becomes its transition.  `name` is made with malloc.
static tl_status step_to (walk *w, uint32_t *position, char **name) {
  const uint32_t n = list_enabled (w);
  if (*position >= n)
    return failure (w);
  const uint32_t event = w->events[*position];
  *position = tl_machine_transition (w->machine, event);
  if (!(*name = strdup (tl_machine_event_name (w->machine, event))))
    return TL_E_NOMEM;
  return fire (w, event) && forget (w) ? TL_OK : failure (w);
}

tl_status tl_coloured_path (const tl_net *net, tl_mem *mem, tl_trace *trace) {
  walk w = {0};
  char **name = calloc (trace->length + 1, sizeof *name);
  tl_status rc = name ? open_walk (&w, net, mem) : TL_E_NOMEM;
  for (uint64_t i = 0; !rc && i < trace->length; i++)
    rc = step_to (&w, trace->transition + i, name + i);
  if (!rc && !(trace->step =
                   tl_trace_words ((const char *const *)name, trace->length)))
    rc = TL_E_NOMEM;
  for (uint64_t i = 0; name && i < trace->length; i++)
    free (name[i]);
  free (name);
  close_walk (&w);
  return rc;
}

// ---- Step by step ----------------------------------------------------------

struct tl_coloured_walk {
  tl_mem mem;
  walk walk;
};

tl_status tl_coloured_walk_open (tl_coloured_walk **out, const tl_net *net) {
  tl_coloured_walk *w = *out = calloc (1, sizeof *w);
  if (!w)
    return TL_E_NOMEM;
  w->mem = TL_MEM (0, "replay");
  const tl_status rc = open_walk (&w->walk, net, &w->mem);
  if (rc) {
    tl_coloured_walk_close (w);
    *out = 0;
  }
  return rc;
}

tl_status tl_coloured_walk_step (tl_coloured_walk *w, uint32_t transition,
                                 const char *words) {
  const uint32_t event = find_event (&w->walk, transition, words);
  return event != TL_NO_EVENT && fire (&w->walk, event) && forget (&w->walk)
             ? TL_OK
             : TL_E_ARG;
}

tl_status tl_coloured_walk_enabled (tl_coloured_walk *w,
                                    tl_coloured_enabled *told, void *context,
                                    tl_error *fault) {
  walk *at = &w->walk;
  tl_status rc = TL_OK;
  const uint32_t n = list_enabled (at);
  for (uint32_t i = 0; !rc && i < n; i++)
    rc = told (context, tl_machine_transition (at->machine, at->events[i]),
               tl_machine_event_name (at->machine, at->events[i]));
  if (at->fault.failed && fault)
    *fault = at->fault.error;
  return at->fault.failed ? failure (at) : rc;
}

tl_status tl_coloured_walk_tell (tl_coloured_walk *w, tl_marking_told *told,
                                 void *context) {
  return tl_machine_tell (w->walk.machine, w->walk.key, told, context);
}

void tl_coloured_walk_close (tl_coloured_walk *w) {
  if (w)
    close_walk (&w->walk);
  free (w);
}
