#include "compile/emit.h"

#include <stdlib.h>

// The frame of a C function.  What was written when something is refused is
// thrown away; the function then only gives up.

enum {
  MOST_CELLS = 4096, // of rooms in one function, for the stack's sake
  MOST_NESTED = 400
};

bool tl_emit_open (tl_emit *e) {
  e->cells = 0;
  e->nested = 0;
  e->many = 0;
  e->refused = false;
  e->head = open_memstream (&e->head_text, &e->head_size);
  e->body = e->head ? open_memstream (&e->body_text, &e->body_size) : 0;
  if (e->body)
    return true;
  if (e->head)
    fclose (e->head);
  free (e->head_text);
  e->head_text = 0;
  return false;
}

tl_status tl_emit_close (tl_emit *e, const char *kind, uint32_t number,
                         const char *parameters) {
  const bool head = !fclose (e->head), body = !fclose (e->body);
  if (head && body) {
    fprintf (e->out, "static int32_t %s%u (tl_program_call *e, cell *f%s) {\n",
             kind, number, parameters);
    if (!e->refused)
      fprintf (e->out, "%s%sreturn 0;\nwrong:\n", e->head_text, e->body_text);
    fprintf (e->out, "return %d;\n}\n", TL_PROGRAM_GIVES_UP);
  }
  free (e->head_text);
  free (e->body_text);
  e->head_text = e->body_text = 0;
  return head && body ? TL_OK : TL_E_NOMEM;
}

uint32_t tl_emit_new_number (tl_emit *e) {
  fprintf (e->head, "num n%u;\n", ++e->names);
  return e->names;
}

uint32_t tl_emit_new_pointer (tl_emit *e) {
  fprintf (e->head, "const cell *p%u;\n", ++e->names);
  return e->names;
}

uint32_t tl_emit_new_room (tl_emit *e, uint32_t cells) {
  const uint32_t p = tl_emit_new_pointer (e);
  fprintf (e->head, "cell b%u[%u];\n", p, cells + !cells);
  fprintf (e->body, "p%u = b%u;\n", p, p);
  e->cells += cells;
  e->refused |= e->cells > MOST_CELLS;
  return p;
}

bool tl_emit_down (tl_emit *e) {
  e->refused |= ++e->nested > MOST_NESTED;
  return e->nested <= MOST_NESTED;
}

void tl_emit_up (tl_emit *e) {
  e->nested--;
}
