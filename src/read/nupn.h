#ifndef TL_READ_NUPN_H
#define TL_READ_NUPN_H

#include "read/ids.h"
#include "read/xml.h"

// The nested-unit block of a PNML document: units, each with a list of places
// and a list of units below it, in any order.  The lists may be long: they
// come in parts.

typedef struct tl_nupn tl_nupn;

typedef enum tl_nupn_list { TL_NUPN_PLACES, TL_NUPN_SUBUNITS } tl_nupn_list;

// All report what is wrong through the parser.  `ids` is borrowed.
tl_status tl_nupn_open (tl_nupn **, tl_mem *, tl_ids *, tl_xml *,
                        const char *const *attributes);
tl_status tl_nupn_unit (tl_nupn *, tl_xml *, const char *id);
tl_status tl_nupn_part (tl_nupn *, tl_xml *, tl_nupn_list, const char *text,
                        size_t length);
tl_status tl_nupn_list_end (tl_nupn *, tl_xml *, tl_nupn_list);

// Hands the units to the builder when all places are known.
tl_status tl_nupn_finish (tl_nupn *, tl_builder *, const char *file,
                          tl_error *);
void tl_nupn_close (tl_nupn *);

#endif
