#include "certifying.h"

#include "base/records.h"
#include "store/ascending.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const tl_record_kind kind = {"cert", 1, "certificate"};

enum { FIGURES = 7, MOST_BLOCK = 4096 };

static void *must (void *p) {
  if (!p)
    abort ();
  return p;
}

static void need (bool is) {
  if (!is)
    abort ();
}

static void path_for (char *path) {
  snprintf (path, 64, "%s/certificate-%ld", P_tmpdir, (long)getpid ());
}

static void read_bytes (certificate *c, const char *path) {
  FILE *f = must (fopen (path, "r"));
  fseek (f, 0, SEEK_END);
  c->length = (size_t)ftell (f);
  rewind (f);
  free (c->bytes);
  c->bytes = must (malloc (c->length + 1));
  need (fread (c->bytes, 1, c->length, f) == c->length);
  fclose (f);
}

// ---- Taking apart ----------------------------------------------------------

static void take_section (tl_record_reader *r, const char *type,
                          unsigned char **bytes, size_t *length) {
  need (!tl_records_expect (r, type, 0));
  *length = 0;
  *bytes = 0;
  do {
    *bytes = must (realloc (*bytes, *length + r->length + 1));
    memcpy (*bytes + *length, r->bytes, r->length);
    *length += r->length;
    need (!tl_records_next (r, 0));
  } while (r->length);
}

static uint64_t number_at (const unsigned char **at) {
  uint64_t n = 0;
  for (unsigned shift = 0;; shift += 7) {
    n |= (uint64_t)(**at & 0x7f) << shift;
    if (!(*(*at)++ >> 7))
      return n;
  }
}

static void take_block (certificate *c, tl_packer *packer,
                        const unsigned char *bytes, size_t length) {
  uint32_t keys, packed;
  memcpy (&keys, bytes, 4);
  memcpy (&packed, bytes + 8, 4);
  const size_t size = TL_ASCENDING_HEAD + (c->key_bits + 7) / 8 + packed;
  tl_memory_source source = {bytes, c->key_bits ? size : size + 1};
  tl_ascending_reader r;
  size_t got;
  c->key = must (realloc (c->key, (c->states + keys) * c->key_words * 8));
  c->depth = must (realloc (c->depth, (c->states + keys) * 4));
  need (!tl_ascending_open (&r, packer->mem, packer, c->key_bits,
                            tl_ascending_memory (&source)));
  need (
      !tl_ascending_read (&r, c->key + c->states * c->key_words, keys, &got) &&
      got == keys);
  tl_ascending_close (&r);
  const unsigned char *at = bytes + size + !c->key_bits;
  const uint32_t least = (uint32_t)number_at (&at);
  const size_t width = number_at (&at), small = number_at (&at);
  unsigned char *depths = must (malloc (keys * width));
  need (at + small == bytes + length);
  need (!tl_packer_unpack (packer, at, small, depths, keys * width, &got));
  for (uint32_t i = 0; i < keys; i++) {
    uint32_t above = 0;
    memcpy (&above, depths + i * width, width);
    c->depth[c->states + i] = least + above;
  }
  free (depths);
  c->states += keys;
}

static void take_apart (certificate *c) {
  tl_mem mem = TL_MEM (0, "certificate");
  tl_packer packer = TL_PACKER (&mem);
  tl_record_reader r;
  need (!tl_records_open_memory (&r, &mem, "c", c->bytes, c->length, &kind, 0));
  take_section (&r, "net ", &c->net.bytes, &c->net.length);
  take_section (&r, "code", &c->code.bytes, &c->code.length);
  take_section (&r, "figs", &c->figures.bytes, &c->figures.length);
  const unsigned char *at = c->code.bytes;
  c->key_bits = (uint32_t)number_at (&at);
  c->key_words = c->key_bits ? (c->key_bits + 63) / 64 : 1;
  need (!tl_records_expect (&r, "stat", 0));
  while (r.length) {
    take_block (c, &packer, r.bytes, r.length);
    need (!tl_records_next (&r, 0));
  }
  tl_records_close (&r);
  tl_packer_close (&packer);
}

bool certificate_make (certificate *c, const tl_net *net,
                       const tl_options *how) {
  char path[64];
  tl_options options = *how;
  tl_exploration x;
  tl_error err = {0};
  *c = (certificate){0};
  path_for (path);
  options.certificate = path;
  if (tl_explore (net, &options, &x, &err)) {
    fprintf (stderr, "%s\n", err.text);
    abort ();
  }
  const bool complete = x.complete;
  tl_exploration_close (&x);
  need (complete == !access (path, F_OK));
  if (!complete)
    return false;
  read_bytes (c, path);
  unlink (path);
  take_apart (c);
  return true;
}

void certificate_close (certificate *c) {
  free (c->bytes);
  free (c->net.bytes);
  free (c->code.bytes);
  free (c->figures.bytes);
  free (c->key);
  free (c->depth);
}

// ---- Putting together ------------------------------------------------------

