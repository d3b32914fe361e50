// Condensed graphs as the public header offers them: a graph, its net and the
// numbers of tokens of its places, from a search or from a file.

#include "api/api_call.h"
#include "api/api_runs.h"
#include "base/error.h"
#include "base/output.h"
#include "base/sized.h"
#include "graph/construct.h"
#include "graph/export.h"
#include "graph/file.h"
#include "graph/published.h"
#include "graph/way.h"
#include "read/inside.h"
#include "read/read.h"
#include "read/write.h"

#include <stdlib.h>
#include <string.h>

struct tl_condensed {
  tl_mem root, mem; // the one below the other
  const tl_net *net;
  tl_net *inside; // the net of a file, else null
  const tl_graph *graph;
  const uint64_t *most; // [places] largest number of tokens
  tl_graph *built;      // from a search
  uint64_t *counted;    // [places] of it
  tl_graph_file file;
  const char *compiled; // as the search said
};

static tl_condensed *make (size_t limit) {
  tl_condensed *c = calloc (1, sizeof *c);
  if (!c)
    return 0;
  c->root = TL_MEM (0, "total");
  c->root.limit = limit;
  c->mem = TL_MEM (&c->root, "graph");
  return c;
}

void tl_condensed_close (tl_condensed *c) {
  if (!c)
    return;
  tl_graph_close (c->built);
  free (c->counted);
  tl_graph_file_close (&c->file);
  if (c->inside)
    tl_net_close (c->inside);
  free (c);
}

static tl_status no_memory (tl_error *error) {
  return tl_fail (error, TL_E_NOMEM, "no memory for the graph");
}

// Of the result of a search, which is the caller's.
static tl_status keep_counts (tl_condensed *c, const uint64_t *place_max,
                              tl_error *error) {
  c->most = c->counted = calloc (c->net->places + 1, sizeof *c->counted);
  if (!c->counted)
    return no_memory (error);
  memcpy (c->counted, place_max, c->net->places * sizeof *c->counted);
  return TL_OK;
}

static tl_status build (tl_condensed *c, const tl_options *options,
                        tl_exploration *run, tl_error *error) {
  const tl_status rc = tl_graph_build (&c->built, &c->mem, &c->root, c->net,
                                       options, run, error);
  c->graph = c->built;
  c->compiled = run->compiled;
  return !rc && c->built ? keep_counts (c, run->place_max, error) : rc;
}

tl_status tl_condensed_build_sized (tl_condensed **out, const tl_net *net,
                                    const tl_options *options,
                                    tl_exploration *run, tl_error *error) {
  tl_api_call call;
  tl_exploration whole = {.size = 0};
  tl_status rc = tl_api_open (&call, options, run, error);
  if (!rc && call.options.checkpoint)
    rc = tl_fail (error, TL_E_ARG, "graphs have no checkpoints");
  if (!rc && (!out || !net))
    rc = tl_api_lacks ("tl_condensed_build", "a net", error);
  if (rc)
    return rc;
  *out = 0;
  tl_condensed *c = make (call.root.limit);
  if (!c)
    return no_memory (error);
  c->net = net;
  if (!(rc = build (c, &call.options, &whole, error)))
    TL_GIVE (run, &whole);
  tl_exploration_close (&whole);
  if (!rc && c->built)
    *out = c;
  else
    tl_condensed_close (c);
  return rc;
}

// ---- Files -----------------------------------------------------------------

bool tl_condensed_is (const char *path) {
  return path && tl_container_is (path);
}

static tl_status open_file (tl_condensed *c, const char *path,
                            tl_error *error) {
  tl_status rc = tl_graph_file_open (&c->file, &c->mem, path, error);
  if (!rc)
    rc = tl_read_net_section (&c->inside, &c->mem, path, &c->file.net, error);
  if (rc)
    return rc;
  c->net = c->inside;
  c->graph = c->file.graph;
  c->most = c->file.most;
  const uint32_t places = c->net->places;
  // Of nets that are not unfolded, 0.1.0 kept a place less; nobody reads them.
  return c->file.places == places ||
                 (c->net->folded && c->file.places + 1 == places)
             ? TL_OK
             : tl_fail_at (error, TL_E_SYNTAX, path, 0, 0,
                           "the graph in it is not that of its net");
}

