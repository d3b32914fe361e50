#ifndef TIDELINE_H
#define TIDELINE_H

// Tideline visits every reachable state of a Petri net in little memory and
// answers questions about them.  This header is all a program that embeds the
// library needs.
//
// Ownership: `open` gives an object, `close` takes it back (null: nothing
// happens); every other pointer is borrowed until the next call on the same
// object.  Calls return TL_OK or a code and fill the `tl_error` handed in
// (which may be null).  A null where something is needed, or a number that is
// out of range, is TL_E_ARG; functions that have no status to return give null,
// zero or false then.  The library never prints, exits or installs a signal
// handler.
//
// Growing: structs that may get new fields, always at their end, begin with
// their `size`.  It says how much of one its owner knows: the library reads and
// fills no more.  tl_options_default and tl_settings_default set it, for
// results the call that fills them does.  All other structs stay as they are.
//
// Threads: there is no state outside the objects.  Different objects may be
// used in different threads at the same time; what several threads may do with
// the same one is said where its type is.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef enum tl_status {
  TL_OK = 0,
  TL_E_ARG,     // caller broke the contract
  TL_E_IO,      // open, read or write failed; see tl_error.sys
  TL_E_SYNTAX,  // input is not well formed; see tl_error.line
  TL_E_MODEL,   // well formed, but outside what we support
  TL_E_NOMEM,   // the memory budget is spent
  TL_E_LIMIT,   // a state or time limit was reached
  TL_E_CANCEL,  // the cancel flag was set
  TL_E_INTERNAL // a self-check failed: please report
} tl_status;

const char *tl_status_text (tl_status);

typedef struct tl_error {
  tl_status code;
  int sys;           // errno, or 0
  long line, column; // position in the input, or 0
  char file[256];    // the input it is about, or ""
  char text[512];    // one sentence, no newline
} tl_error;

// Arc weights and initial token counts are at most this; larger ones are
// refused by the readers.
#define TL_MAX_TOKENS UINT32_MAX

// 10000 * major + 100 * minor + patch, of this header and of the library.
#define TL_VERSION_NUMBER 200
unsigned tl_version_number (void);
const char *tl_version (void); // as text

// ---- Nets -----------------------------------------------------------------

// A net never changes: any number of threads may use it at the same time, for
// runs of their own.
typedef struct tl_net tl_net;

// Reads a model; the format is told by its content, then by its ending.
// "-" is standard input.  Of a condensed graph the net inside is read.
tl_status tl_net_open (tl_net **, const char *path, tl_error *);

// When a coloured net that is not unfolded is compiled, by the C compiler of
// the system: when it turns out to be worth it, while the search goes on;
// before anything else, or not at all.
typedef enum tl_compile {
  TL_COMPILE_AUTO,
  TL_COMPILE_NOW,
  TL_COMPILE_NEVER
} tl_compile;

// What is said about a coloured net from outside before anything in it is
// evaluated: a name with a value is a parameter of the net, one without (null)
// a symbol of its directives.
// They belong to the caller, who does not change them during a call.
typedef struct tl_settings {
  size_t size;
  const char *const *name;
  const char *const *value;
  size_t count;
  bool no_unfold; // do not unfold the net even where that can be done
  tl_compile compile;
  bool every_place; // keys of a net that is not unfolded have redundant ones,
                    // too
  // Budgets of reading and unfolding, as in tl_options: TL_E_NOMEM, TL_E_LIMIT
  // or TL_E_CANCEL where one of them ends it.
  uint64_t memory;
  double timeout;
  int *cancel;
  // A measure of progress over the tokens of a net in Helena's language, as in
  // `progress` there, which it replaces: sum (x in sent : x->1).  Any other
  // text, and null: nothing is said.  Searches ask for it by the same text.
  const char *progress;
  // Unfold a coloured net however large it becomes, whatever `no_unfold` says.
  // TL_E_MODEL: it cannot be unfolded, the message says why.
  bool unfold;
} tl_settings;

static inline tl_settings tl_settings_default (void) {
  tl_settings s = {sizeof (tl_settings),
                   0,
                   0,
                   0,
                   false,
                   TL_COMPILE_AUTO,
                   false,
                   0,
                   0,
                   0,
                   0,
                   false};
  return s;
}

// Null settings: nothing is said.  TL_E_ARG: the net has no such parameter.
tl_status tl_net_open_with (tl_net **, const char *path, const tl_settings *,
                            tl_error *);

// The same from bytes in memory, packed or not, but for condensed graphs, which
// have to be files.  The name stands for that of a file: in messages, for the
// name of the net, and to tell the format; null: the net says how it is called.
tl_status tl_net_read (tl_net **, const void *bytes, size_t length,
                       const char *name, const tl_settings *, tl_error *);

// Makes one of the classical models.  tl_example_families lists them.
tl_status tl_net_example (tl_net **, const char *family, size_t count,
                          const uint64_t *sizes, tl_error *);

// Gives one of them as a coloured net, in Helena's language; the caller closes
// the text.
tl_status tl_example_coloured (char **text, const char *family, size_t count,
                               const uint64_t *sizes, tl_error *);

// Writes the net as "pnml", "lola", "tina" or "dot"; "-" is standard output.
// The file appears whole or not at all.
tl_status tl_net_save (const tl_net *, const char *path, const char *format,
                       tl_error *);
// The same within budgets: of the settings `timeout` and `cancel` count.
tl_status tl_net_save_with (const tl_net *, const char *path,
                            const char *format, const tl_settings *,
                            tl_error *);
void tl_net_close (tl_net *);

const char *tl_net_name (const tl_net *);
const char *tl_net_format (const tl_net *);
uint32_t tl_net_places (const tl_net *);
uint32_t tl_net_transitions (const tl_net *);
uint64_t tl_net_arcs (const tl_net *);
const char *tl_net_place_id (const tl_net *, uint32_t place); // null: no such
// A coloured net is unfolded when it is read.  What is said of places and
// transitions by number is about the unfolded net; reports, formulas and
// questions speak of the coloured one.
bool tl_net_is_coloured (const tl_net *);
bool tl_net_has_place (const tl_net *, const char *id);
const char *tl_net_transition_id (const tl_net *, uint32_t transition);
// A transition in words; in an unfolded net with its binding.  Null: there is
// no such transition.
const char *tl_net_step_name (const tl_net *, uint32_t transition);

