// How the first rank tells the others what to search: the net, arc by arc, and
// the options that all have in common.

#include "explore/how.h"
#include "explore/together.h"
#include "store/kinds.h"

#include <stdio.h>
#include <string.h>

const char *tl_together_refusal (const tl_net *net, const tl_options *options,
                                 const tl_visitor *v) {
  tl_how how;
  if (tl_how_parse (&how, options, 0))
    return "the options are wrong";
  const bool sweeps = how.order == &tl_order_sweep;
  return !tl_net_has_arcs (net) ? "a net that is not unfolded has one"
         : how.order != &tl_order_bfs && !sweeps
             ? "only breadth-first search and sweeps have several"
         : sweeps && options->checkpoint
             ? "checkpoints of a sweep are written by one"
         : options->device && strcmp (options->device, "cpu")
             ? "a device is used by one"
         : options->certificate ? "certificates are written by one"
         : v && v->arcs         ? "graphs are built by one"
         : v && v->finalised    ? "components are looked for by one"
         : v && !v->brief       ? "who looks at the states has one"
         : how.stubborn == TL_REDUCE_PROPERTY
             ? "stubborn sets for a property have one"
         : how.store == &tl_store_delta ? "the store delta has one"
                                        : 0;
}

// ---- Words -----------------------------------------------------------------

typedef struct letter {
  tl_mem *mem;
  uint64_t *word;
  size_t count, room;
  size_t at; // what is read next
  bool failed;
} letter;

static void add (letter *l, uint64_t word) {
  if (l->failed || !TL_ROOM (l->mem, l->word, &l->room, l->count + 1))
    l->failed = true;
  else
    l->word[l->count++] = word;
}

static uint64_t next (letter *l) {
  return l->at < l->count ? l->word[l->at++] : 0;
}

// ---- The net ---------------------------------------------------------------

static void add_arcs (letter *l, tl_arcs arcs) {
  add (l, arcs.count);
  for (uint32_t i = 0; i < arcs.count; i++) {
    add (l, arcs.arc[i].place);
    add (l, arcs.arc[i].weight);
  }
}

static void add_units (letter *l, const tl_net *net) {
  add (l, net->units);
  add (l, net->units_safe);
  for (uint32_t u = 0; u < net->units; u++) {
    add (l, net->unit[u].parent);
    add (l, net->unit[u].place_count);
    for (uint32_t i = 0; i < net->unit[u].place_count; i++)
      add (l, net->unit[u].places[i]);
  }
}

static void add_net (letter *l, const tl_net *net) {
  add (l, net->places);
  for (uint32_t p = 0; p < net->places; p++)
    add (l, net->initial[p]);
  add (l, net->transitions);
  for (uint32_t t = 0; t < net->transitions; t++) {
    add_arcs (l, tl_net_pre (net, t));
    add_arcs (l, tl_net_post (net, t));
    add_arcs (l, tl_net_inhibitors (net, t));
  }
  add_units (l, net);
}

static tl_status read_arcs (letter *l, tl_builder *b, tl_arc_kind kind,
                            uint32_t transition) {
  tl_status rc = TL_OK;
  for (uint64_t left = next (l); !rc && left; left--) {
    const uint32_t place = (uint32_t)next (l), weight = (uint32_t)next (l);
    rc = tl_builder_arc (b, kind, place, transition, weight);
  }
  return rc;
}

static tl_status read_units (letter *l, tl_builder *b) {
  const uint64_t units = next (l);
  tl_status rc = TL_OK;
  tl_builder_units_safe (b, next (l));
  for (uint64_t u = 0; !rc && u < units; u++) {
    char id[32];
    const uint32_t parent = (uint32_t)next (l), count = (uint32_t)next (l);
    uint32_t *places;
    if (!TL_NEW (l->mem, places, count))
      return TL_E_NOMEM;
    for (uint32_t i = 0; i < count; i++)
      places[i] = (uint32_t)next (l);
    snprintf (id, sizeof id, "u%llu", (unsigned long long)u);
    rc = tl_builder_unit (b, id, parent, places, count);
    TL_DEL (l->mem, places, count);
  }
  return rc;
}

static tl_status read_nodes (letter *l, tl_builder *b) {
  char id[32];
  tl_status rc = TL_OK;
  const uint64_t places = next (l);
  for (uint64_t p = 0; !rc && p < places; p++) {
    snprintf (id, sizeof id, "p%llu", (unsigned long long)p);
    rc = tl_builder_place (b, id, 0, (uint32_t)next (l), 0);
  }
  const uint64_t transitions = next (l);
  for (uint64_t t = 0; !rc && t < transitions; t++) {
    snprintf (id, sizeof id, "t%llu", (unsigned long long)t);
    if (!(rc = tl_builder_transition (b, id, 0, 0)) &&
        !(rc = read_arcs (l, b, TL_ARC_PRE, (uint32_t)t)) &&
        !(rc = read_arcs (l, b, TL_ARC_POST, (uint32_t)t)))
      rc = read_arcs (l, b, TL_ARC_INHIBITOR, (uint32_t)t);
  }
  return rc ? rc : read_units (l, b);
}

