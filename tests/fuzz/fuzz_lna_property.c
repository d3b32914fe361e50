// Property files, for a net with the propositions p, q and r.

#include "lna/property.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length);

static void make_formulas (tl_properties *all) {
  tl_formula *const proposition[] = {tl_formula_constant (&all->arena, true),
                                     tl_formula_constant (&all->arena, false),
                                     tl_formula_deadlock (&all->arena)};
  for (size_t i = 0; i < all->count; i++) {
    tl_formula *f;
    const tl_status status =
        tl_property_formula (all->property + i, &all->arena, proposition, &f);
    if (status != TL_OK && status != TL_E_LIMIT)
      abort ();
  }
}

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length) {
  tl_proposition proposition[] = {{.name = "p"}, {.name = "q"}, {.name = "r"}};
  const tl_coloured net = {.proposition = proposition, .propositions = 3};
  tl_mem mem = TL_MEM (0, "properties");
  tl_error err = {0};
  tl_properties all;
  tl_input in;
  tl_input_open_memory (&in, "x.prop.lna", bytes, length);
  if (tl_input_next (&in, &err))
    abort ();
  const tl_status status = tl_read_properties (&all, &mem, &in, &net, 0, &err);
  if (status && (status != TL_E_SYNTAX || !err.text[0]))
    abort ();
  if (!status) {
    make_formulas (&all);
    tl_properties_close (&all);
  }
  if (mem.used)
    abort ();
  return 0;
}
