#ifndef TL_CLI_CLI_H
#define TL_CLI_CLI_H

#include "cli/options.h"
#include "tideline.h"

// What the commands share.  Answers go to standard output, everything else to
// standard error.

// Exit codes; people script against them.
enum {
  EXIT_HOLDS = 0,      // finished, and every property asked holds
  EXIT_VIOLATED = 1,   // finished, and at least one does not
  EXIT_USAGE = 2,      // bad usage or bad input
  EXIT_UNFINISHED = 3, // a budget or an interrupt ended it
  EXIT_FAULT = 4       // a fault inside tideline or the machine
};

typedef struct command {
  const char *name, *operands, *blurb;
  unsigned bit;                 // in options.def; 0: takes no options
  size_t fewest, most;          // operands
  int (*run) (const options *); // null: of help
} command;

extern const command command_table[]; // ends with a row without a name

int run_explore (const options *);
int run_check (const options *);
int run_graph (const options *);
int run_info (const options *);
int run_mcc (const options *);
int run_progress (const options *);
int run_convert (const options *);
int run_example (const options *);
int run_simulate (const options *);
int run_resume (const options *);
int run_verify (const options *);
int run_help (int argc, char **argv);

void print_help (const command *); // null: of the whole program
void print_plays (void);           // the commands of simulate
const command *find_command (const char *name);

// Runs the command by several processes, where an MPI launcher has started
// them; *code is the exit code of this one.  False: there are no others.
bool run_among_ranks (const command *, options *, int *code);
// While it goes on, nothing that this process prints is seen, unless it is the
// first.  True: it is another.
bool hush_followers (bool on);

// ---- Complaints: `tideline: ...` on standard error, and the exit code.

int usage_error (const char *format, ...)
    __attribute__ ((format (printf, 1, 2)));
int fault (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

// What the library says.
int library_error (const tl_error *);
// The same of what ended the command before there was a result: where that is
// a budget or an interrupt, the command's output is that.
int end_error (const tl_error *, const options *, const char *path);

// The same about a text on the command line, which is shown below.
int text_error (const tl_error *, const char *text);

// Something that need not be wrong.
void warn (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

// The name in the list that is most like `word`, or null when none is.
// `at` gives the name number i, null at the end.
const char *nearest (const char *word,
                     const char *(*at) (const void *context, size_t i),
                     const void *context);

// ---- Work in common

// Reads the model that the first operand names; 0 or an exit code.
int open_model (tl_net **, const options *);
// That of this name.
int open_named (tl_net **, const options *, const char *path);
// That of the first operand, but a coloured net is unfolded however large it
// becomes.
int open_unfolded (tl_net **, const options *);

// What -D says; false: no memory.  To be closed either way.
bool settings_open (tl_settings *, const options *);
void settings_close (tl_settings *);

// What check is asked: the formulas typed, those of files, and the properties
// of a net of Helena.
bool something_asked (const options *);
// An option that names the properties that are asked though nobody has named
// their file, made with malloc.  Null: there are none.
char *implied_option (const options *);
int read_questions (tl_questions *, const options *); // 0 or an exit code

// Is the measure a slip of a name, and no place of the net?  0 or an exit code.
int check_measure (const tl_net *, const options *);

// Can the files that are to be written be made?  A long search should not end
// with the news that they cannot.  0 or an exit code.
int check_outputs (const options *);
// Complains that one of them was not; 0.
int not_written (const char *path, const char *why);

// The format to write in: as asked, or by the ending of the file, or
// `otherwise`; null after a complaint.
const char *choose_format (const options *, const char *otherwise);

// How to write a result down; `contest` tells whether in the contest's lines.
tl_form form_wanted (const options *, bool contest);
// The same for a file with a trace.
tl_form trace_form (const options *);

// Prints a text of the library and closes it; 0 or an exit code.
int print_text (char *text);
// Writes a text of the library to a file and closes it.
int save_text (char *text, const char *path);

// Keeps what is asked for beside the checkpoints, if these are wanted; 0 or an
// exit code.  An input that was standard input is then a copy of it.  `implied`
// is an option with a path behind its =, which nobody has typed; or null.
int keep_request (const options *, const char *name, const char *implied);
// The run is over, with that exit code: says how to go on, or that there is
// nothing left.  Returns the code.
int end_request (const options *, const tl_exploration *, int code);

// Contest lines, printed as soon as an answer is known.
typedef struct telling {
  const char *name; // of the only answer; null: they have their own
  int code;         // exit code: they cannot be printed
} telling;

// From now on, in a search with these options.
void tell_answers (telling *, tl_options *);
// At the end: the questions that are open.  0 or an exit code.
int tell_open (telling *, const tl_answers *);

// Progress was lost, and --monotone forbids that: says where, and writes the
// trace there if one is wanted.
int regress_error (const tl_net *, const tl_exploration *, const options *);
int fault_error (const tl_net *, const tl_exploration *, const options *);

// Draws the sweep if that is wanted; 0 or an exit code.
int save_plot (const tl_net *, const tl_exploration *, const options *);

// Writes the page if one is wanted; 0 or an exit code.
int save_answers_page (const tl_net *, const tl_answers *, const options *);
int save_exploration_page (const tl_net *, const tl_exploration *,
                           const options *);
int save_graph_page (const tl_condensed *, const tl_exploration *,
                     const options *);
int save_game_page (const tl_net *, tl_game *, const options *);

// What Graphviz makes of a sketch, which is closed; null where it is not
// installed or takes long, and for no sketch.
char *lay_out (char *sketch);

// A search: its options, with signals and the progress line connected.
typedef struct search {
  tl_options how;
  bool terminal; // show a progress line
  bool warned;   // that a checkpoint could not be written
  double last;   // when it was written, in seconds of the search
} search;

// Says on a terminal what goes on (`doing` and `what`), if that takes more than
// a second.
void phase_begin (const options *, const char *doing, const char *what);
void phase_end (void);

// Once, at the start of the program.  Interrupts end it at once but for those
// between work_begin and work_end, which end the work.
void catch_signals (void);
// Seconds that only go forward.
double clock_now (void);
// Work that can be interrupted, and that has what is left of the time since the
// program was started; both are for the options of the library.
void work_begin (const options *, double *timeout, int **cancel);
void work_end (void);
// An interrupt that has ended work is no reason to end more of it.
void work_resume (void);
// For writing to a file; ended by work_end.
void writing_begin (const options *, const char *path, tl_settings *);
void search_begin (search *, const options *);
void search_end (const search *);

#endif
