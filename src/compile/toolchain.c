#include "compile/toolchain.h"

#include "base/budget.h"
#include "base/error.h"
#include "compile/kept.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

extern char **environ;

struct tl_build {
  tl_mem *mem;
  char *text;
  size_t size;
  tl_build_state state;
  char kept[PATH_MAX];   // where the object is kept, or ""
  char folder[PATH_MAX]; // where it is made, or ""
  pid_t compiler;        // and the group of all its processes; 0: none runs
  void *object;
  const char *symbol;
  const void *found;
  const char *why;
  tl_status fault; // what kind of failure that is
  int sys;         // errno, where the system said why
};

// ---- The folder in which it is made ----------------------------------------

typedef struct path {
  char text[PATH_MAX + NAME_MAX + 2];
} path;

static path within (const tl_build *b, const char *name) {
  path p;
  snprintf (p.text, sizeof p.text, "%s/%s", b->folder, name);
  return p;
}

static bool make_folder (tl_build *b, const char *where, const char *name) {
  const int length =
      snprintf (b->folder, sizeof b->folder, "%s/%s-XXXXXX", where, name);
  if (length > 0 && (size_t)length < sizeof b->folder && mkdtemp (b->folder))
    return true;
  *b->folder = 0;
  return false;
}

// Beside what is kept, so that it can be moved there; else it is not kept.
static bool find_folder (tl_build *b) {
  const char *temporary = getenv ("TMPDIR");
  const XXH128_hash_t hash = XXH3_128bits (b->text, b->size);
  char name[40], cache[PATH_MAX];
  snprintf (name, sizeof name, "%016llx%016llx",
            (unsigned long long)hash.high64, (unsigned long long)hash.low64);
  if (tl_kept_folder (cache, sizeof cache - sizeof name - 8)) {
    strcat (strcat (strcat (strcpy (b->kept, cache), "/"), name), ".so");
    if (tl_kept_is_good (b->kept, b->text, b->size) ||
        make_folder (b, cache, "new"))
      return true;
  }
  *b->kept = 0;
  return make_folder (b, temporary && *temporary == '/' ? temporary : P_tmpdir,
                      "tideline");
}

// With what the compiler has left there.
static void clear_folder (tl_build *b) {
  DIR *d = *b->folder ? opendir (b->folder) : 0;
  for (const struct dirent *e; d && (e = readdir (d));)
    if (*e->d_name != '.')
      unlink (within (b, e->d_name).text);
  if (d)
    closedir (d);
  if (*b->folder)
    rmdir (b->folder);
  *b->folder = 0;
}

// ---- Ends ------------------------------------------------------------------

static tl_build_state fail (tl_build *b, tl_status fault, int sys,
                            const char *why) {
  b->why = why;
  b->fault = fault;
  b->sys = sys;
  b->state = TL_BUILD_FAILED;
  return b->state;
}

static tl_build_state load (tl_build *b, const char *object) {
  b->object = dlopen (object, RTLD_NOW | RTLD_LOCAL);
  b->found = b->object ? dlsym (b->object, b->symbol) : 0;
  if (!b->found)
    return fail (b, TL_E_IO, 0, "the compiled net cannot be loaded");
  b->state = TL_BUILD_READY;
  return b->state;
}

// ---- The compiler ----------------------------------------------------------

