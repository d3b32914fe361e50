#include "checkpoint/request.h"

#include "base/error.h"
#include "base/output.h"
#include "checkpoint/whole.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { MOST_WORDS = 1 << 16, OPEN = 0, FINISHED = 1 };

static const tl_record_kind kind = {"rqst", 1,
                                    "list of what a run was asked for"};

#define SECTION "word"

struct tl_request {
  tl_mem mem;
  unsigned char *bytes; // of the file
  size_t length;
  char **word; // made with malloc
  size_t words;
  bool finished;
  int code;
};

// ---- Files -----------------------------------------------------------------

static tl_status fail (const char *path, const char *what, tl_error *error) {
  return tl_fail_at (error, TL_E_IO, path, 0, 0, "cannot %s: %s", what,
                     strerror (errno));
}

// The last part of a path; standard input has none.
static const char *name_of (const char *path) {
  const char *slash = strrchr (path, '/');
  return !strcmp (path, "-") ? "input" : slash ? slash + 1 : path;
}

// Where the copy of the input of a word is, from the folder on.
static bool copy_path (char *path, size_t size, size_t word, const char *name) {
  const int n = snprintf (path, size, "inputs/%zu/%s", word, name);
  return n > 0 && (size_t)n < size && *name && strcmp (name, "..");
}

static tl_status make_folder (const char *path, tl_error *error) {
  return mkdir (path, 0777) && errno != EEXIST ? fail (path, "write", error)
                                               : TL_OK;
}

static tl_status copy_stream (FILE *from, const char *source,
                              const char *target, uint64_t *sum,
                              tl_error *error) {
  tl_output out;
  unsigned char block[1 << 14];
  tl_status rc = tl_output_open (&out, target, error);
  if (rc)
    return rc;
  *sum = 0;
  for (size_t n; (n = fread (block, 1, sizeof block, from)) > 0;) {
    *sum = XXH3_64bits_withSeed (block, n, *sum);
    fwrite (block, 1, n, out.file);
  }
  if (ferror (from))
    rc = fail (source, "read", error);
  return tl_output_close (&out, rc, error);
}

static tl_status copy_file (const char *source, const char *target,
                            uint64_t *sum, tl_error *error) {
  const bool standard = !strcmp (source, "-");
  FILE *from = standard ? stdin : fopen (source, "rb");
  if (!from)
    return fail (source, "read", error);
  const tl_status rc = copy_stream (from, source, target, sum, error);
  if (!standard)
    fclose (from);
  return rc;
}

// The sum of a copy as it is now; false: it cannot be read.
static bool sum_of (const char *path, uint64_t *sum) {
  unsigned char block[1 << 14];
  FILE *from = fopen (path, "rb");
  *sum = 0;
  if (!from)
    return false;
  for (size_t n; (n = fread (block, 1, sizeof block, from)) > 0;)
    *sum = XXH3_64bits_withSeed (block, n, *sum);
  const bool good = !ferror (from);
  fclose (from);
  return good;
}

// ---- Writing ---------------------------------------------------------------

static tl_status save (const tl_folder *f, const tl_parcel *p,
                       tl_error *error) {
  char path[TL_FOLDER_PATH];
  if (p->failed)
    return tl_fail (error, TL_E_NOMEM, "no memory for what is asked for");
  return tl_records_save (tl_folder_file (f, "run", path), p->mem, &kind,
                          SECTION, p->bytes, p->length, error);
}

static tl_status keep_input (const tl_folder *f, size_t number,
                             const char *path, tl_parcel *p, tl_error *error) {
  char place[TL_FOLDER_PATH], folder[TL_FOLDER_PATH], target[TL_FOLDER_PATH],
      name[32];
  uint64_t sum = 0;
  snprintf (name, sizeof name, "inputs/%zu", number);
  if (!copy_path (place, sizeof place, number, name_of (path)) ||
      strlen (place) + strlen (f->path) + 2 > sizeof target)
    return tl_fail_at (error, TL_E_ARG, path, 0, 0, "the path is too long");
  tl_status rc = make_folder (tl_folder_file (f, "inputs", folder), error);
  if (!rc)
    rc = make_folder (tl_folder_file (f, name, folder), error);
  if (!rc)
    rc = copy_file (path, tl_folder_file (f, place, target), &sum, error);
  tl_parcel_text (p, name_of (path));
  tl_parcel_number (p, sum);
  return rc;
}

tl_status tl_folder_keep_request (const tl_folder *f,
                                  const tl_request_word *word, size_t count,
                                  tl_error *error) {
  tl_mem mem = TL_MEM (0, "request");
  tl_parcel p = TL_PARCEL (&mem);
  tl_status rc = TL_OK;
  tl_parcel_number (&p, OPEN);
  tl_parcel_number (&p, 0);
  tl_parcel_number (&p, count);
  for (size_t i = 0; !rc && i < count; i++) {
    const char *path = word[i].path;
    tl_parcel_number (&p, path != 0);
    // Before the path there may be the name of an option.
    tl_parcel_bytes (&p, word[i].word,
                     path ? (size_t)(path - word[i].word)
                          : strlen (word[i].word));
    if (path)
      rc = keep_input (f, i, path, &p, error);
  }
  if (!rc)
    rc = save (f, &p, error);
  tl_parcel_close (&p);
  return rc;
}

