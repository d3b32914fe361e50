#ifndef TL_TESTS_FUZZ_NET_H
#define TL_TESTS_FUZZ_NET_H

#include "read/read.h"
#include "read/write.h"

#include <stdlib.h>
#include <string.h>

// One round of fuzzing a reader of nets: when the bytes are a net, it is
// written in every format that can hold it, read back and written once more;
// the two texts must be the same.

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length);

static inline char *fuzz_write (const tl_net *net, const char *format,
                                size_t *length) {
  char *text = 0;
  tl_mem mem = TL_MEM (0, "writing");
  tl_error err = {0};
  FILE *f = open_memstream (&text, length);
  const tl_status status = tl_write_net (net, &mem, f, format, &err);
  fclose (f);
  if ((status && (status != TL_E_MODEL || *length)) || mem.used)
    abort ();
  if (!status)
    return text;
  free (text);
  return 0;
}

static inline void fuzz_round_trip (const tl_net *net, const char *format) {
  size_t length, again_length;
  char *text = fuzz_write (net, format, &length);
  if (!text)
    return;
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_net *back;
  if (tl_read_net_text (&back, &mem, "x", text, length, &err)) {
    fprintf (stderr, "%ld:%ld: %s\n%s", err.line, err.column, err.text, text);
    abort ();
  }
  char *again = fuzz_write (back, format, &again_length);
  if (!again || length != again_length || memcmp (text, again, length)) {
    fprintf (stderr, "%s\nbecame\n%s", text, again ? again : "nothing");
    abort ();
  }
  tl_net_close (back);
  if (mem.used)
    abort ();
  free (again);
  free (text);
}

// `path` tells the format where the bytes do not.
static inline int fuzz_net (const uint8_t *bytes, size_t length,
                            const char *path) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_net *net;
  const tl_status status =
      tl_read_net_text (&net, &mem, path, (const char *)bytes, length, &err);
  if (status && (status == TL_E_INTERNAL || status == TL_E_ARG || mem.used ||
                 err.code != status || !err.text[0]))
    abort ();
  if (!status) {
    size_t unused;
    free (fuzz_write (net, "dot", &unused));
    fuzz_round_trip (net, "pnml");
    fuzz_round_trip (net, "lola");
    fuzz_round_trip (net, "tina");
    tl_net_close (net);
  }
  return 0;
}

#endif
