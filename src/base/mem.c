#include "base/mem.h"

#include "base/limits.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 // the same
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 // newer than some headers; older kernels refuse it
#endif

#define HUGE ((size_t)2 << 20)
#define LARGE (2 * HUGE) // from here on maps are appended to in huge pages
#define MANY 64          // maps from which on each reserves less
#define SMALL 65536      // bytes up to which a map may be on the heap

void tl_mem_share (tl_mem *mem, bool shared) {
  for (tl_mem *m = mem; m; m = m->parent)
    m->shared += shared ? 1 : -1u;
}

static bool fits (const tl_mem *m, size_t used, size_t bytes) {
  return !m->limit || (used <= m->limit && bytes <= m->limit - used);
}

bool tl_mem_has (const tl_mem *mem, size_t bytes) {
  for (const tl_mem *m = mem; m; m = m->parent)
    if (!__atomic_load_n (&m->fail_after, __ATOMIC_RELAXED) ||
        !fits (m, tl_mem_used (m), bytes))
      return false;
  return true;
}

// ---- One account -----------------------------------------------------------

// Takes the bytes if they are there.
static bool draw (tl_mem *m, size_t bytes) {
  size_t used = tl_mem_used (m);
  if (!m->shared) {
    m->used = used + (fits (m, used, bytes) ? bytes : 0);
    return fits (m, used, bytes);
  }
  while (fits (m, used, bytes))
    if (__atomic_compare_exchange_n (&m->used, &used, used + bytes, true,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return true;
  return false;
}

static void give_back (tl_mem *m, size_t bytes) {
  assert (tl_mem_used (m) >= bytes && "more given back than was taken");
  if (m->shared)
    __atomic_fetch_sub (&m->used, bytes, __ATOMIC_RELAXED);
  else
    m->used -= bytes;
}

static void raise_peak (tl_mem *m) {
  const size_t used = tl_mem_used (m);
  size_t peak = __atomic_load_n (&m->peak, __ATOMIC_RELAXED);
  while (used > peak) {
    if (!m->shared) {
      m->peak = used;
      return;
    }
    if (__atomic_compare_exchange_n (&m->peak, &peak, used, true,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
  }
}

// Tests only: is it the request that is to fail?
static bool is_to_fail (tl_mem *m) {
  const long left = __atomic_load_n (&m->fail_after, __ATOMIC_RELAXED);
  if (left > 0)
    __atomic_fetch_sub (&m->fail_after, 1, __ATOMIC_RELAXED);
  else if (left < -1)
    __atomic_fetch_add (&m->fail_after, 1, __ATOMIC_RELAXED);
  return !left || left == -2;
}

// ---- An account and those above it -----------------------------------------

static void raise_peaks (tl_mem *mem) {
  for (tl_mem *m = mem; m; m = m->parent)
    raise_peak (m);
}

static void take (tl_mem *mem, size_t bytes) {
  for (tl_mem *m = mem; m; m = m->parent)
    if (m->shared)
      __atomic_fetch_add (&m->used, bytes, __ATOMIC_RELAXED);
    else
      m->used += bytes;
  raise_peaks (mem);
}

// Charges the account and its parents, or nothing.
bool tl_mem_charge (tl_mem *mem, size_t bytes) {
  tl_mem *m = mem;
  while (m && draw (m, bytes))
    m = m->parent;
  bool good = !m;
  for (tl_mem *t = mem; good && t; t = t->parent)
    good = !is_to_fail (t);
  if (good)
    raise_peaks (mem);
  else
    for (tl_mem *t = mem; t != m; t = t->parent)
      give_back (t, bytes);
  return good;
}

void tl_mem_discharge (tl_mem *mem, size_t bytes) {
  for (tl_mem *m = mem; m; m = m->parent)
    give_back (m, bytes);
}

void *tl_mem_get (tl_mem *mem, size_t count, size_t size) {
  return tl_mem_resize (mem, 0, 0, count ? count : 1, size);
}

void tl_mem_put (tl_mem *mem, void *p, size_t count, size_t size) {
  if (!p)
    return;
  tl_mem_discharge (mem, (count ? count : 1) * size);
  free (p);
}

void *tl_mem_resize (tl_mem *mem, void *old, size_t count, size_t new_count,
                     size_t size) {
  assert (size && new_count >= count);
  if (new_count > SIZE_MAX / 2 / size)
    return 0;
  if (old && !count)
    count = 1; // tl_mem_get gave one element where none was asked for
  const size_t more = (new_count - count) * size;
  if (!more)
    return old;
  if (!tl_mem_charge (mem, more))
    return 0;
  unsigned char *p =
      old ? realloc (old, new_count * size) : calloc (new_count, size);
  if (!p) {
    tl_mem_discharge (mem, more);
    return 0;
  }
  if (old)
    memset (p + count * size, 0, more);
  return p;
}

bool tl_mem_room (tl_mem *mem, void **block, size_t *capacity, size_t need,
                  size_t size) {
  size_t more = *capacity + *capacity / 2;
  if (more < need)
    more = need;
  if (more < 8)
    more = 8;
  void *p;
  // Close to the budget it takes part of what is left, not one element after
  // the other: each time the block may be copied.
  while (!(p = tl_mem_resize (mem, *block, *capacity, more, size))) {
    if (more == need)
      return false;
    more = need + (more - need) / 4;
  }
  *block = p;
  *capacity = more;
  return true;
}

static size_t round_up (size_t n, size_t unit) {
  return (n + unit - 1) / unit * unit;
}

// The whole of physical memory.  Where there are many maps, as in a sweep with
// thousands of layers, each gets a part of it: address space ends, too.  Where
// it is limited each gets a part of what is left, so that others find some.
static size_t room_for_one_more (const tl_mem *mem) {
  const size_t all = tl_limit_machine (), space = tl_limit_space (),
               maps = __atomic_load_n (&mem->maps, __ATOMIC_RELAXED);
  if (space < all * MANY)
    return space / (maps + 2);
  return maps < MANY ? all : all / (maps + 1) * MANY;
}

tl_status tl_map_open (tl_map *map, tl_mem *mem) {
  *map = (tl_map){.mem = mem};
  // Less where address space is short; what is reserved costs nothing until
  // tl_map_grow.
  for (size_t want = round_up (room_for_one_more (mem), HUGE); want >= HUGE;
       want /= 2) {
    want = round_up (want, HUGE);
    unsigned char *p =
        mmap (0, want + HUGE, PROT_NONE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
      continue;
    map->skipped = (size_t)(-(uintptr_t)p & (HUGE - 1));
    map->base = p + map->skipped;
    map->reserved = want;
    __atomic_fetch_add (&mem->maps, 1, __ATOMIC_RELAXED);
    return TL_OK;
  }
  return TL_E_NOMEM;
}

// Asks for huge pages as far as the map fills them.  The one that the old end
// was in has small pages already: these are made one at once, where the system
// can.
static void ask_for_huge (const tl_map *map, size_t size) {
  const size_t from = map->size / HUGE * HUGE, to = size / HUGE * HUGE;
  if (from == to)
    return;
  madvise (map->base + from, to - from, MADV_HUGEPAGE);
  if (from < map->size)
    madvise (map->base + from, HUGE, MADV_COLLAPSE);
}

void tl_map_open_small (tl_map *map, tl_mem *mem) {
  *map = (tl_map){.mem = mem, .small = true};
}

static tl_status grow_small (tl_map *map, size_t size) {
  unsigned char *base = tl_mem_resize (map->mem, map->base, map->size, size, 1);
  if (!base)
    return TL_E_NOMEM;
  map->base = base;
  map->size = size;
  return TL_OK;
}

// It has become large.  The few bytes that are there twice while they are
// copied count once.
static tl_status leave_heap (tl_map *map, size_t size) {
  tl_map large;
  tl_status rc = tl_map_open (&large, map->mem);
  if (rc)
    return rc;
  tl_mem_discharge (map->mem, map->size);
  if ((rc = tl_map_grow (&large, size))) {
    tl_map_close (&large);
    take (map->mem, map->size); // as it was
    return rc;
  }
  if (map->size)
    memcpy (large.base, map->base, map->size);
  free (map->base);
  *map = large;
  return TL_OK;
}

tl_status tl_map_grow (tl_map *map, size_t size) {
  const size_t page = (size_t)sysconf (_SC_PAGESIZE);
  if (map->small)
    return size <= map->size ? TL_OK
           : size <= SMALL   ? grow_small (map, size)
                             : leave_heap (map, size);
  if (size > map->reserved)
    return TL_E_NOMEM;
  size = round_up (size, page);
  if (size <= map->size)
    return TL_OK;
  const size_t more = size - map->size;
  if (!tl_mem_charge (map->mem, more))
    return TL_E_NOMEM;
  if (mprotect (map->base + map->size, more, PROT_READ | PROT_WRITE)) {
    tl_mem_discharge (map->mem, more);
    return TL_E_NOMEM;
  }
  ask_for_huge (map, size);
  map->size = size;
  return TL_OK;
}

tl_status tl_map_grow_ahead (tl_map *map, size_t size) {
  if (size <= map->size)
    return TL_OK;
  const size_t more = size + size / 8 + 4096;
  if (more >= LARGE && !tl_map_grow (map, round_up (more, HUGE)))
    return TL_OK;
  return tl_map_grow (map, more) ? tl_map_grow (map, size) : TL_OK;
}

void tl_map_touch (const tl_map *map, size_t from, size_t to) {
  const size_t page = (size_t)sysconf (_SC_PAGESIZE);
  from = from / page * page;
  to = to < map->size ? round_up (to, page) : map->size;
  if (!map->small && from < to)
    madvise (map->base + from, to - from, MADV_POPULATE_WRITE);
}

void tl_map_discard (tl_map *map, size_t to) {
  // Some at a time: a call for each page would cost more than it gives.
  const size_t page = (size_t)sysconf (_SC_PAGESIZE), unit = 16 * page;
  to = to / unit * unit;
  if (map->small || to <= map->dropped)
    return;
  madvise (map->base + map->dropped, to - map->dropped, MADV_DONTNEED);
  tl_mem_discharge (map->mem, to - map->dropped);
  map->dropped = to;
}

void tl_map_close (tl_map *map) {
  if (!map->base)
    return;
  if (map->small) {
    tl_mem_put (map->mem, map->base, map->size, 1);
    *map = (tl_map){0};
    return;
  }
  munmap (map->base - map->skipped, map->reserved + HUGE);
  tl_mem_discharge (map->mem, map->size - map->dropped);
  __atomic_fetch_sub (&map->mem->maps, 1, __ATOMIC_RELAXED);
  *map = (tl_map){0};
}

// The figure of getrusage is not ours alone: that of the program which started
// this one is its least value.
size_t tl_mem_peak_resident (void) {
  size_t kib = 0;
  char line[128];
  FILE *f = fopen ("/proc/self/status", "re");
  while (f && !kib && fgets (line, sizeof line, f))
    if (!strncmp (line, "VmHWM:", 6))
      kib = strtoul (line + 6, 0, 10);
  if (f)
    fclose (f);
  struct rusage usage;
  if (!kib && !getrusage (RUSAGE_SELF, &usage))
    kib = (size_t)usage.ru_maxrss;
  return kib * 1024;
}

size_t tl_mem_default (void) {
  return tl_limit_memory () / 4 * 3;
}
