// What to try where an answer is missing.

#include "report/writing.h"

#include <string.h>

static bool is_sweep (const tl_exploration *x) {
  return x->order && !strcmp (x->order, "sweep");
}

static const char *engine_hint (tl_stop stop) {
  switch (stop) {
  case TL_STOP_MEMORY: return "try: more --memory, or --engine explicit";
  case TL_STOP_TIME: return "try: a longer --timeout, or --engine explicit";
  case TL_STOP_TOKENS: return "try: --engine explicit";
  default: return 0;
  }
}

const char *tl_exploration_hint (const tl_exploration *x) {
  if ((tl_is_symbolic (x) || tl_is_symmetric (x)) &&
      x->stop != TL_STOP_CANCEL && x->stop != TL_STOP_STATES)
    return engine_hint (x->stop);
  switch (x->stop) {
  case TL_STOP_MEMORY:
    return is_sweep (x)
               ? "try: more --memory; --stubborn deadlock, if only deadlocks "
                 "matter"
               : "try: --order sweep, which may need less memory, or more "
                 "--memory";
  case TL_STOP_STATES: return "try: a larger --max-states, or none";
  case TL_STOP_TIME:
    return "try: a longer --timeout; --stubborn deadlock, if only deadlocks "
           "matter";
  case TL_STOP_CANCEL:
    return "try: --timeout, which ends it after a time of its own";
  case TL_STOP_UNBOUNDED:
    return "try: 'check MODEL bounds', which says which places have no bound";
  case TL_STOP_TOKENS:
    return "try: 'check MODEL bounded', which looks for a run that adds tokens "
           "for ever";
  default: return 0;
  }
}

tl_stop tl_answer_stop (const tl_answer *a, const tl_exploration *run) {
  const char *why = a->unknown_why ? a->unknown_why : "";
  for (tl_stop stop = TL_STOP_MEMORY; stop <= TL_STOP_TOKENS; stop++)
    if (!strcmp (why, tl_stop_text (stop)))
      return stop;
  return strstr (why, "no memory") ? TL_STOP_MEMORY : run->stop;
}

// Stubborn sets keep what single markings decide, and not all formulas about
// runs.
static const char *time_hint (const tl_answer *a) {
  const bool reach = a->engine && (!strcmp (a->engine, "reach") ||
                                   !strcmp (a->engine, "bounds"));
  return reach ? "try: a longer --timeout; --stubborn property, which leaves "
                 "out states"
               : "try: a longer --timeout; --engine fly, --engine symbolic, "
                 "which have all of the time then";
}

const char *tl_answer_hint (const tl_answer *a, const tl_exploration *run) {
  switch (tl_answer_stop (a, run)) {
  case TL_STOP_MEMORY:
    return is_sweep (run)
               ? "try: more --memory; --engine fly, which keeps no graph"
               : "try: more --memory, --order sweep; --engine fly, which keeps "
                 "no graph";
  case TL_STOP_STATES: return "try: a larger --max-states, or none";
  case TL_STOP_TIME: return time_hint (a);
  case TL_STOP_CANCEL:
    return "try: --timeout, which ends it after a time of its own";
  case TL_STOP_UNBOUNDED:
  case TL_STOP_TOKENS:
    return "try: EF and AG, which can be shown in unbounded nets, too; "
           "'bounds'";
  default: return "try: another --engine, or parts of the formula one by one";
  }
}
