// The token game.

#include "extension.h"

PyObject *list_marking (tl_playback *play) {
  const tl_marked *marked;
  const size_t count = tl_playback_marking (play, &marked);
  PyObject *list = PyList_New (0);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *pair = Py_BuildValue ("(sK)", marked[i].id,
                                    (unsigned long long)marked[i].tokens);
    if (!pair || PyList_Append (list, pair))
      Py_CLEAR (list);
    Py_XDECREF (pair);
  }
  return list;
}

PyObject *list_steps (const tl_net *net, const tl_trace *trace) {
  PyObject *list = PyList_New (0);
  for (uint64_t i = 0; list && i < trace->length; i++) {
    PyObject *step = make_text (tl_trace_step (net, trace, i));
    if (!step || PyList_Append (list, step))
      Py_CLEAR (list);
    Py_XDECREF (step);
  }
  return list;
}

static PyObject *game_open (PyObject *self, PyObject *capsule) {
  (void)self;
  const tl_net *net = unwrap (NET, capsule);
  tl_game *game;
  tl_error err;
  if (!net)
    return 0;
  return tl_game_open (&game, net, &err) ? raise_error (&err)
                                         : wrap (GAME, game, capsule);
}

static PyObject *game_choices (PyObject *self, PyObject *capsule) {
  (void)self;
  tl_game *game = unwrap (GAME, capsule);
  const tl_choice *choice;
  size_t count;
  tl_error err;
  if (!game)
    return 0;
  if (tl_playback_choices (tl_game_playback (game), &choice, &count, &err))
    return raise_error (&err);
  PyObject *list = PyList_New (0);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *step = make_text (choice[i].step);
    if (!step || PyList_Append (list, step))
      Py_CLEAR (list);
    Py_XDECREF (step);
  }
  return list;
}

// The number of the choice; false and an exception: there is none.
static bool find (tl_game *game, PyObject *words, size_t *at) {
  texts k;
  tl_error err;
  if (!texts_open (&k))
    return false;
  const char *text = texts_add (&k, words);
  const bool found = text && !tl_game_find (game, text, at, &err);
  if (text && !found)
    raise_error (&err);
  texts_close (&k);
  return found;
}

// By number, or in words.
static PyObject *game_fire (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule, *which;
  const tl_choice *choice;
  size_t count, at;
  tl_error err;
  if (!PyArg_ParseTuple (args, "OO", &capsule, &which))
    return 0;
  tl_game *game = unwrap (GAME, capsule);
  if (!game)
    return 0;
  if (tl_playback_choices (tl_game_playback (game), &choice, &count, &err))
    return raise_error (&err);
  if (PyLong_Check (which))
    at = PyLong_AsSize_t (which);
  else if (!find (game, which, &at))
    return 0;
  if (PyErr_Occurred ())
    return 0;
  if (at >= count)
    return PyErr_Format (PyExc_IndexError, "there is no choice %zu", at);
  if (tl_game_fire (game, choice + at, &err))
    return raise_error (&err);
  Py_RETURN_NONE;
}

static PyObject *game_back (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *capsule;
  unsigned long long steps;
  tl_error err;
  if (!PyArg_ParseTuple (args, "OK", &capsule, &steps))
    return 0;
  tl_game *game = unwrap (GAME, capsule);
  if (!game)
    return 0;
  if (tl_game_back (game, steps, &err))
    return raise_error (&err);
  Py_RETURN_NONE;
}

static PyObject *game_marking (PyObject *self, PyObject *capsule) {
  (void)self;
  tl_game *game = unwrap (GAME, capsule);
  return game ? list_marking (tl_game_playback (game)) : 0;
}

static PyObject *game_changes (PyObject *self, PyObject *capsule) {
  (void)self;
  tl_game *game = unwrap (GAME, capsule);
  const tl_marked *m;
  if (!game)
    return 0;
  const size_t count = tl_playback_changes (tl_game_playback (game), &m);
  PyObject *list = PyList_New (0);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *change =
        Py_BuildValue ("(s(KK))", m[i].id, (unsigned long long)m[i].before,
                       (unsigned long long)m[i].tokens);
    if (!change || PyList_Append (list, change))
      Py_CLEAR (list);
    Py_XDECREF (change);
  }
  return list;
}

static PyObject *game_steps (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *net, *capsule;
  if (!PyArg_ParseTuple (args, "OO", &net, &capsule))
    return 0;
  const tl_net *n = unwrap (NET, net);
  const tl_game *game = n ? unwrap (GAME, capsule) : 0;
  return game ? list_steps (n, tl_game_trace (game)) : 0;
}

static PyObject *game_length (PyObject *self, PyObject *capsule) {
  (void)self;
  const tl_game *game = unwrap (GAME, capsule);
  return game ? PyLong_FromUnsignedLongLong (tl_game_trace (game)->length) : 0;
}

static PyObject *game_page (PyObject *self, PyObject *args) {
  (void)self;
  PyObject *net, *capsule;
  tl_page_layout layout = {0};
  if (!PyArg_ParseTuple (args, "OOz", &net, &capsule, &layout.net))
    return 0;
  const tl_net *n = unwrap (NET, net);
  tl_game *game = n ? unwrap (GAME, capsule) : 0;
  return game ? give_text (tl_game_page (n, game, TL_FORM_TEXT, &layout)) : 0;
}

PyMethodDef game_methods[] = {
    {"game_open", game_open, METH_O, 0},
    {"game_choices", game_choices, METH_O, 0},
    {"game_fire", game_fire, METH_VARARGS, 0},
    {"game_back", game_back, METH_VARARGS, 0},
    {"game_marking", game_marking, METH_O, 0},
    {"game_changes", game_changes, METH_O, 0},
    {"game_steps", game_steps, METH_VARARGS, 0},
    {"game_length", game_length, METH_O, 0},
    {"game_page", game_page, METH_VARARGS, 0},
    {0},
};
