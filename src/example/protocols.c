// Data over a network that loses packets and lets them overtake each other.
//
// The sender may send, and send again, any packet of its window: the lowest
// packet that is not acknowledged and those that follow it.  The receiver
// takes packets in order; whatever arrives it answers with the number of the
// last one taken, which acknowledges all up to that.  Numbers never start
// anew, so `received` and `acknowledged` count how far the run is: neither
// ever decreases, and each is a progress measure.
//
// The capacity of the network is a number of slots in each direction; packet
// number i goes through slot i modulo that number, as if the numbers on the
// wire were cyclic.  So an old packet may linger, but not for more than a
// round of numbers, and the number of states grows linearly with the number
// of packets.  A packet that comes out of order when it cannot be answered,
// and an acknowledgement that says nothing new, are as good as lost: there is
// no transition for them but the loss.

#include "example/maker.h"

typedef struct protocol {
  tl_maker *m;
  uint32_t packets, window, slots;
  // [packets + 1]: which packet comes next; the last one is "all done"
  uint32_t sending, expecting;
  uint32_t data, ack;           // [packets] on their way
  uint32_t data_slot, ack_slot; // [slots]
  uint32_t received, acknowledged;
} protocol;

static void make_places (protocol *p) {
  tl_maker *m = p->m;
  p->received = tl_maker_place (m, 0, "received");
  p->acknowledged = tl_maker_place (m, 0, "acknowledged");
  p->data_slot = tl_maker_row (m, "data_slot", p->slots, 1);
  p->ack_slot = tl_maker_row (m, "ack_slot", p->slots, 1);
  p->data = tl_maker_row (m, "data", p->packets, 0);
  p->ack = tl_maker_row (m, "ack", p->packets, 0);
  p->sending = tl_maker_row (m, "sending", p->packets, 0);
  tl_maker_place (m, 0, "all_acknowledged");
  p->expecting = tl_maker_row (m, "expecting", p->packets, 0);
  tl_maker_place (m, 0, "all_received");
  if (m->status)
    return;
  tl_builder_set_initial (m->builder, p->sending, 1);
  tl_builder_set_initial (m->builder, p->expecting, 1);
}

static uint32_t data_slot (const protocol *p, uint32_t i) {
  return p->data_slot + i % p->slots;
}

static uint32_t ack_slot (const protocol *p, uint32_t i) {
  return p->ack_slot + i % p->slots;
}

static void lose (const protocol *p, uint32_t i) {
  const uint32_t data = tl_maker_transition (p->m, "lose_data_%u", i + 1);
  TL_TAKE (p->m, data, p->data + i);
  TL_GIVE (p->m, data, data_slot (p, i));
  const uint32_t ack = tl_maker_transition (p->m, "lose_ack_%u", i + 1);
  TL_TAKE (p->m, ack, p->ack + i);
  TL_GIVE (p->m, ack, ack_slot (p, i));
}

// The sender, whose lowest packet without acknowledgement is b, sends packet
// i of its window or hears that all up to i have arrived.
static void send (const protocol *p, uint32_t b, uint32_t i) {
  tl_maker *m = p->m;
  const uint32_t send = tl_maker_transition (m, "send_%u_%u", b + 1, i + 1);
  TL_TAKE (m, send, p->sending + b, data_slot (p, i));
  TL_GIVE (m, send, p->sending + b, p->data + i);
  const uint32_t advance =
      tl_maker_transition (m, "advance_%u_%u", b + 1, i + 1);
  TL_TAKE (m, advance, p->sending + b, p->ack + i);
  TL_GIVE (m, advance, p->sending + i + 1, ack_slot (p, i));
  tl_maker_arc (m, TL_ARC_POST, advance, p->acknowledged, i - b + 1);
}

// The receiver takes packet j, the one it expects.
static void accept (const protocol *p, uint32_t j) {
  tl_maker *m = p->m;
  const uint32_t accept = tl_maker_transition (m, "accept_%u", j + 1);
  TL_TAKE (m, accept, p->expecting + j, p->data + j, ack_slot (p, j));
  TL_GIVE (m, accept, p->expecting + j + 1, data_slot (p, j), p->ack + j,
           p->received);
}

// The receiver expects packet j and gets another one: it says again what it
// has.
static void repeat (const protocol *p, uint32_t j, uint32_t i) {
  tl_maker *m = p->m;
  const uint32_t again = tl_maker_transition (m, "repeat_%u_%u", j, i + 1);
  TL_TAKE (m, again, p->expecting + j, p->data + i, ack_slot (p, j - 1));
  TL_GIVE (m, again, p->expecting + j, data_slot (p, i), p->ack + j - 1);
}

static void make_protocol (protocol p) {
  if (p.window > p.packets)
    p.window = p.packets;
  make_places (&p);
  for (uint32_t i = 0; i < p.packets && !p.m->status; i++) {
    lose (&p, i);
    for (uint32_t k = i; k < p.packets && k < i + p.window; k++)
      send (&p, i, k);
    accept (&p, i);
  }
  // Packet i is on its way only before packet i + slots was ever sent, and
  // packet i + window only after packet i arrived: no other can come.
  for (uint32_t j = 1; j <= p.packets && !p.m->status; j++)
    for (uint32_t i = j > p.slots ? j - p.slots : 0;
         i < p.packets && i < j + p.window; i++)
      if (i != j)
        repeat (&p, j, i);
}

void tl_example_stop_and_wait (tl_maker *m, const uint32_t *sizes) {
  make_protocol (
      (protocol){.m = m, .packets = sizes[0], .window = 1, .slots = 4});
}

// Cyclic numbers must be at least one more than the window.
void tl_example_sliding_window (tl_maker *m, const uint32_t *sizes) {
  make_protocol ((protocol){
      .m = m, .packets = sizes[0], .window = sizes[1], .slots = sizes[1] + 1});
}
