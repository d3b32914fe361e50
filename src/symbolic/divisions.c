#include "symbolic/divisions.h"

#include "base/bits.h"

// Additions that are made for the numbers.
#define MOST_WORK ((uint64_t)20000000)

static tl_natural one (void) {
  static uint64_t limb = 1;
  return (tl_natural){&limb, 1};
}

// C(n + k - 1, k - 1) for n up to `most`, as k - 1 times the sums of a row of
// ones.
static bool fill (tl_divisions *s, tl_natural *ways, uint32_t parts,
                  uint64_t most) {
  for (uint64_t n = 0; n <= most; n++) {
    const uint64_t least = n < parts ? n : parts,
                   bits = (least + 1) * tl_bits_for (n + parts);
    if (!TL_ARENA_NEW (&s->arena, ways[n].limb, bits / 64 + 2))
      return false;
    tl_natural_add (ways + n, one ());
  }
  for (uint32_t k = 1; k < parts; k++)
    for (uint64_t n = 1; n <= most; n++)
      tl_natural_add (ways + n, ways[n - 1]);
  return true;
}

static tl_status fill_all (tl_divisions *s) {
  const uint32_t places = s->merged->small->places;
  uint64_t work = 0;
  for (uint32_t p = 0; p < places; p++) {
    const uint32_t parts = s->merged->parts[p];
    if (parts == 1)
      continue;
    work += (s->most[p] + 1) * parts;
    if (work > MOST_WORK)
      return TL_E_LIMIT;
    if (!TL_ARENA_NEW (&s->arena, s->ways[p], s->most[p] + 1) ||
        !fill (s, s->ways[p], parts, s->most[p]))
      return TL_E_NOMEM;
  }
  return TL_OK;
}

tl_status tl_divisions_open (tl_divisions *s, tl_mem *mem,
                             const tl_merged *merged, const tl_reachable *reach,
                             const uint64_t *most) {
  const uint32_t places = merged->small->places;
  *s =
      (tl_divisions){.merged = merged, .reach = reach, .arena = TL_ARENA (mem)};
  if (!TL_ARENA_NEW (&s->arena, s->ways, places + 1) ||
      !TL_ARENA_NEW (&s->arena, s->most, places + 1))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < places; p++)
    s->most[p] = most[p];
  return fill_all (s);
}

void tl_divisions_close (tl_divisions *s) {
  if (s->arena.mem)
    tl_arena_close (&s->arena);
  *s = (tl_divisions){0};
}

// Of a group the tail wants a token of one part of the place that has it, or
// that there is none.
tl_natural tl_divisions_of (const tl_divisions *s, uint32_t level,
                            uint32_t value, const tl_tail *t) {
  if (!s)
    return one ();
  const tl_variables *v = &s->reach->variables;
  const uint32_t variable = s->reach->events.at[level];
  const uint32_t *place = v->place + v->variable[variable].first;
  const bool group = tl_variable_is_group (v, variable);
  if (group && (t || !value))
    return one ();
  const uint32_t p = group ? place[value - 1] : *place;
  const uint64_t n = group ? 1 : value - (t ? t->least : 0);
  return s->ways[p] ? s->ways[p][n] : one ();
}
