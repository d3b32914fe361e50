// Help, and the same tables for the man page and the shell's completion.

#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#define INDENT 29
#define COLUMNS 79

// Words of `text` from column INDENT on; the cursor stands at `column`.
static void print_wrapped (const char *text, int column) {
  if (column > INDENT - 2) {
    putchar ('\n');
    column = 0;
  }
  printf ("%*s", INDENT - column, "");
  column = INDENT;
  while (*text) {
    const int length = (int)strcspn (text, " ");
    if (column > INDENT && column + 1 + length > COLUMNS) {
      printf ("\n%*s", INDENT, "");
      column = INDENT;
    }
    column += printf ("%s%.*s", column > INDENT ? " " : "", length, text);
    text += length;
    text += strspn (text, " ");
  }
  putchar ('\n');
}

static int print_option_name (const option_row *row) {
  int column = row->letter ? printf ("  -%c, ", row->letter) : printf ("  ");
  column += printf ("--%s", row->name);
  if (row->argument)
    column += printf (" %s", row->argument);
  return column;
}

static void print_options (unsigned bit) {
  puts ("\nOptions:");
  for (const option_row *row = option_table; row->name; row++)
    if (row->commands & bit)
      print_wrapped (row->help, print_option_name (row));
  print_wrapped ("show this text", printf ("  -h, --help"));
}

static void print_families (void) {
  size_t count;
  const tl_family *families = tl_example_families (&count);
  puts (
      "\nFamilies, those with * also and those with ** only as coloured nets\n"
      "in Helena's language (--format lna):");
  for (size_t i = 0; i < count; i++)
    print_wrapped (families[i].blurb,
                   printf ("  %s %s%s", families[i].name, families[i].sizes,
                           !families[i].coloured ? ""
                           : families[i].plain   ? " *"
                                                 : " **"));
}

static const char *const model_help =
    "\nMODEL is a file in PNML, LoLA's, TINA's, TAPAAL's, GreatSPN's or "
    "Helena's\nformat or a graph, told by its content, or - for standard "
    "input.\n";

static const char *const check_help =
    "\nFORMULA is written as for LoLA, in CTL, LTL or CTL*,\n"
    "  EF (p1 + p2 >= 3)          such a marking can be reached\n"
    "  AG (p1 = 0 OR p2 < 2)      every reachable marking is like this\n"
    "  AG NOT FIREABLE (t)        t can never fire\n"
    "  AG (p1 = 1 -> AF p2 = 1)   CTL: after p1 there is p2, on every way\n"
    "  G F p1 = 1                 LTL: on every run p1 comes again and again\n"
    "  E (G F p1 = 1 AND F p2 = 1)  CTL*: on some run both are so\n"
    "  AG p1 + p2 < oo            their sum has a bound\n"
    "  MAX (p1 + p2)              which is the least one?\n"
    "or is one of the names\n"
    "  deadlock-free              no dead marking can be reached\n"
    "  deadlock                   one can: true where there is a deadlock\n"
    "  one-safe                   no place ever holds two tokens\n"
    "  bounded                    no place gains tokens without end\n"
    "  quasi-live                 every transition can fire some day\n"
    "  live                       ... again and again, whatever happens\n"
    "  reversible                 the initial marking can be reached again\n"
    "  home-state                 some marking can, whatever happens\n"
    "  stable-marking             some place never changes its tokens\n"
    "  bounds                     the most tokens of each place\n"
    "  home 'PREDICATE'           from every reachable marking one like this\n"
    "                             can be reached: AG EF PREDICATE\n"
    "or @FILE: a file with one of these a line.  Without any, the properties "
    "of\n"
    "model.prop.lna beside model.lna are asked.\n"
    "\nThe exit code is 3 if an answer is unknown, else 1 if one is false, "
    "else 0.\n";

