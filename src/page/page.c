#include "page/page.h"

#include "base/sized.h"
#include "page/files.h"

#include <stdlib.h>

// What a page shows.
typedef struct page {
  const char *command;
  const tl_net *net;
  char *report, *plot; // texts, or null; closed with the page
  const tl_condensed *graph;
  const tl_page_layout *layout; // or null
  tl_form form;
  tl_page_trace *trace;
  size_t traces;
} page;

#define STATE_FORM ((tl_form)(TL_FORM_JSON | TL_SHOW_IDS))
#define REPORT_FORM ((tl_form)(STATE_FORM | TL_SHOW_CHANGES))

static void write_text (FILE *f, const char *key, const char *text) {
  fprintf (f, ",\"%s\":", key);
  if (text)
    tl_page_string (f, text);
  else
    fputs ("null", f);
}

static bool write_data (FILE *f, const page *p) {
  tl_showing s;
  fputs ("{\"command\":", f);
  tl_page_string (f, p->command);
  fputs (",\"report\":", f);
  tl_page_json (f, p->report);
  tl_showing_open (&s, p->net, p->form, true);
  fputs (",\"net\":", f);
  tl_page_net (f, &s);
  tl_showing_close (&s);
  write_text (f, "net_layout", p->layout ? p->layout->net : 0);
  write_text (f, "graph_layout", p->layout ? p->layout->graph : 0);
  write_text (f, "plot", p->plot);
  bool ok = tl_page_traces (f, p->net, p->trace, p->traces);
  fputs (",\"states\":", f);
  ok = ok && tl_page_states (f, p->graph, STATE_FORM);
  putc ('}', f);
  return ok;
}

static bool write_page (FILE *f, const page *p) {
  fprintf (f,
           "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
           "<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\""
           "default-src 'none'; img-src data:; style-src 'sha256-%s'; "
           "script-src 'sha256-%s'; base-uri 'none'; form-action 'none'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, "
           "initial-scale=1\">\n"
           "<meta name=\"generator\" content=\"tideline %s\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n"
           "<title>Tideline</title>\n<style>%s</style>\n</head>\n<body>\n"
           "<noscript>This page needs JavaScript to show its "
           "contents.</noscript>\n"
           "<script type=\"application/json\" id=\"data\">",
           STYLE_HASH, SCRIPT_HASH, tl_version (), style_text);
  const bool ok = write_data (f, p);
  fprintf (f, "</script>\n<script>%s</script>\n</body>\n</html>\n",
           script_text);
  return ok;
}

// Gives the text, and closes what the page has.
static char *finish (page *p) {
  tl_writing w;
  char *text = 0;
  if (p->report && tl_writing_open (&w)) {
    const bool ok = write_page (w.file, p);
    text = tl_writing_close (&w);
    if (!ok) {
      tl_text_close (text);
      text = 0;
    }
  }
  tl_text_close (p->report);
  tl_text_close (p->plot);
  free (p->trace);
  return text;
}

static void add_trace (page *p, const char *key, size_t number,
                       const tl_trace *trace) {
  if (trace->transition)
    p->trace[p->traces++] = (tl_page_trace){key, number, trace};
}

// Room for so many traces; false: there is none, and the page has no report.
static bool make_room (page *p, size_t traces) {
  p->trace = calloc (traces + 1, sizeof *p->trace);
  return p->trace;
}

static char *plot_of (const tl_net *net, const tl_exploration *x) {
  return x->sweep.points ? tl_sweep_plot (net, x) : 0;
}

char *tl_answers_page (const tl_net *net, const tl_answers *given, tl_form form,
                       const tl_page_layout *layout) {
  tl_answers answers;
  page p = {.command = "check", .net = net, .form = form, .layout = layout};
  if (!net || !tl_answers_take (&answers, given))
    return 0;
  if (make_room (&p, answers.count + 1)) {
    p.report = tl_answers_report (net, &answers, REPORT_FORM);
    p.plot = plot_of (net, &answers.run);
    for (size_t i = 0; i < answers.count; i++)
      add_trace (&p, "properties", i, &answers.answer[i].trace);
    add_trace (&p, "unbounded_trace", 0, &answers.run.unbounded);
  }
  char *text = finish (&p);
  tl_answers_release (&answers, given);
  return text;
}

char *tl_exploration_page (const tl_net *net, const tl_exploration *given,
                           const tl_condensed *graph, tl_form form,
                           const tl_page_layout *layout) {
  tl_exploration x;
  page p = {.command = "explore",
            .net = net,
            .graph = graph,
            .form = form,
            .layout = layout};
  if (!net || !TL_TAKE (&x, given) || !x.order)
    return 0;
  if (make_room (&p, 2)) {
    p.report = tl_exploration_report (net, &x, REPORT_FORM);
    p.plot = plot_of (net, &x);
    add_trace (&p, "deadlock_trace", 0, &x.deadlock);
    add_trace (&p, "unbounded_trace", 0, &x.unbounded);
  }
  return finish (&p);
}

char *tl_condensed_page (const tl_condensed *graph, const tl_exploration *built,
                         tl_form form, const tl_page_layout *layout) {
  page p = {.command = "graph",
            .net = tl_condensed_net (graph),
            .graph = graph,
            .form = form,
            .layout = layout};
  if (!graph)
    return 0;
  const tl_condensed_size size = tl_condensed_sizes (graph);
  p.report = tl_condensed_built_report (p.net, &size, built, TL_FORM_JSON);
  p.plot = built ? plot_of (p.net, built) : 0;
  return finish (&p);
}

char *tl_game_page (const tl_net *net, tl_game *game, tl_form form,
                    const tl_page_layout *layout) {
  page p = {.command = "simulate", .net = net, .form = form, .layout = layout};
  if (!net || !game)
    return 0;
  if (make_room (&p, 1)) {
    p.report = tl_game_report (net, game, REPORT_FORM);
    add_trace (&p, "trace", 0, tl_game_trace (game));
  }
  return finish (&p);
}
