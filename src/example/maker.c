#include "example/maker.h"

#include <stdarg.h>
#include <stdio.h>

// Ids consist of a short word and up to three numbers of ten digits.
enum { ID_SIZE = 80 };

uint32_t tl_maker_place (tl_maker *m, uint32_t tokens, const char *format,
                         ...) {
  char id[ID_SIZE];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (id, sizeof id, format, arguments);
  va_end (arguments);
  if (!m->status)
    m->status = tl_builder_place (m->builder, id, 0, tokens, 0);
  return m->places++;
}

uint32_t tl_maker_transition (tl_maker *m, const char *format, ...) {
  char id[ID_SIZE];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (id, sizeof id, format, arguments);
  va_end (arguments);
  uint32_t transition = 0;
  if (!m->status)
    m->status = tl_builder_transition (m->builder, id, 0, &transition);
  return transition;
}

uint32_t tl_maker_row (tl_maker *m, const char *stem, uint32_t count,
                       uint32_t tokens) {
  const uint32_t first = m->places;
  for (uint32_t i = 1; i <= count && !m->status; i++)
    tl_maker_place (m, tokens, "%s_%u", stem, i);
  return first;
}

void tl_maker_arc (tl_maker *m, tl_arc_kind kind, uint32_t transition,
                   uint32_t place, uint32_t weight) {
  if (!m->status)
    m->status = tl_builder_arc (m->builder, kind, place, transition, weight);
}

void tl_maker_arcs (tl_maker *m, tl_arc_kind kind, uint32_t transition,
                    size_t count, const uint32_t *places) {
  for (size_t i = 0; i < count; i++)
    tl_maker_arc (m, kind, transition, places[i], 1);
}
