#include "base/limits.h"

#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

size_t tl_limit_machine (void) {
  const long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : (size_t)1 << 30;
}

static size_t least (size_t a, size_t b) {
  return a < b ? a : b;
}

// ---- Control groups --------------------------------------------------------

// The first line of a file in a folder; false: there is none.
static bool read_word (const char *folder, const char *file, char *word,
                       int room) {
  char path[PATH_MAX];
  if (snprintf (path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path)
    return false;
  FILE *f = fopen (path, "re");
  const bool found = f && fgets (word, room, f);
  if (f)
    fclose (f);
  return found;
}

// A number that stands alone in a file; "max", or no such file: no limit.
static size_t read_size (const char *folder, const char *file) {
  char word[32];
  if (!read_word (folder, file, word, sizeof word) || word[0] < '0' ||
      word[0] > '9')
    return TL_NO_SIZE;
  const unsigned long long size = strtoull (word, 0, 10);
  return size < TL_NO_SIZE ? (size_t)size : TL_NO_SIZE;
}

static size_t read_memory (const char *group) {
  return read_size (group, "memory.max");
}

static size_t read_memory_1 (const char *group) {
  return read_size (group, "memory.limit_in_bytes");
}

// So much of a period, in whole cores.
static size_t cores (size_t quota, size_t period) {
  return quota == TL_NO_SIZE || !quota || !period ? TL_NO_SIZE
                                                  : (quota - 1) / period + 1;
}

// "QUOTA PERIOD"
static size_t read_cores (const char *group) {
  char word[64], *end;
  if (!read_word (group, "cpu.max", word, sizeof word) || word[0] < '0' ||
      word[0] > '9')
    return TL_NO_SIZE;
  const size_t quota = strtoul (word, &end, 10);
  return cores (quota, strtoul (end, 0, 10));
}

static size_t read_cores_1 (const char *group) {
  return cores (read_size (group, "cpu.cfs_quota_us"),
                read_size (group, "cpu.cfs_period_us"));
}

// What control groups limit: by which controller, and how to read the limit of
// a group in its folder, of version 2 and of version 1.
typedef struct resource {
  const char *controller;
  size_t (*read) (const char *group), (*read_1) (const char *group);
} resource;

static const resource memory = {"memory", read_memory, read_memory_1},
                      processors = {"cpu", read_cores, read_cores_1};

// The limit of a group and of those that it lies in.  In a container the path
// may be one of the machine outside, of which only the end of the way up is
// there: the root.
static size_t read_groups (const char *folder, char *group,
                           size_t (*read) (const char *)) {
  size_t limit = TL_NO_SIZE;
  for (;;) {
    char path[PATH_MAX];
    if (snprintf (path, sizeof path, "%s%s", folder, group) < (int)sizeof path)
      limit = least (limit, read (path));
    char *slash = strrchr (group, '/');
    if (!slash)
      return limit;
    *slash = 0;
  }
}

// Is it one of the words between commas?
static bool has_word (const char *words, const char *word) {
  const size_t length = strlen (word);
  for (; *words; words += strcspn (words, ","), words += *words == ',')
    if (strcspn (words, ",") == length && !strncmp (words, word, length))
      return true;
  return false;
}

// A line is NUMBER:CONTROLLERS:GROUP; version 2 has no controllers there.
static size_t read_line (char *line, const char *folder, const resource *r) {
  char *words = strchr (line, ':');
  char *group = words ? strchr (words + 1, ':') : 0;
  if (!group)
    return TL_NO_SIZE;
  *words++ = *group++ = 0;
  group[strcspn (group, "\n")] = 0;
  if (!*words)
    return read_groups (folder, group, r->read);
  char below[PATH_MAX];
  if (!has_word (words, r->controller) ||
      snprintf (below, sizeof below, "%s/%s", folder, r->controller) >=
          (int)sizeof below)
    return TL_NO_SIZE;
  return read_groups (below, group, r->read_1);
}

static size_t least_of_groups (const char *list, const char *folder,
                               const resource *r) {
  size_t limit = TL_NO_SIZE, room = 0;
  char *line = 0;
  FILE *f = fopen (list, "re");
  while (f && getline (&line, &room, f) > 0)
    limit = least (limit, read_line (line, folder, r));
  free (line);
  if (f)
    fclose (f);
  return limit;
}

size_t tl_limit_groups (const char *list, const char *folder) {
  return least_of_groups (list, folder, &memory);
}

size_t tl_limit_quota (const char *list, const char *folder) {
  return least_of_groups (list, folder, &processors);
}

unsigned tl_limit_cores (void) {
  cpu_set_t mask;
  const long online = sysconf (_SC_NPROCESSORS_ONLN);
  size_t count = online > 0 ? (size_t)online : 1;
  if (!sched_getaffinity (0, sizeof mask, &mask))
    count = (size_t)CPU_COUNT (&mask);
  return (unsigned)least (
      count, tl_limit_quota ("/proc/self/cgroup", "/sys/fs/cgroup"));
}

// ---- Limits of the process -------------------------------------------------

// What getrlimit has said, and what it has returned.
static size_t size_of (const struct rlimit *limit, int rc) {
  return rc || limit->rlim_cur == RLIM_INFINITY ? TL_NO_SIZE
                                                : (size_t)limit->rlim_cur;
}

// Address space in use.
static size_t space_used (void) {
  unsigned long pages = 0;
  FILE *f = fopen ("/proc/self/statm", "re");
  if (f && fscanf (f, "%lu", &pages) != 1)
    pages = 0;
  if (f)
    fclose (f);
  return (size_t)pages * (size_t)sysconf (_SC_PAGESIZE);
}

size_t tl_limit_space (void) {
  struct rlimit given;
  const size_t limit = size_of (&given, getrlimit (RLIMIT_AS, &given));
  if (limit == TL_NO_SIZE)
    return limit;
  const size_t used = space_used ();
  return used < limit ? limit - used : 0;
}

size_t tl_limit_memory (void) {
  struct rlimit given;
  size_t limit = least (tl_limit_machine (), tl_limit_space ());
  limit = least (limit, size_of (&given, getrlimit (RLIMIT_DATA, &given)));
  return least (limit, tl_limit_groups ("/proc/self/cgroup", "/sys/fs/cgroup"));
}
