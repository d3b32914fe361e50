// Functions: prototypes and bodies.

#include "lna/typing.h"

#include <string.h>

static tl_function *make (tl_lna_checker *c, const tl_lna_node *n) {
  tl_function *f;
  const uint32_t count = (n->words - 2) / 2;
  if (!TL_LNA_NET_NEW (c, f, 1) ||
      !(f->name = tl_lna_keep (c, n->word[0].text)) ||
      !(f->type = tl_lna_find_type (c, n->word + 1)) ||
      !TL_LNA_NET_NEW (c, f->parameter, count) ||
      !TL_LNA_NET_NEW (c, f->parameter_name, count) ||
      !TL_LNA_NET_NEW (c, f->parameter_offset, count))
    return 0;
  f->where = n->word[0].where;
  f->parameters = count;
  for (uint32_t i = 0; i < count; i++)
    if (!(f->parameter[i] = tl_lna_find_type (c, n->word + 2 + 2 * i)))
      return 0;
  return f;
}

// The second time a function is mentioned, it must look the same.
static bool repeats (tl_lna_checker *c, const tl_lna_node *n,
                     const tl_function *f, const tl_function *again) {
  if (f->body)
    return tl_lna_fail (c->source, n->word[0].where,
                        "a second function '%.80s'", f->name);
  if (f->type != again->type)
    return tl_lna_fail (c->source, n->word[1].where,
                        "function '%.80s' was declared with type %.80s",
                        f->name, f->type->name);
  if (f->parameters != again->parameters)
    return tl_lna_fail (c->source, n->word[0].where,
                        "function '%.80s' was declared with %u parameter%s",
                        f->name, f->parameters, f->parameters == 1 ? "" : "s");
  for (uint32_t i = 0; i < f->parameters; i++)
    if (f->parameter[i] != again->parameter[i])
      return tl_lna_fail (c->source, n->word[2 + 2 * i].where,
                          "this parameter was declared with type %.80s",
                          f->parameter[i]->name);
  return true;
}

static bool define_body (tl_lna_checker *c, const tl_lna_node *n,
                         tl_function *f) {
  c->scope = 0;
  c->frame = 0;
  for (uint32_t i = 0; i < f->parameters; i++) {
    tl_lna_variable *v =
        tl_lna_add_new_variable (c, n->word + 3 + 2 * i, f->parameter[i], 0);
    if (!v)
      return false;
    f->parameter_name[i] = v->name;
    f->parameter_offset[i] = v->offset;
  }
  f->where = n->word[0].where;
  tl_statement *body = tl_lna_statement (c, n->kid[0], f->type);
  c->scope = 0;
  f->frame = c->frame;
  f->body = body;
  return body != 0;
}

bool tl_lna_define_function (tl_lna_checker *c, const tl_lna_node *n) {
  uint32_t number = tl_names_find (&c->function_name, n->word[0].text);
  tl_function *f = make (c, n);
  if (!f)
    return false;
  if (number != TL_NO_NAME) {
    if (!repeats (c, n, c->net->function[number], f))
      return false;
    f = c->net->function[number];
  } else {
    if (!tl_lna_name (c, &c->function_name, n->word, "function", &number))
      return false;
    c->net->function[number] = f;
    c->net->functions = number + 1;
  }
  return !n->kid[0] || define_body (c, n, f);
}

bool tl_lna_functions_are_whole (tl_lna_checker *c) {
  for (uint32_t i = 0; i < c->net->functions; i++)
    if (!c->net->function[i]->body)
      return tl_lna_fail (c->source, c->net->function[i]->where,
                          "function '%.80s' has no body",
                          c->net->function[i]->name);
  return true;
}
