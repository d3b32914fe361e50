// Name spaces, scopes and frames.

#include "lna/typing.h"

#include <string.h>

const char *tl_lna_keep (tl_lna_checker *c, const char *text) {
  const char *copy = tl_arena_text (&c->net->arena, text, strlen (text));
  if (!copy)
    tl_lna_no_memory (c->source);
  return copy;
}

void *tl_lna_net_get (tl_lna_checker *c, size_t count, size_t size) {
  void *p = tl_arena_get (&c->net->arena, count, size);
  if (!p)
    tl_lna_no_memory (c->source);
  return p;
}

bool tl_lna_name (tl_lna_checker *c, tl_names *names, const tl_lna_word *w,
                  const char *what, uint32_t *number) {
  bool added;
  *number = (uint32_t)names->count;
  if (tl_names_add (names, w->text, number, &added))
    return tl_lna_no_memory (c->source);
  return added || tl_lna_fail (c->source, w->where, "a second %s '%.80s'", what,
                               w->text);
}

const tl_type *tl_lna_find_type (tl_lna_checker *c, const tl_lna_word *w) {
  const uint32_t t = tl_names_find (&c->type_name, w->text);
  if (t != TL_NO_NAME)
    return c->net->type[t];
  tl_lna_fail (c->source, w->where, "there is no type '%.80s'", w->text);
  return 0;
}

bool tl_lna_find_place (tl_lna_checker *c, const tl_lna_word *w,
                        uint32_t *place) {
  *place = tl_names_find (&c->place_name, w->text);
  return *place != TL_NO_NAME ||
         tl_lna_fail (c->source, w->where, "there is no place '%.80s'",
                      w->text);
}

bool tl_lna_is_constant (const tl_lna_checker *c, const char *name) {
  return tl_names_find (&c->constant_name, name) != TL_NO_NAME ||
         tl_names_find (&c->enumerator_name, name) != TL_NO_NAME;
}

const tl_lna_variable *tl_lna_find_variable (const tl_lna_checker *c,
                                             const char *name) {
  for (const tl_lna_variable *v = c->scope; v && v != c->barrier; v = v->outer)
    if (!strcmp (v->name, name))
      return v;
  return 0;
}

tl_lna_variable *tl_lna_add_variable (tl_lna_checker *c, const tl_lna_word *w,
                                      const tl_type *type, uint32_t cells) {
  tl_lna_variable *v;
  if (!TL_LNA_NEW (c->source, v, 1) || !(v->name = tl_lna_keep (c, w->text)))
    return 0;
  if (cells > TL_MAX_CELLS - c->frame) {
    tl_lna_fail (c->source, w->where, "the variables here are too large");
    return 0;
  }
  v->where = w->where;
  v->outer = c->scope;
  v->type = type;
  v->offset = c->frame;
  c->frame += cells;
  c->scope = v;
  return v;
}

tl_lna_variable *tl_lna_add_new_variable (tl_lna_checker *c,
                                          const tl_lna_word *w,
                                          const tl_type *type,
                                          const tl_lna_variable *end) {
  for (const tl_lna_variable *v = c->scope; v != end; v = v->outer)
    if (!strcmp (v->name, w->text)) {
      tl_lna_fail (c->source, w->where, "a second variable '%.80s'", w->text);
      return 0;
    }
  return tl_lna_add_variable (c, w, type, type->cells);
}