// Names for people; the id where there is no other.
const char *tl_net_place_name (const tl_net *, uint32_t place);
const char *tl_net_transition_name (const tl_net *, uint32_t transition);
// The place or transition of this id, or of this name if no other node of its
// kind is called so.  False: there is none.
bool tl_net_find_place (const tl_net *, const char *words, uint32_t *place);
bool tl_net_find_transition (const tl_net *, const char *words,
                             uint32_t *transition);

typedef enum tl_arc_kind {
  TL_ARC_PRE,       // tokens are taken from the place
  TL_ARC_POST,      // and put there
  TL_ARC_INHIBITOR, // there must be fewer than its weight
  TL_ARC_READ       // there must be as many, and they stay
} tl_arc_kind;

typedef struct tl_arc {
  uint32_t place;
  uint32_t weight;
} tl_arc;

// The arcs of one kind of a transition, by places in ascending order; how many
// there are.  A read arc is a pair of an input and an output arc.  Of a
// coloured net that is not unfolded there are none.
size_t tl_net_arcs_of (const tl_net *, uint32_t transition, tl_arc_kind,
                       const tl_arc **);

// Markings as numbers of tokens, [places], of nets with arcs.  TL_E_MODEL: the
// net is coloured and not unfolded; the game below plays it, too.
tl_status tl_net_initial (const tl_net *, uint64_t *marking, tl_error *);
bool tl_net_enables (const tl_net *, const uint64_t *marking,
                     uint32_t transition);
// TL_E_ARG: it is not enabled.  TL_E_LIMIT: there would be too many tokens.  In
// both cases the marking stays as it is.
tl_status tl_net_fire (const tl_net *, uint64_t *marking, uint32_t transition,
                       tl_error *);

// ---- Building nets ---------------------------------------------------------

// A net that is put together; it is for one thread.  A call that fails leaves
// it as it was.
typedef struct tl_net_builder tl_net_builder;

// The name is that of the net.
tl_status tl_net_builder_open (tl_net_builder **, const char *name, tl_error *);
void tl_net_builder_close (tl_net_builder *); // gives up
// Places and transitions get numbers in the order of these calls.  Ids are
// UTF-8 without control characters, and different from each other; the name is
// for people, and may be null.  Tokens and weights up to TL_MAX_TOKENS.
tl_status tl_net_builder_place (tl_net_builder *, const char *id,
                                const char *name, uint64_t tokens, tl_error *);
tl_status tl_net_builder_transition (tl_net_builder *, const char *id,
                                     const char *name, tl_error *);
// Between two nodes that are there, by their ids.  Weights of several arcs of
// the same kind are added up; of inhibitor arcs the smallest counts, of read
// arcs the largest.
tl_status tl_net_builder_arc (tl_net_builder *, tl_arc_kind, const char *place,
                              const char *transition, uint64_t weight,
                              tl_error *);
// Gives the net and takes the builder, also when it fails.  TL_E_LIMIT: the
// weights of arcs add up to too much.
tl_status tl_net_builder_finish (tl_net_builder *, tl_net **, tl_error *);

// ---- Families of examples --------------------------------------------------

typedef struct tl_family {
  const char *name;
  const char *sizes; // as in a usage line: "PACKETS WINDOW"
  const char *blurb;
  size_t size_count;
  bool plain;    // there for tl_net_example
  bool coloured; // there for tl_example_coloured
} tl_family;

const tl_family *tl_example_families (size_t *count);

// ---- What is known without visiting states ---------------------------------

#define TL_NO_LIMIT UINT64_MAX

// Belongs to the caller.
typedef struct tl_info {
  size_t size;
  // The class of the net.
  bool ordinary;      // every arc has weight 1
  bool free_choice;   // transitions that share an input place share them all
  bool state_machine; // every transition has one input and one output place
  bool marked_graph;  // every place has one input and one output transition
  uint64_t inhibitors;
  uint64_t initial_tokens;
  uint32_t units; // of a nested-unit net
  bool units_safe;
  // Bounds: tokens of each place, or TL_NO_LIMIT; and where they are from.
  uint32_t places;
  uint64_t *bound;
  const char **bound_source; // "constant", "semiflow", "lp", "nupn" or "none"
  // Minimal semiflows; if not complete, there may be others.
  uint64_t place_invariants, transition_invariants;
  bool place_invariants_complete, transition_invariants_complete;
  uint32_t rank;             // of the incidence matrix
  uint32_t dependent_places; // linear functions of the others
  uint64_t groups;           // sets of places that share one token
  uint64_t grouped_places;
  uint32_t bits, plain_bits; // of a stored state, and with whole bytes a place
  char **stored_as; // [places] what becomes of it in a stored state, in words
  char **type;      // [types] of a coloured net, in words
  uint32_t types;
  // Of a coloured net that is not unfolded nothing is known of the above but
  // the types and the tokens; but the domain of each place and the most tokens
  // of one value (or TL_NO_LIMIT), the variables of each transition, the bits
  // of the initial marking in the condensed code, and which places this leaves
  // out.
  bool not_unfolded;
  char **domain;      // [places]
  uint64_t *capacity; // [places]
  bool *left_out;     // [places]
  char **variables;   // [transitions]
  uint32_t transitions;
  uint64_t code_bits;
  double seconds;
  // How large a net with the same dead markings is; of one that is not unfolded
  // nothing is known.
  uint32_t reduced_places, reduced_transitions;
} tl_info;

// A name that ends in _sized: the result has its size set; C sets it here.
tl_status tl_net_info_sized (const tl_net *, tl_info *, tl_error *);
static inline tl_status tl_net_info (const tl_net *net, tl_info *info,
                                     tl_error *error) {
  if (info)
    info->size = sizeof *info;
  return tl_net_info_sized (net, info, error);
}
void tl_info_close (tl_info *);

// ---- Runs -----------------------------------------------------------------

typedef struct tl_progress {
  size_t size;
  uint64_t states, arcs, queued, depth;
  size_t bytes;  // of all accounts together
  size_t budget; // they may take this many; 0: no limit
  double seconds;
  // Of the sweep-line: its number, counted from 1 (0: another order), the
  // progress of the states visited now (its first part), and states stored.
  uint64_t sweep;
  int64_t progress;
  uint64_t stored;
  uint64_t most_states; // it ends there; 0: no limit
  double most_seconds;
  uint64_t expected; // states in all, an estimate; 0: there is none
  uint64_t nodes;    // of the diagram; 0: states are visited one by one
  // Then: at most so far, events that are fired on it, and results of
  // operations that can be remembered.
  uint64_t peak_nodes, events, cache;
  // Why the last checkpoint could not be written; null: it could.
  const char *checkpoint_problem;
  uint64_t disk; // bytes of states in a file
} tl_progress;

