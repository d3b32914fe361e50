#include "cli/options.h"
#include "cli/cli.h"
#include "cli/quantities.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const option_row option_table[] = {
#define OPTION(FIELD, KIND, COMMANDS, LOW, HIGH, LETTER, NAME, ARGUMENT, HELP) \
  {offsetof (options, FIELD),                                                  \
   KIND_##KIND,                                                                \
   COMMANDS,                                                                   \
   LOW,                                                                        \
   HIGH,                                                                       \
   LETTER,                                                                     \
   NAME,                                                                       \
   ARGUMENT,                                                                   \
   HELP},
#include "cli/options.def"
#undef OPTION
    {0}};

static bool parse_window (const char *text, uint64_t *value) {
  *value = UINT64_MAX;
  return !strcmp (text, "all") ||
         (parse_count (text, value) && *value < TL_WINDOW_AUTO);
}

static void print_kinds (const tl_kind_row *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    printf ("%-16s%s\n", rows[i].name, rows[i].blurb);
}

// How traces are shown; known to the command line only.
static const tl_kind_row markings[] = {
    {"changed", "the places that a step changes (default on a terminal)"},
    {"all", "every marked place"},
    {"none", "the transitions only (default elsewhere)"}};
static const tl_kind_row labels[] = {
    {"id", "ids (default of --json, --trace and --aut)"},
    {"name", "names, where no other node has the same (default elsewhere)"}};

// The table that names of an option come from, and what one of them is called.
static const tl_kind_row *kind_rows (option_kind kind, const char **noun,
                                     size_t *count) {
  switch (kind) {
  case KIND_ORDER: *noun = "order"; return tl_orders (count);
  case KIND_STORE: *noun = "store"; return tl_stores (count);
  case KIND_STUBBORN: *noun = "reduction"; return tl_reductions (count);
  case KIND_ENGINE: *noun = "engine"; return tl_engines (count);
  case KIND_EXPLORER: *noun = "engine"; return tl_explorers (count);
  case KIND_DEVICE: *noun = "device"; return tl_devices (count);
  case KIND_COMPILING: *noun = "way of compiling"; return tl_compilings (count);
  case KIND_MARKINGS:
    *noun = "way of showing markings";
    *count = sizeof markings / sizeof *markings;
    return markings;
  case KIND_LABELS:
    *noun = "kind of labels";
    *count = sizeof labels / sizeof *labels;
    return labels;
  default: *noun = "measure"; return tl_measure_kinds (count);
  }
}

// A name of a table of kinds; -1 or the exit code to end with.  A measure may
// be an expression as well, which only the net can tell right or wrong.
static int parse_kind (const option_row *row, const char *text,
                       const char **value) {
  size_t count;
  const char *noun;
  const bool store = row->kind == KIND_STORE;
  const tl_kind_row *rows = kind_rows (row->kind, &noun, &count);
  const tl_kind_row automatic = {"auto", "the one that suits the net"};
  const tl_kind_row time_passed = {"time", "of a timed net: its clock"};
  *value = text;
  if (!strcmp (text, "help")) {
    if (store)
      print_kinds (&automatic, 1);
    print_kinds (rows, count);
    if (row->kind == KIND_MEASURE)
      print_kinds (&time_passed, 1);
    return EXIT_HOLDS;
  }
  if ((store && !strcmp (text, automatic.name)) || row->kind == KIND_MEASURE)
    return -1;
  for (size_t i = 0; i < count; i++)
    if (!strcmp (text, rows[i].name))
      return -1;
  return usage_error ("--%s: there is no %s '%s'; --%s=help lists them",
                      row->name, noun, text, row->name);
}

static int parse_number (const option_row *row, const char *text, void *field) {
  switch (row->kind) {
  case KIND_SECONDS: {
    double *value = field;
    if (parse_time (text, value) && *value >= (double)row->low &&
        *value <= (double)row->high)
      return -1;
    return usage_error ("--%s: '%s' is not a time such as 90, 1.5h or 10m, "
                        "from %" PRIu64 " to %" PRIu64 " seconds",
                        row->name, text, row->low, row->high);
  }
  case KIND_SIZE:
    if (parse_size (text, field) && *(uint64_t *)field <= row->high)
      return -1;
    return usage_error ("--%s: '%s' is not a size such as 500M or 2GiB",
                        row->name, text);
  case KIND_WINDOW:
    if (parse_window (text, field))
      return -1;
    return usage_error ("--%s: '%s' is neither a number of units of progress "
                        "nor all",
                        row->name, text);
  default:
    if (parse_count (text, field) && *(uint64_t *)field >= row->low &&
        *(uint64_t *)field <= row->high)
      return -1;
    return usage_error ("--%s: '%s' is not a number from %" PRIu64
                        " to %" PRIu64,
                        row->name, text, row->low, row->high);
  }
}

