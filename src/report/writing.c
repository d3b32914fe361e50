#include "report/writing.h"
#include "net/origin.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tl_writing_open (tl_writing *w) {
  *w = (tl_writing){0};
  w->file = open_memstream (&w->text, &w->length);
  return w->file;
}

char *tl_writing_close (tl_writing *w) {
  const bool failed = ferror (w->file);
  if (!fclose (w->file) && !failed)
    return w->text;
  free (w->text);
  return 0;
}

tl_figure tl_count (uint64_t n) {
  char digits[24];
  const int length = snprintf (digits, sizeof digits, "%" PRIu64, n);
  tl_figure figure;
  char *out = figure.text;
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0)
      *out++ = ',';
    *out++ = digits[i];
  }
  *out = 0;
  return figure;
}

tl_figure tl_amount (uint64_t n, bool exact) {
  const tl_figure count = tl_count (n);
  if (exact)
    return count;
  tl_figure figure;
  snprintf (figure.text, sizeof figure.text, "at least %.50s", count.text);
  return figure;
}

void tl_report_number (FILE *f, uint64_t n, const char *digits, bool exact) {
  if (!digits) {
    fputs (tl_amount (n, exact).text, f);
    return;
  }
  for (size_t left = strlen (digits); left; left--)
    fprintf (f, "%c%s", *digits++, left > 1 && left % 3 == 1 ? "," : "");
}

tl_figure tl_size (uint64_t bytes) {
  static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double n = (double)bytes;
  size_t u = 0;
  for (; n >= 1024 && u + 1 < sizeof unit / sizeof *unit; u++)
    n /= 1024;
  tl_figure figure;
  snprintf (figure.text, sizeof figure.text, "%.*f %s", u ? 1 : 0, n, unit[u]);
  return figure;
}

tl_figure tl_rate (uint64_t n, double seconds) {
  const double rate = (double)n / (seconds > 1e-6 ? seconds : 1e-6);
  tl_figure figure;
  if (rate >= 1e6)
    snprintf (figure.text, sizeof figure.text, "%.1f million", rate / 1e6);
  else
    figure = tl_count ((uint64_t)rate);
  return figure;
}

tl_figure tl_several (uint64_t n, const char *noun) {
  const tl_figure count = tl_count (n);
  tl_figure figure;
  snprintf (figure.text, sizeof figure.text, "%.26s %.30s%s", count.text, noun,
            n == 1 ? "" : "s");
  return figure;
}

tl_column tl_column_at (FILE *f, int indent) {
  return (tl_column){
      .file = f, .indent = indent, .at = indent, .width = 79, .lines = 1};
}

void tl_column_word (tl_column *c, const char *word) {
  const int wide = (int)strlen (word);
  if (c->width && c->at > c->indent && c->at + 1 + wide > c->width) {
    fprintf (c->file, "\n%*s", c->indent, "");
    c->at = c->indent;
    c->lines++;
  }
  c->at += fprintf (c->file, "%s%s", c->at > c->indent ? " " : "", word);
}

void tl_column_close (tl_column *c) {
  fputc ('\n', c->file);
}

void tl_report_words (FILE *f, int indent, const char *text, uint64_t most) {
  tl_column c = tl_column_at (f, indent);
  char word[256];
  while (*text) {
    const size_t length = strcspn (text, " ");
    snprintf (word, sizeof word, "%.*s", (int)length, text);
    tl_column_word (&c, word);
    text += length;
    text += strspn (text, " ");
    if (*text && c.lines > most) {
      tl_column_word (&c, "... (--json has all of it)");
      break;
    }
  }
  tl_column_close (&c);
}

void tl_report_names (FILE *f, int indent, uint64_t count,
                      const char *(*next) (void *context), void *context) {
  tl_column c = tl_column_at (f, indent);
  char more[128];
  for (uint64_t i = 0; i < count && i < TL_NAMES_SHOWN; i++)
    tl_column_word (&c, next (context));
  if (count > TL_NAMES_SHOWN) {
    snprintf (more, sizeof more, "... and %s more; --json has all of them",
              tl_count (count - TL_NAMES_SHOWN).text);
    tl_column_word (&c, more);
  }
  tl_column_close (&c);
}

static void write_sizes (FILE *f, const char *label, uint32_t places,
                         uint32_t transitions, uint64_t arcs) {
  fprintf (f, TL_LABEL "%s, %s, %s", label, tl_several (places, "place").text,
           tl_several (transitions, "transition").text,
           tl_several (arcs, "arc").text);
}

const char *tl_report_compiled (const tl_net *net, const char *compiled) {
  if (compiled)
    return compiled;
  return !net->folded ? 0 : net->folded->program ? "compiled" : "not compiled";
}

void tl_report_net (FILE *f, const tl_net *net, const char *compiled) {
  const char *how = tl_report_compiled (net, compiled);
  write_sizes (f, "net", tl_shown_places (net), tl_shown_transitions (net),
               tl_shown_arcs (net));
  fprintf (f, "; %sfrom %s", tl_net_is_coloured (net) ? "coloured, " : "",
           net->format);
  if (how)
    fprintf (f, ", not unfolded: %s", how);
  fputc ('\n', f);
  if (net->origin) {
    write_sizes (f, "unfolded", net->places, net->transitions, net->arcs);
    fputc ('\n', f);
  }
}

