#ifndef TL_EXAMPLE_MAKER_H
#define TL_EXAMPLE_MAKER_H

#include "net/net.h"

// A pen for models that are drawn by loops: ids are made from a format, and
// the first failure is kept so that a family reads as its drawing and is
// tested once, at the end.  After a failure the calls do nothing.
typedef struct tl_maker {
  tl_builder *builder;
  tl_status status;
  uint32_t places; // so far: the number the next one gets
} tl_maker;

uint32_t tl_maker_place (tl_maker *, uint32_t tokens, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));
uint32_t tl_maker_transition (tl_maker *, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

// The places STEM_1 .. STEM_count, numbered one after the other; the number
// of the first.
uint32_t tl_maker_row (tl_maker *, const char *stem, uint32_t count,
                       uint32_t tokens);

void tl_maker_arc (tl_maker *, tl_arc_kind, uint32_t transition, uint32_t place,
                   uint32_t weight);

// Arcs of weight one between a transition and each of the places.
void tl_maker_arcs (tl_maker *, tl_arc_kind, uint32_t transition, size_t count,
                    const uint32_t *places);

#define TL_ARCS_(MAKER, KIND, T, ...)                                          \
  tl_maker_arcs ((MAKER), (KIND), (T),                                         \
                 sizeof ((uint32_t[]){__VA_ARGS__}) / sizeof (uint32_t),       \
                 (uint32_t[]){__VA_ARGS__})
#define TL_TAKE(MAKER, T, ...) TL_ARCS_ (MAKER, TL_ARC_PRE, T, __VA_ARGS__)
#define TL_GIVE(MAKER, T, ...) TL_ARCS_ (MAKER, TL_ARC_POST, T, __VA_ARGS__)

// The families.  `sizes` are in the order of the usage line and within what
// the table in example.c allows.
typedef void tl_example_make (tl_maker *, const uint32_t *sizes);

tl_example_make tl_example_philosophers, tl_example_philosophers_both,
    tl_example_dining, tl_example_dbm, tl_example_kanban, tl_example_fms,
    tl_example_token_ring, tl_example_leader, tl_example_peterson,
    tl_example_stop_and_wait, tl_example_sliding_window, tl_example_chains,
    tl_example_pipe;

#endif
