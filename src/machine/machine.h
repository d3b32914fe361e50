#ifndef TL_MACHINE_MACHINE_H
#define TL_MACHINE_MACHINE_H

#include "colour/fold.h"
#include "net/marking.h"

// The interpreter of coloured nets that are not unfolded.  A machine belongs to
// one search; the net is shared and never changes.
//
// Whatever occurs gets a number when it is met for the first time: tokens,
// markings of a place (local markings), bindings (events).  A state is then one
// number for each place, and firing replaces some of them.  Which events are
// enabled for a transition depends on the local markings of the places around
// it only, so what was found out once is remembered.
//
// What remains to be found is found by compiled code where there is some.
//
// Keys may get longer during a search.  `steps` stops before the first
// successor that needs more words (or another division of the key), and
// `widen` changes to the form it needs; until the next one, `convert` turns
// keys of the form before into the form in use.
typedef struct tl_machine tl_machine;

// Tests only: places are divided as soon as they can be (machine/sections.c).
extern bool tl_divide_early;

// Forms of keys.
typedef enum tl_key_form {
  TL_KEYS_NUMBERS,   // of the markings of all places: the fastest
  TL_KEYS_COLLAPSED, // the same without places that follow from the others, as
                     // long as these do not get crowded
  TL_KEYS_CODED      // the markings themselves, in few bits
} tl_key_form;

#define TL_NO_EVENT UINT32_MAX

// What is wrong in a state (a value out of range, a place over its capacity):
// then nothing that the call gave back counts.
typedef struct tl_fault {
  tl_status failed; // TL_E_ARG: the model is wrong; TL_E_NOMEM
  uint32_t event;   // that led to it; TL_NO_EVENT: the state itself
  tl_error error;
} tl_fault;

// What can be seen of a machine.
typedef struct tl_machine_view {
  uint32_t key_words, key_bits; // of the form in use
  bool coded;                   // keys are codes of different lengths
  uint64_t most_alike;          // tokens of one colour in one place, so far
  // Of how many states there were codes, and how long these were in all, in
  // whole bytes each.
  uint64_t coded_states, coded_bytes;
  uint64_t longest_code; // bits
} tl_machine_view;

enum { TL_MACHINE_MOST_ENABLED = 1 << 16 }; // in one state; more is a failure

// What keys need that are stored is drawn on the account of the states, all
// else on that of the engine.  `measured`: somebody looks at the measures,
// asked for or not.  The fault is the caller's, and told there also when this
// fails.
tl_status tl_machine_open (tl_machine **, const tl_net *, tl_key_form,
                           bool measured, tl_mem *states, tl_mem *engine,
                           tl_fault *);
void tl_machine_close (tl_machine *);

static inline const tl_machine_view *tl_machine_see (const tl_machine *m) {
  return (const tl_machine_view *)m;
}

tl_status tl_machine_initial (tl_machine *, uint64_t *key);
// What can be seen of a state: a number for each place of the net.
void tl_machine_observe (tl_machine *, const uint64_t *key, uint64_t *tokens);
// The tokens of a state, [places], until the next call.  Null: no memory.
const tl_tokens *tl_machine_marking (tl_machine *, const uint64_t *key);
// The tokens of a state, place by place, those of one value together, in the
// order of their texts (net/marking.h).
tl_status tl_machine_tell (tl_machine *, const uint64_t *key, tl_marking_told *,
                           void *context);
// The events enabled, by their transitions, then by their bindings, whatever
// was met before; the list has room for TL_MACHINE_MOST_ENABLED.
uint32_t tl_machine_enabled (tl_machine *, const uint64_t *key,
                             uint32_t *events);
// The keys of the successors; how many could be made.  Null: only how many;
// the keys are remembered for a call that wants them.
uint32_t tl_machine_steps (tl_machine *, const uint64_t *key,
                           const uint32_t *events, uint32_t count,
                           uint64_t *keys);
// Leaves those of the enabled events that sleep sets of one step do not prune
// in a state found by that event (structure/sleep.h); how many.
uint32_t tl_machine_prune (tl_machine *, uint32_t found_by, uint32_t *events,
                           uint32_t count);
// The key before the event that led to this state; false: it led here from
// no state that was met in this search, and the key is as it was.
bool tl_machine_undo (tl_machine *, uint32_t event, uint64_t *key);
// A hash that each event changes by a constant of its own, whatever the form
// of keys; and that constant.  Not for keys that are codes.
uint64_t tl_machine_hash (tl_machine *, const uint64_t *key);
uint64_t tl_machine_change (const tl_machine *, uint32_t event);
// What an event changes: tokens of places, and how many of each.
typedef void tl_machine_changed (void *context, uint32_t place,
                                 const tl_cell *token, int32_t change);
void tl_machine_changes (const tl_machine *, uint32_t event,
                         tl_machine_changed *, void *context);
tl_status tl_machine_widen (tl_machine *);
void tl_machine_convert (tl_machine *, const uint64_t *old, uint64_t *key);
// The bytes of the tables of numbers.  They can begin anew: events lose their
// numbers, and `convert` gives keys those that they have now.  What was there
// before is needed until `settle`.
size_t tl_machine_known (const tl_machine *);
tl_status tl_machine_collect (tl_machine *);
void tl_machine_settle (tl_machine *);
// The transition of an event, and the event in words; these are the machine's.
uint32_t tl_machine_transition (const tl_machine *, uint32_t event);
const char *tl_machine_event_name (tl_machine *, uint32_t event);
// How the net is run, in words that outlive the machine: compiled, or not, and
// why not.
const char *tl_machine_how (const tl_machine *);

// Several threads.  A machine is for one of them; others have machines beside
// it, which give the same numbers to events and to what keys are made of, and
// draw on the same accounts.  `share` says that there will be so many machines
// in all, `unshare` that there are no others any more.  All this is called
// while one thread is at work.
tl_status tl_machine_share (tl_machine *, unsigned machines);
void tl_machine_unshare (tl_machine *);
tl_status tl_machine_open_beside (tl_machine **, tl_machine *first, tl_fault *);
// Keys of the first have another form, or there is a program.  TL_E_ARG: it is
// to be opened anew.
tl_status tl_machine_follow (tl_machine *, const tl_machine *first);
// What it has seen is seen by the first.
void tl_machine_report (tl_machine *, tl_machine *first);
// Takes over all that others have numbered.
tl_status tl_machine_catch_up (tl_machine *);

// With coded keys: the bits of the longest code so far, and which places the
// code leaves out, [places].
uint64_t tl_machine_code (const tl_machine *, bool *left_out);

#endif
