// Philosophers round a table.  Fork i lies to the left of philosopher i; the
// next one (fork 1 for the last) lies to the right.

#include "example/maker.h"

typedef struct party {
  uint32_t n, fork, thinking;
} party;

static party set_table (tl_maker *m, uint32_t n) {
  return (party){n, tl_maker_row (m, "fork", n, 1),
                 tl_maker_row (m, "thinking", n, 1)};
}

static uint32_t right_fork (const party *table, uint32_t i) {
  return table->fork + (i + 1) % table->n;
}

// Everybody takes the left fork first: the classical deadlock.
void tl_example_philosophers (tl_maker *m, const uint32_t *sizes) {
  const party table = set_table (m, sizes[0]);
  const uint32_t waiting = tl_maker_row (m, "waiting", table.n, 0);
  const uint32_t eating = tl_maker_row (m, "eating", table.n, 0);
  for (uint32_t i = 0; i < table.n && !m->status; i++) {
    const uint32_t left = table.fork + i, right = right_fork (&table, i);
    const uint32_t take_left = tl_maker_transition (m, "take_left_%u", i + 1);
    TL_TAKE (m, take_left, table.thinking + i, left);
    TL_GIVE (m, take_left, waiting + i);
    const uint32_t take_right = tl_maker_transition (m, "take_right_%u", i + 1);
    TL_TAKE (m, take_right, waiting + i, right);
    TL_GIVE (m, take_right, eating + i);
    const uint32_t put = tl_maker_transition (m, "put_%u", i + 1);
    TL_TAKE (m, put, eating + i);
    TL_GIVE (m, put, table.thinking + i, left, right);
  }
}

// Either fork may come first; each fork is then free, in a left or in a right
// hand, independently of the others.
void tl_example_philosophers_both (tl_maker *m, const uint32_t *sizes) {
  const party table = set_table (m, sizes[0]);
  const uint32_t has_left = tl_maker_row (m, "has_left", table.n, 0);
  const uint32_t has_right = tl_maker_row (m, "has_right", table.n, 0);
  const uint32_t eating = tl_maker_row (m, "eating", table.n, 0);
  for (uint32_t i = 0; i < table.n && !m->status; i++) {
    const uint32_t left = table.fork + i, right = right_fork (&table, i);
    const struct {
      const char *name;
      uint32_t from, fork, to;
    } steps[] = {
        {"left_first", table.thinking, left, has_left},
        {"right_first", table.thinking, right, has_right},
        {"right_second", has_left, right, eating},
        {"left_second", has_right, left, eating},
    };
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
      const uint32_t t = tl_maker_transition (m, "%s_%u", steps[s].name, i + 1);
      TL_TAKE (m, t, steps[s].from + i, steps[s].fork);
      TL_GIVE (m, t, steps[s].to + i);
    }
    const uint32_t put = tl_maker_transition (m, "put_%u", i + 1);
    TL_TAKE (m, put, eating + i);
    TL_GIVE (m, put, table.thinking + i, left, right);
  }
}

// One chair fewer than philosophers: whoever wants to eat sits down first,
// so that somebody always gets both forks.
void tl_example_dining (tl_maker *m, const uint32_t *sizes) {
  const party table = set_table (m, sizes[0]);
  const uint32_t chairs = tl_maker_place (m, table.n - 1, "chairs");
  const uint32_t seated = tl_maker_row (m, "seated", table.n, 0);
  const uint32_t has_left = tl_maker_row (m, "has_left", table.n, 0);
  const uint32_t eating = tl_maker_row (m, "eating", table.n, 0);
  for (uint32_t i = 0; i < table.n && !m->status; i++) {
    const uint32_t left = table.fork + i, right = right_fork (&table, i);
    const uint32_t sit = tl_maker_transition (m, "sit_%u", i + 1);
    TL_TAKE (m, sit, table.thinking + i, chairs);
    TL_GIVE (m, sit, seated + i);
    const uint32_t take_left = tl_maker_transition (m, "take_left_%u", i + 1);
    TL_TAKE (m, take_left, seated + i, left);
    TL_GIVE (m, take_left, has_left + i);
    const uint32_t take_right = tl_maker_transition (m, "take_right_%u", i + 1);
    TL_TAKE (m, take_right, has_left + i, right);
    TL_GIVE (m, take_right, eating + i);
    const uint32_t leave = tl_maker_transition (m, "leave_%u", i + 1);
    TL_TAKE (m, leave, eating + i);
    TL_GIVE (m, leave, table.thinking + i, chairs, left, right);
  }
}
