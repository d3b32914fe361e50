#include "compile/build.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

extern char **environ;

struct tl_build {
  tl_mem *mem;
  char *text;
  size_t size;
  tl_build_state state;
  char folder[PATH_MAX];
  bool kept;      // the folder is the cache
  char name[40];  // of the files there
  pid_t compiler; // 0: none runs
  void *object;
  const tl_program *program;
  char why[160];
};

// ---- Names -----------------------------------------------------------------

typedef struct path {
  char text[PATH_MAX + 80];
} path;

// `made`: while it is being made; other processes may make the same.
static path path_of (const tl_build *b, bool made, const char *ending) {
  path p;
  if (made)
    snprintf (p.text, sizeof p.text, "%s/%s.%ld%s", b->folder, b->name,
              (long)getpid (), ending);
  else
    snprintf (p.text, sizeof p.text, "%s/%s%s", b->folder, b->name, ending);
  return p;
}

static bool is_our_own (const char *folder) {
  struct stat s;
  return !lstat (folder, &s) && S_ISDIR (s.st_mode) && s.st_uid == geteuid () &&
         !(s.st_mode & (S_IWGRP | S_IWOTH));
}

// The folder of the cache, made if it is not there.
static bool find_cache (tl_build *b) {
  const char *cache = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME");
  const bool own = cache && *cache == '/';
  if (!own && (!home || *home != '/'))
    return false;
  const int length = snprintf (b->folder, sizeof b->folder, "%s%s/tideline",
                               own ? cache : home, own ? "" : "/.cache");
  if (length < 0 || (size_t)length >= sizeof b->folder - sizeof b->name - 32)
    return false;
  char *last = strrchr (b->folder, '/');
  *last = 0;
  mkdir (b->folder, 0700);
  *last = '/';
  mkdir (b->folder, 0700);
  return is_our_own (b->folder);
}

static bool make_temporary (tl_build *b) {
  const char *folder = getenv ("TMPDIR");
  const int length =
      snprintf (b->folder, sizeof b->folder, "%s/tideline-XXXXXX",
                folder && *folder == '/' ? folder : P_tmpdir);
  return length > 0 && (size_t)length < sizeof b->folder - 80 &&
         mkdtemp (b->folder);
}

static void remove_files (const tl_build *b, bool made) {
  unlink (path_of (b, made, ".c").text);
  unlink (path_of (b, made, ".so").text);
}

// ---- Ends ------------------------------------------------------------------

static tl_build_state fail (tl_build *b, const char *why) {
  snprintf (b->why, sizeof b->why, "%s", why);
  b->state = TL_BUILD_FAILED;
  return b->state;
}

static tl_build_state load (tl_build *b) {
  b->object = dlopen (path_of (b, false, ".so").text, RTLD_NOW | RTLD_LOCAL);
  b->program = b->object ? dlsym (b->object, TL_PROGRAM_SYMBOL) : 0;
  if (!b->program)
    return fail (b, "the compiled net cannot be loaded");
  b->state = TL_BUILD_READY;
  return b->state;
}

static void leave_folder (tl_build *b) {
  if (b->kept || !*b->folder)
    return;
  remove_files (b, false);
  remove_files (b, true);
  rmdir (b->folder);
}

// ---- The compiler ----------------------------------------------------------

static bool write_text (const tl_build *b) {
  const path p = path_of (b, true, ".c");
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

static int spawn (tl_build *b, const char *compiler) {
  const path from = path_of (b, true, ".c"), to = path_of (b, true, ".so");
  const char *const word[] = {compiler, "-O1", "-w", "-shared", "-fPIC", "-o",
                              to.text,  "-x",  "c",  from.text, 0};
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init (&actions))
    return ENOMEM;
  int rc = 0;
  for (int fd = 0; !rc && fd < 3; fd++)
    rc =
        posix_spawn_file_actions_addopen (&actions, fd, "/dev/null", O_RDWR, 0);
  if (!rc)
    rc = posix_spawnp (&b->compiler, compiler, &actions, 0,
                       (char *const *)(uintptr_t)word, environ);
  posix_spawn_file_actions_destroy (&actions);
  if (rc)
    b->compiler = 0;
  return rc;
}

