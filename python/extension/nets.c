// Nets: read, built, saved, and what is in them.

#include "extension.h"

#include <stdlib.h>
#include <string.h>

// ---- Reading ---------------------------------------------------------------

typedef struct reading {
  const char *path; // or the name of the bytes
  const char *bytes;
  size_t length;
  tl_settings settings;
  tl_net *net;
} reading;

static tl_status open_file (void *context, tl_error *err) {
  reading *r = context;
  return tl_net_open_with (&r->net, r->path, &r->settings, err);
}

static tl_status read_bytes (void *context, tl_error *err) {
  reading *r = context;
  return tl_net_read (&r->net, r->bytes, r->length, r->path, &r->settings, err);
}

static PyObject *read_net (reading *r, PyObject *settings,
                           tl_status (*how) (void *, tl_error *)) {
  run work = {.work = how, .context = r, .callback = Py_None};
  texts k;
  PyObject *net = 0;
  if (!texts_open (&k))
    return 0;
  if (take_settings (&r->settings, settings, &k)) {
    r->settings.cancel = &work.cancel;
    if (do_run (&work))
      net = wrap (NET, r->net, 0);
    else
      tl_net_close (r->net);
  }
  drop_settings (&r->settings);
  texts_close (&k);
  return net;
}

static PyObject *net_open (PyObject *self, PyObject *args) {
  (void)self;
  reading r = {0};
  PyObject *settings;
  if (!PyArg_ParseTuple (args, "yO!", &r.path, &PyDict_Type, &settings))
    return 0;
  return read_net (&r, settings, open_file);
}

static PyObject *net_read (PyObject *self, PyObject *args) {
  (void)self;
  reading r = {0};
  PyObject *settings;
  Py_ssize_t length;
  if (!PyArg_ParseTuple (args, "y#zO!", &r.bytes, &length, &r.path,
                         &PyDict_Type, &settings))
    return 0;
  r.length = (size_t)length;
  return read_net (&r, settings, read_bytes);
}

static PyObject *net_example (PyObject *self, PyObject *args) {
  (void)self;
  enum { MOST = 8 };
  const char *family;
  PyObject *sizes;
  uint64_t size[MOST];
  tl_net *net;
  tl_error err;
  if (!PyArg_ParseTuple (args, "sO!", &family, &PyTuple_Type, &sizes))
    return 0;
  const Py_ssize_t count = PyTuple_Size (sizes);
  for (Py_ssize_t i = 0; i < count && i < MOST; i++) {
    size[i] = PyLong_AsUnsignedLongLong (PyTuple_GetItem (sizes, i));
    if (PyErr_Occurred ())
      return 0;
  }
  return tl_net_example (&net, family, (size_t)count, size, &err)
             ? raise_error (&err)
             : wrap (NET, net, 0);
}

static PyObject *net_save (PyObject *self, PyObject *args) {
  (void)self;
  const char *path, *format;
  PyObject *capsule;
  tl_error err;
  tl_status rc;
  if (!PyArg_ParseTuple (args, "Oys", &capsule, &path, &format))
    return 0;
  const tl_net *net = unwrap (NET, capsule);
  if (!net)
    return 0;
  Py_BEGIN_ALLOW_THREADS;
  rc = tl_net_save (net, path, format, &err);
  Py_END_ALLOW_THREADS;
  if (rc)
    return raise_error (&err);
  Py_RETURN_NONE;
}

// ---- Building --------------------------------------------------------------

static PyObject *builder_open (PyObject *self, PyObject *args) {
  (void)self;
  const char *name;
  tl_net_builder *b;
  tl_error err;
  if (!PyArg_ParseTuple (args, "s", &name))
    return 0;
  return tl_net_builder_open (&b, name, &err) ? raise_error (&err)
                                              : wrap (BUILDER, b, 0);
}

static PyObject *builder_place (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule, *tokens;
  const char *id, *name;
  tl_error err;
  if (!PyArg_ParseTuple (args, "OszO", &capsule, &id, &name, &tokens))
    return 0;
  tl_net_builder *b = unwrap (BUILDER, capsule);
  const uint64_t count = b ? PyLong_AsUnsignedLongLong (tokens) : 0;
  if (PyErr_Occurred ())
    return 0;
  if (tl_net_builder_place (b, id, name, count, &err))
    return raise_error (&err);
  Py_RETURN_NONE;
}

