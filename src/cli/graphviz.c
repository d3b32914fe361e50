#include "cli/cli.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A picture is not worth waiting longer.
#define MOST_SECONDS 5

extern char **environ;

// `dot -Tplain` from one file into another.
static bool start (pid_t *child, FILE *in, FILE *out) {
  char *const words[] = {"dot", "-Tplain", 0};
  posix_spawn_file_actions_t files;
  if (posix_spawn_file_actions_init (&files))
    return false;
  const bool ok =
      !posix_spawn_file_actions_adddup2 (&files, fileno (in), STDIN_FILENO) &&
      !posix_spawn_file_actions_adddup2 (&files, fileno (out), STDOUT_FILENO) &&
      !posix_spawn_file_actions_addopen (&files, STDERR_FILENO, "/dev/null", 1,
                                         0) &&
      !posix_spawnp (child, words[0], &files, 0, words, environ);
  posix_spawn_file_actions_destroy (&files);
  return ok;
}

// Did it end well, and in time?
static bool await (pid_t child) {
  const double end = clock_now () + MOST_SECONDS;
  const struct timespec moment = {.tv_nsec = 2000000};
  int status;
  pid_t ended;
  while (!(ended = waitpid (child, &status, WNOHANG)) && clock_now () < end)
    nanosleep (&moment, 0);
  if (!ended) {
    kill (child, SIGKILL);
    waitpid (child, &status, 0);
    return false;
  }
  return ended == child && WIFEXITED (status) && !WEXITSTATUS (status);
}

static char *read_all (FILE *f) {
  const long length = fseek (f, 0, SEEK_END) ? -1 : ftell (f);
  char *text = length > 0 ? malloc ((size_t)length + 1) : 0;
  if (!text)
    return 0;
  rewind (f);
  text[fread (text, 1, (size_t)length, f)] = 0;
  return text;
}

char *lay_out (char *sketch) {
  FILE *in = sketch ? tmpfile () : 0, *out = in ? tmpfile () : 0;
  char *text = 0;
  pid_t child;
  if (out && fputs (sketch, in) >= 0 && !fflush (in)) {
    rewind (in);
    if (start (&child, in, out) && await (child))
      text = read_all (out);
  }
  if (in)
    fclose (in);
  if (out)
    fclose (out);
  tl_text_close (sketch);
  return text;
}
