#ifndef TL_COMPILE_BUILD_H
#define TL_COMPILE_BUILD_H

#include "base/mem.h"
#include "compile/program.h"

// A program on its way from text to code: the system's C compiler makes a
// shared object of it, while the caller goes on, and that is loaded.
//
// Shared objects are kept in the user's cache folder ($XDG_CACHE_HOME/tideline
// or ~/.cache/tideline) beside their text, under a name made of its hash, and
// are used again if the text is the same to the last byte.  A folder that is
// not the user's own, or that others may write to, is not trusted; then the
// work is done in a temporary folder that is removed at once.
//
// The compiler is started without a shell, and its arguments are our own.

typedef struct tl_build tl_build;

typedef enum tl_build_state {
  TL_BUILD_GOES_ON,
  TL_BUILD_READY,
  TL_BUILD_FAILED // tl_build_why says why
} tl_build_state;

// Takes the text, which malloc made, also when this fails: TL_E_NOMEM.
tl_status tl_build_start (tl_build **, tl_mem *, char *text, size_t size);
// `wait`: until it does not go on any more.
tl_build_state tl_build_look (tl_build *, bool wait);
const tl_program *tl_build_program (const tl_build *); // once it is ready
const char *tl_build_why (const tl_build *);
void tl_build_close (tl_build *);

#endif
