// Work that is done once before a long search leaves pages behind: blocks that
// were freed, and the parts of the libraries that it ran through.  With stores
// of a byte a state that is a part of all memory that can be seen.

#include "base/mem.h"

#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// A range of pages is looked at so many at a time.
enum { PAGES = 512 };

// In /proc/self/pagemap.
#define PRESENT ((uint64_t)1 << 63)
#define OF_A_FILE ((uint64_t)1 << 61) // and not a copy that was written to

typedef struct looking {
  int pagemap;
  size_t page; // its size
} looking;

static bool is_of_file (uint64_t entry) {
  return (entry & PRESENT) && (entry & OF_A_FILE);
}

// Gives back the pages that the file has as well.
static void give_back (const looking *l, uintptr_t from, uintptr_t to) {
  uint64_t entry[PAGES];
  for (size_t count; from < to; from += count * l->page) {
    count = (to - from) / l->page;
    if (count > PAGES)
      count = PAGES;
    const ssize_t n = pread (l->pagemap, entry, count * sizeof *entry,
                             (off_t)(from / l->page * sizeof *entry));
    if (n != (ssize_t)(count * sizeof *entry))
      return;
    for (size_t i = 0, end; i < count; i = end + 1) {
      for (end = i; end < count && is_of_file (entry[end]); end++)
        ;
      if (end > i)
        madvise ((void *)(from + i * l->page), (end - i) * l->page,
                 MADV_DONTNEED);
    }
  }
}

static int look_at (struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  const looking *l = context;
  for (unsigned i = 0; i < object->dlpi_phnum; i++) {
    const ElfW (Phdr) *segment = object->dlpi_phdr + i;
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W)
      continue;
    const uintptr_t start = object->dlpi_addr + segment->p_vaddr;
    give_back (l, start & -l->page,
               (start + segment->p_memsz + l->page - 1) & -l->page);
  }
  return 0;
}

void tl_mem_trim (void) {
#ifdef __GLIBC__
  malloc_trim (0);
#endif
  looking l = {.pagemap = open ("/proc/self/pagemap", O_RDONLY | O_CLOEXEC),
               .page = (size_t)sysconf (_SC_PAGESIZE)};
  if (l.pagemap < 0)
    return;
  dl_iterate_phdr (look_at, &l);
  close (l.pagemap);
}
