// Messages on standard error, and the exit codes that go with them.

#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void complain (const char *format, va_list arguments) {
  fputs ("tideline: ", stderr);
  vfprintf (stderr, format, arguments);
  fputc ('\n', stderr);
}

int usage_error (const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  complain (format, arguments);
  va_end (arguments);
  return EXIT_USAGE;
}

int fault (const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  complain (format, arguments);
  va_end (arguments);
  return EXIT_FAULT;
}

void warn (const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  fputs ("tideline: warning: ", stderr);
  vfprintf (stderr, format, arguments);
  fputc ('\n', stderr);
  va_end (arguments);
}

// A file or a folder that is not there is the user's mistake; a disk that is
// full or cannot be read is the machine's.
static bool is_wrong_path (int sys) {
  switch (sys) {
  case ENOENT:
  case ENOTDIR:
  case EISDIR:
  case EACCES:
  case EPERM:
  case ELOOP:
  case EROFS:
  case ENAMETOOLONG: return true;
  default: return false;
  }
}

static int exit_code (const tl_error *err) {
  switch (err->code) {
  case TL_OK: return EXIT_HOLDS;
  case TL_E_ARG:
  case TL_E_SYNTAX:
  case TL_E_MODEL: return EXIT_USAGE;
  case TL_E_NOMEM:
  case TL_E_LIMIT:
  case TL_E_CANCEL: return EXIT_UNFINISHED;
  case TL_E_IO: return is_wrong_path (err->sys) ? EXIT_USAGE : EXIT_FAULT;
  case TL_E_INTERNAL: break;
  }
  return EXIT_FAULT;
}

// The longest line that is shown
#define LONGEST 160

// A line that an error is about, and a caret below its column.  Nothing is said
// where that cannot be shown well.
static void show (const char *line, size_t length, long column) {
  bool plain = length <= LONGEST && (size_t)column <= length + 1;
  for (size_t i = 0; i < length; i++)
    plain = plain && (line[i] == '\t' || (line[i] >= ' ' && line[i] < 0x7f));
  if (!plain)
    return;
  fprintf (stderr, "  %.*s\n  ", (int)length, line);
  for (long i = 0; i < column - 1; i++)
    fputc (line[i] == '\t' ? '\t' : ' ', stderr);
  fputs ("^\n", stderr);
}

static void show_line (const tl_error *err) {
  struct stat is;
  FILE *f = stat (err->file, &is) || !S_ISREG (is.st_mode)
                ? 0
                : fopen (err->file, "r");
  if (!f)
    return;
  char line[LONGEST + 2] = "";
  long at = 1;
  for (int c; at < err->line && (c = getc (f)) != EOF;)
    at += c == '\n';
  if (at == err->line && fgets (line, sizeof line, f)) {
    const size_t length = strcspn (line, "\r\n");
    if (line[length] || feof (f)) // the whole of it
      show (line, length, err->column);
  }
  fclose (f);
}

static int say (const tl_error *err) {
  fputs ("tideline: ", stderr);
  if (err->file[0] && err->line)
    fprintf (stderr, "%s:%ld: ", err->file, err->line);
  else if (err->file[0])
    fprintf (stderr, "%s: ", err->file);
  fputs (err->text[0] ? err->text : tl_status_text (err->code), stderr);
  if (err->line && err->column)
    fprintf (stderr, " (column %ld)", err->column);
  fputc ('\n', stderr);
  return exit_code (err);
}

int library_error (const tl_error *err) {
  const int code = say (err);
  if (err->file[0] && err->line && err->column)
    show_line (err);
  return code;
}

int text_error (const tl_error *err, const char *text) {
  const int code = say (err);
  if (err->line == 1 && err->column)
    show (text, strcspn (text, "\r\n"), err->column);
  return code;
}

// Least number of letters to insert, remove or change; words above the size
// of the row are taken as far from everything.
static size_t distance (const char *a, const char *b) {
  size_t row[64];
  const size_t length = strlen (b);
  if (length >= sizeof row / sizeof *row)
    return SIZE_MAX;
  for (size_t j = 0; j <= length; j++)
    row[j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= length; j++) {
      const size_t change = corner + (a[i - 1] != b[j - 1]);
      const size_t edge = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
      corner = row[j];
      row[j] = change < edge ? change : edge;
    }
  }
  return row[length];
}

const char *nearest (const char *word,
                     const char *(*at) (const void *context, size_t i),
                     const void *context) {
  const char *best = 0, *name;
  size_t least = strlen (word) < 6 ? 2 : 4; // too far to be meant
  for (size_t i = 0; (name = at (context, i)); i++) {
    const size_t d = distance (word, name);
    if (d < least) {
      least = d;
      best = name;
    }
  }
  return best;
}
