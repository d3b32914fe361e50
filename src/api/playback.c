#include "base/error.h"
#include "model/coloured_model.h"
#include "net/marking.h"
#include "net/origin.h"

#include <stdlib.h>
#include <string.h>

// Fires a trace step by step.  Of a net with arcs the marking is a list of
// numbers, and a step changes some of them.  Of a coloured net that is not
// unfolded it is the list of all its tokens, and what changes is told by
// comparing it with the list before.

typedef struct tokens {
  tl_marked *list; // by place, then by id
  size_t count, room;
} tokens;

struct tl_playback {
  const tl_net *net;
  const tl_trace *trace;
  uint64_t at;       // steps fired
  uint64_t *marking; // [places]
  tl_marked *told;   // room for what is told
  size_t told_room;
  struct {
    tl_choice *list;
    size_t count, room;
    bool known; // it is of this marking
  } choices;
  tl_coloured_walk *walk; // of a net that is not unfolded; then also
  tokens now, before;
};

// ---- Nets that are not unfolded --------------------------------------------

static void clear (tokens *t) {
  for (size_t i = 0; i < t->count; i++)
    free ((char *)t->list[i].id);
  t->count = 0;
}

static tl_status add (void *context, uint32_t place, const char *id,
                      uint64_t many) {
  tokens *t = context;
  if (t->count == t->room) {
    const size_t room = 2 * t->room + 16;
    tl_marked *list = reallocarray (t->list, room, sizeof *list);
    if (!list)
      return TL_E_NOMEM;
    t->list = list;
    t->room = room;
  }
  char *copy = strdup (id);
  if (copy)
    t->list[t->count++] =
        (tl_marked){.id = copy, .place = place, .before = many, .tokens = many};
  return copy ? TL_OK : TL_E_NOMEM;
}

// The order in which tokens are told.
static int compare (const tl_marked *a, const tl_marked *b) {
  return a->place != b->place ? (a->place < b->place ? -1 : 1)
                              : strverscmp (a->id, b->id);
}

static tl_status list_tokens (tl_playback *p) {
  const tokens old = p->before;
  p->before = p->now;
  p->now = old;
  clear (&p->now);
  return tl_coloured_walk_tell (p->walk, add, &p->now);
}

// What is in one of the lists only, or in both with another number.
static size_t compare_lists (const tl_playback *p, tl_marked *out) {
  const tl_marked *now = p->now.list, *now_end = now + p->now.count,
                  *before = p->before.list,
                  *before_end = before + p->before.count;
  size_t count = 0;
  while (now < now_end || before < before_end) {
    const int order = now == now_end         ? 1
                      : before == before_end ? -1
                                             : compare (now, before);
    tl_marked m = order > 0 ? *before : *now;
    m.before = order < 0 ? 0 : before->tokens;
    m.tokens = order > 0 ? 0 : now->tokens;
    now += order <= 0;
    before += order >= 0;
    if (m.before != m.tokens)
      out[count++] = m;
  }
  return count;
}

static bool make_room (tl_playback *p, size_t count) {
  if (count <= p->told_room)
    return true;
  tl_marked *told = reallocarray (p->told, count, sizeof *told);
  if (!told)
    return false;
  p->told = told;
  p->told_room = count;
  return true;
}

// ---- All nets --------------------------------------------------------------

static tl_status no_memory (tl_error *error) {
  return tl_fail (error, TL_E_NOMEM, "no memory for markings");
}

static tl_status not_enabled (tl_error *error) {
  return tl_fail (error, TL_E_ARG, "a step of the trace is not enabled");
}

static tl_status begin (tl_playback *p) {
  const size_t places = (size_t)p->net->places + 1;
  if (p->net->folded) {
    const tl_status rc = tl_coloured_walk_open (&p->walk, p->net);
    return rc ? rc : list_tokens (p);
  }
  p->marking = calloc (places, sizeof *p->marking);
  if (!p->marking || !make_room (p, places))
    return TL_E_NOMEM;
  tl_marking_initial (p->net, p->marking);
  return TL_OK;
}

tl_status tl_playback_open (tl_playback **out, const tl_net *net,
                            const tl_trace *trace, tl_error *error) {
  if (out)
    *out = 0;
  if (!out || !net || !trace ||
      (trace->length &&
       !(net->folded ? (void *)trace->step : (void *)trace->transition)))
    return tl_fail (error, TL_E_ARG,
                    "tl_playback_open needs a net and a trace of it");
  tl_playback *p = calloc (1, sizeof *p);
  if (!p)
    return no_memory (error);
  p->net = net;
  p->trace = trace;
  const tl_status rc = begin (p);
  if (rc) {
    tl_playback_close (p);
    return rc == TL_E_NOMEM ? no_memory (error) : not_enabled (error);
  }
  *out = p;
  return TL_OK;
}

