#ifndef TL_GPU_KERNEL_TEXT_H
#define TL_GPU_KERNEL_TEXT_H

#include "encode/code.h"
#include "fire/compile.h"
#include "gpu/call.h"

#include <stdio.h>

// The program of a net for a device: kernels that expand the states of a level,
// in a text that is CUDA C++ and, with other words at its beginning, C
// (src/gpu/text).  Transitions are unrolled and all numbers of the net are
// constants; the words of a working state are variables.

typedef enum tl_gpu_table_kind {
  TL_GPU_SLOTS = 1, // see src/gpu/text/table.cuh
  TL_GPU_PAIRS,
  TL_GPU_LANES,
  TL_GPU_MAP
} tl_gpu_table_kind;

typedef struct tl_gpu_table_shape {
  tl_gpu_table_kind kind;
  unsigned lane_bits, cell_bits; // of LANES, of MAP
} tl_gpu_table_shape;

// Writes a C expression that is not 0 for a state that the host wants to see.
// It may speak of TOKENS_p, FIREABLE_t and LIMIT (i), for the i-th of numbers
// that the host may change.
typedef void tl_gpu_test (void *context, FILE *);

typedef struct tl_gpu_net {
  const tl_layout *layout;
  const tl_code *code;
  const tl_firing *firing;
  const uint8_t *bounded; // [places] it cannot outgrow its field
  tl_gpu_test *test;      // or null
  void *test_context;
} tl_gpu_net;

// Why there is no program for this net; null: there is.
const char *tl_gpu_refusal (const tl_gpu_net *);

// Sets of 64 transitions; and bits of the number of an event, of which there is
// one more than transitions: none.
uint32_t tl_gpu_sets (const tl_gpu_net *);
unsigned tl_gpu_event_bits (const tl_gpu_net *);

void tl_gpu_write (FILE *, const tl_gpu_net *, const tl_gpu_table_shape *,
                   bool cuda);

// The kernels, in the order of the table that ends the C text.
#define TL_GPU_KERNELS(KERNEL)                                                 \
  KERNEL (expand) KERNEL (start) KERNEL (find_one) KERNEL (look) KERNEL (move)

typedef enum tl_gpu_kernel {
#define NAMED(NAME) TL_GPU_KERNEL_##NAME,
  TL_GPU_KERNELS (NAMED)
#undef NAMED
      TL_GPU_KERNEL_COUNT
} tl_gpu_kernel;

#endif