tl_status tl_condensed_open (tl_condensed **out, const char *path,
                             tl_error *error) {
  if (!out || !path)
    return tl_api_lacks ("tl_condensed_open", "a graph and a path", error);
  *out = 0;
  tl_condensed *c = make (tl_mem_default ());
  if (!c)
    return no_memory (error);
  const tl_status rc = open_file (c, path, error);
  if (rc)
    tl_condensed_close (c);
  else
    *out = c;
  return rc;
}

static tl_status write_net (const tl_net *net, char **text, size_t *length,
                            tl_error *error) {
  tl_mem mem = TL_MEM (0, "writing");
  FILE *f = open_memstream (text, length);
  if (!f)
    return no_memory (error);
  const tl_status rc = tl_write_pnml_kept (net, &mem, f, error);
  const bool written = !ferror (f);
  return fclose (f) || !written ? no_memory (error) : rc;
}

// The net as a section of a file.  `*text` is to be freed.
static tl_status make_section (const tl_net *net, tl_section *section,
                               char **text, tl_error *error) {
  *text = 0;
  if (!tl_net_has_arcs (net))
    return tl_inside_section (net, section)
               ? TL_OK
               : tl_fail (error, TL_E_MODEL,
                          "the text of %s was not kept, so that its graph "
                          "cannot be saved",
                          net->name);
  size_t length = 0;
  const tl_status rc = write_net (net, text, &length, error);
  *section = (tl_section){TL_SECTION_NET, *text, length};
  return rc;
}

tl_status tl_condensed_save (const tl_condensed *c, const char *path,
                             tl_error *error) {
  if (!c || !path)
    return tl_api_lacks ("tl_condensed_save", "a graph and a path", error);
  char *text;
  tl_section net;
  tl_status rc = make_section (c->net, &net, &text, error);
  if (!rc)
    rc = tl_graph_file_save (c->graph, &net, c->most, c->net->places, path,
                             error);
  free (text);
  return rc;
}

// ---- Looking at it ---------------------------------------------------------

const tl_net *tl_condensed_net (const tl_condensed *c) {
  return c ? c->net : 0;
}

static uint64_t net_bytes (const tl_condensed *c) {
  char *text = 0;
  tl_section net = c->file.net;
  if (!net.length && make_section (c->net, &net, &text, 0))
    net.length = 0;
  free (text);
  return net.length;
}

void tl_condensed_sizes_sized (const tl_condensed *c, tl_condensed_size *out) {
  if (!tl_sized_clear (out) || !c)
    return;
  tl_condensed_size sizes = {.size = sizeof sizes,
                             .states = c->graph->states,
                             .arcs = c->graph->arcs,
                             .markings = c->graph->markings,
                             .bytes = tl_graph_bytes (c->graph),
                             .net_bytes = net_bytes (c),
                             .compiled = c->compiled,
                             .published_bytes = tl_graph_published_bytes (
                                 c->graph, c->net->transitions)};
  TL_GIVE (out, &sizes);
}

static tl_status not_its_graph (const tl_condensed *c, tl_error *error) {
  return tl_fail_at (error, TL_E_SYNTAX, c->file.container.path, 0, 0,
                     "the graph in it is not that of its net");
}

static const struct form {
  const char *name;
  tl_status (*write) (const tl_graph *, tl_mem *, const tl_net *,
                      const uint64_t *most, tl_titles *, FILE *);
  bool names; // unless ids are wanted
} forms[] = {{"aut", tl_graph_write_aut, false},
             {"dot", tl_graph_write_dot, true},
             {"graphml", tl_graph_write_graphml, true},
             {"states", tl_graph_write_states, false},
             {"csv", tl_graph_write_csv, false},
             {"published", tl_graph_write_published, false}};

static const struct form *find_form (const char *format) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (!strcmp (forms[i].name, format))
      return forms + i;
  return 0;
}

// The part of a graph that is drawn; null: all of it is written.
struct part {
  uint64_t state, room;
  uint32_t depth;
};

static tl_status draw_part (const tl_condensed *c, const struct part *part,
                            tl_mem *mem, tl_titles *titles, FILE *file) {
  tl_around around;
  tl_status rc = tl_around_open (&around, c->graph, mem, c->net, c->most,
                                 part->state, part->depth, part->room);
  if (!rc)
    rc = tl_graph_draw (c->graph, mem, c->net, c->most, titles, &around, file);
  tl_around_close (&around);
  return rc;
}

