#ifndef TL_MEASURE_MEASURE_H
#define TL_MEASURE_MEASURE_H

#include "logic/expression.h"
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

enum { TL_MEASURE_PARTS = 8 }; // as many as a coloured net may say

// Keep everything: the sweep is then a plain search.
#define TL_WINDOW_ALL UINT64_MAX

typedef struct tl_measure {
  const char *name; // "schmidt", "maxfs", "annealed", ...
  uint32_t parts;   // 1 .. TL_MEASURE_PARTS
  int64_t *start;   // [parts] progress of the initial marking
  int64_t *weight;  // [parts][places]; null: not linear
  int64_t *offset;  // [transitions][parts]; null: not linear
  uint64_t window;  // units of the first part that are kept behind the line
  uint32_t regress; // transitions with a negative offset; 0: not linear
  bool monotone;    // the net says that no step lowers it
  double peak;      // estimated share of the states stored; 0: not known
  double work;      // estimated, as visits per state; 0: not known
  double seconds;   // what the pilot sweep took
  // Where it is not linear one of these; else null.
  tl_expression *expression;      // [parts]
  struct tl_evaluated *evaluated; // by the coloured net
  const struct tl_traits *traits; // of the list, and a weight for each of them
  int64_t *trait_weight;
  char *source; // of an expression, as written; else null
} tl_measure;

// Which of two values, or of two offsets, is more?  The first part that differs
// decides.
static inline int tl_progress_compare (const int64_t *a, const int64_t *b,
                                       uint32_t parts) {
  for (uint32_t i = 0; i < parts; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

// Candidates, the best first.
typedef struct tl_measures {
  tl_mem *mem;
  const tl_net *net;
  tl_measure *measure;
  size_t count, room;
  uint64_t sampled; // markings of the sample they were judged by; 0: none
  bool sampled_all; // these were all reachable ones
  double seconds;
  struct tl_traits *traits; // that measures are made of, or null
} tl_measures;

// How long a sample and its pilot sweeps may take, unless told otherwise.
#define TL_MEASURE_SECONDS 2.0

// What to look for, as people name it.
typedef enum tl_progress_kind {
  TL_PROGRESS_AUTO, // what the net says itself, else the best of a sample
  TL_PROGRESS_SAMPLED,
  TL_PROGRESS_SCHMIDT,
  TL_PROGRESS_MAXFS,
  TL_PROGRESS_MONOTONE,
  TL_PROGRESS_RANKS,
  TL_PROGRESS_TIME,
  TL_PROGRESS_NONE,
  TL_PROGRESS_EXPRESSION // any other text
} tl_progress_kind;

tl_progress_kind tl_progress_parse (const char *text);

// Does the tool choose it?
static inline bool tl_progress_is_chosen (tl_progress_kind kind) {
  return kind == TL_PROGRESS_AUTO || kind == TL_PROGRESS_SAMPLED;
}

// What to look for.
typedef struct tl_measure_request {
  // auto, sampled, schmidt, maxfs, monotone, ranks, none, an expression
  // (read/expression_text.h; parts separated by commas) or @FILE with one
  const char *progress;
  uint64_t seed;
  double seconds; // about how long the sample and the pilot sweeps may take
  const volatile int *cancel;
  unsigned threads; // that may try candidates at the same time; 0: one
  bool compares;    // what a net says itself is put beside what is found
  // Who makes samples; null: they are of the net (measure/sample.h).
  const struct tl_sample_source *source;
} tl_measure_request;

// Never gives an empty list: at the end stands (or, for a net in which nothing
// pays, at the beginning) a measure that is 0 everywhere, with which everything
// is kept.
// TL_E_SYNTAX, TL_E_ARG: what is wrong with the expression.
tl_status tl_measures_open (tl_measures *, tl_mem *, tl_structure *,
                            const tl_measure_request *, tl_error *);
void tl_measures_close (tl_measures *);

// Adds a linear measure; the weights are copied.  TL_E_LIMIT: an offset does
// not fit 64 bits.
tl_status tl_measures_add (tl_measures *, const char *name, uint32_t parts,
                           const int64_t *weight);

// A list as it is for a search that goes on: a linear measure with the name,
// the weights and the window that it had, and the one that keeps everything.
// TL_E_LIMIT as above.
tl_status tl_measures_open_again (tl_measures *, tl_mem *, const tl_net *,
                                  const tl_measure *);

void tl_measures_drop_last (tl_measures *);
// Measure number `from` moves up to number `to`; those between move down.
void tl_measures_move_up (tl_measures *, size_t from, size_t to);

// Adds a measure given as an expression, or as @FILE; it becomes a linear one
// where it is linear.
// TL_E_SYNTAX, TL_E_ARG, TL_E_IO: what is wrong with it.
tl_status tl_measures_add_expression (tl_measures *, const char *text,
                                      tl_error *);

// Adds the measure that a coloured net gives itself, or that it was read with:
// of the net that was unfolded from it, or of one that is not unfolded.
// TL_E_MODEL: it has none.
tl_status tl_measures_add_declared (tl_measures *, tl_error *);
// Was the net read with this measure?
bool tl_measures_is_declared (const tl_measures *, const char *text);
// Adds the time of a net that is not unfolded.  TL_E_MODEL: it has none.
tl_status tl_measures_add_time (tl_measures *);
// The coloured place with the time, of a net that says nothing else of its
// progress; or UINT32_MAX.
uint32_t tl_measures_clock (const tl_measures *);

// The progress of a marking: value[parts].  TL_E_ARG: a division by zero or an
// overflow.
tl_status tl_measure_value (const tl_measure *, const tl_net *,
                            const uint64_t *marking, int64_t *value,
                            tl_error *);

// The progress of a marking that is told by its tokens, and what so many more
// of a token add to it.
struct tl_tokens;
int64_t tl_measure_tokens (const tl_measure *, const struct tl_tokens *);
int64_t tl_measure_token (const tl_measure *, uint32_t place,
                          const int32_t *token, int64_t many);

// The places that it reads, into list[places], which is all zeros before; how
// many these are.
uint32_t tl_measure_reads (const tl_measure *, const tl_net *, uint32_t *list);

// The weights in words: "2*received + acked - lost".  Of a long sum the first
// terms, unless it is asked for in full; then it can be read as an expression.
// Made with malloc; null: no memory.
char *tl_measure_text (const tl_measure *, const tl_net *);
char *tl_measure_text_full (const tl_measure *, const tl_net *);

#endif
