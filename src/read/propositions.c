#include "read/propositions.h"

#include "base/error.h"
#include "colour/proposition.h"

#include <string.h>

uint32_t tl_propositions (const tl_net *net) {
  if (net->origin && net->origin->coloured)
    return net->origin->coloured->propositions;
  return net->folded ? net->folded->propositions : 0;
}

const char *tl_proposition_name (const tl_net *net, uint32_t number) {
  return net->folded ? net->place_id[net->folded->counted + number]
                     : net->origin->coloured->proposition[number].name;
}

bool tl_proposition_find (const tl_net *net, const char *name,
                          uint32_t *number) {
  const uint32_t count = tl_propositions (net);
  for (*number = 0; *number < count; ++*number)
    if (!strcmp (tl_proposition_name (net, *number), name))
      return true;
  return false;
}

tl_status tl_proposition_read (const tl_net *net, uint32_t number,
                               tl_arena *arena, tl_formula **out,
                               tl_error *err) {
  if (!net->folded) {
    const tl_proposition *p = net->origin->coloured->proposition + number;
    return tl_proposition_formula (net, p->term, p->frame, arena, out, err);
  }
  const tl_summand term = {net->folded->counted + number, -1};
  bool overflow;
  *out = tl_formula_compare (arena, &term, 1, -1, &overflow);
  return *out ? TL_OK : tl_fail (err, TL_E_NOMEM, "no memory for questions");
}
