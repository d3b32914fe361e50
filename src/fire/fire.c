#include "fire/fire.h"
#include "fire/fire_kinds.h"

// Testing every transition is the fastest way while there are few: this many
// words are compared at most.
enum { DENSE_WORK = 512 };

bool tl_fire_wants_sample (const tl_layout *layout) {
  const uint64_t work = (uint64_t)layout->words * layout->net->transitions;
  return layout->words > TL_DENSE_WORDS || work > DENSE_WORK;
}

tl_status tl_fire_open (tl_fire **out, tl_mem *mem, const tl_layout *layout,
                        const uint32_t *sample) {
  *out = 0;
  tl_firing program;
  const tl_status rc = tl_firing_open (&program, mem, layout);
  if (rc)
    return rc;
  return !tl_fire_wants_sample (layout) && !program.doubled
             ? tl_fire_dense_open (out, mem, layout, &program)
             : tl_fire_sparse_open (out, mem, layout, &program, sample);
}

void tl_fire_close (tl_fire *f) {
  if (f)
    f->kind->close (f);
}

void tl_engine_step (const tl_fire *f, uint32_t transition, uint64_t *state) {
  const tl_firing *p = &((const tl_engine *)f)->program;
  for (uint64_t i = p->act_start[transition]; i < p->act_start[transition + 1];
       i++)
    state[p->act[i].word] += p->act[i].add;
}

void tl_engine_undo (const tl_fire *f, uint32_t transition, uint64_t *state) {
  const tl_firing *p = &((const tl_engine *)f)->program;
  for (uint64_t i = p->act_start[transition]; i < p->act_start[transition + 1];
       i++)
    state[p->act[i].word] -= p->act[i].add;
}