static tl_build_state compile (tl_build *b) {
  static const char *const compilers[] = {"cc", "gcc", "clang"};
  remove_files (b, true); // of a process with our number, long ago
  if (!write_text (b))
    return fail (b, "the compiled net cannot be written");
  for (size_t i = 0; i < 3; i++)
    if (!spawn (b, compilers[i])) {
      b->state = TL_BUILD_GOES_ON;
      return b->state;
    }
  return fail (b, "there is no C compiler (cc, gcc or clang)");
}

// The compiler has ended.
static tl_build_state take_object (tl_build *b, int status) {
  if (!WIFEXITED (status) || WEXITSTATUS (status))
    return fail (b, "the C compiler failed");
  // The object comes first: whoever sees the text finds its object.
  if (rename (path_of (b, true, ".so").text, path_of (b, false, ".so").text) ||
      rename (path_of (b, true, ".c").text, path_of (b, false, ".c").text))
    return fail (b, "the compiled net cannot be written");
  return load (b);
}

// ---- From outside ----------------------------------------------------------

// Is the same text there?
static bool is_cached (const tl_build *b) {
  const path p = path_of (b, false, ".c");
  FILE *f = fopen (p.text, "re");
  if (!f)
    return false;
  char part[4096];
  size_t at = 0, n;
  while ((n = fread (part, 1, sizeof part, f)) && n <= b->size - at &&
         !memcmp (part, b->text + at, n))
    at += n;
  fclose (f);
  return !n && at == b->size;
}

static tl_build_state start (tl_build *b) {
  const XXH128_hash_t hash = XXH3_128bits (b->text, b->size);
  snprintf (b->name, sizeof b->name, "%016llx%016llx",
            (unsigned long long)hash.high64, (unsigned long long)hash.low64);
  b->kept = find_cache (b);
  if (!b->kept && !make_temporary (b)) {
    *b->folder = 0;
    return fail (b, "there is no folder for the compiled net");
  }
  if (b->kept && is_cached (b) && load (b) == TL_BUILD_READY)
    return b->state;
  return compile (b);
}

tl_status tl_build_start (tl_build **out, tl_mem *mem, char *text,
                          size_t size) {
  tl_build *b;
  *out = 0;
  if (!TL_NEW (mem, b, 1)) {
    free (text);
    return TL_E_NOMEM;
  }
  b->mem = mem;
  b->text = text;
  b->size = size;
  start (b);
  *out = b;
  return TL_OK;
}

tl_build_state tl_build_look (tl_build *b, bool wait) {
  if (b->state != TL_BUILD_GOES_ON)
    return b->state;
  int status;
  pid_t ended;
  while ((ended = waitpid (b->compiler, &status, wait ? 0 : WNOHANG)) < 0 &&
         errno == EINTR)
    ;
  if (!ended)
    return b->state;
  b->compiler = 0;
  if (ended < 0)
    return fail (b, "the C compiler was lost");
  if (take_object (b, status) == TL_BUILD_FAILED)
    remove_files (b, true);
  leave_folder (b);
  return b->state;
}

const tl_program *tl_build_program (const tl_build *b) {
  return b->program;
}

const char *tl_build_why (const tl_build *b) {
  return b->why;
}

void tl_build_close (tl_build *b) {
  if (!b)
    return;
  if (b->compiler) {
    kill (b->compiler, SIGTERM);
    while (waitpid (b->compiler, 0, 0) < 0 && errno == EINTR)
      ;
    remove_files (b, true);
    leave_folder (b);
  }
  if (b->object)
    dlclose (b->object);
  free (b->text);
  TL_DEL (b->mem, b, 1);
}
