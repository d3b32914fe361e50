#ifndef TL_VERIFY_CERTIFIED_H
#define TL_VERIFY_CERTIFIED_H

#include "base/arena.h"
#include "base/records.h"

// What a certificate says before it comes to its proof: the net, and the
// figures that are claimed.  Nothing of it is believed but that this is the net
// which the certificate is about.
//
// This folder shares no code with what it checks: it has a net, a code and a
// reader of keys of its own.

typedef struct tl_cert_arc {
  uint32_t place, weight;
} tl_cert_arc;

typedef struct tl_cert_change {
  uint32_t place;
  int64_t amount; // not 0
} tl_cert_change;

typedef struct tl_cert_transition {
  const char *id;
  uint32_t pres, posts, inhibitors, changes;
  const tl_cert_arc *pre, *post,
      *inhibitor; // each by places in ascending order
  const tl_cert_change *change;
} tl_cert_transition;

typedef struct tl_cert_net {
  const char *name;
  uint32_t places, transitions;
  const char **place_id;
  uint32_t *initial; // [places]
  tl_cert_transition *transition;
} tl_cert_net;

typedef struct tl_cert_figures {
  uint64_t states, arcs, deadlocks, dead_transitions;
  uint64_t max_tokens_in_place, max_tokens_per_marking, depth;
} tl_cert_figures;

// Where it is read from.  What is read lives in the arena.
typedef struct tl_cert_source {
  tl_record_reader *records;
  tl_arena *arena;
  uint64_t bytes; // of the file: there is less than this of anything
  tl_error *error;
} tl_cert_source;

// TL_E_SYNTAX here and below: it is not well formed.
tl_status tl_cert_read_net (tl_cert_source *, tl_cert_net *);
tl_status tl_cert_read_figures (tl_cert_source *, tl_cert_figures *);

// Numbers up to `most`; of things that follow; of one of so many things.
tl_status tl_cert_number (tl_cert_source *, uint64_t most, uint64_t *);
tl_status tl_cert_count (tl_cert_source *, uint32_t *);
tl_status tl_cert_index (tl_cert_source *, uint32_t below, uint32_t *);
tl_status tl_cert_read_text (tl_cert_source *, const char **);
// Complaints: TL_E_SYNTAX, TL_E_NOMEM.
tl_status tl_cert_malformed (const tl_cert_source *, const char *what);
tl_status tl_cert_no_memory (const tl_cert_source *);

#endif
