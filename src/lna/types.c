// Sets of types.

#include "lna/typing.h"

#include <stdio.h>
#include <string.h>

bool tl_lna_has (const tl_lna_types *s, const tl_type *root) {
  if (s->numbers)
    return tl_type_is_numeric (root);
  for (uint32_t i = 0; i < s->count; i++)
    if (s->type[i] == root)
      return true;
  return false;
}

bool tl_lna_has_numbers (const tl_lna_types *s) {
  for (uint32_t i = 0; i < s->count; i++)
    if (tl_type_is_numeric (s->type[i]))
      return true;
  return s->numbers;
}

void tl_lna_all_numbers (tl_lna_types *s) {
  *s = (tl_lna_types){.numbers = true};
}

bool tl_lna_one_type (tl_lna_checker *c, tl_lna_types *s, const tl_type *t) {
  *s = (tl_lna_types){.count = 1};
  if (!TL_LNA_NEW (c->source, s->type, 1))
    return false;
  s->type[0] = t->root;
  return true;
}

bool tl_lna_select (tl_lna_checker *c, tl_lna_types *s, tl_lna_test *test,
                    void *with) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->roots; i++)
    if (test (c, c->root[i], with))
      c->found[n++] = c->root[i];
  *s = (tl_lna_types){.count = n};
  if (!n)
    return true;
  if (!TL_LNA_NEW (c->source, s->type, n))
    return false;
  memcpy (s->type, c->found, n * sizeof *s->type);
  return true;
}

typedef struct pair {
  const tl_lna_types *a, *b;
} pair;

static bool in_both (tl_lna_checker *c, const tl_type *root, void *with) {
  (void)c;
  const pair *p = with;
  return tl_lna_has (p->a, root) && tl_lna_has (p->b, root);
}

bool tl_lna_both (tl_lna_checker *c, tl_lna_types *s, const tl_lna_types *a,
                  const tl_lna_types *b) {
  if (a->numbers && b->numbers) {
    tl_lna_all_numbers (s);
    return true;
  }
  pair p = {a, b};
  return tl_lna_select (c, s, in_both, &p);
}

const tl_type *tl_lna_choose (tl_lna_checker *c, const tl_lna_types *s,
                              tl_where where) {
  if (s->count == 1)
    return s->type[0];
  bool numbers = s->numbers;
  if (tl_lna_has (s, c->integer)) {
    numbers = true;
    for (uint32_t i = 0; i < s->count; i++)
      numbers = numbers && tl_type_is_numeric (s->type[i]);
  }
  if (numbers)
    return c->integer;
  char text[TL_LNA_DESCRIPTION];
  tl_lna_fail (c->source, where, "this is ambiguous: it may be %s",
               tl_lna_describe (s, text, sizeof text));
  return 0;
}

const char *tl_lna_describe (const tl_lna_types *s, char *out, size_t size) {
  if (s->numbers)
    snprintf (out, size, "a number");
  else if (!s->count)
    snprintf (out, size, "of no type");
  else if (s->count == 1)
    snprintf (out, size, "%.80s", s->type[0]->name);
  else
    snprintf (out, size, "%.60s or %.60s%s", s->type[0]->name, s->type[1]->name,
              s->count > 2 ? " or others" : "");
  return out;
}
