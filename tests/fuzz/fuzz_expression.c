#include "formula.h"

#include "measure/measure.h"

// Expressions: what was read has a value or a reason why not, and what is
// linear is the same again when it is written out and read back.

enum { PLACES = 6 };

static void check_text (tl_measures *list) {
  const tl_measure *m = list->measure;
  const tl_net *net = list->net;
  for (size_t i = 0; m->weight && i < (size_t)m->parts * PLACES; i++)
    if (m->weight[i] == INT64_MIN)
      return; // cannot be written as a number with a sign before it
  char *text = tl_measure_text_full (m, net);
  fuzz_check (text);
  tl_error err = {0};
  if (tl_measures_add_expression (list, text, &err)) {
    // A constant may be too large for a number of its own.
    fuzz_check (strstr (err.text, "too large"));
  } else if (list->measure[0].weight) {
    const tl_measure *a = list->measure, *b = a + 1;
    fuzz_check (b->weight && a->parts == b->parts);
    for (size_t i = 0; i < (size_t)a->parts * PLACES; i++)
      fuzz_check (a->weight[i] == b->weight[i]);
    for (size_t i = 0; i < a->parts; i++)
      fuzz_check (a->start[i] == b->start[i]);
  }
  free (text);
}

static void check_values (const tl_measure *m, const tl_net *net) {
  for (uint64_t i = 0; i < 16; i++) {
    uint64_t marking[PLACES];
    int64_t value[TL_MEASURE_PARTS], next[TL_MEASURE_PARTS];
    for (uint32_t p = 0; p < PLACES; p++)
      marking[p] = (i * 7 + p * 5) % 9 % 4 + 1;
    tl_error err = {0};
    const tl_status rc = tl_measure_value (m, net, marking, value, &err);
    fuzz_check (rc == TL_OK || (rc == TL_E_ARG && err.text[0]));
    for (uint32_t t = 0; !rc && m->offset && t < net->transitions; t++) {
      tl_marking_fire (net, marking, t);
      if (!tl_measure_value (m, net, marking, next, 0))
        for (uint32_t k = 0; k < m->parts; k++)
          fuzz_check (next[k] - (__int128)value[k] ==
                      m->offset[t * m->parts + k]);
      marking[t]++;
    }
  }
}

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length) {
  tl_mem mem = TL_MEM (0, "net"), reading = TL_MEM (0, "reading");
  tl_net *net = fuzz_formula_net (&mem);
  tl_measures list = {.mem = &reading, .net = net};
  tl_error err = {0};
  char *text = strndup ((const char *)bytes, length);
  const bool file = *text == '@';
  const tl_status rc =
      file ? TL_E_IO : tl_measures_add_expression (&list, text, &err);
  if (rc && !file)
    fuzz_check ((rc == TL_E_SYNTAX || rc == TL_E_ARG) && err.code == rc &&
                err.text[0] && !list.count);
  if (!rc) {
    check_values (list.measure, net);
    check_text (&list);
  }
  free (text);
  tl_measures_close (&list);
  tl_net_close (net);
  fuzz_check (!mem.used && !reading.used);
  return 0;
}
