#include "api/explorers.h"

#include "api/api_ranks.h"
#include "api/race.h"
#include "base/error.h"
#include "check/engine.h"
#include "explore/explore.h"
#include "symbolic/symbolic.h"
#include "symmetry/symmetry.h"

#include <string.h>

static tl_status explicit(tl_api_call *call, const tl_net *net,
                          tl_exploration *result, tl_error *error) {
  tl_fleet team;
  return tl_ranks_fleet (&call->options, &team)
             ? tl_explore_together (&call->root, net, &call->options, 0, &team,
                                    result, error)
             : tl_explore_on (&call->root, net, &call->options, 0, result,
                              error);
}

static tl_status symbolic (tl_api_call *call, const tl_net *net,
                           tl_exploration *result, tl_error *error) {
  return tl_symbolic_explore (&call->root, net, &call->options, 0, result,
                              error);
}

static tl_status symmetry (tl_api_call *call, const tl_net *net,
                           tl_exploration *result, tl_error *error) {
  return tl_symmetry_explore (&call->root, net, &call->options, result, error);
}

// The names, and in the same order who they are.
static const tl_kind_row names[] = {
    {"auto", "both at once, and who ends first has won"},
    {"explicit", "every state by itself (default)"},
    {"symbolic", "all states at once, as a decision diagram"},
    {"symmetry", "one of those that differ in names of values only"}};

enum { EXPLORERS = sizeof names / sizeof *names };

static tl_explorer *const explorers[EXPLORERS] = {tl_race, explicit, symbolic,
                                                  symmetry};

const tl_kind_row *tl_explorers (size_t *count) {
  if (count)
    *count = EXPLORERS;
  return names;
}

tl_status tl_explorer_parse (tl_explorer **explorer, const tl_options *options,
                             tl_error *error) {
  tl_method questions;
  *explorer = explicit;
  for (size_t i = 0; options->engine && i < EXPLORERS; i++)
    if (!strcmp (names[i].name, options->engine)) {
      *explorer = explorers[i];
      if (*explorer == explicit)
        return TL_OK;
      if (options->checkpoint)
        return tl_fail (error, TL_E_ARG,
                        "there are no checkpoints with the engine %s",
                        options->engine);
      return options->certificate
                 ? tl_fail (error, TL_E_ARG,
                            "certificates need the engine explicit")
                 : TL_OK;
    }
  return tl_method_parse (&questions, options, error);
}
