#ifndef TL_BASE_RECORDS_H
#define TL_BASE_RECORDS_H

#include "base/mem.h"
#include "base/output.h"

// A file of records: what a search leaves behind for other runs of the program.
// It is written and read from its beginning to its end, in the memory of one
// record, however long it is.  A section is a list of records of one type.
//
//     file    magic 89 'T' 'L' 'R' 0d 0a 1a 0a | kind | version | sum | records
//     record  type | length | bytes | sum
//
// Kind and type are four letters; version and length are 32 bits, sums 64, the
// lowest byte first.  The highest bit of a length says that the section goes on
// with the next record.  A sum is xxHash3 of what stands before it in its
// record (at first in the file), with the sum before it for a seed: so each of
// them is about everything up to there.  The last record has the type "end "
// and the bytes of the file before it, in 64 bits; nothing follows.

enum {
  TL_RECORD_MOST = 1 << 17, // bytes in a record
  TL_RECORD_NAME = 4
};

typedef struct tl_record_kind {
  const char *letters; // four
  uint32_t version;    // that is written, and the only one that is read
  const char *name;    // in words, for messages
} tl_record_kind;

// ---- Writing ---------------------------------------------------------------

// The file appears whole when it is closed, see base/output.h.  After a failure
// everything returns the same code, and the file is never there.
typedef struct tl_record_writer {
  tl_output out;
  tl_mem *mem;
  unsigned char *room; // the record being filled
  size_t length;       // of its bytes
  bool inside;         // of a section
  uint64_t sum, at;    // of what was written
  tl_status rc;
  tl_error error; // if it failed
} tl_record_writer;

tl_status tl_records_create (tl_record_writer *, tl_mem *, const char *path,
                             const tl_record_kind *, tl_error *);

// Begins a section; the one before it ends.
tl_status tl_records_begin (tl_record_writer *, const char *type);
tl_status tl_records_write (tl_record_writer *, const void *bytes,
                            size_t length);
tl_status tl_records_write_word (tl_record_writer *, uint64_t);
// In as few bytes as it takes: seven bits in each, the lowest first, the
// highest bit set in all but the last.
tl_status tl_records_write_number (tl_record_writer *, uint64_t);
// Its length as a number, and its bytes.
tl_status tl_records_write_text (tl_record_writer *, const char *);
// What comes next in the section is in a record of its own.
tl_status tl_records_cut (tl_record_writer *);

// Ends the file.  With a code other than TL_OK it is thrown away and the code
// returned; else TL_OK, or what went wrong (TL_E_IO: a full disk).
tl_status tl_records_finish (tl_record_writer *, tl_status, tl_error *);

// ---- Reading ---------------------------------------------------------------

typedef struct tl_record_reader {
  const char *path; // for messages; borrowed
  FILE *file;
  tl_mem *mem;
  unsigned char *room;
  uint64_t sum, at; // of what was read
  bool more;        // the section goes on behind the record at hand
  char type[TL_RECORD_NAME + 1]; // of the section; "": at the end of the file
  const unsigned char *bytes;    // what is left of the record at hand
  size_t length;
} tl_record_reader;

// TL_E_SYNTAX here and below: a file of another kind or version, cut off, or
// damaged.  After a failure, too, it may be closed.
tl_status tl_records_open (tl_record_reader *, tl_mem *, const char *path,
                           const tl_record_kind *, tl_error *);
tl_status tl_records_open_memory (tl_record_reader *, tl_mem *,
                                  const char *name, const void *bytes,
                                  size_t length, const tl_record_kind *,
                                  tl_error *);
void tl_records_close (tl_record_reader *);

// Goes to the next section, over what is left of this one.  At the end, where
// the type is "", all sums were right and nothing follows.
tl_status tl_records_section (tl_record_reader *, tl_error *);
// The same, where the section has to be of that type.
tl_status tl_records_expect (tl_record_reader *, const char *type, tl_error *);
// Goes to the next record that has bytes; where the length is 0, the section is
// at its end.
tl_status tl_records_next (tl_record_reader *, tl_error *);

// Takes bytes of the section, whatever records they are in.  TL_E_SYNTAX: there
// are not so many.
tl_status tl_records_read (tl_record_reader *, void *bytes, size_t length,
                           tl_error *);
tl_status tl_records_read_word (tl_record_reader *, uint64_t *, tl_error *);
// TL_E_SYNTAX also: the number is larger than this.
tl_status tl_records_read_number (tl_record_reader *, uint64_t most, uint64_t *,
                                  tl_error *);
// Takes as many as there are, if less than `length`.
tl_status tl_records_read_some (tl_record_reader *, void *bytes, size_t length,
                                size_t *got, tl_error *);
// TL_E_SYNTAX: there is more in the section.
tl_status tl_records_done (tl_record_reader *, tl_error *);

#endif
