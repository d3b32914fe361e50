#ifndef TL_EXPLORE_SAVING_PARTS_H
#define TL_EXPLORE_SAVING_PARTS_H

#include "checkpoint/codes.h"
#include "checkpoint/folder.h"
#include "explore/saving.h"

// What writing and reading a checkpoint share.

enum { TL_SAVED_VERSION = 3 };

// Where a search stood.
typedef struct tl_mark {
  uint64_t states, arcs, followed, deadlocks; // expanded states, and of these
  uint64_t depth;
  uint64_t found; // states, by then
  tl_levels levels;
  tl_saved_part *part; // [streams]
  size_t streams, room;
} tl_mark;

// What a checkpoint says, as it was read.
typedef struct tl_saved_search {
  tl_mark mark;
  const char *store; // the name of its kind
  uint64_t next_choice, widened;
  uint64_t max_tokens, *place_max; // [places]
  uint8_t *fired;                  // [transitions]
  tl_trace deadlock, unbounded;
  uint64_t unbounded_place;
  tl_saved_code *code; // [codes]
  size_t codes;
  uint64_t number[TL_FOLDER_KINDS]; // of the files that it speaks of
  tl_unparcel body; // what the order has said; or, of a journal:
  uint64_t length;  // how much of it counts
  uint64_t *states; // [streams]
} tl_saved_search;

struct tl_saving {
  tl_mem mem; // account
  const tl_net *net;
  tl_exploration *result;
  tl_error *error;
  tl_folder folder;
  uint64_t sum; // of the net
  double start, before, every, due;
  tl_journal *journal; // null: not begun so far
  uint64_t number;     // the largest that a file has
  bool lost;           // there will be no more checkpoints
  bool ready;          // the search has begun, or all was restored
  tl_mark mark;
  // Codes: how many, all of them, and the one that keys have next.
  uint32_t codes;
  tl_parcel code, next_code;

  bool resumes;
  unsigned char *bytes; // of the checkpoint, which `saved` points to
  size_t length;
  tl_saved_search saved;
};

// TL_E_SYNTAX: it does not say what it should.
tl_status tl_saving_read (tl_saving *, const tl_search *);
void tl_saved_search_close (tl_saving *);

// What the search is, in a word.
const char *tl_saving_order (const tl_search *);

#endif
