#ifndef TL_READ_FORMULA_XML_H
#define TL_READ_FORMULA_XML_H

#include "base/input.h"
#include "logic/formula.h"

// Reads the property files of the Model Checking Contest: reachability, upper
// bounds, CTL and LTL.  Names in them are ids of the net.  Elements beside the
// formulas, such as descriptions, are skipped; in a formula every element has
// to be known.  Of a net of TAPAAL the queries that are active are read.
//
// The first block of `in` is at hand.  On failure the questions are as they
// were.
tl_status tl_formula_xml_read (tl_questions *, tl_input *in, tl_error *);

#endif
