// Variables that run over types, containers or places.

#include "lna/typing.h"

#include <string.h>

static bool over_type (tl_lna_checker *c, tl_lna_node *n, const tl_type *type,
                       tl_loop *loop) {
  loop->kind = TL_LOOP_TYPE;
  loop->type = type;
  if (!tl_type_is_discrete (type))
    return tl_lna_fail (c->source, n->kid[0]->where,
                        "a variable cannot run over the type %.80s",
                        type->name);
  return n->kids == 1 || ((loop->first = tl_lna_term (c, n->kid[1], type)) &&
                          (loop->last = tl_lna_term (c, n->kid[2], type)));
}

static bool is_container (tl_lna_checker *c, const tl_type *r, void *with) {
  (void)c;
  return tl_type_is_container (r) && tl_lna_has (with, r);
}

static bool over_container (tl_lna_checker *c, tl_lna_node *n, tl_loop *loop) {
  tl_lna_node *of = n->kid[0];
  tl_lna_types containers;
  if (!tl_lna_resolve (c, of) ||
      !tl_lna_select (c, &containers, is_container, &of->meaning->types))
    return false;
  if (!containers.count) {
    char text[TL_LNA_DESCRIPTION];
    return tl_lna_fail (
        c->source, of->where, "a variable cannot run over %s",
        tl_lna_describe (tl_lna_types_of (of), text, sizeof text));
  }
  const tl_type *type = tl_lna_choose (c, &containers, of->where);
  loop->kind = TL_LOOP_CONTAINER;
  loop->type = type ? type->element : 0;
  loop->container = type ? tl_lna_term (c, of, type) : 0;
  return loop->container != 0;
}

// What it runs over; a name is a type, then a place, then a variable.
static bool domain (tl_lna_checker *c, tl_lna_node *n, unsigned over,
                    tl_loop *loop) {
  const bool named = n->kid[0]->kind == TL_LNA_IS_NAME;
  const tl_lna_word *w = named ? n->kid[0]->word : 0;
  const uint32_t type =
      named ? tl_names_find (&c->type_name, w->text) : TL_NO_NAME;
  if (type != TL_NO_NAME)
    return over_type (c, n, c->net->type[type], loop);
  if (n->kids > 1)
    return tl_lna_fail (c->source, n->kid[0]->where,
                        "'range' needs a type before it");
  const uint32_t place =
      named ? tl_names_find (&c->place_name, w->text) : TL_NO_NAME;
  if (place != TL_NO_NAME && !(over & TL_LNA_OVER_PLACES) &&
      !tl_lna_find_variable (c, w->text) && !tl_lna_is_constant (c, w->text))
    return tl_lna_fail (c->source, w->where,
                        "a variable cannot run over a place here");
  if (place != TL_NO_NAME && over & TL_LNA_OVER_PLACES) {
    loop->kind = TL_LOOP_PLACE;
    loop->place = place;
    return true;
  }
  if (over & TL_LNA_OVER_CONTAINERS)
    return over_container (c, n, loop);
  return named ? tl_lna_find_type (c, w) != 0
               : tl_lna_fail (c->source, n->kid[0]->where, "expected a type");
}

bool tl_lna_loop (tl_lna_checker *c, tl_lna_node *n, unsigned over,
                  tl_loop *loop) {
  if (!domain (c, n, over, loop))
    return false;
  const bool token = loop->kind == TL_LOOP_PLACE;
  tl_lna_variable *v = tl_lna_add_variable (
      c, n->word, loop->type,
      token ? c->net->place[loop->place].cells : loop->type->cells);
  if (!v)
    return false;
  v->place = loop->place;
  loop->name = v->name;
  loop->offset = v->offset;
  return true;
}

tl_loop *tl_lna_loops (tl_lna_checker *c, const tl_lna_node *list,
                       unsigned over) {
  tl_loop *loop;
  if (!TL_LNA_NET_NEW (c, loop, list->kids))
    return 0;
  for (uint32_t i = 0; i < list->kids; i++)
    if (!tl_lna_loop (c, list->kid[i], over, loop + i))
      return 0;
  return loop;
}