typedef struct tl_answer tl_answer;

#define TL_WINDOW_AUTO (UINT64_MAX - 1)

// How to search.  tl_options_default() gives what every field means when
// nothing was said; so do null options, and a null for a name.  The library
// copies them at the start of a call.
typedef struct tl_options {
  size_t size;
  const char *order; // a name of tl_orders
  const char *store; // a name of tl_stores, or "auto"
  uint64_t memory;   // bytes; 0: three quarters of what this process may have
  uint32_t delta_k;  // 1 to 255: depth between whole states for "delta"
  bool every_place;  // keys have each place by itself, for comparison; of a net
                     // that is not unfolded see tl_settings
  uint64_t max_states; // 0: no limit
  double timeout;      // seconds; 0: no limit
  // With the order "sweep": the measure ("auto", "schmidt", "maxfs", "sampled"
  // or an expression over places); how many units of progress are kept behind
  // the line (TL_WINDOW_AUTO: as the measure suggests, or as much as the memory
  // takes where `memory` is set); whether to end where progress is lost;
  // whether to count the states exactly where some are visited again.
  const char *progress;
  uint64_t window;
  bool monotone, exact_count;
  // Where a sweep by a measure that was chosen would take longer than
  // breadth-first search, that is made instead until it takes so many bytes.
  // 0, or a window or `memory` that is set: the sweep is made at once.
  uint64_t bfs_memory;
  const char *stubborn; // "none", "deadlock" or "property"
  // For tl_check a name of tl_engines, for tl_explore one of tl_explorers;
  // null: "auto" there, "explicit" here.
  const char *engine;
  // Questions are searched for even where the initial marking or the structure
  // of the net decides or shortens them.
  bool unaided;
  uint32_t threads; // 0: all cores that this process may use
  uint64_t seed;
  // Called now and then during long work, in the thread of the call; may be
  // null.  Non-zero ends the work, as `cancel` does.
  int (*on_progress) (void *context, const tl_progress *);
  void *context;
  // Called with each answer as soon as it is known, before its trace is; may be
  // null.  With several threads perhaps in another one than that of the call,
  // but never in two at a time.  Non-zero ends the work, too.
  int (*on_answer) (void *context, const tl_answer *);
  void *answer_context;
  // The work ends soon after this becomes non-zero; may be null.  Set it with
  // tl_cancel, or as an atomic integer of your language.  It is for one run: a
  // callback that ends the work sets it.
  int *cancel;
  // Before a long search gives pages back to the system, of the whole process:
  // blocks that were freed, and what programs and libraries can read again. For
  // a program that does nothing else.
  bool trim;
  // Several threads begin when there are so many states: few are found sooner
  // by one.  0: as many as pay.
  uint64_t parallel_from;
  // Other methods begin beside the search that decides questions when it has
  // visited so many states, from then on at every state.  0: when they may
  // help.
  uint64_t interludes_from;
  // Of the symbolic engine: a file with the places in the order in which its
  // variables are to come; null: it tries several orders of its own.
  const char *variables;
  // A folder for checkpoints of tl_explore, or of tl_check where looking at
  // markings one by one decides all that is asked, made if need be; null: there
  // are none.  One is written every so many seconds (0: 600), and when a budget
  // or `cancel` ends the search.  With `resume` the search goes on from the one
  // in the folder, if there is one, and is told anew only the budgets, threads
  // and callbacks; else it must not hold one.
  const char *checkpoint;
  double checkpoint_seconds;
  bool resume;
  // Where a breadth-first search runs: a name of tl_devices; null: "cpu".
  const char *device;
  // The processor begins, and the device makes the search anew when there are
  // so many states.  0: 2^21 with "auto", else the device begins.
  uint64_t device_from;
  // Of tl_explore: where to write a certificate of all states that tl_verify
  // checks; null: nowhere.  It is written when the exploration is complete.
  // The order is "bfs" then, without stubborn sets, and the net is unfolded:
  // TL_E_ARG otherwise.
  const char *certificate;
  // With the order "bfs": a folder for states that memory does not take; null:
  // none.  And for tests: so many successors are gathered in memory by a
  // thread, and all else is on disk; 0: as much as `memory` allows.
  const char *disk;
  uint64_t disk_room;
  // Other processes that search the net, too, with this one; null: there are
  // none.  For breadth-first search and sweeps, see tl_ranks_open.
  struct tl_ranks *ranks; // of tl_ranks_open
} tl_options;

// `size` is that of the caller's struct.
void tl_options_init (tl_options *, size_t size);
static inline tl_options tl_options_default (void) {
  tl_options how;
  tl_options_init (&how, sizeof how);
  return how;
}

// tl_net_info within budgets: `memory`, `timeout` and `cancel` count.  With
// little time less is known.
tl_status tl_net_info_with_sized (const tl_net *, const tl_options *, tl_info *,
                                  tl_error *);
static inline tl_status tl_net_info_with (const tl_net *net,
                                          const tl_options *how, tl_info *info,
                                          tl_error *error) {
  if (info)
    info->size = sizeof *info;
  return tl_net_info_with_sized (net, how, info, error);
}

// Sets the flag, without a lock: from any thread and in signal handlers.
void tl_cancel (int *flag);

// A kind behind one of the seams, for --store=help and the like.
typedef struct tl_kind_row {
  const char *name, *blurb;
} tl_kind_row;

const tl_kind_row *tl_orders (size_t *count);
const tl_kind_row *tl_stores (size_t *count);
const tl_kind_row *tl_measure_kinds (size_t *count); // for `progress`
const tl_kind_row *tl_reductions (size_t *count);    // for `stubborn`
const tl_kind_row *tl_engines (size_t *count);       // for `engine` of tl_check
const tl_kind_row *tl_explorers (size_t *count);     // and of tl_explore
const tl_kind_row *tl_devices (size_t *count);       // for `device`
const tl_kind_row *tl_compilings (size_t *count); // in the order of tl_compile
// The names of properties that tl_questions_add_text takes.
const tl_kind_row *tl_property_names (size_t *count);

