#include "api/not_unfolded.h"

#include "machine/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// ---- Types -----------------------------------------------------------------

static int describe (const tl_type *t, char **text) {
  if (tl_type_is_numeric (t))
    return asprintf (text, "%s: %" PRId64 "..%" PRId64, t->name, t->first,
                     t->last);
  if (t->kind == TL_TYPE_ENUM)
    return asprintf (text, "%s: %" PRIu64 " %s, %s..%s", t->name,
                     tl_type_values (t),
                     t->first == t->last ? "constant" : "constants",
                     t->root->constant[t->first], t->root->constant[t->last]);
  static const char *const words[] = {[TL_TYPE_VECTOR] = "vector",
                                      [TL_TYPE_STRUCT] = "structure",
                                      [TL_TYPE_LIST] = "list",
                                      [TL_TYPE_SET] = "set"};
  return asprintf (text, "%s: %s", t->name, words[t->kind]);
}

tl_status tl_info_types (tl_info *info, const tl_coloured *c) {
  if (!(info->type = calloc (c->types + 1, sizeof *info->type)))
    return TL_E_NOMEM;
  for (; info->types < c->types; info->types++)
    if (describe (c->type[info->types], info->type + info->types) < 0)
      return TL_E_NOMEM;
  return TL_OK;
}

// ---- Places and transitions ------------------------------------------------

// num * phil
static char *domain_text (const tl_cplace *p) {
  char *text = 0;
  size_t length;
  FILE *f = open_memstream (&text, &length);
  if (!f)
    return 0;
  for (uint32_t i = 0; i < p->parts; i++)
    fprintf (f, "%s%s", i ? " * " : "", p->part[i]->name);
  if (!p->parts)
    fputs ("dot", f);
  return fclose (f) ? 0 : text;
}

// x: num, y: phil
static char *variables_text (const tl_ctransition *t) {
  char *text = 0;
  size_t length;
  FILE *f = open_memstream (&text, &length);
  if (!f)
    return 0;
  const char *gap = "";
  for (uint32_t i = 0; i < t->variables; i++) {
    const tl_variable *v = t->variable + i;
    if (v->kind != TL_VARIABLE_ARC && v->kind != TL_VARIABLE_PICK)
      continue;
    fprintf (f, "%s%s: %s", gap, v->name, v->type->name);
    gap = ", ";
  }
  return fclose (f) ? 0 : text;
}

static tl_status fill_nodes (tl_info *info, const tl_coloured *c) {
  info->domain = calloc (c->places + 1, sizeof *info->domain);
  info->capacity = calloc (c->places + 1, sizeof *info->capacity);
  info->left_out = calloc (c->places + 1, sizeof *info->left_out);
  info->variables = calloc (c->transitions + 1, sizeof *info->variables);
  if (!info->domain || !info->capacity || !info->left_out || !info->variables)
    return TL_E_NOMEM;
  for (; info->places < c->places; info->places++) {
    const tl_cplace *p = c->place + info->places;
    info->capacity[info->places] =
        p->capacity == TL_NO_CAPACITY ? TL_NO_LIMIT : p->capacity;
    if (!(info->domain[info->places] = domain_text (p)))
      return TL_E_NOMEM;
  }
  for (; info->transitions < c->transitions; info->transitions++)
    if (!(info->variables[info->transitions] =
              variables_text (c->transition + info->transitions)))
      return TL_E_NOMEM;
  return TL_OK;
}

// Keys that are codes: their bits, and which places they leave out.
static tl_status fill_code (tl_info *info, tl_mem *root, const tl_net *net,
                            tl_error *err) {
  tl_mem mem = TL_MEM (root, "code");
  tl_machine *machine;
  tl_fault fault;
  const tl_status rc =
      tl_machine_open (&machine, net, TL_KEYS_CODED, false, &mem, &mem, &fault);
  if (!rc)
    info->code_bits = tl_machine_code (machine, info->left_out);
  tl_machine_close (machine);
  if (rc == TL_E_ARG && err) // the initial marking is wrong
    *err = fault.error;
  return rc;
}

tl_status tl_info_not_unfolded (tl_info *info, tl_mem *mem, const tl_net *net,
                                tl_error *err) {
  const tl_coloured *c = net->folded->coloured;
  info->not_unfolded = true;
  tl_status rc = tl_info_types (info, c);
  if (!rc)
    rc = fill_nodes (info, c);
  for (uint32_t p = 0; !rc && p < c->places; p++)
    info->initial_tokens += net->initial[p];
  return rc ? rc : fill_code (info, mem, net, err);
}
