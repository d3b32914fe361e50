#ifndef TL_BASE_CONTAINER_H
#define TL_BASE_CONTAINER_H

#include "tideline.h"

// A file of sections.  Each has a name, a length and a checksum, and starts at
// a multiple of eight bytes, so that it can be used where it lies when the file
// is mapped into memory.  All numbers are 64-bit words, the lowest byte first.
//
//     magic | version | bytes of the file | sections
//     for each section: name | where it starts | length | checksum
//     checksum of all this
//     the sections
//
// Checksums are those of xxHash3.  A name is at most eight bytes.

typedef struct tl_section {
  const char *name;
  const void *bytes;
  uint64_t length;
} tl_section;

// The net that the file is about: as PNML, or what a coloured net that runs as
// it is was read from.
#define TL_SECTION_NET "net"
#define TL_SECTION_COLOURED "coloured"

tl_status tl_container_save (const char *path, const tl_section *, size_t count,
                             tl_error *);

typedef struct tl_container {
  const char *path; // for messages; borrowed
  const unsigned char *base;
  size_t size;
  bool mapped;
} tl_container;

// Is it a file that begins as these do?  Do these bytes?
bool tl_container_is (const char *path);
bool tl_container_begins (const void *bytes, size_t length);

// TL_E_SYNTAX: another kind of file, cut off, or damaged.
tl_status tl_container_open (tl_container *, const char *path, tl_error *);
// `bytes` are borrowed and begin at a multiple of eight.
tl_status tl_container_open_memory (tl_container *, const char *path,
                                    const void *bytes, size_t length,
                                    tl_error *);
void tl_container_close (tl_container *);

// Which section has the net: the name of one of the two.
const char *tl_container_net (const tl_container *);
// Finds the section that has a name and compares its checksum.
tl_status tl_container_find (const tl_container *, tl_section *, tl_error *);

#endif
