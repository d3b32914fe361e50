#ifndef TL_REPORT_WRITING_H
#define TL_REPORT_WRITING_H

#include "tideline.h"

#include <stdio.h>

// What the text reports have in common: a stream into memory, numbers as
// people read them, and the parts that a report of an exploration and one of
// a check both show.
//
// The texts live outside the accounts: they are small, they are made when the
// search is over, and they belong to the caller.
typedef struct tl_writing {
  FILE *file;
  char *text;
  size_t length;
} tl_writing;

bool tl_writing_open (tl_writing *);
char *tl_writing_close (tl_writing *); // null: there was no memory

// Small texts by value, to be used as arguments of printf.
typedef struct tl_figure {
  char text[64];
} tl_figure;

tl_figure tl_count (uint64_t);              // "1,234,567"
tl_figure tl_amount (uint64_t, bool exact); // the same, or "at least ..."
// The same of a number that may be larger than those of the machine: then it
// has digits.
void tl_report_number (FILE *, uint64_t, const char *digits, bool exact);
tl_figure tl_size (uint64_t bytes);           // "38.9 MiB"
tl_figure tl_rate (uint64_t, double seconds); // "3.1 million", each second

// "1 place", "2 places"
tl_figure tl_several (uint64_t, const char *noun);

// Labels stand in a column of their own.
#define TL_LABEL "%-18s"
#define TL_LABEL_WIDTH 18

// Words below each other in lines, from column `indent` on, where the cursor
// stands.
typedef struct tl_column {
  FILE *file;
  int indent, at;
  int width;      // a line has no more, but for one word; 0: it is endless
  uint64_t lines; // begun so far
} tl_column;

tl_column tl_column_at (FILE *, int indent);
void tl_column_word (tl_column *, const char *word);
void tl_column_close (tl_column *); // ends the line

// The words of a text, in `most` lines about; then how to see all of it.
void tl_report_words (FILE *, int indent, const char *text, uint64_t most);

// Names in lines, at most the first ten, and how many more there are; `next`
// gives one after the other.
#define TL_NAMES_SHOWN 10
void tl_report_names (FILE *, int indent, uint64_t count,
                      const char *(*next) (void *context), void *context);

// How a coloured net that is not unfolded is run, or null for other nets: what
// a search said of it, or where there was none what is known without.
const char *tl_report_compiled (const tl_net *, const char *compiled);
void tl_report_net (FILE *, const tl_net *, const char *compiled);
void tl_report_head (FILE *, const char *command, const tl_net *,
                     const tl_exploration *);
void tl_report_sweep (FILE *,
                      const tl_exploration *); // nothing if there was none
void tl_report_memory (FILE *, const tl_exploration *);

// The fewest bits a state that any store can do with on average, for as many
// keys out of all of their length: log2 (2^bits / states) + log2 e.
double tl_information_bound (const tl_exploration *);
// Does that bound what a state takes?  Not in a store that makes use of what
// keys have in common: there they are not just any keys.  Nor where keys have
// many lengths.
bool tl_is_bounded (const tl_exploration *);

void tl_report_time (FILE *, const tl_exploration *);
void tl_report_checkpoints (FILE *, const tl_exploration *); // if there are

// Transitions that were enabled in none of the states visited.  In part of the
// state space this is an upper bound of the dead ones.
uint64_t tl_not_fired (const tl_net *, const tl_exploration *);

// Goes through them, by their ids; null at the end.
typedef struct tl_unfired {
  const tl_net *net;
  const tl_exploration *run;
  uint32_t at;
} tl_unfired;

const char *tl_unfired_next (void *unfired);

// Every reachable state was visited, so what was not seen is not there.
bool tl_saw_everything (const tl_exploration *);

// Found as a set, not one by one.
bool tl_is_symbolic (const tl_exploration *);
bool tl_is_symmetric (const tl_exploration *);
// Was it found how far away states are?
bool tl_has_depth (const tl_exploration *);

// The dead states are counted, each once: stubborn sets leave none out.
bool tl_counted_deadlocks (const tl_exploration *);

// What was visited: states, or where some were visited again, visits.
const char *tl_visited_noun (const tl_exploration *);

// "memory", "time" ...: why a search is not complete, in one word.
const char *tl_stop_word (tl_stop);

// "true", "false" or "unknown"; a bound that is known counts as true.
const char *tl_verdict_word (tl_verdict);

// One line on what to try where a search is not complete or an answer not
// known, or null; and what has kept from the answer.
const char *tl_exploration_hint (const tl_exploration *);
const char *tl_answer_hint (const tl_answer *, const tl_exploration *run);
tl_stop tl_answer_stop (const tl_answer *, const tl_exploration *run);

// What an answer to a named question says, in words; null: to no such.
const char *tl_answer_meaning (const tl_answer *);

// Which method suits a net.
const char *tl_info_advice (const tl_info *);

#endif
