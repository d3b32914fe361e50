// Stands for the driver of a GPU and its compiler (src/gpu/cuda.c): what is
// asked of it goes well so many times as FAIL_AFTER says, and never after that.
// Kernels do nothing.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;

static int answer (void) {
  const char *most = getenv ("FAIL_AFTER");
  return __atomic_fetch_add (&calls, 1, __ATOMIC_SEQ_CST) <
                 (most ? atoi (most) : 0)
             ? 0
             : 719;
}

#define PLAIN(NAME, ...)                                                       \
  int NAME (__VA_ARGS__);                                                      \
  int NAME (__VA_ARGS__) {                                                     \
    return answer ();                                                          \
  }

PLAIN (cuInit, unsigned flags)
PLAIN (cuCtxSetCurrent, void *context)
PLAIN (cuCtxSynchronize, void)
PLAIN (cuDevicePrimaryCtxRetain, void **context, int device)
PLAIN (cuDevicePrimaryCtxRelease_v2, int device)
PLAIN (cuModuleLoadData, void **module, const void *image)
PLAIN (cuModuleUnload, void *module)
PLAIN (cuModuleGetFunction, void **function, void *module, const char *name)
PLAIN (cuLaunchKernel, void *f, unsigned x, unsigned y, unsigned z, unsigned n,
       unsigned u, unsigned v, unsigned shared, void *stream, void **p,
       void **extra)
PLAIN (nvrtcCreateProgram, void **p, const char *text, const char *name, int n,
       const char *const *header, const char *const *names)
PLAIN (nvrtcCompileProgram, void *p, int options, const char *const *option)
PLAIN (nvrtcGetCUBIN, void *p, char *binary)
PLAIN (nvrtcDestroyProgram, void **p)

int cuGetErrorString (int code, const char **text);
int cuGetErrorString (int code, const char **text) {
  (void)code;
  *text = "no more";
  return 0;
}

int cuDeviceGet (int *device, int ordinal);
int cuDeviceGet (int *device, int ordinal) {
  *device = ordinal;
  return answer ();
}

int cuDeviceGetName (char *name, int size, int device);
int cuDeviceGetName (char *name, int size, int device) {
  (void)device;
  snprintf (name, (size_t)size, "a card that fails");
  return answer ();
}

int cuDeviceGetAttribute (int *value, int attribute, int device);
int cuDeviceGetAttribute (int *value, int attribute, int device) {
  (void)attribute, (void)device;
  *value = 1;
  return answer ();
}

int cuDeviceTotalMem_v2 (size_t *bytes, int device);
int cuDeviceTotalMem_v2 (size_t *bytes, int device) {
  (void)device;
  *bytes = 1 << 26;
  return answer ();
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks, void *f,
                                                 int threads, size_t shared);
int cuOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks, void *f,
                                                 int threads, size_t shared) {
  (void)f, (void)threads, (void)shared;
  *blocks = 1;
  return answer ();
}

int cuMemAlloc_v2 (uint64_t *address, size_t bytes);
int cuMemAlloc_v2 (uint64_t *address, size_t bytes) {
  const int rc = answer ();
  *address = rc ? 0 : (uint64_t)(uintptr_t)calloc (bytes, 1);
  return rc;
}

int cuMemFree_v2 (uint64_t address);
int cuMemFree_v2 (uint64_t address) {
  free ((void *)(uintptr_t)address);
  return answer ();
}

int cuMemsetD8_v2 (uint64_t address, unsigned char value, size_t bytes);
int cuMemsetD8_v2 (uint64_t address, unsigned char value, size_t bytes) {
  memset ((void *)(uintptr_t)address, value, bytes);
  return answer ();
}

int cuMemcpyHtoD_v2 (uint64_t to, const void *from, size_t bytes);
int cuMemcpyHtoD_v2 (uint64_t to, const void *from, size_t bytes) {
  memcpy ((void *)(uintptr_t)to, from, bytes);
  return answer ();
}

int cuMemcpyDtoH_v2 (void *to, uint64_t from, size_t bytes);
int cuMemcpyDtoH_v2 (void *to, uint64_t from, size_t bytes) {
  memcpy (to, (const void *)(uintptr_t)from, bytes);
  return answer ();
}

int cuMemcpyDtoD_v2 (uint64_t to, uint64_t from, size_t bytes);
int cuMemcpyDtoD_v2 (uint64_t to, uint64_t from, size_t bytes) {
  memmove ((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
  return answer ();
}

int nvrtcGetCUBINSize (void *p, size_t *bytes);
int nvrtcGetCUBINSize (void *p, size_t *bytes) {
  (void)p;
  *bytes = 1;
  return answer ();
}
