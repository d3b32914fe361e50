// What a measure says of a marking, and what people are told of a measure.

#include "base/error.h"
#include "logic/formula.h"
#include "measure/evaluated.h"
#include "measure/measure.h"
#include "measure/traits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Values ----------------------------------------------------------------

// start + sum of weight(p) * (m(p) - m0(p)): the start may contain a constant.
static tl_status linear_value (const tl_measure *m, const tl_net *net,
                               uint32_t part, const uint64_t *marking,
                               int64_t *value) {
  const int64_t *weight = m->weight + (size_t)part * net->places;
  __int128 sum = m->start[part];
  for (uint32_t p = 0; p < net->places; p++) {
    int64_t more;
    if (weight[p] &&
        (__builtin_sub_overflow (marking[p], net->initial[p], &more) ||
         __builtin_add_overflow (sum, (__int128)weight[p] * more, &sum)))
      return TL_E_LIMIT;
  }
  *value = (int64_t)sum;
  return *value == sum ? TL_OK : TL_E_LIMIT;
}

tl_status tl_measure_value (const tl_measure *m, const tl_net *net,
                            const uint64_t *marking, int64_t *value,
                            tl_error *error) {
  for (uint32_t i = 0; i < m->parts; i++) {
    const tl_status rc =
        m->weight ? linear_value (m, net, i, marking, value + i)
        : m->evaluated
            ? tl_evaluated_value (m->evaluated, i, marking, value + i, error)
            : tl_expression_value (m->expression + i, marking, value + i);
    if (rc == TL_OK)
      continue;
    if (m->evaluated)
      return rc == TL_E_LIMIT ? TL_E_ARG : rc; // it was said why
    char shown[120];
    const char *source = m->source ? m->source : m->name;
    tl_printable (shown, sizeof shown, source, strlen (source));
    return tl_fail (error, TL_E_ARG, "%s in the progress measure '%s'",
                    rc == TL_E_ARG ? "division by zero" : "overflow of 64 bits",
                    shown);
  }
  return TL_OK;
}

int64_t tl_measure_tokens (const tl_measure *m, const tl_tokens *marking) {
  uint64_t sum = 0; // what does not fit is some progress, too
  for (size_t i = 0; i < m->traits->count; i++)
    if (m->trait_weight[i])
      sum += (uint64_t)m->trait_weight[i] *
             (uint64_t)tl_trait_value (m->traits, i, marking);
  return (int64_t)sum;
}

int64_t tl_measure_token (const tl_measure *m, uint32_t place,
                          const int32_t *token, int64_t many) {
  uint64_t sum = 0;
  for (size_t i = 0; i < m->traits->count; i++)
    if (m->trait_weight[i])
      sum += (uint64_t)m->trait_weight[i] *
             (uint64_t)tl_trait_of (m->traits, i, place, token);
  return (int64_t)(sum * (uint64_t)many);
}

static void mark_read (const tl_measure *m, const tl_net *net, uint32_t part,
                       uint32_t *marked) {
  for (uint32_t p = 0; m->weight && p < net->places; p++)
    marked[p] |= m->weight[(size_t)part * net->places + p] != 0;
  if (m->evaluated && !part)
    tl_evaluated_mark (m->evaluated, marked);
  for (size_t i = 0; m->expression && i < m->expression[part].count; i++) {
    const tl_step *s = m->expression[part].step + i;
    if (s->op == TL_STEP_PLACE)
      marked[s->place] = 1;
  }
}

uint32_t tl_measure_reads (const tl_measure *m, const tl_net *net,
                           uint32_t *list) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->parts; i++)
    mark_read (m, net, i, list);
  for (uint32_t p = 0; p < net->places; p++)
    if (list[p])
      list[count++] = p;
  return count;
}

// ---- Words -----------------------------------------------------------------

// A sum with more terms than this is cut off after this many.
enum { SHORT_SUM = 12 };

static void put_sign (FILE *f, bool first, bool negative) {
  fputs (first ? negative ? "-" : "" : negative ? " - " : " + ", f);
}

static uint64_t magnitude (int64_t n) {
  return n < 0 ? -(uint64_t)n : (uint64_t)n;
}

static bool put_name (FILE *f, const char *name) {
  const size_t size = tl_name_print (name, 0, 0) + 1;
  char *text = malloc (size);
  if (!text)
    return false;
  tl_name_print (name, text, size);
  fputs (text, f);
  free (text);
  return true;
}

static bool put_term (FILE *f, bool first, int64_t weight, const char *name) {
  put_sign (f, first, weight < 0);
  if (magnitude (weight) != 1)
    fprintf (f, "%" PRIu64 "*", magnitude (weight));
  return put_name (f, name);
}

// What the expression adds to the weighted sum.
static __int128 constant_of (const tl_measure *m, const tl_net *net,
                             uint32_t part) {
  const int64_t *weight = m->weight + (size_t)part * net->places;
  __int128 constant = m->start[part];
  for (uint32_t p = 0; p < net->places; p++)
    constant -= (__int128)weight[p] * net->initial[p];
  return constant;
}

static bool put_part (FILE *f, const tl_measure *m, const tl_net *net,
                      uint32_t part, bool full) {
  const int64_t *weight = m->weight + (size_t)part * net->places;
  uint32_t terms = 0, put = 0;
  for (uint32_t p = 0; p < net->places; p++)
    terms += weight[p] != 0;
  const uint32_t most = full || terms <= SHORT_SUM ? terms : SHORT_SUM;
  for (uint32_t p = 0; p < net->places && put < most; p++)
    if (weight[p] && !put_term (f, !put++, weight[p], net->place_id[p]))
      return false;
  if (put < terms)
    fprintf (f, " + ... (%" PRIu32 " more)", terms - put);
  const int64_t constant = (int64_t)constant_of (m, net, part);
  if (constant || !put) {
    put_sign (f, !put, constant < 0);
    fprintf (f, "%" PRIu64, magnitude (constant));
  }
  return true;
}

static void put_traits (FILE *f, const tl_measure *m) {
  bool any = false;
  for (size_t i = 0; i < m->traits->count; i++) {
    const int64_t weight = m->trait_weight[i];
    if (!weight)
      continue;
    put_sign (f, !any, weight < 0);
    if (magnitude (weight) != 1)
      fprintf (f, "%" PRIu64 " * ", magnitude (weight));
    tl_trait_write (m->traits, i, f);
    any = true;
  }
  fputs (any ? "" : "0", f);
}

static char *make_text (const tl_measure *m, const tl_net *net, bool full) {
  char *text = 0;
  size_t length;
  FILE *f = open_memstream (&text, &length);
  if (!f)
    return 0;
  bool good = true;
  for (uint32_t i = 0; good && m->weight && i < m->parts; i++) {
    fputs (i ? ", " : "", f);
    good = put_part (f, m, net, i, full);
  }
  if (m->traits)
    put_traits (f, m);
  else if (!m->weight)
    fputs (m->source, f);
  good = !ferror (f) && good;
  if (fclose (f) || !good) {
    free (text);
    return 0;
  }
  return text;
}

char *tl_measure_text (const tl_measure *m, const tl_net *net) {
  return make_text (m, net, false);
}

char *tl_measure_text_full (const tl_measure *m, const tl_net *net) {
  return make_text (m, net, true);
}
