#ifndef TL_GPU_DEVICE_H
#define TL_GPU_DEVICE_H

#include "base/mem.h"
#include "gpu/kernel_text.h"

// The seam to what runs kernels:
//
//   cuda      a card of NVIDIA, by its driver and its run-time compiler, which
//             are looked for when a search wants them: nothing is linked
//   emulated  the processor: the same text, compiled as C (compile/toolchain.h)
//             and called by several threads
//
// A device has memory of its own, told by addresses.  Nothing happens there but
// while somebody waits for it.

typedef struct tl_device tl_device;

typedef struct tl_device_kind {
  const char *name; // as in --device=NAME
  // Memory of the device, with anything in it.  TL_E_NOMEM.
  tl_status (*take) (tl_device *, size_t bytes, uint64_t *address);
  void (*give) (tl_device *, uint64_t address, size_t bytes);
  tl_status (*clear) (tl_device *, uint64_t address, size_t bytes);
  tl_status (*copy_to) (tl_device *, uint64_t to, const void *, size_t bytes);
  tl_status (*copy_from) (tl_device *, void *, uint64_t from, size_t bytes);
  tl_status (*copy) (tl_device *, uint64_t to, uint64_t from, size_t bytes);
  // A program; takes the text, which malloc made, also when this fails.
  tl_status (*build) (tl_device *, char *text, size_t size, void **program);
  void (*drop) (tl_device *, void *program);
  // Has so many lanes at most run a kernel, and waits for them.
  tl_status (*run) (tl_device *, void *program, tl_gpu_kernel, uint64_t lanes,
                    const tl_gpu_call *);
  void (*close) (tl_device *);
} tl_device_kind;

struct tl_device {
  const tl_device_kind *kind;
  tl_mem *mem;
  bool cuda;       // the dialect of programs
  char label[96];  // what it is called
  uint64_t memory; // bytes that it has
  uint64_t lanes;  // that run at the same time
  uint32_t warp;   // lanes that take states together
  char why[192];   // what went wrong: TL_E_IO
};

// Opens the device of that kind.  Not TL_OK: there is none, and `why`, of so
// many bytes, says why; TL_E_NOMEM.  `threads` is for those that need some.
tl_status tl_device_open (tl_device **, tl_mem *, const char *kind,
                          unsigned threads, char *why, size_t size);
void tl_device_close (tl_device *);

// The kinds.
tl_status tl_device_open_cuda (tl_device **, tl_mem *, char *why, size_t size);
tl_status tl_device_open_emulated (tl_device **, tl_mem *, unsigned threads);

#endif
