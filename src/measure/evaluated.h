#ifndef TL_MEASURE_EVALUATED_H
#define TL_MEASURE_EVALUATED_H

#include "colour/evaluate.h"
#include "net/origin.h"

// Terms over the marking of a coloured net, evaluated on markings of the net
// that it was unfolded into: for measures that are no sums of tokens.
typedef struct tl_evaluated tl_evaluated;

// With the measures of the coloured net that are its progress.
tl_status tl_evaluated_open (tl_evaluated **, tl_mem *, const tl_net *);
void tl_evaluated_close (tl_evaluated *);

// The places of the unfolded net that it reads.
void tl_evaluated_mark (const tl_evaluated *, uint32_t *marked);
// The value of a part.  TL_E_ARG: an error of the model, in words.
tl_status tl_evaluated_value (tl_evaluated *, uint32_t part,
                              const uint64_t *marking, int64_t *value,
                              tl_error *);

#endif