// Why a search ended.
typedef enum tl_stop {
  TL_STOP_DONE,    // every reachable state was visited
  TL_STOP_DECIDED, // every question was decided before that
  TL_STOP_MEMORY,  // budgets
  TL_STOP_STATES,
  TL_STOP_TIME,
  TL_STOP_CANCEL,    // the cancel flag
  TL_STOP_UNBOUNDED, // the net has infinitely many states: this is proven
  TL_STOP_TOKENS,    // a place outgrew what can be counted
  TL_STOP_REGRESS,   // progress was lost, and `monotone` forbids that
  TL_STOP_FAULT      // a coloured net computes something that is not defined
} tl_stop;

const char *tl_stop_text (tl_stop); // "the memory budget was reached", ...

// Transitions in firing order.  With `loop` the run goes on for ever from
// there: after the last transition the marking before transition number
// `loop_from` is reached again (or covered, for an unbounded net).
typedef struct tl_trace {
  uint32_t *transition; // null: there is no trace
  uint64_t length;
  bool loop;
  uint64_t loop_from;
  // [length] of a coloured net that is not unfolded: the steps in words, with
  // their bindings; else null.
  char **step;
} tl_trace;

// A step of a trace in words: the transition, in a coloured net with its
// binding.  Null: there is no such step.
const char *tl_trace_step (const tl_net *, const tl_trace *, uint64_t number);

// A row of the memory table.  `would_be` is what plain storage without any
// compression takes, or 0 where that means nothing.
typedef struct tl_memory_row {
  const char *name;
  size_t used; // at its largest
  size_t would_be;
} tl_memory_row;

#define TL_MEMORY_ROWS 8

// What a store of differences did.
typedef struct tl_delta {
  uint32_t k;               // depth between whole states; 0: another store
  uint64_t whole;           // states that are stored whole
  uint64_t reconstructions; // states that were compared by their differences
  double mean_length;       // differences followed for one of these
} tl_delta;

// A moment of a sweep, for the picture.
typedef struct tl_sweep_point {
  uint64_t sweep;   // counted from 1
  int64_t progress; // of the layer that was finished, its first part
  uint64_t stored, unprocessed, persistent; // states then
} tl_sweep_point;

// What the sweep-line did.
typedef struct tl_sweep {
  const char *measure; // its name; null: another order
  char *weights;       // in words
  uint64_t window;     // that it ended with; UINT64_MAX: everything was kept
  bool monotone;       // no transition that fired lost progress
  uint64_t sweeps, explored, persistent;
  uint64_t peak_states; // stored at the same time; of ranks: the sum of theirs
  uint64_t largest_layer; // states of one progress value
  uint64_t layers;        // progress values seen
  uint32_t discarded;     // measures that were tried and given up
  double choosing;        // seconds of processor time that finding one took
  bool declined;          // there was no sweep: of those tried none pays
  tl_sweep_point *point;  // not all, but the peak is among them
  size_t points;
} tl_sweep;

// What a search with its states on disk did.
typedef struct tl_disk_use {
  bool used; // the states were there as far as memory did not take them
  uint64_t written, read; // bytes
  uint64_t peak_bytes;    // of the file, at the same time
  uint64_t runs;   // of successors that were written before they were looked up
  uint64_t merges; // of known states
} tl_disk_use;

// What the symbolic engine did.
typedef struct tl_symbolic {
  const char *order;   // of the variables; null: another engine, or none ended
  uint32_t variables;  // places, or groups of places that share a token
  uint32_t tried;      // slices of time in which orders were tried
  uint64_t nodes;      // of the diagram of all markings
  uint64_t peak_nodes; // at the same time
  uint64_t collections;
} tl_symbolic;

// What became of checkpoints.
typedef struct tl_checkpoints {
  uint32_t part;     // of the run: 1, or more where it was resumed; 0: there
                     // were no checkpoints
  uint64_t written;  // in this part
  uint64_t states;   // in the one that was written last, or resumed from
  double before;     // seconds of the parts before
  char problem[256]; // why the last one could not be written, or ""
} tl_checkpoints;

// Where states that differ in the names of values only are stored once.
typedef struct tl_symmetry {
  char *classes;   // of values that can be exchanged, for people; or null
  uint64_t stored; // states
} tl_symmetry;

// A search that was to run on a device beside the processor.
typedef struct tl_on_device {
  const char *kind;  // "gpu" or "emulated"; "cpu": it did not, `why` says why;
                     // null: nobody asked
  const char *table; // what kind of table it had (docs/gpu.md)
  char name[96];
  uint64_t memory, used; // bytes that it has, and that were taken
  double start;          // seconds until it was ready: driver and compiler
  double moving;         // seconds in which tables were made larger
  char why[192];
} tl_on_device;

