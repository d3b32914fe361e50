#include "trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool trials_wanted (trials *t, int count, char **word, uint64_t normal,
                    uint64_t many) {
  *t = (trials){.nets = getenv ("LONG") ? many : normal, .seed = 1};
  for (int i = 1; i < count; i++) {
    if (!strcmp (word[i], "--long"))
      t->nets = many;
    else if (i + 1 < count && !strcmp (word[i], "--nets"))
      t->nets = strtoull (word[++i], 0, 10);
    else if (i + 1 < count && !strcmp (word[i], "--seed"))
      t->seed = strtoull (word[++i], 0, 10);
    else {
      fprintf (stderr, "%s [--nets N] [--seed S] [--long]\n", word[0]);
      return false;
    }
  }
  return true;
}
