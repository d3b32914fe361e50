// Questions from property files of Helena.

#include "base/error.h"
#include "lna/property.h"
#include "read/propositions.h"
#include "read/read.h"

#include <string.h>

static tl_status no_memory (tl_error *err) {
  return tl_fail (err, TL_E_NOMEM, "no memory for questions");
}

// As much of the coloured net as the reader of properties asks for.
static tl_status names_of (tl_questions *q, tl_coloured *names, tl_error *err) {
  const uint32_t count = tl_propositions (q->net);
  *names = (tl_coloured){.propositions = count};
  if (count && !TL_ARENA_NEW (&q->arena, names->proposition, count))
    return no_memory (err);
  for (uint32_t i = 0; i < count; i++)
    names->proposition[i].name = tl_proposition_name (q->net, i);
  return TL_OK;
}

// Makes formulas for the propositions that the tree has and that have none yet.
// The reader bounds the depth.
static tl_status translate (tl_questions *q, const tl_property_tree *t,
                            tl_formula **formula, tl_error *err) {
  tl_status rc = TL_OK;
  if (t->op == TL_PROPERTY_PROPOSITION && !formula[t->proposition])
    rc = tl_proposition_read (q->net, t->proposition, &q->arena,
                              formula + t->proposition, err);
  for (int i = 0; !rc && i < 2; i++)
    if (t->operand[i])
      rc = translate (q, t->operand[i], formula, err);
  return rc;
}

static tl_status ask (tl_questions *q, const tl_property *p,
                      tl_formula **formula, tl_error *err) {
  tl_formula *whole;
  tl_status rc = translate (q, p->tree, formula, err);
  if (!rc)
    rc = tl_property_formula (p, &q->arena, formula, &whole);
  if (rc)
    return rc == TL_E_NOMEM ? no_memory (err)
           : rc == TL_E_LIMIT
               ? tl_fail (err, rc, "property '%.80s' is too large", p->name)
               : rc;
  const char *name = tl_arena_text (&q->arena, p->name, strlen (p->name));
  tl_question *question = name ? tl_questions_add (q, name) : 0;
  if (!question)
    return no_memory (err);
  question->formula = whole;
  question->linear = p->linear;
  return TL_OK;
}

static tl_status ask_all (tl_questions *q, const tl_properties *all,
                          const char *name, bool *found, tl_error *err) {
  const size_t before = q->count;
  tl_formula **formula; // of each proposition
  if (!TL_ARENA_NEW (&q->arena, formula, tl_propositions (q->net) + 1))
    return no_memory (err);
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < all->count; i++)
    if (!name || !strcmp (all->property[i].name, name)) {
      *found = true;
      rc = ask (q, all->property + i, formula, err);
    }
  if (rc)
    q->count = before;
  return rc;
}

tl_status tl_questions_add_property (tl_questions *q, const char *path,
                                     const char *name, const tl_settings *given,
                                     bool *found, tl_error *err) {
  if (!q || !path || !found)
    return tl_fail (err, TL_E_ARG, "tl_questions_add_property needs a path");
  *found = false;
  if (!tl_net_is_coloured (q->net))
    return tl_fail (err, TL_E_ARG, "only coloured nets have such properties");
  tl_settings said;
  if (given && tl_settings_take (&said, given, err))
    return TL_E_ARG;
  tl_input in;
  tl_coloured names;
  tl_properties all = {.count = 0};
  tl_status rc = tl_input_open (&in, &q->mem, path, err);
  if (!rc)
    rc = tl_input_next (&in, err);
  if (!rc)
    rc = names_of (q, &names, err);
  if (!rc)
    rc =
        tl_read_properties (&all, &q->mem, &in, &names, given ? &said : 0, err);
  if (!rc) {
    rc = ask_all (q, &all, name, found, err);
    tl_properties_close (&all);
  }
  tl_input_close (&in);
  return tl_questions_end (q, rc, err);
}