// What an exploration found.  When `complete` is false every number is a
// lower bound, but for dead_transitions, which is an upper bound.  It belongs
// to the caller.
typedef struct tl_exploration {
  size_t size;
  bool complete;
  // False: a sweep visited some states more than once, or stubborn sets left
  // some out; `states`, `arcs` and `deadlocks` then count visits.
  bool counted;
  bool saved; // nothing was searched: a saved graph was walked through
  // With stubborn sets "deadlock" or "property", else null; and of the arcs of
  // the states visited those that were followed.  Without stubborn sets the
  // others lead to states that were found otherwise.
  const char *stubborn;
  uint64_t followed;
  tl_stop stop;
  uint64_t states, arcs, deadlocks, dead_transitions, depth;
  uint64_t max_tokens_in_place, max_tokens_per_marking;
  uint64_t *place_max;          // [places] largest number of tokens seen
  uint8_t *fired;               // [transitions] 1: was enabled somewhere
  uint32_t places, transitions; // lengths of the two
  tl_trace deadlock;            // to the first one found
  uint32_t unbounded_place;     // with TL_STOP_UNBOUNDED and TL_STOP_TOKENS
  tl_trace unbounded;           // loop_from .. end adds tokens again and again
  const char *order, *store, *store_why;
  // Of a coloured net that is not unfolded: "compiled", or why not; else null.
  const char *compiled;
  uint32_t bits, plain_bits; // of a stored state, and with whole bytes a place
  double code_bytes;         // mean length of a state as a condensed code of
                             // multi-sets; 0: states are not coded so
  size_t store_bytes;        // of the state store at its largest
  double bytes_per_state;
  size_t peak_rss_bytes;
  uint64_t spilled_bytes; // written to temporary files
  double seconds;
  uint32_t threads;
  uint32_t widened; // how often a place outgrew its assumed bound
  tl_delta delta;   // with a store of differences
  tl_sweep sweep;   // with the order "sweep"
  // With TL_STOP_REGRESS: the way to the state after the loss, and its progress
  // and that of the state before.
  tl_trace regress;
  int64_t progress_before, progress_after;
  // With TL_STOP_FAULT: what is wrong, and the way there.
  tl_error fault;
  tl_trace fault_trace;
  tl_memory_row memory[TL_MEMORY_ROWS];
  size_t memory_rows;
  // With several threads: states that one visited on an average, as a share of
  // those of the busiest; and if more were asked for than `threads`, why not.
  double balance;
  const char *threads_why;
  // "explicit", "symbolic" or "symmetry"; null: explicit, and nobody asked.
  const char *engine;
  // Numbers of 2^64 and more in decimal, else null; `states`, `arcs` and
  // `deadlocks` are then UINT64_MAX.
  char *states_text, *arcs_text, *deadlocks_text;
  bool deadlocks_unknown; // there was no time or memory to count them
  tl_symbolic symbolic;
  tl_symmetry symmetry;
  tl_checkpoints checkpoints; // `seconds` are those of all parts
  tl_on_device device;
  uint64_t certificate_bytes; // of the certificate; 0: none was written
  // With a folder for states; and if it was not used, why not.
  tl_disk_use disk;
  const char *disk_why;
  // With several ranks: how many there were, and states that one visited on an
  // average, as a share of those of the busiest; if there was one where more
  // could have been, why.  `threads` is then that of the rank that had most.
  uint32_t ranks;
  double rank_balance;
  const char *ranks_why;
  // Successors that were sent to another rank, and in how many bytes.
  uint64_t rank_sent, rank_bytes;
  // Blocks of states that one rank expanded for another.
  uint64_t rank_blocks;
} tl_exploration;

tl_status tl_explore_sized (const tl_net *, const tl_options *,
                            tl_exploration *, tl_error *);
static inline tl_status tl_explore (const tl_net *net, const tl_options *how,
                                    tl_exploration *found, tl_error *error) {
  if (found)
    found->size = sizeof *found;
  return tl_explore_sized (net, how, found, error);
}
void tl_exploration_close (tl_exploration *);

// ---- Checkpoints -----------------------------------------------------------

// Beside the checkpoints of a run its folder may keep what was asked for, so
// that nothing else is needed to go on: the words of a command line, and copies
// of the files that they name.
typedef struct tl_request tl_request;

// A word of it: `path` is where in the word the path of an input begins, which
// is to be copied ("-": standard input), or null.
typedef struct tl_request_word {
  const char *word;
  const char *path;
} tl_request_word;

// TL_E_ARG: there is a checkpoint of a run already, or another run has the
// folder.
tl_status tl_request_save (const char *folder, const tl_request_word *,
                           size_t count, tl_error *);
// TL_E_SYNTAX: there is none, or a file is not as it was.
tl_status tl_request_open (tl_request **, const char *folder, tl_error *);
void tl_request_close (tl_request *);
// The words, with the paths of the copies; null: there are no more.
const char *tl_request_at (const tl_request *, size_t number);
// The run is over, and its checkpoint is not needed any more; `code` is kept.
tl_status tl_request_finish (const char *folder, int code, tl_error *);
bool tl_request_finished (const tl_request *, int *code);

// ---- Several processes -----------------------------------------------------

// The processes of an MPI program, the ranks, make one search, breadth-first or
// a sweep: each keeps a part of the states.  Rank 0 calls tl_explore and
// tl_check with options that have the ranks; the others call tl_ranks_follow,
// which returns when rank 0 closes its ranks.
typedef struct tl_ranks tl_ranks;

// Has an MPI launcher started this process as one of several?  Then as which,
// and of how many; 0: the launcher does not say.
bool tl_ranks_launched (uint32_t *rank, uint32_t *count);

// Joins the others: all do.  `plugin` is the file that knows MPI; null: that
// beside the program, or where it was installed.  TL_E_ARG: there is none, or
// the ranks are not of the same version.
tl_status tl_ranks_open (tl_ranks **, const char *plugin, tl_error *);
uint32_t tl_ranks_number (const tl_ranks *); // of this process, from 0 on
uint32_t tl_ranks_count (const tl_ranks *);
// Of the options `threads`, `memory` (both 0: what rank 0 says, or a fair part
// of the machine) and `cancel` count; may be null.
void tl_ranks_follow (tl_ranks *, const tl_options *);
// All ranks call it.
void tl_ranks_close (tl_ranks *);

// Draws the reachability graph in Graphviz's language.  TL_E_LIMIT and no
// file: it has more than `most_states` states.
tl_status tl_explore_dot (const tl_net *, const tl_options *, const char *path,
                          uint64_t most_states, tl_error *);

// ---- Certificates ----------------------------------------------------------

typedef enum tl_verdict {
  TL_VERDICT_UNKNOWN,
  TL_VERDICT_FALSE,
  TL_VERDICT_TRUE,
  TL_VERDICT_BOUND // the answer is `value`, or infinite
} tl_verdict;

// A question that a certificate answers.  `proof` says by what: "invariants",
// "a run", "all states", "the initial marking", or several of these.
typedef struct tl_proven {
  const char *name;    // "": it has none but the formula
  const char *formula; // as text, made from what was checked
  const char *proof;
  tl_verdict verdict;
  uint64_t value; // for TL_VERDICT_BOUND
} tl_proven;

// What checking a certificate has found.
typedef struct tl_verification {
  size_t size;
  bool verified;
  char reason[512]; // why it is refused, one sentence; "" if it is not
  char model[256];  // the name of the net inside, perhaps cut off
  uint32_t places, transitions;
  // What the certificate proves; 0 if it is refused.
  uint64_t states, arcs, deadlocks, dead_transitions, depth;
  uint64_t max_tokens_in_place, max_tokens_per_marking;
  uint64_t bytes; // of the file
  double seconds;
  bool has_states; // it is about all states: else the figures above are 0
  uint64_t facts;  // about every marking that questions are decided by
  size_t proven_count;
  struct tl_proven *proven; // see tl_verification_proven
} tl_verification;

