// Noise as a certificate: as it is, where checksums stop it soon, and as the
// sections of one, with right checksums.

#include "base/bits.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length);

static void verify (const void *bytes, size_t length) {
  tl_mem mem = TL_MEM (0, "verify");
  tl_verification v;
  tl_error err = {0};
  mem.limit = 64 << 20;
  const tl_status rc =
      tl_verify_bytes (&mem, "x.tlc", bytes, length, 0, &v, &err);
  if (mem.used ||
      (rc && (!err.text[0] || (rc != TL_E_SYNTAX && rc != TL_E_NOMEM))) ||
      (!rc && v.verified != !v.reason[0]))
    abort ();
}

// The file that is put together.
typedef struct made {
  unsigned char *bytes;
  size_t length;
  uint64_t sum;
} made;

// Adds bytes, and the sum of the last so many.
static void add (made *m, const void *bytes, size_t length) {
  memcpy (m->bytes + m->length, bytes, length);
  m->length += length;
}

static void add_sum (made *m, size_t of) {
  m->sum = XXH3_64bits_withSeed (m->bytes + m->length - of, of, m->sum);
  tl_write_word (m->bytes + m->length, m->sum);
  m->length += 8;
}

static void add_record (made *m, const char *type, const void *bytes,
                        size_t length) {
  const uint32_t size = htole32 ((uint32_t)length);
  add (m, type, 4);
  add (m, &size, 4);
  add (m, bytes, length);
  add_sum (m, 8 + length);
}

// Before each section its length, in a byte.
static void wrap (const uint8_t *bytes, size_t length) {
  static const char *const types[] = {"net ", "code", "figs", "stat"};
  made m = {malloc (length + 200), 0, 0};
  if (!m.bytes)
    abort ();
  add (&m, "\x89TLR\r\n\x1a\ncert\1\0\0\0", 16);
  add_sum (&m, 16);
  for (size_t i = 0; i < 4 && length; i++) {
    const size_t left = length - 1, wanted = i < 3 ? *bytes : left,
                 n = wanted < left ? wanted : left;
    add_record (&m, types[i], bytes + 1, n);
    bytes += 1 + n;
    length -= 1 + n;
  }
  unsigned char before[8];
  tl_write_word (before, m.length);
  add_record (&m, "end ", before, 8);
  verify (m.bytes, m.length);
  free (m.bytes);
}

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length) {
  verify (bytes, length);
  wrap (bytes, length);
  return 0;
}
