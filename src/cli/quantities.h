#ifndef TL_CLI_QUANTITIES_H
#define TL_CLI_QUANTITIES_H

#include <stdbool.h>
#include <stdint.h>

// Numbers as people write them on a command line.  Returns false if the text is
// not a number, or does not fit.

// 1000, 1e6, 2.5e3: a whole number.
bool parse_count (const char *text, uint64_t *value);

// Bytes: K, M, G and T are of 1024, as are KiB to TiB; KB to TB are of 1000.
bool parse_size (const char *text, uint64_t *value);

// Seconds, or with units: 90, 1.5e3, 500ms, 10m, 1h30m, 2d.
bool parse_time (const char *text, double *seconds);

#endif