static PyObject *builder_transition (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule;
  const char *id, *name;
  tl_error err;
  if (!PyArg_ParseTuple (args, "Osz", &capsule, &id, &name))
    return 0;
  tl_net_builder *b = unwrap (BUILDER, capsule);
  if (!b)
    return 0;
  if (tl_net_builder_transition (b, id, name, &err))
    return raise_error (&err);
  Py_RETURN_NONE;
}

static PyObject *builder_arc (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule, *weight;
  int kind;
  const char *place, *transition;
  tl_error err;
  if (!PyArg_ParseTuple (args, "OissO", &capsule, &kind, &place, &transition,
                         &weight))
    return 0;
  tl_net_builder *b = unwrap (BUILDER, capsule);
  const uint64_t count = b ? PyLong_AsUnsignedLongLong (weight) : 0;
  if (PyErr_Occurred ())
    return 0;
  if (tl_net_builder_arc (b, (tl_arc_kind)kind, place, transition, count, &err))
    return raise_error (&err);
  Py_RETURN_NONE;
}

// An empty builder takes the place of the one that is used up.
static PyObject *builder_finish (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule;
  tl_net_builder *empty;
  tl_net *net;
  tl_error err;
  if (!PyArg_ParseTuple (args, "O", &capsule))
    return 0;
  tl_net_builder *b = unwrap (BUILDER, capsule);
  if (!b)
    return 0;
  if (tl_net_builder_open (&empty, "", &err))
    return raise_error (&err);
  PyCapsule_SetPointer (capsule, empty);
  return tl_net_builder_finish (b, &net, &err) ? raise_error (&err)
                                               : wrap (NET, net, 0);
}

// ---- What is in it ---------------------------------------------------------

static PyObject *net_facts (PyObject *self, PyObject *capsule) {
  (void)self;
  const tl_net *net = unwrap (NET, capsule);
  if (!net)
    return 0;
  return Py_BuildValue ("(ssIIKO)", tl_net_name (net), tl_net_format (net),
                        (unsigned)tl_net_places (net),
                        (unsigned)tl_net_transitions (net),
                        (unsigned long long)tl_net_arcs (net),
                        tl_net_is_coloured (net) ? Py_True : Py_False);
}

// Adds an item, and gives it up; false and an exception: there is none.
static bool append (PyObject *list, PyObject *item) {
  const bool added = item && !PyList_Append (list, item);
  Py_XDECREF (item);
  return added;
}

static PyObject *net_nodes (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule;
  int places;
  if (!PyArg_ParseTuple (args, "Op", &capsule, &places))
    return 0;
  const tl_net *net = unwrap (NET, capsule);
  PyObject *list = net ? PyList_New (0) : 0;
  const uint32_t count =
      places ? tl_net_places (net) : tl_net_transitions (net);
  for (uint32_t i = 0; list && i < count; i++) {
    PyObject *node = places
                         ? Py_BuildValue ("(ss)", tl_net_place_id (net, i),
                                          tl_net_place_name (net, i))
                         : Py_BuildValue ("(ss)", tl_net_transition_id (net, i),
                                          tl_net_transition_name (net, i));
    if (!append (list, node))
      Py_CLEAR (list);
  }
  return list;
}

static bool list_arcs (PyObject *list, const tl_net *net, uint32_t t) {
  for (tl_arc_kind kind = TL_ARC_PRE; kind <= TL_ARC_INHIBITOR; kind++) {
    const tl_arc *arc;
    const size_t count = tl_net_arcs_of (net, t, kind, &arc);
    for (size_t i = 0; i < count; i++)
      if (!append (list,
                   Py_BuildValue ("(iIII)", (int)kind, (unsigned)arc[i].place,
                                  (unsigned)t, (unsigned)arc[i].weight)))
        return false;
  }
  return true;
}

static PyObject *net_arcs (PyObject *self, PyObject *capsule) {
  (void)self;
  const tl_net *net = unwrap (NET, capsule);
  PyObject *list = net ? PyList_New (0) : 0;
  for (uint32_t t = 0; list && t < tl_net_transitions (net); t++)
    if (!list_arcs (list, net, t))
      Py_CLEAR (list);
  return list;
}

// The number of a node by id or name; -1: there is none.
static PyObject *net_find (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule;
  int place;
  const char *words;
  uint32_t node;
  if (!PyArg_ParseTuple (args, "Ops", &capsule, &place, &words))
    return 0;
  const tl_net *net = unwrap (NET, capsule);
  if (!net)
    return 0;
  const bool there = place ? tl_net_find_place (net, words, &node)
                           : tl_net_find_transition (net, words, &node);
  return PyLong_FromLongLong (there ? (long long)node : -1);
}