static tl_status write_as (const tl_condensed *c, const struct form *form,
                           const struct part *part, tl_form shown, tl_mem *mem,
                           FILE *file) {
  tl_titles titles;
  const bool names =
      shown & TL_SHOW_NAMES || (form->names && !(shown & TL_SHOW_IDS));
  tl_status rc = tl_titles_open (&titles, mem, c->net);
  tl_titles *used = names ? &titles : 0;
  if (!rc)
    rc = part ? draw_part (c, part, mem, used, file)
              : form->write (c->graph, mem, c->net, c->most, used, file);
  tl_titles_close (&titles);
  return rc;
}

static tl_status write_file (const tl_condensed *c, const char *path,
                             const struct form *form, const struct part *part,
                             tl_form shown, const tl_settings *within,
                             tl_error *error) {
  const tl_budget budget = tl_budget_of (within->timeout, within->cancel);
  tl_mem mem = TL_MEM (0, "writing");
  mem.budget = &budget;
  tl_output out;
  tl_status rc = tl_output_open (&out, path, error);
  if (rc)
    return rc;
  rc = write_as (c, form, part, shown, &mem, out.file);
  if (rc == TL_E_NOMEM)
    no_memory (error);
  else if (rc == TL_E_LIMIT && part && !tl_budget_look (&mem))
    rc = tl_fail (error, TL_E_ARG,
                  "there are more than %llu states around state %llu: take "
                  "fewer steps",
                  (unsigned long long)part->room,
                  (unsigned long long)part->state);
  else if (rc && !tl_budget_look (&mem))
    not_its_graph (c, error);
  else
    rc = tl_budget_end (rc, &mem, tl_output_name (&out), "writing the graph",
                        error);
  return tl_output_close (&out, rc, error);
}

tl_status tl_condensed_export (const tl_condensed *c, const char *path,
                               const char *format, tl_form shown,
                               tl_error *error) {
  const tl_settings settings = tl_settings_default ();
  return tl_condensed_export_with (c, path, format, shown, &settings, error);
}

tl_status tl_condensed_export_with (const tl_condensed *c, const char *path,
                                    const char *format, tl_form shown,
                                    const tl_settings *given, tl_error *error) {
  tl_settings within;
  if (!c || !path || !format || !given)
    return tl_api_lacks ("tl_condensed_export", "a graph, a path and a format",
                         error);
  if (tl_settings_take (&within, given, error))
    return TL_E_ARG;
  const struct form *form = find_form (format);
  if (!form)
    return tl_fail (error, TL_E_ARG,
                    "graphs are written as aut, dot, graphml, states, csv or "
                    "published");
  return write_file (c, path, form, 0, shown, &within, error);
}

static tl_status no_such_state (const tl_condensed *c, uint64_t state,
                                tl_error *error) {
  return tl_fail (
      error, TL_E_ARG, "there is no state %llu: they are numbered 0 to %llu",
      (unsigned long long)state, (unsigned long long)c->graph->states - 1);
}

tl_status tl_condensed_draw (const tl_condensed *c, const char *path,
                             uint64_t state, uint32_t depth, uint64_t most,
                             tl_form shown, const tl_settings *given,
                             tl_error *error) {
  tl_settings within;
  if (!c || !path || !given)
    return tl_api_lacks ("tl_condensed_draw", "a graph, a path and settings",
                         error);
  if (tl_settings_take (&within, given, error))
    return TL_E_ARG;
  if (state >= c->graph->states)
    return no_such_state (c, state, error);
  const struct part part = {.state = state, .depth = depth, .room = most};
  return write_file (c, path, find_form ("dot"), &part, shown, &within, error);
}

static tl_status find_way (const tl_condensed *c, uint64_t state,
                           const tl_graph_arc *arc, tl_trace *trace,
                           tl_error *error) {
  *trace = (tl_trace){0};
  if (state >= c->graph->states)
    return no_such_state (c, state, error);
  const tl_status rc = tl_graph_way_on (c->graph, c->net, state, arc, trace);
  return rc == TL_E_SYNTAX  ? not_its_graph (c, error)
         : rc == TL_E_LIMIT ? tl_fail (error, rc, "the state has no more arcs")
         : rc               ? no_memory (error)
                            : TL_OK;
}

tl_status tl_condensed_path (const tl_condensed *c, uint64_t state,
                             tl_trace *trace, tl_error *error) {
  if (!c || !trace)
    return tl_api_lacks ("tl_condensed_path", "a graph and a trace", error);
  return find_way (c, state, 0, trace, error);
}

