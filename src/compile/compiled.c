#include "compile/compiled.h"

#include "base/budget.h"

#include <stdlib.h>

enum {
  WORTH_IT = 20000, // searches for bindings: some tenths of a second
  LOOK_EVERY = 1024 // searches, for the compiler
};

const tl_kind_row *tl_compilings (size_t *count) {
  static const tl_kind_row rows[] = {
      {"auto", "while the search goes on, if that takes long"},
      {"now", "before the search; an error if that is not possible"},
      {"never", "not at all"}};
  if (count)
    *count = sizeof rows / sizeof *rows;
  return rows;
}

// Tuples of which something is not known when it is their turn.
static uint32_t count_loops (const tl_coloured *net, const tl_schedule *s) {
  uint32_t loops = 0;
  for (uint32_t i = 0; i < s->tasks; i++) {
    const tl_task *task = s->task + i;
    bool open = false;
    if (task->kind == TL_TASK_TAKE)
      for (uint32_t k = 0; k < net->place[task->arc->place].parts; k++)
        open |= task->use[k] != TL_PART_KNOWN;
    loops += open;
  }
  return loops;
}

// A kernel asks at once for tokens that are known, so the schedule with the
// fewest others is the best.
static tl_status make_schedule (const tl_compiled *c, uint32_t transition,
                                tl_arena *arena, tl_schedule *best,
                                tl_error *error) {
  const tl_ctransition *t = c->net->transition + transition;
  tl_status rc = tl_schedule_make (c->net, t, TL_ANY_TAKE, arena, best, error);
  const uint32_t takes = rc || !c->plan ? 0 : best->takes;
  for (uint32_t i = 0; !rc && i < takes; i++) {
    tl_schedule other;
    rc = tl_schedule_make (c->net, t, i, arena, &other, error);
    if (!rc && count_loops (c->net, &other) < count_loops (c->net, best))
      *best = other;
  }
  return rc;
}

static tl_status make_schedules (tl_compiled *c, tl_arena *arena,
                                 tl_schedule **schedule, tl_error *error) {
  tl_status rc =
      TL_ARENA_NEW (arena, *schedule, (size_t)c->net->transitions + 1)
          ? TL_OK
          : TL_E_NOMEM;
  for (uint32_t t = 0; !rc && t < c->net->transitions; t++)
    rc = make_schedule (c, t, arena, *schedule + t, error);
  return rc;
}

static tl_status write_program (tl_compiled *c, char **text, size_t *size,
                                tl_error *error) {
  tl_arena arena = TL_ARENA (c->mem);
  tl_schedule *schedule;
  tl_status rc = make_schedules (c, &arena, &schedule, error);
  FILE *f = rc ? 0 : open_memstream (text, size);
  if (f)
    rc = tl_program_write (f, c->net, schedule, c->plan);
  else if (!rc)
    rc = TL_E_NOMEM;
  if (f && fclose (f))
    rc = TL_E_NOMEM;
  tl_arena_close (&arena);
  return rc;
}

static tl_status start (tl_compiled *c, tl_error *error) {
  char *text = 0;
  size_t size = 0;
  const tl_status rc = write_program (c, &text, &size, error);
  if (!rc)
    return tl_build_start (&c->build, c->mem, text, size, TL_PROGRAM_SYMBOL);
  free (text);
  return rc;
}

// Takes the program if it is ready and made for a net of this size.
static void take (tl_compiled *c, bool wait) {
  if (!c->build || tl_build_look (c->build, wait) != TL_BUILD_READY)
    return;
  const tl_program *program = tl_build_found (c->build);
  if (program->transitions == c->net->transitions &&
      program->propositions == c->net->propositions)
    c->program = program;
}

static void close_folded (tl_folded *f) {
  tl_build_close (f->build);
  tl_coloured_close (f->coloured);
}

// Compiles the net at once.
static tl_status compile_net (tl_net *net, tl_error *error) {
  tl_folded *f = net->folded;
  tl_compiled c = {.mem = net->mem, .net = f->coloured};
  tl_status rc = start (&c, error);
  take (&c, true);
  if (!rc && c.build && tl_build_look (c.build, false) == TL_BUILD_GOES_ON)
    rc = tl_budget_look (net->mem);
  f->build = c.build;
  f->program = c.program;
  f->close = close_folded;
  return rc || c.program ? rc : tl_build_complain (c.build, error);
}

tl_status tl_folded_open (tl_net **net, tl_mem *mem, tl_coloured *coloured,
                          tl_compile when, tl_error *error) {
  tl_status rc = tl_folded_net (net, mem, coloured, error);
  if (rc)
    return rc;
  (*net)->folded->compile = when;
  if (when == TL_COMPILE_NOW)
    rc = compile_net (*net, error);
  if (rc) {
    tl_net_close (*net);
    *net = 0;
  }
  return rc;
}

void tl_compiled_open (tl_compiled *c, tl_mem *mem, const tl_folded *f) {
  *c = (tl_compiled){.mem = mem,
                     .net = f->coloured,
                     .when = f->compile,
                     .program = f->program};
}

void tl_compiled_close (tl_compiled *c) {
  tl_build_close (c->build);
  *c = (tl_compiled){.mem = c->mem};
}

// The net has a program of its own then, which is used if this one fails.
void tl_compiled_plan (tl_compiled *c, const tl_kernel_plan *plan) {
  c->plan = plan;
  if (c->when == TL_COMPILE_NOW && !start (c, 0))
    take (c, true);
}

const tl_program *tl_compiled_now (tl_compiled *c) {
  if (c->program || c->when != TL_COMPILE_AUTO)
    return c->program;
  // Without memory for the compiler it goes on as it did.
  if (++c->asked == WORTH_IT)
    start (c, 0);
  else if (c->build && c->asked % LOOK_EVERY == 0)
    take (c, false);
  return c->program;
}

const char *tl_compiled_how (const tl_compiled *c) {
  if (c->program)
    return TL_COMPILED;
  return c->build && *tl_build_why (c->build) ? tl_build_why (c->build)
                                              : TL_NOT_COMPILED;
}