// ---- Markings as numbers ---------------------------------------------------

// A marking of the net, in bytes.  Null and an exception: it has another size.
static uint64_t *copy_marking (const tl_net *net, const char *bytes,
                               Py_ssize_t length) {
  const size_t size = tl_net_places (net) * sizeof (uint64_t);
  if ((size_t)length != size) {
    PyErr_SetString (PyExc_ValueError, "this is not a marking of the net");
    return 0;
  }
  uint64_t *marking = malloc (size + 1);
  if (!marking) {
    PyErr_NoMemory ();
    return 0;
  }
  memcpy (marking, bytes, size);
  return marking;
}

static PyObject *net_enabled (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule;
  const char *bytes;
  Py_ssize_t length;
  if (!PyArg_ParseTuple (args, "Oy#", &capsule, &bytes, &length))
    return 0;
  const tl_net *net = unwrap (NET, capsule);
  uint64_t *marking = net ? copy_marking (net, bytes, length) : 0;
  PyObject *list = marking ? PyList_New (0) : 0;
  for (uint32_t t = 0; list && t < tl_net_transitions (net); t++)
    if (tl_net_enables (net, marking, t) &&
        !append (list, PyLong_FromUnsignedLong (t)))
      Py_CLEAR (list);
  free (marking);
  return list;
}

static PyObject *give_marking (const tl_net *net, const uint64_t *marking) {
  return PyBytes_FromStringAndSize (
      (const char *)marking,
      (Py_ssize_t)(tl_net_places (net) * sizeof *marking));
}

static PyObject *net_fire (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule, *after = 0;
  const char *bytes;
  Py_ssize_t length;
  unsigned transition;
  tl_error err;
  if (!PyArg_ParseTuple (args, "Oy#I", &capsule, &bytes, &length, &transition))
    return 0;
  const tl_net *net = unwrap (NET, capsule);
  uint64_t *marking = net ? copy_marking (net, bytes, length) : 0;
  if (marking)
    after = tl_net_fire (net, marking, transition, &err)
                ? raise_error (&err)
                : give_marking (net, marking);
  free (marking);
  return after;
}

static PyObject *net_initial (PyObject *self, PyObject *capsule) {
  (void)self;
  const tl_net *net = unwrap (NET, capsule);
  tl_error err;
  if (!net)
    return 0;
  uint64_t *marking = calloc (tl_net_places (net) + 1u, sizeof *marking);
  if (!marking)
    return PyErr_NoMemory ();
  PyObject *given = tl_net_initial (net, marking, &err)
                        ? raise_error (&err)
                        : give_marking (net, marking);
  free (marking);
  return given;
}

static PyObject *net_sketch (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule;
  unsigned long long most;
  if (!PyArg_ParseTuple (args, "OK", &capsule, &most))
    return 0;
  const tl_net *net = unwrap (NET, capsule);
  char *text = net ? tl_net_sketch (net, most, TL_FORM_TEXT) : 0;
  if (net && !text)
    Py_RETURN_NONE;
  return net ? give_text (text) : 0;
}

PyMethodDef net_methods[] = {
    {"net_open", net_open, METH_VARARGS, 0},
    {"net_read", net_read, METH_VARARGS, 0},
    {"net_example", net_example, METH_VARARGS, 0},
    {"net_save", net_save, METH_VARARGS, 0},
    {"net_facts", net_facts, METH_O, 0},
    {"net_nodes", net_nodes, METH_VARARGS, 0},
    {"net_arcs", net_arcs, METH_O, 0},
    {"net_find", net_find, METH_VARARGS, 0},
    {"net_enabled", net_enabled, METH_VARARGS, 0},
    {"net_fire", net_fire, METH_VARARGS, 0},
    {"net_initial", net_initial, METH_O, 0},
    {"net_sketch", net_sketch, METH_VARARGS, 0},
    {"builder_open", builder_open, METH_VARARGS, 0},
    {"builder_place", builder_place, METH_VARARGS, 0},
    {"builder_transition", builder_transition, METH_VARARGS, 0},
    {"builder_arc", builder_arc, METH_VARARGS, 0},
    {"builder_finish", builder_finish, METH_VARARGS, 0},
    {0},
};
