#include "structure/echelon.h"

#include "base/budget.h"

#define NONE UINT32_MAX

typedef struct entry {
  uint32_t at; // column, or number of a reduced row
  uint64_t value;
} entry;

typedef struct reduced {
  uint32_t name, pivot;
  uint64_t scale_inverse;
  uint64_t row, row_end;         // entries without the pivot
  uint64_t factors, factors_end; // over earlier reduced rows
} reduced;

// A vector that is mostly 0; all of it is, between calls.
typedef struct vector {
  uint64_t *value;
  uint8_t *seen;
  uint32_t *touched;
  uint32_t count;
} vector;

struct tl_echelon {
  tl_mem *mem;
  tl_prime prime;
  uint32_t columns;
  const uint32_t *later;
  uint32_t *pivot_of; // [columns] reduced row with its pivot there, or NONE
  reduced *rows;
  size_t row_count, row_capacity;
  entry *entries;
  size_t entry_count, entry_capacity;
  // There are never more reduced rows than columns.
  vector row;         // over columns
  vector combination; // over reduced rows
  uint32_t *heap;     // reduced rows to be visited, in their order
  uint32_t heap_count;
  tl_residue *residue;
  size_t residue_count, residue_capacity;
  uint64_t work, work_end;
};

// ---- Opening and closing --------------------------------------------------

static bool vector_open (vector *v, tl_mem *mem, size_t size) {
  return TL_NEW (mem, v->value, size) && TL_NEW (mem, v->seen, size) &&
         TL_NEW (mem, v->touched, size);
}

static void vector_close (vector *v, tl_mem *mem, size_t size) {
  TL_DEL (mem, v->value, size);
  TL_DEL (mem, v->seen, size);
  TL_DEL (mem, v->touched, size);
}

tl_status tl_echelon_open (tl_echelon **out, tl_mem *mem, uint32_t columns,
                           tl_prime prime, const uint32_t *later,
                           uint64_t work) {
  *out = 0;
  tl_echelon *e;
  if (!TL_NEW (mem, e, 1))
    return TL_E_NOMEM;
  *e = (tl_echelon){.mem = mem,
                    .prime = prime,
                    .columns = columns,
                    .later = later,
                    .work_end = work};
  if (!TL_NEW (mem, e->pivot_of, columns) || !TL_NEW (mem, e->heap, columns) ||
      !vector_open (&e->row, mem, columns) ||
      !vector_open (&e->combination, mem, columns)) {
    tl_echelon_close (e);
    return TL_E_NOMEM;
  }
  for (uint32_t i = 0; i < columns; i++)
    e->pivot_of[i] = NONE;
  *out = e;
  return TL_OK;
}

void tl_echelon_close (tl_echelon *e) {
  if (!e)
    return;
  tl_mem *mem = e->mem;
  TL_DEL (mem, e->pivot_of, e->columns);
  TL_DEL (mem, e->rows, e->row_capacity);
  TL_DEL (mem, e->entries, e->entry_capacity);
  vector_close (&e->row, mem, e->columns);
  vector_close (&e->combination, mem, e->columns);
  TL_DEL (mem, e->heap, e->columns);
  TL_DEL (mem, e->residue, e->residue_capacity);
  TL_DEL (mem, e, 1);
}

// ---- Vectors and the heap -------------------------------------------------

static bool touch (vector *v, uint32_t i) {
  if (v->seen[i])
    return false;
  v->seen[i] = 1;
  v->touched[v->count++] = i;
  return true;
}

static void vector_clear (vector *v) {
  while (v->count) {
    const uint32_t i = v->touched[--v->count];
    v->value[i] = 0;
    v->seen[i] = 0;
  }
}

static void swap (uint32_t *a, uint32_t *b) {
  const uint32_t old = *a;
  *a = *b;
  *b = old;
}

static void push (tl_echelon *e, uint32_t key) {
  uint32_t i = e->heap_count++;
  e->heap[i] = key;
  for (; i && e->heap[i] < e->heap[(i - 1) / 2]; i = (i - 1) / 2)
    swap (e->heap + i, e->heap + (i - 1) / 2);
}

static uint32_t pop (tl_echelon *e) {
  const uint32_t top = e->heap[0], n = --e->heap_count;
  e->heap[0] = e->heap[n];
  for (uint32_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && e->heap[child + 1] < e->heap[child])
      child++;
    if (e->heap[i] <= e->heap[child])
      break;
    swap (e->heap + i, e->heap + child);
  }
  return top;
}

// ---- Reducing a row -------------------------------------------------------

static void touch_column (tl_echelon *e, uint32_t column) {
  if (touch (&e->row, column) && e->pivot_of[column] != NONE)
    push (e, e->pivot_of[column]);
}

static void scatter (tl_echelon *e, tl_vector row) {
  for (uint32_t i = 0; i < row.count; i++) {
    touch_column (e, row.term[i].index);
    e->row.value[row.term[i].index] = tl_mod_of (e->prime, row.term[i].factor);
  }
}

