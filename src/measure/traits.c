#include "measure/traits.h"

#include <inttypes.h>
#include <string.h>

enum {
  MOST = 160,       // traits
  MOST_VALUES = 12, // of a part, to look at each of them
};

static tl_status add (tl_traits *t, tl_trait trait) {
  if (t->count == MOST)
    return TL_OK;
  if (!TL_ROOM (t->mem, t->trait, &t->room, t->count + 1))
    return TL_E_NOMEM;
  t->trait[t->count++] = trait;
  return TL_OK;
}

// Helena's language has sums over different tokens only: so that what is found
// can be said in it, others are left out.
static bool has_sum (const tl_traits *t, const tl_cplace *place) {
  return place->capacity == 1 || strcmp (t->net->format, "lna") != 0;
}

static tl_status add_sums (tl_traits *t, uint32_t p) {
  const tl_cplace *place = t->net->place + p;
  tl_status rc = add (t, (tl_trait){TL_TRAIT_MULT, p, 0, 0});
  for (uint32_t i = 0; !rc && i < place->parts; i++)
    if (tl_type_is_numeric (place->part[i]) && has_sum (t, place))
      rc = add (t, (tl_trait){TL_TRAIT_SUM, p, i, 0});
  return rc;
}

static tl_status add_values (tl_traits *t, uint32_t p) {
  const tl_cplace *place = t->net->place + p;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < place->parts; i++) {
    const tl_type *type = place->part[i];
    if (!tl_type_is_discrete (type) || tl_type_values (type) > MOST_VALUES)
      continue;
    for (int64_t v = type->first; !rc && v <= type->last; v++)
      rc = add (t, (tl_trait){TL_TRAIT_VALUE, p, i, (tl_cell)v});
  }
  return rc;
}

tl_status tl_traits_open (tl_traits *t, tl_mem *mem, const tl_coloured *net) {
  *t = (tl_traits){.mem = mem, .net = net};
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < net->places; p++)
    rc = add_sums (t, p);
  for (uint32_t p = 0; !rc && p < net->places; p++)
    rc = add_values (t, p);
  if (rc)
    tl_traits_close (t);
  return rc;
}

tl_status tl_traits_open_one (tl_traits *t, tl_mem *mem, const tl_coloured *net,
                              tl_trait trait) {
  *t = (tl_traits){.mem = mem, .net = net};
  return add (t, trait);
}

void tl_traits_close (tl_traits *t) {
  if (t->mem)
    TL_DEL (t->mem, t->trait, t->room);
  *t = (tl_traits){0};
}

int64_t tl_trait_of (const tl_traits *t, size_t number, uint32_t place,
                     const tl_cell *token) {
  const tl_trait *trait = t->trait + number;
  if (trait->place != place)
    return 0;
  if (trait->kind == TL_TRAIT_MULT)
    return 1;
  const tl_cell cell = token[t->net->place[place].part_offset[trait->part]];
  return trait->kind == TL_TRAIT_SUM ? cell : cell == trait->value;
}

int64_t tl_trait_value (const tl_traits *t, size_t number,
                        const tl_tokens *marking) {
  const uint32_t place = t->trait[number].place;
  const tl_tokens *tokens = marking + place;
  const uint32_t cells = t->net->place[place].cells;
  int64_t value = 0;
  for (uint32_t i = 0; i < tokens->count; i++)
    value += tokens->many[i] *
             tl_trait_of (t, number, place, tokens->token + (size_t)i * cells);
  return value;
}

static void write_value (FILE *f, const tl_type *type, tl_cell value) {
  if (type->root->constant)
    fputs (type->root->constant[value], f);
  else
    fprintf (f, "%" PRId32, value);
}

void tl_trait_write (const tl_traits *t, size_t number, FILE *f) {
  const tl_trait *trait = t->trait + number;
  const tl_cplace *place = t->net->place + trait->place;
  const unsigned part = trait->part + 1;
  switch (trait->kind) {
  case TL_TRAIT_MULT: fprintf (f, "%s'mult", place->id); break;
  case TL_TRAIT_SUM:
    fprintf (f, "sum (x in %s : int (x->%u))", place->id, part);
    break;
  case TL_TRAIT_VALUE:
    fprintf (f, "mult (x in %s | x->%u = ", place->id, part);
    write_value (f, place->part[trait->part], trait->value);
    putc (')', f);
  }
}
