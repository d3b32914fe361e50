#include "cli/cli.h"

static int tell (void *context, const tl_answer *answer) {
  telling *t = context;
  tl_answer named = *answer;
  if (t->name)
    named.name = t->name;
  if (!t->code)
    t->code = print_text (tl_answer_report (&named));
  return t->code;
}

void tell_answers (telling *t, tl_options *how) {
  how->on_answer = tell;
  how->answer_context = t;
}

int tell_open (telling *t, const tl_answers *answers) {
  for (size_t i = 0; i < answers->count; i++)
    if (answers->answer[i].verdict == TL_VERDICT_UNKNOWN)
      tell (t, answers->answer + i);
  return t->code;
}
