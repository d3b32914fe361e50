#ifndef TL_VERIFY_REFUTATION_H
#define TL_VERIFY_REFUTATION_H

#include "verify/invariants.h"

// A proof that no reachable marking satisfies a state formula.  The formula
// becomes conditions on the tokens of a marking, rules and clauses; steps lead
// from these and the facts to a contradiction:
//
//     a sum of multiples of facts and of conditions that are rules, which is a
//     rule as well;
//     a clause, if to deny all of its literals is contradicted by what follows
//     for the bounds of variables (reverse unit propagation, as in proofs of
//     solvers for SAT: Goldberg, Novikov, DATE 2003).
//
// Conditions.  A formula that is required holds everywhere, or where a choice
// is 1; NOT is moved to the atoms.
//
//     AND       each operand is required.
//     OR        a clause with a literal for each operand, and that the choice
//               is 0: of a comparison of one place the bound it means, else a
//               new choice, where the operand is required.
//     FIREABLE  of one transition: that each input place has enough tokens,
//               and each inhibiting one few enough, a clause for each.  Of
//               others a clause with a new choice for each, where that is
//               required.  That it is not: for each transition a clause, that
//               a place has too few tokens, or too many.  DEADLOCK is that
//               none of all is.
//     a sum     a rule; these are counted from 0 on.
//
// Choices have the numbers behind the places, in the order in which they are
// made; what is required where a choice is 1 is made right behind it.

// Reads the steps and checks them.  The reasoning has the facts, up to the
// mark, and is left so.  TL_E_MODEL: they prove nothing.
tl_status tl_refutation_read (tl_cert_source *, const tl_cert_net *,
                              tl_reasoning *, const tl_reason_mark *facts,
                              const tl_assertion *, bool negated);

#endif
