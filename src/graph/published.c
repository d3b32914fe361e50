#include "graph/published.h"

enum { WORD = 8 };

typedef struct writing {
  FILE *file;
  const tl_mem *mem;
  uint64_t *pointer;   // [states]
  uint64_t at;         // bytes written
  unsigned label_bits; // of a transition
  // Bits that do not make a byte yet.
  unsigned char rest;
  unsigned rest_bits;
} writing;

static void write_word (writing *w, uint64_t word) {
  unsigned char bytes[WORD];
  tl_write_word (bytes, word);
  fwrite (bytes, 1, sizeof bytes, w->file);
  w->at += sizeof bytes;
}

static void write_bits (writing *w, unsigned width, uint64_t value) {
  for (unsigned i = 0; i < width; i++) {
    w->rest |= (unsigned char)((value >> i & 1) << w->rest_bits);
    if (++w->rest_bits < 8)
      continue;
    putc (w->rest, w->file);
    w->at++;
    w->rest = 0;
    w->rest_bits = 0;
  }
}

static tl_status write_array (void *context, const tl_walk_visit *v) {
  writing *w = context;
  const uint32_t count = v->arcs;
  uint64_t largest = 0;
  for (uint32_t i = 0; i < count; i++)
    largest = v->target[i] > largest ? v->target[i] : largest;
  if (!count)
    return TL_OK;
  const unsigned bits = tl_bits_for (largest);
  w->pointer[v->number] = w->at + 1;
  write_word (w, count);
  write_word (w, bits);
  for (uint32_t i = 0; i < count; i++) {
    write_bits (w, w->label_bits,
                tl_generator_transition (v->generator, v->step[i]));
    write_bits (w, bits, v->target[i]);
  }
  if (w->rest_bits)
    write_bits (w, 8 - w->rest_bits, 0);
  return tl_walk_look (v, w->mem);
}

tl_status tl_graph_write_published (const tl_graph *g, tl_mem *mem,
                                    const tl_net *net, const uint64_t *most,
                                    tl_titles *titles, FILE *file) {
  (void)titles;
  const size_t states = (size_t)g->states;
  writing w = {.file = file,
               .mem = mem,
               .label_bits = net->transitions > 1
                                 ? tl_bits_for (net->transitions - 1)
                                 : 0};
  if (!TL_NEW (mem, w.pointer, states))
    return TL_E_NOMEM;
  const tl_status rc = tl_graph_walk_arcs (g, mem, net, most, write_array, &w);
  for (size_t i = 0; !rc && i < states; i++)
    write_word (&w, w.pointer[i]);
  write_word (&w, g->states);
  write_word (&w, g->arcs);
  write_word (&w, net->transitions);
  TL_DEL (mem, w.pointer, states);
  return rc;
}
