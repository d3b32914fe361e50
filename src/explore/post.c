#include "explore/post.h"

#include "base/bits.h"
#include "base/clock.h"

#include <sched.h>
#include <string.h>
#include <time.h>

enum {
  HEAD = 16, // bytes of a packet before its records: how many, what it is,
             // who sends it, and the blocks left there
  FROM = 8,  // bits of the second word before these
  LEFT = 32,
  PARENT = 10,         // bytes of a parent at most
  BEYOND = 8,          // bytes that may be written behind a record
  LOOKS = 100,         // before a thread that waits sleeps
  NAP = 20000,         // nanoseconds at first,
  LONGEST_NAP = 200000 // and at most
};
static const double SHORT = 0.01; // seconds

static void nap (unsigned times) {
  if (times < LOOKS) {
    sched_yield ();
    return;
  }
  const long longer = NAP * (long)(times - LOOKS + 1);
  nanosleep (&(struct timespec){.tv_nsec = longer < LONGEST_NAP ? longer
                                                                : LONGEST_NAP},
             0);
}

void tl_post_rest (tl_post *p, unsigned *times) {
  const double from = tl_clock ();
  nap (++*times);
  __atomic_add_fetch (&p->rested, (uint64_t)((tl_clock () - from) * 1e9),
                      __ATOMIC_RELAXED);
}

// ---- Opening ---------------------------------------------------------------

// With a small budget packets are smaller.
static size_t packet_bytes (const tl_mem *mem, size_t packets) {
  const tl_mem *root = tl_mem_root (mem);
  const size_t part = root->limit / 16 / packets;
  return !root->limit || part > TL_PACKET_BYTES ? TL_PACKET_BYTES
         : part < TL_PACKET_LEAST               ? TL_PACKET_LEAST
                                                : part;
}

tl_status tl_post_open (tl_post *p, tl_mem *mem, tl_cluster *cluster,
                        unsigned threads) {
  const unsigned ranks = cluster->ranks,
                 some = ranks > TL_POST_FEW ? ranks : TL_POST_FEW;
  *p = (tl_post){.mem = mem,
                 .cluster = cluster,
                 .threads = threads,
                 .began = tl_clock (),
                 .awaits = some < TL_POST_AWAITS ? some : TL_POST_AWAITS,
                 .most_underway = (size_t)TL_POST_UNDERWAY * some};
  p->last_came = &p->came;
  p->last_left = &p->leaving;
  p->room = packet_bytes (mem, (size_t)ranks * threads + p->most_underway);
  pthread_mutex_init (&p->lock, 0);
  return TL_NEW (mem, p->awaited, p->awaits) && TL_NEW (mem, p->sent, ranks) &&
                 TL_NEW (mem, p->due, ranks) && TL_NEW (mem, p->given, ranks) &&
                 TL_NEW (mem, p->owed, ranks)
             ? TL_OK
             : TL_E_NOMEM;
}

static void close_packets (const tl_post *p, tl_packet *list) {
  for (tl_packet *next; list; list = next) {
    next = list->next;
    TL_DEL (p->mem, list->bytes, p->room);
    TL_DEL (p->mem, list, 1);
  }
}

void tl_post_close (tl_post *p) {
  if (!p->mem)
    return;
  for (unsigned i = 0; p->awaited && i < p->awaits; i++)
    if (p->awaited[i]) {
      p->cluster->call_off (p->cluster, p->awaited[i]->doing);
      close_packets (p, p->awaited[i]);
    }
  close_packets (p, p->spare);
  close_packets (p, p->leaving);
  close_packets (p, p->came);
  TL_DEL (p->mem, p->awaited, p->awaits);
  TL_DEL (p->mem, p->sent, p->cluster->ranks);
  TL_DEL (p->mem, p->due, p->cluster->ranks);
  TL_DEL (p->mem, p->given, p->cluster->ranks);
  TL_DEL (p->mem, p->owed, p->cluster->ranks);
  pthread_mutex_destroy (&p->lock);
  p->mem = 0;
}

