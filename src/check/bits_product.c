#include "check/bits_product.h"

#include <stdlib.h>

tl_status tl_bits_product_open (tl_product *p, tl_sets *s,
                                const tl_automaton *automaton,
                                tl_state_set *const *atom, uint32_t atoms) {
  tl_fixpoints *bits = s->bits;
  const tl_status rc = bits ? tl_fixpoints_unpack (bits) : TL_E_MODEL;
  *p = (tl_product){0};
  if (rc)
    return rc;
  tl_product_open (p, bits->mem, &bits->arcs, automaton,
                   (const tl_state_set *const *)atom, atoms);
  p->cancel = bits->cancel;
  p->deadline = bits->deadline;
  return TL_OK;
}

tl_status tl_bits_accepted (tl_sets *s, const tl_automaton *automaton,
                            tl_state_set *const *atom, uint32_t atoms,
                            tl_state_set *result) {
  tl_product p;
  tl_status rc = tl_bits_product_open (&p, s, automaton, atom, atoms);
  if (!rc)
    rc = tl_product_states (&p, result);
  tl_product_close (&p);
  return rc;
}

tl_status tl_bits_run (tl_sets *s, const tl_automaton *automaton,
                       tl_state_set *const *atom, uint32_t atoms,
                       uint64_t *state, bool *accepted, tl_run *run,
                       tl_reason *why) {
  tl_product p;
  tl_run more = {0};
  tl_status rc = tl_bits_product_open (&p, s, automaton, atom, atoms);
  *accepted = false;
  *why = (tl_reason){0};
  p.start = *state;
  if (!rc)
    rc = tl_product_search (&p, accepted);
  if (!rc && *accepted && tl_product_run (&p, &more) == TL_E_INTERNAL)
    rc = TL_E_INTERNAL; // without memory for a run it is decided all the same
  if (!rc && more.found && tl_run_append (run, &more)) {
    *why = tl_product_reason (&p, &more);
    *state = more.end / automaton->states;
  }
  free (more.arc);
  tl_product_close (&p);
  return rc;
}