static const char *const mcc_help =
    "\nThe environment says what to do, as in the Model Checking Contest:\n"
    "  BK_EXAMINATION             StateSpace, ReachabilityDeadlock,\n"
    "                             QuasiLiveness, StableMarking, Liveness,\n"
    "                             OneSafe, UpperBounds, or one of\n"
    "                             Reachability, CTL and LTL with Cardinality "
    "or\n"
    "                             Fireability behind it\n"
    "  BK_TIME_CONFINEMENT        seconds that it may take\n"
    "  BK_MEMORY_CONFINEMENT      megabytes that it may take\n"
    "The net is model.pnml in the current folder, and formulas are in a file\n"
    "such as CTLFireability.xml beside it.  Each answer is a line FORMULA or\n"
    "STATE_SPACE, printed as soon as it is known.\n"
    "\nThe exit code is 3 if one is CANNOT_COMPUTE, else 0.\n";

static void print_simulate_help (void) {
  puts (
      "\nCommands are read from standard input, a line each; with -c they are\n"
      "taken from the command line:");
  print_plays ();
  puts ("A number or the name of a step alone fires it.  At a terminal a wrong "
        "line is\nno harm; a script ends there.");
}

static void print_command_help (const command *c) {
  printf ("usage: tideline %s %s%s\n\n", c->name, c->operands,
          c->bit ? " [options]" : "");
  printf ("%s.\n", c->blurb);
  if (c->bit & (RUNS | INFO | CONVERT | PROGRESS | GRAPH | SIMULATE))
    fputs (model_help, stdout);
  if (c->bit & CHECK)
    fputs (check_help, stdout);
  if (c->bit & MCC)
    fputs (mcc_help, stdout);
  if (c->bit & SIMULATE)
    print_simulate_help ();
  if (c->bit & EXAMPLE)
    print_families ();
  if (c->bit)
    print_options (c->bit);
}

void print_help (const command *c) {
  if (c) {
    print_command_help (c);
    return;
  }
  puts ("usage: tideline COMMAND ... | --version\n\n"
        "Tideline visits every reachable state of a Petri net and answers "
        "questions\nabout them.\n\nCommands:");
  for (c = command_table; c->name; c++)
    if (c->run || !strcmp (c->name, "help"))
      print_wrapped (c->blurb, printf ("  %s %s", c->name, c->operands));
  puts ("\n"
        "tideline help COMMAND shows the options of a command.\n\n"
        "Exit codes: 0 finished, every property holds; 1 finished, a property "
        "is\nviolated; 2 bad usage or bad input; 3 not finished; 4 a fault of "
        "tideline or\nthe machine.");
}

// The options for the man page.
static void print_roff (void) {
  for (const option_row *row = option_table; row->name; row++) {
    puts (".TP");
    if (row->letter)
      printf ("\\fB\\-%c\\fR, ", row->letter);
    printf ("\\fB\\-\\-%s\\fR", row->name);
    if (row->argument)
      printf (" \\fI%s\\fR", row->argument);
    fputs ("\n(", stdout);
    const char *separator = "";
    for (const command *c = command_table; c->name; c++)
      if (c->bit & row->commands) {
        printf ("%s%s", separator, c->name);
        separator = ", ";
      }
    printf (") %s.\n", row->help);
  }
}

// What the completion offers: the commands, or the options of one and what else
// may stand there: families of examples, names of properties.
static void print_words (const char *name) {
  const command *of = name ? find_command (name) : 0;
  for (const command *c = command_table; !name && c->name; c++)
    puts (c->name);
  for (const option_row *row = option_table; of && row->name; row++)
    if (row->commands & of->bit)
      printf ("--%s\n", row->name);
  size_t families, properties;
  const tl_family *family = tl_example_families (&families);
  for (size_t i = 0; of && of->bit & EXAMPLE && i < families; i++)
    puts (family[i].name);
  const tl_kind_row *property = tl_property_names (&properties);
  for (size_t i = 0; of && of->bit & CHECK && i < properties; i++)
    puts (property[i].name);
}

int run_help (int argc, char **argv) {
  const char *word = argc ? argv[0] : 0;
  if (word && !strcmp (word, "--roff"))
    return print_roff (), EXIT_HOLDS;
  if (word && !strcmp (word, "--words"))
    return print_words (argc > 1 ? argv[1] : 0), EXIT_HOLDS;
  const command *c = word ? find_command (word) : 0;
  if (word && !c)
    return usage_error ("there is no command '%s'; see tideline help", word);
  print_help (c);
  return EXIT_HOLDS;
}
