#include "base/input.h"
#include "base/budget.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)64 << 10)

static tl_status fail (tl_input *in, const char *what, tl_error *err) {
  return tl_fail_at (err, TL_E_IO, in->name, 0, 0, "%s: %s", what,
                     strerror (errno));
}

static int open_path (const char *path) {
  const int fd = open (path, O_RDONLY | O_CLOEXEC);
  struct stat there;
  if (fd < 0 || fstat (fd, &there) || !S_ISDIR (there.st_mode))
    return fd;
  close (fd);
  errno = EISDIR;
  return -1;
}

static tl_status make_room (tl_input *in, tl_error *err) {
  return TL_NEW (in->mem, in->room, BLOCK)
             ? TL_OK
             : tl_fail (err, TL_E_NOMEM, "no memory to read a file");
}

tl_status tl_input_open (tl_input *in, tl_mem *mem, const char *path,
                         tl_error *err) {
  const bool standard = !strcmp (path, "-");
  *in = (tl_input){
      .name = standard ? "<stdin>" : path, .mem = mem, .fd = STDIN_FILENO};
  const tl_status rc = make_room (in, err);
  if (rc)
    return rc;
  if (!standard && (in->fd = open_path (path)) < 0)
    return fail (in, "cannot open", err);
  return TL_OK;
}

void tl_input_open_memory (tl_input *in, const char *name, const void *bytes,
                           size_t length) {
  *in =
      (tl_input){.name = name, .fd = -1, .rest = bytes, .rest_length = length};
}

tl_status tl_input_open_bytes (tl_input *in, tl_mem *mem, const char *name,
                               const void *bytes, size_t length,
                               tl_error *err) {
  tl_input_open_memory (in, name, bytes, length);
  in->mem = mem;
  return make_room (in, err);
}

static tl_status keep_block (tl_input *in, tl_error *err) {
  if (!in->keeper || !in->length)
    return TL_OK;
  if (!TL_ROOM (in->keeper, in->kept, &in->kept_room,
                in->kept_length + in->length))
    return tl_fail (err, TL_E_NOMEM, "no memory to read a file");
  memcpy (in->kept + in->kept_length, in->block, in->length);
  in->kept_length += in->length;
  return TL_OK;
}

tl_status tl_input_keep (tl_input *in, tl_mem *mem, tl_error *err) {
  in->keeper = mem;
  return keep_block (in, err);
}

// There may be nothing to read for a while: nobody waits longer than he has
// time.
static tl_status await (tl_input *in, tl_error *err) {
  enum { MILLISECONDS = 50 };
  struct pollfd file = {.fd = in->fd, .events = POLLIN};
  tl_status rc;
  while (!(rc = tl_budget_look (in->mem))) {
    const int ready = poll (&file, 1, MILLISECONDS);
    if (ready > 0 || (ready < 0 && errno != EINTR))
      return TL_OK; // or an error, which the reading will tell
  }
  return tl_fail (err, rc, "%s", tl_status_text (rc));
}

// The next block of what is in memory.
static size_t take (tl_input *in, const unsigned char **block) {
  const size_t length = in->rest_length < BLOCK ? in->rest_length : BLOCK;
  *block = in->rest;
  in->rest_length -= length;
  if (length)
    in->rest += length;
  return length;
}

static tl_status copy (tl_input *in, unsigned char *block, size_t *length,
                       tl_error *err) {
  const unsigned char *from;
  const tl_status rc = tl_budget_look (in->mem);
  *length = rc ? 0 : take (in, &from);
  if (*length)
    memcpy (block, from, *length);
  return rc ? tl_fail (err, rc, "%s", tl_status_text (rc)) : TL_OK;
}

// Reads until the block is full or there is no more.
static tl_status fill (tl_input *in, unsigned char *block, size_t *length,
                       tl_error *err) {
  *length = 0;
  if (in->fd < 0)
    return copy (in, block, length, err);
  while (*length < BLOCK) {
    const tl_status rc = await (in, err);
    if (rc)
      return rc;
    const ssize_t n = read (in->fd, block + *length, BLOCK - *length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return fail (in, "cannot read", err);
    if (!n)
      break;
    *length += (size_t)n;
  }
  return TL_OK;
}

// The first block is there: if it is packed, it is to be unpacked.
static tl_status begin (tl_input *in, tl_error *err) {
  const char *kind = tl_inflate_kind (in->room, in->length);
  in->begun = true;
  if (!kind)
    return TL_OK;
  const tl_status rc = tl_inflate_open (&in->inflate, in->mem, kind, err);
  if (rc)
    return rc;
  if (!TL_NEW (in->mem, in->packed, BLOCK))
    return tl_fail (err, TL_E_NOMEM, "no memory to unpack a file");
  memcpy (in->packed, in->room, in->length);
  in->unpacking = (tl_inflating){
      .in = in->packed, .in_left = in->length, .last = in->length < BLOCK};
  return TL_OK;
}

static tl_status unpack (tl_input *in, tl_error *err) {
  tl_inflating *u = &in->unpacking;
  u->out = in->room;
  u->out_left = BLOCK;
  for (;;) {
    tl_status rc = tl_inflate_run (in->inflate, u);
    if (rc == TL_E_SYNTAX)
      return tl_fail_at (err, rc, in->name, 0, 0,
                         "the packed file is damaged or cut off");
    if (rc)
      return tl_fail (err, rc, "no memory to unpack a file");
    if (!u->out_left || u->last)
      break;
    // What it could not use yet stands before what is read next.
    if (u->in_left)
      return tl_fail_at (err, TL_E_SYNTAX, in->name, 0, 0,
                         "the packed file is damaged or cut off");
    if ((rc = fill (in, in->packed, &u->in_left, err)))
      return rc;
    u->in = in->packed;
    u->last = u->in_left < BLOCK;
  }
  in->length = BLOCK - u->out_left;
  return TL_OK;
}

// Blocks are full except the last one: who looks at the beginning of an input
// to tell what it is must not depend on how a pipe is written to.
tl_status tl_input_next (tl_input *in, tl_error *err) {
  in->length = 0;
  if (!in->room) {
    in->length = take (in, &in->block);
    return keep_block (in, err);
  }
  in->block = in->room;
  tl_status rc =
      in->inflate ? unpack (in, err) : fill (in, in->room, &in->length, err);
  if (!rc && !in->begun && !(rc = begin (in, err)) && in->inflate)
    rc = unpack (in, err);
  if (rc)
    in->length = 0;
  return rc ? rc : keep_block (in, err);
}

void tl_input_close (tl_input *in) {
  TL_DEL (in->mem, in->room, BLOCK);
  TL_DEL (in->mem, in->packed, BLOCK);
  tl_inflate_close (in->inflate);
  in->inflate = 0;
  TL_DEL (in->keeper, in->kept, in->kept_room);
  in->kept = 0;
  if (in->fd > STDIN_FILENO)
    close (in->fd);
  in->fd = -1;
  in->length = 0;
}
