#include "net/trace.h"

#include <stdlib.h>
#include <string.h>

void tl_trace_close (tl_trace *trace) {
  free (trace->transition);
  free (trace->step);
  *trace = (tl_trace){0};
}

bool tl_trace_extend (tl_trace *trace, uint32_t transition) {
  uint32_t *longer =
      realloc (trace->transition, (trace->length + 1) * sizeof *longer);
  if (!longer)
    return false;
  trace->transition = longer;
  trace->transition[trace->length++] = transition;
  return true;
}

char **tl_trace_words (const char *const *word, uint64_t length) {
  size_t size = (size_t)(length + 1) * sizeof (char *);
  char *at = 0;
  for (uint64_t i = 0; i < length; i++)
    size += strlen (word[i]) + 1;
  char **step = malloc (size);
  if (step)
    at = (char *)(step + length + 1);
  for (uint64_t i = 0; step && i < length; i++) {
    step[i] = at;
    at = stpcpy (at, word[i]) + 1;
  }
  return step;
}

const char *tl_trace_step (const tl_net *net, const tl_trace *trace,
                           uint64_t number) {
  if (!net || !trace || number >= trace->length ||
      (!trace->step && !trace->transition))
    return 0;
  return trace->step ? trace->step[number]
                     : tl_net_step_name (net, trace->transition[number]);
}
