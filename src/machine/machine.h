#ifndef TL_MACHINE_MACHINE_H
#define TL_MACHINE_MACHINE_H

#include "colour/coloured.h"
#include "net/net.h"

// Coloured nets that run as they are, without being unfolded: the rule of a net
// (net/rule.h) whose places are the coloured places and the propositions.
//
// Whatever occurs gets a number when it is met for the first time: tokens,
// markings of a place (local markings), bindings (events).  A state is then one
// number for each place, and firing replaces some of them.  Which events are
// enabled for a transition depends on the local markings of the places around
// it only, so what was found out once is remembered.
//
// What remains to be found is found by compiled code where there is some.

// Makes the net; it owns the coloured one, also when this fails.
tl_status tl_machine_open (tl_net **, tl_mem *, tl_coloured *, tl_compile,
                           tl_error *);

// The coloured net that a net made by this runs.
const tl_coloured *tl_machine_coloured (const tl_net *);
// Between searches: the bits of the initial marking in the condensed code, and
// which places the code leaves out, [places].  TL_E_ARG: the initial marking is
// wrong; the rule says how.
tl_status tl_machine_code (const tl_net *, uint64_t *bits, bool *left_out);

#endif
