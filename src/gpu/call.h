#ifndef TL_GPU_CALL_H
#define TL_GPU_CALL_H

// What a kernel is called with and what it tells.  The text of this file is
// also a part of every program for a device, where there are no other headers:
// so numbers are of one type, and addresses are numbers.
typedef unsigned long long tl_u64;

// What one call can have: words of a working state, sets of 64 transitions,
// states that are shown to the host.
enum { TL_GPU_WORDS = 32, TL_GPU_SETS = 128, TL_GPU_SHOWN = 64 };

typedef struct tl_gpu_call {
  tl_u64 table, slots;       // slots of the table, or blocks of lanes
  tl_u64 inverse;            // 2^64 / slots
  tl_u64 extra, extra_slots; // keys that found their block full
  tl_u64 old, old_slots;     // the table before
  tl_u64 old_words;          // of each of its slots
  tl_u64 old_lane;           // bits of its lanes; 0: it has none
  tl_u64 keys, by, count;    // the states of this level, and by which events
                             // they were found
  tl_u64 next_keys, next_by; // those of the next
  tl_u64 room;               // so many of the next, and no state is begun
  tl_u64 extra_room;         // the same for the extra table
  tl_u64 take;               // states of this level end here
  tl_u64 sleep;              // a row of sets for each event
  tl_u64 limits;             // what the host looks for
  tl_u64 tally;              // tl_gpu_tally
  tl_u64 most;               // tokens in a marking so far
  tl_u64 wants_dead;         // a dead state is to be shown
  tl_u64 top[TL_GPU_WORDS];  // tokens so far, packed as a state is
  tl_u64 fired[TL_GPU_SETS]; // transitions that were enabled
} tl_gpu_call;

// Why a state is shown.
enum { TL_GPU_DEAD = 1, TL_GPU_MISFIT, TL_GPU_ASKED };

typedef struct tl_gpu_shown {
  tl_u64 key[2], by, why;
  tl_u64 event; // that does not fit
} tl_gpu_shown;

// What a device has counted.  Behind it: the largest number of tokens of each
// place.
typedef struct tl_gpu_tally {
  tl_u64 taken; // states of this level that were begun
  tl_u64 found; // states of the next
  tl_u64 extra; // keys in the extra table
  tl_u64 arcs, followed, dead;
  tl_u64 most;         // tokens in a marking
  tl_u64 misfits;      // successors that do not fit their fields
  tl_u64 answer;       // of `find`: the event and one more, 0: not there
  tl_u64 lost;         // keys for which there was no room
  tl_u64 showing;      // states that were to be shown
  tl_gpu_shown misfit; // the first of those
  tl_gpu_shown shown[TL_GPU_SHOWN];
  tl_u64 fired[TL_GPU_SETS];
} tl_gpu_tally;

#endif
