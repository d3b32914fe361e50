#ifndef TL_EXPLORE_SAVING_H
#define TL_EXPLORE_SAVING_H

#include "checkpoint/folder.h"
#include "checkpoint/journal.h"
#include "explore/search.h"

// Checkpoints of a search, from which it can go on (docs/checkpoints.md).
//
// In memory, breadth-first, all states found are in a journal, which grows
// beside the search.  A
// checkpoint says how much of it counts, and where the search stood at its last
// mark: of each stream so many states were expanded, so many more are of the
// level at hand, and the rest is of the next one.  States that were expanded
// after the mark are expanded again, and find what they have found before; so
// there is a mark to go back to whatever ends a search, and wherever.
//
//     stream   | expanded | of this level | of the next level, maybe some that
//                         ^ the mark        were found after the mark
//
// An order that keeps its states in another way makes marks without streams,
// and says in s->save what it needs to go on from the last one.

typedef struct tl_saving tl_saving;

// The part of a stream that was expanded, and that with the level at hand.
typedef struct tl_saved_part {
  uint64_t expanded, level;
} tl_saved_part;

// For the folder that the options name: locks it, and reads what is there if
// the search is to go on.  TL_E_ARG: such a search has no checkpoints, or there
// is one already, or one of another search; TL_E_SYNTAX: it is damaged.
tl_status tl_saving_open (tl_saving **, tl_search *);
const tl_mem *tl_saving_account (const tl_saving *);
// Does it go on from a checkpoint?  From its journal?
bool tl_saving_resumes (const tl_saving *);
bool tl_saving_has_journal (const tl_saving *);

// ---- While the search is being prepared ------------------------------------

// Widths of fields as they were: s->width and s->most.  False: they are to be
// chosen.
bool tl_saving_fields (tl_saving *, tl_search *);
// The digits as they were, null for none.  False: they are to be chosen.
bool tl_saving_digits (tl_saving *, const tl_digits **);
// Keys are made of these digits, null for none.
void tl_saving_code (tl_saving *, const tl_search *, const tl_digits *);

// ---- While it goes on ------------------------------------------------------

// From now on several threads find states; or one again.
void tl_saving_share (tl_saving *, bool shared);

// The form of keys has changed.
void tl_saving_reform (tl_saving *, const tl_search *);

// The stream of one who finds states; null: none is written any more.
tl_stream *tl_saving_stream (tl_saving *, const tl_search *);

// Censuses beside those that the search knows of, some bytes apart.
typedef struct tl_censuses {
  const tl_census *first;
  size_t count, stride;
} tl_censuses;

// Marks where the search stands: what has been counted so far, and the parts of
// all streams.
void tl_saving_mark (tl_saving *, const tl_search *, tl_censuses,
                     const tl_saved_part *, size_t streams);

// Is it time for the next checkpoint?  It is written for the last mark.  False:
// it could not be written, the search goes on, and the one before stands.
bool tl_saving_is_due (const tl_saving *);
bool tl_saving_write (tl_saving *, tl_search *, tl_censuses);

// The search begins anew: what it does next is no part of what was before.
void tl_saving_again (tl_saving *);

// Why the last one could not be written; null: it could.
const char *tl_saving_problem (const tl_saving *);

// Would a search that has ended so find more with larger budgets?
bool tl_saving_is_open (tl_stop);
// The search is over, with that status: writes the last one unless all is done,
// and tells.
void tl_saving_end (tl_saving *, tl_search *, tl_status);
void tl_saving_close (tl_saving *);

// ---- Going on --------------------------------------------------------------

// What is done with the states of a checkpoint, one after the other.
typedef struct tl_restoring {
  void *context;
  // A state that waits to be expanded; those before it were.
  tl_status (*waits) (void *context, const uint64_t *key);
} tl_restoring;

// Puts all states into the store and the log, numbered anew: first those that
// were expanded, then those of this level, then the others.  *part tells how
// many these are, and all are in a new stream.
tl_status tl_saving_restore (tl_saving *, tl_search *, tl_stream **,
                             const tl_restoring *, tl_saved_part *);

// The same for an order that has said itself what it needs: sets the figures,
// and gives what it has said.
tl_unparcel tl_saving_body (tl_saving *, tl_search *);
// The same before: what it has said, and nothing is set.
tl_unparcel tl_saving_peek (const tl_saving *);
// What several ranks do, all at the same point, as they mark and write: each
// writes what is in memory of its journal, of which so many bytes count.
tl_status tl_saving_flush (tl_saving *, tl_search *, uint64_t *length,
                           tl_error *);
// Shows all states of the journal of this rank, which has so many of each
// stream, one stream after the other.
typedef tl_status tl_saved_taker (void *context, uint32_t stream,
                                  const uint64_t *key, uint64_t parent,
                                  uint32_t event);
tl_status tl_saving_show (tl_saving *, tl_search *, uint64_t length,
                          const uint64_t *states, uint32_t streams,
                          tl_saved_taker *, void *context);
// What it said is wrong.
tl_status tl_saving_damaged (const tl_saving *);

// The path of a file that the checkpoint speaks of from which the search goes
// on; and of a new one, of which the next one will speak.
const char *tl_saving_before (const tl_saving *, tl_folder_kind,
                              char path[TL_FOLDER_PATH]);
const char *tl_saving_next (tl_saving *, tl_folder_kind,
                            char path[TL_FOLDER_PATH]);

#endif
