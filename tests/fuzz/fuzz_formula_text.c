#include "formula.h"

static tl_status read_text (tl_questions *q, const void *bytes, size_t length,
                            tl_error *err) {
  char *text = strndup (bytes, length);
  const tl_status rc = tl_questions_add_text (q, text, err);
  free (text);
  return rc;
}

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length) {
  return fuzz_questions (read_text, bytes, length);
}
