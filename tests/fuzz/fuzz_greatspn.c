#include "net.h"

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length) {
  return fuzz_net (bytes, length, "x.net");
}
