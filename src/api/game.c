// The token game: a trace that grows and shrinks, and a playback at its end.

#include "base/error.h"
#include "net/net.h"
#include "net/origin.h"
#include "net/titles.h"

#include <stdlib.h>
#include <string.h>

struct tl_game {
  const tl_net *net;
  tl_mem mem;
  tl_titles titles;
  tl_trace trace;
  uint64_t room; // steps
  tl_playback *play;
};

static tl_status no_memory (tl_error *error) {
  return tl_fail (error, TL_E_NOMEM, "no memory for the game");
}

static bool make_room (tl_game *g) {
  tl_trace *t = &g->trace;
  if (t->length < g->room)
    return true;
  const uint64_t room = 2 * g->room + 64;
  uint32_t *transition =
      reallocarray (t->transition, room, sizeof *t->transition);
  if (!transition)
    return false;
  t->transition = transition;
  if (g->net->folded) {
    char **step = reallocarray (t->step, room, sizeof *t->step);
    if (!step)
      return false;
    t->step = step;
  }
  g->room = room;
  return true;
}

// Steps that come after so many.
static void drop (tl_game *g, uint64_t steps) {
  tl_trace *t = &g->trace;
  while (t->length > steps) {
    t->length--;
    if (t->step)
      free (t->step[t->length]);
  }
}

// From the initial marking to the end of the trace.
static tl_status play_again (tl_game *g, tl_error *error) {
  tl_playback *play;
  tl_status rc = tl_playback_open (&play, g->net, &g->trace, error);
  for (uint64_t i = 0; !rc && i < g->trace.length; i++)
    rc = tl_playback_step (play, error);
  if (rc) {
    tl_playback_close (play);
    return rc;
  }
  tl_playback_close (g->play);
  g->play = play;
  return TL_OK;
}

tl_status tl_game_open (tl_game **out, const tl_net *net, tl_error *error) {
  if (out)
    *out = 0;
  if (!out || !net)
    return tl_fail (error, TL_E_ARG, "tl_game_open needs a net");
  tl_game *g = calloc (1, sizeof *g);
  if (!g)
    return no_memory (error);
  g->net = net;
  g->mem = TL_MEM (0, "names");
  const tl_status rc =
      !tl_titles_open (&g->titles, &g->mem, net) && make_room (g)
          ? play_again (g, error)
          : no_memory (error);
  if (rc) {
    tl_game_close (g);
    return rc;
  }
  *out = g;
  return TL_OK;
}

void tl_game_close (tl_game *g) {
  if (!g)
    return;
  tl_playback_close (g->play);
  tl_titles_close (&g->titles);
  drop (g, 0);
  free (g->trace.transition);
  free (g->trace.step);
  free (g);
}

static bool is_meant (tl_game *g, const tl_choice *c, const char *words) {
  const uint32_t shown = tl_shown_number (g->net, c->transition);
  const char *id = tl_shown_transition_id (g->net, shown);
  return !strcmp (words, id) ||
         !strcmp (words, tl_title (&g->titles, false, shown));
}

static bool is_step (tl_game *g, const tl_choice *c, const char *words) {
  return !strcmp (words, c->step) ||
         !strcmp (words, tl_title_in (&g->titles, false,
                                      tl_shown_number (g->net, c->transition),
                                      c->step));
}

tl_status tl_game_find (tl_game *g, const char *words, size_t *choice,
                        tl_error *error) {
  const tl_choice *list;
  size_t count, found = 0;
  if (!g || !words || !choice)
    return tl_fail (error, TL_E_ARG, "tl_game_find needs a game and words");
  const tl_status rc = tl_playback_choices (g->play, &list, &count, error);
  if (rc)
    return rc;
  for (size_t i = 0; i < count; i++)
    if (is_step (g, list + i, words)) {
      *choice = i;
      return TL_OK;
    }
  for (size_t i = count; i--;)
    if (is_meant (g, list + i, words)) {
      *choice = i;
      found++;
    }
  if (found == 1)
    return TL_OK;
  return tl_fail (error, TL_E_ARG,
                  found ? "several bindings of '%s' are enabled: say which"
                        : "'%s' is not enabled",
                  words);
}

tl_status tl_game_fire (tl_game *g, const tl_choice *choice, tl_error *error) {
  if (!g || !choice || choice->transition >= tl_net_transitions (g->net) ||
      (g->net->folded && !choice->step))
    return tl_fail (error, TL_E_ARG, "tl_game_fire needs a step of the net");
  tl_trace *t = &g->trace;
  char *step = g->net->folded ? strdup (choice->step) : 0;
  if (!make_room (g) || (g->net->folded && !step)) {
    free (step);
    return no_memory (error);
  }
  const uint64_t before = t->length++;
  t->transition[before] = choice->transition;
  if (t->step)
    t->step[before] = step;
  const tl_status rc = tl_playback_step (g->play, error);
  if (rc)
    drop (g, before);
  if (rc && g->net->folded) // what went wrong is still there
    play_again (g, 0);
  return rc;
}

tl_status tl_game_back (tl_game *g, uint64_t steps, tl_error *error) {
  if (!g || steps > g->trace.length)
    return tl_fail (error, TL_E_ARG, "the game has not come that far");
  drop (g, steps);
  return play_again (g, error);
}

const tl_trace *tl_game_trace (const tl_game *g) {
  return g ? &g->trace : 0;
}

tl_playback *tl_game_playback (tl_game *g) {
  return g ? g->play : 0;
}
