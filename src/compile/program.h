#ifndef TL_COMPILE_PROGRAM_H
#define TL_COMPILE_PROGRAM_H

#include "colour/evaluate.h"
#include "colour/schedule.h"

#include <stdio.h>

// A coloured net as a C program: one translation unit with a function for
// each transition that finds its bindings in the order of a schedule, and one
// for each label, proposition, priority and function of the net.
//
// Only what goes right is compiled.  Where a value is out of range, a function
// does not end, or a term is too large, the function gives up, and whoever
// called it asks the evaluation, which knows what to say.  So the program needs
// no messages, and nothing of the net gets into it but numbers.

// What the functions of the program are called with.  The text of these
// declarations is also the beginning of every program.
#define TL_PROGRAM_DECLARATIONS                                                \
  typedef struct tl_kernel_state {                                             \
    uint64_t *bits;                                                            \
    int32_t *many;                                                             \
    int64_t *total;                                                            \
    int32_t most;                                                              \
  } tl_kernel_state;                                                           \
  typedef struct tl_program_call {                                             \
    const tl_tokens *marking;                                                  \
    void *context;                                                             \
    int32_t (*found) (void *context, uint32_t transition, tl_cell *frame);     \
    int32_t (*give) (void *context, uint32_t place, const tl_cell *token,      \
                     int64_t many);                                            \
    int64_t value;                                                             \
    uint64_t left;                                                             \
    uint32_t depth;                                                            \
    tl_kernel_state *state;                                                    \
    uint32_t *rank;                                                            \
    uint32_t ranks, room;                                                      \
    int32_t sign, wrong;                                                       \
  } tl_program_call;                                                           \
  typedef int32_t tl_program_function (tl_program_call *, tl_cell *frame);     \
  typedef struct tl_kernel {                                                   \
    uint32_t words, code_words;                                                \
    tl_program_function *const *seek;                                          \
    tl_program_function *const *fire;                                          \
    tl_program_function *const *unfire;                                        \
    int32_t (*encode) (const tl_kernel_state *, uint64_t *key,                 \
                       uint64_t *bits);                                        \
    int32_t (*decode) (tl_kernel_state *, const uint64_t *key,                 \
                       uint64_t *bits);                                        \
    uint64_t (*hash) (const tl_kernel_state *);                                \
  } tl_kernel;                                                                 \
  typedef struct tl_program {                                                  \
    uint32_t transitions, propositions;                                        \
    tl_program_function *const *find;                                          \
    tl_program_function *const *take;                                          \
    tl_program_function *const *put;                                           \
    tl_program_function *const *priority;                                      \
    tl_program_function *const *proposition;                                   \
    tl_program_function *const *measure;                                       \
    const tl_kernel *kernel;                                                   \
  } tl_program

// marking  of all places
// found    is called by `find` for each binding; what it returns but 0 is
//          returned
// give     is called by `take` and `put` for each token of the input and
//          output arcs
// value    is set by propositions, priorities and measures
// left     steps that may be taken; and how deep calls are nested
// kernel   or null (compile/kernel.h); `state` is what it works on, `rank` is
//          room for the bindings found, `sign` says whether tokens come or go
TL_PROGRAM_DECLARATIONS;

// What a function returns that has given up; 0 is success, and anything else
// is what a callback said.
#define TL_PROGRAM_GIVES_UP (-1)

// Steps that one call may take before it gives up.
#define TL_PROGRAM_STEPS 1000000

// The name of the variable of type tl_program that every program defines.
#define TL_PROGRAM_SYMBOL "tideline_program"

// Writes the program; `schedule` has one for each transition, and there may be
// a plan for a kernel.  TL_E_NOMEM.
typedef struct tl_kernel_plan tl_kernel_plan;
tl_status tl_program_write (FILE *, const tl_coloured *, const tl_schedule *,
                            const tl_kernel_plan *);

#endif