static bool has_room (const tl_post *p) {
  return p->room >= HEAD + p->record + BEYOND;
}

bool tl_post_shape (tl_post *p, uint32_t words, uint32_t bits,
                    uint32_t events) {
  p->words = words;
  p->last_bytes = (bits - 64 * (words - 1) + 7) / 8;
  p->event_bytes = (tl_bits_for (events) + 7) / 8;
  p->event_bytes += !p->event_bytes;
  p->record = 8 * (size_t)(words - 1) + p->last_bytes + p->event_bytes + PARENT;
  p->most = TL_PACKET_RECORDS;
  return has_room (p);
}

// ---- Packets ---------------------------------------------------------------

// An empty one; the lock is held.  Null: no memory.
static tl_packet *get_packet (tl_post *p) {
  tl_packet *packet = p->spare;
  if (packet)
    p->spare = packet->next;
  else if (!TL_NEW (p->mem, packet, 1))
    return 0;
  else if (!TL_NEW (p->mem, packet->bytes, p->room)) {
    TL_DEL (p->mem, packet, 1);
    return 0;
  }
  packet->next = 0;
  packet->size = HEAD;
  packet->records = 0;
  packet->parent = 0;
  packet->what = TL_POST_KEYS;
  return packet;
}

static void put_packet (tl_post *p, tl_packet *packet) {
  packet->next = p->spare;
  p->spare = packet;
}

// Packets for so many others to come, or to be told that this rank ends.
static bool reserve (tl_post *p, unsigned count) {
  tl_packet *some = 0;
  for (tl_packet *packet; count && (packet = get_packet (p)); count--) {
    packet->next = some;
    some = packet;
  }
  for (tl_packet *next; some; some = next) {
    next = some->next;
    put_packet (p, some);
  }
  return !count;
}

bool tl_post_agree (tl_post *p) {
  tl_cluster *all = p->cluster;
  uint64_t less = TL_PACKET_BYTES - p->room;
  all->raise (all, &less, 1);
  p->room = TL_PACKET_BYTES - (size_t)less;
  uint64_t lacks = !has_room (p) || !reserve (p, all->ranks);
  all->raise (all, &lacks, 1);
  return !lacks;
}

// Sends one; the lock is held.
static void leave (tl_post *p, tl_packet *packet) {
  const uint64_t left = __atomic_load_n (&p->left, __ATOMIC_RELAXED);
  tl_write_word (packet->bytes, packet->records);
  tl_write_word (packet->bytes + 8, packet->what |
                                        (uint64_t)p->cluster->rank << FROM |
                                        left << LEFT);
  *p->last_left = packet;
  p->last_left = &packet->next;
  p->underway++;
  p->sent[packet->to]++;
  p->bytes += packet->size;
  p->blocks += packet->what == TL_POST_BLOCK;
  p->records += packet->what <= TL_POST_PACKED ? packet->records : 0;
  packet->doing =
      p->cluster->send (p->cluster, packet->to, packet->bytes, packet->size);
}

// A look takes time: the one that left first tells of those behind it, unless
// all are wanted.
static void look_at_leaving (tl_post *p, bool all) {
  tl_packet **at = &p->leaving;
  while (*at) {
    tl_packet *packet = *at;
    if (p->cluster->is_done (p->cluster, packet->doing, 0)) {
      *at = packet->next;
      p->underway--;
      put_packet (p, packet);
    } else if (all)
      at = &packet->next;
    else
      return;
  }
  p->last_left = at;
}

static void read_head (tl_packet *packet) {
  const uint64_t head = tl_read_word (packet->bytes + 8);
  packet->records = (uint32_t)tl_read_word (packet->bytes);
  packet->what = (unsigned)(head & tl_low_bits (FROM));
  packet->from = (unsigned)(head >> FROM & tl_low_bits (LEFT - FROM));
  packet->left = head >> LEFT;
}

