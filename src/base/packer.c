#include "base/packer.h"

#include <zstd.h>

static tl_status open_contexts (tl_packer *p) {
  if (p->compressor)
    return TL_OK;
  if (!tl_mem_charge (p->mem, TL_PACKER_BYTES))
    return TL_E_NOMEM;
  p->compressor = ZSTD_createCCtx ();
  p->expander = ZSTD_createDCtx ();
  if (p->compressor && p->expander)
    return TL_OK;
  ZSTD_freeCCtx (p->compressor);
  ZSTD_freeDCtx (p->expander);
  p->compressor = 0;
  p->expander = 0;
  tl_mem_discharge (p->mem, TL_PACKER_BYTES);
  return TL_E_NOMEM;
}

void tl_packer_close (tl_packer *p) {
  if (p->compressor) {
    ZSTD_freeCCtx (p->compressor);
    ZSTD_freeDCtx (p->expander);
    tl_mem_discharge (p->mem, TL_PACKER_BYTES);
  }
  TL_DEL (p->mem, p->room, p->capacity);
  *p = (tl_packer){0};
}

tl_status tl_packer_prepare (tl_packer *p, size_t bytes) {
  const tl_status rc = open_contexts (p);
  if (rc || bytes <= p->capacity)
    return rc;
  unsigned char *more = tl_mem_resize (p->mem, p->room, p->capacity, bytes, 1);
  if (!more)
    return TL_E_NOMEM;
  p->room = more;
  p->capacity = bytes;
  return TL_OK;
}

tl_status tl_packer_pack (tl_packer *p, int level, const void *bytes,
                          size_t size, size_t *packed) {
  const tl_status rc = tl_packer_prepare (p, ZSTD_compressBound (size));
  if (rc)
    return rc;
  *packed = ZSTD_compressCCtx (p->compressor, p->room, p->capacity, bytes, size,
                               level);
  return ZSTD_isError (*packed) ? TL_E_NOMEM : TL_OK;
}

tl_status tl_packer_unpack (tl_packer *p, const void *packed,
                            size_t packed_size, void *bytes, size_t room,
                            size_t *size) {
  const tl_status rc = tl_packer_prepare (p, 0);
  if (rc)
    return rc;
  *size = ZSTD_decompressDCtx (p->expander, bytes, room, packed, packed_size);
  return ZSTD_isError (*size) ? TL_E_IO : TL_OK;
}