typedef struct joining {
  certificate *c;
  tl_record_writer *w;
  tl_packer *packer;
  uint64_t first; // state of the next block
} joining;

static tl_status join_block (void *context, const void *bytes, size_t length) {
  joining *j = context;
  uint32_t keys;
  size_t packed;
  memcpy (&keys, bytes, 4);
  tl_records_write (j->w, bytes, length);
  need (!tl_packer_pack (j->packer, 1, j->c->depth + j->first, keys * 4,
                         &packed));
  tl_records_write_number (j->w, 0);
  tl_records_write_number (j->w, 4);
  tl_records_write_number (j->w, packed);
  tl_records_write (j->w, j->packer->room, packed);
  j->first += keys;
  return tl_records_cut (j->w);
}

static void join_section (tl_record_writer *w, const char *type,
                          const unsigned char *bytes, size_t length) {
  tl_records_begin (w, type);
  tl_records_write (w, bytes, length);
}

void certificate_join (certificate *c) {
  char path[64];
  tl_mem mem = TL_MEM (0, "certificate");
  tl_packer packer = TL_PACKER (&mem);
  tl_record_writer w;
  tl_ascending_writer keys;
  joining j = {c, &w, &packer, 0};
  path_for (path);
  need (!tl_records_create (&w, &mem, path, &kind, 0));
  join_section (&w, "net ", c->net.bytes, c->net.length);
  join_section (&w, "code", c->code.bytes, c->code.length);
  join_section (&w, "figs", c->figures.bytes, c->figures.length);
  tl_records_begin (&w, "stat");
  need (!tl_ascending_create (&keys, &mem, &packer, c->key_bits, 1,
                              (tl_ascending_sink){&j, join_block}));
  for (uint64_t i = 0; i < c->states; i += MOST_BLOCK) {
    const uint64_t left = c->states - i;
    need (!tl_ascending_write (&keys, c->key + i * c->key_words,
                               left < MOST_BLOCK ? left : MOST_BLOCK));
    need (!tl_ascending_flush (&keys));
  }
  tl_ascending_end (&keys);
  need (!tl_records_finish (&w, TL_OK, 0));
  tl_packer_close (&packer);
  read_bytes (c, path);
  unlink (path);
}

uint64_t certificate_find (const certificate *c, const uint64_t *key,
                           bool *there) {
  uint64_t n = 0;
  while (n < c->states &&
         tl_key_less (c->key + n * c->key_words, key, c->key_words))
    n++;
  *there = n < c->states &&
           !tl_key_less (key, c->key + n * c->key_words, c->key_words);
  return n;
}

void certificate_remove (certificate *c, uint64_t state) {
  const uint64_t behind = --c->states - state;
  memmove (c->key + state * c->key_words, c->key + (state + 1) * c->key_words,
           behind * c->key_words * 8);
  memmove (c->depth + state, c->depth + state + 1, behind * 4);
}

void certificate_add (certificate *c, const uint64_t *key, uint32_t depth) {
  bool there;
  const uint64_t state = certificate_find (c, key, &there),
                 behind = c->states++ - state;
  c->key = must (realloc (c->key, c->states * c->key_words * 8));
  c->depth = must (realloc (c->depth, c->states * 4));
  memmove (c->key + (state + 1) * c->key_words, c->key + state * c->key_words,
           behind * c->key_words * 8);
  memmove (c->depth + state + 1, c->depth + state, behind * 4);
  memcpy (c->key + state * c->key_words, key, c->key_words * 8);
  c->depth[state] = depth;
}

static void take_figures (const certificate *c, uint64_t *figure) {
  const unsigned char *at = c->figures.bytes;
  for (unsigned i = 0; i < FIGURES; i++)
    figure[i] = number_at (&at);
}

uint64_t certificate_figure (const certificate *c, unsigned which) {
  uint64_t figure[FIGURES];
  take_figures (c, figure);
  return figure[which];
}

void certificate_claim (certificate *c, unsigned which, uint64_t claimed) {
  uint64_t figure[FIGURES];
  take_figures (c, figure);
  figure[which] = claimed;
  c->figures.length = 0;
  c->figures.bytes = must (realloc (c->figures.bytes, 10 * FIGURES));
  for (unsigned i = 0; i < FIGURES; i++) {
    uint64_t n = figure[i];
    for (; n >> 7; n >>= 7)
      c->figures.bytes[c->figures.length++] = (unsigned char)(n | 0x80);
    c->figures.bytes[c->figures.length++] = (unsigned char)n;
  }
}

tl_status certificate_verify (const certificate *c, size_t limit,
                              tl_verification *v, tl_error *err) {
  tl_mem mem = TL_MEM (0, "verify");
  mem.limit = limit;
  *err = (tl_error){0};
  const tl_status rc =
      tl_verify_bytes (&mem, "certificate", c->bytes, c->length, 0, v, err);
  need (!mem.used);
  need (!rc == !err->text[0]);
  need (rc || v->verified == !v->reason[0]);
  return rc;
}
