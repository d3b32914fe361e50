#include "disk/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>
#include <xxhash.h>

enum { LEAST = 128 }; // bytes of a place in the file

void tl_pages_open (tl_pages *p, tl_mem *mem, const char *folder, size_t most) {
  *p = (tl_pages){.mem = mem, .folder = folder, .file = -1, .most = most};
  pthread_mutex_init (&p->lock, 0);
}

void tl_pages_close (tl_pages *p) {
  for (unsigned c = 0; c < TL_PAGE_CLASSES; c++)
    TL_DEL (p->mem, p->free[c], p->room[c]);
  TL_DEL (p->mem, p->left, p->left_room);
  if (p->file >= 0)
    close (p->file);
  if (*p->path)
    unlink (p->path);
  pthread_mutex_destroy (&p->lock);
}

// ---- Places in the file ----------------------------------------------------

// The least power of two times LEAST that takes so many bytes.
static unsigned class_of (size_t size) {
  unsigned c = 0;
  while (((size_t)LEAST << c) < size)
    c++;
  return c;
}

static void remove_name (tl_pages *p) {
  if (*p->path)
    unlink (p->path);
  *p->path = 0;
}

static int make_file (tl_pages *p) {
  int file = open (p->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
    return file;
  // Not every file system can do that.
  const int n =
      snprintf (p->path, sizeof p->path, "%s/tideline-XXXXXX", p->folder);
  if (n < 0 || (size_t)n >= sizeof p->path) {
    errno = ENAMETOOLONG;
    file = -1;
  } else
    file = mkostemp (p->path, O_CLOEXEC);
  if (file < 0)
    *p->path = 0;
  else if (!p->keeps)
    remove_name (p);
  return file;
}

// Writing beyond this limit would send a signal.
static bool may_write (uint64_t end) {
  struct rlimit limit;
  return getrlimit (RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
         end <= limit.rlim_cur;
}

tl_status tl_pages_make (tl_pages *p) {
  p->file = make_file (p);
  p->sys = p->file < 0 ? errno : 0;
  return p->file < 0 ? TL_E_IO : TL_OK;
}

// Finds a place for a page of that class; with the lock.
static bool take_place (tl_pages *p, unsigned c, uint64_t *at) {
  const uint64_t size = (uint64_t)LEAST << c;
  if (p->frees[c])
    *at = p->free[c][--p->frees[c]];
  else if (may_write (p->end + size)) {
    *at = p->end;
    p->end += size;
  } else {
    p->sys = EFBIG;
    return false;
  }
  p->held += size;
  p->peak = p->held > p->peak ? p->held : p->peak;
  return true;
}

// Without memory to remember it the place is lost.
static void leave_place (tl_pages *p, unsigned c, uint64_t at) {
  p->held -= (uint64_t)LEAST << c;
  if (TL_ROOM (p->mem, p->free[c], &p->room[c], p->frees[c] + 1))
    p->free[c][p->frees[c]++] = at;
}

static bool write_at (tl_pages *p, const unsigned char *bytes, size_t size,
                      uint64_t at) {
  for (size_t done = 0; done < size;) {
    const ssize_t n =
        pwrite (p->file, bytes + done, size - done, (off_t)(at + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      __atomic_store_n (&p->sys, n ? errno : ENOSPC, __ATOMIC_RELAXED);
      return false;
    }
    done += (size_t)n;
  }
  return true;
}

static bool read_at (const tl_pages *p, unsigned char *bytes, size_t size,
                     uint64_t at) {
  for (size_t done = 0; done < size;) {
    const ssize_t n =
        pread (p->file, bytes + done, size - done, (off_t)(at + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    done += (size_t)n;
  }
  return true;
}

// ---- Pages -----------------------------------------------------------------

// A quarter of the budget is for what has to be in memory.
static bool has_room (const tl_pages *p, size_t size) {
  const tl_mem *root = tl_mem_root (p->mem);
  return !p->file_only &&
         (!root->limit || tl_mem_used (root) + size <= root->limit / 4 * 3);
}

static tl_status put_in_file (tl_pages *p, const unsigned char *bytes,
                              size_t size, tl_page *page) {
  const unsigned c = class_of (size);
  uint64_t at;
  pthread_mutex_lock (&p->lock);
  const bool placed = take_place (p, c, &at);
  p->written += placed ? size : 0;
  pthread_mutex_unlock (&p->lock);
  if (!placed)
    return TL_E_IO;
  if (!write_at (p, bytes, size, at)) {
    pthread_mutex_lock (&p->lock);
    leave_place (p, c, at);
    pthread_mutex_unlock (&p->lock);
    return TL_E_IO;
  }
  page->at = at;
  page->sum = XXH3_64bits (bytes, size);
  page->size = (uint32_t)size;
  page->in_file = true;
  return TL_OK;
}

tl_status tl_pages_write (tl_pages *p, const unsigned char *bytes, size_t size,
                          tl_page *page) {
  *page = (tl_page){0};
  return put_in_file (p, bytes, size, page);
}

tl_status tl_pages_put (tl_pages *p, const unsigned char *bytes, size_t size,
                        tl_page *page) {
  unsigned char *copy;
  if (!has_room (p, size) || !TL_NEW (p->mem, copy, size))
    return tl_pages_write (p, bytes, size, page);
  memcpy (copy, bytes, size);
  *page = (tl_page){.bytes = copy, .size = (uint32_t)size};
  return TL_OK;
}

tl_status tl_pages_get (tl_pages *p, const tl_page *page, unsigned char *room,
                        const unsigned char **bytes) {
  *bytes = page->bytes ? page->bytes : room;
  if (page->bytes)
    return TL_OK;
  if (!read_at (p, room, page->size, page->at) ||
      XXH3_64bits (room, page->size) != page->sum) {
    __atomic_store_n (&p->sys, EIO, __ATOMIC_RELAXED);
    return TL_E_IO;
  }
  __atomic_fetch_add (&p->read, page->size, __ATOMIC_RELAXED);
  return TL_OK;
}

// It will be free when the next checkpoint stands.  Without memory to remember
// it the place is lost.
static void keep_place (tl_pages *p, tl_place place) {
  if (TL_ROOM (p->mem, p->left, &p->left_room, p->lefts + 1))
    p->left[p->lefts++] = place;
}

void tl_pages_drop (tl_pages *p, tl_page *page) {
  if (page->in_file) {
    pthread_mutex_lock (&p->lock);
    if (page->kept)
      keep_place (p, tl_page_place (page));
    else
      leave_place (p, class_of (page->size), page->at);
    pthread_mutex_unlock (&p->lock);
  }
  if (page->bytes)
    TL_DEL (p->mem, page->bytes, page->size);
}

// ---- Checkpoints -----------------------------------------------------------

tl_status tl_pages_name (tl_pages *p, const char *path) {
  char here[64];
  snprintf (here, sizeof here, "/proc/self/fd/%d", p->file);
  if (*p->path ? rename (p->path, path)
               : linkat (AT_FDCWD, here, AT_FDCWD, path, AT_SYMLINK_FOLLOW)) {
    p->sys = errno;
    return TL_E_IO;
  }
  *p->path = 0;
  flock (p->file, LOCK_EX | LOCK_NB); // nobody else goes on with it
  return TL_OK;
}

tl_status tl_pages_resume (tl_pages *p, const char *path) {
  p->file = open (path, O_RDWR | O_CLOEXEC);
  p->sys = p->file < 0 ? errno : 0;
  if (p->file < 0)
    return TL_E_IO;
  return flock (p->file, LOCK_EX | LOCK_NB) ? TL_E_ARG : TL_OK;
}

tl_status tl_pages_save (tl_pages *p, tl_page *page) {
  return page->in_file ? TL_OK : put_in_file (p, page->bytes, page->size, page);
}

tl_status tl_pages_sync (tl_pages *p) {
  if (!fdatasync (p->file))
    return TL_OK;
  p->sys = errno;
  return TL_E_IO;
}

void tl_pages_leave (tl_pages *p) {
  for (size_t i = 0; i < p->lefts; i++)
    leave_place (p, p->left[i].size, p->left[i].at);
  p->lefts = 0;
}

tl_place tl_page_place (const tl_page *page) {
  return (tl_place){page->at, class_of (page->size)};
}

static int compare_places (const void *a, const void *b) {
  const uint64_t x = ((const tl_place *)a)->at, y = ((const tl_place *)b)->at;
  return (x > y) - (x < y);
}

void tl_pages_use (tl_pages *p, tl_place *place, size_t count) {
  const unsigned largest = class_of (p->most);
  qsort (place, count, sizeof *place, compare_places);
  p->end = p->held = 0;
  for (size_t i = 0; i < count; i++) {
    // What lies between is free, cut into places as large as there are.
    while (p->end < place[i].at) {
      unsigned c = largest;
      while (c && ((uint64_t)LEAST << c) > place[i].at - p->end)
        c--;
      p->held += (uint64_t)LEAST << c;
      leave_place (p, c, p->end);
      p->end += (uint64_t)LEAST << c;
    }
    p->held += (uint64_t)LEAST << place[i].size;
    p->end = place[i].at + ((uint64_t)LEAST << place[i].size);
  }
  p->peak = p->held;
}
