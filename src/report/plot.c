// The picture of a sweep, in SVG: how many states were stored and unprocessed
// when the layer of each progress value was finished, a colour for each sweep.
//
// It is a file of its own: no script, no font, no library.  Colours are classes
// of a style sheet, so that one file suits light and dark pages.

#include "base/sized.h"
#include "base/utf8.h"
#include "report/writing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDTH = 960,
  HEIGHT = 560,
  LEFT = 92,
  RIGHT = WIDTH - 36,
  TOP = 164,
  BOTTOM = HEIGHT - 60,
  BAR = 84,     // the share of the states that was stored
  LEGEND = 122, // below it
  COLOURS = 6,
  MEASURE_SHOWN = 40 // characters
};

typedef struct plot {
  FILE *f;
  const tl_net *net;
  const tl_exploration *x;
  double *at;            // [points] on the axis
  double low, high;      // progress, at the edges
  double most;           // states, at the top
  double step_x, step_y; // between ticks
  const tl_sweep_point *peak;
  uint64_t sweeps; // that have points
} plot;

static const char *const style =
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',"
    "sans-serif;font-size:15px;fill:#24292f}\n"
    ".title{font-size:22px;font-weight:600}.small{fill:#57606a}"
    ".note{font-size:16px;font-weight:400}\n"
    ".paper{fill:#ffffff}.grid{stroke:#d8dee4;stroke-width:1}\n"
    ".axis{stroke:#57606a;stroke-width:1.5}\n"
    ".all{fill:#d8dee4}.part{fill:#0969da}\n"
    ".line{fill:none;stroke-width:2.25;stroke-linejoin:round;"
    "stroke-linecap:round}\n"
    ".thin{fill:none;stroke-width:1.75;stroke-dasharray:2 5;"
    "stroke-linecap:round}\n"
    ".kept{fill:none;stroke-width:1.75;stroke-dasharray:9 4}\n"
    ".area{stroke:none;fill-opacity:.13}.pale{fill-opacity:.05}\n"
    ".peak{fill:none;stroke:#24292f;stroke-width:2}.strong{font-weight:600;"
    "paint-order:stroke;stroke:#ffffff;stroke-width:5;stroke-linejoin:round}\n"
    ".s0{stroke:#0969da}.a0{fill:#0969da}.s1{stroke:#bc4c00}.a1{fill:#bc4c00}\n"
    ".s2{stroke:#1a7f37}.a2{fill:#1a7f37}.s3{stroke:#8250df}.a3{fill:#8250df}\n"
    ".s4{stroke:#bf3989}.a4{fill:#bf3989}.s5{stroke:#6e7781}.a5{fill:#6e7781}\n"
    ".any{stroke:#24292f}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text{fill:#e6edf3}.small{fill:#9ea7b3}.paper{fill:#0d1117}\n"
    ".grid{stroke:#30363d}.axis{stroke:#9ea7b3}.all{fill:#30363d}\n"
    ".part{fill:#58a6ff}.peak,.any{stroke:#e6edf3}.area{fill-opacity:.2}"
    ".pale{fill-opacity:.08}\n"
    ".strong{stroke:#0d1117}\n"
    ".s0{stroke:#58a6ff}.a0{fill:#58a6ff}.s1{stroke:#f0883e}.a1{fill:#f0883e}\n"
    ".s2{stroke:#3fb950}.a2{fill:#3fb950}.s3{stroke:#bc8cff}.a3{fill:#bc8cff}\n"
    ".s4{stroke:#f778ba}.a4{fill:#f778ba}.s5{stroke:#8b949e}.a5{fill:#8b949e}\n"
    "}\n";

// At most `most` characters of a text that may contain anything.
static void write_escaped (FILE *f, const char *text, int most) {
  const char *end = text + strlen (text);
  for (; *text && most; most--) {
    const size_t length = tl_utf8_length (text, (size_t)(end - text));
    switch (*text) {
    case '<': fputs ("&lt;", f); break;
    case '>': fputs ("&gt;", f); break;
    case '&': fputs ("&amp;", f); break;
    default:
      if (!length || (length == 1 && (*text < ' ' || *text == 0x7f)))
        fputc ('?', f);
      else
        fwrite (text, 1, length, f);
    }
    text += length ? length : 1;
  }
  if (*text)
    fputs ("\u2026", f);
}