static void write_symbolic (FILE *f, const tl_symbolic *s) {
  fprintf (f, TL_LABEL "symbolic, %s, order of the variables: %s\n", "search",
           tl_several (s->variables, "variable").text,
           s->order ? s->order : "none came to an end");
  fprintf (f, TL_LABEL "%s, %s at most\n", "diagram",
           tl_several (s->nodes, "node").text, tl_count (s->peak_nodes).text);
}

static void write_device (FILE *f, const tl_on_device *d) {
  if (!d->kind)
    return;
  if (*d->why)
    fprintf (f, TL_LABEL "the processor: %s\n", "device", d->why);
  else
    fprintf (f,
             TL_LABEL "%s, %s of %s taken, table of %s; ready after %.2f s\n",
             "device", d->name, tl_size (d->used).text,
             tl_size (d->memory).text, d->table, d->start);
}

void tl_report_head (FILE *f, const char *command, const tl_net *net,
                     const tl_exploration *x) {
  fprintf (f, "tideline %s: %s %s\n\n", tl_version (), command,
           tl_net_name (net));
  tl_report_net (f, net, x->compiled);
  if (x->saved) {
    fprintf (f, TL_LABEL "none: its graph was saved, %s a state\n", "search",
             tl_several (x->bits, "bit").text);
    return;
  }
  if (tl_is_symbolic (x)) {
    write_symbolic (f, &x->symbolic);
    return;
  }
  fprintf (f, TL_LABEL "order %s, %s%s, %s", "search", x->order,
           x->stubborn           ? "stubborn sets: "
           : tl_is_symmetric (x) ? "one state of each orbit"
                                 : "every state",
           x->stubborn ? x->stubborn : "",
           tl_several (x->threads, "thread").text);
  if (x->threads_why)
    fprintf (f, ": %s", x->threads_why);
  if (x->threads > 1)
    fprintf (f, ", on an average %.0f %% as busy as the busiest",
             100 * x->balance);
  fputc ('\n', f);
  write_device (f, &x->device);
  if (x->ranks > 1)
    fprintf (f,
             TL_LABEL
             "%" PRIu32 ", on an average %.0f %% as busy as the "
             "busiest; %.1f bytes a state were sent; memory is that of "
             "all\n",
             "ranks", x->ranks, 100 * x->rank_balance,
             (double)x->rank_bytes / (double)x->states);
  else if (x->ranks_why)
    fprintf (f, TL_LABEL "1: %s\n", "ranks", x->ranks_why);
  fprintf (f, TL_LABEL "%s%s%s; %s%s a state (plain bytes: %" PRIu32 ")\n",
           "store", x->store, x->store_why ? ": " : "",
           x->store_why ? x->store_why : "", x->code_bytes > 0 ? "up to " : "",
           tl_several (x->bits, "bit").text, x->plain_bits);
  if (tl_is_symmetric (x))
    fprintf (f, TL_LABEL "values that can be exchanged: %s; %s stored\n",
             "symmetry", x->symmetry.classes ? x->symmetry.classes : "?",
             tl_several (x->symmetry.stored, "state").text);
  if (x->code_bytes > 0)
    fprintf (f, TL_LABEL "multi-sets, %.2f bytes a state\n", "code",
             x->code_bytes);
  if (x->disk_why)
    fprintf (f, TL_LABEL "not used: %s\n", "disk", x->disk_why);
  if (x->widened)
    fprintf (f, TL_LABEL "%s, and the search went on\n", "widened",
             tl_several (x->widened, "time").text);
}

static void write_row (FILE *f, const tl_memory_row *row) {
  fprintf (f, "  %-16s%10s%12s", row->name,
           row->would_be ? tl_size (row->would_be).text : "",
           tl_size (row->used).text);
  if (row->would_be && row->would_be >= row->used)
    fprintf (f, "%6.0f %%", 100 * (double)row->used / (double)row->would_be);
  fputc ('\n', f);
}

// A sweep does not hold all states at once: what one takes while it is there.
static void write_stored_size (FILE *f, const tl_exploration *x) {
  const uint64_t n = x->sweep.peak_states;
  if (n)
    fprintf (f, "  %-26s%10.1f B\n", "a state stored",
             (double)x->store_bytes / (double)n);
}

static void write_disk (FILE *f, const tl_disk_use *d) {
  if (!d->written)
    return;
  write_row (f, &(tl_memory_row){"read from disk", d->read, 0});
  write_row (f, &(tl_memory_row){"file", d->peak_bytes, 0});
}

