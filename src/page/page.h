#ifndef TL_PAGE_PAGE_H
#define TL_PAGE_PAGE_H

#include "report/showing.h"

// A page for a browser, in one file: markup that is always the same, a style
// and a script (the files in src/page/script, which the Makefile turns into
// strings), and the data of one result as JSON, from which the script makes all
// that is seen.  What a model calls its nodes is in the data only, where no
// character can end it; the script shows it as text.  The policy of the page
// allows this style and this script, by their hashes, and nothing else.
//
// The data are the documented JSON of the report, and beside it what a picture
// needs: the net, where Graphviz puts its nodes, and which node each step and
// each token of a trace belongs to (docs/report.md).

// A text between quotation marks, with what is special in JSON or in markup
// escaped.
void tl_page_string (FILE *, const char *text);
// A text that is JSON already, so that it can stand in a script element.
void tl_page_json (FILE *, const char *json);

// The net as people see it.  Too large a net is only counted.
void tl_page_net (FILE *, tl_showing *);

// Traces of a report.
typedef struct tl_page_trace {
  const char *key; // in the object of the report; "properties": in a list there
  size_t number;   // in that list
  const tl_trace *trace;
} tl_page_trace;

// The transitions of the traces by number, the initial marking, and the places
// of coloured tokens.
// False: there is no memory.
bool tl_page_traces (FILE *, const tl_net *, const tl_page_trace *,
                     size_t count);

// The states of a small graph, as tl_condensed_state_report gives them; of
// others nothing.  False: there is no memory.
bool tl_page_states (FILE *, const tl_condensed *, tl_form);

#endif
