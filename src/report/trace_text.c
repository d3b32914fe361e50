// Traces as text, with the markings on the way where these are wanted.

#include "report/showing.h"

#include <inttypes.h>
#include <stdlib.h>

// Of a large marking only so many lines are shown to people.
#define MARKING_LINES 6

// ---- Markings --------------------------------------------------------------

static void write_marked (tl_showing *s, tl_column *c, const tl_marked *m,
                          bool change) {
  const char *label = tl_showing_marked (s, m);
  char *word;
  const int length = change ? asprintf (&word, "%s: %" PRIu64 "->%" PRIu64,
                                        label, m->before, m->tokens)
                     : m->tokens > 1
                         ? asprintf (&word, "%s*%" PRIu64, label, m->tokens)
                         : asprintf (&word, "%s", label);
  tl_column_word (c, length < 0 ? label : word);
  if (length >= 0)
    free (word);
}

void tl_report_marked (tl_showing *s, tl_column *c, tl_playback *play,
                       bool changes) {
  const tl_marked *m;
  const size_t count =
      changes ? tl_playback_changes (play, &m) : tl_playback_marking (play, &m);
  size_t shown = 0;
  for (; shown < count && (!c->width || c->lines <= MARKING_LINES); shown++)
    write_marked (s, c, m + shown, changes);
  if (shown < count) {
    char more[128];
    snprintf (more, sizeof more, "... and %s more",
              tl_several (count - shown, "place").text);
    tl_column_word (c, more);
  }
}

// Null: no markings are wanted, or there is no memory for them.
static tl_playback *play (const tl_showing *s, const tl_trace *trace) {
  tl_playback *p = 0;
  return s->form & (TL_SHOW_CHANGES | TL_SHOW_MARKINGS) &&
                 !tl_playback_open (&p, s->net, trace, 0)
             ? p
             : 0;
}

static bool shows_changes (const tl_showing *s) {
  return !(s->form & TL_SHOW_MARKINGS);
}

// ---- For people ------------------------------------------------------------

static void write_plain (FILE *f, tl_showing *s, const tl_trace *trace,
                         int indent, uint64_t shown) {
  fprintf (f, "%*s", indent, "");
  tl_column c = tl_column_at (f, indent);
  for (uint64_t i = 0; i < shown; i++) {
    if (trace->loop && i == trace->loop_from)
      tl_column_word (&c, "and for ever:");
    tl_column_word (&c, tl_showing_step (s, trace, i));
  }
  tl_column_close (&c);
}

// A step, or what else leads to a marking, and the marking behind it.
static void write_played (FILE *f, tl_showing *s, tl_playback *p,
                          const char *step, int indent, bool changes) {
  tl_column c = tl_column_at (f, indent + 4);
  c.at = fprintf (f, "%*s%s ", indent, "", step);
  if (c.at <= c.indent) // a short step: its words begin in its line, too
    c.at = c.indent + 1;
  tl_report_marked (s, &c, p, changes);
  tl_column_close (&c);
}

static void write_steps (FILE *f, tl_showing *s, const tl_trace *trace,
                         tl_playback *p, int indent, uint64_t shown) {
  const bool changes = shows_changes (s);
  bool fires = true; // a step that computes something undefined does not
  if (!changes)
    write_played (f, s, p, "initially", indent, false);
  for (uint64_t i = 0; i < shown; i++) {
    if (trace->loop && i == trace->loop_from)
      fprintf (f, "%*sand for ever:\n", indent, "");
    fires = fires && !tl_playback_step (p, 0);
    const char *step = tl_showing_step (s, trace, i);
    if (fires)
      write_played (f, s, p, step, indent, changes);
    else
      fprintf (f, "%*s%s\n", indent, "", step);
  }
}

void tl_report_trace (FILE *f, tl_showing *s, const tl_trace *trace, int indent,
                      uint64_t most) {
  const uint64_t shown = trace->length < most ? trace->length : most;
  tl_playback *p = play (s, trace);
  if (p)
    write_steps (f, s, trace, p, indent, shown);
  else if (shown)
    write_plain (f, s, trace, indent, shown);
  tl_playback_close (p);
  if (shown < trace->length)
    fprintf (f, "%*s... and %s more; --trace FILE writes all of them\n", indent,
             "", tl_count (trace->length - shown).text);
}

// Of a coloured net with its colour.
static const char *place_name (tl_showing *s, uint32_t place) {
  const tl_origin *o = s->net->origin;
  return tl_showing_marked (
      s, &(tl_marked){.id = tl_net_place_id (s->net, place),
                      .place = o ? tl_origin_place (o, place) : place});
}

void tl_report_unbounded (FILE *f, tl_showing *s, const tl_exploration *x) {
  if (x->stop != TL_STOP_UNBOUNDED && x->stop != TL_STOP_TOKENS)
    return;
  fprintf (f, "\nplace %s %s\n", place_name (s, x->unbounded_place),
           x->stop == TL_STOP_UNBOUNDED ? "has no bound: it gains tokens by"
                                        : "outgrew what can be counted, by");
  tl_report_trace (f, s, &x->unbounded, 2, TL_TRACE_SHOWN);
}

// ---- For programs ----------------------------------------------------------

static void write_comment (FILE *f, tl_showing *s, tl_playback *p,
                           bool changes) {
  tl_column c = tl_column_at (f, 0);
  c.width = 0;
  c.at = fprintf (f, changes ? "# changes" : "# marking");
  tl_report_marked (s, &c, p, changes);
  tl_column_close (&c);
}

void tl_report_trace_lines (FILE *f, tl_showing *s, const tl_trace *trace,
                            const char *shows) {
  tl_playback *p = play (s, trace);
  fprintf (f, "# %s: %s of %s\n", shows,
           tl_several (trace->length, "transition").text, tl_net_name (s->net));
  if (p)
    write_comment (f, s, p, false);
  for (uint64_t i = 0; i < trace->length; i++) {
    if (trace->loop && i == trace->loop_from)
      fputs ("# from here again and again\n", f);
    fprintf (f, "%s\n", tl_showing_step (s, trace, i));
    if (p && !tl_playback_step (p, 0))
      write_comment (f, s, p, shows_changes (s));
  }
  tl_playback_close (p);
}
