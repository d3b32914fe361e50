#ifndef TL_GPU_LEVELS_H
#define TL_GPU_LEVELS_H

#include "gpu/device.h"
#include "structure/sleep.h"

// A breadth-first search on a device, level by level (docs/gpu.md).  The device
// has the table of all keys, the states of this level and those of the next;
// the host has the figures.  A level is expanded some states at a time, so that
// whoever asks for it can look at the clock.  When there may be no room for
// what states lead to, the kernel begins no more of them, and table or list get
// larger before it goes on.

typedef struct tl_gpu_plan {
  tl_mem *mem;
  tl_device *device;
  tl_gpu_net net;
  const tl_sleep *sleep;
  uint64_t memory; // of the device, that may be taken
  size_t limits;   // numbers that the test looks at
} tl_gpu_plan;

typedef struct tl_gpu_list {
  uint64_t keys, by; // addresses
  uint64_t room;     // states
} tl_gpu_list;

typedef struct tl_gpu {
  tl_gpu_plan plan;
  uint32_t key_words; // also when the code has changed since
  // So far: states, those of this level, those of it that were expanded, and
  // the level.
  uint64_t states, width, done, depth;
  tl_gpu_tally *tally;
  uint64_t *place_most; // [places] behind the tally
  bool logged;          // the table knows by which events states were found
  bool lost;            // a state was lost: what was found is not all there is
  bool wants_dead;      // a dead state is to be shown
  uint64_t *limit;      // [limits] what the test looks at
  uint64_t used, peak;  // bytes of the device
  uint64_t table_bytes;
  double moving; // seconds in which keys moved to other tables

  // The table.
  tl_gpu_table_shape shape;
  uint64_t table, slots, extra, extra_slots;
  uint64_t reserve; // states that may be found before somebody looks
  void *program;
  tl_gpu_list now, next;
  uint64_t sleep_rows, limits_at, tally_at;
} tl_gpu;

// TL_E_NOMEM: neither host nor device have much; TL_E_IO: the device failed,
// and says why.  There is nothing to be closed then.
tl_status tl_gpu_open (tl_gpu **, const tl_gpu_plan *);
void tl_gpu_close (tl_gpu *);

// The first state.
tl_status tl_gpu_start (tl_gpu *, const uint64_t *key);

// Expands so many states of this level at most; fewer if something had to give
// way.  What is to be seen by the host is in tally->shown.  TL_E_NOMEM: the
// device has no memory for more.
tl_status tl_gpu_expand (tl_gpu *, uint64_t most);
// The states of this level once more, for those that the test asks for.
tl_status tl_gpu_look (tl_gpu *);
// All of this level was expanded: goes on to the next.
void tl_gpu_descend (tl_gpu *);

// By what a state was found; TL_E_LIMIT: that is not known.
tl_status tl_gpu_event (tl_gpu *, const uint64_t *key, uint32_t *event);

// What kind of table there is, for reports.
const char *tl_gpu_table_name (const tl_gpu *);

#endif
