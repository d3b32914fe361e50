// Runs that go on from their checkpoints: what they were asked for is kept
// beside these (tl_request), and nothing else is needed.

#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Keeping ---------------------------------------------------------------

// Where in the word the path begins, if it is there.
static const char *path_in (const char *word, const char *path) {
  return path >= word && path <= word + strlen (word) ? path : 0;
}

// The same for @FILE.
static const char *path_behind (const char *word, const char *text) {
  return text && text[0] == '@' ? path_in (word, text + 1) : 0;
}

// The path of a file of a list that the word has, and where the list has it.
static const char *listed (const char *word, const list *l,
                           const char ***where) {
  const char *path = 0;
  for (size_t i = 0; !path && i < l->count; i++)
    if ((path = path_in (word, l->item[i])))
      *where = l->item + i;
  return path;
}

// The path of an input that the word has, or null; and which of the options has
// it, or null where that cannot be standard input.
static const char *input_of (const options *o, const char *word,
                             const char ***where) {
  const char *path = path_in (word, o->operands.item[0]);
  *where = path ? o->operands.item : 0;
  if (!path)
    path = path_behind (word, o->progress);
  if (!path)
    path = listed (word, &o->formulas, where);
  if (!path)
    path = listed (word, &o->properties, where);
  if (!path && o->property_file)
    path = path_in (word, o->property_file);
  for (size_t i = 1; !path && i < o->operands.count; i++)
    path = path_behind (word, o->operands.item[i]);
  return path;
}

// Before the words that were typed stands the name of the command, and a word
// that nobody has typed unless that is null.
static size_t first_word (const char *implied) {
  return implied ? 2 : 1;
}

static int save_request (const options *o, const char *name,
                         const char *implied) {
  const size_t first = first_word (implied), count = (size_t)o->words + first;
  tl_request_word *all = calloc (count, sizeof *all);
  const char **where;
  tl_error err = {0};
  if (!all)
    return fault ("out of memory");
  all[0].word = name;
  if (implied)
    all[1] = (tl_request_word){implied, strchr (implied, '=') + 1};
  for (size_t i = first; i < count; i++) {
    all[i].word = o->word[i - first];
    all[i].path = input_of (o, all[i].word, &where);
  }
  const tl_status status = tl_request_save (o->checkpoint, all, count, &err);
  free (all);
  return status ? library_error (&err) : 0;
}

// What was on standard input is there only once: from now on it is the copy.
static int take_copy (const options *o, size_t first) {
  static char path[5000];
  tl_request *request;
  tl_error err = {0};
  if (tl_request_open (&request, o->checkpoint, &err))
    return library_error (&err);
  for (size_t i = 0; i < (size_t)o->words; i++) {
    const char *word = o->word[i], **where, *input = input_of (o, word, &where);
    if (!input || !where || strcmp (input, "-"))
      continue;
    snprintf (path, sizeof path, "%s",
              tl_request_at (request, i + first) + (input - word));
    *where = path;
  }
  tl_request_close (request);
  return 0;
}

int keep_request (const options *o, const char *name, const char *implied) {
  if (!o->checkpoint || o->resumes)
    return 0;
  const int code = save_request (o, name, implied);
  return code ? code : take_copy (o, first_word (implied));
}

// ---- The end ---------------------------------------------------------------

// Would it find more with larger budgets?
static bool is_open (const tl_exploration *x, int code) {
  return code != EXIT_HOLDS && code != EXIT_VIOLATED &&
         (x->stop == TL_STOP_MEMORY || x->stop == TL_STOP_STATES ||
          x->stop == TL_STOP_TIME || x->stop == TL_STOP_CANCEL);
}

int end_request (const options *o, const tl_exploration *x, int code) {
  tl_error err = {0};
  if (!o->checkpoint || code == EXIT_FAULT)
    return code;
  if (x->checkpoints.problem[0])
    warn ("no checkpoint could be written: %s", x->checkpoints.problem);
  if (!is_open (x, code))
    return tl_request_finish (o->checkpoint, code, &err) ? library_error (&err)
                                                         : code;
  if (!x->checkpoints.states)
    return code;
  fputs ("tideline: go on with: ", stderr);
  if (x->ranks > 1)
    fprintf (stderr, "mpirun -n %u ", (unsigned)x->ranks);
  fprintf (stderr, "tideline resume %s\n", o->checkpoint);
  return code;
}

// ---- Going on --------------------------------------------------------------

// Adds those of this command.
static void add_words (const options *o, char **word, int *count) {
  word[(*count)++] = (char *)"--checkpoint";
  word[(*count)++] = (char *)o->operands.item[0];
  for (int i = 0; i < o->words; i++)
    if (o->word[i] != o->operands.item[0])
      word[(*count)++] = o->word[i];
}

// The words of the request, then those of this command, which count more;
// before a word that ends the options.
static char **join (const tl_request *request, const options *o, int *count) {
  size_t n = 0;
  while (tl_request_at (request, n))
    n++;
  char **word = calloc (n + (size_t)o->words + 3, sizeof *word);
  if (!word)
    return 0;
  *count = 0;
  bool added = false;
  for (size_t i = 1; i < n; i++) {
    const char *next = tl_request_at (request, i);
    if (!added && !strcmp (next, "--")) {
      add_words (o, word, count);
      added = true;
    }
    word[(*count)++] = (char *)next;
  }
  if (!added)
    add_words (o, word, count);
  return word;
}

static int go_on (const tl_request *request, const options *o) {
  const char *name = tl_request_at (request, 0);
  const command *c = name ? find_command (name) : 0;
  options again;
  int count;
  if (!c || !c->run || c->run == run_resume)
    return usage_error ("%s: what the run was asked for is damaged",
                        o->operands.item[0]);
  char **word = join (request, o, &count);
  if (!word)
    return fault ("out of memory");
  int code = options_parse (&again, c, count, word);
  again.resumes = true;
  again.joined = o->joined;
  if (code < 0 && again.operands.count < c->fewest)
    code = usage_error ("%s: what the run was asked for is damaged",
                        o->operands.item[0]);
  if (code < 0)
    code = c->run (&again);
  options_close (&again);
  free (word);
  return code;
}

int run_resume (const options *o) {
  const char *folder = o->operands.item[0];
  tl_request *request;
  tl_error err = {0};
  int code;
  if (tl_request_open (&request, folder, &err))
    return library_error (&err);
  if (!tl_request_finished (request, &code))
    code = go_on (request, o);
  else {
    tl_request_finish (folder, code, 0); // what a kill has left goes now
    fprintf (stderr,
             "tideline: %s: the run is finished, with exit code %d; there is "
             "nothing to go on with\n",
             folder, code);
  }
  tl_request_close (request);
  return code;
}