// Checks a certificate without a search.  With a net, it must be about that
// one; null: about any.  Of the options `memory`, `timeout` and `cancel` count.
// That it is refused is a result; TL_E_SYNTAX: it is not a certificate, or
// damaged.
tl_status tl_verify_sized (const char *path, const tl_net *, const tl_options *,
                           tl_verification *, tl_error *);
static inline tl_status tl_verify (const char *path, const tl_net *net,
                                   const tl_options *how,
                                   tl_verification *found, tl_error *error) {
  if (found)
    found->size = sizeof *found;
  return tl_verify_sized (path, net, how, found, error);
}
// The questions that it answers, from 0 on; null: there are no more.
const tl_proven *tl_verification_proven (const tl_verification *,
                                         size_t number);
void tl_verification_close (tl_verification *);

// ---- Condensed graphs ------------------------------------------------------

// The whole reachability graph in a few bits an arc: states are numbers, 0 is
// the initial one, and neither markings nor labels are stored.  It never
// changes: any number of threads may use it at the same time.
typedef struct tl_condensed tl_condensed;

typedef struct tl_condensed_size {
  size_t size;
  uint64_t states, arcs; // of the graph
  // Different markings.  Less than states: a sweep has found some again, and
  // the graph is unfolded.  0: so it may be, and their number is not known.
  uint64_t markings;
  uint64_t bytes;     // of the code of the arcs and where its blocks start
  uint64_t net_bytes; // of the net, beside it in the file
  // What the layout of Mailund and Westergaard takes: two words a state, the
  // number of a transition and of a state for each arc.
  uint64_t published_bytes;
  const char *compiled; // as in tl_exploration
} tl_condensed_size;

// Builds the graph of a net, which must outlive it, breadth-first or by a
// sweep. Of the options also count those of the sweep, `memory`, `max_states`,
// `timeout`, `cancel` and progress.  Null: the exploration is not complete and
// says why.
tl_status tl_condensed_build_sized (tl_condensed **, const tl_net *,
                                    const tl_options *, tl_exploration *,
                                    tl_error *);
static inline tl_status tl_condensed_build (tl_condensed **graph,
                                            const tl_net *net,
                                            const tl_options *how,
                                            tl_exploration *found,
                                            tl_error *error) {
  if (found)
    found->size = sizeof *found;
  return tl_condensed_build_sized (graph, net, how, found, error);
}

// Does the path name a file with one?
bool tl_condensed_is (const char *path);
tl_status tl_condensed_open (tl_condensed **, const char *path, tl_error *);
// The file appears whole or not at all.
tl_status tl_condensed_save (const tl_condensed *, const char *path,
                             tl_error *);
void tl_condensed_close (tl_condensed *);

const tl_net *tl_condensed_net (const tl_condensed *);
void tl_condensed_sizes_sized (const tl_condensed *, tl_condensed_size *);
static inline tl_condensed_size tl_condensed_sizes (const tl_condensed *graph) {
  tl_condensed_size sizes;
  sizes.size = sizeof sizes;
  tl_condensed_sizes_sized (graph, &sizes);
  return sizes;
}

// How a result is written down.
typedef enum tl_form {
  TL_FORM_TEXT,  // for people
  TL_FORM_SHORT, // for people, the findings only
  TL_FORM_JSON,  // one object on one line
  TL_FORM_MCC,   // the lines of the Model Checking Contest
  // With one of these any of the following may be joined by |.  Ids or names of
  // places and transitions; a name that is not unique is never shown.  Without
  // either a text has names, and all else ids.
  TL_SHOW_IDS = 1 << 4,
  TL_SHOW_NAMES = 1 << 5,
  // With every step of a trace the places that it changes, or the marking.
  TL_SHOW_CHANGES = 1 << 6,
  TL_SHOW_MARKINGS = 1 << 7
} tl_form;

#define TL_FORM_OF(FORM) ((FORM)&15) // without what is joined to it

// Writes it as "aut" (the Aldebaran format), "dot", "graphml", "states" (a line
// for each state, its number and its marking), "csv" (a line for each marked
// place of each state) or "published" (the layout of Mailund and Westergaard);
// "-" is standard output.  Of the form ids or names count; without either
// pictures have names.
tl_status tl_condensed_export (const tl_condensed *, const char *path,
                               const char *format, tl_form, tl_error *);
// The same within budgets: of the settings `timeout` and `cancel` count.
tl_status tl_condensed_export_with (const tl_condensed *, const char *path,
                                    const char *format, tl_form,
                                    const tl_settings *, tl_error *);
// Draws the part of it around a state for Graphviz: all states that up to
// `depth` arcs lead to, forth or back.  TL_E_ARG: these are more than `most`.
tl_status tl_condensed_draw (const tl_condensed *, const char *path,
                             uint64_t state, uint32_t depth, uint64_t most,
                             tl_form, const tl_settings *, tl_error *);
// A way to a state, in a graph that was built breadth-first a shortest one. The
// trace is to be closed with tl_condensed_path_close.
tl_status tl_condensed_path (const tl_condensed *, uint64_t state, tl_trace *,
                             tl_error *);
void tl_condensed_path_close (tl_trace *);
// The same, and on by one of its arcs, counted from 0, to the target.
// TL_E_LIMIT: it has no more arcs.
tl_status tl_condensed_next (const tl_condensed *, uint64_t state, uint64_t arc,
                             tl_trace *, uint64_t *target, tl_error *);

// A state on a walk through a graph, good until the walk goes on.
typedef struct tl_condensed_visit {
  size_t size;
  uint64_t state;
  // Its arcs by transitions in ascending order; of a net that is not unfolded
  // there may be several of a transition, with other bindings.
  uint64_t arcs;
  const uint32_t *transition;
  const uint64_t *target;
  // [places]; null: the net is not unfolded.
  const uint64_t *tokens;
} tl_condensed_visit;

// Shows every state once, in an order of its own: along the tree of the arcs by
// which states were found.  Of the settings, which may be null, `timeout` and
// `cancel` count.  A visit that returns non-zero ends it: TL_E_CANCEL.
tl_status tl_condensed_walk (const tl_condensed *, const tl_settings *,
                             int (*visit) (void *context,
                                           const tl_condensed_visit *),
                             void *context, tl_error *);
// The targets of the arcs of a state in the same order, without a walk; `room`
// of them at most, and how many there are.
tl_status tl_condensed_targets (const tl_condensed *, uint64_t state,
                                uint64_t *target, size_t room, size_t *count,
                                tl_error *);

