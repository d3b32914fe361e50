#include "claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool claim_there_is_spin (void) {
  return !system ("command -v spin >/dev/null 2>&1");
}

// ---- Writing formulas ------------------------------------------------------

static void write_formula (FILE *out, const tl_formula *f) {
  static const char *const word[] = {
      [TL_NOT] = "!",      [TL_AND] = "&&",      [TL_OR] = "||",
      [TL_FINALLY] = "<>", [TL_GLOBALLY] = "[]", [TL_UNTIL] = "U",
      [TL_RELEASE] = "V",
  };
  if (f->op == TL_FIREABLE) {
    fprintf (out, "p%u", f->transition[0]);
    return;
  }
  fputc ('(', out);
  if (f->count > 1)
    write_formula (out, f->operand[0]);
  fprintf (out, " %s ", word[f->op]);
  write_formula (out, f->operand[f->count - 1]);
  fputc (')', out);
}

// ---- Reading claims --------------------------------------------------------

typedef struct guard {
  const char *at;
  uint32_t letter;
} guard;

static bool disjunction (guard *);

static bool factor (guard *g) {
  g->at += strspn (g->at, " ");
  if (*g->at == '!') {
    g->at++;
    return !factor (g);
  }
  bool value;
  if (*g->at == '(') {
    g->at++;
    value = disjunction (g);
    g->at += strspn (g->at, " ");
    if (*g->at++ != ')')
      abort ();
    return value;
  }
  if (*g->at == 'p')
    value = g->letter >> (g->at[1] - '0') & 1;
  else
    value = *g->at == '1' || *g->at == 't';
  g->at += strspn (g->at, "p0123456789truefals");
  return value;
}

static bool conjunction (guard *g) {
  bool value = factor (g);
  while (g->at += strspn (g->at, " "), !strncmp (g->at, "&&", 2)) {
    g->at += 2;
    value &= factor (g);
  }
  return value;
}

static bool disjunction (guard *g) {
  bool value = conjunction (g);
  while (g->at += strspn (g->at, " "), !strncmp (g->at, "||", 2)) {
    g->at += 2;
    value |= conjunction (g);
  }
  return value;
}

#define LABELS 1000

typedef struct claim {
  char *label[LABELS]; // in the text
  uint32_t state[LABELS];
  unsigned labels;
} claim;

static uint32_t state_of (const claim *c, const char *label, size_t length) {
  for (unsigned i = 0; i < c->labels; i++)
    if (strlen (c->label[i]) == length && !memcmp (c->label[i], label, length))
      return c->state[i];
  abort ();
}

// Adds the edges of a line to the newest state, one for each letter.
static void add_edges (tl_automaton *a, const claim *c, const char *line,
                       unsigned atoms, bool accepting) {
  const char *to = strstr (line, "goto ");
  const char *begin = strstr (line, "atomic {");
  if (!to && !begin)
    return; // ":: false"
  const uint32_t state = to ? state_of (c, to + 5, strcspn (to + 5, " \n"))
                            : state_of (c, "accept_all", 10);
  for (uint32_t letter = 0; letter < 1u << atoms; letter++) {
    guard g = {begin ? begin + 8 : strstr (line, "::") + 2, letter};
    if (!disjunction (&g))
      continue;
    const tl_edge e = {.holds = letter,
                       .fails = ~letter & ((1u << atoms) - 1),
                       .sets = accepting,
                       .to = state};
    if (tl_automaton_add_edge (a, &e))
      abort ();
  }
}

// Cuts the text into lines and finds the labels, which lose their colons.
static void find_labels (claim *c, char *text, size_t length) {
  bool before = false; // the line before was a label, too
  uint32_t states = 0;
  for (char *line = text, *end; line < text + length; line = end + 1) {
    end = line + strcspn (line, "\n");
    *end = 0;
    const bool label = end > line && end[-1] == ':';
    if (label) {
      end[-1] = 0;
      if (c->labels == LABELS)
        abort ();
      c->label[c->labels] = line;
      c->state[c->labels++] = before ? states - 1 : states++;
    }
    before = label;
  }
}

static void read_states (const claim *c, char *text, size_t length,
                         unsigned atoms, tl_automaton *out) {
  unsigned next = 0; // label
  uint32_t states = 0;
  bool accepting = false;
  for (char *line = text; line < text + length; line += strlen (line) + 1) {
    if (next < c->labels && line == c->label[next]) {
      const bool more = c->state[next] < states;
      accepting = (more && accepting) || !strncmp (line, "accept", 6);
      if (!more && tl_automaton_add_state (out))
        abort ();
      states = c->state[next++] + 1;
      if (!strcmp (line, "accept_all"))
        add_edges (out, c, ":: (1) -> goto accept_all", atoms, true);
    } else if (strstr (line, "::"))
      add_edges (out, c, line, atoms, accepting);
  }
}

bool claim_read (const tl_formula *f, unsigned atoms, tl_automaton *out) {
  char *command = 0, *text = 0;
  size_t size = 0, length = 0;
  FILE *to = open_memstream (&command, &size);
  if (!to)
    abort ();
  fprintf (to, "timeout 2 spin -f '");
  write_formula (to, f);
  fprintf (to, "' 2>/dev/null");
  fclose (to);
  FILE *from = popen (command, "r");
  to = open_memstream (&text, &length);
  if (!from || !to)
    abort ();
  for (int c; (c = fgetc (from)) != EOF;)
    fputc (c, to);
  const bool good = !pclose (from);
  fclose (to);
  free (command);
  const bool whole = good && length && strstr (text, "\n}");
  if (whole) {
    claim c = {.labels = 0};
    find_labels (&c, text, length);
    read_states (&c, text, length, atoms, out);
    out->sets = 1;
    out->by_state = true;
  }
  free (text);
  return whole;
}
