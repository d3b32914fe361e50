// Condensed graphs, and their states and arcs as arrays.

#include "extension.h"

#include <stdlib.h>
#include <string.h>

typedef struct building {
  const tl_net *net;
  tl_options how;
  tl_condensed *graph;
  findings *result;
} building;

static tl_status build (void *context, tl_error *err) {
  building *b = context;
  return tl_condensed_build (&b->graph, b->net, &b->how, &b->result->run, err);
}

// The graph, or None where a budget ended it; and what was found.
static PyObject *give_graph (building *b, PyObject *net) {
  PyObject *graph = Py_None, *result = wrap (EXPLORATION, b->result, net);
  Py_INCREF (Py_None);
  if (b->graph) {
    Py_DECREF (Py_None);
    graph = wrap (GRAPH, b->graph, net);
  }
  PyObject *pair = graph && result ? PyTuple_Pack (2, graph, result) : 0;
  Py_XDECREF (graph);
  Py_XDECREF (result);
  return pair;
}

static PyObject *graph_build (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule, *options, *pair = 0;
  building b = {0};
  run work = {.work = build, .context = &b};
  texts k;
  if (!PyArg_ParseTuple (args, "OO!O", &capsule, &PyDict_Type, &options,
                         &work.callback))
    return 0;
  if (!(b.net = unwrap (NET, capsule)) || !texts_open (&k))
    return 0;
  if (!(b.result = calloc (1, sizeof *b.result)))
    PyErr_NoMemory ();
  else {
    b.result->net = b.net;
    if (begin_run (&work, &b.how, options, &k) && do_run (&work))
      pair = give_graph (&b, capsule);
    else {
      tl_condensed_close (b.graph);
      tl_exploration_close (&b.result->run);
      free (b.result);
    }
  }
  texts_close (&k);
  return pair;
}

static PyObject *graph_open (PyObject *self, PyObject *args) {
  (void)self;
  const char *path;
  tl_condensed *graph;
  tl_error err;
  tl_status rc;
  if (!PyArg_ParseTuple (args, "y", &path))
    return 0;
  Py_BEGIN_ALLOW_THREADS;
  rc = tl_condensed_open (&graph, path, &err);
  Py_END_ALLOW_THREADS;
  return rc ? raise_error (&err) : wrap (GRAPH, graph, 0);
}

// As a file that can be opened, or in another format.
static PyObject *graph_save (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule;
  const char *path, *format;
  tl_error err;
  tl_status rc;
  if (!PyArg_ParseTuple (args, "Oyz", &capsule, &path, &format))
    return 0;
  const tl_condensed *graph = unwrap (GRAPH, capsule);
  if (!graph)
    return 0;
  Py_BEGIN_ALLOW_THREADS;
  rc = format ? tl_condensed_export (graph, path, format, TL_FORM_TEXT, &err)
              : tl_condensed_save (graph, path, &err);
  Py_END_ALLOW_THREADS;
  if (rc)
    return raise_error (&err);
  Py_RETURN_NONE;
}

static PyObject *graph_sizes (PyObject *self, PyObject *capsule) {
  (void)self;
  const tl_condensed *graph = unwrap (GRAPH, capsule);
  if (!graph)
    return 0;
  const tl_condensed_size sizes = tl_condensed_sizes (graph);
  return Py_BuildValue ("(KKK)", (unsigned long long)sizes.states,
                        (unsigned long long)sizes.arcs,
                        (unsigned long long)sizes.bytes);
}

// ---- Arrays ----------------------------------------------------------------

typedef struct arrays {
  const tl_condensed *graph;
  tl_settings within;
  uint64_t states, arcs, places;
  uint64_t *start; // [states + 1]
  uint64_t *source, *target;
  uint32_t *transition;
  uint64_t *tokens; // [states][places], or null
} arrays;

static int fill_state (void *context, const tl_condensed_visit *v) {
  const arrays *a = context;
  if (v->arcs)
    memcpy (a->transition + a->start[v->state], v->transition,
            v->arcs * sizeof *v->transition);
  if (a->tokens && v->tokens && a->places)
    memcpy (a->tokens + v->state * a->places, v->tokens,
            a->places * sizeof *v->tokens);
  return 0;
}

static tl_status fill (void *context, tl_error *err) {
  arrays *a = context;
  uint64_t at = 0;
  for (uint64_t s = 0; s < a->states; s++) {
    size_t count;
    const tl_status rc = tl_condensed_targets (a->graph, s, a->target + at,
                                               a->arcs - at, &count, err);
    if (rc)
      return rc;
    a->start[s] = at;
    for (size_t i = 0; i < count; i++)
      a->source[at++] = s;
  }
  a->start[a->states] = at;
  return tl_condensed_walk (a->graph, &a->within, fill_state, a, err);
}

// Bytes that the arrays are made of; null and an exception: no memory.
static PyObject *make_bytes (uint64_t count, uint64_t width, void *start) {
  uint64_t size;
  if (__builtin_mul_overflow (count, width, &size) || size > PY_SSIZE_T_MAX)
    return PyErr_NoMemory ();
  PyObject *bytes = PyByteArray_FromStringAndSize (0, (Py_ssize_t)size);
  if (bytes) {
    char *base = PyByteArray_AsString (bytes);
    memcpy (start, &base, sizeof base);
  }
  return bytes;
}

