// A card of NVIDIA.  The driver and the run-time compiler are loaded when they
// are needed; what is used of their interfaces, which never changes once it has
// a name, is declared here.

#include "gpu/device.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// ---- The libraries ---------------------------------------------------------

// Result, name, parameters.
#define DRIVER(USE)                                                            \
  USE (cuInit, (unsigned flags))                                               \
  USE (cuGetErrorString, (int, const char **))                                 \
  USE (cuDeviceGet, (int *device, int ordinal))                                \
  USE (cuDeviceGetName, (char *, int size, int device))                        \
  USE (cuDeviceGetAttribute, (int *, int attribute, int device))               \
  USE (cuDevicePrimaryCtxRetain, (void **context, int device))                 \
  USE (cuCtxSetCurrent, (void *context))                                       \
  USE (cuCtxSynchronize, (void))                                               \
  USE (cuDeviceTotalMem_v2, (size_t *, int device))                            \
  USE (cuMemAlloc_v2, (uint64_t *, size_t))                                    \
  USE (cuMemFree_v2, (uint64_t))                                               \
  USE (cuMemsetD8_v2, (uint64_t, unsigned char, size_t))                       \
  USE (cuMemcpyHtoD_v2, (uint64_t, const void *, size_t))                      \
  USE (cuMemcpyDtoH_v2, (void *, uint64_t, size_t))                            \
  USE (cuMemcpyDtoD_v2, (uint64_t, uint64_t, size_t))                          \
  USE (cuModuleLoadData, (void **module, const void *image))                   \
  USE (cuModuleUnload, (void *module))                                         \
  USE (cuModuleGetFunction, (void **function, void *module, const char *))     \
  USE (cuOccupancyMaxActiveBlocksPerMultiprocessor,                            \
       (int *blocks, void *function, int threads, size_t shared))              \
  USE (cuLaunchKernel, (void *function, unsigned x, unsigned y, unsigned z,    \
                        unsigned threads, unsigned, unsigned, unsigned shared, \
                        void *stream, void **parameters, void **extra))

#define COMPILER(USE)                                                          \
  USE (nvrtcCreateProgram,                                                     \
       (void **, const char *text, const char *name, int headers,              \
        const char *const *header, const char *const *header_name))            \
  USE (nvrtcCompileProgram, (void *, int options, const char *const *option))  \
  USE (nvrtcGetCUBINSize, (void *, size_t *))                                  \
  USE (nvrtcGetCUBIN, (void *, char *))                                        \
  USE (nvrtcDestroyProgram, (void **))

enum { MULTIPROCESSORS = 16, MAJOR = 75, MINOR = 76, OUT_OF_MEMORY = 2 };
enum { THREADS = 256 }; // of a block

typedef struct cuda {
  tl_device base;
  void *driver, *compiler; // libraries
  int device;
  pthread_t getter; // of the context, which takes a while
  bool getting;
  void *context;
  int got; // what the driver says of it
  int processors, major, minor;
#define POINTER(NAME, PARAMETERS) int (*NAME) PARAMETERS;
  DRIVER (POINTER)
  COMPILER (POINTER)
#undef POINTER
} cuda;

typedef struct program {
  void *module;
  void *function[TL_GPU_KERNEL_COUNT];
  uint64_t blocks[TL_GPU_KERNEL_COUNT]; // that run at the same time
} program;