// Packets come in the order in which they are awaited.
static void look_for_more (tl_post *p) {
  for (tl_packet *packet;
       (packet = p->awaited[p->first]) &&
       p->cluster->is_done (p->cluster, packet->doing, &packet->size);
       p->first = (p->first + 1) % p->awaits) {
    p->awaited[p->first] = 0;
    packet->next = 0;
    read_head (packet);
    *p->last_came = packet;
    p->last_came = &packet->next;
    p->waiting++;
    p->awaiting--;
  }
  // What nobody reads is not to be taken.
  for (tl_packet *packet; p->awaiting < p->awaits && p->waiting < p->awaits &&
                          (packet = get_packet (p));
       p->awaiting++) {
    packet->doing = p->cluster->expect (p->cluster, packet->bytes, p->room);
    p->awaited[(p->first + p->awaiting) % p->awaits] = packet;
  }
}

static void look_at (tl_post *p, void **doing, bool *done) {
  if (*doing && p->cluster->is_done (p->cluster, *doing, 0)) {
    *doing = 0;
    *done = true;
  }
}

static void see_to (tl_post *p) {
  look_at_leaving (p, p->counted);
  look_for_more (p);
  look_at (p, &p->sharing, &p->shared);
  look_at (p, &p->counting, &p->counted);
}

tl_packet *tl_post_take (tl_post *p) {
  if (pthread_mutex_trylock (&p->lock))
    return 0;
  see_to (p);
  tl_packet *packet = p->came;
  if (packet) {
    p->came = packet->next;
    p->last_came = p->came ? p->last_came : &p->came;
    p->waiting--;
    packet->next = 0;
  }
  pthread_mutex_unlock (&p->lock);
  return packet;
}

void tl_post_give_back (tl_post *p, tl_packet *packet) {
  pthread_mutex_lock (&p->lock);
  for (tl_packet *next; packet; packet = next) {
    next = packet->next;
    p->taken++;
    put_packet (p, packet);
  }
  pthread_mutex_unlock (&p->lock);
}

bool tl_post_is_full (tl_post *p) {
  pthread_mutex_lock (&p->lock);
  if (p->underway > p->most_underway)
    look_at_leaving (p, true);
  const bool full = p->underway > p->most_underway;
  pthread_mutex_unlock (&p->lock);
  return full;
}

tl_status tl_post_tell (tl_post *p, unsigned to, unsigned what) {
  pthread_mutex_lock (&p->lock);
  const bool open = !p->counting && !p->counted;
  tl_packet *packet = open ? get_packet (p) : 0;
  if (packet) {
    packet->to = to;
    packet->what = what;
    leave (p, packet);
  }
  pthread_mutex_unlock (&p->lock);
  return packet || !open ? TL_OK : TL_E_NOMEM;
}

tl_status tl_post_stop (tl_post *p, unsigned why) {
  tl_status rc = TL_OK;
  for (unsigned to = 0; !rc && to < p->cluster->ranks; to++)
    if (to != p->cluster->rank)
      rc = tl_post_tell (p, to, why);
  return rc;
}

// ---- Blocks ----------------------------------------------------------------

tl_packet *tl_post_begin_block (tl_post *p, unsigned to, size_t bytes) {
  tl_packet *packet = 0;
  pthread_mutex_lock (&p->lock);
  if (!p->closed && HEAD + bytes + BEYOND <= p->room &&
      (packet = get_packet (p))) {
    packet->to = to;
    packet->what = TL_POST_BLOCK;
  }
  pthread_mutex_unlock (&p->lock);
  return packet;
}

void tl_post_send_block (tl_post *p, tl_packet *packet) {
  pthread_mutex_lock (&p->lock);
  p->given[packet->to]++;
  leave (p, packet);
  pthread_mutex_unlock (&p->lock);
}

void tl_post_throw_away (tl_post *p, tl_packet *packet) {
  pthread_mutex_lock (&p->lock);
  put_packet (p, packet);
  pthread_mutex_unlock (&p->lock);
}

const unsigned char *tl_packet_block (const tl_packet *packet) {
  return packet->bytes + HEAD;
}

void tl_post_close_blocks (tl_post *p) {
  pthread_mutex_lock (&p->lock);
  if (!p->closed)
    p->sharing = p->cluster->count (p->cluster, p->given, p->owed);
  p->closed = true;
  pthread_mutex_unlock (&p->lock);
}

