#include "compile/emit.h"
#include "compile/kernel.h"

#include <stdlib.h>

// The program as a whole.

// A term whose value is a number: a proposition, a priority, a measure.
static tl_status number (tl_emit *e, const char *kind, uint32_t i,
                         const tl_term *term) {
  if (!term)
    return TL_OK;
  if (!tl_emit_open (e))
    return TL_E_NOMEM;
  fprintf (e->body, "e->value = n%u;\n", tl_emit_number (e, term));
  return tl_emit_close (e, kind, i, "");
}

static tl_status transition (tl_emit *e, uint32_t i, const tl_schedule *s) {
  const tl_ctransition *t = e->net->transition + i;
  tl_status rc = tl_emit_find (e, i, s);
  if (!rc)
    rc = tl_emit_labels (e, "take", i, t->in, t->ins);
  if (!rc)
    rc = tl_emit_labels (e, "put", i, t->out, t->outs);
  return rc ? rc : number (e, "priority", i, t->priority);
}

static tl_status functions (tl_emit *e, const tl_schedule *schedule) {
  const tl_coloured *net = e->net;
  tl_status rc = tl_emit_functions (e);
  for (uint32_t i = 0; !rc && i < net->transitions; i++)
    rc = transition (e, i, schedule + i);
  for (uint32_t i = 0; !rc && i < net->propositions; i++)
    rc = number (e, "proposition", i, net->proposition[i].term);
  for (uint32_t i = 0; !rc && i < net->measures; i++)
    rc = number (e, "measure", i, net->measure[i]);
  return rc;
}

// A table of functions; `prioritised`: null for transitions without priority.
static void table (FILE *out, const char *kind, uint32_t count,
                   const tl_ctransition *prioritised) {
  fprintf (out, "static tl_program_function *const %s_table[] = {", kind);
  for (uint32_t i = 0; i < count; i++)
    if (prioritised && !prioritised[i].priority)
      fprintf (out, "0,");
    else
      fprintf (out, "%s%u,", kind, i);
  fprintf (out, "0};\n");
}

static void tables (FILE *out, const tl_coloured *net, bool kernel) {
  table (out, "find", net->transitions, 0);
  table (out, "take", net->transitions, 0);
  table (out, "put", net->transitions, 0);
  table (out, "priority", net->transitions, net->transition);
  table (out, "proposition", net->propositions, 0);
  table (out, "measure", net->measures, 0);
  fprintf (out,
           "const tl_program " TL_PROGRAM_SYMBOL
           " = {%u, %u, find_table, take_table, put_table, priority_table, "
           "proposition_table, measure_table, %s};\n",
           net->transitions, net->propositions, kernel ? "&kernel" : "0");
}

// The kernel, if there is a plan for it and nothing in it is refused.
static tl_status write_kernel (tl_emit *e, const tl_kernel_plan *plan,
                               const tl_schedule *schedule, bool *there) {
  FILE *out = e->out;
  char *text = 0;
  size_t size = 0;
  bool refused;
  *there = false;
  if (!plan)
    return TL_OK;
  if (!(e->out = open_memstream (&text, &size))) {
    e->out = out;
    return TL_E_NOMEM;
  }
  tl_status rc = tl_kernel_write (e, plan, schedule, &refused);
  if (fclose (e->out))
    rc = TL_E_NOMEM;
  e->out = out;
  *there = !rc && !refused;
  if (*there)
    fwrite (text, 1, size, out);
  free (text);
  return rc;
}

tl_status tl_program_write (FILE *out, const tl_coloured *net,
                            const tl_schedule *schedule,
                            const tl_kernel_plan *plan) {
  char *globals = 0, *text = 0;
  size_t globals_size = 0, text_size = 0;
  tl_emit e = {.net = net};
  e.globals = open_memstream (&globals, &globals_size);
  e.out = open_memstream (&text, &text_size);
  bool kernel = false;
  tl_status rc = e.globals && e.out ? functions (&e, schedule) : TL_E_NOMEM;
  if (!rc)
    rc = write_kernel (&e, plan, schedule, &kernel);
  if (e.globals && fclose (e.globals))
    rc = TL_E_NOMEM;
  if (e.out && fclose (e.out))
    rc = TL_E_NOMEM;
  if (!rc) {
    fprintf (out, "%s%s%s", tl_program_prelude, globals, text);
    tables (out, net, kernel);
  }
  free (globals);
  free (text);
  return rc;
}
