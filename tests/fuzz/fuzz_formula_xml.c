#include "formula.h"

#include "read/formula_xml.h"

static tl_status read_xml (tl_questions *q, const void *bytes, size_t length,
                           tl_error *err) {
  tl_input in;
  tl_input_open_memory (&in, "fuzz.xml", bytes, length);
  tl_status rc = tl_input_next (&in, err);
  if (!rc)
    rc = tl_formula_xml_read (q, &in, err);
  tl_input_close (&in);
  return rc;
}

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length) {
  return fuzz_questions (read_xml, bytes, length);
}
