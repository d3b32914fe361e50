// Searches and what they find.

#include "extension.h"

#include <stdlib.h>

static const tl_form json = (tl_form)(TL_FORM_JSON | TL_SHOW_CHANGES);

// ---- Exploring -------------------------------------------------------------

typedef struct exploring {
  tl_options how;
  findings *result;
} exploring;

static tl_status explore_net (void *context, tl_error *err) {
  exploring *e = context;
  return tl_explore (e->result->net, &e->how, &e->result->run, err);
}

static PyObject *explore (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule, *options, *result = 0;
  exploring e;
  run work = {.work = explore_net, .context = &e};
  texts k;
  if (!PyArg_ParseTuple (args, "OO!O", &capsule, &PyDict_Type, &options,
                         &work.callback))
    return 0;
  const tl_net *net = unwrap (NET, capsule);
  if (!net || !texts_open (&k))
    return 0;
  if (!(e.result = calloc (1, sizeof *e.result)))
    PyErr_NoMemory ();
  else {
    e.result->net = net;
    if (begin_run (&work, &e.how, options, &k) && do_run (&work))
      result = wrap (EXPLORATION, e.result, capsule);
    else {
      tl_exploration_close (&e.result->run);
      free (e.result);
    }
  }
  texts_close (&k);
  return result;
}

static PyObject *exploration_report (PyObject *self, PyObject *capsule) {
  (void)self;
  const findings *f = unwrap (EXPLORATION, capsule);
  return f ? give_text (tl_exploration_report (f->net, &f->run, json)) : 0;
}

static PyObject *exploration_text (PyObject *self, PyObject *capsule) {
  (void)self;
  const findings *f = unwrap (EXPLORATION, capsule);
  return f ? give_text (tl_exploration_report (f->net, &f->run, TL_FORM_TEXT))
           : 0;
}

// With a graph of the same net, or None.
static PyObject *exploration_page (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule, *drawn;
  tl_page_layout layout = {0};
  if (!PyArg_ParseTuple (args, "OOzz", &capsule, &drawn, &layout.net,
                         &layout.graph))
    return 0;
  const findings *f = unwrap (EXPLORATION, capsule);
  const tl_condensed *graph = f && drawn != Py_None ? unwrap (GRAPH, drawn) : 0;
  if (PyErr_Occurred ())
    return 0;
  return give_text (
      tl_exploration_page (f->net, &f->run, graph, TL_FORM_TEXT, &layout));
}

// ---- Asking ----------------------------------------------------------------

// How a question is given.
enum { FORMULA, FORMULA_FILE, CONTEST_FILE };

typedef struct asked {
  int how;
  const char *text;
} asked;

typedef struct asking {
  const tl_net *net;
  const tl_condensed *graph; // or null
  asked *question;
  size_t count;
  tl_settings settings;
  tl_options how;
  replies *replies;
} asking;

static tl_status add_question (tl_questions *q, const asked *a, tl_error *err) {
  return a->how == FORMULA        ? tl_questions_add_text (q, a->text, err)
         : a->how == FORMULA_FILE ? tl_questions_add_formulas (q, a->text, err)
                                  : tl_questions_add_file (q, a->text, err);
}

static tl_status ask (void *context, tl_error *err) {
  asking *a = context;
  tl_status rc = tl_questions_open (&a->replies->questions, a->net, err);
  tl_questions *q = a->replies->questions;
  tl_answers *answers = &a->replies->answers;
  if (!rc)
    rc = tl_questions_limit (q, &a->settings, err);
  for (size_t i = 0; !rc && i < a->count; i++)
    rc = add_question (q, a->question + i, err);
  if (!rc)
    rc = a->graph ? tl_condensed_check (a->graph, q, &a->how, answers, err)
                  : tl_check (a->net, q, &a->how, answers, err);
  return rc;
}

