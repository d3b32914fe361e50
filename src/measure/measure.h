#ifndef TL_MEASURE_MEASURE_H
#define TL_MEASURE_MEASURE_H

#include "structure/structure.h"

// Progress measures.  A measure gives every marking a list of whole numbers,
// its progress, compared one after another; the sweep visits markings with
// little progress first and forgets those it has left behind.
//
// Most measures are linear: every place has a weight a(p) in each part of the
// list, so firing t always adds the same offset o(t) = a * change of t.  The
// offsets are exact integers.  A measure given as an expression may be
// anything that can be computed from the tokens; then it is evaluated marking
// by marking.
//
// Whether a measure is any good decides only how much memory the sweep needs:
// it visits every reachable marking with any of them.

enum { TL_MEASURE_PARTS = 8 };

typedef struct tl_expression tl_expression;

// Keep everything: the sweep is then a plain search.
#define TL_WINDOW_ALL UINT64_MAX

typedef struct tl_measure {
  const char *name; // "schmidt", "maxfs", "annealed", ...
  uint32_t parts;   // 1 .. TL_MEASURE_PARTS
  int64_t *start;   // [parts] progress of the initial marking
  int64_t *weight;  // [parts][places]; null: not linear
  int64_t *offset;  // [transitions][parts]; null: not linear
  uint64_t window;  // units of the first part that are kept behind the line
  uint32_t regress; // transitions with a negative offset
  double peak;      // estimated share of the states stored; 0: not known
  double explored;  // estimated visits per state; 0: not known
  double seconds;   // what the pilot sweep took
  tl_expression *expression; // where it is not linear: [parts], else null
} tl_measure;

// Candidates, the best first.
typedef struct tl_measures {
  tl_mem *mem;
  const tl_net *net;
  tl_measure *measure;
  size_t count, room;
  uint64_t sampled; // markings of the sample they were judged by; 0: none
  bool sampled_all; // these were all reachable ones
  double seconds;
} tl_measures;

// What to look for.
typedef struct tl_measure_wish {
  const char *progress; // auto, schmidt, maxfs, sampled, or an expression
  uint64_t seed;
  double seconds; // about how long the sample and the pilot sweeps may take
  const volatile int *cancel;
} tl_measure_wish;

// Never gives an empty list: at the end stands (or, for a net in which nothing
// pays, at the beginning) a measure that is 0 everywhere, with which everything
// is kept.
// TL_E_SYNTAX, TL_E_ARG: what is wrong with the expression.
tl_status tl_measures_open (tl_measures *, tl_mem *, tl_structure *,
                            const tl_measure_wish *, tl_error *);
void tl_measures_close (tl_measures *);

// Adds a linear measure; the weights are copied.  TL_E_LIMIT: an offset does
// not fit 64 bits.
tl_status tl_measures_add (tl_measures *, const char *name, uint32_t parts,
                           const int64_t *weight);

// The progress of a marking.  TL_E_ARG: a division by zero or an overflow in
// an expression.
tl_status tl_measure_value (const tl_measure *, const tl_net *,
                            const uint64_t *marking, int64_t *value,
                            tl_error *);

// The weights in words: "2*received + acked - lost".  Made with malloc.
char *tl_measure_text (const tl_measure *, const tl_net *);

#endif
