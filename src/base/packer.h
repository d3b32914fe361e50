#ifndef TL_BASE_PACKER_H
#define TL_BASE_PACKER_H

#include "base/mem.h"

// What compressing blocks of bytes takes, made when it is first needed.  Many
// may share one, in one thread.
typedef struct tl_packer {
  tl_mem *mem;
  struct ZSTD_CCtx_s *compressor;
  struct ZSTD_DCtx_s *expander;
  unsigned char *room; // for a compressed block
  size_t capacity;
} tl_packer;

// About what the two contexts take.
enum { TL_PACKER_BYTES = 400 << 10 };

#define TL_PACKER(MEM) ((tl_packer){.mem = (MEM)})
void tl_packer_close (tl_packer *);

// Makes p->room so large at least, and the contexts.
tl_status tl_packer_prepare (tl_packer *, size_t bytes);
// Compresses a block into p->room; 1 is the fastest level.
tl_status tl_packer_pack (tl_packer *, int level, const void *bytes,
                          size_t size, size_t *packed);
// Expands one, which may be in p->room, to at most `room` bytes.  TL_E_IO: it
// is not what was packed.
tl_status tl_packer_unpack (tl_packer *, const void *packed, size_t packed_size,
                            void *bytes, size_t room, size_t *size);

#endif
