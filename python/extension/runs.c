// Work that takes long: Ctrl-C ends it, whatever it is doing.

#include "extension.h"

#include <string.h>
#include <time.h>

enum { MILLISECONDS = 50 }; // between two looks

static int tell_progress (void *context, const tl_progress *p) {
  run *r = context;
  pthread_mutex_lock (&r->lock);
  r->progress = *p;
  r->fresh = true;
  pthread_mutex_unlock (&r->lock);
  return 0;
}

bool begin_run (run *r, tl_options *how, PyObject *dict, texts *k) {
  if (!take_options (how, dict, k))
    return false;
  how->cancel = &r->cancel;
  if (r->callback != Py_None) {
    how->on_progress = tell_progress;
    how->context = r;
  }
  return true;
}

static void *work (void *context) {
  run *r = context;
  const tl_status status = r->work (r->context, &r->error);
  pthread_mutex_lock (&r->lock);
  r->status = status;
  r->done = true;
  pthread_cond_signal (&r->changed);
  pthread_mutex_unlock (&r->lock);
  return 0;
}

static PyObject *describe (const tl_progress *p) {
  return Py_BuildValue ("{s:K,s:K,s:K,s:K,s:K,s:K,s:d,s:K,s:K,s:K,s:K}",
                        "states", p->states, "arcs", p->arcs, "queued",
                        p->queued, "depth", p->depth, "bytes",
                        (uint64_t)p->bytes, "budget", (uint64_t)p->budget,
                        "seconds", p->seconds, "sweep", p->sweep, "stored",
                        p->stored, "expected", p->expected, "nodes", p->nodes);
}

// False: the callback failed, or wants the work to end.
static bool call_back (run *r, const tl_progress *p) {
  PyObject *told = describe (p), *answer = 0;
  if (told)
    answer = PyObject_CallFunctionObjArgs (r->callback, told, NULL);
  const bool on = answer && answer != Py_False;
  Py_XDECREF (told);
  Py_XDECREF (answer);
  return on;
}

// Waits for a moment; true: the work is done.
static bool await (run *r, bool *fresh, tl_progress *p) {
  struct timespec until;
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_nsec += MILLISECONDS * 1000000L;
  if (until.tv_nsec >= 1000000000L) {
    until.tv_nsec -= 1000000000L;
    until.tv_sec++;
  }
  pthread_mutex_lock (&r->lock);
  if (!r->done)
    pthread_cond_timedwait (&r->changed, &r->lock, &until);
  const bool done = r->done;
  *fresh = r->fresh;
  *p = r->progress;
  r->fresh = false;
  pthread_mutex_unlock (&r->lock);
  return done;
}

// What is wrong on the side of Python is told when the work has ended.
typedef struct trouble {
  PyObject *type, *value, *traceback;
} trouble;

static void watch (run *r, trouble *t) {
  bool done = false, on = true, fresh;
  tl_progress p;
  while (!done) {
    Py_BEGIN_ALLOW_THREADS;
    done = await (r, &fresh, &p);
    Py_END_ALLOW_THREADS;
    if (!on)
      continue;
    if (PyErr_CheckSignals () ||
        (fresh && r->callback != Py_None && !call_back (r, &p))) {
      on = false;
      PyErr_Fetch (&t->type, &t->value, &t->traceback);
      tl_cancel (&r->cancel);
    }
  }
}

bool do_run (run *r) {
  pthread_t thread;
  trouble t = {0};
  r->done = r->fresh = false;
  pthread_mutex_init (&r->lock, 0);
  pthread_cond_init (&r->changed, 0);
  const int failed = pthread_create (&thread, 0, work, r);
  if (failed)
    PyErr_Format (PyExc_RuntimeError, "no thread to work in: %s",
                  strerror (failed));
  else {
    watch (r, &t);
    pthread_join (thread, 0);
  }
  pthread_cond_destroy (&r->changed);
  pthread_mutex_destroy (&r->lock);
  if (t.type)
    PyErr_Restore (t.type, t.value, t.traceback);
  else if (!failed && r->status)
    raise_error (&r->error);
  return !failed && !t.type && !r->status;
}
