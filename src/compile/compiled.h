#ifndef TL_COMPILE_COMPILED_H
#define TL_COMPILE_COMPILED_H

#include "colour/fold.h"
#include "compile/toolchain.h"
#include "compile/kernel.h"

// The compiled form of a net that is not unfolded.
//
// Where it is to be compiled at once, that is done when the net is made, and
// the program is a part of the net that all searches share.  Else each search
// has one of its own.  A compiler takes longer than most small nets, so it is
// started only when the net turns out to be worth it, and the search goes on
// term by term until the code is there.  Both find the same bindings in the
// same order, so nothing but the time depends on when that is.

// Makes the net of a coloured net that is not unfolded, as tl_folded_net does.
// TL_E_ARG also: it is to be compiled at once, and that failed.
tl_status tl_folded_open (tl_net **, tl_mem *, tl_coloured *, tl_compile when,
                          tl_error *);

// What one search has of it.
typedef struct tl_compiled {
  tl_mem *mem;
  const tl_coloured *net;
  tl_compile when;
  uint64_t asked;
  const tl_kernel_plan *plan; // for a kernel, or null
  tl_build *build;            // its own
  const tl_program *program;  // null until it is there
} tl_compiled;

void tl_compiled_open (tl_compiled *, tl_mem *, const tl_folded *);
void tl_compiled_close (tl_compiled *);

// The program is to have a kernel.
void tl_compiled_plan (tl_compiled *, const tl_kernel_plan *);

// The program, or null; to be called for every search for bindings, and for
// every state that a kernel would take.
const tl_program *tl_compiled_now (tl_compiled *);

// In words: "compiled", or why not.  They outlive it.
const char *tl_compiled_how (const tl_compiled *);
#define TL_COMPILED "compiled"
#define TL_NOT_COMPILED "not compiled"

#endif
