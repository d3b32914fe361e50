// What goes from Python to the library and back.

#include "extension.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// ---- Capsules --------------------------------------------------------------

static void close_found (void *object) {
  findings *f = object;
  tl_exploration_close (&f->run);
  free (f);
}

static void close_answers (void *object) {
  replies *r = object;
  tl_answers_close (&r->answers);
  tl_questions_close (r->questions);
  free (r);
}

static void close_net (void *object) {
  tl_net_close (object);
}

static void close_builder (void *object) {
  tl_net_builder_close (object);
}

static void close_game (void *object) {
  tl_game_close (object);
}

static void close_graph (void *object) {
  tl_condensed_close (object);
}

static const struct kind_row {
  const char *name;
  void (*close) (void *);
} kinds[] = {
    [NET] = {"tideline net", close_net},
    [BUILDER] = {"tideline builder", close_builder},
    [EXPLORATION] = {"tideline exploration", close_found},
    [ANSWERS] = {"tideline answers", close_answers},
    [GAME] = {"tideline game", close_game},
    [GRAPH] = {"tideline graph", close_graph},
};

static void destroy (PyObject *capsule) {
  const char *name = PyCapsule_GetName (capsule);
  PyObject *parent = PyCapsule_GetContext (capsule);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (name == kinds[i].name)
      kinds[i].close (PyCapsule_GetPointer (capsule, name));
  Py_XDECREF (parent);
}

PyObject *wrap (handle_kind what, void *object, PyObject *parent) {
  PyObject *capsule = PyCapsule_New (object, kinds[what].name, destroy);
  if (!capsule) {
    kinds[what].close (object);
    return 0;
  }
  Py_XINCREF (parent);
  PyCapsule_SetContext (capsule, parent);
  return capsule;
}

// Only the parent is given up.
static void leave (PyObject *capsule) {
  Py_XDECREF ((PyObject *)PyCapsule_GetContext (capsule));
}

PyObject *borrow_net (const tl_net *net, PyObject *parent) {
  PyObject *capsule = PyCapsule_New ((void *)net, kinds[NET].name, leave);
  if (!capsule)
    return 0;
  Py_XINCREF (parent);
  PyCapsule_SetContext (capsule, parent);
  return capsule;
}

void *unwrap (handle_kind what, PyObject *capsule) {
  return PyCapsule_GetPointer (capsule, kinds[what].name);
}

// ---- Texts -----------------------------------------------------------------

PyObject *make_text (const char *text) {
  return PyUnicode_DecodeUTF8 (text, (Py_ssize_t)strlen (text), "replace");
}

PyObject *give_text (char *text) {
  if (!text)
    return PyErr_NoMemory ();
  PyObject *given = make_text (text);
  tl_text_close (text);
  return given;
}

PyObject *raise_error (const tl_error *e) {
  PyObject *module = PyImport_ImportModule ("tideline._errors"),
           *text = make_text (e->text), *file = make_text (e->file), *made = 0;
  if (module && text && file)
    made = PyObject_CallMethod (module, "make", "iOOlli", (int)e->code, text,
                                file, e->line, e->column, e->sys);
  if (made)
    PyErr_SetObject ((PyObject *)Py_TYPE (made), made);
  Py_XDECREF (made);
  Py_XDECREF (text);
  Py_XDECREF (file);
  Py_XDECREF (module);
  return 0;
}

bool texts_open (texts *k) {
  k->list = PyList_New (0);
  return k->list;
}

void texts_close (texts *k) {
  Py_CLEAR (k->list);
}

const char *texts_add (texts *k, PyObject *text) {
  PyObject *bytes = 0;
  if (PyUnicode_Check (text))
    bytes = PyUnicode_AsUTF8String (text);
  else if (PyBytes_Check (text)) {
    Py_INCREF (text);
    bytes = text;
  } else
    PyErr_SetString (PyExc_TypeError, "a text is needed here");
  if (!bytes)
    return 0;
  char *start;
  // Without a length: zero bytes are refused.
  const bool kept = !PyBytes_AsStringAndSize (bytes, &start, 0) &&
                    !PyList_Append (k->list, bytes);
  Py_DECREF (bytes);
  return kept ? start : 0;
}

// ---- Structs from dictionaries ---------------------------------------------

typedef enum field_kind { TEXT, COUNT, SHORT_COUNT, NUMBER, FLAG } field_kind;

typedef struct field {
  const char *name;
  field_kind kind;
  size_t at;
} field;

