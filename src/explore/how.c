#include "explore/how.h"

#include "base/error.h"
#include "base/limits.h"

#include <string.h>

static const char *const reductions[] = {[TL_REDUCE_NONE] = "none",
                                         [TL_REDUCE_DEADLOCK] = "deadlock",
                                         [TL_REDUCE_PROPERTY] = "property"};

enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

const char *tl_reduction_name (tl_reduction r) {
  return r == TL_REDUCE_NONE ? 0 : reductions[r];
}

static bool find_reduction (const char *name, tl_reduction *found) {
  for (size_t i = 0; i < REDUCTIONS; i++)
    if (!strcmp (reductions[i], name)) {
      *found = (tl_reduction)i;
      return true;
    }
  return false;
}

// The name of a store also says which form keys have where a net is not
// unfolded, and some names say nothing else: "collapse" is the table of
// collapsed keys.  Of differences few have a key: there it counts more that
// places with many local markings are divided, which they are only where no
// place is left out.  Any other name stands for the condensed code of markings.
static tl_key_form form_of (const char *store) {
  static const struct {
    const char *store;
    tl_key_form form;
  } row[] = {{"auto", TL_KEYS_NUMBERS},
             {"collapse", TL_KEYS_COLLAPSED},
             {"delta+collapse", TL_KEYS_NUMBERS}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    if (!strcmp (row[i].store, store))
      return row[i].form;
  return TL_KEYS_CODED;
}

tl_status tl_how_parse (tl_how *how, const tl_options *options,
                        tl_error *error) {
  const bool any_store = !strcmp (options->store, "auto");
  *how = (tl_how){.order = tl_order_find (options->order),
                  .store = any_store ? 0 : tl_store_find (options->store),
                  .keys = form_of (options->store),
                  .threads =
                      options->threads ? options->threads : tl_limit_cores ()};
  if (!how->order)
    return tl_fail (error, TL_E_ARG, "unknown order '%s'", options->order);
  if (options->disk && how->order != &tl_order_bfs)
    return tl_fail (error, TL_E_ARG, "states on disk are for the order bfs");
  if (options->disk)
    how->order = &tl_order_disk;
  if (!how->store && !any_store)
    return tl_fail (error, TL_E_ARG, "unknown store '%s'", options->store);
  if (!find_reduction (options->stubborn, &how->stubborn))
    return tl_fail (error, TL_E_ARG, "unknown stubborn sets '%s'",
                    options->stubborn);
  return TL_OK;
}
