#include "reduce/rules.h"

enum {
  SEEN = TL_KEEP_BRANCHES | TL_KEEP_STUTTER | TL_KEEP_REACH,
  ALL = TL_KEEP_RUNS | TL_KEEP_DEADLOCKS | SEEN
};

const tl_reduction_rule tl_rules[] = {
    {"dead", ALL, tl_drop_dead},
    {"irrelevant", TL_KEEP_REACH, tl_drop_irrelevant},
    {"implied", ALL, tl_drop_implied},
    {"dominated", ALL, tl_drop_dominated},
    {"behind", TL_KEEP_DEADLOCKS | SEEN, tl_agglomerate_behind},
    {"before", SEEN, tl_agglomerate_before},
};

const size_t tl_rule_count = sizeof tl_rules / sizeof *tl_rules;