#define FIELD(STRUCT, NAME, KIND)                                              \
  { #NAME, KIND, offsetof(STRUCT, NAME) }

static const field option_fields[] = {
    FIELD (tl_options, order, TEXT),
    FIELD (tl_options, store, TEXT),
    FIELD (tl_options, memory, COUNT),
    FIELD (tl_options, delta_k, SHORT_COUNT),
    FIELD (tl_options, every_place, FLAG),
    FIELD (tl_options, max_states, COUNT),
    FIELD (tl_options, timeout, NUMBER),
    FIELD (tl_options, progress, TEXT),
    FIELD (tl_options, window, COUNT),
    FIELD (tl_options, monotone, FLAG),
    FIELD (tl_options, exact_count, FLAG),
    FIELD (tl_options, bfs_memory, COUNT),
    FIELD (tl_options, stubborn, TEXT),
    FIELD (tl_options, engine, TEXT),
    FIELD (tl_options, unaided, FLAG),
    FIELD (tl_options, threads, SHORT_COUNT),
    FIELD (tl_options, seed, COUNT),
    FIELD (tl_options, parallel_from, COUNT),
    FIELD (tl_options, interludes_from, COUNT),
    FIELD (tl_options, device_from, COUNT),
    FIELD (tl_options, variables, TEXT),
    FIELD (tl_options, disk, TEXT),
    {0},
};

static const field setting_fields[] = {
    FIELD (tl_settings, no_unfold, FLAG),
    FIELD (tl_settings, unfold, FLAG),
    FIELD (tl_settings, every_place, FLAG),
    FIELD (tl_settings, memory, COUNT),
    FIELD (tl_settings, timeout, NUMBER),
    FIELD (tl_settings, progress, TEXT),
    {0},
};

static bool set_text (void *at, PyObject *value, texts *k) {
  const char *text = texts_add (k, value);
  if (text)
    memcpy (at, &text, sizeof text);
  return text;
}

static bool set_count (void *at, PyObject *value, field_kind kind) {
  const unsigned long long count = PyLong_AsUnsignedLongLong (value);
  if (PyErr_Occurred ())
    return false;
  if (kind == COUNT)
    *(uint64_t *)at = count;
  else if (count <= UINT32_MAX)
    *(uint32_t *)at = (uint32_t)count;
  else
    PyErr_SetString (PyExc_OverflowError, "a number is too large");
  return !PyErr_Occurred ();
}

static bool set_field (void *at, field_kind kind, PyObject *value, texts *k) {
  if (kind == TEXT)
    return set_text (at, value, k);
  if (kind == COUNT || kind == SHORT_COUNT)
    return set_count (at, value, kind);
  if (kind == NUMBER) {
    *(double *)at = PyFloat_AsDouble (value);
    return !PyErr_Occurred ();
  }
  const int truth = PyObject_IsTrue (value);
  *(bool *)at = truth > 0;
  return truth >= 0;
}

static bool take_fields (void *base, const field *fields, PyObject *dict,
                         texts *k) {
  PyObject *name, *value;
  Py_ssize_t at = 0;
  while (PyDict_Next (dict, &at, &name, &value)) {
    const char *text = texts_add (k, name);
    const field *f = fields;
    while (text && f->name && strcmp (f->name, text))
      f++;
    if (!text)
      return false;
    if (!f->name) {
      PyErr_Format (PyExc_TypeError, "there is no option '%s'", text);
      return false;
    }
    if (!set_field ((char *)base + f->at, f->kind, value, k))
      return false;
  }
  return true;
}

bool take_options (tl_options *how, PyObject *dict, texts *k) {
  *how = tl_options_default ();
  return take_fields (how, option_fields, dict, k);
}

// ---- Settings --------------------------------------------------------------

static bool take_compile (tl_settings *s, PyObject *value, texts *k) {
  size_t count;
  const tl_kind_row *row = tl_compilings (&count);
  const char *name = texts_add (k, value);
  for (size_t i = 0; name && i < count; i++)
    if (!strcmp (row[i].name, name)) {
      s->compile = (tl_compile)i;
      return true;
    }
  if (name)
    PyErr_Format (PyExc_ValueError, "nets are not compiled '%s'", name);
  return false;
}

static bool take_parameters (tl_settings *s, PyObject *dict, texts *k) {
  PyObject *name, *value;
  Py_ssize_t at = 0;
  const size_t room = (size_t)PyDict_Size (dict) + 1;
  const char **names = calloc (room, sizeof *names),
             **values = calloc (room, sizeof *values);
  s->name = names;
  s->value = values;
  if (!names || !values) {
    PyErr_NoMemory ();
    return false;
  }
  while (PyDict_Next (dict, &at, &name, &value)) {
    if (!(names[s->count] = texts_add (k, name)))
      return false;
    if (value != Py_None && !(values[s->count] = texts_add (k, value)))
      return false;
    s->count++;
  }
  return true;
}

// A value of a dictionary that is taken out of it; null: there is none.
static PyObject *take_out (PyObject *dict, const char *name) {
  PyObject *value = PyDict_GetItemString (dict, name);
  Py_XINCREF (value);
  if (value && PyDict_DelItemString (dict, name))
    Py_CLEAR (value);
  return value;
}

bool take_settings (tl_settings *s, PyObject *dict, texts *k) {
  *s = tl_settings_default ();
  PyObject *rest = PyDict_Copy (dict);
  if (!rest)
    return false;
  PyObject *parameters = take_out (rest, "parameters"),
           *compile = take_out (rest, "compile");
  const bool taken = (!parameters || take_parameters (s, parameters, k)) &&
                     (!compile || take_compile (s, compile, k)) &&
                     take_fields (s, setting_fields, rest, k);
  Py_XDECREF (parameters);
  Py_XDECREF (compile);
  Py_DECREF (rest);
  return taken;
}

void drop_settings (tl_settings *s) {
  free ((void *)s->name);
  free ((void *)s->value);
}