static int set_option (options *o, const option_row *row, const char *text) {
  void *field = (char *)o + row->offset;
  switch (row->kind) {
  case KIND_FLAG: *(bool *)field = true; return -1;
  case KIND_TEXT: *(const char **)field = text; return -1;
  case KIND_LIST: {
    list *l = field;
    l->item[l->count++] = text;
    return -1;
  }
  case KIND_ORDER:
  case KIND_STORE:
  case KIND_STUBBORN:
  case KIND_ENGINE:
  case KIND_EXPLORER:
  case KIND_DEVICE:
  case KIND_COMPILING:
  case KIND_MARKINGS:
  case KIND_LABELS:
  case KIND_MEASURE: return parse_kind (row, text, field);
  default: return parse_number (row, text, field);
  }
}

// The options of a command, one after another.
static const char *option_name_at (const void *c, size_t i) {
  const option_row *row = option_table;
  for (; row->name; row++)
    if (row->commands & ((const command *)c)->bit && !i--)
      break;
  return row->name;
}

// The row for a name of `length` bytes, or for a letter when that is 0, that
// one of the commands takes.
static const option_row *find_row (unsigned commands, const char *name,
                                   size_t length) {
  for (const option_row *row = option_table; row->name; row++)
    if (row->commands & commands &&
        (length ? strlen (row->name) == length &&
                      !strncmp (row->name, name, length)
                : row->letter && row->letter == *name))
      return row;
  return 0;
}

static int unknown_option (const command *c, const char *word) {
  const bool is_long = word[1] == '-';
  const int length = is_long ? (int)strcspn (word, "=") : 2;
  if (find_row (~0u, word + 1 + is_long, is_long ? (size_t)length - 2 : 0))
    return usage_error ("'%s' has no option '%.*s'; see tideline help %s",
                        c->name, length, word, c->name);
  char name[64] = "";
  if (is_long)
    snprintf (name, sizeof name, "%.*s", length - 2, word + 2);
  const char *like = nearest (name, option_name_at, c);
  if (like)
    return usage_error ("unknown option '%.*s'; did you mean '--%s'?", length,
                        word, like);
  return usage_error ("unknown option '%.*s'; see tideline help %s", length,
                      word, c->name);
}

// One option at argv[*at], which is left at the last word it takes.
static int parse_option (options *o, const command *c, int argc, char **argv,
                         int *at) {
  const char *word = argv[*at];
  const bool is_long = word[1] == '-';
  const size_t length = is_long ? strcspn (word + 2, "=") : 0;
  const option_row *row = find_row (c->bit, word + 1 + is_long, length);
  if (!row)
    return unknown_option (c, word);
  const char *value = is_long ? word + 2 + length : word + 2;
  const bool glued = *value;
  if (is_long && glued)
    value++; // the =
  if (row->kind == KIND_FLAG)
    return glued ? usage_error ("--%s takes no value", row->name)
                 : set_option (o, row, 0);
  if (!glued) {
    if (*at + 1 >= argc)
      return usage_error ("--%s needs a value: %s", row->name, row->argument);
    value = argv[++*at];
  }
  return set_option (o, row, value);
}

static bool give_room (options *o, size_t words) {
  bool ok = (o->operands.item = calloc (words + 1, sizeof (char *)));
  for (const option_row *row = option_table; row->name; row++)
    if (row->kind == KIND_LIST) {
      list *l = (list *)((char *)o + row->offset);
      ok &= (l->item = calloc (words + 1, sizeof (char *))) != 0;
    }
  return ok;
}

// The option given that only the sweep has, or null.
static const char *sweep_option (const options *o) {
  return o->progress                   ? "progress"
         : o->window != TL_WINDOW_AUTO ? "window"
         : o->monotone                 ? "monotone"
         : o->exact_count              ? "exact-count"
         : o->plot                     ? "plot"
                                       : 0;
}

