#include "base/error.h"
#include "machine/parts.h"

// What the compiled net answers: bindings, tokens of arcs, terms.  Where it
// gives up, and where there is none, the net is looked at term by term, which
// also knows what to say when something is wrong.

static tl_program_call call_of (const tl_machine *m, void *context) {
  return (tl_program_call){.marking = m->evaluation.marking,
                           .context = context,
                           .left = TL_PROGRAM_STEPS};
}

// ---- Bindings --------------------------------------------------------------

static int32_t found (void *context, uint32_t transition, tl_cell *frame) {
  return (int32_t)tl_machine_found (context, transition, frame);
}

// The clock moves to the least time that is later, if there is one.
static tl_status find_tick (tl_machine *m, uint32_t transition) {
  const tl_ctransition *t = m->coloured->transition + transition;
  const tl_tokens *clock = m->marking + t->in->place;
  int64_t next = INT64_MAX;
  for (uint32_t p = 0; clock->count && p < m->places; p++) {
    const tl_cplace *place = m->coloured->place + p;
    const tl_tokens *tokens = m->marking + p;
    for (size_t i = 1; place->timed && i <= tokens->count; i++) {
      const tl_cell time = tokens->token[i * place->cells - 1];
      if (time > *clock->token && time < next)
        next = time;
    }
  }
  if (next == INT64_MAX)
    return TL_OK;
  m->frame[t->variable[0].offset] = *clock->token;
  m->frame[t->variable[1].offset] = (tl_cell)next;
  return tl_machine_found (m, transition, m->frame);
}

tl_status tl_machine_find (tl_machine *m, uint32_t transition) {
  if (m->coloured->transition[transition].tick)
    return find_tick (m, transition);
  const tl_program *program = tl_compiled_now (&m->compiled);
  if (program) {
    tl_program_call call = call_of (m, m);
    call.marking = m->marking;
    call.found = found;
    const int32_t said = program->find[transition](&call, m->frame);
    if (said != TL_PROGRAM_GIVES_UP)
      return (tl_status)said;
  }
  return tl_finder_find (m->finder, transition, m->marking, tl_machine_found,
                         m);
}

// ---- Tokens of arcs --------------------------------------------------------

typedef struct gathering {
  tl_machine *machine;
  size_t first; // effect
  bool output;
} gathering;

static tl_status gather (const gathering *g, uint32_t place,
                         const tl_cell *token, int64_t many) {
  return tl_machine_gather (g->machine, g->first, place, token,
                            g->output ? 0 : many, g->output ? many : -many);
}

static int32_t give (void *context, uint32_t place, const tl_cell *token,
                     int64_t many) {
  return (int32_t)gather (context, place, token, many);
}

static bool gather_compiled (tl_machine *m, size_t first, uint32_t transition,
                             tl_cell *frame, bool output) {
  const tl_program *program = m->compiled.program;
  if (!program)
    return false;
  gathering with = {m, first, output};
  tl_program_call call = call_of (m, &with);
  call.give = give;
  return !(output ? program->put : program->take)[transition](&call, frame);
}

static tl_status gather_arcs (tl_machine *m, size_t first, const tl_carc *arc,
                              uint32_t arcs, bool output, tl_cell *frame) {
  const gathering with = {m, first, output};
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < arcs; i++) {
    const tl_cplace *place = m->coloured->place + arc[i].place;
    rc = tl_multiset_of (&m->bag, &m->evaluation, place, &arc[i].label, frame);
    for (uint32_t k = 0; !rc && k < m->bag.set.count; k++)
      if (m->bag.many[k])
        rc = gather (&with, arc[i].place, tl_token_at (&m->bag.set, k),
                     m->bag.many[k]);
  }
  return rc;
}

tl_status tl_machine_take (tl_machine *m, size_t first, uint32_t transition,
                           tl_cell *frame) {
  const tl_ctransition *t = m->coloured->transition + transition;
  if (gather_compiled (m, first, transition, frame, false))
    return TL_OK;
  m->effects = first;
  return gather_arcs (m, first, t->in, t->ins, false, frame);
}

tl_status tl_machine_put (tl_machine *m, size_t first, uint32_t transition,
                          tl_cell *frame) {
  const tl_ctransition *t = m->coloured->transition + transition;
  if (gather_compiled (m, first, transition, frame, true))
    return TL_OK;
  tl_status rc = TL_OK;
  if (m->compiled.program) {
    // What it gave before it gave up cannot be told from what was taken.
    m->effects = first;
    rc = gather_arcs (m, first, t->in, t->ins, false, frame);
  }
  return rc ? rc : gather_arcs (m, first, t->out, t->outs, true, frame);
}

// ---- Terms -----------------------------------------------------------------

static tl_status number (tl_machine *m, tl_program_function *compiled,
                         const tl_term *term, int64_t *value) {
  if (compiled) {
    tl_program_call call = call_of (m, 0);
    if (!compiled (&call, m->frame)) {
      *value = call.value;
      return TL_OK;
    }
  }
  return tl_evaluate_number (&m->evaluation, term, m->frame, value);
}

tl_status tl_machine_priority (tl_machine *m, uint32_t transition,
                               int64_t *value) {
  const tl_program *program = m->compiled.program;
  return number (m, program ? program->priority[transition] : 0,
                 m->coloured->transition[transition].priority, value);
}

tl_status tl_machine_proposition (tl_machine *m, uint32_t i, int64_t *value) {
  const tl_program *program = m->compiled.program;
  return number (m, program ? program->proposition[i] : 0,
                 m->coloured->proposition[i].term, value);
}

tl_status tl_machine_measure (tl_machine *m, uint32_t i, int64_t *value) {
  const tl_program *program = m->compiled.program;
  return number (m, program ? program->measure[i] : 0, m->coloured->measure[i],
                 value);
}
