#include "encode/layout.h"

#include <string.h>

tl_status tl_layout_open (tl_layout *l, tl_mem *mem, const tl_net *net,
                          const uint8_t *width, uint32_t more) {
  *l = (tl_layout){.mem = mem, .net = net};
  if (!TL_NEW (mem, l->field, net->places))
    return TL_E_NOMEM;
  uint32_t word = 0, used = 0;
  for (uint32_t p = 0; p < net->places; p++) {
    tl_field *f = l->field + p;
    f->width = width[p];
    f->guarded = f->width > 1;
    const uint32_t need = (uint32_t)f->width + f->guarded;
    if (used + need > 64) {
      word++;
      used = 0;
    }
    f->word = word;
    f->shift = (uint8_t)(f->width ? used : 0);
    used += need;
    l->bits += f->width;
    l->plain_bits += (uint32_t)(f->width + 7) / 8 * 8;
  }
  l->fields = word + 1;
  l->words = l->fields + more;
  if (!TL_NEW (mem, l->guards, l->words)) {
    tl_layout_close (l);
    return TL_E_NOMEM;
  }
  for (uint32_t p = 0; p < net->places; p++)
    if (l->field[p].guarded)
      l->guards[l->field[p].word] |= (uint64_t)1
                                     << (l->field[p].shift + l->field[p].width);
  return TL_OK;
}

void tl_layout_close (tl_layout *l) {
  if (l->field)
    TL_DEL (l->mem, l->field, l->net->places);
  TL_DEL (l->mem, l->guards, l->words);
}

bool tl_layout_pack (const tl_layout *l, const uint64_t *tokens,
                     uint64_t *state) {
  memset (state + l->fields, 0, (l->words - l->fields) * sizeof *state);
  return tl_layout_set (l, tokens, state);
}

bool tl_layout_set (const tl_layout *l, const uint64_t *tokens,
                    uint64_t *state) {
  memset (state, 0, l->fields * sizeof *state);
  for (uint32_t p = 0; p < l->net->places; p++) {
    const tl_field *f = l->field + p;
    if (f->width && tokens[p] > tl_low_bits (f->width))
      return false;
    if (f->width)
      state[f->word] |= tokens[p] << f->shift;
  }
  return true;
}

void tl_layout_unpack (const tl_layout *l, const uint64_t *state,
                       uint64_t *tokens) {
  for (uint32_t p = 0; p < l->net->places; p++)
    tokens[p] = tl_layout_tokens (l, state, p);
}
