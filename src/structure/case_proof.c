#include "structure/case_proof.h"

#include <string.h>

void tl_case_proof_close (tl_case_proof *p) {
  TL_DEL (p->mem, p->fact, p->fact_room);
  TL_DEL (p->mem, p->term, p->term_room);
  TL_DEL (p->mem, p->step, p->step_room);
  TL_DEL (p->mem, p->literal, p->literal_room);
  TL_DEL (p->mem, p->part, p->part_room);
}

void tl_case_proof_cut (tl_case_proof *p, size_t steps, size_t literals,
                        size_t parts) {
  p->steps = steps;
  p->literals = literals;
  p->parts = parts;
  p->has_gaps = false;
}

// Room for another fact of so many terms.
static tl_entry *add_fact (tl_case_proof *p, bool trap, uint32_t count) {
  if (p->terms + count > UINT32_MAX ||
      !TL_ROOM (p->mem, p->fact, &p->fact_room, p->facts + 1) ||
      !TL_ROOM (p->mem, p->term, &p->term_room, p->terms + count)) {
    p->lacks_facts = true;
    return 0;
  }
  p->fact[p->facts++] = (tl_case_fact){trap, (uint32_t)p->terms, count};
  p->terms += count;
  return p->term + p->terms - count;
}

void tl_case_proof_fact (tl_case_proof *p, tl_vector sum, int64_t sign) {
  tl_entry *term = add_fact (p, false, sum.count);
  for (uint32_t i = 0; term && i < sum.count; i++)
    term[i] = (tl_entry){sum.term[i].index, sign * sum.term[i].factor};
}

void tl_case_proof_trap (tl_case_proof *p, const uint32_t *place,
                         uint32_t count) {
  tl_entry *term = add_fact (p, true, count);
  for (uint32_t i = 0; term && i < count; i++)
    term[i] = (tl_entry){place[i], 1};
}

static bool add_step (tl_case_proof *p, bool sums, size_t start, size_t count) {
  if (start + count > UINT32_MAX ||
      !TL_ROOM (p->mem, p->step, &p->step_room, p->steps + 1)) {
    p->has_gaps = true;
    return false;
  }
  p->step[p->steps++] = (tl_case_step){sums, (uint32_t)start, (uint32_t)count};
  return true;
}

void tl_case_proof_clause (tl_case_proof *p, const tl_literal *l,
                           size_t count) {
  if (!TL_ROOM (p->mem, p->literal, &p->literal_room, p->literals + count)) {
    p->has_gaps = true;
    return;
  }
  if (!add_step (p, false, p->literals, count))
    return;
  memcpy (p->literal + p->literals, l, count * sizeof *l);
  p->literals += count;
}

void tl_case_proof_sum (tl_case_proof *p, const tl_case_part *part,
                        size_t count) {
  if (!TL_ROOM (p->mem, p->part, &p->part_room, p->parts + count)) {
    p->has_gaps = true;
    return;
  }
  if (!add_step (p, true, p->parts, count))
    return;
  memcpy (p->part + p->parts, part, count * sizeof *part);
  p->parts += count;
}
