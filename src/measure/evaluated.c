#include "measure/evaluated.h"

#include "colour/uses.h"

#include <string.h>

// A coloured place that is read: the places it was unfolded into, which are in
// the order of their tokens, and room for those that are marked.
typedef struct reading {
  uint32_t place, cells;
  uint32_t first, count; // unfolded places
  tl_cell *token;        // [count * cells]
  uint32_t *many;        // [count]
} reading;

struct tl_evaluated {
  tl_mem *mem;
  const tl_net *net;
  const tl_coloured *coloured;
  tl_evaluation evaluation;
  tl_cell *frame;
  tl_tokens *marking; // [coloured places]
  reading *reading;
  uint32_t readings;
};

static bool reads (const tl_coloured *net, uint32_t place) {
  for (uint32_t i = 0; i < net->progress_parts; i++)
    if (tl_term_reads_place (net->measure[i], place))
      return true;
  return false;
}

static tl_status add_reading (tl_evaluated *e, uint32_t place) {
  const uint32_t *first = e->net->origin->place_first + place;
  reading *r = e->reading + e->readings++;
  *r = (reading){.place = place,
                 .cells = e->coloured->place[place].cells,
                 .first = first[0],
                 .count = first[1] - first[0]};
  return TL_NEW (e->mem, r->token, (size_t)r->count * r->cells) &&
                 TL_NEW (e->mem, r->many, r->count)
             ? TL_OK
             : TL_E_NOMEM;
}

static tl_status open_readings (tl_evaluated *e) {
  const tl_coloured *net = e->coloured;
  if (!TL_NEW (e->mem, e->reading, net->places) ||
      !TL_NEW (e->mem, e->marking, net->places) ||
      !TL_NEW (e->mem, e->frame, net->measure_frame))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < net->places; p++)
    rc = reads (net, p) ? add_reading (e, p) : TL_OK;
  return rc;
}

tl_status tl_evaluated_open (tl_evaluated **out, tl_mem *mem,
                             const tl_net *net) {
  tl_evaluated *e;
  *out = 0;
  if (!TL_NEW (mem, e, 1))
    return TL_E_NOMEM;
  e->mem = mem;
  e->net = net;
  e->coloured = net->origin->coloured;
  tl_evaluation_open (&e->evaluation, mem, e->coloured->path, 0);
  e->evaluation.place = e->coloured->place;
  const tl_status rc = open_readings (e);
  if (rc)
    tl_evaluated_close (e);
  else
    *out = e;
  return rc;
}

void tl_evaluated_close (tl_evaluated *e) {
  if (!e)
    return;
  tl_mem *mem = e->mem;
  for (uint32_t i = 0; i < e->readings; i++) {
    reading *r = e->reading + i;
    TL_DEL (mem, r->token, (size_t)r->count * r->cells);
    TL_DEL (mem, r->many, r->count);
  }
  TL_DEL (mem, e->reading, e->coloured->places);
  TL_DEL (mem, e->marking, e->coloured->places);
  TL_DEL (mem, e->frame, e->coloured->measure_frame);
  tl_evaluation_close (&e->evaluation);
  TL_DEL (mem, e, 1);
}

void tl_evaluated_mark (const tl_evaluated *e, uint32_t *marked) {
  for (uint32_t i = 0; i < e->readings; i++)
    for (uint32_t k = 0; k < e->reading[i].count; k++)
      marked[e->reading[i].first + k] = 1;
}

static void show (tl_evaluated *e, const reading *r, const uint64_t *marking) {
  const tl_cell *token = e->net->origin->token[r->place];
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->count; i++) {
    const uint64_t many = marking[r->first + i];
    if (!many)
      continue;
    if (r->cells)
      memcpy (r->token + (size_t)n * r->cells, token + (size_t)i * r->cells,
              r->cells * sizeof *r->token);
    r->many[n++] = many > UINT32_MAX ? UINT32_MAX : (uint32_t)many;
  }
  e->marking[r->place] = (tl_tokens){r->token, r->many, n};
}

tl_status tl_evaluated_value (tl_evaluated *e, uint32_t part,
                              const uint64_t *marking, int64_t *value,
                              tl_error *error) {
  for (uint32_t i = 0; !part && i < e->readings; i++)
    show (e, e->reading + i, marking);
  tl_error own = {0};
  e->evaluation.error = error ? error : &own;
  e->evaluation.marking = e->marking;
  return tl_evaluate_number (&e->evaluation, e->coloured->measure[part],
                             e->frame, value);
}
