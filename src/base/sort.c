#include "base/sort.h"

#include <string.h>

enum {
  VALUES = 256, // of a byte
  FEW = 24,     // records that are sorted by moving each to its place
  PART = 64     // bytes that are exchanged at once
};

typedef struct job {
  unsigned char *records;
  size_t count, size;
  size_t key; // bytes that are not known to be the same in all of them
} job;

static void exchange (unsigned char *a, unsigned char *b, size_t size) {
  unsigned char part[PART];
  for (size_t at = 0; at < size; at += PART) {
    const size_t n = size - at < PART ? size - at : PART;
    memcpy (part, a + at, n);
    memcpy (a + at, b + at, n);
    memcpy (b + at, part, n);
  }
}

static bool less (const unsigned char *a, const unsigned char *b, size_t key) {
  while (key--)
    if (a[key] != b[key])
      return a[key] < b[key];
  return false;
}

static void sort_few (const job *j) {
  for (size_t i = 1; i < j->count; i++) {
    unsigned char *at = j->records + i * j->size;
    while (at > j->records && less (at, at - j->size, j->key)) {
      exchange (at, at - j->size, j->size);
      at -= j->size;
    }
  }
}

// Moves the records with the same highest byte together, in the order of that
// byte; those with value v end before record end[v].
static void deal (const job *j, size_t *end) {
  const size_t byte = j->key - 1;
  size_t next[VALUES];
  memset (end, 0, VALUES * sizeof *end);
  for (size_t i = 0; i < j->count; i++)
    end[j->records[i * j->size + byte]]++;
  for (size_t v = 0, sum = 0; v < VALUES; v++) {
    next[v] = sum;
    end[v] = sum += end[v];
  }
  for (size_t v = 0; v < VALUES; v++)
    while (next[v] < end[v]) {
      unsigned char *at = j->records + next[v] * j->size;
      const unsigned char value = at[byte];
      if (value != v)
        exchange (at, j->records + next[value] * j->size, j->size);
      next[value]++;
    }
}

static void sort (job j) {
  size_t end[VALUES];
  while (j.count > FEW && j.key) {
    deal (&j, end);
    j.key--;
    size_t largest = 0, most = 0;
    for (size_t v = 0, from = 0; v < VALUES; from = end[v++])
      if (end[v] - from > most) {
        most = end[v] - from;
        largest = v;
      }
    // All but the largest part are sorted by a call: each is less than half of
    // the whole, so calls are not nested deeper than a word has bits.
    for (size_t v = 0, from = 0; v < VALUES; from = end[v++])
      if (v != largest && end[v] - from > 1)
        sort ((job){j.records + from * j.size, end[v] - from, j.size, j.key});
    j.records += (end[largest] - most) * j.size;
    j.count = most;
  }
  sort_few (&j);
}

void tl_sort_records (unsigned char *records, size_t count, size_t size,
                      size_t key) {
  sort ((job){records, count, size, key});
}
