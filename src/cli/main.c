#include "cli/cli.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ANY SIZE_MAX

const command command_table[] = {
    {"explore", "MODEL", "visit every reachable state, report what was found",
     EXPLORE, 1, 1, run_explore},
    {"check", "MODEL [FORMULA...]",
     "decide properties, with a trace for each violated or witnessed one",
     CHECK, 1, ANY, run_check},
    {"graph", "MODEL", "build, write and show the condensed reachability graph",
     GRAPH, 1, 1, run_graph},
    {"resume", "DIR", "go on with a run from its checkpoint", RESUME, 1, 1,
     run_resume},
    {"simulate", "MODEL", "play the token game: fire, take back, find, save",
     SIMULATE, 1, 1, run_simulate},
    {"info", "MODEL", "size, invariants, bounds, encoding, suggested method",
     INFO, 1, 1, run_info},
    {"progress", "MODEL", "derive and compare progress measures", PROGRESS, 1,
     1, run_progress},
    {"convert", "MODEL", "write the net in another format", CONVERT, 1, 1,
     run_convert},
    {"example", "FAMILY N...", "write a classical model", EXAMPLE, 1, ANY,
     run_example},
    {"verify", "CERTIFICATE [MODEL]",
     "check a certificate without a search, perhaps that it is of this model",
     VERIFY, 1, 2, run_verify},
    {"mcc", "", "do what the environment asks of a contest tool", MCC, 0, 0,
     run_mcc},
    {"help", "[COMMAND]", "explain the program or one command", 0, 0, 1, 0},
    {0}};

const command *find_command (const char *name) {
  for (const command *c = command_table; c->name; c++)
    if (!strcmp (c->name, name))
      return c;
  return 0;
}

static const char *command_name_at (const void *context, size_t i) {
  (void)context;
  return command_table[i].name;
}

static int unknown_command (const char *name) {
  const char *like = nearest (name, command_name_at, 0);
  if (like)
    return usage_error ("unknown command '%s'; did you mean '%s'?", name, like);
  return usage_error ("unknown command '%s'; see tideline help", name);
}

static int run_command (const command *c, int argc, char **argv) {
  options o;
  hush_followers (true);
  int code = options_parse (&o, c, argc, argv);
  if (code < 0 && (o.operands.count < c->fewest || o.operands.count > c->most))
    code = usage_error ("usage: tideline %s %s [options]; see tideline help %s",
                        c->name, c->operands, c->name);
  // The first says what is wrong: launchers end it when others fail before.
  if (hush_followers (false) && code > 0)
    code = EXIT_HOLDS;
  if (code < 0 && !run_among_ranks (c, &o, &code))
    code = c->run (&o);
  options_close (&o);
  return code;
}

static int run (int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : 0;
  if (!word)
    return usage_error ("what to do? see tideline help");
  if (!strcmp (word, "--version") || !strcmp (word, "-V"))
    return printf ("tideline %s\n", tl_version ()), EXIT_HOLDS;
  if (!strcmp (word, "--help") || !strcmp (word, "-h"))
    return print_help (0), EXIT_HOLDS;
  if (!strcmp (word, "help"))
    return run_help (argc - 2, argv + 2);
  const command *c = find_command (word);
  if (c)
    return run_command (c, argc - 2, argv + 2);
  return word[0] == '-' ? usage_error ("the command comes first; see tideline "
                                       "help")
                        : unknown_command (word);
}

// A file that is opened while one of the standard streams is closed would get
// its number, and what is meant for the stream.
static bool open_standard_streams (void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0 && open ("/dev/null", O_RDWR) != fd)
      return false;
  return true;
}

int main (int argc, char **argv) {
  if (!open_standard_streams ())
    return EXIT_FAULT;
  catch_signals ();
  const int code = run (argc, argv);
  if (fflush (stdout) || ferror (stdout))
    return code == EXIT_FAULT ? code // it was said already
                              : fault ("standard output: cannot write");
  return code;
}
