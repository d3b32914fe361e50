#ifndef TL_CLI_OPTIONS_H
#define TL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The options of the command line, made from the table in options.def.
//
// `--name=value` and `--name value` are the same, letters may be glued
// (`-ofile`), `--` ends the options, and options and operands may be mixed.

// Bits that say which commands take an option.
enum {
  EXPLORE = 1 << 0,
  CHECK = 1 << 1,
  INFO = 1 << 2,
  CONVERT = 1 << 3,
  EXAMPLE = 1 << 4,
  PROGRESS = 1 << 5,
  GRAPH = 1 << 6,
  MCC = 1 << 7,
  SIMULATE = 1 << 8,
  RESUME = 1 << 9,
  VERIFY = 1 << 10,
  RUNS = EXPLORE | CHECK
};

#define NO_STATE UINT64_MAX // --path or --state was not given

typedef struct list {
  const char **item; // room for every word of the command line
  size_t count;
} list;

// The C types of the kinds of options.
typedef const char *type_ORDER, *type_STORE, *type_STUBBORN, *type_ENGINE,
    *type_EXPLORER, *type_DEVICE, *type_COMPILING, *type_MEASURE,
    *type_MARKINGS, *type_LABELS, *type_TEXT;
typedef uint64_t type_COUNT, type_SIZE, type_WINDOW;
typedef double type_SECONDS;
typedef bool type_FLAG;
typedef list type_LIST;

typedef struct options {
  list operands;
  double start; // of the program, by clock_now
  int words;    // behind the command
  char **word;
  bool resumes;            // from the checkpoint
  struct tl_ranks *joined; // other processes; null: there are none
#define OPTION(FIELD, KIND, ...) type_##KIND FIELD;
#include "cli/options.def"
#undef OPTION
} options;

typedef enum option_kind {
  KIND_FLAG,
  KIND_COUNT,
  KIND_SIZE,
  KIND_WINDOW,
  KIND_SECONDS,
  KIND_TEXT,
  KIND_ORDER,
  KIND_STORE,
  KIND_STUBBORN,
  KIND_ENGINE,
  KIND_EXPLORER,
  KIND_DEVICE,
  KIND_COMPILING,
  KIND_MEASURE,
  KIND_MARKINGS,
  KIND_LABELS,
  KIND_LIST
} option_kind;

typedef struct option_row {
  size_t offset; // of its field
  option_kind kind;
  unsigned commands;
  uint64_t low, high;
  char letter;
  const char *name, *argument, *help;
} option_row;

// The table; ends with a row without a name.
extern const option_row option_table[];

// Fills `o` from the words after the command.  Returns -1 to go on, or the
// exit code to end with (after --help, --store=help, or a complaint).
struct command;
int options_parse (options *o, const struct command *, int argc, char **argv);
void options_close (options *);

#endif
