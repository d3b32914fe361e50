#ifndef TL_MACHINE_COMPILED_H
#define TL_MACHINE_COMPILED_H

#include "compile/build.h"

// The compiled form of a net that runs as it is.  A compiler takes longer than
// most small nets, so it is started only when the net turns out to be worth it,
// and the machine goes on term by term until the code is there.  Both find the
// same bindings in the same order, so nothing but the time depends on when that
// is.
typedef struct tl_compiled {
  tl_mem *mem;
  const tl_coloured *net;
  tl_compile when;
  uint64_t asked;
  tl_build *build;
  const tl_program *program; // null until it is there
} tl_compiled;

// TL_E_ARG: it is to be compiled at once, and that failed.
tl_status tl_compiled_open (tl_compiled *, tl_mem *, const tl_coloured *,
                            tl_compile when, tl_error *);
void tl_compiled_close (tl_compiled *);

// The program, or null; to be called for every search for bindings.
const tl_program *tl_compiled_now (tl_compiled *);

// In words.
const char *tl_compiled_how (const tl_compiled *);

#endif
