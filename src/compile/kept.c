#include "compile/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

// The last bytes of a file
typedef struct seal {
  char magic[8];
  uint64_t object, text;   // sizes
  XXH128_canonical_t hash; // of the object
} seal;

static const char magic[8] = "tideline";

static bool is_our_own (const struct stat *s) {
  return s->st_uid == geteuid () && !(s->st_mode & (S_IWGRP | S_IWOTH));
}

bool tl_kept_folder (char *path, size_t size) {
  const char *cache = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME");
  const bool own = cache && *cache == '/';
  if (!own && (!home || *home != '/'))
    return false;
  const int length = snprintf (path, size, "%s%s/tideline", own ? cache : home,
                               own ? "" : "/.cache");
  if (length < 0 || (size_t)length >= size)
    return false;
  char *last = strrchr (path, '/');
  *last = 0;
  mkdir (path, 0700);
  *last = '/';
  mkdir (path, 0700);
  struct stat s;
  return !lstat (path, &s) && S_ISDIR (s.st_mode) && is_our_own (&s);
}

// ---- Looking ---------------------------------------------------------------

static bool read_all (int file, void *to, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t n = read (file, (char *)to + done, size - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    done += (size_t)n;
  }
  return true;
}

static bool find_seal (int file, uint64_t text, seal *s) {
  struct stat is;
  if (fstat (file, &is) || !S_ISREG (is.st_mode) || !is_our_own (&is) ||
      lseek (file, -(off_t)sizeof *s, SEEK_END) < 0 ||
      !read_all (file, s, sizeof *s) || lseek (file, 0, SEEK_SET))
    return false;
  const uint64_t size = (uint64_t)is.st_size - sizeof *s;
  return !memcmp (s->magic, magic, sizeof magic) && s->text == text &&
         text <= size && s->object == size - text;
}

static bool hash_object (int file, uint64_t size, XXH128_canonical_t *hash) {
  XXH3_state_t *state = XXH3_createState ();
  char part[16384];
  bool ok = state && !XXH3_128bits_reset (state);
  for (uint64_t n; ok && size; size -= n) {
    n = size < sizeof part ? size : sizeof part;
    ok = read_all (file, part, n) && !XXH3_128bits_update (state, part, n);
  }
  if (ok)
    XXH128_canonicalFromHash (hash, XXH3_128bits_digest (state));
  XXH3_freeState (state);
  return ok;
}

static bool has_text (int file, const char *text, size_t size) {
  char part[16384];
  for (size_t at = 0, n; at < size; at += n) {
    n = size - at < sizeof part ? size - at : sizeof part;
    if (!read_all (file, part, n) || memcmp (part, text + at, n))
      return false;
  }
  return true;
}

bool tl_kept_is_good (const char *path, const char *text, size_t size) {
  const int file = open (path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0)
    return false;
  seal s;
  XXH128_canonical_t hash;
  const bool good =
      find_seal (file, size, &s) && hash_object (file, s.object, &hash) &&
      !memcmp (&hash, &s.hash, sizeof hash) && has_text (file, text, size);
  close (file);
  return good;
}

// ---- Keeping ---------------------------------------------------------------

static bool write_all (int file, const void *from, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t n = write (file, (const char *)from + done, size - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    done += (size_t)n;
  }
  return true;
}

bool tl_kept_put (const char *path, const char *from, const char *text,
                  size_t size) {
  const int file = open (from, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0)
    return false;
  seal s = {.text = size};
  struct stat is;
  memcpy (s.magic, magic, sizeof magic);
  bool ok = !fchmod (file, 0700) && !fstat (file, &is);
  s.object = ok ? (uint64_t)is.st_size : 0;
  ok = ok && hash_object (file, s.object, &s.hash) &&
       write_all (file, text, size) && write_all (file, &s, sizeof s) &&
       !fsync (file);
  return !close (file) && ok && !rename (from, path);
}
