#ifndef TL_READ_READ_H
#define TL_READ_READ_H

#include "base/input.h"
#include "colour/coloured.h"
#include "net/net.h"

// Reading a net from a file ("-": standard input) or from memory.  The format
// is told by the content, then by the ending of the path; of a graph file the
// net inside is read, of a coloured net what it is unfolded into.  The net
// lives on the account, as does what reading needs besides.  Settings may be
// null.
//
// A net is called as its file, without folder and ending; model.pnml and
// standard input say nothing about the net, there its own name counts.
tl_status tl_read_net (tl_net **, tl_mem *, const char *path,
                       const tl_settings *, tl_error *);
tl_status tl_read_net_text (tl_net **, tl_mem *, const char *path,
                            const char *bytes, size_t length, tl_error *);

// The settings of a caller, in whole.  TL_E_ARG: they are not as they should
// be.
tl_status tl_settings_take (tl_settings *whole, const tl_settings *given,
                            tl_error *);

// How reading a question ended, `rc`; where the budget was spent, that.
tl_status tl_questions_end (const tl_questions *, tl_status rc, tl_error *);

// From an input that is open; `format` says which one it has, null: as above.
tl_status tl_read_net_as (tl_net **, tl_mem *, tl_input *, const char *format,
                          const tl_settings *, tl_error *);

// A coloured net, not unfolded.  TL_E_ARG: the net is not coloured.
tl_status tl_read_coloured (tl_coloured **, tl_mem *, const char *path,
                            const tl_settings *, tl_error *);
tl_status tl_read_coloured_text (tl_coloured **, tl_mem *, const char *path,
                                 const char *bytes, size_t length, tl_error *);

#endif
