// The processes that an MPI launcher has started, as the public header shows
// them.  What knows MPI is a plugin, which is loaded here.

#include "api/api_ranks.h"

#include "base/error.h"
#include "base/limits.h"
#include "check/watch.h"
#include "explore/together.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define PLUGIN "tideline-mpi.so"

// ---- Who has started it ----------------------------------------------------

// What launchers set: which rank this is, and how many there are (null: they do
// not say).
static const char *const launchers[][2] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
    {"PMIX_RANK", 0}};

bool tl_ranks_launched (uint32_t *rank, uint32_t *count) {
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
    const char *which = getenv (launchers[i][0]),
               *many = launchers[i][1] ? getenv (launchers[i][1]) : "0";
    if (!which || !many)
      continue;
    *rank = (uint32_t)strtoul (which, 0, 10);
    *count = (uint32_t)strtoul (many, 0, 10);
    return *count != 1;
  }
  *rank = 0;
  *count = 1;
  return false;
}

// ---- The plugin ------------------------------------------------------------

static bool is_there (const char *path) {
  return !access (path, R_OK);
}

// Beside the program, or where libraries are.
static bool find_plugin (char *path, size_t room) {
  char program[PATH_MAX] = "";
  const ssize_t length =
      readlink ("/proc/self/exe", program, sizeof program - 1);
  char *slash = length > 0 ? strrchr (program, '/') : 0;
  if (slash)
    *slash = 0;
  static const char *const forms[] = {"%s/" PLUGIN,
                                      "%s/../lib/tideline/" PLUGIN};
  for (size_t i = 0; slash && i < 2; i++) {
    snprintf (path, room, i ? forms[1] : forms[0], program);
    if (is_there (path))
      return true;
  }
  snprintf (path, room, "%s", TL_LIBDIR "/tideline/" PLUGIN);
  return is_there (path);
}

static tl_status load (const tl_cluster_plugin **plugin, const char *path,
                       tl_error *error) {
  char found[2 * PATH_MAX];
  if (!path && !find_plugin (found, sizeof found))
    return tl_fail (
        error, TL_E_ARG,
        "an MPI launcher has started this as one of several, but "
        "there is no " PLUGIN " beside the program or in %s: it is "
        "built where MPI is installed, and in the package tideline-mpi",
        TL_LIBDIR "/tideline");
  // MPI loads parts of itself that want to see it.
  void *object = dlopen (path ? path : found, RTLD_NOW | RTLD_GLOBAL);
  *plugin = object ? dlsym (object, "tl_cluster_plugin_mpi") : 0;
  if (!*plugin)
    return tl_fail (error, TL_E_ARG, "the plugin for MPI cannot be loaded: %s",
                    dlerror ());
  return (*plugin)->version == TL_CLUSTER_VERSION
             ? TL_OK
             : tl_fail (error, TL_E_ARG, "%s is of another version",
                        path ? path : found);
}

// Version and build: programs that were built in another way may make other
// keys.
static void tell_build (char *about, size_t room) {
  uint64_t hash = 0;
  struct stat status;
  const int file = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file >= 0 && !fstat (file, &status) && status.st_size > 0) {
    const size_t size = (size_t)status.st_size;
    void *bytes = mmap (0, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      hash = XXH3_64bits (bytes, size);
      munmap (bytes, size);
    }
  }
  if (file >= 0)
    close (file);
  snprintf (about, room, "version %s, build %08x", tl_version (),
            (unsigned)(hash >> 32));
}

// ---- Ranks -----------------------------------------------------------------

tl_status tl_ranks_open (tl_ranks **out, const char *path, tl_error *error) {
  const tl_cluster_plugin *plugin;
  char about[100], why[300];
  if (!out)
    return tl_fail (error, TL_E_ARG, "there is no place for the ranks");
  *out = 0;
  const tl_status rc = load (&plugin, path, error);
  if (rc)
    return rc;
  tl_ranks *r = calloc (1, sizeof *r);
  if (!r)
    return tl_fail (error, TL_E_NOMEM, "no memory for the ranks");
  tell_build (about, sizeof about);
  r->cluster = plugin->open (about, why, sizeof why);
  if (r->cluster && !*why) {
    *out = r;
    return TL_OK;
  }
  if (r->cluster)
    r->cluster->close (r->cluster);
  free (r);
  return tl_fail (error, TL_E_ARG, "the ranks do not fit together: %s", why);
}

uint32_t tl_ranks_number (const tl_ranks *r) {
  return r ? r->cluster->rank : 0;
}

uint32_t tl_ranks_count (const tl_ranks *r) {
  return r ? r->cluster->ranks : 1;
}

void tl_ranks_close (tl_ranks *r) {
  if (!r)
    return;
  if (!r->cluster->rank)
    tl_together_end (r->cluster);
  r->cluster->close (r->cluster);
  free (r);
}

// Ranks on the same machine share what it has, unless somebody says otherwise.
static void share_machine (const tl_cluster *all, tl_options *o) {
  const long online = sysconf (_SC_NPROCESSORS_ONLN);
  const unsigned cores = tl_limit_cores (),
                 part = (unsigned)(online > 0 ? online : 1) / all->here;
  if (!o->threads)
    o->threads = !part ? 1 : part < cores ? part : cores;
  if (!o->memory)
    o->memory = tl_mem_default () / all->here;
}

void tl_ranks_follow (tl_ranks *r, const tl_options *own) {
  if (!r)
    return;
  tl_options o = own ? *own : tl_options_whole ();
  share_machine (r->cluster, &o);
  if (r->cluster->rank)
    tl_together_follow (r->cluster, &tl_watch, &o);
}

bool tl_ranks_fleet (tl_options *o, tl_fleet *team) {
  if (!o->ranks || o->ranks->cluster->rank || o->ranks->cluster->ranks < 2)
    return false;
  *team = (tl_fleet){.cluster = o->ranks->cluster, .lookout = &tl_watch};
  share_machine (team->cluster, o);
  return true;
}
