#include "gpu/device.h"

#include <string.h>

tl_status tl_device_open (tl_device **d, tl_mem *mem, const char *kind,
                          unsigned threads, char *why, size_t size) {
  *d = 0;
  *why = 0;
  return strcmp (kind, "emulated") ? tl_device_open_cuda (d, mem, why, size)
                                   : tl_device_open_emulated (d, mem, threads);
}

void tl_device_close (tl_device *d) {
  if (d)
    d->kind->close (d);
}
