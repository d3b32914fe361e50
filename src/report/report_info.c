// The report of what is known about a net without visiting its states.

#include "base/sized.h"
#include "report/forms.h"
#include "report/writing.h"

#include <string.h>

// Nets with more places than this get no list of bounds as text.
#define PLACES_LISTED 40

static const char *const sources[] = {"constant", "semiflow", "lp", "nupn"};

static uint64_t count_source (const tl_info *info, const char *source) {
  uint64_t n = 0;
  for (uint32_t p = 0; p < info->places; p++)
    n += !strcmp (info->bound_source[p], source);
  return n;
}

static void write_class (FILE *f, const tl_info *info) {
  const struct {
    bool is;
    const char *word;
  } words[] = {{info->ordinary, "ordinary"},
               {!info->ordinary, "weighted arcs"},
               {info->state_machine, "state machine"},
               {info->marked_graph, "marked graph"},
               {info->free_choice, "free choice"}};
  const char *separator = "";
  fprintf (f, TL_LABEL, "class");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].is) {
      fprintf (f, "%s%s", separator, words[i].word);
      separator = ", ";
    }
  if (info->inhibitors)
    fprintf (f, ", %s", tl_several (info->inhibitors, "inhibitor arc").text);
  fputc ('\n', f);
  fprintf (f, TL_LABEL "%s\n", "initial marking",
           tl_several (info->initial_tokens, "token").text);
  if (info->units)
    fprintf (f, TL_LABEL "%s%s\n", "nested units", tl_count (info->units).text,
             info->units_safe ? ", safe as the file says" : "");
}

static void write_types (FILE *f, const tl_info *info) {
  for (uint32_t t = 0; t < info->types; t++)
    fprintf (f, TL_LABEL "%s\n", t ? "" : "types", info->type[t]);
}

static void write_bounds (FILE *f, const tl_net *net, const tl_info *info) {
  const uint64_t unknown = count_source (info, "none");
  fprintf (f, TL_LABEL "%s of %s", "bounds",
           tl_count (info->places - unknown).text,
           tl_several (info->places, "place").text);
  const char *separator = ": ";
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    const uint64_t n = count_source (info, sources[i]);
    if (!n)
      continue;
    fprintf (f, "%s%s %s", separator, tl_count (n).text, sources[i]);
    separator = ", ";
  }
  fputc ('\n', f);
  if (info->places > PLACES_LISTED)
    fprintf (f, TL_LABEL "--json lists them\n", "");
  for (uint32_t p = 0; info->places <= PLACES_LISTED && p < info->places; p++)
    fprintf (f, TL_LABEL "%-20s %6s  %-8s  %s\n", "", tl_net_place_id (net, p),
             info->bound[p] == TL_NO_LIMIT ? "?"
                                           : tl_count (info->bound[p]).text,
             info->bound_source[p], info->stored_as[p]);
}

// Nodes of a net that is not unfolded, one a line.
static void write_coloured (FILE *f, const tl_net *net, const tl_info *info) {
  uint32_t left_out = 0;
  fprintf (f, TL_LABEL "%s\n", "initial marking",
           tl_several (info->initial_tokens, "token").text);
  for (uint32_t p = 0; p < info->places; p++) {
    left_out += info->left_out[p];
    fprintf (f, TL_LABEL "%-20s %s", p ? "" : "places",
             tl_net_place_id (net, p), info->domain[p]);
    if (info->capacity[p] != TL_NO_LIMIT)
      fprintf (f, "; at most %s of a value", tl_count (info->capacity[p]).text);
    fputs (info->left_out[p] ? "; not stored\n" : "\n", f);
  }
  for (uint32_t t = 0; t < info->transitions; t++)
    fprintf (f, TL_LABEL "%-20s %s\n", t ? "" : "transitions",
             tl_net_transition_id (net, t), info->variables[t]);
  fprintf (f,
           TL_LABEL "%s of the initial marking; %s determined by the others\n",
           "condensed code", tl_several (info->code_bits, "bit").text,
           tl_several (left_out, "place").text);
}

static void write_structure (FILE *f, const tl_info *info) {
  fprintf (
      f, TL_LABEL "%s of places, %s of transitions\n", "invariants",
      tl_amount (info->place_invariants, info->place_invariants_complete).text,
      tl_amount (info->transition_invariants,
                 info->transition_invariants_complete)
          .text);
  fprintf (f, TL_LABEL "%s; %s determined by the others\n", "rank",
           tl_count (info->rank).text,
           tl_several (info->dependent_places, "place").text);
  fprintf (f, TL_LABEL "%s with %s that share one token\n", "exclusive groups",
           tl_count (info->groups).text,
           tl_several (info->grouped_places, "place").text);
  fprintf (f, TL_LABEL "%s a state instead of %s\n", "encoding",
           tl_several (info->bits, "bit").text,
           tl_count (info->plain_bits).text);
  fprintf (f, TL_LABEL "%s and %s, with the same dead markings\n", "reduced",
           tl_several (info->reduced_places, "place").text,
           tl_several (info->reduced_transitions, "transition").text);
}

const char *tl_info_advice (const tl_info *info) {
  if (info->not_unfolded)
    return "explore with --memory or --timeout: no bounds are known of nets "
           "that are not unfolded";
  if (count_source (info, "none"))
    return "explore with --memory or --timeout: some places have no known "
           "bound, the net may be unbounded";
  if (info->bits <= 64)
    return "explore: every place has a bound; a state fits into one word";
  return "explore: every place has a bound; states are long, the tree store "
         "is tried on them";
}

static char *text (const tl_net *net, const tl_info *info, bool brief) {
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  if (!brief) {
    fprintf (w.file, "tideline %s: info %s\n\n", tl_version (),
             tl_net_name (net));
    tl_report_net (w.file, net, 0);
  }
  write_types (w.file, info);
  if (info->not_unfolded)
    write_coloured (w.file, net, info);
  else {
    write_class (w.file, info);
    write_bounds (w.file, net, info);
    write_structure (w.file, info);
  }
  fprintf (w.file, TL_LABEL "%s\n", "suggested", tl_info_advice (info));
  if (!brief)
    fprintf (w.file, TL_LABEL "%.2f s\n", "time", info->seconds);
  return tl_writing_close (&w);
}

char *tl_info_report (const tl_net *net, const tl_info *given, tl_form form) {
  tl_info info;
  if (!net || !TL_TAKE (&info, given))
    return 0;
  switch (TL_FORM_OF (form)) {
  case TL_FORM_TEXT: return text (net, &info, false);
  case TL_FORM_MCC: // it has no such lines
  case TL_FORM_SHORT: return text (net, &info, true);
  case TL_FORM_JSON: return tl_info_json (net, &info);
  default: return 0;
  }
}
