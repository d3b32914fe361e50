// Where the threads of a search stand, for a checkpoint.  Between two blocks
// all that is known is in the lanes: of each thread the states of this level
// that nobody has taken, and those of the next one.

#include "explore/parallel_parts.h"

// States of a lane of this level that wait: blocks are taken in their order.
static uint64_t waiting_in (const tl_crew *c, const tl_lane *lane) {
  for (size_t i = c->taken; i < c->tickets; i++)
    if (c->ticket[i].lane == lane)
      return lane->count - lane->start[c->ticket[i].block];
  return 0;
}

static tl_saved_part part_of (uint64_t all, uint64_t next, uint64_t waiting) {
  return (tl_saved_part){.expanded = all - next - waiting, .level = all - next};
}

static bool is_before (const tl_lane *lane) {
  return !(lane->first >> TL_MATE_BIT);
}

// States that were found by one thread.
static tl_saved_part before_part (const tl_crew *c, uint64_t all) {
  const tl_lane *first = &c->mate->now;
  const bool begins = first->count && is_before (first);
  return part_of (all, c->expands_later ? 0 : c->later.count,
                  (begins ? waiting_in (c, first) : 0) +
                      (c->expands_later ? waiting_in (c, &c->later) : 0));
}

// And by several.
tl_saved_part tl_mate_part (const tl_crew *c, const tl_mate *m) {
  return part_of (m->found, m->next.count,
                  is_before (&m->now) ? 0 : waiting_in (c, &m->now));
}

// A successor that does not fit is in no lane: then the beginning of the level
// is where the search stands.
static bool has_misfits (const tl_crew *c) {
  for (unsigned i = 0; i < c->size; i++)
    if (c->mate[i].misfits)
      return true;
  return false;
}

void tl_crew_save (tl_crew *c) {
  tl_search *s = c->search;
  const tl_censuses counted = {&c->mate->worker.census, c->size,
                               sizeof *c->mate};
  tl_saved_part *part;
  if (!has_misfits (c) && TL_NEW (&s->engine, part, c->size + 1)) {
    uint64_t mates = 0;
    for (unsigned i = 0; i < c->size; i++) {
      part[i + 1] = tl_mate_part (c, c->mate + i);
      mates += c->mate[i].found;
    }
    part[0] = before_part (c, s->store->count - mates);
    tl_saving_mark (s->saving, s, counted, part, c->size + 1);
    TL_DEL (&s->engine, part, c->size + 1);
  }
  if (tl_saving_is_due (s->saving))
    tl_saving_write (s->saving, s, counted);
}
