#ifndef TL_TESTS_ASKING_H
#define TL_TESTS_ASKING_H

#include "read/formula_text.h"

// What the tests share that read questions, as text and as documents.

// A net with names of all kinds: plain, like words of the language, with odd
// characters.
tl_net *asking_net (tl_mem *);

// Questions about it whose memory is part of `parent`, to see that all of it is
// given back.
tl_questions *asking_open (const tl_net *, tl_mem *parent);

// A question as it is printed, until the next call.
char *asking_printed (const tl_questions *, size_t number);

// `count` times `part`, then `middle`, then `count` times `end`; to be freed.
char *asking_nested (size_t count, const char *part, const char *middle,
                     const char *end);

// Reads with less and less trouble: the n-th allocation fails.  Each time it is
// told, and reading goes on where there is memory again.
void asking_starved (tl_status (*read) (tl_questions *, tl_error *));

#endif
