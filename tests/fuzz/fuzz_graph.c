// Noise as a file, and noise as the code of a graph, which no checksum guards.

#include "graph/file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length);

static void fuzz_file (const uint8_t *bytes, size_t length) {
  tl_mem mem = TL_MEM (0, "graph");
  tl_error err = {0};
  tl_container container;
  tl_graph_file file;
  tl_status status =
      tl_container_open_memory (&container, "x.tlg", bytes, length, &err);
  if (!status)
    status = tl_graph_file_take (&file, &mem, &container, &err);
  if (status && (status != TL_E_SYNTAX || mem.used || !err.text[0]))
    abort ();
  if (!status)
    tl_graph_file_close (&file);
}

// What is taken for a graph can be read and has no arc that leads nowhere.
static void read_graph (const tl_graph *g) {
  tl_graph_reader r;
  if (tl_graph_reader_open (&r, g))
    abort ();
  for (uint64_t b = 0; b < g->blocks; b++) {
    tl_graph_read (&r, b);
    for (uint64_t i = 0; i < r.end[r.count]; i++)
      if (r.target[i] >= g->states)
        abort ();
  }
  tl_graph_reader_close (&r);
}

// Figures, starts of the blocks, and code: as many as there are bytes.
static void fuzz_code (const uint8_t *bytes, size_t length) {
  tl_mem mem = TL_MEM (0, "graph");
  tl_graph_figures figures;
  if (length < sizeof figures)
    return;
  memcpy (&figures, bytes, sizeof figures);
  figures.states = figures.states % 256 + 1;
  const size_t head = sizeof figures + tl_graph_blocks (figures.states) *
                                           sizeof (tl_graph_start);
  if (length < head)
    return;
  const size_t rest = (length - head) / sizeof (uint64_t);
  if (rest < tl_graph_words (0))
    return;
  figures.bits %= 64 * (rest - tl_graph_words (0) + 1);
  uint64_t *copy = malloc (length);
  tl_graph *g;
  memcpy (copy, bytes, length);
  const tl_status status = tl_graph_borrow (
      &g, &mem, &figures,
      (const tl_graph_start *)(copy + sizeof figures / sizeof *copy),
      copy + head / sizeof *copy, 0);
  if (!status) {
    read_graph (g);
    tl_graph_close (g);
  }
  if (mem.used)
    abort ();
  free (copy);
}

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length) {
  uint64_t *aligned = malloc (length + 1);
  memcpy (aligned, bytes, length);
  fuzz_file ((const uint8_t *)aligned, length);
  free (aligned);
  fuzz_code (bytes, length);
  return 0;
}