static PyObject *fill_arrays (arrays *a, bool tokens) {
  run work = {.work = fill, .context = a, .callback = Py_None};
  PyObject *start = make_bytes (a->states + 1, sizeof *a->start, &a->start),
           *source = make_bytes (a->arcs, sizeof *a->source, &a->source),
           *label = make_bytes (a->arcs, sizeof *a->transition, &a->transition),
           *target = make_bytes (a->arcs, sizeof *a->target, &a->target),
           *marking =
               tokens ? make_bytes (a->states, a->places * sizeof *a->tokens,
                                    &a->tokens)
                      : PyByteArray_FromStringAndSize (0, 0),
           *all = 0;
  a->within = tl_settings_default ();
  a->within.cancel = &work.cancel;
  if (start && source && label && target && marking && do_run (&work))
    all = PyTuple_Pack (5, start, source, label, target, marking);
  Py_XDECREF (start);
  Py_XDECREF (source);
  Py_XDECREF (label);
  Py_XDECREF (target);
  Py_XDECREF (marking);
  return all;
}

static PyObject *graph_arrays (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule;
  int tokens;
  if (!PyArg_ParseTuple (args, "Op", &capsule, &tokens))
    return 0;
  const tl_condensed *graph = unwrap (GRAPH, capsule);
  if (!graph)
    return 0;
  const tl_condensed_size sizes = tl_condensed_sizes (graph);
  arrays a = {.graph = graph,
              .states = sizes.states,
              .arcs = sizes.arcs,
              .places = tl_net_places (tl_condensed_net (graph))};
  return fill_arrays (&a, tokens);
}

// ---- Single states ---------------------------------------------------------

typedef struct way {
  const tl_condensed *graph;
  uint64_t state;
  tl_trace trace;
  tl_playback *play; // at its end
} way;

static tl_status go (void *context, tl_error *err) {
  way *w = context;
  tl_status rc = tl_condensed_path (w->graph, w->state, &w->trace, err);
  if (!rc)
    rc = tl_playback_open (&w->play, tl_condensed_net (w->graph), &w->trace,
                           err);
  for (uint64_t i = 0; !rc && i < w->trace.length; i++)
    rc = tl_playback_step (w->play, err);
  return rc;
}

// The marking of a state, and the steps of a way to it.
static PyObject *graph_state (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule, *pair = 0;
  unsigned long long state;
  way w = {0};
  run work = {.work = go, .context = &w, .callback = Py_None};
  if (!PyArg_ParseTuple (args, "OK", &capsule, &state))
    return 0;
  if (!(w.graph = unwrap (GRAPH, capsule)))
    return 0;
  w.state = state;
  if (do_run (&work)) {
    PyObject *marking = list_marking (w.play),
             *steps = list_steps (tl_condensed_net (w.graph), &w.trace);
    if (marking && steps)
      pair = PyTuple_Pack (2, marking, steps);
    Py_XDECREF (marking);
    Py_XDECREF (steps);
  }
  tl_playback_close (w.play);
  tl_condensed_path_close (&w.trace);
  return pair;
}

static PyObject *graph_report (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule;
  unsigned long long state;
  if (!PyArg_ParseTuple (args, "OK", &capsule, &state))
    return 0;
  const tl_condensed *graph = unwrap (GRAPH, capsule);
  if (graph && state >= tl_condensed_sizes (graph).states)
    return PyErr_Format (PyExc_IndexError, "there is no state %llu", state);
  return graph ? give_text (
                     tl_condensed_state_report (graph, state, TL_FORM_JSON))
               : 0;
}

static PyObject *graph_sketch (PyObject *self, PyObject *capsule) {
  (void)self;
  const tl_condensed *graph = unwrap (GRAPH, capsule);
  char *text = graph ? tl_condensed_sketch (graph) : 0;
  if (graph && !text)
    Py_RETURN_NONE;
  return graph ? give_text (text) : 0;
}

static PyObject *graph_page (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule;
  tl_page_layout layout = {0};
  if (!PyArg_ParseTuple (args, "Ozz", &capsule, &layout.net, &layout.graph))
    return 0;
  const tl_condensed *graph = unwrap (GRAPH, capsule);
  return graph ? give_text (tl_condensed_page (graph, 0, TL_FORM_TEXT, &layout))
               : 0;
}

// ---- Nets of graphs --------------------------------------------------------

// The net of a graph that was opened: it lives in the graph.
static PyObject *graph_net (PyObject *self, PyObject *capsule) {
  (void)self;
  const tl_condensed *graph = unwrap (GRAPH, capsule);
  return graph ? borrow_net (tl_condensed_net (graph), capsule) : 0;
}

PyMethodDef graph_methods[] = {
    {"graph_build", graph_build, METH_VARARGS, 0},
    {"graph_open", graph_open, METH_VARARGS, 0},
    {"graph_save", graph_save, METH_VARARGS, 0},
    {"graph_net", graph_net, METH_O, 0},
    {"graph_sizes", graph_sizes, METH_O, 0},
    {"graph_arrays", graph_arrays, METH_VARARGS, 0},
    {"graph_state", graph_state, METH_VARARGS, 0},
    {"graph_report", graph_report, METH_VARARGS, 0},
    {"graph_sketch", graph_sketch, METH_O, 0},
    {"graph_page", graph_page, METH_VARARGS, 0},
    {0},
};