static tl_status read_net (letter *l, tl_net **net) {
  tl_builder *b;
  tl_error error = {0};
  tl_status rc = tl_builder_open (&b, l->mem);
  if (rc)
    return rc;
  if ((rc = read_nodes (l, b))) {
    tl_builder_close (b);
    return rc;
  }
  return tl_builder_finish (b, "followed", "ranks", net, &error);
}

// ---- Options ---------------------------------------------------------------

// The names, by their numbers in the tables.
static const char *const stores[] = {"auto", "table", "plain", "tree"};
static const char *const reductions[] = {"none", "deadlock"};
static const char *const orders[] = {"bfs", "sweep"};
// All that counts is whether the tool chooses: the measure is told later.
static const char *const measures[] = {"none", "auto", "sampled"};

static uint64_t find (const char *const *names, size_t count,
                      const char *name) {
  for (size_t i = 1; i < count; i++)
    if (!strcmp (names[i], name))
      return i;
  return 0;
}

static void add_options (letter *l, const tl_options *o) {
  add (l, find (stores, sizeof stores / sizeof *stores, o->store));
  add (l,
       find (reductions, sizeof reductions / sizeof *reductions, o->stubborn));
  add (l, o->every_place);
  add (l, o->max_states);
  add (l, o->threads);
  add (l, o->seed);
  add (l, o->parallel_from);
  add (l, o->memory);
  add (l, o->resume);
  add (l, find (orders, sizeof orders / sizeof *orders, o->order));
  add (l, o->window);
  add (l, o->exact_count);
  add (l, o->monotone);
  add (l, find (measures, sizeof measures / sizeof *measures, o->progress));
  const char *path = o->checkpoint ? o->checkpoint : "";
  for (size_t i = 0; i <= strlen (path); i++)
    add (l, (unsigned char)path[i]);
}

enum { PATH = 4096 };

static void read_path (letter *l, char *path) {
  for (size_t i = 0; (path[i < PATH ? i : PATH - 1] = (char)next (l)); i++)
    continue;
  path[PATH - 1] = 0;
}

static tl_options read_options (letter *l, const tl_options *own, char *path) {
  tl_options o = tl_options_whole ();
  o.store = stores[next (l)];
  o.stubborn = reductions[next (l)];
  o.every_place = next (l);
  o.max_states = next (l);
  o.threads = (uint32_t)next (l);
  o.seed = next (l);
  o.parallel_from = next (l);
  o.memory = next (l);
  o.resume = next (l);
  o.order = orders[next (l)];
  o.window = next (l);
  o.exact_count = next (l);
  o.monotone = next (l);
  o.progress = measures[next (l)];
  read_path (l, path);
  o.checkpoint = *path ? path : 0;
  // Who goes on was told nothing, but the first rank has what all were told.
  if (own->threads && !o.resume)
    o.threads = own->threads;
  if (own->memory)
    o.memory = own->memory;
  o.cancel = own->cancel;
  o.trim = own->trim;
  return o;
}

// ---- Calling and following -------------------------------------------------

tl_status tl_together_call (tl_cluster *all, const tl_net *net,
                            const tl_options *options, tl_mem *mem) {
  letter l = {.mem = mem};
  add_options (&l, options);
  add_net (&l, net);
  uint64_t count = l.failed ? 0 : l.count;
  if (count) {
    all->tell (all, 0, &count, sizeof count);
    all->tell (all, 0, l.word, count * sizeof *l.word);
  }
  TL_DEL (mem, l.word, l.room);
  return count ? TL_OK : TL_E_NOMEM;
}

void tl_together_end (tl_cluster *all) {
  uint64_t none = 0;
  all->tell (all, 0, &none, sizeof none);
}

// Takes part in a search.
static void follow (tl_cluster *all, const tl_lookout *lookout, letter *l,
                    const tl_options *own) {
  tl_exploration result = {.size = sizeof result};
  tl_error error = {0};
  tl_net *net = 0;
  char path[PATH];
  const tl_options options = read_options (l, own, path);
  tl_mem root = TL_MEM (0, "total");
  root.limit = options.memory ? options.memory : tl_mem_default ();
  if (read_net (l, &net))
    all->abandon (all, 3, "no memory for the net");
  tl_mem_put (l->mem, l->word, l->room, sizeof *l->word);
  l->word = 0;
  if (!tl_explore_share (&root, net, &options, 0,
                         &(tl_fleet){.cluster = all, .lookout = lookout},
                         &result, &error))
    tl_exploration_close (&result);
  tl_net_close (net);
}

void tl_together_follow (tl_cluster *all, const tl_lookout *lookout,
                         const tl_options *own) {
  for (;;) {
    uint64_t count = 0;
    tl_mem mem = TL_MEM (0, "net");
    letter l = {.mem = &mem};
    all->tell (all, 0, &count, sizeof count);
    if (!count)
      return;
    if (!TL_ROOM (&mem, l.word, &l.room, count))
      all->abandon (all, 3, "no memory for the net");
    l.count = count;
    all->tell (all, 0, l.word, count * sizeof *l.word);
    follow (all, lookout, &l, own);
  }
}
