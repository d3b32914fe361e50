#ifndef TL_BASE_OUTPUT_H
#define TL_BASE_OUTPUT_H

#include "tideline.h"

#include <stdio.h>

// A file that appears whole or not at all.  What is written goes to a file
// without a name in the folder of `path` (one with a temporary name where the
// system cannot do that) and gets its name when the output is closed with
// TL_OK; an interrupted or failed run leaves what was there before.  Devices
// and pipes are written to directly, "-" is standard output.
typedef struct tl_output {
  FILE *file;
  const char *path; // as given, for messages; borrowed
  bool to_stdout, direct;
  char target[4096];         // with symbolic links resolved
  char temporary[4096 + 32]; // "": the file has no name yet
} tl_output;

tl_status tl_output_open (tl_output *, const char *path, tl_error *);

const char *tl_output_name (const tl_output *); // for messages

// Ends the output.  With a code other than TL_OK it is thrown away and the
// code returned; else TL_OK, or TL_E_IO when something could not be written.
tl_status tl_output_close (tl_output *, tl_status, tl_error *);

#endif
