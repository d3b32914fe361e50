#include "graph/file.h"

#include "base/error.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "graphs are used as they lie in their files");

enum { WORD = sizeof (uint64_t) };

#define MOST "most"
#define FIGURES "figures"
#define STARTS "starts"
#define CODE "code"
#define ORDER "order"
#define IMAGES "images"

tl_status tl_graph_file_save (const tl_graph *g, const tl_section *net,
                              const uint64_t *most, uint32_t places,
                              const char *path, tl_error *err) {
  const tl_graph_figures figures = tl_graph_describe (g);
  const tl_permutation *order = g->order;
  const tl_section section[] = {
      *net,
      {MOST, most, (uint64_t)places * sizeof *most},
      {FIGURES, &figures, sizeof figures},
      {STARTS, g->start, g->blocks * sizeof *g->start},
      {CODE, g->words.base, tl_graph_words (g->bits) * WORD},
      {ORDER, order ? (const void *)order->block : "",
       order ? order->blocks * sizeof *order->block : 0},
      {IMAGES, order ? (const void *)order->words.base : "",
       order ? tl_graph_words (order->bits) * WORD : 0}};
  return tl_container_save (path, section, sizeof section / sizeof *section,
                            err);
}

// The sections that a graph is made of.
typedef struct parts {
  tl_section most, figures, starts, code, order, images;
} parts;

// Is a section so many things of a size?
static bool has (const tl_section *s, uint64_t count, uint64_t size) {
  return s->length % size == 0 && s->length / size == count;
}

// Do the lengths of the sections fit what the figures say?
static bool lengths_fit (const tl_graph_figures *f, const parts *p) {
  const uint64_t blocks = tl_graph_blocks (f->states);
  const bool ordered = p->order.length;
  return f->states && has (&p->starts, blocks, sizeof (tl_graph_start)) &&
         has (&p->code, tl_graph_words (f->bits), WORD) &&
         has (&p->order, ordered ? blocks : 0, sizeof (tl_permutation_block)) &&
         has (&p->images, ordered ? tl_graph_words (f->order_bits) : 0, WORD);
}

static tl_status take_parts (tl_graph_file *file, tl_mem *mem, const parts *p) {
  tl_graph_figures f;
  tl_permutation *order = 0;
  if (p->figures.length != sizeof f)
    return TL_E_SYNTAX;
  memcpy (&f, p->figures.bytes, sizeof f);
  if (!lengths_fit (&f, p))
    return TL_E_SYNTAX;
  const tl_status rc =
      p->order.length
          ? tl_permutation_borrow (&order, mem, f.states, f.order_bits,
                                   p->order.bytes, p->images.bytes)
          : TL_OK;
  return rc ? rc
            : tl_graph_borrow (&file->graph, mem, &f, p->starts.bytes,
                               p->code.bytes, order);
}

static tl_status read_graph (tl_graph_file *file, tl_mem *mem, const parts *p,
                             tl_error *err) {
  const tl_status rc = take_parts (file, mem, p);
  return rc ? tl_fail_at (err, rc, file->container.path, 0, 0, "%s",
                          rc == TL_E_NOMEM ? "no memory for the graph"
                                           : "the graph in it is damaged")
            : TL_OK;
}

tl_status tl_graph_file_take (tl_graph_file *file, tl_mem *mem,
                              const tl_container *container, tl_error *err) {
  *file = (tl_graph_file){.container = *container,
                          .net = {.name = tl_container_net (container)}};
  parts p = {.most.name = MOST,
             .figures.name = FIGURES,
             .starts.name = STARTS,
             .code.name = CODE,
             .order.name = ORDER,
             .images.name = IMAGES};
  tl_section *const wanted[] = {&file->net, &p.most,  &p.figures, &p.starts,
                                &p.code,    &p.order, &p.images};
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < sizeof wanted / sizeof *wanted; i++)
    rc = tl_container_find (container, wanted[i], err);
  if (!rc)
    rc = read_graph (file, mem, &p, err);
  file->most = p.most.bytes;
  file->places = p.most.length / WORD;
  if (rc)
    tl_graph_file_close (file);
  return rc;
}

tl_status tl_graph_file_open (tl_graph_file *file, tl_mem *mem,
                              const char *path, tl_error *err) {
  *file = (tl_graph_file){0};
  tl_container container;
  const tl_status rc = tl_container_open (&container, path, err);
  return rc ? rc : tl_graph_file_take (file, mem, &container, err);
}

void tl_graph_file_close (tl_graph_file *file) {
  tl_graph_close (file->graph);
  tl_container_close (&file->container);
  *file = (tl_graph_file){0};
}
