#ifndef TL_PYTHON_EXTENSION_H
#define TL_PYTHON_EXTENSION_H

// The module _tideline: the library as functions for Python, each of which
// calls one of the library's.  What people use is written in Python on top of
// it (python/tideline).
//
// Objects of the library are capsules.  One keeps alive what its object needs:
// a game its net, an answer its net.

#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "tideline.h"

#include <pthread.h>

// ---- Values ----------------------------------------------------------------

typedef enum handle_kind {
  NET,
  BUILDER,
  EXPLORATION,
  ANSWERS,
  GAME,
  GRAPH
} handle_kind;

// Takes the object, also when it fails; the parent, a capsule, may be null.
PyObject *wrap (handle_kind, void *object, PyObject *parent);
// Null and an exception: it is not one of these.
void *unwrap (handle_kind, PyObject *capsule);

// A net that belongs to the parent.
PyObject *borrow_net (const tl_net *, PyObject *parent);

// An exception that tells it; null, always.
PyObject *raise_error (const tl_error *);
// A text of the library; null: there was no memory for it.
PyObject *give_text (char *text);
PyObject *make_text (const char *text);

// Texts that have to live until a call is over.
typedef struct texts {
  PyObject *list;
} texts;

bool texts_open (texts *);
void texts_close (texts *);
// Of a str or, for paths, of bytes; null and an exception.
const char *texts_add (texts *, PyObject *text);

// From dictionaries.  False and an exception: a name or a value is wrong.
bool take_options (tl_options *, PyObject *dict, texts *);
// With `parameters`, a dictionary, in arrays that are freed with
// drop_settings.
bool take_settings (tl_settings *, PyObject *dict, texts *);
void drop_settings (tl_settings *);

// ---- Work that takes long --------------------------------------------------

// The work is done in a thread of its own, while the one that called waits
// without holding the interpreter, tells how far it is, and looks for signals.
typedef struct run {
  tl_status (*work) (void *context, tl_error *);
  void *context;
  PyObject *callback; // gets a dictionary, ends the work by False; or None
  int cancel;         // for the options and settings of the work
  // What the two threads share.
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool done, fresh;
  tl_progress progress;
  tl_status status;
  tl_error error;
} run;

// Options of a run, which name its flag and who is told.  False and an
// exception, as take_options.
bool begin_run (run *, tl_options *, PyObject *dict, texts *);
// False and an exception: the work failed, or a signal or the callback ended
// it.
bool do_run (run *);

// ---- Functions of the module -----------------------------------------------

extern PyMethodDef net_methods[], result_methods[], game_methods[],
    graph_methods[];

// Tokens of the marking where a run is: a list of pairs.
PyObject *list_marking (tl_playback *);
// The steps of a trace in words.
PyObject *list_steps (const tl_net *, const tl_trace *);

// What tl_explore and others have found, and of which net.
typedef struct findings {
  const tl_net *net;
  tl_exploration run;
} findings;

// Answers, and the questions, which have their names.
typedef struct replies {
  tl_questions *questions;
  tl_answers answers;
} replies;

#endif
