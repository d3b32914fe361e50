#ifndef TL_READ_PROPOSITIONS_H
#define TL_READ_PROPOSITIONS_H

#include "colour/coloured.h"
#include "logic/formula.h"

// The propositions that a coloured net defines, as atoms of formulas.  In an
// unfolded net they become formulas over its places; a net that is not unfolded
// has a place for each, which holds a token where the proposition is true.

uint32_t tl_propositions (const tl_net *);
const char *tl_proposition_name (const tl_net *, uint32_t number);
// False: there is none of that name.
bool tl_proposition_find (const tl_net *, const char *name, uint32_t *number);

// TL_E_MODEL: it cannot be said about the unfolded net; TL_E_LIMIT: it would be
// too large.
tl_status tl_proposition_read (const tl_net *, uint32_t number, tl_arena *,
                               tl_formula **, tl_error *);

#endif