bool tl_post_has_blocks (tl_post *p, uint64_t came) {
  uint64_t owed = 0;
  pthread_mutex_lock (&p->lock);
  for (unsigned i = 0; p->shared && i < p->cluster->ranks; i++)
    owed += p->owed[i];
  const bool all = p->shared && came == owed;
  pthread_mutex_unlock (&p->lock);
  return all;
}

// ---- Settling --------------------------------------------------------------

// A level that is over sooner than the ranks have agreed on that says nothing.
static void look_back (tl_post *p) {
  const double now = tl_clock (), all = (now - p->began) * p->threads,
               rested = (double)p->rested * 1e-9;
  if (now - p->began > SHORT)
    p->slow = rested > all / (p->slow ? TL_POST_QUICK : TL_POST_SLOW);
  p->began = now;
  p->rested = 0;
}

void tl_post_begin (tl_post *p) {
  look_back (p);
  p->counted = p->closed = p->shared = false;
}

void tl_post_count (tl_post *p) {
  pthread_mutex_lock (&p->lock);
  p->counting = p->cluster->count (p->cluster, p->sent, p->due);
  pthread_mutex_unlock (&p->lock);
}

bool tl_post_is_settled (tl_post *p) {
  pthread_mutex_lock (&p->lock);
  uint64_t due = 0;
  for (unsigned i = 0; i < p->cluster->ranks; i++)
    due += p->due[i];
  const bool settled =
      p->counted && !p->sharing && p->taken == due && !p->underway;
  pthread_mutex_unlock (&p->lock);
  return settled;
}

void tl_post_discard (tl_post *p) {
  for (unsigned times = 0; !tl_post_is_settled (p);) {
    tl_packet *packet = tl_post_take (p);
    if (packet)
      tl_post_give_back (p, packet);
    else
      tl_post_rest (p, &times);
  }
}

// ---- Writing ---------------------------------------------------------------

tl_status tl_outbox_open (tl_outbox *o, tl_post *p) {
  *o = (tl_outbox){.post = p, .packer = TL_PACKER (p->mem)};
  return TL_NEW (p->mem, o->packet, p->cluster->ranks) ? TL_OK : TL_E_NOMEM;
}

void tl_outbox_close (tl_outbox *o) {
  tl_post *p = o->post;
  if (!p)
    return;
  for (unsigned i = 0; o->packet && i < p->cluster->ranks; i++)
    close_packets (p, o->packet[i]);
  TL_DEL (p->mem, o->packet, p->cluster->ranks);
  tl_packer_close (&o->packer);
  o->post = 0;
}

// Without memory for that, or where it saves nothing, it leaves as it is.
static void pack (tl_outbox *o, tl_packet *packet) {
  unsigned char *const records = packet->bytes + HEAD;
  const size_t size = packet->size - HEAD;
  size_t packed;
  if (tl_packer_pack (&o->packer, 1, records, size, &packed) || packed >= size)
    return;
  memcpy (records, o->packer.room, packed);
  packet->size = HEAD + packed;
  packet->what = TL_POST_PACKED;
}

static void send_packet (tl_outbox *o, unsigned to) {
  tl_post *p = o->post;
  if (p->slow)
    pack (o, o->packet[to]);
  pthread_mutex_lock (&p->lock);
  leave (p, o->packet[to]);
  pthread_mutex_unlock (&p->lock);
  o->packet[to] = 0;
}

void tl_outbox_send (tl_outbox *o) {
  for (unsigned to = 0; to < o->post->cluster->ranks; to++)
    if (o->packet[to])
      send_packet (o, to);
}

static tl_status begin_packet (tl_outbox *o, unsigned to) {
  tl_post *p = o->post;
  pthread_mutex_lock (&p->lock);
  o->packet[to] = get_packet (p);
  pthread_mutex_unlock (&p->lock);
  if (!o->packet[to])
    return TL_E_NOMEM;
  o->packet[to]->to = to;
  return TL_OK;
}

