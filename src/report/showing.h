#ifndef TL_REPORT_SHOWING_H
#define TL_REPORT_SHOWING_H

#include "net/titles.h"
#include "report/writing.h"

// What a report calls places and transitions, and what it shows of markings.
typedef struct tl_showing {
  const tl_net *net;
  tl_form form;
  bool names; // else ids
  tl_mem mem;
  tl_titles titles;
} tl_showing;

// Where the form says neither ids nor names, `names` counts.  Without memory
// for names there are ids.
void tl_showing_open (tl_showing *, const tl_net *, tl_form, bool names);
void tl_showing_close (tl_showing *);

// A step of a trace or one that is enabled, a place or a transition that people
// see, told by its id, and a place of a marking.  Good until the next call.
const char *tl_showing_step (tl_showing *, const tl_trace *, uint64_t number);
const char *tl_showing_choice (tl_showing *, const tl_choice *);
const char *tl_showing_node (tl_showing *, bool place, const char *id);
const char *tl_showing_marked (tl_showing *, const tl_marked *);

// The transitions of a trace in lines, at most the first `most`, and how many
// more there are; with markings a line each.
#define TL_TRACE_SHOWN 20
void tl_report_trace (FILE *, tl_showing *, const tl_trace *, int indent,
                      uint64_t most);

// Where a place has no bound, or outgrew what can be counted: which, and how.
void tl_report_unbounded (FILE *, tl_showing *, const tl_exploration *);

// The whole trace, a line for each transition, for programs to read; markings
// are comments.
void tl_report_trace_lines (FILE *, tl_showing *, const tl_trace *,
                            const char *shows);

// Words for the places that the last step of the playback changed, "place:
// 1->0", or for all that are marked, "place" or "place*3".  Of very many only
// the first lines, and how many more there are, unless lines are endless.
void tl_report_marked (tl_showing *, tl_column *, tl_playback *, bool changes);

// A state of a graph and its successors, one after the other.
typedef struct tl_state {
  const tl_condensed *graph;
  uint64_t number;
  tl_trace way;      // to it, then to the successor at hand
  tl_playback *play; // of that, at its end
  uint64_t arcs;     // successors asked for
  uint64_t target;   // the number of the one at hand
} tl_state;

// False: there is no memory, or no such state.  To be closed either way.
bool tl_state_open (tl_state *, const tl_condensed *, uint64_t state);
// False: there are no more, or `failed`.
bool tl_state_next (tl_state *, bool *failed);
void tl_state_close (tl_state *);

#endif