void tl_report_memory (FILE *f, const tl_exploration *x) {
  fprintf (f, TL_LABEL "%10s%12s\n", "memory", "would be", "used");
  size_t used = 0, would_be = 0;
  for (size_t i = 0; i < x->memory_rows; i++) {
    write_row (f, &x->memory[i]);
    used += x->memory[i].used;
    would_be += x->memory[i].would_be;
  }
  write_row (f, &(tl_memory_row){"all of these", used, 0});
  write_row (f, &(tl_memory_row){"kernel says", x->peak_rss_bytes, 0});
  if (x->spilled_bytes)
    write_row (f, &(tl_memory_row){"spilled to disk", x->spilled_bytes, 0});
  write_disk (f, &x->disk);
  if (x->sweep.measure) {
    write_stored_size (f, x);
    return;
  }
  if (tl_is_symbolic (x) || tl_is_symmetric (x))
    return;
  const double plain = x->states ? (double)would_be / (double)x->states : 0;
  if (plain < x->bytes_per_state)
    return; // there are too few to speak of
  fprintf (f, "  %-16s%8.1f B%10.1f B\n", "a state", plain, x->bytes_per_state);
  if (tl_is_bounded (x))
    fprintf (f, "  %-26s%10.1f B\n", "information bound",
             tl_information_bound (x) / 8);
}

bool tl_is_bounded (const tl_exploration *x) {
  return x->counted && !tl_is_symbolic (x) && !tl_is_symmetric (x) &&
         !x->saved && x->code_bytes <= 0 &&
         x->bytes_per_state >= tl_information_bound (x) / 8;
}

double tl_information_bound (const tl_exploration *x) {
  const double bits =
      x->states ? x->bits - log2 ((double)x->states) + M_LOG2E : 0;
  return bits > 0 ? bits : 0;
}

void tl_report_time (FILE *f, const tl_exploration *x) {
  if (tl_is_symbolic (x) || tl_is_symmetric (x)) {
    fprintf (f, TL_LABEL "%.2f s\n", "time", x->seconds);
    return;
  }
  fprintf (f, TL_LABEL "%.2f s: %s %s and %s arcs a second\n", "time",
           x->seconds, tl_rate (x->states, x->seconds).text,
           tl_visited_noun (x), tl_rate (x->arcs, x->seconds).text);
}

void tl_report_checkpoints (FILE *f, const tl_exploration *x) {
  const tl_checkpoints *c = &x->checkpoints;
  if (!c->part)
    return;
  fprintf (f, TL_LABEL "%s", "checkpoints",
           c->written ? tl_count (c->written).text : "none");
  if (c->part > 1)
    fprintf (f, "; resumed: part %s, after %.2f s", tl_count (c->part).text,
             c->before);
  fputc ('\n', f);
  if (c->problem[0])
    fprintf (f, TL_LABEL "the last could not be written: %s\n", "", c->problem);
}

const char *tl_unfired_next (void *unfired) {
  tl_unfired *u = unfired;
  while (u->at < tl_shown_transitions (u->net)) {
    const uint32_t t = u->at++;
    const tl_node_range same = tl_shown_transition (u->net, t);
    if (!same.count || !memchr (u->run->fired + same.first, 1, same.count))
      return tl_shown_transition_id (u->net, t);
  }
  return 0;
}

uint64_t tl_not_fired (const tl_net *net, const tl_exploration *x) {
  tl_unfired all = {net, x, 0};
  uint64_t n = 0;
  while (tl_unfired_next (&all))
    n++;
  return n;
}

bool tl_saw_everything (const tl_exploration *x) {
  return x->complete && !x->stubborn;
}

bool tl_is_symbolic (const tl_exploration *x) {
  return x->engine && !strcmp (x->engine, "symbolic");
}

bool tl_is_symmetric (const tl_exploration *x) {
  return x->engine && !strcmp (x->engine, "symmetry");
}

bool tl_has_depth (const tl_exploration *x) {
  return !x->sweep.measure && !tl_is_symbolic (x);
}

bool tl_counted_deadlocks (const tl_exploration *x) {
  const bool once = !x->sweep.measure || x->sweep.monotone;
  if (x->deadlocks_unknown)
    return false;
  return x->counted ||
         (x->complete && (!x->deadlocks || (x->stubborn && once)));
}

const char *tl_visited_noun (const tl_exploration *x) {
  return x->counted ? "states" : "visits";
}

const char *tl_stop_word (tl_stop stop) {
  switch (stop) {
  case TL_STOP_DONE: return "done";
  case TL_STOP_DECIDED: return "decided";
  case TL_STOP_MEMORY: return "memory";
  case TL_STOP_STATES: return "states";
  case TL_STOP_TIME: return "time";
  case TL_STOP_CANCEL: return "interrupt";
  case TL_STOP_UNBOUNDED: return "unbounded";
  case TL_STOP_TOKENS: return "tokens";
  case TL_STOP_REGRESS: return "regress";
  case TL_STOP_FAULT: return "fault";
  }
  return "unknown";
}

const char *tl_verdict_word (tl_verdict verdict) {
  switch (verdict) {
  case TL_VERDICT_UNKNOWN: return "unknown";
  case TL_VERDICT_FALSE: return "false";
  case TL_VERDICT_TRUE:
  case TL_VERDICT_BOUND: return "true";
  }
  return "unknown";
}