// Where the points stand on the axis.  Of a list of numbers the axis shows the
// first; points that have it in common are spread up to the next.  Where the
// sweep goes back within its window, the furthest value stays.
static bool place_points (plot *p) {
  const tl_sweep *s = &p->x->sweep;
  if (!(p->at = calloc (s->points + 1, sizeof *p->at)))
    return false;
  for (size_t i = 0, next; i < s->points; i = next) {
    const tl_sweep_point *first = &s->point[i];
    for (next = i + 1; next < s->points &&
                       s->point[next].sweep == first->sweep &&
                       s->point[next].progress == first->progress;)
      next++;
    for (size_t k = i; k < next; k++) {
      const bool goes_on = k && s->point[k - 1].sweep == first->sweep;
      p->at[k] = (double)first->progress + (double)(k - i) / (double)(next - i);
      if (goes_on && p->at[k] < p->at[k - 1])
        p->at[k] = p->at[k - 1];
    }
  }
  return true;
}

static double place_x (const plot *p, double progress) {
  return LEFT + (progress - p->low) / (p->high - p->low) * (RIGHT - LEFT);
}

static double place_y (const plot *p, double states) {
  return BOTTOM - states / p->most * (BOTTOM - TOP);
}

// 1, 2 or 5 times a power of ten, at least 1, with about `wanted` steps.
static double nice_step (double range, int wanted) {
  const double rough = range / wanted;
  if (rough <= 1)
    return 1;
  const double power = pow (10, floor (log10 (rough)));
  const double times = rough / power;
  return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static void find_range (plot *p) {
  const tl_sweep *s = &p->x->sweep;
  double low = 0, high = 0, most = 1;
  p->peak = 0;
  for (size_t i = 0; i < s->points; i++) {
    const tl_sweep_point *point = &s->point[i];
    const double at = p->at[i];
    low = !i || at < low ? at : low;
    high = !i || at > high ? at : high;
    most =
        fmax (most, fmax ((double)point->stored, (double)point->unprocessed));
    if (!p->peak || point->stored > p->peak->stored)
      p->peak = point;
    if (point->sweep > p->sweeps)
      p->sweeps = point->sweep;
  }
  if (low == high)
    low -= 1, high += 1;
  p->low = low;
  p->high = high;
  p->step_x = nice_step (high - low, 8);
  p->step_y = nice_step (most, 5);
  p->most = ceil (most * 2.2 / p->step_y) * p->step_y / 2;
}

// "250,000" or "2.5 M": a number beside an axis.
static tl_figure tick_text (double value, double step) {
  tl_figure figure;
  const double size = fabs (value);
  if (step > 200000 && value != 0)
    snprintf (figure.text, sizeof figure.text, "%.*f M",
              step >= 1000000 ? 0 : 1, value / 1e6);
  else
    snprintf (figure.text, sizeof figure.text, "%s%.40s", value < 0 ? "-" : "",
              tl_count ((uint64_t)size).text);
  return figure;
}

static void write_axes (const plot *p) {
  for (double y = 0; y <= p->most * 1.0001; y += p->step_y) {
    const double at = place_y (p, y);
    fprintf (p->f, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", LEFT, at,
             RIGHT);
    fprintf (p->f,
             "<text class=\"small\" x=\"%d\" y=\"%.1f\" "
             "text-anchor=\"end\">%s</text>\n",
             LEFT - 10, at + 5, tick_text (y, p->step_y).text);
  }
  const double first = ceil (p->low / p->step_x) * p->step_x;
  for (double x = first; x <= p->high + p->step_x * 1e-6; x += p->step_x) {
    const double at = place_x (p, x);
    fprintf (p->f, "<path class=\"axis\" d=\"M%.1f %dv6\"/>\n", at, BOTTOM);
    fprintf (p->f,
             "<text class=\"small\" x=\"%.1f\" y=\"%d\" "
             "text-anchor=\"middle\">%s</text>\n",
             at, BOTTOM + 24, tick_text (x, p->step_x).text);
  }
  fprintf (p->f, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", LEFT, BOTTOM,
           RIGHT);
  fprintf (
      p->f,
      "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">progress \u2192</text>\n",
      RIGHT, HEIGHT - 12);
  fprintf (p->f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">states</text>\n",
           LEFT - 10, TOP - 12);
}

static uint64_t stored_of (const tl_sweep_point *point) {
  return point->stored;
}
static uint64_t unprocessed_of (const tl_sweep_point *point) {
  return point->unprocessed;
}
static uint64_t persistent_of (const tl_sweep_point *point) {
  return point->persistent;
}

// The points of a sweep as the inside of a path, from `first` to before the
// next sweep; of those in one column of pixels the highest.
static void write_points (const plot *p, size_t first,
                          uint64_t (*value) (const tl_sweep_point *)) {
  const tl_sweep *s = &p->x->sweep;
  const char *command = "M";
  double at = 0, most = 0;
  bool open = false;
  for (size_t i = first;
       i < s->points && s->point[i].sweep == s->point[first].sweep; i++) {
    const double x = place_x (p, p->at[i]);
    const double y = (double)value (&s->point[i]);
    if (open && floor (x) != floor (at)) {
      fprintf (p->f, "%s%.1f %.1f", command, at, place_y (p, most));
      command = "L";
      open = false;
    }
    if (!open || y > most)
      at = x, most = y;
    open = true;
  }
  if (open) // a single point is seen by its round ends
    fprintf (p->f, "%s%.1f %.1fh.1", command, at, place_y (p, most));
}

// The sweeps beyond the colours share the last one.
static unsigned colour_of (uint64_t sweep) {
  return (unsigned)(sweep < COLOURS ? sweep - 1 : COLOURS - 1);
}

static void write_sweep (const plot *p, size_t first, size_t last) {
  const tl_sweep_point *point = p->x->sweep.point;
  const unsigned colour = colour_of (point[first].sweep);
  fprintf (p->f, "<path class=\"area%s a%u\" d=\"",
           p->sweeps > 2 ? " pale" : "", colour);
  write_points (p, first, stored_of);
  fprintf (p->f, "V%dH%.1fZ\"/>\n", BOTTOM, place_x (p, p->at[first]));
  fprintf (p->f, "<path class=\"line s%u\" d=\"", colour);
  write_points (p, first, stored_of);
  fprintf (p->f, "\"/>\n<path class=\"thin s%u\" d=\"", colour);
  write_points (p, first, unprocessed_of);
  fputs ("\"/>\n", p->f);
  if (!point[last].persistent)
    return;
  fprintf (p->f, "<path class=\"kept s%u\" d=\"", colour);
  write_points (p, first, persistent_of);
  fputs ("\"/>\n", p->f);
}

static void write_sweeps (const plot *p) {
  const tl_sweep *s = &p->x->sweep;
  for (size_t first = 0, next; first < s->points; first = next) {
    for (next = first + 1;
         next < s->points && s->point[next].sweep == s->point[first].sweep;)
      next++;
    write_sweep (p, first, next - 1);
  }
}

// The peak is ringed; its number stands above, within the frame.
static void write_peak (const plot *p) {
  if (!p->peak)
    return;
  const double x = place_x (p, p->at[p->peak - p->x->sweep.point]);
  const double y = place_y (p, (double)p->peak->stored);
  const bool left = x - LEFT < 110, right = RIGHT - x < 110;
  fprintf (p->f, "<circle class=\"peak\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n",
           x, y);
  fprintf (p->f,
           "<text class=\"strong\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">"
           "peak: %s</text>\n",
           x + (left    ? 10
                : right ? -10
                        : 0),
           y - 12,
           left    ? "start"
           : right ? "end"
                   : "middle",
           tl_several (p->peak->stored, "state").text);
}

// What share of the states was stored at once.
static void write_share (const plot *p) {
  const tl_exploration *x = p->x;
  const int full = RIGHT - LEFT;
  if (!x->complete || !x->counted || !x->states)
    return;
  const double share = (double)x->sweep.peak_states / (double)x->states;
  fprintf (p->f,
           "<rect class=\"all\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"8\" "
           "rx=\"4\"/>\n",
           LEFT, BAR, full);
  fprintf (p->f,
           "<rect class=\"part\" x=\"%d\" y=\"%d\" width=\"%.1f\" "
           "height=\"8\" rx=\"%.1f\"/>\n",
           LEFT, BAR, fmax (2, fmin (share, 1) * full),
           fmin (4, fmax (1, fmin (share, 1) * full / 2)));
}

// The measure by what it adds up where that is short, else by its name.
static void write_title (const plot *p) {
  const tl_sweep *s = &p->x->sweep;
  const bool brief = s->weights && strlen (s->weights) <= MEASURE_SHOWN &&
                     strcmp (s->weights, "0");
  fprintf (p->f, "<text class=\"title\" x=\"%d\" y=\"40\">", LEFT);
  write_escaped (p->f, tl_net_name (p->net), 32);
  fputs ("<tspan class=\"small note\" dx=\"16\">measure ", p->f);
  write_escaped (p->f, brief ? s->weights : s->measure, MEASURE_SHOWN);
  if (s->window == UINT64_MAX)
    fputs (", everything kept", p->f);
  else
    fprintf (p->f, ", window %s", tl_count (s->window).text);
  fputs ("</tspan></text>\n", p->f);
}

static void write_subtitle (const plot *p) {
  const tl_exploration *x = p->x;
  const tl_sweep *s = &x->sweep;
  fprintf (p->f,
           "<text class=\"small\" x=\"%d\" y=\"68\">%s; at most %s stored at "
           "once",
           LEFT, tl_several (s->sweeps, "sweep").text,
           tl_several (s->peak_states, "state").text);
  if (x->complete && x->counted && x->states)
    fprintf (p->f, ", %.3g %% of %s",
             100 * (double)s->peak_states / (double)x->states,
             tl_count (x->states).text);
  fprintf (p->f, "%s</text>\n", x->complete ? "" : " (incomplete)");
}

// An entry of the legend; gives the place of the next one.
static double write_entry (const plot *p, double x, const char *line,
                           const char *colour, const char *text) {
  const int y = LEGEND - 5;
  fprintf (p->f, "<path class=\"%s %s\" d=\"M%.0f %dh28\"/>\n", line, colour, x,
           y);
  fprintf (p->f, "<text x=\"%.0f\" y=\"%d\">%s</text>\n", x + 36, y + 5, text);
  return x + 36 + 8.2 * (double)strlen (text) + 22;
}

static void write_legend (const plot *p) {
  const char *any = p->sweeps == 1 ? "s0" : "any";
  char colour[8], text[32];
  double x = LEFT;
  for (uint64_t sweep = 1; sweep <= p->sweeps && sweep <= COLOURS; sweep++) {
    if (p->sweeps == 1)
      snprintf (text, sizeof text, "stored");
    else if (sweep == COLOURS && p->sweeps > COLOURS)
      snprintf (text, sizeof text, "%d to %" PRIu64, COLOURS, p->sweeps);
    else
      snprintf (text, sizeof text,
                sweep == 1 ? "stored, sweep %" PRIu64 : "%" PRIu64, sweep);
    snprintf (colour, sizeof colour, "s%u", colour_of (sweep));
    x = write_entry (p, x, "line", colour, text);
  }
  x = write_entry (p, x, "thin", any, "unprocessed");
  if (p->x->sweep.persistent)
    write_entry (p, x, "kept", any, "persistent");
}

char *tl_sweep_plot (const tl_net *net, const tl_exploration *given) {
  tl_exploration x;
  tl_writing w;
  if (!net || !TL_TAKE (&x, given) || !x.sweep.points || !tl_writing_open (&w))
    return 0;
  plot p = {.f = w.file, .net = net, .x = &x};
  if (!place_points (&p)) {
    tl_text_close (tl_writing_close (&w));
    return 0;
  }
  find_range (&p);
  fprintf (p.f,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
           "height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
           "<style>\n%s</style>\n"
           "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n",
           WIDTH, HEIGHT, WIDTH, HEIGHT, style, WIDTH, HEIGHT);
  write_title (&p);
  write_subtitle (&p);
  write_share (&p);
  write_axes (&p);
  write_sweeps (&p);
  write_peak (&p);
  write_legend (&p);
  fputs ("</svg>\n", p.f);
  free (p.at);
  return tl_writing_close (&w);
}
