#include "api/api_call.h"

#include "base/error.h"
#include "base/sized.h"
#include "explore/explore.h"

#include <math.h>
#include <string.h>

void tl_options_init (tl_options *options, size_t size) {
  tl_options whole = tl_options_whole ();
  if (!options || size < sizeof size)
    return;
  options->size = size;
  if (tl_sized_clear (options))
    TL_GIVE (options, &whole);
}

// A name that was not said.
static void fall_back (const char **name, const char *otherwise) {
  if (!*name)
    *name = otherwise;
}

static tl_status take_options (tl_options *o, const tl_options *given,
                               tl_error *error) {
  const tl_options whole = tl_options_whole ();
  if (!given) {
    *o = whole;
    return TL_OK;
  }
  if (!TL_TAKE (o, given))
    return tl_fail (error, TL_E_ARG,
                    "the options have no size: they begin as "
                    "tl_options_default gives them");
  // Of fields that the caller does not know nothing was said.
  const size_t known = given->size < sizeof *o ? given->size : sizeof *o;
  memcpy ((char *)o + known, (const char *)&whole + known, sizeof *o - known);
  fall_back (&o->order, whole.order);
  fall_back (&o->store, whole.store);
  fall_back (&o->progress, whole.progress);
  fall_back (&o->stubborn, whole.stubborn);
  if (!isfinite (o->timeout) || o->timeout < 0)
    return tl_fail (error, TL_E_ARG, "the time limit is not a time");
  if (!isfinite (o->checkpoint_seconds) || o->checkpoint_seconds < 0)
    return tl_fail (error, TL_E_ARG,
                    "the time between checkpoints is not a time");
  if (o->memory > SIZE_MAX)
    return tl_fail (error, TL_E_ARG, "no machine has as much memory");
  return TL_OK;
}

tl_status tl_api_open (tl_api_call *c, const tl_options *given, void *result,
                       tl_error *error) {
  if (!tl_sized_clear (result))
    return tl_fail (error, TL_E_ARG,
                    "there is no result to fill, or its size "
                    "is not set");
  const tl_status rc = take_options (&c->options, given, error);
  if (rc)
    return rc;
  c->cancel = 0;
  if (!c->options.cancel)
    c->options.cancel = &c->cancel;
  c->root = TL_MEM (0, "total");
  c->root.limit = c->options.memory ? c->options.memory : tl_mem_default ();
  c->budget = tl_budget_of (c->options.timeout, c->options.cancel);
  c->root.budget = &c->budget;
  return TL_OK;
}

tl_status tl_api_lacks (const char *function, const char *what,
                        tl_error *error) {
  return tl_fail (error, TL_E_ARG, "%s needs %s", function, what);
}
