// The table of the module.

#include "extension.h"

#include <string.h>

static PyObject *version (PyObject *self, PyObject *nothing) {
  (void)self;
  (void)nothing;
  return make_text (tl_version ());
}

// Names of one of the tables of kinds, each with what it is.
static PyObject *list_kinds (PyObject *self, PyObject *args) {
  (void)self;
  static const struct table {
    const char *name;
    const tl_kind_row *(*rows) (size_t *);
  } tables[] = {
      {"orders", tl_orders},          {"stores", tl_stores},
      {"measures", tl_measure_kinds}, {"reductions", tl_reductions},
      {"engines", tl_engines},        {"explorers", tl_explorers},
      {"devices", tl_devices},        {"compilings", tl_compilings},
  };
  const char *name;
  size_t count = 0;
  const tl_kind_row *row = 0;
  if (!PyArg_ParseTuple (args, "s", &name))
    return 0;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (!strcmp (tables[i].name, name))
      row = tables[i].rows (&count);
  PyObject *kinds = PyDict_New ();
  for (size_t i = 0; kinds && i < count; i++) {
    PyObject *blurb = make_text (row[i].blurb);
    if (!blurb || PyDict_SetItemString (kinds, row[i].name, blurb))
      Py_CLEAR (kinds);
    Py_XDECREF (blurb);
  }
  return kinds;
}

static PyMethodDef methods[] = {
    {"version", version, METH_NOARGS, 0},
    {"kinds", list_kinds, METH_VARARGS, 0},
    {0},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        .m_name = "_tideline", .m_size = -1};

PyMODINIT_FUNC PyInit__tideline (void); // as Python finds it

PyMODINIT_FUNC PyInit__tideline (void) {
  PyMethodDef *const tables[] = {methods, net_methods, result_methods,
                                 game_methods, graph_methods};
  PyObject *module = PyModule_Create (&definition);
  for (size_t i = 0; module && i < sizeof tables / sizeof *tables; i++)
    if (PyModule_AddFunctions (module, tables[i]))
      Py_CLEAR (module);
  return module;
}