// Takes reduced rows away, earliest first: a reduced row has zeros at the
// pivots of earlier ones, so none of these comes back.
static bool eliminate (tl_echelon *e) {
  while (e->heap_count) {
    const uint32_t i = pop (e);
    const reduced *r = e->rows + i;
    const uint64_t factor = e->row.value[r->pivot];
    if (!factor)
      continue;
    touch (&e->combination, i);
    e->combination.value[i] = factor;
    e->row.value[r->pivot] = 0;
    e->work += r->row_end - r->row + 1;
    if (e->work > e->work_end)
      return false;
    for (uint64_t k = r->row; k < r->row_end; k++) {
      const entry *x = e->entries + k;
      touch_column (e, x->at);
      e->row.value[x->at] =
          tl_mod_minus (e->prime, e->row.value[x->at],
                        tl_mod_times (e->prime, factor, x->value));
    }
  }
  return true;
}

// The column that the fewest rows to come will have to be rid of.
static uint32_t choose_pivot (const tl_echelon *e) {
  uint32_t best = NONE;
  for (uint32_t i = 0; i < e->row.count; i++) {
    const uint32_t column = e->row.touched[i];
    if (!e->row.value[column])
      continue;
    if (best == NONE || e->later[column] < e->later[best] ||
        (e->later[column] == e->later[best] && column < best))
      best = column;
  }
  return best;
}

static void keep_entries (tl_echelon *e, const vector *v, uint32_t except,
                          uint64_t factor) {
  for (uint32_t i = 0; i < v->count; i++) {
    const uint32_t at = v->touched[i];
    if (v->value[at] && at != except)
      e->entries[e->entry_count++] =
          (entry){at, tl_mod_times (e->prime, v->value[at], factor)};
  }
}

static tl_status keep_row (tl_echelon *e, uint32_t name, uint32_t pivot) {
  const size_t most = (size_t)e->row.count + e->combination.count;
  if (!TL_ROOM (e->mem, e->rows, &e->row_capacity, e->row_count + 1) ||
      !TL_ROOM (e->mem, e->entries, &e->entry_capacity, e->entry_count + most))
    return TL_E_NOMEM;
  reduced *r = e->rows + e->row_count;
  *r =
      (reduced){.name = name,
                .pivot = pivot,
                .scale_inverse = tl_mod_inverse (e->prime, e->row.value[pivot]),
                .row = e->entry_count};
  keep_entries (e, &e->row, pivot, r->scale_inverse);
  r->row_end = r->factors = e->entry_count;
  keep_entries (e, &e->combination, NONE, 1);
  r->factors_end = e->entry_count;
  e->work += 8 * (r->factors_end - r->row); // memory costs too
  e->pivot_of[pivot] = (uint32_t)e->row_count++;
  return TL_OK;
}

// From a combination of reduced rows to one of the rows themselves, latest
// first.
static tl_status trace_back (tl_echelon *e) {
  vector *v = &e->combination;
  e->residue_count = 0;
  for (uint32_t i = 0; i < v->count; i++)
    push (e, ~v->touched[i]);
  while (e->heap_count) {
    const reduced *r = e->rows + (uint32_t)~pop (e);
    const uint64_t factor =
        tl_mod_times (e->prime, v->value[r - e->rows], r->scale_inverse);
    if (!factor)
      continue;
    if (!TL_ROOM (e->mem, e->residue, &e->residue_capacity,
                  e->residue_count + 1))
      return TL_E_NOMEM;
    e->residue[e->residue_count++] = (tl_residue){r->name, factor};
    e->work += r->factors_end - r->factors + 1;
    for (uint64_t k = r->factors; k < r->factors_end; k++) {
      const entry *x = e->entries + k;
      if (touch (v, x->at))
        push (e, ~x->at);
      v->value[x->at] = tl_mod_minus (
          e->prime, v->value[x->at], tl_mod_times (e->prime, factor, x->value));
    }
  }
  return TL_OK;
}

tl_status tl_echelon_add (tl_echelon *e, tl_vector row, uint32_t name,
                          tl_echelon_result *result) {
  tl_status rc = TL_OK;
  scatter (e, row);
  *result = TL_ECHELON_STOPPED;
  if (tl_budget_look (e->mem))
    e->work = UINT64_MAX; // it is too late for more
  if (e->work <= e->work_end && eliminate (e)) {
    const uint32_t pivot = choose_pivot (e);
    *result = pivot == NONE ? TL_ECHELON_COMBINED : TL_ECHELON_NEW;
    rc = pivot == NONE ? trace_back (e) : keep_row (e, name, pivot);
  }
  e->heap_count = 0;
  vector_clear (&e->row);
  vector_clear (&e->combination);
  return rc;
}

uint32_t tl_echelon_rank (const tl_echelon *e) {
  return (uint32_t)e->row_count;
}

const tl_residue *tl_echelon_combination (const tl_echelon *e,
                                          uint32_t *count) {
  *count = (uint32_t)e->residue_count;
  return e->residue;
}
