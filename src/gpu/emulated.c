// A device without a card: the kernels are C, and several threads call them.

#include "base/threads.h"
#include "compile/toolchain.h"
#include "gpu/device.h"

#include <stdlib.h>
#include <string.h>

typedef void kernel (tl_gpu_call, uint64_t lane, uint64_t lanes);

typedef struct emulated {
  tl_device base;
  tl_threads *team;
  // Of the kernel that runs.
  kernel *runs;
  const tl_gpu_call *call;
  uint64_t lanes;
} emulated;

static tl_status take (tl_device *d, size_t bytes, uint64_t *address) {
  void *p = tl_mem_get (d->mem, bytes, 1);
  *address = (uint64_t)(uintptr_t)p;
  return p ? TL_OK : TL_E_NOMEM;
}

static void *at (uint64_t address) {
  return (void *)(uintptr_t)address;
}

static void give (tl_device *d, uint64_t address, size_t bytes) {
  tl_mem_put (d->mem, at (address), bytes, 1);
}

static tl_status clear (tl_device *d, uint64_t address, size_t bytes) {
  (void)d;
  memset (at (address), 0, bytes);
  return TL_OK;
}

static tl_status copy_to (tl_device *d, uint64_t to, const void *from,
                          size_t bytes) {
  (void)d;
  memcpy (at (to), from, bytes);
  return TL_OK;
}

static tl_status copy_from (tl_device *d, void *to, uint64_t from,
                            size_t bytes) {
  (void)d;
  memcpy (to, at (from), bytes);
  return TL_OK;
}

static tl_status copy (tl_device *d, uint64_t to, uint64_t from, size_t bytes) {
  return copy_to (d, to, at (from), bytes);
}

static void drop (tl_device *d, void *program) {
  (void)d;
  tl_build_close (program);
}

static tl_status build (tl_device *d, char *text, size_t size, void **program) {
  tl_build *b;
  tl_status rc = tl_build_start (&b, d->mem, text, size, "tideline_kernels");
  *program = 0;
  if (rc)
    return rc;
  if (tl_build_look (b, true) == TL_BUILD_READY) {
    *program = b;
    return TL_OK;
  }
  snprintf (d->why, sizeof d->why, "%s", tl_build_why (b));
  tl_build_close (b);
  return TL_E_IO;
}

static void work (void *device, unsigned who) {
  emulated *e = device;
  if (who < e->lanes)
    e->runs (*e->call, who, e->lanes);
}

static tl_status run (tl_device *d, void *program, tl_gpu_kernel which,
                      uint64_t lanes, const tl_gpu_call *call) {
  emulated *e = (emulated *)d;
  kernel *const *kernels = tl_build_found (program);
  e->runs = kernels[which];
  e->call = call;
  e->lanes = lanes < d->lanes ? lanes : d->lanes;
  tl_threads_run (e->team, work, e);
  return TL_OK;
}

static void close_emulated (tl_device *d) {
  emulated *e = (emulated *)d;
  tl_threads_close (e->team);
  TL_DEL (d->mem, e, 1);
}

static const tl_device_kind kind = {.name = "emulated",
                                    .take = take,
                                    .give = give,
                                    .clear = clear,
                                    .copy_to = copy_to,
                                    .copy_from = copy_from,
                                    .copy = copy,
                                    .build = build,
                                    .drop = drop,
                                    .run = run,
                                    .close = close_emulated};

tl_status tl_device_open_emulated (tl_device **out, tl_mem *mem,
                                   unsigned threads) {
  emulated *e;
  if (!TL_NEW (mem, e, 1))
    return TL_E_NOMEM;
  tl_device *d = &e->base;
  *d = (tl_device){.kind = &kind,
                   .mem = mem,
                   .label = "the processor",
                   .memory = (uint64_t)1 << 30,
                   .warp = 1};
  if (tl_threads_open (&e->team, mem, threads)) {
    TL_DEL (mem, e, 1);
    return TL_E_NOMEM;
  }
  d->lanes = tl_threads_size (e->team);
  *out = d;
  return TL_OK;
}