// A set of states has no ways to them.
static int check_symbolic (const options *o) {
  const char *ordered = o->order ? "order" : sweep_option (o);
  if (ordered)
    return usage_error ("--%s: states have no order with --engine symbolic",
                        ordered);
  if (strcmp (o->stubborn, "none"))
    return usage_error ("--stubborn: --engine symbolic leaves out no states");
  if (o->trace)
    return usage_error ("--trace: there are no traces with --engine symbolic");
  if (o->max_states)
    return usage_error ("--max-states: --engine symbolic finds all states at "
                        "once");
  return -1;
}

// One state stands for many: there are no ways between them that could be told.
static int check_symmetry (const options *o) {
  const char *ordered =
      o->order && strcmp (o->order, "bfs") ? "order" : sweep_option (o);
  if (ordered)
    return usage_error ("--%s: --engine symmetry goes breadth-first", ordered);
  if (strcmp (o->stubborn, "none"))
    return usage_error ("--stubborn: --engine symmetry leaves out no orbits");
  if (o->trace)
    return usage_error ("--trace: there are no traces with --engine symmetry");
  return -1;
}

// A set of states is found at once, and orbits are not told one by one.
static int check_checkpoints (const options *o) {
  if (o->every > 0 && !o->checkpoint)
    return usage_error ("--every goes with --checkpoint");
  if (o->checkpoint && o->explorer && strcmp (o->explorer, "explicit"))
    return usage_error ("--checkpoint goes with --engine explicit");
  return -1;
}

// What goes with what.  An option of the sweep asks for the sweep; beside
// another order it would do nothing, which cannot be what was meant.
static int check_options (options *o, const command *c) {
  const char *sweeping = sweep_option (o);
  const char *explorer = o->explorer ? o->explorer : "explicit";
  const int code = !strcmp (explorer, "symbolic")   ? check_symbolic (o)
                   : !strcmp (explorer, "symmetry") ? check_symmetry (o)
                                                    : -1;
  const int other =
      code >= 0 || c->bit == RESUME ? code : check_checkpoints (o);
  if (other >= 0)
    return other;
  if (o->variables && c->bit & EXPLORE &&
      (!o->explorer || !strcmp (o->explorer, "explicit")))
    return usage_error ("--variables goes with --engine symbolic or auto");
  if (!o->order)
    o->order = sweeping ? "sweep" : tl_options_default ().order;
  if (sweeping && strcmp (o->order, "sweep"))
    return usage_error ("--%s goes with --order sweep, not with %s", sweeping,
                        o->order);
  if (o->disk && strcmp (o->order, "bfs"))
    return usage_error ("--disk goes with --order bfs, not with %s", o->order);
  if (c->bit & EXPLORE && !strcmp (o->stubborn, "property"))
    return usage_error ("--stubborn: property needs one to keep; it goes with "
                        "check");
  if (o->exact_count && strcmp (o->stubborn, "none"))
    return usage_error ("--exact-count: with --stubborn %s not every state is "
                        "visited",
                        o->stubborn);
  return -1;
}

int options_parse (options *o, const command *c, int argc, char **argv) {
  const tl_options usual = tl_options_default ();
  *o = (options){.store = usual.store,
                 .window = usual.window,
                 .stubborn = usual.stubborn,
                 .engine = usual.engine,
                 .memory = usual.memory,
                 .max_states = usual.max_states,
                 .timeout = usual.timeout,
                 .delta_k = usual.delta_k,
                 .threads = usual.threads,
                 .seed = usual.seed,
                 .path = NO_STATE,
                 .state = NO_STATE,
                 .around = NO_STATE,
                 .steps = 2,
                 .start = clock_now (),
                 .words = argc,
                 .word = argv};
  if (!give_room (o, (size_t)argc))
    return fault ("out of memory");
  bool options_ended = false;
  for (int i = 0; i < argc; i++) {
    const char *word = argv[i];
    int code = -1;
    if (options_ended || word[0] != '-' || !word[1])
      o->operands.item[o->operands.count++] = word;
    else if (!strcmp (word, "--"))
      options_ended = true;
    else if (!strcmp (word, "--help") || !strcmp (word, "-h"))
      return print_help (c), EXIT_HOLDS;
    else
      code = parse_option (o, c, argc, argv, &i);
    if (code >= 0)
      return code;
  }
  return check_options (o, c);
}

void options_close (options *o) {
  free (o->operands.item);
  for (const option_row *row = option_table; row->name; row++)
    if (row->kind == KIND_LIST)
      free (((list *)((char *)o + row->offset))->item);
}