static bool take_questions (asking *a, PyObject *list, texts *k) {
  a->count = (size_t)PyList_Size (list);
  a->question = calloc (a->count + 1, sizeof *a->question);
  if (!a->question)
    PyErr_NoMemory ();
  for (size_t i = 0; a->question && i < a->count; i++) {
    PyObject *text;
    if (!PyArg_ParseTuple (PyList_GetItem (list, (Py_ssize_t)i), "iO",
                           &a->question[i].how, &text) ||
        !(a->question[i].text = texts_add (k, text)))
      return false;
  }
  return a->question;
}

static PyObject *ask_all (asking *a, run *work, PyObject *owner, PyObject *list,
                          PyObject *options) {
  PyObject *result = 0;
  texts k;
  if (!texts_open (&k))
    return 0;
  a->settings = tl_settings_default ();
  a->settings.cancel = &work->cancel;
  if (!(a->replies = calloc (1, sizeof *a->replies)))
    PyErr_NoMemory ();
  else if (take_questions (a, list, &k) &&
           begin_run (work, &a->how, options, &k) && do_run (work))
    result = wrap (ANSWERS, a->replies, owner);
  else {
    tl_answers_close (&a->replies->answers);
    tl_questions_close (a->replies->questions);
    free (a->replies);
  }
  free (a->question);
  texts_close (&k);
  return result;
}

static PyObject *check (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *owner, *graph, *list, *options;
  asking a = {0};
  run work = {.work = ask, .context = &a};
  if (!PyArg_ParseTuple (args, "OOO!O!O", &owner, &graph, &PyList_Type, &list,
                         &PyDict_Type, &options, &work.callback))
    return 0;
  if (graph != Py_None && (a.graph = unwrap (GRAPH, graph)))
    a.net = tl_condensed_net (a.graph);
  else if (graph == Py_None)
    a.net = unwrap (NET, owner);
  return a.net ? ask_all (&a, &work, a.graph ? graph : owner, list, options)
               : 0;
}

static PyObject *answers_report (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *net, *capsule;
  int text;
  if (!PyArg_ParseTuple (args, "OOp", &net, &capsule, &text))
    return 0;
  const tl_net *n = unwrap (NET, net);
  const replies *r = n ? unwrap (ANSWERS, capsule) : 0;
  return r ? give_text (
                 tl_answers_report (n, &r->answers, text ? TL_FORM_TEXT : json))
           : 0;
}

static PyObject *answers_page (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *net, *capsule;
  tl_page_layout layout = {0};
  if (!PyArg_ParseTuple (args, "OOz", &net, &capsule, &layout.net))
    return 0;
  const tl_net *n = unwrap (NET, net);
  const replies *r = n ? unwrap (ANSWERS, capsule) : 0;
  return r ? give_text (tl_answers_page (n, &r->answers, TL_FORM_TEXT, &layout))
           : 0;
}

// ---- What structure tells --------------------------------------------------

typedef struct telling {
  const tl_net *net;
  tl_options how;
  tl_info info;
} telling;

static tl_status tell (void *context, tl_error *err) {
  telling *t = context;
  return tl_net_info_with (t->net, &t->how, &t->info, err);
}

static PyObject *net_info (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule, *options, *report = 0;
  telling t;
  run work = {.work = tell, .context = &t, .callback = Py_None};
  texts k;
  if (!PyArg_ParseTuple (args, "OO!", &capsule, &PyDict_Type, &options))
    return 0;
  if (!(t.net = unwrap (NET, capsule)) || !texts_open (&k))
    return 0;
  if (begin_run (&work, &t.how, options, &k) && do_run (&work)) {
    report = give_text (tl_info_report (t.net, &t.info, TL_FORM_JSON));
    tl_info_close (&t.info);
  }
  texts_close (&k);
  return report;
}

PyMethodDef result_methods[] = {
    {"explore", explore, METH_VARARGS, 0},
    {"exploration_report", exploration_report, METH_O, 0},
    {"exploration_text", exploration_text, METH_O, 0},
    {"exploration_page", exploration_page, METH_VARARGS, 0},
    {"check", check, METH_VARARGS, 0},
    {"answers_report", answers_report, METH_VARARGS, 0},
    {"answers_page", answers_page, METH_VARARGS, 0},
    {"net_info", net_info, METH_VARARGS, 0},
    {0},
};
