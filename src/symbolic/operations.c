#include "symbolic/operations.h"

// Rows of a new table, and of the largest.
#define FEWEST ((size_t)1 << 10)
#define MOST ((size_t)1 << 26)
// It takes no more than this part of what the account still has.
#define SHARE 8

tl_status tl_operations_open (tl_operations *o, tl_mem *mem, size_t rows) {
  *o = (tl_operations){
      .mem = mem, .rows = rows ? rows : FEWEST, .most = rows ? rows : MOST};
  return TL_NEW (mem, o->row, o->rows) ? TL_OK : TL_E_NOMEM;
}

void tl_operations_close (tl_operations *o) {
  if (o->row)
    TL_DEL (o->mem, o->row, o->rows);
}

static void grow (tl_operations *o) {
  tl_operations more = {.mem = o->mem, .rows = 2 * o->rows, .most = o->most};
  o->puts = 0;
  if (o->rows >= o->most ||
      !tl_mem_has (o->mem, SHARE * more.rows * sizeof *more.row) ||
      !TL_NEW (o->mem, more.row, more.rows))
    return;
  for (size_t i = 0; i < o->rows; i++) {
    const tl_operation *row = o->row + i;
    if (row->a)
      more.row[tl_operations_row (&more, row->a, row->b, row->c)] = *row;
  }
  TL_DEL (o->mem, o->row, o->rows);
  *o = more;
}

void tl_operations_put (tl_operations *o, uint32_t a, uint32_t b, uint32_t c,
                        uint32_t result) {
  if (++o->puts > o->rows)
    grow (o);
  o->row[tl_operations_row (o, a, b, c)] = (tl_operation){a, b, c, result};
}

void tl_operations_forget (tl_operations *o,
                           bool (*gone) (const void *context, uint32_t set),
                           const void *context) {
  for (size_t i = 0; i < o->rows; i++) {
    tl_operation *row = o->row + i;
    if (row->a && (gone (context, row->a) || gone (context, row->b) ||
                   gone (context, row->result)))
      row->a = 0;
  }
}
