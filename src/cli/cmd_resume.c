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

// The path of an input that the word has; or null.
static const char *input_of (const options *o, const char *word) {
  const char *path = path_in (word, o->operands.item[0]);
  if (!path && o->progress && o->progress[0] == '@')
    path = path_in (word, o->progress + 1);
  return path;
}

static int save_request (const options *o, const char *name) {
  const size_t count = (size_t)o->words + 1;
  tl_request_word *all = calloc (count, sizeof *all);
  tl_error err = {0};
  if (!all)
    return fault ("out of memory");
  all[0].word = name;
  for (size_t i = 1; i < count; i++) {
    all[i].word = o->word[i - 1];
    all[i].path = input_of (o, o->word[i - 1]);
  }
  const tl_status status = tl_request_save (o->checkpoint, all, count, &err);
  free (all);
  return status ? library_error (&err) : 0;
}

int keep_request (const options *o, const char *name, const char **model) {
  if (!o->checkpoint || o->resumes)
    return 0;
  const int code = save_request (o, name);
  if (code || strcmp (*model, "-"))
    return code;
  static char path[5000]; // what was on standard input is there only once
  tl_request *request;
  tl_error err = {0};
  if (tl_request_open (&request, o->checkpoint, &err))
    return library_error (&err);
  for (size_t i = 1; i < (size_t)o->words + 1; i++)
    if (o->word[i - 1] == *model)
      snprintf (path, sizeof path, "%s", tl_request_at (request, i));
  tl_request_close (request);
  *model = path;
  return 0;
}

// ---- The end ---------------------------------------------------------------

// Would it find more with larger budgets?
static bool is_open (const tl_exploration *x) {
  return x->stop == TL_STOP_MEMORY || x->stop == TL_STOP_STATES ||
         x->stop == TL_STOP_TIME || x->stop == TL_STOP_CANCEL;
}

int end_request (const options *o, const tl_exploration *x, int code) {
  tl_error err = {0};
  if (!o->checkpoint || code == EXIT_FAULT)
    return code;
  if (x->checkpoints.problem[0])
    warn ("no checkpoint could be written: %s", x->checkpoints.problem);
  if (!is_open (x))
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

// The words of the request, then those of this command, which count more.
static char **join (const tl_request *request, const options *o, int *count) {
  size_t n = 0;
  while (tl_request_at (request, n))
    n++;
  char **word = calloc (n + (size_t)o->words + 3, sizeof *word);
  if (!word)
    return 0;
  *count = 0;
  for (size_t i = 1; i < n; i++)
    word[(*count)++] = (char *)tl_request_at (request, i);
  word[(*count)++] = (char *)"--checkpoint";
  word[(*count)++] = (char *)o->operands.item[0];
  for (int i = 0; i < o->words; i++)
    if (o->word[i] != o->operands.item[0])
      word[(*count)++] = o->word[i];
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
  if (tl_request_finished (request, &code))
    fprintf (stderr,
             "tideline: %s: the run is finished, with exit code %d; there is "
             "nothing to go on with\n",
             folder, code);
  else
    code = go_on (request, o);
  tl_request_close (request);
  return code;
}
