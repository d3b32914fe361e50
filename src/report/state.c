// One state of a graph: its marking, and where its arcs lead.

#include "report/forms.h"
#include "report/showing.h"

#include <inttypes.h>

// Plays a trace to its end; null: no memory.
static tl_playback *play_all (const tl_net *net, const tl_trace *trace) {
  tl_playback *p;
  if (tl_playback_open (&p, net, trace, 0))
    return 0;
  for (uint64_t i = 0; i < trace->length; i++)
    if (tl_playback_step (p, 0)) {
      tl_playback_close (p);
      return 0;
    }
  return p;
}

bool tl_state_open (tl_state *s, const tl_condensed *graph, uint64_t state) {
  *s = (tl_state){.graph = graph, .number = state};
  if (tl_condensed_path (graph, state, &s->way, 0))
    return false;
  s->play = play_all (tl_condensed_net (graph), &s->way);
  return s->play;
}

bool tl_state_next (tl_state *s, bool *failed) {
  const uint64_t arc = s->arcs++;
  tl_trace way;
  tl_playback_close (s->play);
  s->play = 0;
  tl_condensed_path_close (&s->way);
  s->way = (tl_trace){0};
  const tl_status rc =
      tl_condensed_next (s->graph, s->number, arc, &way, &s->target, 0);
  *failed = rc && rc != TL_E_LIMIT;
  if (rc)
    return false;
  s->way = way;
  s->play = play_all (tl_condensed_net (s->graph), &s->way);
  *failed = !s->play;
  return s->play;
}

void tl_state_close (tl_state *s) {
  tl_playback_close (s->play);
  tl_condensed_path_close (&s->way);
}

static void write_marked (FILE *f, tl_showing *s, tl_playback *play, int at,
                          bool changes) {
  tl_column c = tl_column_at (f, changes ? 6 : TL_LABEL_WIDTH);
  c.at = at;
  tl_report_marked (s, &c, play, changes);
  tl_column_close (&c);
}

static bool write_text (FILE *f, tl_showing *s, tl_state *state) {
  bool failed;
  fprintf (f, "state %" PRIu64 " of %s, %s from the initial marking\n\n",
           state->number, tl_net_name (s->net),
           tl_several (state->way.length, "transition").text);
  fprintf (f, TL_LABEL, "marking");
  write_marked (f, s, state->play, TL_LABEL_WIDTH, false);
  while (tl_state_next (state, &failed)) {
    const char *step = tl_showing_step (s, &state->way, state->way.length - 1);
    const int at = fprintf (f, "  to %" PRIu64 " by %s ", state->target, step);
    write_marked (f, s, state->play, at, true);
  }
  if (state->arcs == 1)
    fprintf (f, TL_LABEL "none: nothing is enabled\n", "successors");
  return !failed;
}

static char *text (const tl_condensed *graph, uint64_t state, tl_form form) {
  tl_state one;
  tl_showing s;
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  tl_showing_open (&s, tl_condensed_net (graph), form, true);
  const bool ok =
      tl_state_open (&one, graph, state) && write_text (w.file, &s, &one);
  tl_state_close (&one);
  tl_showing_close (&s);
  char *report = tl_writing_close (&w);
  if (ok)
    return report;
  tl_text_close (report);
  return 0;
}

char *tl_condensed_state_report (const tl_condensed *graph, uint64_t state,
                                 tl_form form) {
  if (!graph)
    return 0;
  return TL_FORM_OF (form) == TL_FORM_JSON ? tl_state_json (graph, state, form)
                                           : text (graph, state, form);
}
