#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Splits NAME=VALUE; a name alone has no value.
static bool split (const char *text, const char **name, const char **value) {
  char *copy = strdup (text);
  char *equals = copy ? strchr (copy, '=') : 0;
  if (equals)
    *equals = 0;
  *name = copy;
  *value = equals ? equals + 1 : 0;
  return copy;
}

static tl_compile compiling (const char *name) {
  size_t count;
  const tl_kind_row *row = tl_compilings (&count);
  for (size_t i = 0; name && i < count; i++)
    if (!strcmp (row[i].name, name))
      return (tl_compile)i;
  return TL_COMPILE_AUTO;
}

bool settings_open (tl_settings *s, const options *o) {
  const size_t count = o->parameters.count;
  const char **name = calloc (count + 1, sizeof *name);
  const char **value = calloc (count + 1, sizeof *value);
  bool ok = name && value;
  for (size_t i = 0; ok && i < count; i++)
    ok = split (o->parameters.item[i], name + i, value + i);
  *s = tl_settings_default ();
  s->name = name;
  s->value = value;
  s->count = count;
  s->no_unfold = o->no_unfold || o->as_it_is;
  s->compile = compiling (o->compile);
  s->every_place = o->every_place;
  s->progress = o->progress;
  return ok;
}

void settings_close (tl_settings *s) {
  for (size_t i = 0; s->name && i < s->count; i++)
    free ((char *)s->name[i]);
  free ((void *)s->name);
  free ((void *)s->value);
}

int end_error (const tl_error *err, const options *o, const char *path) {
  const int code = library_error (err);
  const bool budget = err->code == TL_E_NOMEM || err->code == TL_E_LIMIT ||
                      err->code == TL_E_CANCEL;
  const bool contest = o->contest || o->properties.count;
  const int printed =
      budget
          ? print_text (tl_unread_report (path, err, form_wanted (o, contest)))
          : 0;
  return printed ? printed : code;
}

static int open_as (tl_net **net, const options *o, const char *path,
                    bool unfold) {
  tl_settings settings;
  tl_error err = {0};
  const bool ok = settings_open (&settings, o);
  tl_status status = TL_OK;
  settings.unfold = unfold;
  settings.memory = o->memory;
  if (ok) {
    work_begin (o, &settings.timeout, &settings.cancel);
    phase_begin (o, "reading ", path);
    status = tl_net_open_with (net, path, &settings, &err);
    phase_end ();
    work_end ();
  }
  settings_close (&settings);
  return !ok ? fault ("out of memory") : status ? end_error (&err, o, path) : 0;
}

int open_model (tl_net **net, const options *o) {
  return open_as (net, o, o->operands.item[0], false);
}

int open_unfolded (tl_net **net, const options *o) {
  return open_as (net, o, o->operands.item[0], true);
}

int open_named (tl_net **net, const options *o, const char *path) {
  return open_as (net, o, path, false);
}

static const char *measure_name_at (const void *context, size_t i) {
  (void)context;
  size_t count;
  const tl_kind_row *rows = tl_measure_kinds (&count);
  return i < count ? rows[i].name : 0;
}

int check_measure (const tl_net *net, const options *o) {
  const char *like =
      o->progress ? nearest (o->progress, measure_name_at, 0) : 0;
  const bool time = o->progress && !strcmp (o->progress, "time");
  if ((!like && !time) || (like && !strcmp (o->progress, like)))
    return 0;
  if (tl_net_has_place (net, o->progress))
    return 0;
  if (time)
    return tl_net_has_place (net, "clock") && tl_net_has_place (net, "progress")
               ? 0
               : usage_error ("--progress: the net knows no time");
  return usage_error ("--progress: there is no measure or place '%s'; did you "
                      "mean '%s'?",
                      o->progress, like);
}

// A file is made in its folder and then put into its place.
static bool can_make (const char *path) {
  if (!strcmp (path, "-"))
    return true;
  struct stat status;
  if (!stat (path, &status)) {
    if (S_ISDIR (status.st_mode))
      errno = EISDIR;
    return !S_ISDIR (status.st_mode) && !access (path, W_OK);
  }
  const char *slash = strrchr (path, '/');
  char *folder = slash ? strndup (path, (size_t)(slash - path) + 1) : 0;
  const bool can = !access (folder ? folder : ".", W_OK | X_OK);
  free (folder);
  return can;
}

int not_written (const char *path, const char *why) {
  fprintf (stderr, "tideline: %s: not written, %s\n", path, why);
  return 0;
}

