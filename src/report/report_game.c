// Where a token game stands.

#include "report/forms.h"
#include "report/showing.h"

#include <inttypes.h>

// Of many choices only so many are shown to people.
#define CHOICES_SHOWN 30

static void write_marked (FILE *f, tl_showing *s, tl_game *g, bool changes) {
  tl_column c = tl_column_at (f, TL_LABEL_WIDTH);
  fprintf (f, TL_LABEL, changes ? "changed" : "marking");
  tl_report_marked (s, &c, tl_game_playback (g), changes);
  tl_column_close (&c);
}

static void write_last (FILE *f, tl_showing *s, tl_game *g) {
  const tl_trace *t = tl_game_trace (g);
  if (!t->length)
    fprintf (f, TL_LABEL "the initial marking\n", "step 0");
  else {
    char label[32];
    snprintf (label, sizeof label, "step %" PRIu64, t->length);
    fprintf (f, TL_LABEL "%s\n", label, tl_showing_step (s, t, t->length - 1));
    write_marked (f, s, g, true);
  }
}

static bool write_choices (FILE *f, tl_showing *s, tl_game *g) {
  const tl_choice *choice;
  size_t n;
  tl_error err = {0};
  const tl_status rc =
      tl_playback_choices (tl_game_playback (g), &choice, &n, &err);
  if (rc == TL_E_NOMEM)
    return false;
  if (rc)
    fprintf (f, TL_LABEL "cannot be told: %s\n", "enabled", err.text);
  else if (!n)
    fprintf (f, TL_LABEL "nothing: this is a deadlock\n", "enabled");
  for (size_t i = 0; !rc && i < n && i < CHOICES_SHOWN; i++)
    fprintf (f, TL_LABEL "%zu  %s\n", i ? "" : "enabled", i + 1,
             tl_showing_choice (s, choice + i));
  if (!rc && n > CHOICES_SHOWN)
    fprintf (f, TL_LABEL "... and %s more\n", "",
             tl_count (n - CHOICES_SHOWN).text);
  return true;
}

static char *text (const tl_net *net, tl_game *g, tl_form form) {
  tl_showing s;
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  tl_showing_open (&s, net, form, true);
  write_last (w.file, &s, g);
  write_marked (w.file, &s, g, false);
  const bool ok = write_choices (w.file, &s, g);
  tl_showing_close (&s);
  char *report = tl_writing_close (&w);
  if (ok)
    return report;
  tl_text_close (report);
  return 0;
}

char *tl_game_report (const tl_net *net, tl_game *g, tl_form form) {
  if (!net || !g)
    return 0;
  return TL_FORM_OF (form) == TL_FORM_JSON ? tl_game_json (net, g, form)
                                           : text (net, g, form);
}

char *tl_trace_report (const tl_net *net, const tl_trace *trace, tl_form form) {
  tl_showing s;
  tl_writing w;
  if (!net || !trace || !tl_writing_open (&w))
    return 0;
  tl_showing_open (&s, net, form, false);
  tl_report_trace_lines (w.file, &s, trace, "a run");
  tl_showing_close (&s);
  return tl_writing_close (&w);
}
