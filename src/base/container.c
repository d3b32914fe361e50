#include "base/container.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

// What editors and transfers of text do to a file shows in the first bytes.
static const unsigned char magic[8] = {0x89, 'T',  'L', 'G',
                                       '\r', '\n', 26,  '\n'};

enum {
  VERSION = 1,
  WORD = 8,
  HEAD_WORDS = 4,
  ROW_WORDS = 4,
  MOST_SECTIONS = 16,
  MOST_WORDS = HEAD_WORDS + ROW_WORDS * MOST_SECTIONS + 1
};

static size_t words_before_sections (size_t count) {
  return HEAD_WORDS + ROW_WORDS * count + 1;
}

static uint64_t round_up (uint64_t length) {
  return (length + WORD - 1) / WORD * WORD;
}

static uint64_t name_word (const char *name) {
  unsigned char bytes[WORD] = {0};
  for (size_t i = 0; i < WORD && name[i]; i++)
    bytes[i] = (unsigned char)name[i];
  return tl_read_word (bytes);
}

// ---- Writing ---------------------------------------------------------------

// Fills the words before the sections.
static size_t make_head (unsigned char *head, const tl_section *section,
                         size_t count) {
  const size_t words = words_before_sections (count);
  uint64_t start = words * WORD;
  unsigned char *row = head + HEAD_WORDS * WORD;
  for (size_t i = 0; i < count; i++, row += ROW_WORDS * WORD) {
    tl_write_word (row, name_word (section[i].name));
    tl_write_word (row + WORD, start);
    tl_write_word (row + 2 * WORD, section[i].length);
    tl_write_word (row + 3 * WORD,
                   XXH3_64bits (section[i].bytes, section[i].length));
    start += round_up (section[i].length);
  }
  memcpy (head, magic, sizeof magic);
  tl_write_word (head + WORD, VERSION);
  tl_write_word (head + 2 * WORD, start);
  tl_write_word (head + 3 * WORD, count);
  tl_write_word (row, XXH3_64bits (head, (words - 1) * WORD));
  return words * WORD;
}

tl_status tl_container_save (const char *path, const tl_section *section,
                             size_t count, tl_error *err) {
  if (count > MOST_SECTIONS)
    return tl_fail (err, TL_E_ARG, "too many sections");
  unsigned char head[MOST_WORDS * WORD];
  static const unsigned char padding[WORD];
  const size_t length = make_head (head, section, count);
  tl_output out;
  const tl_status rc = tl_output_open (&out, path, err);
  if (rc)
    return rc;
  fwrite (head, 1, length, out.file);
  for (size_t i = 0; i < count; i++) {
    fwrite (section[i].bytes, 1, section[i].length, out.file);
    fwrite (padding, 1, round_up (section[i].length) - section[i].length,
            out.file);
  }
  return tl_output_close (&out, TL_OK, err);
}

// ---- Reading ---------------------------------------------------------------

// A pipe is not looked into: what is read is gone.
bool tl_container_begins (const void *bytes, size_t length) {
  return length >= sizeof magic && !memcmp (bytes, magic, sizeof magic);
}

bool tl_container_is (const char *path) {
  unsigned char first[sizeof magic];
  struct stat status;
  if (stat (path, &status) || !S_ISREG (status.st_mode))
    return false;
  const int fd = open (path, O_RDONLY | O_CLOEXEC);
  const bool is = fd >= 0 && read (fd, first, sizeof first) == sizeof first &&
                  !memcmp (first, magic, sizeof magic);
  if (fd >= 0)
    close (fd);
  return is;
}

static uint64_t word_at (const tl_container *c, size_t i) {
  return tl_read_word (c->base + i * WORD);
}

static tl_status complain (const tl_container *c, tl_error *err,
                           const char *what) {
  return tl_fail_at (err, TL_E_SYNTAX, c->path, 0, 0, "%s", what);
}

static tl_status check_head (const tl_container *c, tl_error *err) {
  if (c->size < sizeof magic || memcmp (c->base, magic, sizeof magic))
    return complain (c, err, "this is not a graph written by tideline");
  if (c->size < HEAD_WORDS * WORD)
    return complain (c, err, "the file is cut off");
  if (word_at (c, 1) != VERSION)
    return complain (c, err, "the file is damaged, or of another version");
  if (word_at (c, 2) > c->size)
    return complain (c, err, "the file is cut off");
  const uint64_t count = word_at (c, 3);
  if (word_at (c, 2) < c->size || count > MOST_SECTIONS ||
      words_before_sections (count) * WORD > c->size)
    return complain (c, err, "the file is damaged");
  const size_t last = words_before_sections (count) - 1;
  return XXH3_64bits (c->base, last * WORD) == word_at (c, last)
             ? TL_OK
             : complain (c, err, "the file is damaged");
}

tl_status tl_container_open_memory (tl_container *c, const char *path,
                                    const void *bytes, size_t length,
                                    tl_error *err) {
  *c = (tl_container){.path = path, .base = bytes, .size = length};
  return check_head (c, err);
}

static tl_status map (tl_container *c, int fd, tl_error *err) {
  struct stat status;
  if (fstat (fd, &status))
    return tl_fail_at (err, TL_E_IO, c->path, 0, 0, "cannot read: %s",
                       strerror (errno));
  if (!S_ISREG (status.st_mode) || !status.st_size)
    return complain (c, err, "this is not a graph written by tideline");
  void *base = mmap (0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (base == MAP_FAILED)
    return tl_fail_at (err, TL_E_IO, c->path, 0, 0, "cannot map: %s",
                       strerror (errno));
  c->base = base;
  c->size = (size_t)status.st_size;
  c->mapped = true;
  return TL_OK;
}

tl_status tl_container_open (tl_container *c, const char *path, tl_error *err) {
  *c = (tl_container){.path = path};
  const int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return tl_fail_at (err, TL_E_IO, path, 0, 0, "cannot read: %s",
                       strerror (errno));
  tl_status rc = map (c, fd, err);
  close (fd);
  if (!rc)
    rc = check_head (c, err);
  if (rc)
    tl_container_close (c);
  return rc;
}

void tl_container_close (tl_container *c) {
  if (c->mapped)
    munmap ((void *)c->base, c->size);
  *c = (tl_container){0};
}

// The row of a section; 0: there is none.
static size_t find_row (const tl_container *c, const char *section) {
  const uint64_t count = word_at (c, 3), name = name_word (section);
  size_t row = HEAD_WORDS;
  for (uint64_t i = 0; i < count && word_at (c, row) != name; i++)
    row += ROW_WORDS;
  return row == HEAD_WORDS + ROW_WORDS * count ? 0 : row;
}

const char *tl_container_net (const tl_container *c) {
  return find_row (c, TL_SECTION_COLOURED) ? TL_SECTION_COLOURED
                                           : TL_SECTION_NET;
}

tl_status tl_container_find (const tl_container *c, tl_section *section,
                             tl_error *err) {
  const size_t row = find_row (c, section->name);
  if (!row)
    return complain (c, err, "the file lacks a section");
  const uint64_t start = word_at (c, row + 1), length = word_at (c, row + 2);
  if (start > c->size || length > c->size - start || start % WORD)
    return complain (c, err, "the file is damaged");
  section->bytes = c->base + start;
  section->length = length;
  return XXH3_64bits (section->bytes, length) == word_at (c, row + 3)
             ? TL_OK
             : complain (c, err, "the file is damaged");
}
