#ifndef TL_EXPLORE_POST_H
#define TL_EXPLORE_POST_H

#include "base/mem.h"
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
// Whoever has a moment sees to the post: all of it is behind one lock, which is
// tried, not waited for.  Packets are counted from the beginning, so that all
// ranks know when everything has come that was sent.

enum {
  TL_PACKET_BYTES = 1 << 16, // of successors that go to another rank
  TL_PACKET_LEAST = 1 << 13, // in a small budget
  TL_PACKET_RECORDS = TL_ROUND / 2,
  TL_POST_WINDOW = 4 * TL_ROUND, // successors that are put at once
  TL_POST_AWAITS = 32,  // packets that may come at the same time, at most
  TL_POST_UNDERWAY = 4, // for each rank, before a thread waits
  TL_POST_FEW = 8       // but not for fewer ranks than that
};

typedef struct tl_packet {
  struct tl_packet *next;
  unsigned to;
  unsigned char *bytes;
  size_t size;
  uint32_t records;
  uint64_t parent; // of the record written last
  void *doing;     // it is on its way
} tl_packet;

typedef struct tl_post {
  tl_mem *mem;
  tl_cluster *cluster;
  size_t room;    // bytes of a packet
  size_t most;    // records, TL_PACKET_RECORDS or less
  uint32_t words; // of a key
  unsigned last_bytes, event_bytes;
  size_t record; // bytes at most
  pthread_mutex_t lock;
  tl_packet *spare, *leaving, **last_left, *came, **last_came;
  size_t underway; // packets that are leaving, and how many may be
  size_t most_underway;
  size_t waiting;      // packets that came
  tl_packet **awaited; // [awaits] in turn, the first of them, and how many
  unsigned awaits, first, awaiting;
  uint64_t *sent, *due; // [ranks] packets to and from each
  uint64_t taken;       // packets that came and were read
  void *counting;
  bool counted;            // `due` is known: nothing will be sent for a while
  uint64_t records, bytes; // that were sent
} tl_post;

// For so many threads of this rank.
tl_status tl_post_open (tl_post *, tl_mem *, tl_cluster *, unsigned threads);
void tl_post_close (tl_post *);
// The keys have so many words, of which the lowest `bits` bits may be set, and
// there are so many events.  False: keys are too long for packets.
bool tl_post_shape (tl_post *, uint32_t words, uint32_t bits, uint32_t events);

// What one thread is about to send.
typedef struct tl_outbox {
  tl_post *post;
  tl_packet **packet; // [ranks] or null
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
enum { TL_POST_PAUSE = 255 };

// A packet that has come, the oldest first; null: none has, or another thread
// looks.  It is to be given back, maybe with others as a list, when what it
// says was done.
tl_packet *tl_post_take (tl_post *);
void tl_post_give_back (tl_post *, tl_packet *);
// Reads it; returns how many records it has, TL_PACKET_RECORDS at most.  *stop,
// if not 0: the search is to end, as its sender says.
size_t tl_packet_read (const tl_post *, const tl_packet *, uint64_t *keys,
                       uint32_t *events, uint64_t *parents, unsigned *stop);

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
void tl_post_rest (unsigned *times);

#endif
