#include "stubborn/stubborn.h"

struct tl_stubborn {
  tl_mem *mem;
  const tl_layout *layout;
  const uint64_t *state;
};

tl_status tl_stubborn_open (tl_stubborn **out, tl_mem *mem,
                            const tl_layout *layout) {
  if (!TL_NEW (mem, *out, 1))
    return TL_E_NOMEM;
  **out = (tl_stubborn){.mem = mem, .layout = layout};
  return TL_OK;
}

void tl_stubborn_close (tl_stubborn *s) {
  if (s)
    TL_DEL (s->mem, s, 1);
}

void tl_stubborn_begin (tl_stubborn *s, const uint64_t *state,
                        const uint32_t *enabled, uint32_t count) {
  (void)enabled, (void)count;
  s->state = state;
}

void tl_stubborn_add_some (tl_stubborn *s) {
  (void)s;
}

uint32_t tl_stubborn_end (tl_stubborn *s, uint32_t *enabled, uint32_t count) {
  (void)s, (void)enabled;
  return count;
}