tl_status tl_condensed_next (const tl_condensed *c, uint64_t state,
                             uint64_t number, tl_trace *trace, uint64_t *target,
                             tl_error *error) {
  if (!c || !trace || !target)
    return tl_api_lacks ("tl_condensed_next", "a graph, a trace and a target",
                         error);
  const tl_graph_arc arc = {number, target};
  return find_way (c, state, &arc, trace, error);
}

// ---- Going through it ------------------------------------------------------

typedef struct tour {
  tl_mem mem;
  const tl_net *net;
  int (*visit) (void *context, const tl_condensed_visit *);
  void *context;
  bool ended; // by a visit
  uint64_t *tokens;
  uint32_t *transition; // [room]
  size_t room;
} tour;

static tl_status visit_state (void *context, const tl_walk_visit *v) {
  tour *t = context;
  if (!TL_ROOM (&t->mem, t->transition, &t->room, (size_t)v->arcs + 1))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < v->arcs; i++)
    t->transition[i] = tl_generator_transition (v->generator, v->step[i]);
  if (t->tokens)
    tl_layout_unpack (v->visit.layout, v->visit.state, t->tokens);
  const tl_condensed_visit shown = {.size = sizeof shown,
                                    .state = v->number,
                                    .arcs = v->arcs,
                                    .transition = t->transition,
                                    .target = v->target,
                                    .tokens = t->tokens};
  t->ended = t->visit (t->context, &shown);
  return t->ended ? TL_E_CANCEL : tl_walk_look (v, &t->mem);
}

static tl_status make_tour (const tl_condensed *c, tour *t, tl_error *error) {
  const size_t places = (size_t)c->net->places + 1;
  if (tl_net_has_arcs (c->net) && !TL_NEW (&t->mem, t->tokens, places))
    return no_memory (error);
  const tl_status rc =
      tl_graph_walk (c->graph, &t->mem, c->net, c->most, visit_state, t);
  TL_DEL (&t->mem, t->tokens, places);
  TL_DEL (&t->mem, t->transition, t->room);
  return t->ended           ? tl_fail (error, rc, "a visit ended the walk")
         : rc == TL_E_NOMEM ? no_memory (error)
         : rc && !tl_budget_look (&t->mem)
             ? not_its_graph (c, error)
             : tl_budget_end (rc, &t->mem, c->net->name, "visiting its states",
                              error);
}

tl_status tl_condensed_walk (const tl_condensed *c, const tl_settings *given,
                             int (*visit) (void *context,
                                           const tl_condensed_visit *),
                             void *context, tl_error *error) {
  tl_settings within = tl_settings_default ();
  if (!c || !visit)
    return tl_api_lacks ("tl_condensed_walk", "a graph and a visit", error);
  if (given && tl_settings_take (&within, given, error))
    return TL_E_ARG;
  const tl_budget budget = tl_budget_of (within.timeout, within.cancel);
  tour t = {.mem = TL_MEM (0, "walk"),
            .net = c->net,
            .visit = visit,
            .context = context};
  t.mem.budget = &budget;
  return make_tour (c, &t, error);
}

tl_status tl_condensed_targets (const tl_condensed *c, uint64_t state,
                                uint64_t *target, size_t room, size_t *count,
                                tl_error *error) {
  if (!c || !count || (room && !target))
    return tl_api_lacks ("tl_condensed_targets", "a graph and room", error);
  if (state >= c->graph->states)
    return no_such_state (c, state, error);
  uint64_t *all = calloc ((size_t)c->graph->widest + 1, sizeof *all);
  if (!all)
    return no_memory (error);
  tl_graph_cursor cursor;
  tl_graph_seek (&cursor, c->graph, state);
  *count = (size_t)tl_graph_step (&cursor, all);
  if (room)
    memcpy (target, all, (*count < room ? *count : room) * sizeof *target);
  free (all);
  return TL_OK;
}

void tl_condensed_path_close (tl_trace *trace) {
  if (trace)
    tl_trace_close (trace);
}

tl_status tl_condensed_check_sized (const tl_condensed *c,
                                    const tl_questions *questions,
                                    const tl_options *options, tl_answers *out,
                                    tl_error *error) {
  if (!c)
    return tl_api_lacks ("tl_condensed_check", "a graph", error);
  const tl_saved saved = {.graph = c->graph, .most = c->most};
  const tl_status rc =
      tl_check_run (c->net, &saved, questions, options, out, error);
  return rc == TL_E_SYNTAX ? not_its_graph (c, error) : rc;
}