// ---- Measures of progress --------------------------------------------------

// A measure that the sweep could go by.  Estimates are 0 where there are none.
typedef struct tl_candidate {
  size_t size;
  const char *name;
  char *weights;    // in words, as `progress` of tl_options takes them
  uint64_t window;  // units of progress kept; UINT64_MAX: everything is kept
  bool linear;      // false: which transitions lose progress is not known
  uint32_t regress; // transitions that can lose progress
  double peak;      // estimated share of the states that is stored at once
  double work;      // estimated, as visits per state
  double seconds;   // of the pilot sweep
} tl_candidate;

// The measures compared, the one chosen first.  They belong to the caller.
typedef struct tl_candidates {
  size_t size, candidate_size;
  tl_candidate *candidate;
  size_t count;
  uint64_t sampled; // markings they were judged by; 0: none
  bool sampled_all; // these were all reachable ones
  double seconds;
} tl_candidates;

// Derives measures as a sweep would: `progress`, `seed`, `timeout` (0: as long
// as a sweep takes for it) and `cancel` of the options count.
tl_status tl_candidates_find_sized (const tl_net *, const tl_options *,
                                    tl_candidates *, tl_error *);
static inline tl_status tl_candidates_find (const tl_net *net,
                                            const tl_options *how,
                                            tl_candidates *found,
                                            tl_error *error) {
  if (found) {
    found->size = sizeof *found;
    found->candidate_size = sizeof *found->candidate;
  }
  return tl_candidates_find_sized (net, how, found, error);
}
void tl_candidates_close (tl_candidates *);

// ---- Questions ------------------------------------------------------------

// While one thread adds questions no other may use them; after that any number
// of threads may ask them at the same time.  Their net must outlive them.
typedef struct tl_questions tl_questions;

tl_status tl_questions_open (tl_questions **, const tl_net *, tl_error *);
// Budgets for what is added from now on: of the settings `memory`, `timeout`
// and `cancel` count.
tl_status tl_questions_limit (tl_questions *, const tl_settings *, tl_error *);
// A formula in LoLA's syntax, or one of the names deadlock, deadlock-free,
// one-safe, quasi-live, live, reversible, home-state, stable-marking, bounded,
// bounds, home 'PREDICATE'.
tl_status tl_questions_add_text (tl_questions *, const char *text, tl_error *);
// A file of these, one a line, each perhaps with `name:` before it; lines that
// begin with # are comments.  Or a file of properties in XML, a net of TAPAAL
// with its queries, or one query of it (.q).
tl_status tl_questions_add_formulas (tl_questions *, const char *path,
                                     tl_error *);
// A contest property file.
tl_status tl_questions_add_file (tl_questions *, const char *path, tl_error *);
// Those properties of a property file of Helena that have this name (null: all
// of them), for a coloured net.  *found: there is one.  Settings without a
// value are symbols of its directives; they may be null.
tl_status tl_questions_add_property (tl_questions *, const char *path,
                                     const char *name, const tl_settings *,
                                     bool *found, tl_error *);
size_t tl_questions_count (const tl_questions *);
// One sentence where a question may be read otherwise than it was meant, or
// null.
const char *tl_questions_warning (const tl_questions *, size_t question);
void tl_questions_close (tl_questions *);

// The net of the questions made smaller, so that their answers stay the same:
// what can be reached where they ask for that, else all that they see of runs.
// Of the settings `memory`, `timeout` and `cancel` count; without time it is
// not as small as it may be.  TL_E_ARG: a question is about the whole net.
tl_status tl_net_reduce (tl_net **, const tl_questions *, const tl_settings *,
                         tl_error *);

// The places or transitions that an answer is about, by their ids; those of
// a coloured net without colours.  False: quasi-live, transitions that are
// never enabled (decided by the structure, not necessarily all of them); live,
// those that are dead where the trace leads; one-safe, places with several
// tokens there.  True: stable-marking, places that never change.
typedef struct tl_culprits {
  const char **id; // null: there are none, or no memory for them
  size_t count;
  bool places;
  const char *what; // "never enabled"
} tl_culprits;

struct tl_answer {
  size_t size;
  const char *name;
  char *formula; // as text
  tl_verdict verdict;
  uint64_t value; // of a bound; a lower bound while the verdict is unknown
  bool infinite;
  const char *engine;      // "reach", "bounds", ...
  const char *unknown_why; // for TL_VERDICT_UNKNOWN
  double seconds;
  tl_trace trace;
  tl_culprits culprits;
  bool unfolded; // of a coloured net, and the unfolded one was searched
  bool reduced;  // with stubborn sets
  // With a certificate: what proves it there, as tl_proven says; null: it is
  // not in it, and then why not.
  const char *certified, *uncertified_why;
};

// They belong to the caller.  Their names are those of the questions, which
// must outlive them.  `run` stays the last one: it grows.
typedef struct tl_answers {
  size_t size, answer_size;
  tl_answer *answer;
  size_t count;
  tl_exploration run;
} tl_answers;

// The questions are about this net.
tl_status tl_check_sized (const tl_net *, const tl_questions *,
                          const tl_options *, tl_answers *, tl_error *);
static inline tl_status tl_check (const tl_net *net,
                                  const tl_questions *questions,
                                  const tl_options *how, tl_answers *answers,
                                  tl_error *error) {
  if (answers) {
    answers->size = sizeof *answers;
    answers->answer_size = sizeof *answers->answer;
  }
  return tl_check_sized (net, questions, how, answers, error);
}

// The same from a graph, without a search; the questions are about its net.  Of
// the options `memory`, `timeout` and `cancel` count.
tl_status tl_condensed_check_sized (const tl_condensed *, const tl_questions *,
                                    const tl_options *, tl_answers *,
                                    tl_error *);
static inline tl_status tl_condensed_check (const tl_condensed *graph,
                                            const tl_questions *questions,
                                            const tl_options *how,
                                            tl_answers *answers,
                                            tl_error *error) {
  if (answers) {
    answers->size = sizeof *answers;
    answers->answer_size = sizeof *answers->answer;
  }
  return tl_condensed_check_sized (graph, questions, how, answers, error);
}
void tl_answers_close (tl_answers *);

// Fires the trace from the initial marking; false: a transition of it is not
// enabled where it should fire.
bool tl_trace_replay (const tl_net *, const tl_trace *);

// A trace that is fired step by step, to see the markings on the way.
typedef struct tl_playback tl_playback;

