#ifndef TL_EXPLORE_DEAL_H
#define TL_EXPLORE_DEAL_H

#include "store/shards.h"

// A round: the successors that one thread has gathered go to the shards they
// belong to.  They are put in the order of the shards, many at a time, and what
// is found out stands in the order in which they were gathered.
//
//     keys gathered  a1 c2 b3 c4 a5 b6
//     in parts       a1 a5 | b3 b6 | c2 c4     each put at once: one lock
//     isnew          .  .  .  .  .  .          as they were gathered
//
// Where sleep sets prune by what a state was found by (structure/sleep.h), it
// matters which of several equal keys is the first: that of the least event,
// after which most is pruned.  So the parts of a shard stand in the order of
// the events, in some classes.
//
// A shard that somebody else has claimed is left for later: it may be growing,
// which takes long.  What belongs there may wait for the next round.
//
// Keys may belong to several stores that have the same shards, the layers of a
// sweep: then the shards of all are dealt to, and what belongs nowhere waits.
enum { TL_DEAL_NEW = 1, TL_DEAL_WAITS };
#define TL_DEAL_NOWHERE UINT16_MAX

typedef struct tl_deal {
  tl_mem *mem;
  size_t room;          // keys
  uint32_t shards;      // how many a store has, a power of two
  uint32_t stores;      // how many there may be
  uint32_t piles;       // shards of all those in use
  uint32_t classes;     // of events, 1: their order does not matter
  uint64_t scale;       // how an event becomes a class, times 2^32
  tl_shards *const *of; // these stores
  uint32_t words;       // of a part
  uint32_t key_words;   // of a key; a part has no more
  uint64_t *split;      // [room] parts as they were gathered
  uint64_t *parts;      // [room] in the order of the shards
  uint16_t *shard;      // [room] of each key: its shard, or then its pile,
                        // or its class there
  uint32_t *origin;     // [room] where the part was gathered
  uint8_t *put;         // [room] 1: it was not there
  uint8_t *isnew;       // [room] TL_DEAL_NEW, TL_DEAL_WAITS or 0, as they were
                        // gathered
  uint32_t *next, *end; // [piles * classes + 1] parts of each that are still to
                        // be put, and then of those that belong nowhere
  uint32_t *left;       // [piles] shards that have some
  uint32_t lefts;
  uint64_t added; // that were new
} tl_deal;

// Of keys of so many words, and at most so many stores with so many shards;
// and of events below `events`, 0: their order does not matter.
tl_status tl_deal_open (tl_deal *, tl_mem *, uint32_t shards, uint32_t stores,
                        size_t room, uint32_t key_words, uint32_t events);
void tl_deal_close (tl_deal *);

// A round of so many keys begins.
void tl_deal_begin (tl_deal *, size_t count);
// Deals the keys to the shards; the first to be tried has that number.  Where
// the shards are others now all are to be put again; what was new remains new.
void tl_deal_sort (tl_deal *, tl_shards *const *, const uint64_t *keys,
                   const uint32_t *events, size_t count, uint32_t first);
// The same with several stores, and to which of them each key belongs.
void tl_deal_sort_among (tl_deal *, tl_shards *const *, uint32_t stores,
                         const uint16_t *store, const uint64_t *keys,
                         size_t count, uint32_t first);
// Puts all that is left.  TL_E_NOMEM: there is no memory for some, and it may
// be called again.
tl_status tl_deal_put (tl_deal *, bool patient);
// The same for what can be put at once.  The others wait, unless these are more
// than `most`.
tl_status tl_deal_put_free (tl_deal *, bool patient, size_t most);
// What is left waits.
void tl_deal_leave (tl_deal *);
// The positions at which isnew is not 0, until the next round is sorted; how
// many.
size_t tl_deal_marked (tl_deal *, size_t count, const uint32_t **list);

#endif
