#ifndef TL_EXPLORE_POST_H
#define TL_EXPLORE_POST_H

#include "base/mem.h"
#include "base/packer.h"
#include "base/tuning.h"
#include "explore/cluster.h"

#include <pthread.h>

// What goes between the ranks of a search: packets of successors that belong to
// another rank.
//
//     outbox of a thread:            on their way         came
//     one packet for each rank  -->  | | | |    -->  -->  | | |  --> a round
//
// A record of a packet is a key in as few bytes as it has, the event that led
// to it, and its parent, as a difference to the one before.
//
// Where threads have waited for the post for a good part of a level, the wire
// is slower than the search: then records are packed by zstd, which saves a
// third of their bytes.
//
// A packet may also be a block of states that its receiver is to expand, or
// have no records: then it only says something.  Each tells how many blocks its
// sender has left.
//
// Whoever has a moment sees to the post: all of it is behind one lock, which is
// tried, not waited for.  Packets are counted from the beginning, so that all
// ranks know when everything has come that was sent.

enum {
  TL_PACKET_BYTES = 1 << 16, // of successors that go to another rank
  TL_PACKET_LEAST = 1 << 13, // in a small budget
  TL_PACKET_RECORDS = TL_ROUND / 2,
  TL_POST_WINDOW = 4 * TL_ROUND, // successors that are put at once
  TL_POST_AWAITS = 32,   // packets that may come at the same time, at most
  TL_POST_UNDERWAY = 16, // for each rank, before a thread waits
  TL_POST_FEW = 8,       // but not for fewer ranks than that
  TL_POST_SLOW = 4,      // one part of so many of a level is waited for it,
  TL_POST_QUICK = 16     // or less than this
};

typedef struct tl_packet {
  struct tl_packet *next;
  unsigned to;
  unsigned char *bytes;
  size_t size;
  uint32_t records;
  uint64_t parent; // of the record written last
  void *doing;     // it is on its way
  unsigned what;   // TL_POST_...; or why the search is to end
  unsigned from;   // of one that came: who sent it,
  uint64_t left;   // and the blocks that were left there
} tl_packet;

// What a packet is.
enum {
  TL_POST_KEYS = 0,     // successors, or keys that move
  TL_POST_PACKED = 251, // the same, packed by zstd
  TL_POST_BLOCK,        // states that are to be expanded
  TL_POST_ASK,          // for some of these
  TL_POST_NONE,         // there are none
  TL_POST_PAUSE         // nobody is to begin another block
};

typedef struct tl_post {
  tl_mem *mem;
  tl_cluster *cluster;
  unsigned threads;
  double began;    // when that was last said, by tl_clock;
  uint64_t rested; // nanoseconds that threads have waited since,
  bool slow;       // and before it, much: records are packed
  size_t room;     // bytes of a packet
  size_t most;     // records, TL_PACKET_RECORDS or less
  uint32_t words;  // of a key
  unsigned last_bytes, event_bytes;
  size_t record; // bytes at most
  pthread_mutex_t lock;
  tl_packet *spare, *leaving, **last_left, *came, **last_came;
  size_t underway; // packets that are leaving, and how many may be
  size_t most_underway;
  size_t waiting;      // packets that came
  tl_packet **awaited; // [awaits] in turn, the first of them, and how many
  unsigned awaits, first, awaiting;
  uint64_t *sent, *due;   // [ranks] packets to and from each
  uint64_t *given, *owed; // [ranks] of these, blocks
  uint64_t taken;         // packets that came and were read
  void *counting, *sharing;
  bool counted;  // `due` is known: nothing will be sent for a while
  bool closed;   // no more blocks are given,
  bool shared;   // by anybody: `owed` is known
  uint64_t left; // blocks, to be told to others
  uint64_t records, bytes, blocks; // that were sent
} tl_post;

// For so many threads of this rank.
tl_status tl_post_open (tl_post *, tl_mem *, tl_cluster *, unsigned threads);
void tl_post_close (tl_post *);
// The keys have so many words, of which the lowest `bits` bits may be set, and
// there are so many events.  False: keys are too long for packets.
bool tl_post_shape (tl_post *, uint32_t words, uint32_t bits, uint32_t events);
// All ranks, before anything is sent: packets are as small as the rank with the
// least memory needs them, and each has some.  False: keys are too long for
// that, or one of them has no memory for any.
bool tl_post_agree (tl_post *);

// What one thread is about to send.
typedef struct tl_outbox {
  tl_post *post;
  tl_packet **packet; // [ranks] or null
  tl_packer packer;   // for what it sends, and what it takes
} tl_outbox;

tl_status tl_outbox_open (tl_outbox *, tl_post *);
void tl_outbox_close (tl_outbox *);
// Successors, and the rank that each belongs to.
typedef struct tl_sendings {
  const uint64_t *keys, *parents;
  const uint32_t *events;
  const uint16_t *to;
} tl_sendings;

// Adds those of the list from `*done` on.  TL_E_NOMEM: the next one was not
// added.
tl_status tl_outbox_add (tl_outbox *, const tl_sendings *, const uint32_t *list,
                         size_t count, size_t *done);
// Sends what there is.
void tl_outbox_send (tl_outbox *);
// Tells all other ranks that the search is to end, or to pause.
tl_status tl_post_stop (tl_post *, unsigned why);
// Sends a packet without records, unless all was sent that is to be sent.
tl_status tl_post_tell (tl_post *, unsigned to, unsigned what);

// A packet for a block of so many bytes, which are to be written to its end.
// Null: there is no memory, or no more blocks are given.  It is to be sent, or
// thrown away.
tl_packet *tl_post_begin_block (tl_post *, unsigned to, size_t bytes);
void tl_post_send_block (tl_post *, tl_packet *);
void tl_post_throw_away (tl_post *, tl_packet *);
// This rank gives no more blocks: the ranks tell each other how many they gave.
void tl_post_close_blocks (tl_post *);
// Have all ranks said so, and did as many come as they gave?
bool tl_post_has_blocks (tl_post *, uint64_t came);

// A packet that has come, the oldest first; null: none has, or another thread
// looks.  It is to be given back, maybe with others as a list, when what it
// says was done.
tl_packet *tl_post_take (tl_post *);
void tl_post_give_back (tl_post *, tl_packet *);
// If its records were packed they are not any more.  TL_E_NOMEM: there is no
// memory for that.
tl_status tl_packet_unpack (tl_outbox *, tl_packet *);
// Reads it; returns how many records it has, TL_PACKET_RECORDS at most.
size_t tl_packet_read (const tl_post *, const tl_packet *, uint64_t *keys,
                       uint32_t *events, uint64_t *parents);
// The states of a block.
const unsigned char *tl_packet_block (const tl_packet *);

// So much is on its way that it is better to wait.
bool tl_post_is_full (tl_post *);
// More will be sent, until all was.
void tl_post_begin (tl_post *);
// All was sent that is to be sent: the ranks tell each other how much.
void tl_post_count (tl_post *);
// Has all come that was sent to this rank, and was it read?  Then more may be
// sent.
bool tl_post_is_settled (tl_post *);
// Waits for that, and reads nothing.
void tl_post_discard (tl_post *);
// Sleeps a little, longer each time.
void tl_post_rest (tl_post *, unsigned *times);

#endif
