// Nets whose firing rule is not given by arcs: everything is asked there, and
// what can be seen of a state is brought up to date when it changes.

#include "fire/kinds.h"

typedef struct ruled {
  tl_fire base;
  uint64_t *seen; // [places] room for what can be seen of a state
} ruled;

static tl_rule *rule_of (const tl_fire *f) {
  return f->layout->net->rule;
}

static uint32_t enabled (tl_fire *f, const uint64_t *state, uint32_t *list) {
  tl_rule *p = rule_of (f);
  return p->kind->enabled (p, state + f->layout->fields, list);
}

static uint32_t fits (const tl_fire *f, const uint64_t *state,
                      const uint32_t *list, uint32_t count) {
  tl_rule *p = rule_of (f);
  return p->kind->steps (p, state + f->layout->fields, list, count, 0);
}

static void show (const tl_fire *f, uint64_t *state) {
  const ruled *self = (const ruled *)f;
  const tl_layout *l = f->layout;
  tl_rule *p = rule_of (f);
  p->kind->observe (p, state + l->fields, self->seen);
  tl_layout_set (l, self->seen, state);
}

void tl_fire_rule_step (const tl_fire *f, uint32_t event, uint64_t *state) {
  tl_rule *p = rule_of (f);
  uint64_t *key = state + f->layout->fields;
  p->kind->steps (p, key, &event, 1, key);
  show (f, state);
}

void tl_fire_rule_undo (const tl_fire *f, uint32_t event, uint64_t *state) {
  tl_rule *p = rule_of (f);
  p->kind->undo (p, event, state + f->layout->fields);
  show (f, state);
}

static void close_fire (tl_fire *f) {
  ruled *self = (ruled *)f;
  TL_DEL (f->mem, self->seen, f->layout->net->places);
  TL_DEL (f->mem, self, 1);
}

static const tl_fire_kind kind = {.name = "rule",
                                  .blurb = "a coloured net as it is",
                                  .enabled = enabled,
                                  .fits = fits,
                                  .close = close_fire};

tl_status tl_fire_rule_open (tl_fire **out, tl_mem *mem,
                             const tl_layout *layout) {
  ruled *self;
  if (!TL_NEW (mem, self, 1))
    return TL_E_NOMEM;
  if (!TL_NEW (mem, self->seen, layout->net->places)) {
    TL_DEL (mem, self, 1);
    return TL_E_NOMEM;
  }
  self->base = (tl_fire){.kind = &kind,
                         .mem = mem,
                         .layout = layout,
                         .transitions = layout->net->transitions};
  *out = &self->base;
  return TL_OK;
}
