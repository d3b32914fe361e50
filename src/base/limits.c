#include "base/limits.h"

#include <limits.h>
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

// A number that stands alone in a file; "max", or no such file: no limit.
static size_t read_size (const char *path) {
  char word[32];
  FILE *f = fopen (path, "re");
  const bool found = f && fgets (word, sizeof word, f);
  if (f)
    fclose (f);
  if (!found || word[0] < '0' || word[0] > '9')
    return TL_NO_SIZE;
  const unsigned long long size = strtoull (word, 0, 10);
  return size < TL_NO_SIZE ? (size_t)size : TL_NO_SIZE;
}

// The limit of a group and of those that it lies in.  In a container the path
// may be one of the machine outside, of which only the end of the way up is
// there: the root.
static size_t read_groups (const char *folder, char *group, const char *file) {
  size_t limit = TL_NO_SIZE;
  for (;;) {
    char path[PATH_MAX];
    if (snprintf (path, sizeof path, "%s%s/%s", folder, group, file) <
        (int)sizeof path)
      limit = least (limit, read_size (path));
    char *slash = strrchr (group, '/');
    if (!slash)
      return limit;
    *slash = 0;
  }
}

// Is "memory" one of the words between commas?
static bool has_memory (const char *words) {
  for (; *words; words += strcspn (words, ","), words += *words == ',')
    if (strcspn (words, ",") == 6 && !strncmp (words, "memory", 6))
      return true;
  return false;
}

// A line is NUMBER:CONTROLLERS:GROUP; version 2 has no controllers there.
static size_t read_line (char *line, const char *folder) {
  char *words = strchr (line, ':');
  char *group = words ? strchr (words + 1, ':') : 0;
  if (!group)
    return TL_NO_SIZE;
  *words++ = *group++ = 0;
  group[strcspn (group, "\n")] = 0;
  if (!*words)
    return read_groups (folder, group, "memory.max");
  char below[PATH_MAX];
  if (!has_memory (words) ||
      snprintf (below, sizeof below, "%s/memory", folder) >= (int)sizeof below)
    return TL_NO_SIZE;
  return read_groups (below, group, "memory.limit_in_bytes");
}

size_t tl_limit_groups (const char *list, const char *folder) {
  size_t limit = TL_NO_SIZE, room = 0;
  char *line = 0;
  FILE *f = fopen (list, "re");
  while (f && getline (&line, &room, f) > 0)
    limit = least (limit, read_line (line, folder));
  free (line);
  if (f)
    fclose (f);
  return limit;
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
