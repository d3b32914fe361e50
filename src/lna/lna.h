#ifndef TL_LNA_LNA_H
#define TL_LNA_LNA_H

#include "base/input.h"
#include "colour/coloured.h"

// Helena's net language: docs/lna.md.

// Reads a net from an input whose first block is at hand.  Settings may be
// null.  TL_E_SYNTAX: the file is wrong; TL_E_MODEL: it uses what is not
// supported; TL_E_ARG: a constant cannot be computed, or a setting is wrong;
// TL_E_LIMIT: computing one does not end.
tl_status tl_read_lna (tl_coloured **, tl_mem *, tl_input *,
                       const tl_settings *, tl_error *);

// Does the first block of an input begin as a net does?
bool tl_is_lna (const tl_input *);

#endif
