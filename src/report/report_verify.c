// The report on a certificate that was checked.

#include "base/sized.h"
#include "report/forms.h"
#include "report/writing.h"

static void write_answers (FILE *f, const tl_verification *v) {
  const tl_proven *p;
  for (size_t i = 0; (p = tl_verification_proven (v, i)); i++) {
    fprintf (f, "%-10s",
             p->verdict == TL_VERDICT_BOUND ? tl_count (p->value).text
                                            : tl_verdict_word (p->verdict));
    fprintf (f, *p->name ? "%s: %s\n" : "%s%s\n", p->name, p->formula);
    fprintf (f, "%-10sby %s\n", "", p->proof);
  }
  if (v->proven_count)
    fprintf (f, TL_LABEL "%s\n", "facts", tl_count (v->facts).text);
}

static void write_proven (FILE *f, const tl_verification *v) {
  write_answers (f, v);
  if (!v->has_states)
    return;
  fprintf (f, TL_LABEL "%s\n", "states", tl_count (v->states).text);
  fprintf (f, TL_LABEL "%s\n", "arcs", tl_count (v->arcs).text);
  fprintf (f, TL_LABEL "%s\n", "deadlocks",
           v->deadlocks ? tl_count (v->deadlocks).text : "none");
  fprintf (f, TL_LABEL "%s\n", "dead transitions",
           v->dead_transitions ? tl_count (v->dead_transitions).text : "none");
  fprintf (f, TL_LABEL "%s in a place, %s in a marking\n", "most tokens",
           tl_count (v->max_tokens_in_place).text,
           tl_count (v->max_tokens_per_marking).text);
  fprintf (f, TL_LABEL "%s\n", "depth", tl_count (v->depth).text);
}

static char *text (const tl_verification *v, bool brief) {
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  if (!brief)
    fprintf (w.file, "tideline %s: verify %s\n\n" TL_LABEL "%s, %s\n",
             tl_version (), v->model, "net",
             tl_several (v->places, "place").text,
             tl_several (v->transitions, "transition").text);
  fprintf (w.file, TL_LABEL "%s\n", "certificate",
           v->verified ? "verified" : "REFUSED");
  if (v->verified)
    write_proven (w.file, v);
  else
    fprintf (w.file, TL_LABEL "%s\n", "reason", v->reason);
  if (!brief)
    fprintf (w.file, TL_LABEL "%s\n" TL_LABEL "%.2f s\n", "size",
             tl_size (v->bytes).text, "time", v->seconds);
  return tl_writing_close (&w);
}

char *tl_verification_report (const tl_verification *given, tl_form form) {
  tl_verification v;
  if (!TL_TAKE (&v, given))
    return 0;
  switch (TL_FORM_OF (form)) {
  case TL_FORM_TEXT: return text (&v, false);
  case TL_FORM_MCC: // it has no such lines
  case TL_FORM_SHORT: return text (&v, true);
  case TL_FORM_JSON: return tl_verification_json (&v);
  default: return 0;
  }
}