static bool load_driver (cuda *c) {
  c->driver = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
#define FIND(NAME, PARAMETERS)                                                 \
  if (!c->driver || !(*(void **)&c->NAME = dlsym (c->driver, #NAME)))          \
    return false;
  DRIVER (FIND)
#undef FIND
  return true;
}

static bool load_compiler (cuda *c) {
  static const char *const name[] = {"libnvrtc.so.13", "libnvrtc.so.12",
                                     "libnvrtc.so.11.2", "libnvrtc.so",
                                     "/usr/local/cuda/lib64/libnvrtc.so"};
  for (size_t i = 0; !c->compiler && i < sizeof name / sizeof *name; i++)
    c->compiler = dlopen (name[i], RTLD_NOW | RTLD_LOCAL);
#define FIND(NAME, PARAMETERS)                                                 \
  if (!c->compiler || !(*(void **)&c->NAME = dlsym (c->compiler, #NAME)))      \
    return false;
  COMPILER (FIND)
#undef FIND
  return true;
}

// ---- Memory ----------------------------------------------------------------

static tl_status told (cuda *c, int code, const char *what) {
  const char *text = 0;
  if (!code)
    return TL_OK;
  if (c->cuGetErrorString (code, &text) || !text)
    text = "unknown error";
  snprintf (c->base.why, sizeof c->base.why, "%s: %s", what, text);
  return code == OUT_OF_MEMORY ? TL_E_NOMEM : TL_E_IO;
}

static void *get_context (void *card) {
  cuda *c = card;
  c->got = c->cuDevicePrimaryCtxRetain (&c->context, c->device);
  return 0;
}

// Waits for the context.
static tl_status get_ready (cuda *c) {
  if (c->getting) {
    pthread_join (c->getter, 0);
    c->getting = false;
    if (!c->got)
      c->got = c->cuCtxSetCurrent (c->context);
  }
  return told (c, c->got, "the driver of the GPU");
}

static tl_status take (tl_device *d, size_t bytes, uint64_t *address) {
  cuda *c = (cuda *)d;
  const tl_status rc = get_ready (c);
  if (rc)
    return rc;
  return told (c, c->cuMemAlloc_v2 (address, bytes ? bytes : 1),
               "memory of the GPU");
}

static void give (tl_device *d, uint64_t address, size_t bytes) {
  (void)bytes;
  if (address)
    ((cuda *)d)->cuMemFree_v2 (address);
}

static tl_status clear (tl_device *d, uint64_t address, size_t bytes) {
  cuda *c = (cuda *)d;
  return told (c, c->cuMemsetD8_v2 (address, 0, bytes), "memory of the GPU");
}

static tl_status copy_to (tl_device *d, uint64_t to, const void *from,
                          size_t bytes) {
  cuda *c = (cuda *)d;
  return told (c, c->cuMemcpyHtoD_v2 (to, from, bytes), "copying to the GPU");
}

static tl_status copy_from (tl_device *d, void *to, uint64_t from,
                            size_t bytes) {
  cuda *c = (cuda *)d;
  return told (c, c->cuMemcpyDtoH_v2 (to, from, bytes), "copying from the GPU");
}

static tl_status copy (tl_device *d, uint64_t to, uint64_t from, size_t bytes) {
  cuda *c = (cuda *)d;
  return told (c, c->cuMemcpyDtoD_v2 (to, from, bytes), "copying in the GPU");
}

// ---- Programs --------------------------------------------------------------

static tl_status refuse (tl_device *d, const char *why) {
  snprintf (d->why, sizeof d->why, "%s", why);
  return TL_E_IO;
}

static tl_status compile (cuda *c, const char *text, char **binary) {
  char target[40];
  snprintf (target, sizeof target, "--gpu-architecture=sm_%d%d", c->major,
            c->minor);
  const char *option[] = {target, "--std=c++17", "-w"};
  void *work = 0;
  size_t size = 0;
  *binary = 0;
  tl_status rc = TL_OK;
  if (c->nvrtcCreateProgram (&work, text, "net.cu", 0, 0, 0) ||
      c->nvrtcCompileProgram (work, 3, option) ||
      c->nvrtcGetCUBINSize (work, &size))
    rc = refuse (&c->base, "the run-time compiler of CUDA refused the net");
  if (!rc && !(*binary = malloc (size)))
    rc = TL_E_NOMEM;
  if (!rc && c->nvrtcGetCUBIN (work, *binary))
    rc = refuse (&c->base, "the run-time compiler of CUDA failed");
  if (work)
    c->nvrtcDestroyProgram (&work);
  return rc;
}

static void drop (tl_device *d, void *what) {
  program *p = what;
  if (p && p->module)
    ((cuda *)d)->cuModuleUnload (p->module);
  if (p)
    TL_DEL (d->mem, p, 1);
}

static tl_status load (cuda *c, program *p, const char *binary) {
#define NAMED(NAME) #NAME,
  static const char *const name[] = {TL_GPU_KERNELS (NAMED)};
#undef NAMED
  int code = c->cuModuleLoadData (&p->module, binary);
  for (int i = 0; !code && i < TL_GPU_KERNEL_COUNT; i++) {
    int blocks = 0;
    code = c->cuModuleGetFunction (p->function + i, p->module, name[i]);
    if (!code)
      code = c->cuOccupancyMaxActiveBlocksPerMultiprocessor (
          &blocks, p->function[i], THREADS, 0);
    p->blocks[i] =
        (uint64_t)(blocks > 0 ? blocks : 1) * (unsigned)c->processors;
  }
  return told (c, code, "loading the program");
}

static tl_status build (tl_device *d, char *text, size_t size, void **out) {
  cuda *c = (cuda *)d;
  program *p;
  char *binary = 0;
  (void)size;
  *out = 0;
  tl_status rc = compile (c, text, &binary);
  free (text);
  if (!rc)
    rc = get_ready (c);
  if (!rc && !TL_NEW (d->mem, p, 1))
    rc = TL_E_NOMEM;
  if (!rc) {
    rc = load (c, p, binary);
    if (rc)
      drop (d, p);
    else
      *out = p;
  }
  free (binary);
  return rc;
}

static tl_status run (tl_device *d, void *what, tl_gpu_kernel which,
                      uint64_t lanes, const tl_gpu_call *call) {
  cuda *c = (cuda *)d;
  const program *p = what;
  uint64_t blocks = (lanes + THREADS - 1) / THREADS;
  if (blocks > p->blocks[which])
    blocks = p->blocks[which];
  void *parameter[] = {(void *)(uintptr_t)call};
  int code =
      c->cuLaunchKernel (p->function[which], (unsigned)(blocks ? blocks : 1), 1,
                         1, THREADS, 1, 1, 0, 0, parameter, 0);
  if (!code)
    code = c->cuCtxSynchronize ();
  return told (c, code, "running on the GPU");
}

// ---- Opening ---------------------------------------------------------------

// Libraries and context stay: to get them again would take longer than most
// searches do.
static void close_cuda (tl_device *d) {
  cuda *c = (cuda *)d;
  get_ready (c);
  TL_DEL (d->mem, c, 1);
}

static const tl_device_kind kind = {.name = "gpu",
                                    .take = take,
                                    .give = give,
                                    .clear = clear,
                                    .copy_to = copy_to,
                                    .copy_from = copy_from,
                                    .copy = copy,
                                    .build = build,
                                    .drop = drop,
                                    .run = run,
                                    .close = close_cuda};

static tl_status find_card (cuda *c) {
  tl_device *d = &c->base;
  size_t total = 0;
  int code = c->cuInit (0);
  if (!code)
    code = c->cuDeviceGet (&c->device, 0);
  if (!code)
    code = c->cuDeviceGetName (d->label, sizeof d->label - 1, c->device);
  if (!code)
    code = c->cuDeviceGetAttribute (&c->processors, MULTIPROCESSORS, c->device);
  if (!code)
    code = c->cuDeviceGetAttribute (&c->major, MAJOR, c->device);
  if (!code)
    code = c->cuDeviceGetAttribute (&c->minor, MINOR, c->device);
  if (!code)
    code = c->cuDeviceTotalMem_v2 (&total, c->device);
  if (!code) {
    c->getting = !pthread_create (&c->getter, 0, get_context, c);
    code = c->getting ? 0 : OUT_OF_MEMORY;
  }
  d->memory = total;
  d->warp = 32;
  d->lanes = (uint64_t)c->processors * 2048;
  d->cuda = true;
  return told (c, code, "the driver of the GPU");
}

tl_status tl_device_open_cuda (tl_device **out, tl_mem *mem, char *why,
                               size_t size) {
  cuda *c;
  if (!TL_NEW (mem, c, 1))
    return TL_E_NOMEM;
  tl_device *d = &c->base;
  *d = (tl_device){.kind = &kind, .mem = mem};
  tl_status rc = TL_OK;
  if (!load_driver (c))
    rc = refuse (d, "there is no driver of a GPU (libcuda.so.1)");
  if (!rc)
    rc = find_card (c);
  if (!rc && !load_compiler (c))
    rc = refuse (d, "there is no run-time compiler of CUDA (libnvrtc.so)");
  if (rc) {
    snprintf (why, size, "%s", d->why);
    close_cuda (d);
    return rc;
  }
  *out = d;
  return TL_OK;
}