// ---- Reading ---------------------------------------------------------------

static tl_status damaged (const tl_folder *f, tl_error *error) {
  return tl_fail_at (error, TL_E_SYNTAX, f->path, 0, 0,
                     "what the run was asked for is damaged");
}

static tl_status load (tl_request *r, const tl_folder *f, tl_error *error) {
  char path[TL_FOLDER_PATH];
  if (access (tl_folder_file (f, "run", path), F_OK))
    return tl_fail_at (error, TL_E_SYNTAX, f->path, 0, 0,
                       "there are no checkpoints of a run");
  return tl_records_load (path, &r->mem, &kind, SECTION, &r->bytes, &r->length,
                          error);
}

// A word with the path of an input in it.
static char *input_word (const tl_folder *f, size_t number, const char *before,
                         size_t length, const char *name, char *path) {
  char place[TL_FOLDER_PATH];
  char *word;
  if (strchr (name, '/') || !copy_path (place, sizeof place, number, name) ||
      strlen (place) + strlen (f->path) + 2 > TL_FOLDER_PATH)
    return 0;
  tl_folder_file (f, place, path);
  return asprintf (&word, "%.*s%s", (int)length, before, path) < 0 ? 0 : word;
}

static tl_status take_word (tl_request *r, const tl_folder *f, tl_unparcel *u,
                            tl_error *error) {
  char path[TL_FOLDER_PATH];
  size_t length;
  const bool input = tl_unparcel_number (u);
  const char *before = tl_unparcel_bytes (u, &length);
  const char *name = input ? tl_unparcel_text (u) : 0;
  const uint64_t sum = input ? tl_unparcel_number (u) : 0;
  uint64_t now;
  if (u->failed)
    return TL_OK;
  char *word = input ? input_word (f, r->words, before, length, name, path)
                     : strndup (before ? before : "", length);
  if (!word)
    return TL_E_NOMEM;
  r->word[r->words++] = word;
  return !input || (sum_of (path, &now) && now == sum)
             ? TL_OK
             : tl_fail_at (error, TL_E_SYNTAX, path, 0, 0,
                           "the copy of an input is not as it was");
}

static tl_status parse (tl_request *r, const tl_folder *f, tl_error *error) {
  tl_unparcel u = {.at = r->bytes, .end = r->bytes + r->length};
  r->finished = tl_unparcel_number (&u) == FINISHED;
  r->code = (int)tl_unparcel_count (&u, 255);
  const size_t count = (size_t)tl_unparcel_count (&u, MOST_WORDS);
  r->word = calloc (count + 1, sizeof *r->word);
  tl_status rc = r->word ? TL_OK : TL_E_NOMEM;
  while (!rc && r->words < count && !u.failed)
    rc = take_word (r, f, &u, error);
  return rc ? rc : u.failed || u.at != u.end ? damaged (f, error) : TL_OK;
}

tl_status tl_folder_request (tl_request **out, const char *folder,
                             tl_error *error) {
  tl_folder f = {.lock = -1};
  *out = 0;
  if (strlen (folder) >= sizeof f.path)
    return tl_fail (error, TL_E_ARG, "the path of the folder is too long");
  strcpy (f.path, folder);
  tl_request *r = calloc (1, sizeof *r);
  if (!r)
    return TL_E_NOMEM;
  r->mem = TL_MEM (0, "request");
  tl_status rc = load (r, &f, error);
  if (!rc)
    rc = parse (r, &f, error);
  if (rc)
    tl_request_close (r);
  else
    *out = r;
  return rc;
}

void tl_request_close (tl_request *r) {
  if (!r)
    return;
  for (size_t i = 0; i < r->words; i++)
    free (r->word[i]);
  free (r->word);
  TL_DEL (&r->mem, r->bytes, r->length);
  free (r);
}

const char *tl_request_at (const tl_request *r, size_t number) {
  return r && number < r->words ? r->word[number] : 0;
}

bool tl_request_finished (const tl_request *r, int *code) {
  if (r && code)
    *code = r->code;
  return r && r->finished;
}

// ---- The end ---------------------------------------------------------------

tl_status tl_folder_end_request (const tl_folder *f, int code,
                                 tl_error *error) {
  tl_request r = {.mem = TL_MEM (0, "request")};
  tl_status rc = load (&r, f, error);
  if (rc)
    return rc;
  tl_parcel p = TL_PARCEL (&r.mem);
  tl_parcel_number (&p, FINISHED);
  tl_parcel_number (&p, (uint64_t)code);
  if (r.length < p.length)
    rc = damaged (f, error);
  else if (!p.failed) {
    memcpy (r.bytes, p.bytes, p.length);
    tl_parcel whole = {.mem = &r.mem, .bytes = r.bytes, .length = r.length};
    rc = save (f, &whole, error);
  }
  tl_parcel_close (&p);
  TL_DEL (&r.mem, r.bytes, r.length);
  return rc;
}
