#include "report/writing.h"

#include <string.h>

// What an answer to a named question says, so that nobody has to remember which
// way is good.
const char *tl_answer_meaning (const tl_answer *a) {
  static const struct {
    const char *formula, *holds, *does_not;
  } row[] = {
      {"deadlock", "a dead marking can be reached: not deadlock-free",
       "no dead marking can be reached: deadlock-free"},
      {"AG NOT DEADLOCK", "no dead marking can be reached",
       "a dead marking can be reached"},
      {"one-safe", "no place ever holds two tokens",
       "a place can hold two tokens"},
      {"quasi-live", "every transition can fire some day",
       "some transition can never fire"},
      {"live", "every transition can fire again, whatever happens",
       "some transition can become dead for good"},
      {"home-state", "some marking can be reached again, whatever happens",
       "every marking can get out of reach"},
      {"stable-marking", "some place never changes its tokens",
       "every place changes its tokens"},
      {"bounded", "no place gains tokens without end",
       "tokens can become more without end"},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    if (a->formula && !strcmp (a->formula, row[i].formula))
      return a->verdict == TL_VERDICT_TRUE    ? row[i].holds
             : a->verdict == TL_VERDICT_FALSE ? row[i].does_not
                                              : 0;
  return 0;
}
