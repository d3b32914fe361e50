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

tl_status tl_graph_file_save (const tl_graph *g, const tl_section *net,
                              const uint64_t *most, uint32_t places,
                              const char *path, tl_error *err) {
  const tl_graph_figures figures = {g->states, g->arcs, g->bits, g->widest};
  const tl_section section[] = {
      *net,
      {MOST, most, (uint64_t)places * sizeof *most},
      {FIGURES, &figures, sizeof figures},
      {STARTS, g->start, g->blocks * sizeof *g->start},
      {CODE, g->words.base, tl_graph_words (g->bits) * WORD}};
  return tl_container_save (path, section, sizeof section / sizeof *section,
                            err);
}

// Do the lengths of the sections fit what the figures say?
static bool lengths_fit (const tl_graph_figures *f, const tl_section *starts,
                         const tl_section *code) {
  return f->states && starts->length % sizeof (tl_graph_start) == 0 &&
         starts->length / sizeof (tl_graph_start) ==
             tl_graph_blocks (f->states) &&
         code->length % WORD == 0 &&
         code->length / WORD == tl_graph_words (f->bits);
}

static tl_status read_graph (tl_graph_file *file, tl_mem *mem,
                             const tl_section *figures,
                             const tl_section *starts, const tl_section *code,
                             tl_error *err) {
  const char *path = file->container.path;
  tl_graph_figures f;
  tl_status rc = TL_E_SYNTAX;
  if (figures->length == sizeof f) {
    memcpy (&f, figures->bytes, sizeof f);
    if (lengths_fit (&f, starts, code))
      rc = tl_graph_borrow (&file->graph, mem, &f, starts->bytes, code->bytes);
  }
  return rc ? tl_fail_at (err, rc, path, 0, 0, "%s",
                          rc == TL_E_NOMEM ? "no memory for the graph"
                                           : "the graph in it is damaged")
            : TL_OK;
}

tl_status tl_graph_file_take (tl_graph_file *file, tl_mem *mem,
                              const tl_container *container, tl_error *err) {
  *file =
      (tl_graph_file){.container = *container, .net = {.name = TL_SECTION_NET}};
  tl_section most = {.name = MOST}, figures = {.name = FIGURES},
             starts = {.name = STARTS}, code = {.name = CODE};
  tl_section *const wanted[] = {&file->net, &most, &figures, &starts, &code};
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < sizeof wanted / sizeof *wanted; i++)
    rc = tl_container_find (container, wanted[i], err);
  if (!rc)
    rc = read_graph (file, mem, &figures, &starts, &code, err);
  file->most = most.bytes;
  file->places = most.length / WORD;
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
