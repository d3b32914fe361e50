// Protocols: data that has to arrive, and timers.

#include "example/coloured_examples.h"

// clang-format off
#define WINDOWS \
"  subtype position : nat range 1 .. PACKETS + 1; // the last: all done\n" \
"  subtype packet : position range 1 .. PACKETS;\n" \
"  type slot : mod SLOTS;\n" \
"\n" \
"  // The lowest packet that is not acknowledged, and the one that is\n" \
"  // expected\n" \
"  place sending { dom : position; init : <( 1 )>; }\n" \
"  place expecting { dom : position; init : <( 1 )>; }\n" \
"  // On their way, and room for more\n" \
"  place data { dom : packet; }\n" \
"  place acks { dom : packet; }\n" \
"  place data_slots { dom : slot; init : for (s in slot) <( s )>; }\n" \
"  place ack_slots { dom : slot; init : for (s in slot) <( s )>; }\n" \
"\n" \
"  transition send {\n" \
"    in { sending : <( low )>; data_slots : <( slot (p % SLOTS) )>; }\n" \
"    out { sending : <( low )>; data : <( p )>; }\n" \
"    pick { p in packet; }\n" \
"    guard : p >= low and p < low + WINDOW;\n" \
"  }\n" \
"  transition advance {\n" \
"    in { sending : <( low )>; acks : <( p )>; }\n" \
"    out { sending : <( p + 1 )>; ack_slots : <( slot (p % SLOTS) )>; }\n" \
"    guard : p >= low;\n" \
"  }\n" \
"  transition accept {\n" \
"    in {\n" \
"      expecting : <( p )>;\n" \
"      data : <( p )>;\n" \
"      ack_slots : <( slot (p % SLOTS) )>;\n" \
"    }\n" \
"    out {\n" \
"      expecting : <( p + 1 )>;\n" \
"      data_slots : <( slot (p % SLOTS) )>;\n" \
"      acks : <( p )>;\n" \
"    }\n" \
"  }\n" \
"  // What is not expected is answered with the last packet that was.\n" \
"  transition repeat {\n" \
"    in {\n" \
"      expecting : <( e )>;\n" \
"      data : <( p )>;\n" \
"      ack_slots : <( slot ((e - 1) % SLOTS) )>;\n" \
"    }\n" \
"    out {\n" \
"      expecting : <( e )>;\n" \
"      data_slots : <( slot (p % SLOTS) )>;\n" \
"      acks : <( e - 1 )>;\n" \
"    }\n" \
"    guard : e > 1 and p != e;\n" \
"  }\n" \
"  transition lose_data {\n" \
"    in { data : <( p )>; }\n" \
"    out { data_slots : <( slot (p % SLOTS) )>; }\n" \
"  }\n" \
"  transition lose_ack {\n" \
"    in { acks : <( p )>; }\n" \
"    out { ack_slots : <( slot (p % SLOTS) )>; }\n" \
"  }\n" \
"\n" \
"  progress : sum (x in sending : x->1) + sum (x in expecting : x->1);\n" \
"  proposition finished : exists (x in sending | x->1 > PACKETS);\n" \
"}\n"

const char tl_coloured_stop_and_wait[] =
"  // Data over a network that loses packets and lets them overtake each\n"
"  // other. The sender may send, and send again, any packet of its window:\n"
"  // the lowest one that is not acknowledged and those that follow it. The\n"
"  // receiver takes packets in order, and answers whatever comes with the\n"
"  // last one taken.\n"
"  //\n"
"  // Packet number p goes through slot p modulo SLOTS, as if numbers on\n"
"  // the wire were cyclic, so an old packet lingers for a round of them at\n"
"  // most.\n"
"  constant int WINDOW := 1;\n"
"  constant int SLOTS := 4;\n"
WINDOWS;

const char tl_coloured_sliding_window[] =
"  // Data over a network that loses packets and lets them overtake each\n"
"  // other. The sender may send, and send again, any packet of its window:\n"
"  // the lowest one that is not acknowledged and those that follow it. The\n"
"  // receiver takes packets in order, and answers whatever comes with the\n"
"  // last one taken.\n"
"  //\n"
"  // Packet number p goes through slot p modulo SLOTS, as if numbers on\n"
"  // the wire were cyclic, so an old packet lingers for a round of them at\n"
"  // most.\n"
"  constant int SLOTS := WINDOW + 1;\n"
WINDOWS;

const char tl_coloured_timed[] =
"  // A protocol with timers over a network that takes its time and loses\n"
"  // packets. The sender starts a timer with each packet and sends the\n"
"  // packet again when the timer has run out before the acknowledgement\n"
"  // came, but not more than TRIES times: then it gives up.\n"
"  //\n"
"  // Time is what never goes back here: a sweep takes it as the measure.\n"
"  constant int TRIES := 3;\n"
"  constant int TIMEOUT := 12;\n"
"  subtype position : nat range 1 .. PACKETS + 1;\n"
"  subtype packet : position range 1 .. PACKETS;\n"
"  subtype try : nat range 1 .. TRIES;\n"
"  subtype delay : nat range 2 .. 5;\n"
"\n"
"  // The packet to be sent now, and the one to be acknowledged with its\n"
"  // tries\n"
"  place ready { dom : packet * try; init : <( 1, 1 )>; }\n"
"  place waiting { dom : packet * try; }\n"
"  place timer { dom : packet * try; timed; }\n"
"  place data { dom : packet; timed; capacity : TRIES; }\n"
"  place acks { dom : packet; timed; capacity : TRIES; }\n"
"  place expecting { dom : position; init : <( 1 )>; }\n"
"  place gave_up { dom : packet; }\n"
"\n"
"  transition send {\n"
"    in { ready : <( p, n )>; }\n"
"    out {\n"
"      waiting : <( p, n )>;\n"
"      timer : <( p, n )> @+ TIMEOUT;\n"
"      data : <( p )> @+ d;\n"
"    }\n"
"    pick { d in delay; }\n"
"  }\n"
"  transition receive {\n"
"    in { data : <( p )>; expecting : <( e )>; }\n"
"    out { expecting : <( p = e ? e + 1 : e )>; acks : <( p )> @+ d; }\n"
"    pick { d in delay; }\n"
"  }\n"
"  transition lose_data {\n"
"    in { data : <( p )>; }\n"
"    out { }\n"
"  }\n"
"  transition confirm {\n"
"    in { acks : <( p )>; waiting : <( p, n )>; }\n"
"    out { ready : if (p < PACKETS) <( p + 1, 1 )>; }\n"
"  }\n"
"  transition lose_ack {\n"
"    in { acks : <( p )>; }\n"
"    out { }\n"
"  }\n"
"  transition time_out {\n"
"    in { timer : <( p, n )>; waiting : <( p, n )>; }\n"
"    out {\n"
"      ready : if (n < TRIES) <( p, n + 1 )>;\n"
"      gave_up : if (n = TRIES) <( p )>;\n"
"    }\n"
"  }\n"
"  // It came in time: the timer means nothing any more.\n"
"  transition stop_timer {\n"
"    in { timer : <( p, n )>; }\n"
"    out { }\n"
"    inhibit { waiting : <( p, n )>; }\n"
"  }\n"
"\n"
"  proposition failed : gave_up'card > 0;\n"
"  proposition all_sent : exists (x in expecting | x->1 > PACKETS);\n"
"}\n";
// clang-format on
