#include "base/sized.h"
#include "net/net.h"
#include "report/forms.h"
#include "report/writing.h"

#include <inttypes.h>
#include <string.h>

#define TECHNIQUES "TECHNIQUES"

#define EXPLICIT " EXPLICIT"
#define UNFOLDING " UNFOLDING_TO_PT"

static const char *technique (const tl_exploration *x) {
  if (tl_is_symbolic (x))
    return " DECISION_DIAGRAMS";
  if (tl_is_symmetric (x))
    return EXPLICIT " SYMMETRIES";
  return strcmp (x->store, "plain") ? EXPLICIT " STATE_COMPRESSION" : EXPLICIT;
}

// A number that is not known has no line.
char *tl_exploration_contest (const tl_net *net, const tl_exploration *x) {
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  const struct {
    const char *name;
    uint64_t value;
    const char *digits; // of a larger number
    bool known;
  } row[] = {
      {"STATES", x->states, x->states_text, x->counted},
      {"TRANSITIONS", x->arcs, x->arcs_text, x->counted},
      {"MAX_TOKEN_PER_MARKING", x->max_tokens_per_marking, 0, true},
      {"MAX_TOKEN_IN_PLACE", x->max_tokens_in_place, 0, true},
  };
  if (!tl_saw_everything (x))
    fputs ("CANNOT_COMPUTE\n", w.file);
  for (size_t i = 0; tl_saw_everything (x) && i < sizeof row / sizeof *row; i++)
    if (row[i].known) {
      char digits[24];
      snprintf (digits, sizeof digits, "%" PRIu64, row[i].value);
      fprintf (w.file, "STATE_SPACE %s %s " TECHNIQUES "%s%s\n", row[i].name,
               row[i].digits ? row[i].digits : digits, technique (x),
               net->origin ? UNFOLDING : "");
    }
  return tl_writing_close (&w);
}

// What has led to an answer: without a search, or by one.
static void write_techniques (FILE *f, const tl_answer *a) {
  static const struct {
    const char *engine, *word;
  } row[] = {{"rewrite", " QUERY_REDUCTION"},
             {"initial", " INITIAL_STATE"},
             {"structure", " TOPOLOGICAL"},
             {"symbolic", " DECISION_DIAGRAMS"},
             {"walk", " RANDOM_WALK"}};
  const char *word = 0;
  for (size_t i = 0; a->engine && i < sizeof row / sizeof *row; i++)
    if (!strcmp (a->engine, row[i].engine))
      word = row[i].word;
  fprintf (f, " " TECHNIQUES "%s%s%s\n", word ? word : EXPLICIT,
           a->reduced && !word ? " STUBBORN_SETS" : "",
           a->unfolded ? UNFOLDING : "");
}

static void write_answer (FILE *f, const tl_answer *a) {
  fprintf (f, "FORMULA %s ", a->name);
  switch (a->verdict) {
  case TL_VERDICT_UNKNOWN: fputs ("CANNOT_COMPUTE\n", f); return;
  case TL_VERDICT_FALSE: fputs ("FALSE", f); break;
  case TL_VERDICT_TRUE: fputs ("TRUE", f); break;
  case TL_VERDICT_BOUND:
    if (a->infinite)
      fputs ("+inf", f);
    else
      fprintf (f, "%" PRIu64, a->value);
  }
  write_techniques (f, a);
}

char *tl_answer_report (const tl_answer *given) {
  tl_answer a;
  tl_writing w;
  if (!TL_TAKE (&a, given) || !a.name || !tl_writing_open (&w))
    return 0;
  write_answer (w.file, &a);
  return tl_writing_close (&w);
}

char *tl_answers_contest (const tl_answers *answers) {
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  for (size_t i = 0; i < answers->count; i++)
    write_answer (w.file, &answers->answer[i]);
  return tl_writing_close (&w);
}