// ---- What is enabled -------------------------------------------------------

// Of a net with arcs the words belong to the net.
static void forget_choices (tl_playback *p) {
  for (size_t i = 0; p->walk && i < p->choices.count; i++)
    free ((char *)p->choices.list[i].step);
  p->choices.count = 0;
  p->choices.known = false;
}

static tl_status add_choice (void *context, uint32_t transition,
                             const char *words) {
  tl_playback *p = context;
  if (p->choices.count == p->choices.room) {
    const size_t room = 2 * p->choices.room + 16;
    tl_choice *list = reallocarray (p->choices.list, room, sizeof *list);
    if (!list)
      return TL_E_NOMEM;
    p->choices.list = list;
    p->choices.room = room;
  }
  const char *step = p->walk ? strdup (words) : words;
  if (step)
    p->choices.list[p->choices.count++] =
        (tl_choice){.transition = transition, .step = step};
  return step ? TL_OK : TL_E_NOMEM;
}

static tl_status find_choices (tl_playback *p, tl_error *fault) {
  tl_status rc = TL_OK;
  if (p->walk)
    return tl_coloured_walk_enabled (p->walk, add_choice, p, fault);
  for (uint32_t t = 0; !rc && t < p->net->transitions; t++)
    if (tl_marking_enables (p->net, p->marking, t))
      rc = add_choice (p, t, tl_net_step_name (p->net, t));
  return rc;
}

tl_status tl_playback_choices (tl_playback *p, const tl_choice **list,
                               size_t *count, tl_error *error) {
  if (!p || !list || !count)
    return tl_fail (error, TL_E_ARG,
                    "tl_playback_choices needs a playback and a list");
  if (!p->choices.known) {
    const tl_status rc = find_choices (p, error);
    if (rc) {
      forget_choices (p);
      return rc == TL_E_NOMEM ? no_memory (error) : rc;
    }
    p->choices.known = true;
  }
  *list = p->choices.list;
  *count = p->choices.count;
  return TL_OK;
}

// ---- Steps -----------------------------------------------------------------

void tl_playback_close (tl_playback *p) {
  if (!p)
    return;
  forget_choices (p);
  free (p->choices.list);
  tl_coloured_walk_close (p->walk);
  clear (&p->now);
  clear (&p->before);
  free (p->now.list);
  free (p->before.list);
  free (p->marking);
  free (p->told);
  free (p);
}

static tl_status fire (tl_playback *p) {
  const uint32_t t = p->trace->transition[p->at];
  if (p->walk) {
    const tl_status rc =
        tl_coloured_walk_step (p->walk, t, p->trace->step[p->at]);
    return rc ? rc : list_tokens (p);
  }
  if (t >= p->net->transitions || !tl_marking_enables (p->net, p->marking, t))
    return TL_E_ARG;
  tl_marking_fire (p->net, p->marking, t);
  return TL_OK;
}

tl_status tl_playback_step (tl_playback *p, tl_error *error) {
  if (!p)
    return tl_fail (error, TL_E_ARG, "tl_playback_step needs a playback");
  if (p->at == p->trace->length)
    return tl_fail (error, TL_E_LIMIT, "the trace has ended");
  const tl_status rc = fire (p);
  if (rc)
    return rc == TL_E_NOMEM ? no_memory (error) : not_enabled (error);
  p->at++;
  forget_choices (p);
  return TL_OK;
}

// A place, with so many tokens now and before.
static tl_marked marked (const tl_playback *p, uint32_t place,
                         uint64_t before) {
  const tl_origin *o = p->net->origin;
  return (tl_marked){.id = p->net->place_id[place],
                     .place = o ? tl_origin_place (o, place) : place,
                     .before = before,
                     .tokens = p->marking[place]};
}

size_t tl_playback_marking (tl_playback *p, const tl_marked **list) {
  size_t count = 0;
  if (!p || !list)
    return 0;
  *list = p->walk ? p->now.list : p->told;
  if (p->walk)
    return p->now.count;
  for (uint32_t i = 0; i < p->net->places; i++)
    if (p->marking[i])
      p->told[count++] = marked (p, i, p->marking[i]);
  return count;
}

size_t tl_playback_changes (tl_playback *p, const tl_marked **list) {
  size_t count = 0;
  if (!p || !list || !p->at ||
      (p->walk && !make_room (p, p->now.count + p->before.count)))
    return 0;
  *list = p->told;
  if (p->walk)
    return compare_lists (p, p->told);
  for (tl_change c = tl_net_change (p->net, p->trace->transition[p->at - 1]);
       tl_net_change_next (&c);)
    p->told[count++] =
        marked (p, c.place, p->marking[c.place] - (uint64_t)c.amount);
  return count;
}
