// Results as JSON.  Keys stand in the order of the documentation, are never
// renamed, and new ones may come.  An incomplete run has "complete": false and
// says in "stopped" what ended it; its counts are lower bounds, and what a
// lower bound would misrepresent is null.

#include "report/forms.h"
#include "report/showing.h"
#include "net/origin.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// jansson takes only UTF-8, but a formula may be typed in anything.
static json_t *string (const char *text) {
  json_t *j = json_string (text);
  char *copy = j ? 0 : strdup (text);
  if (!copy)
    return j;
  for (char *c = copy; *c; c++)
    if (*c & 0x80)
      *c = '?';
  j = json_string (copy);
  free (copy);
  return j;
}

static json_t *count (uint64_t n) {
  return json_integer (n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

// Programs read numbers up to 2^53 exactly, many no larger ones.
#define LARGEST ((uint64_t)1 << 53)

// `text` has the digits of those that are no uint64_t, else it is null.
static json_t *large (uint64_t n, const char *text) {
  char digits[24];
  if (n <= LARGEST)
    return count (n);
  snprintf (digits, sizeof digits, "%llu", (unsigned long long)n);
  return json_string (text ? text : digits);
}

static bool is_big (const tl_exploration *x) {
  return x->states > LARGEST || x->arcs > LARGEST || x->deadlocks > LARGEST;
}

static json_t *rounded (double x) {
  return json_real (round (x * 1000) / 1000);
}

// Adds to an object; false when there was no memory.  Takes the value.
static bool add (json_t *object, const char *key, json_t *value) {
  return !json_object_set_new (object, key, value);
}

static json_t *sizes (uint32_t places, uint32_t transitions, uint64_t arcs,
                      bool coloured) {
  return json_pack ("{s:o, s:o, s:o, s:b}", "places", count (places),
                    "transitions", count (transitions), "arcs", count (arcs),
                    "coloured", coloured);
}

// The sizes of the coloured net, and of what it is unfolded into.
static json_t *coloured_sizes (const tl_net *net) {
  const tl_origin *o = net->origin;
  json_t *j = sizes (o->places, o->transitions, o->arcs, true);
  json_t *unfolded = json_pack (
      "{s:o, s:o, s:o}", "places", count (net->places), "transitions",
      count (net->transitions), "arcs", count (net->arcs));
  if (j && add (j, "unfolded", unfolded))
    return j;
  json_decref (j);
  return 0;
}

static json_t *net_sizes (const tl_net *net, const char *compiled) {
  if (net->origin)
    return coloured_sizes (net);
  const char *how = tl_report_compiled (net, compiled);
  json_t *j = sizes (tl_shown_places (net), net->transitions,
                     tl_shown_arcs (net), tl_net_is_coloured (net));
  if (!how ||
      (j && add (j, "compiled", json_boolean (!strcmp (how, "compiled")))))
    return j;
  json_decref (j);
  return 0;
}

static bool add_net (json_t *j, const tl_net *net, const char *compiled) {
  return add (j, "tool", json_string ("tideline")) &&
         add (j, "version", json_string (tl_version ())) &&
         add (j, "model", string (tl_net_name (net))) &&
         add (j, "format", json_string (tl_net_format (net))) &&
         add (j, "net", net_sizes (net, compiled));
}

static bool add_complete (json_t *j, bool complete, const char *stopped) {
  return add (j, "complete", json_boolean (complete)) &&
         (complete || add (j, "stopped", json_string (stopped)));
}

// Visits of a sweep that came to some states again are no number of states.
static bool add_size (json_t *j, const tl_exploration *x) {
  return add (j, "states",
              x->counted ? large (x->states, x->states_text) : json_null ()) &&
         add (j, "arcs",
              x->counted ? large (x->arcs, x->arcs_text) : json_null ()) &&
         (!x->counted || !is_big (x) || add (j, "big", json_true ()));
}

// Those that are known to be dead, by their ids.
static bool add_dead (json_t *j, tl_showing *s, const tl_exploration *x) {
  tl_unfired all = {s->net, x, 0};
  if (!tl_saw_everything (x))
    return true;
  json_t *list = json_array ();
  bool ok = list;
  for (const char *id; ok && (id = tl_unfired_next (&all));)
    ok = !json_array_append_new (list, string (tl_showing_node (s, false, id)));
  return add (j, "dead_transition_ids", list) && ok;
}

static bool add_findings (json_t *j, tl_showing *s, const tl_exploration *x) {
  const uint64_t dead = tl_not_fired (s->net, x);
  return add_size (j, x) &&
         add (j, "max_tokens_in_place",
              x->stubborn ? json_null () : count (x->max_tokens_in_place)) &&
         add (j, "max_tokens_per_marking",
              x->stubborn ? json_null () : count (x->max_tokens_per_marking)) &&
         add (j, "deadlocks",
              tl_counted_deadlocks (x) ? large (x->deadlocks, x->deadlocks_text)
                                       : json_null ()) &&
         add (j, "dead_transitions",
              tl_saw_everything (x) || !dead ? count (dead) : json_null ());
}

static json_t *encoding (uint32_t bits, uint32_t plain_bits) {
  return json_pack ("{s:o, s:o}", "bits", count (bits), "plain_bits",
                    count (plain_bits));
}

static bool add_method (json_t *j, const tl_exploration *x) {
  return add (j, "order", json_string (x->order)) &&
         add (j, "store", json_string (x->store)) &&
         add (j, "encoding", encoding (x->bits, x->plain_bits)) &&
         (x->code_bytes <= 0 || add (j, "code_bytes", rounded (x->code_bytes)));
}

static bool add_symbolic (json_t *j, const tl_exploration *x) {
  const tl_symbolic *s = &x->symbolic;
  if (!x->engine)
    return true;
  if (!s->variables)
    return add (j, "engine", json_string (x->engine));
  return add (j, "engine", json_string (x->engine)) &&
         add (j, "symbolic",
              json_pack ("{s:o, s:o, s:o, s:o, s:o, s:o}", "variables",
                         count (s->variables), "order",
                         s->order ? json_string (s->order) : json_null (),
                         "tried", count (s->tried), "nodes", count (s->nodes),
                         "peak_nodes", count (s->peak_nodes), "collections",
                         count (s->collections)));
}

static bool add_symmetry (json_t *j, const tl_exploration *x) {
  const tl_symmetry *s = &x->symmetry;
  return !tl_is_symmetric (x) ||
         add (j, "symmetry",
              json_pack ("{s:o, s:o}", "classes",
                         s->classes ? string (s->classes) : json_null (),
                         "stored", count (s->stored)));
}

static bool add_checkpoints (json_t *j, const tl_exploration *x) {
  const tl_checkpoints *c = &x->checkpoints;
  return !c->part ||
         add (j, "checkpoints",
              json_pack ("{s:o, s:o, s:o, s:o, s:o}", "part", count (c->part),
                         "seconds_before", rounded (c->before), "written",
                         count (c->written), "states", count (c->states),
                         "problem",
                         c->problem[0] ? string (c->problem) : json_null ()));
}

static bool add_device (json_t *j, const tl_exploration *x) {
  const tl_on_device *d = &x->device;
  if (!d->kind)
    return true;
  json_t *device = json_object ();
  bool ok = add (device, "kind", json_string (d->kind));
  if (ok && *d->name)
    ok = add (device, "name", string (d->name)) &&
         add (device, "memory", count (d->memory));
  if (ok && d->used)
    ok = add (device, "table", json_string (d->table)) &&
         add (device, "used", count (d->used)) &&
         add (device, "start_seconds", rounded (d->start)) &&
         add (device, "moving_seconds", rounded (d->moving));
  if (ok && *d->why)
    ok = add (device, "why", string (d->why));
  return add (j, "device", device) && ok;
}

static bool add_cost (json_t *j, const tl_exploration *x) {
  return add (j, "store_bytes", count (x->store_bytes)) &&
         add (j, "bytes_per_state",
              x->counted ? rounded (x->bytes_per_state) : json_null ()) &&
         add (j, "peak_rss_bytes", count (x->peak_rss_bytes)) &&
         add (j, "seconds", rounded (x->seconds)) &&
         add (j, "threads", count (x->threads)) &&
         (x->threads < 2 || add (j, "balance", rounded (x->balance))) &&
         (!x->threads_why ||
          add (j, "threads_why", json_string (x->threads_why))) &&
         add_device (j, x) &&
         (!x->ranks || add (j, "ranks", count (x->ranks))) &&
         (x->ranks < 2 || (add (j, "rank_balance", rounded (x->rank_balance)) &&
                           add (j, "rank_sent", count (x->rank_sent)) &&
                           add (j, "rank_bytes", count (x->rank_bytes)) &&
                           add (j, "rank_blocks", count (x->rank_blocks)))) &&
         (!x->ranks_why || add (j, "ranks_why", json_string (x->ranks_why)));
}

static bool add_memory (json_t *j, const tl_exploration *x) {
  json_t *memory = json_object ();
  bool ok = memory;
  for (size_t i = 0; ok && i < x->memory_rows; i++) {
    const tl_memory_row *row = &x->memory[i];
    ok = add (memory, row->name,
              json_pack ("{s:o, s:o}", "used", count (row->used), "would_be",
                         row->would_be ? count (row->would_be) : json_null ()));
  }
  return add (j, "memory", memory) && ok &&
         add (j, "spilled_bytes", count (x->spilled_bytes)) &&
         (!x->certificate_bytes ||
          add (j, "certificate_bytes", count (x->certificate_bytes))) &&
         add (j, "information_bound_bits",
              tl_is_bounded (x) ? rounded (tl_information_bound (x))
                                : json_null ());
}

static bool add_disk (json_t *j, const tl_exploration *x) {
  const tl_disk_use *d = &x->disk;
  if (x->disk_why)
    return add (j, "disk_why", json_string (x->disk_why));
  return !d->used ||
         add (j, "disk",
              json_pack ("{s:o, s:o, s:o, s:o, s:o}", "written",
                         count (d->written), "read", count (d->read),
                         "peak_bytes", count (d->peak_bytes), "runs",
                         count (d->runs), "merges", count (d->merges)));
}

static bool add_sweep (json_t *j, const tl_exploration *x) {
  const tl_sweep *s = &x->sweep;
  if (!s->measure)
    return true;
  const char *weights = s->weights ? s->weights : "";
  return add (
      j, "sweep",
      json_pack ("{s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, "
                 "s:o, s:o, s:o}",
                 "measure", s->measure, "sweeps", count (s->sweeps),
                 "peak_states", count (s->peak_states), "explored",
                 count (s->explored), "persistent", count (s->persistent),
                 "monotone", s->monotone, "window",
                 s->window == UINT64_MAX ? json_null () : count (s->window),
                 "largest_layer", count (s->largest_layer), "layers",
                 count (s->layers), "peak_bytes", count (x->store_bytes),
                 "discarded", count (s->discarded), "choosing_seconds",
                 rounded (s->choosing), "weights", string (weights)));
}

static bool add_delta (json_t *j, const tl_exploration *x) {
  const tl_delta *d = &x->delta;
  return !d->k || add (j, "delta",
                       json_pack ("{s:o, s:o, s:o, s:o}", "k", count (d->k),
                                  "explicit", count (d->whole),
                                  "reconstructions", count (d->reconstructions),
                                  "mean_length", rounded (d->mean_length)));
}

static bool add_stubborn (json_t *j, const tl_exploration *x) {
  return !x->stubborn ||
         add (j, "stubborn",
              json_pack ("{s:s, s:o, s:o, s:o}", "reduction", x->stubborn,
                         "explored", count (x->states), "enabled",
                         count (x->arcs), "followed", count (x->followed)));
}

// Marked places, or with `changes` those of the last step, and their tokens.
static json_t *marking (tl_showing *s, tl_playback *p, bool changes) {
  const tl_marked *m;
  const size_t n =
      changes ? tl_playback_changes (p, &m) : tl_playback_marking (p, &m);
  json_t *j = json_object ();
  bool ok = j;
  for (size_t i = 0; ok && i < n; i++)
    ok = add (j, tl_showing_marked (s, m + i), count (m[i].tokens));
  if (ok)
    return j;
  json_decref (j);
  return 0;
}

// The initial marking, then what each step makes of it.
static bool add_markings (json_t *j, tl_showing *s, const tl_trace *trace) {
  const bool changes = !(s->form & TL_SHOW_MARKINGS);
  tl_playback *p;
  if (!(s->form & (TL_SHOW_CHANGES | TL_SHOW_MARKINGS)))
    return true;
  const tl_status rc = tl_playback_open (&p, s->net, trace, 0);
  if (rc)
    return rc != TL_E_NOMEM;
  json_t *list = json_array ();
  bool ok = list && !json_array_append_new (list, marking (s, p, false));
  while (ok && !tl_playback_step (p, 0))
    ok = !json_array_append_new (list, marking (s, p, changes));
  tl_playback_close (p);
  return add (j, "markings", list) && ok;
}

static bool add_trace (json_t *j, const char *key, tl_showing *s,
                       const tl_trace *trace) {
  if (!trace->transition)
    return true;
  json_t *ids = json_array ();
  bool ok = ids;
  for (uint64_t i = 0; ok && i < trace->length; i++)
    ok = !json_array_append_new (ids, string (tl_showing_step (s, trace, i)));
  json_t *t = json_pack ("{s:s, s:o}", "kind", trace->loop ? "lasso" : "path",
                         "transitions", ids);
  if (t && trace->loop)
    ok = add (t, "loop_from", count (trace->loop_from)) && ok;
  ok = t && ok && add_markings (t, s, trace);
  return add (j, key, t) && ok;
}

static bool add_unbounded (json_t *j, tl_showing *s, const tl_exploration *x) {
  if (x->stop != TL_STOP_UNBOUNDED && x->stop != TL_STOP_TOKENS)
    return true;
  return add (j, "unbounded_place",
              string (tl_net_place_id (s->net, x->unbounded_place))) &&
         add_trace (j, "unbounded_trace", s, &x->unbounded);
}

// The text of a finished object, which it takes.
static char *dump (json_t *j, bool ok) {
  char *text = ok ? json_dumps (j, JSON_COMPACT | JSON_REAL_PRECISION (15)) : 0;
  json_decref (j);
  if (!text)
    return 0;
  const size_t length = strlen (text);
  char *line = realloc (text, length + 2);
  if (!line) {
    free (text);
    return 0;
  }
  memcpy (line + length, "\n", 2);
  return line;
}

char *tl_unread_json (const char *path, const tl_error *e,
                      const char *stopped) {
  json_t *j = json_object ();
  const bool ok = j && add (j, "tool", json_string ("tideline")) &&
                  add (j, "version", json_string (tl_version ())) &&
                  add (j, "model", string (path)) &&
                  add_complete (j, false, stopped) &&
                  add (j, "message", string (e->text));
  return dump (j, ok);
}

char *tl_exploration_json (const tl_net *net, const tl_exploration *x,
                           tl_form form) {
  tl_showing s;
  json_t *j = json_object ();
  tl_showing_open (&s, net, form, false);
  const bool ok =
      j && add_net (j, net, x->compiled) &&
      add_complete (j, x->complete, tl_stop_word (x->stop)) &&
      add_findings (j, &s, x) && add_method (j, x) && add_symbolic (j, x) &&
      add_symmetry (j, x) && add_checkpoints (j, x) && add_cost (j, x) &&
      add (j, "depth", tl_has_depth (x) ? count (x->depth) : json_null ()) &&
      add (j, "followed",
           tl_is_symbolic (x) ? json_null () : count (x->followed)) &&
      add (j, "widened", count (x->widened)) && add_memory (j, x) &&
      add_disk (j, x) && add_sweep (j, x) && add_stubborn (j, x) &&
      add_delta (j, x) && add_trace (j, "deadlock_trace", &s, &x->deadlock) &&
      add_unbounded (j, &s, x) && add_dead (j, &s, x);
  tl_showing_close (&s);
  return dump (j, ok);
}

// A bound is a value, or null when there is none; one that is not decided has
// only "at_least".
static bool add_bound (json_t *j, const tl_answer *a) {
  if (a->verdict == TL_VERDICT_BOUND)
    return add (j, "value", a->infinite ? json_null () : count (a->value)) &&
           add (j, "infinite", json_boolean (a->infinite));
  if (a->verdict == TL_VERDICT_UNKNOWN && a->value)
    return add (j, "at_least", count (a->value));
  return true;
}

static bool add_culprits (json_t *j, tl_showing *s, const tl_culprits *c) {
  if (!c->id)
    return true;
  json_t *list = json_array ();
  bool ok = list;
  for (size_t i = 0; ok && i < c->count; i++)
    ok = !json_array_append_new (
        list, string (tl_showing_node (s, c->places, c->id[i])));
  return add (j, c->places ? "places" : "transitions", list) && ok;
}

static bool add_certified (json_t *j, const tl_answer *a) {
  if (a->certified)
    return add (j, "certified", json_string (a->certified));
  return !a->uncertified_why ||
         (add (j, "certified", json_null ()) &&
          add (j, "not_certified", json_string (a->uncertified_why)));
}

static json_t *answer (tl_showing *s, const tl_answer *a) {
  json_t *j = json_object ();
  const char *meaning = tl_answer_meaning (a);
  const bool ok =
      j && add (j, "name", string (a->name)) &&
      add (j, "formula", string (a->formula ? a->formula : a->name)) &&
      add (j, "verdict", json_string (tl_verdict_word (a->verdict))) &&
      add_bound (j, a) &&
      add (j, "engine", a->engine ? json_string (a->engine) : json_null ()) &&
      (a->verdict != TL_VERDICT_UNKNOWN || !a->unknown_why ||
       add (j, "why", json_string (a->unknown_why))) &&
      add (j, "seconds", rounded (a->seconds)) &&
      add_trace (j, "trace", s, &a->trace) &&
      add_culprits (j, s, &a->culprits) &&
      (!meaning || add (j, "meaning", json_string (meaning))) &&
      add_certified (j, a);
  if (ok)
    return j;
  json_decref (j);
  return 0;
}

// How much of the state space the search saw.
static bool add_search (json_t *j, const tl_exploration *x) {
  json_t *s = json_object ();
  const bool ok =
      s && add_complete (s, x->complete, tl_stop_word (x->stop)) &&
      add_size (s, x) &&
      add (s, "depth", tl_has_depth (x) ? count (x->depth) : json_null ());
  return add (j, "search", s) && ok;
}

// "complete" means here that every question has its answer: the search may
// well have ended before it saw every state.
char *tl_answers_json (const tl_net *net, const tl_answers *answers,
                       tl_form form) {
  tl_showing s;
  json_t *j = json_object (), *list = json_array ();
  bool ok = j && list, complete = true;
  tl_stop stop = answers->run.stop;
  tl_showing_open (&s, net, form, false);
  for (size_t i = 0; ok && i < answers->count; i++) {
    const tl_answer *a = answers->answer + i;
    if (a->verdict == TL_VERDICT_UNKNOWN && complete)
      stop = tl_answer_stop (a, &answers->run);
    complete &= a->verdict != TL_VERDICT_UNKNOWN;
    ok = !json_array_append_new (list, answer (&s, a));
  }
  const char *stopped = stop == TL_STOP_DONE || stop == TL_STOP_DECIDED
                            ? "unsupported" // by any engine we have
                            : tl_stop_word (stop);
  ok = ok && add_net (j, net, answers->run.compiled) &&
       add_complete (j, complete, stopped) &&
       add (j, "properties", json_incref (list)) &&
       add_method (j, &answers->run) && add_checkpoints (j, &answers->run) &&
       add_cost (j, &answers->run) && add_search (j, &answers->run) &&
       add_memory (j, &answers->run) &&
       (!answers->run.certificate_bytes ||
        add (j, "certificate_bytes", count (answers->run.certificate_bytes))) &&
       add_disk (j, &answers->run) && add_sweep (j, &answers->run) &&
       add_stubborn (j, &answers->run) && add_unbounded (j, &s, &answers->run);
  json_decref (list);
  tl_showing_close (&s);
  return dump (j, ok);
}

static bool add_class (json_t *j, const tl_info *info) {
  return add (j, "class",
              json_pack ("{s:b, s:b, s:b, s:b, s:o, s:o, s:b}", "ordinary",
                         info->ordinary, "state_machine", info->state_machine,
                         "marked_graph", info->marked_graph, "free_choice",
                         info->free_choice, "inhibitor_arcs",
                         count (info->inhibitors), "nested_units",
                         count (info->units), "units_safe",
                         info->units_safe)) &&
         add (j, "initial_tokens", count (info->initial_tokens));
}

static bool add_bounds (json_t *j, const tl_net *net, const tl_info *info) {
  json_t *list = json_array ();
  bool ok = list;
  for (uint32_t p = 0; ok && p < info->places; p++) {
    json_t *bound =
        info->bound[p] == TL_NO_LIMIT ? json_null () : count (info->bound[p]);
    ok = !json_array_append_new (
        list,
        json_pack ("{s:o, s:o, s:s, s:o}", "place",
                   string (tl_net_place_id (net, p)), "bound", bound, "source",
                   info->bound_source[p], "key", string (info->stored_as[p])));
  }
  return add (j, "bounds", list) && ok;
}

static bool add_structure (json_t *j, const tl_info *info) {
  return add (j, "invariants",
              json_pack ("{s:o, s:b, s:o, s:b}", "places",
                         count (info->place_invariants), "places_complete",
                         info->place_invariants_complete, "transitions",
                         count (info->transition_invariants),
                         "transitions_complete",
                         info->transition_invariants_complete)) &&
         add (j, "rank", count (info->rank)) &&
         add (j, "dependent_places", count (info->dependent_places)) &&
         add (j, "groups",
              json_pack ("{s:o, s:o}", "count", count (info->groups), "places",
                         count (info->grouped_places))) &&
         add (j, "encoding", encoding (info->bits, info->plain_bits));
}

static bool add_types (json_t *j, const tl_info *info) {
  if (!info->types)
    return true;
  json_t *list = json_array ();
  bool ok = list;
  for (uint32_t t = 0; ok && t < info->types; t++)
    ok = !json_array_append_new (list, string (info->type[t]));
  return add (j, "types", list) && ok;
}

// Of a net that is not unfolded.
static bool add_coloured (json_t *j, const tl_net *net, const tl_info *info) {
  json_t *places = json_array (), *transitions = json_array ();
  bool ok = places && transitions;
  for (uint32_t p = 0; ok && p < info->places; p++)
    ok = !json_array_append_new (
        places,
        json_pack ("{s:o, s:o, s:o, s:b}", "place",
                   string (tl_net_place_id (net, p)), "domain",
                   string (info->domain[p]), "capacity",
                   info->capacity[p] == TL_NO_LIMIT ? json_null ()
                                                    : count (info->capacity[p]),
                   "stored", !info->left_out[p]));
  for (uint32_t t = 0; ok && t < info->transitions; t++)
    ok = !json_array_append_new (
        transitions, json_pack ("{s:o, s:o}", "transition",
                                string (tl_net_transition_id (net, t)),
                                "variables", string (info->variables[t])));
  ok = ok && add (j, "initial_tokens", count (info->initial_tokens)) &&
       add (j, "places", json_incref (places)) &&
       add (j, "transitions", json_incref (transitions)) &&
       add (j, "code_bits", count (info->code_bits));
  json_decref (places);
  json_decref (transitions);
  return ok;
}

static bool add_arcs (json_t *j, const tl_net *net, const tl_info *info) {
  return add_class (j, info) && add_bounds (j, net, info) &&
         add_structure (j, info) &&
         add (j, "reduced_places", count (info->reduced_places)) &&
         add (j, "reduced_transitions", count (info->reduced_transitions));
}

char *tl_info_json (const tl_net *net, const tl_info *info) {
  json_t *j = json_object ();
  const bool ok =
      j && add_net (j, net, 0) && add_types (j, info) &&
      (info->not_unfolded ? add_coloured : add_arcs) (j, net, info) &&
      add (j, "suggested", json_string (tl_info_advice (info))) &&
      add (j, "seconds", rounded (info->seconds));
  return dump (j, ok);
}

static json_t *estimate (double value) {
  return value > 0 ? json_real (value) : json_null ();
}

static json_t *candidate (const tl_candidate *c) {
  return json_pack (
      "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "measure", c->name, "window",
      c->window == UINT64_MAX ? json_null () : count (c->window), "regress",
      c->linear ? count (c->regress) : json_null (), "monotone",
      c->linear ? json_boolean (!c->regress) : json_null (), "peak",
      estimate (c->peak), "work", estimate (c->work), "seconds",
      rounded (c->seconds), "weights", string (c->weights));
}

char *tl_candidates_json (const tl_net *net, const tl_candidates *all) {
  json_t *j = json_object (), *list = json_array ();
  bool ok = j && list;
  for (size_t i = 0; ok && i < all->count; i++)
    ok = !json_array_append_new (list, candidate (&all->candidate[i]));
  ok = ok && add_net (j, net, 0) &&
       add (j, "chosen",
            all->count ? json_string (all->candidate[0].name) : json_null ()) &&
       add (j, "candidates", json_incref (list)) &&
       add (j, "sampled", count (all->sampled)) &&
       add (j, "sampled_all", json_boolean (all->sampled_all)) &&
       add (j, "seconds", rounded (all->seconds));
  json_decref (list);
  return dump (j, ok);
}

// What an unfolded graph has are not the states of the net.
static bool add_states (json_t *j, const tl_condensed_size *s) {
  return add (j, "states", s->markings ? count (s->markings) : json_null ()) &&
         add (j, "unfolded", json_boolean (s->markings != s->states)) &&
         add (j, "graph_states", count (s->states));
}

// What the search that built a graph took; null: nobody knows.
static bool add_built (json_t *j, const tl_exploration *x) {
  return !x || (add (j, "order", json_string (x->order)) &&
                add (j, "peak_rss_bytes", count (x->peak_rss_bytes)) &&
                add (j, "seconds", rounded (x->seconds)) && add_memory (j, x) &&
                add_sweep (j, x));
}

char *tl_condensed_json (const tl_net *net, const tl_condensed_size *s,
                         const tl_exploration *built) {
  json_t *j = json_object ();
  const double states = (double)s->states;
  const bool ok =
      j && add_net (j, net, s->compiled) && add_states (j, s) &&
      add (j, "arcs", count (s->arcs)) &&
      add (j, "graph_bytes", count (s->bytes)) &&
      add (j, "bytes_per_state", rounded ((double)s->bytes / states)) &&
      add (j, "net_bytes", count (s->net_bytes)) &&
      add (j, "published_bytes", count (s->published_bytes)) &&
      add_built (j, built);
  return dump (j, ok);
}

static bool add_counted (json_t *j, const tl_verification *v) {
  return add (j, "states", count (v->states)) &&
         add (j, "arcs", count (v->arcs)) &&
         add (j, "max_tokens_in_place", count (v->max_tokens_in_place)) &&
         add (j, "max_tokens_per_marking", count (v->max_tokens_per_marking)) &&
         add (j, "deadlocks", count (v->deadlocks)) &&
         add (j, "dead_transitions", count (v->dead_transitions)) &&
         add (j, "depth", count (v->depth));
}

static json_t *proven (const tl_proven *p) {
  json_t *j = json_object ();
  const bool ok =
      j && (!*p->name || add (j, "name", string (p->name))) &&
      add (j, "formula", string (p->formula)) &&
      add (j, "verdict", json_string (tl_verdict_word (p->verdict))) &&
      (p->verdict != TL_VERDICT_BOUND || add (j, "value", count (p->value))) &&
      add (j, "proof", json_string (p->proof));
  if (ok)
    return j;
  json_decref (j);
  return 0;
}

static bool add_answers (json_t *j, const tl_verification *v) {
  json_t *list = json_array ();
  const tl_proven *p;
  bool ok = list;
  for (size_t i = 0; ok && (p = tl_verification_proven (v, i)); i++)
    ok = !json_array_append_new (list, proven (p));
  return add (j, "answers", list) && ok && add (j, "facts", count (v->facts));
}

static bool add_proven (json_t *j, const tl_verification *v) {
  if (v->proven_count && !add_answers (j, v))
    return false;
  return !v->has_states || add_counted (j, v);
}

char *tl_verification_json (const tl_verification *v) {
  json_t *j = json_object ();
  const bool ok = j && add (j, "tool", json_string ("tideline")) &&
                  add (j, "version", json_string (tl_version ())) &&
                  add (j, "model", string (v->model)) &&
                  add (j, "verified", json_boolean (v->verified)) &&
                  (v->verified ? add_proven (j, v)
                               : add (j, "reason", string (v->reason))) &&
                  add (j, "certificate_bytes", count (v->bytes)) &&
                  add (j, "seconds", rounded (v->seconds));
  return dump (j, ok);
}

static json_t *successor (tl_showing *s, tl_state *state) {
  return json_pack (
      "{s:o, s:o, s:o}", "transition",
      string (tl_showing_step (s, &state->way, state->way.length - 1)), "state",
      count (state->target), "changes", marking (s, state->play, true));
}

static bool add_state (json_t *j, tl_showing *s, tl_state *state) {
  json_t *list = json_array ();
  bool failed = false, ok = list && add_net (j, s->net, 0) &&
                            add (j, "state", count (state->number)) &&
                            add (j, "steps", count (state->way.length)) &&
                            add (j, "marking", marking (s, state->play, false));
  while (ok && tl_state_next (state, &failed))
    ok = !json_array_append_new (list, successor (s, state));
  return add (j, "successors", list) && ok && !failed;
}

char *tl_state_json (const tl_condensed *graph, uint64_t number, tl_form form) {
  tl_showing s;
  tl_state state;
  json_t *j = json_object ();
  tl_showing_open (&s, tl_condensed_net (graph), form, false);
  const bool ok =
      tl_state_open (&state, graph, number) && j && add_state (j, &s, &state);
  tl_state_close (&state);
  tl_showing_close (&s);
  return dump (j, ok);
}

static bool add_choices (json_t *j, tl_showing *s, tl_game *g) {
  const tl_choice *choice;
  size_t n;
  json_t *list = json_array ();
  bool ok = list && !tl_playback_choices (tl_game_playback (g), &choice, &n, 0);
  for (size_t i = 0; ok && i < n; i++)
    ok = !json_array_append_new (list,
                                 string (tl_showing_choice (s, choice + i)));
  return add (j, "enabled", list) && ok;
}

char *tl_game_json (const tl_net *net, tl_game *g, tl_form form) {
  tl_showing s;
  json_t *j = json_object ();
  tl_showing_open (&s, net, form, false);
  const bool ok =
      j && add_net (j, net, 0) &&
      add (j, "steps", count (tl_game_trace (g)->length)) &&
      add_trace (j, "trace", &s, tl_game_trace (g)) &&
      add (j, "marking", marking (&s, tl_game_playback (g), false)) &&
      add (j, "changes", marking (&s, tl_game_playback (g), true)) &&
      add_choices (j, &s, g);
  tl_showing_close (&s);
  return dump (j, ok);
}