// In groups of seven bits.  States are expanded in the order of their numbers:
// parents hardly ever go back, and then a difference has ten.
static unsigned char *write_difference (unsigned char *at, uint64_t change) {
  for (; change > 127; change >>= 7)
    *at++ = (unsigned char)(change | 128);
  *at++ = (unsigned char)change;
  return at;
}

static const unsigned char *read_difference (const unsigned char *at,
                                             uint64_t *value) {
  uint64_t change = *at & 127;
  for (unsigned shift = 7; *at++ & 128; shift += 7)
    change |= (uint64_t)(*at & 127) << shift;
  *value += change;
  return at;
}

// By value what is read for each: it could be what is written.
static inline __attribute__ ((always_inline)) tl_status
add_some (tl_outbox *o, const tl_sendings s, const uint32_t *list, size_t count,
          size_t *done, const uint32_t words) {
  const tl_post *p = o->post;
  tl_packet **const packets = o->packet;
  const size_t key_bytes = 8 * (size_t)(words - 1) + p->last_bytes,
               event_bytes = p->event_bytes, most = p->most,
               full = p->room - p->record - BEYOND;
  for (; *done < count; ++*done) {
    const uint32_t i = list[*done];
    const unsigned to = s.to[i];
    const uint64_t parent = s.parents[i];
    tl_status rc;
    if (!packets[to] && (rc = begin_packet (o, to)))
      return rc;
    tl_packet *packet = packets[to];
    const uint64_t change = parent - packet->parent;
    unsigned char *at = packet->bytes + packet->size;
    tl_write_words (at, s.keys + (size_t)i * words, words);
    at += key_bytes;
    tl_write_word (at, s.events[i]);
    at = write_difference (at + event_bytes, change);
    packet->parent = parent;
    packet->size = (size_t)(at - packet->bytes);
    if (++packet->records == most || packet->size > full)
      send_packet (o, to);
  }
  return TL_OK;
}

tl_status tl_outbox_add (tl_outbox *o, const tl_sendings *s,
                         const uint32_t *list, size_t count, size_t *done) {
  return o->post->words == 1
             ? add_some (o, *s, list, count, done, 1)
             : add_some (o, *s, list, count, done, o->post->words);
}

// ---- Reading ---------------------------------------------------------------

tl_status tl_packet_unpack (tl_outbox *o, tl_packet *packet) {
  tl_packer *packer = &o->packer;
  unsigned char *const records = packet->bytes + HEAD;
  const size_t packed = packet->size - HEAD, room = o->post->room - HEAD;
  size_t size;
  if (packet->what != TL_POST_PACKED)
    return TL_OK;
  if (tl_packer_prepare (packer, room))
    return TL_E_NOMEM;
  memcpy (packer->room, records, packed);
  packet->what = TL_POST_KEYS;
  return tl_packer_unpack (packer, packer->room, packed, records, room, &size);
}

static inline __attribute__ ((always_inline)) void
read_records (const tl_post *p, const unsigned char *at, size_t count,
              uint64_t *keys, uint32_t *events, uint64_t *parents,
              uint32_t words) {
  const size_t bytes = 8 * (size_t)(words - 1) + p->last_bytes,
               event_bytes = p->event_bytes;
  const uint64_t mask = tl_low_bits (8 * (unsigned)event_bytes);
  uint64_t parent = 0;
  for (size_t i = 0; i < count; i++) {
    tl_read_words (at, bytes, keys + i * words, words);
    at += bytes;
    events[i] = (uint32_t)(tl_read_word (at) & mask);
    at = read_difference (at + event_bytes, &parent);
    parents[i] = parent;
  }
}

size_t tl_packet_read (const tl_post *p, const tl_packet *packet,
                       uint64_t *keys, uint32_t *events, uint64_t *parents) {
  const size_t count = packet->records;
  const unsigned char *at = packet->bytes + HEAD;
  if (p->words == 1)
    read_records (p, at, count, keys, events, parents, 1);
  else
    read_records (p, at, count, keys, events, parents, p->words);
  return count;
}