static bool write_text (const tl_build *b) {
  const path p = within (b, "net.c");
  const int f = open (p.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (f < 0)
    return false;
  size_t done = 0;
  while (done < b->size) {
    const ssize_t n = write (f, b->text + done, b->size - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    done += (size_t)n;
  }
  return !close (f) && done == b->size;
}

// Its temporary files go where they are removed with all others.
static char **environment (const char *folder) {
  size_t n = 0;
  while (environ[n])
    n++;
  char **list = calloc (n + 2, sizeof *list);
  if (!list || asprintf (list, "TMPDIR=%s", folder) < 0) {
    free (list);
    return 0;
  }
  for (size_t i = 0, at = 1; i < n; i++)
    if (strncmp (environ[i], "TMPDIR=", 7))
      list[at++] = environ[i];
  return list;
}

static void drop_environment (char **list) {
  if (list)
    free (list[0]);
  free (list);
}

// A group of its own, so that all of it can be ended; and signals that we do
// not care for end it as they should.
static int set_up (posix_spawnattr_t *how, posix_spawn_file_actions_t *files) {
  sigset_t usual;
  sigemptyset (&usual);
  sigaddset (&usual, SIGPIPE);
  sigaddset (&usual, SIGXFSZ);
  int rc = posix_spawnattr_setflags (how, POSIX_SPAWN_SETPGROUP |
                                              POSIX_SPAWN_SETSIGDEF);
  if (!rc)
    rc = posix_spawnattr_setsigdefault (how, &usual);
  for (int fd = 0; !rc && fd < 3; fd++)
    rc = posix_spawn_file_actions_addopen (files, fd, "/dev/null", O_RDWR, 0);
  return rc;
}

static int spawn (tl_build *b, const char *compiler) {
  const path from = within (b, "net.c"), to = within (b, "net.so");
  const char *const word[] = {compiler, "-O1", "-w", "-shared", "-fPIC", "-o",
                              to.text,  "-x",  "c",  from.text, 0};
  posix_spawnattr_t how;
  posix_spawn_file_actions_t files;
  if (posix_spawnattr_init (&how))
    return ENOMEM;
  if (posix_spawn_file_actions_init (&files)) {
    posix_spawnattr_destroy (&how);
    return ENOMEM;
  }
  char **with = environment (b->folder);
  int rc = with ? set_up (&how, &files) : ENOMEM;
  if (!rc)
    rc = posix_spawnp (&b->compiler, compiler, &files, &how,
                       (char *const *)(uintptr_t)word, with);
  if (rc)
    b->compiler = 0;
  drop_environment (with);
  posix_spawn_file_actions_destroy (&files);
  posix_spawnattr_destroy (&how);
  return rc;
}

static tl_build_state compile (tl_build *b) {
  static const char *const compilers[] = {"cc", "gcc", "clang"};
  if (!write_text (b))
    return fail (b, TL_E_IO, errno, "the compiled net cannot be written");
  for (size_t i = 0; i < 3; i++)
    if (!spawn (b, compilers[i])) {
      b->state = TL_BUILD_GOES_ON;
      return b->state;
    }
  return fail (b, TL_E_ARG, 0, "there is no C compiler (cc, gcc or clang)");
}

// The compiler has ended.  What cannot be kept is used all the same.
static tl_build_state take_object (tl_build *b, int status) {
  if (!WIFEXITED (status) || WEXITSTATUS (status))
    return fail (b, TL_E_IO, 0, "the C compiler failed");
  const path object = within (b, "net.so");
  const bool kept =
      *b->kept && tl_kept_put (b->kept, object.text, b->text, b->size);
  return load (b, kept ? b->kept : object.text);
}

static void rest (void) {
  const struct timespec moment = {.tv_nsec = 2000000};
  nanosleep (&moment, 0);
}

// Asks it to end, and does not wait long for that.  Nobody has been waited for
// before the last signal was sent: the number of the group is still its own.
static void end_compiler (tl_build *b) {
  siginfo_t ended = {0};
  kill (-b->compiler, SIGTERM);
  for (int i = 0; i < 100 && !ended.si_pid; i++) {
    if (i)
      rest ();
    if (waitid (P_PID, (id_t)b->compiler, &ended, WEXITED | WNOHANG | WNOWAIT))
      break;
  }
  kill (-b->compiler, SIGKILL);
  while (waitpid (b->compiler, 0, 0) < 0 && errno == EINTR)
    ;
  b->compiler = 0;
}

// ---- From outside ----------------------------------------------------------

static void start (tl_build *b) {
  if (!find_folder (b))
    fail (b, TL_E_IO, errno, "there is no folder for the compiled net");
  else if (!*b->folder)
    load (b, b->kept);
  else
    compile (b);
  if (b->state == TL_BUILD_FAILED)
    clear_folder (b);
}

tl_status tl_build_start (tl_build **out, tl_mem *mem, char *text, size_t size,
                          const char *symbol) {
  tl_build *b;
  *out = 0;
  if (!TL_NEW (mem, b, 1)) {
    free (text);
    return TL_E_NOMEM;
  }
  b->mem = mem;
  b->why = "";
  b->fault = TL_E_INTERNAL;
  b->text = text;
  b->size = size;
  b->symbol = symbol;
  start (b);
  *out = b;
  return TL_OK;
}

tl_build_state tl_build_look (tl_build *b, bool wait) {
  if (b->state != TL_BUILD_GOES_ON)
    return b->state;
  int status;
  pid_t ended;
  while ((ended = waitpid (b->compiler, &status, WNOHANG)) == 0 && wait &&
         !tl_budget_look (b->mem))
    rest ();
  if (!ended)
    return b->state;
  b->compiler = 0;
  if (ended < 0)
    fail (b, TL_E_IO, 0, "the C compiler was lost");
  else
    take_object (b, status);
  clear_folder (b);
  return b->state;
}

const void *tl_build_found (const tl_build *b) {
  return b->found;
}

const char *tl_build_why (const tl_build *b) {
  return b->why;
}

tl_status tl_build_complain (const tl_build *b, tl_error *error) {
  errno = b->sys;
  return tl_fail (error, b->fault, "the net cannot be compiled: %s%s%s", b->why,
                  b->sys ? ": " : "", b->sys ? strerror (b->sys) : "");
}

void tl_build_close (tl_build *b) {
  if (!b)
    return;
  if (b->compiler)
    end_compiler (b);
  clear_folder (b);
  if (b->object)
    dlclose (b->object);
  free (b->text);
  TL_DEL (b->mem, b, 1);
}
