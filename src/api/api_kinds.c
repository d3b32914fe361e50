// Names that options take and that are known to several folders.

#include "tideline.h"

#define COUNT(TABLE) (sizeof (TABLE) / sizeof *(TABLE))

const tl_kind_row *tl_measure_kinds (size_t *count) {
  static const tl_kind_row row[] = {
      {"auto", "what the net says itself of its progress, or sampled"},
      {"sampled", "the best of many on a sample of the states, if one pays"},
      {"schmidt", "offsets by linear algebra, as in LoLA"},
      {"maxfs",
       "the fewest transitions that lose progress, by linear programs"},
      {"monotone", "no transition loses progress, many gain some"},
      {"ranks", "how far each process is from its start"},
      {"none", "0 everywhere: every state is kept"}};
  if (count)
    *count = COUNT (row);
  return row;
}

const tl_kind_row *tl_reductions (size_t *count) {
  static const tl_kind_row row[] = {
      {"none", "every state"},
      {"deadlock", "all deadlocks are found, other states may be left out"},
      {"property", "what is checked keeps its answer"}};
  if (count)
    *count = COUNT (row);
  return row;
}