// Tokens of a place, in a coloured net those of one colour.
typedef struct tl_marked {
  const char *id;          // "waiting", or with the colour "waiting(3)"
  uint32_t place;          // number of the place; of the coloured one
  uint64_t before, tokens; // before the last step, and now
} tl_marked;

// In the initial marking.  Net and trace must outlive it; it is for one thread.
tl_status tl_playback_open (tl_playback **, const tl_net *, const tl_trace *,
                            tl_error *);
void tl_playback_close (tl_playback *);
// Fires the next step.  TL_E_LIMIT: there is none.  TL_E_ARG: it is not
// enabled.
tl_status tl_playback_step (tl_playback *, tl_error *);
// Places with tokens, and those that the last step changed; how many there are.
size_t tl_playback_marking (tl_playback *, const tl_marked **);
size_t tl_playback_changes (tl_playback *, const tl_marked **);

// A step that is enabled: a transition, in a coloured net with a binding.
typedef struct tl_choice {
  uint32_t transition;
  const char *step; // in words, as in a trace
} tl_choice;

// What is enabled now, by transitions in ascending order; good until the next
// step.  TL_E_ARG: something that a net computes is not defined here.
tl_status tl_playback_choices (tl_playback *, const tl_choice **, size_t *count,
                               tl_error *);

// The token game: a run that grows by the steps that somebody chooses, and
// shrinks when they are taken back.  It is for one thread.
typedef struct tl_game tl_game;

// In the initial marking.  The net must outlive it.
tl_status tl_game_open (tl_game **, const tl_net *, tl_error *);
void tl_game_close (tl_game *);
// The number of the choice that is meant by these words: its step, or its
// transition by id or by name, if only one step of that is enabled.  TL_E_ARG:
// none is, or several are.
tl_status tl_game_find (tl_game *, const char *words, size_t *choice,
                        tl_error *);
// Fires one of the choices, or a step of a trace of this net.  TL_E_ARG: it is
// not enabled, and nothing has changed.
tl_status tl_game_fire (tl_game *, const tl_choice *, tl_error *);
// Back to the marking after so many steps; 0: the initial one.
tl_status tl_game_back (tl_game *, uint64_t steps, tl_error *);
// The run so far, and its last marking with what is enabled there; good until
// the game goes on.
const tl_trace *tl_game_trace (const tl_game *);
tl_playback *tl_game_playback (tl_game *);

// ---- Reports --------------------------------------------------------------

// Texts of results; null when there is no memory for one.  Give them back with
// tl_text_close.
char *tl_exploration_report (const tl_net *, const tl_exploration *, tl_form);
char *tl_answers_report (const tl_net *, const tl_answers *, tl_form);
// Of a model that a budget or an interrupt kept from being read, with what
// tl_net_open_with has said.
char *tl_unread_report (const char *path, const tl_error *, tl_form);
// The contest's line about one answer.
char *tl_answer_report (const tl_answer *);
char *tl_info_report (const tl_net *, const tl_info *, tl_form);
char *tl_condensed_report (const tl_net *, const tl_condensed_size *, tl_form);
char *tl_verification_report (const tl_verification *, tl_form);
// The same with what building it took; null: that is not known.
char *tl_condensed_built_report (const tl_net *, const tl_condensed_size *,
                                 const tl_exploration *, tl_form);
// A way to a state, a transition a line.
char *tl_condensed_path_report (const tl_net *, const tl_trace *,
                                uint64_t state, tl_form);
// The marking of a state and its successors, as text or JSON.
char *tl_condensed_state_report (const tl_condensed *, uint64_t state, tl_form);
// Where a game stands: the last step and what it changed, the marking, and what
// is enabled, numbered from 1; as text for people the first few, as JSON all.
char *tl_game_report (const tl_net *, tl_game *, tl_form);
// A run, a transition a line; with markings if the form says so.
char *tl_trace_report (const tl_net *, const tl_trace *, tl_form);
char *tl_candidates_report (const tl_net *, const tl_candidates *, tl_form);
// With TL_STOP_REGRESS: the transition that loses progress, the markings before
// and after it, and the way there.
char *tl_regress_report (const tl_net *, const tl_exploration *, tl_form);
// What is wrong in a model, with TL_STOP_FAULT.
char *tl_fault_report (const tl_net *, const tl_exploration *, tl_form);
// A picture of a sweep, in SVG; null where none was made.
char *tl_sweep_plot (const tl_net *, const tl_exploration *);
// The traces in full: a line for each transition, and lines that begin with #
// to say what a trace shows.  "" when there is no trace.
char *tl_exploration_traces (const tl_net *, const tl_exploration *, tl_form);
char *tl_answers_traces (const tl_net *, const tl_answers *, tl_form);
// One line, without an end: "12.0 s  1,234,567 states ..." to the memory in use
// and its share of the budget.
char *tl_progress_report (const tl_progress *);
void tl_text_close (char *);

// ---- Pages ----------------------------------------------------------------

// A result as one page for a browser, which needs nothing else: the answer in
// words, the net as a picture, and its traces to play.  Texts as above.  Names
// of nodes are shown, or ids where the form says so.

// What Graphviz makes of the sketches below: the output of `dot -Tplain`.  Null
// where there is none, then the page draws by a simple layout of its own.
typedef struct tl_page_layout {
  const char *net, *graph;
} tl_page_layout;

// The layout may be null.  So may the graph, of all states; one that is small
// is drawn.
char *tl_answers_page (const tl_net *, const tl_answers *, tl_form,
                       const tl_page_layout *);
char *tl_exploration_page (const tl_net *, const tl_exploration *,
                           const tl_condensed *, tl_form,
                           const tl_page_layout *);
char *tl_condensed_page (const tl_condensed *, const tl_exploration *built,
                         tl_form, const tl_page_layout *);
char *tl_game_page (const tl_net *, tl_game *, tl_form, const tl_page_layout *);

// The net, and a small graph, in Graphviz's language, without names and as
// large as pages draw nodes.  Null also where it is no small graph, or the net
// has more than `most` nodes and arcs.
char *tl_net_sketch (const tl_net *, uint64_t most, tl_form);
char *tl_condensed_sketch (const tl_condensed *);

// ---- Files ----------------------------------------------------------------

// Writes a text to a file, which appears whole or not at all; "-" is standard
// output.
tl_status tl_text_save (const char *text, const char *path, tl_error *);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
