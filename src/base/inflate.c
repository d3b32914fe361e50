#include "base/inflate.h"
#include "base/error.h"

#include <lzma.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#include <zstd.h>

typedef struct kind {
  const char *name, *ending, *begins;
  size_t begin_length;
  tl_status (*open) (tl_inflate *);
  tl_status (*run) (tl_inflate *, tl_inflating *);
  void (*close) (tl_inflate *);
} kind;

struct tl_inflate {
  const kind *kind;
  tl_mem *mem;
  z_stream gzip;
  lzma_stream xz;
  ZSTD_DStream *zstd;
  bool within; // a packed file, not between two
};

// ---- gzip ------------------------------------------------------------------

enum { GZIP_ONLY = 16 + MAX_WBITS };

static tl_status open_gzip (tl_inflate *i) {
  return inflateInit2 (&i->gzip, GZIP_ONLY) == Z_OK ? TL_OK : TL_E_NOMEM;
}

static unsigned at_most (size_t bytes) {
  return bytes < UINT32_MAX ? (unsigned)bytes : UINT32_MAX;
}

static tl_status run_gzip (tl_inflate *i, tl_inflating *at) {
  z_stream *z = &i->gzip;
  if (!i->within && inflateReset (z) != Z_OK)
    return TL_E_INTERNAL;
  const unsigned in = at_most (at->in_left), out = at_most (at->out_left);
  z->next_in = (unsigned char *)at->in; // which zlib does not write to
  z->avail_in = in;
  z->next_out = at->out;
  z->avail_out = out;
  const int rc = inflate (z, Z_NO_FLUSH);
  at->in += in - z->avail_in;
  at->in_left -= in - z->avail_in;
  at->out += out - z->avail_out;
  at->out_left -= out - z->avail_out;
  i->within = rc != Z_STREAM_END;
  return rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR ? TL_OK
         : rc == Z_MEM_ERROR                                   ? TL_E_NOMEM
                                                               : TL_E_SYNTAX;
}

static void close_gzip (tl_inflate *i) {
  inflateEnd (&i->gzip);
}

// ---- xz --------------------------------------------------------------------

// Its tables can be large: they may take what is left of the budget.
static uint64_t memory_left (const tl_inflate *i) {
  const tl_mem *root = tl_mem_root (i->mem);
  const size_t used = tl_mem_used (root);
  return !root->limit         ? (uint64_t)1 << 30
         : used < root->limit ? root->limit - used
                              : 1;
}

static tl_status open_xz (tl_inflate *i) {
  i->xz = (lzma_stream)LZMA_STREAM_INIT;
  return lzma_stream_decoder (&i->xz, memory_left (i), LZMA_CONCATENATED) ==
                 LZMA_OK
             ? TL_OK
             : TL_E_NOMEM;
}

static tl_status run_xz (tl_inflate *i, tl_inflating *at) {
  lzma_stream *z = &i->xz;
  z->next_in = at->in;
  z->avail_in = at->in_left;
  z->next_out = at->out;
  z->avail_out = at->out_left;
  const lzma_ret rc = lzma_code (z, at->last ? LZMA_FINISH : LZMA_RUN);
  at->in = z->next_in;
  at->in_left = z->avail_in;
  at->out = z->next_out;
  at->out_left = z->avail_out;
  i->within = rc != LZMA_STREAM_END;
  return rc == LZMA_OK || rc == LZMA_STREAM_END || rc == LZMA_BUF_ERROR ? TL_OK
         : rc == LZMA_MEM_ERROR || rc == LZMA_MEMLIMIT_ERROR ? TL_E_NOMEM
                                                             : TL_E_SYNTAX;
}

static void close_xz (tl_inflate *i) {
  lzma_end (&i->xz);
}

// ---- zstd ------------------------------------------------------------------

static tl_status open_zstd (tl_inflate *i) {
  i->zstd = ZSTD_createDStream ();
  return i->zstd ? TL_OK : TL_E_NOMEM;
}

static tl_status run_zstd (tl_inflate *i, tl_inflating *at) {
  ZSTD_inBuffer in = {.src = at->in, .size = at->in_left};
  ZSTD_outBuffer out = {.dst = at->out, .size = at->out_left};
  const size_t rc = ZSTD_decompressStream (i->zstd, &out, &in);
  at->in += in.pos;
  at->in_left -= in.pos;
  at->out += out.pos;
  at->out_left -= out.pos;
  i->within = rc;
  return ZSTD_isError (rc) ? TL_E_SYNTAX : TL_OK;
}

static void close_zstd (tl_inflate *i) {
  ZSTD_freeDStream (i->zstd);
}

// ---- All -------------------------------------------------------------------

static const kind kinds[] = {
    {"gzip", ".gz", "\x1f\x8b\x08", 3, open_gzip, run_gzip, close_gzip},
    {"xz", ".xz",
     "\xfd"
     "7zXZ\0",
     6, open_xz, run_xz, close_xz},
    {"zstd", ".zst", "\x28\xb5\x2f\xfd", 4, open_zstd, run_zstd, close_zstd},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

const char *tl_inflate_kind (const unsigned char *bytes, size_t length) {
  for (const kind *k = kinds; k < kinds + KINDS; k++)
    if (length >= k->begin_length &&
        !memcmp (bytes, k->begins, k->begin_length))
      return k->name;
  return 0;
}

const char *tl_inflate_ending (const char *name) {
  const size_t length = strlen (name);
  for (const kind *k = kinds; k < kinds + KINDS; k++) {
    const size_t tail = strlen (k->ending);
    if (length > tail && !strcasecmp (name + length - tail, k->ending))
      return name + length - tail;
  }
  return 0;
}

tl_status tl_inflate_open (tl_inflate **out, tl_mem *mem, const char *name,
                           tl_error *err) {
  tl_inflate *i;
  *out = 0;
  if (!TL_NEW (mem, i, 1))
    return tl_fail (err, TL_E_NOMEM, "no memory to unpack a file");
  i->mem = mem;
  for (const kind *k = kinds; k < kinds + KINDS; k++)
    if (!strcmp (k->name, name))
      i->kind = k;
  if (i->kind->open (i)) {
    TL_DEL (mem, i, 1);
    return tl_fail (err, TL_E_NOMEM, "no memory to unpack a file");
  }
  *out = i;
  return TL_OK;
}

void tl_inflate_close (tl_inflate *i) {
  if (!i)
    return;
  i->kind->close (i);
  tl_mem *mem = i->mem;
  TL_DEL (mem, i, 1);
}

tl_status tl_inflate_run (tl_inflate *i, tl_inflating *at) {
  while (at->out_left && (at->in_left || (at->last && i->within))) {
    const size_t in = at->in_left, out = at->out_left;
    const tl_status rc = i->kind->run (i, at);
    if (rc)
      return rc;
    if (at->in_left == in && at->out_left == out) // it wants more
      return at->last ? TL_E_SYNTAX : TL_OK;
  }
  return TL_OK;
}
