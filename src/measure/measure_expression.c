// Measures given as expressions.  What is linear becomes weights, so that the
// sweep has only to add up offsets; the rest is evaluated.

#include "base/error.h"
#include "base/input.h"
#include "measure/measure.h"
#include "read/expression_text.h"
#include "read/text.h"

#include <string.h>

static tl_status no_memory (tl_error *error) {
  return tl_fail (error, TL_E_NOMEM, "no memory for the progress measure");
}

// ---- What is written -------------------------------------------------------

typedef struct text {
  tl_mem *mem;
  char *byte; // ends with a zero byte
  size_t length, room;
} text;

static tl_status append (text *t, const void *bytes, size_t length,
                         tl_error *error) {
  if (!TL_ROOM (t->mem, t->byte, &t->room, t->length + length + 1))
    return no_memory (error);
  memcpy (t->byte + t->length, bytes, length);
  t->length += length;
  t->byte[t->length] = 0;
  return TL_OK;
}

static tl_status append_file (text *t, const char *path, tl_error *error) {
  tl_input in;
  tl_status rc = tl_input_open (&in, t->mem, path, error);
  while (!rc && !(rc = tl_input_next (&in, error)) && in.length) {
    if (memchr (in.block, 0, in.length))
      rc = tl_fail_at (error, TL_E_SYNTAX, path, 0, 0,
                       "this is no text: it contains a zero byte");
    else
      rc = append (t, in.block, in.length, error);
  }
  tl_input_close (&in);
  return rc;
}

// Gives the measure a copy of what was written, on one line.
static tl_status keep_source (tl_measures *list, tl_measure *m, text *t,
                              tl_error *error) {
  tl_text_one_line (t->byte);
  const size_t size = strlen (t->byte) + 1;
  if (!TL_NEW (list->mem, m->source, size))
    return no_memory (error);
  memcpy (m->source, t->byte, size);
  return TL_OK;
}

// ---- Measures --------------------------------------------------------------

// Adds the parts as weights.  TL_E_LIMIT: they are none.
static tl_status add_weights (tl_measures *list, const tl_expressions *e,
                              int64_t *weight) {
  int64_t constant[TL_MEASURE_PARTS] = {0};
  for (size_t i = 0; i < e->count; i++)
    if (!tl_expression_is_linear (e->part + i, weight + i * list->net->places,
                                  constant + i))
      return TL_E_LIMIT;
  const tl_status rc =
      tl_measures_add (list, "expression", (uint32_t)e->count, weight);
  if (rc)
    return rc;
  int64_t *start = list->measure[list->count - 1].start;
  for (size_t i = 0; i < e->count; i++)
    if (__builtin_add_overflow (start[i], constant[i], start + i)) {
      tl_measures_drop_last (list);
      return TL_E_LIMIT;
    }
  return TL_OK;
}

// Adds the parts, which move over, as they are.
static tl_status add_parts (tl_measures *list, tl_expressions *e) {
  tl_measure m = {.name = "expression", .parts = (uint32_t)e->count};
  if (!TL_ROOM (list->mem, list->measure, &list->room, list->count + 1) ||
      !TL_NEW (list->mem, m.start, e->count))
    return TL_E_NOMEM;
  if (!TL_NEW (list->mem, m.expression, e->count)) {
    TL_DEL (list->mem, m.start, e->count);
    return TL_E_NOMEM;
  }
  memcpy (m.expression, e->part, e->count * sizeof *e->part);
  e->count = 0;
  list->measure[list->count++] = m;
  return TL_OK;
}

// The progress of the initial marking, where weights did not tell.
static tl_status find_start (tl_measures *list, tl_measure *m,
                             tl_error *error) {
  const tl_net *net = list->net;
  uint64_t *marking;
  if (!m->expression)
    return TL_OK;
  if (!TL_NEW (list->mem, marking, net->places))
    return no_memory (error);
  for (uint32_t p = 0; p < net->places; p++)
    marking[p] = net->initial[p];
  const tl_status rc = tl_measure_value (m, net, marking, m->start, error);
  TL_DEL (list->mem, marking, net->places);
  return rc;
}

static tl_status add (tl_measures *list, tl_expressions *e, text *t,
                      tl_error *error) {
  const size_t weights = e->count * list->net->places;
  int64_t *weight;
  if (!TL_NEW (list->mem, weight, weights))
    return no_memory (error);
  // Without arcs nobody knows what a transition adds.
  tl_status rc =
      tl_net_has_arcs (list->net) ? add_weights (list, e, weight) : TL_E_LIMIT;
  TL_DEL (list->mem, weight, weights);
  if (rc == TL_E_LIMIT)
    rc = add_parts (list, e);
  if (rc)
    return no_memory (error);
  tl_measure *m = list->measure + list->count - 1;
  rc = keep_source (list, m, t, error);
  if (!rc)
    rc = find_start (list, m, error);
  if (rc)
    tl_measures_drop_last (list);
  return rc;
}

tl_status tl_measures_add_expression (tl_measures *list, const char *written,
                                      tl_error *error) {
  const bool in_file = *written == '@';
  const char *path = written + in_file;
  text t = {.mem = list->mem};
  tl_expressions e = {.mem = list->mem};
  tl_status rc = append (&t, "", 0, error);
  if (!rc && in_file)
    rc = append_file (&t, path, error);
  else if (!rc)
    rc = append (&t, written, strlen (written), error);
  if (!rc)
    rc = tl_expression_text_read (&e, list->net, t.byte,
                                  in_file ? path : "progress", TL_MEASURE_PARTS,
                                  error);
  if (!rc)
    rc = add (list, &e, &t, error);
  tl_expressions_close (&e);
  TL_DEL (t.mem, t.byte, t.room);
  return rc;
}
