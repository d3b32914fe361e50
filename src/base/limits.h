#ifndef TL_BASE_LIMITS_H
#define TL_BASE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

// What the machine has, and what it lets this process have: the limits of the
// shell (ulimit -v, ulimit -d) and of the control groups that the process is in
// (containers, batch systems).

#define TL_NO_SIZE ((size_t)-1)

// Physical memory of the machine.
size_t tl_limit_machine (void);

// Bytes of memory that the process may use in all: the least of the above.
size_t tl_limit_memory (void);

// Address space that can still be reserved; TL_NO_SIZE: as much as one likes.
size_t tl_limit_space (void);

// The least limit of the groups listed in a file like /proc/self/cgroup, below
// a folder like /sys/fs/cgroup, of version 1 or 2; TL_NO_SIZE: there is none.
size_t tl_limit_groups (const char *list, const char *folder);

// Cores that the process may use: those of its affinity mask, and no more than
// the quotas of its groups pay for.
unsigned tl_limit_cores (void);
// The least quota, as above, in cores, rounded up.
size_t tl_limit_quota (const char *list, const char *folder);

#endif
