#include "stubborn/visible.h"

#include <string.h>

typedef struct marker {
  const tl_net *net;
  uint8_t *visible;     // [transitions]
  int64_t *coefficient; // [places] all 0 between formulas
  uint8_t *watched;     // [places] a change of it counts
} marker;

static void mark_comparison (marker *m, const tl_formula *f) {
  for (uint32_t i = 0; i < f->count; i++)
    m->coefficient[f->term[i].place] = f->term[i].coefficient;
  for (uint32_t t = 0; t < m->net->transitions; t++) {
    __int128 sum = 0;
    for (tl_change c = tl_net_change (m->net, t); tl_net_change_next (&c);)
      sum += (__int128)m->coefficient[c.place] * c.amount;
    m->visible[t] |= sum != 0;
  }
  for (uint32_t i = 0; i < f->count; i++)
    m->coefficient[f->term[i].place] = 0;
}

static void watch (marker *m, uint32_t transition) {
  const tl_arcs pre = tl_net_pre (m->net, transition);
  const tl_arcs inhibitors = tl_net_inhibitors (m->net, transition);
  for (uint32_t i = 0; i < pre.count; i++)
    m->watched[pre.arc[i].place] = 1;
  for (uint32_t i = 0; i < inhibitors.count; i++)
    m->watched[inhibitors.arc[i].place] = 1;
}

static void mark (marker *m, const tl_formula *f) {
  switch (f->op) {
  case TL_COMPARE: mark_comparison (m, f); break;
  case TL_FIREABLE:
    for (uint32_t i = 0; i < f->count; i++)
      watch (m, f->transition[i]);
    break;
  case TL_DEADLOCK: memset (m->visible, 1, m->net->transitions); break;
  default:
    for (uint32_t i = 0; i < tl_formula_operands (f); i++)
      mark (m, f->operand[i]);
  }
}

static void mark_watched (const marker *m) {
  for (uint32_t t = 0; t < m->net->transitions; t++)
    for (tl_change c = tl_net_change (m->net, t); tl_net_change_next (&c);)
      m->visible[t] |= m->watched[c.place];
}

tl_status tl_visible_mark (tl_mem *mem, const tl_net *net, const tl_formula *f,
                           uint8_t *visible) {
  marker m = {.net = net, .visible = visible};
  const bool room = TL_NEW (mem, m.coefficient, net->places) &&
                    TL_NEW (mem, m.watched, net->places);
  if (room) {
    mark (&m, f);
    mark_watched (&m);
  }
  TL_DEL (mem, m.coefficient, net->places);
  TL_DEL (mem, m.watched, net->places);
  return room ? TL_OK : TL_E_NOMEM;
}
