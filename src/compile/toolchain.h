#ifndef TL_COMPILE_TOOLCHAIN_H
#define TL_COMPILE_TOOLCHAIN_H

#include "base/mem.h"

// A program on its way from text to code: the system's C compiler makes a
// shared object of it, while the caller goes on, and that is loaded.
//
// Shared objects are kept in the user's cache folder and used again for the
// same text (compile/kept.h).  They are made in a folder that nobody else has
// and that is removed at once, however that ends.
//
// The compiler is started without a shell, and its arguments are our own.  One
// that does not end is ended, with all the processes that it has started.

typedef struct tl_build tl_build;

typedef enum tl_build_state {
  TL_BUILD_GOES_ON,
  TL_BUILD_READY,
  TL_BUILD_FAILED // tl_build_why says why
} tl_build_state;

// Takes the text, which malloc made, also when this fails: TL_E_NOMEM.  What is
// wanted of the program is the variable of that name.
tl_status tl_build_start (tl_build **, tl_mem *, char *text, size_t size,
                          const char *symbol);
// `wait`: until it does not go on any more, or the budget of time is spent.
tl_build_state tl_build_look (tl_build *, bool wait);
const void *tl_build_found (const tl_build *); // once it is ready
const char *tl_build_why (const tl_build *);   // "" or a constant text
// Fills the error: the user's where there is no compiler, else the machine's.
tl_status tl_build_complain (const tl_build *, tl_error *);
void tl_build_close (tl_build *);

#endif
