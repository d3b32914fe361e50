#ifndef TL_TESTS_REPORTING_H
#define TL_TESTS_REPORTING_H

#include "report/writing.h"

// What the tests share that look at reports of made-up results.

tl_net *open_net (void); // a small one, with names for what is reported

// The report of a run on it; to be closed with tl_text_close.
char *explored (const tl_exploration *, tl_form);

// The text has that part, or has it not.
void has (const char *text, const char *part);
void has_not (const char *text, const char *part);

#endif