int check_outputs (const options *o) {
  const char *const path[] = {o->trace,      o->dot,    o->plot,       o->html,
                              o->graph_file, o->output, o->certificate};
  for (size_t i = 0; i < sizeof path / sizeof *path; i++)
    if (path[i] && !can_make (path[i]))
      return usage_error ("%s: cannot write: %s", path[i], strerror (errno));
  return 0;
}

const char *choose_format (const options *o, const char *otherwise) {
  static const struct {
    const char *ending, *format;
  } table[] = {{".pnml", "pnml"}, {".xml", "pnml"}, {".lola", "lola"},
               {".net", "tina"},  {".dot", "dot"},  {".gv", "dot"},
               {".lna", "lna"}};
  if (o->format)
    return o->format;
  const char *ending = o->output ? strrchr (o->output, '.') : 0;
  for (size_t i = 0; ending && i < sizeof table / sizeof *table; i++)
    if (!strcmp (ending, table[i].ending))
      return table[i].format;
  if (!otherwise)
    usage_error ("which format? give --format pnml, lola, tina or dot, or an "
                 "output file with such an ending");
  return otherwise;
}

// On a terminal somebody reads the text.
static int shown_wanted (const options *o, bool text) {
  const char *markings = o->markings                      ? o->markings
                         : text && isatty (STDOUT_FILENO) ? "changed"
                                                          : "none";
  return (!strcmp (markings, "changed") ? TL_SHOW_CHANGES
          : !strcmp (markings, "all")   ? TL_SHOW_MARKINGS
                                        : 0) |
         (!o->labels                    ? 0
          : !strcmp (o->labels, "name") ? TL_SHOW_NAMES
                                        : TL_SHOW_IDS);
}

tl_form form_wanted (const options *o, bool contest) {
  const tl_form form = o->json    ? TL_FORM_JSON
                       : contest  ? TL_FORM_MCC
                       : o->quiet ? TL_FORM_SHORT
                                  : TL_FORM_TEXT;
  return (tl_form)((int)form | shown_wanted (o, form == TL_FORM_TEXT));
}

tl_form trace_form (const options *o) {
  return (tl_form)(TL_FORM_TEXT | shown_wanted (o, false));
}

// The controls of U+0080 to U+009F, which names may have, would change what a
// terminal shows: 9b goes before its commands.  They become \u009b.
static char *for_terminal (char *text, int fd) {
  enum { LONGER = 6 };
  size_t length = 0;
  for (const char *c = text; text && *c; c++)
    length += *c == '\xc2' ? LONGER : 1;
  char *safe = text && isatty (fd) ? malloc (length + 1) : 0;
  if (!safe)
    return text;
  char *to = safe;
  for (const char *c = text; *c; c++)
    if (*c == '\xc2' && (c[1] & 0xe0) == 0x80)
      to += sprintf (to, "\\u00%02x", (unsigned)(unsigned char)*++c);
    else
      *to++ = *c;
  *to = 0;
  tl_text_close (text);
  return safe;
}

int save_text (char *text, const char *path) {
  if (!strcmp (path, "-"))
    text = for_terminal (text, STDOUT_FILENO);
  if (!text)
    return fault ("out of memory");
  tl_error err = {0};
  const tl_status status = tl_text_save (text, path, &err);
  tl_text_close (text);
  return status ? library_error (&err) : 0;
}

int regress_error (const tl_net *net, const tl_exploration *x,
                   const options *o) {
  char *text =
      for_terminal (tl_regress_report (net, x, trace_form (o)), STDERR_FILENO);
  if (!text)
    return fault ("out of memory");
  fprintf (stderr, "tideline: %s: %s", o->operands.item[0], text);
  tl_text_close (text);
  const int code =
      o->trace && x->regress.transition
          ? save_text (tl_exploration_traces (net, x, trace_form (o)), o->trace)
          : 0;
  return code ? code : EXIT_USAGE;
}

int fault_error (const tl_net *net, const tl_exploration *x, const options *o) {
  char *text =
      for_terminal (tl_fault_report (net, x, trace_form (o)), STDERR_FILENO);
  if (!text)
    return fault ("out of memory");
  fprintf (stderr, "tideline: %s", text);
  tl_text_close (text);
  return EXIT_USAGE;
}

int save_plot (const tl_net *net, const tl_exploration *x, const options *o) {
  if (!o->plot)
    return 0;
  return x->sweep.points ? save_text (tl_sweep_plot (net, x), o->plot)
                         : not_written (o->plot, "no sweep was made");
}

int print_text (char *text) {
  return save_text (text, "-");
}
