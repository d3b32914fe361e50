// What check is asked, from the command line and from files.

#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- Properties of Helena --------------------------------------------------

static bool is_identifier (const char *text) {
  return *text && !text[strspn (text, "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

// The file asked for, or model.prop.lna for model.lna; null: there is none.
static char *property_file (const options *o) {
  const char *model = o->operands.item[0];
  const size_t length = strlen (model);
  char *path;
  if (o->property_file)
    return strdup (o->property_file);
  if (length < 4 || strcmp (model + length - 4, ".lna") ||
      asprintf (&path, "%.*s.prop.lna", (int)length - 4, model) < 0)
    return 0;
  if (!access (path, R_OK))
    return path;
  free (path);
  return 0;
}

// Asks for a property of that name (null: all); -1: there is none.
static int read_property (tl_questions *questions, const char *name,
                          const options *o) {
  char *path = property_file (o);
  tl_settings settings;
  tl_error err = {0};
  bool found;
  int code = -1;
  if (path && (!name || is_identifier (name))) {
    if (!settings_open (&settings, o))
      code = fault ("out of memory");
    else if (tl_questions_add_property (questions, path, name, &settings,
                                        &found, &err))
      code = end_error (&err, o, o->operands.item[0]);
    else if (found)
      code = 0;
    else if (!name)
      code = usage_error ("%s: there is no property", path);
    settings_close (&settings);
  }
  free (path);
  return code;
}

// ---- Formulas --------------------------------------------------------------

// The words from `first` on with blanks between them; null: no memory.
static char *join (const options *o, size_t first, size_t end) {
  size_t length = 0;
  for (size_t i = first; i < end; i++)
    length += strlen (o->operands.item[i]) + 1;
  char *text = malloc (length + 1), *at = text;
  for (size_t i = first; text && i < end; i++)
    at = stpcpy (stpcpy (at, i > first ? " " : ""), o->operands.item[i]);
  return text;
}

// Says what is wrong, in which formula, and shows it.
static int explain (tl_error *err, const char *text, size_t number,
                    const options *o) {
  char *whole = 0;
  if (o->operands.count > 2 && asprintf (&whole, "formula %zu", number) > 0 &&
      !strcmp (err->file, "formula"))
    snprintf (err->file, sizeof err->file, "%s", whole);
  free (whole);
  return text_error (err, text);
}

// A formula that the shell has cut into words: the most of them that make one.
// *last is left at its last word; false: there is none.
static bool read_pieces (tl_questions *questions, const options *o,
                         size_t first, size_t *last) {
  bool good = false;
  for (size_t end = o->operands.count; !good && end > first + 1; end--) {
    char *text = join (o, first, end);
    good = text && !tl_questions_add_text (questions, text, 0);
    free (text);
    *last = end - 1;
  }
  return good;
}

// Does the formula go on in the next word?
static bool goes_on (const tl_error *err, const char *text, const char *next) {
  return next && ((err->line && (size_t)err->column > strlen (text)) ||
                  (*next && strchr ("=<>!#+-*&|)", *next)));
}

// The formula at *at; where the shell has cut it into words, *at is left at the
// last of them.
static int read_formula (tl_questions *questions, const options *o,
                         size_t *at) {
  const size_t first = *at;
  const char *text = o->operands.item[first];
  const char *next =
      first + 1 < o->operands.count ? o->operands.item[first + 1] : 0;
  tl_error err = {0};
  if (!tl_questions_add_text (questions, text, &err))
    return 0;
  const bool word = !strpbrk (text, " \t\n");
  if (err.code == TL_E_NOMEM)
    return end_error (&err, o, o->operands.item[0]);
  if (word && read_pieces (questions, o, first, at))
    return 0;
  if (!word || !goes_on (&err, text, next))
    return explain (&err, text, first, o);
  char *whole = join (o, first, o->operands.count);
  if (!whole)
    return fault ("out of memory");
  tl_questions_add_text (questions, whole, &err);
  const int code = explain (&err, whole, first, o);
  free (whole);
  fputs ("  a formula of several words needs quotes: 'EF p >= 1'\n", stderr);
  return code;
}

static int read_file (tl_questions *questions, const char *path,
                      const options *o) {
  tl_error err = {0};
  return tl_questions_add_formulas (questions, path, &err)
             ? end_error (&err, o, o->operands.item[0])
             : 0;
}

// home PREDICATE: the shell has taken the quotes away.
static int read_home (tl_questions *questions, const char *predicate) {
  tl_error err = {0};
  char *text;
  if (asprintf (&text, "home '%s'", predicate) < 0)
    return fault ("out of memory");
  const int code = tl_questions_add_text (questions, text, &err)
                       ? text_error (&err, text)
                       : 0;
  free (text);
  return code;
}

// ---- All of them -----------------------------------------------------------

// The operand at *at, which is left at the last that belongs to it.
static int read_operand (tl_questions *questions, const options *o,
                         size_t *at) {
  const char *text = o->operands.item[*at];
  if (text[0] == '@')
    return read_file (questions, text + 1, o);
  if (!strcmp (text, "home") && *at + 1 < o->operands.count)
    return read_home (questions, o->operands.item[++*at]);
  const int code = read_property (questions, text, o);
  return code < 0 ? read_formula (questions, o, at) : code;
}

static void print_warnings (const tl_questions *questions) {
  for (size_t i = 0; i < tl_questions_count (questions); i++) {
    const char *text = tl_questions_warning (questions, i);
    if (text)
      warn ("%s", text);
  }
}

// Are all properties asked that the net has?  Without any other question.
static bool asks_properties (const options *o) {
  return o->operands.count < 2 &&
         (o->property_file || (!o->properties.count && !o->formulas.count));
}

bool something_asked (const options *o) {
  char *path = property_file (o);
  const bool asked = path || !asks_properties (o);
  free (path);
  return asked;
}

char *implied_option (const options *o) {
  const bool unasked = o->operands.count < 2 && !asks_properties (o);
  char *path = o->property_file || unasked ? 0 : property_file (o);
  char *option = 0;
  if (path && asprintf (&option, "--property-file=%s", path) < 0)
    option = 0;
  free (path);
  return option;
}

int read_questions (tl_questions *questions, const options *o) {
  tl_error err = {0};
  int code = asks_properties (o) ? read_property (questions, 0, o) : 0;
  for (size_t i = 1; !code && i < o->operands.count; i++)
    code = read_operand (questions, o, &i);
  for (size_t i = 0; !code && i < o->formulas.count; i++)
    code = read_file (questions, o->formulas.item[i], o);
  for (size_t i = 0; !code && i < o->properties.count; i++)
    if (tl_questions_add_file (questions, o->properties.item[i], &err))
      code = end_error (&err, o, o->operands.item[0]);
  if (!code && !o->properties.count && !tl_questions_count (questions))
    code = usage_error ("nothing to check: there is no question");
  if (!code)
    print_warnings (questions);
  return code;
}
