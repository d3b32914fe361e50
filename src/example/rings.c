// Processes in a ring, each of which speaks to the next (process 1 follows
// the last).

#include "example/maker.h"

// Mutual exclusion by a token that goes round.  The process that has it
// enters its critical section if it wants to; else, or on leaving, it passes
// the token on.
void tl_example_token_ring (tl_maker *m, const uint32_t *sizes) {
  const uint32_t n = sizes[0];
  const uint32_t idle = tl_maker_row (m, "idle", n, 1);
  const uint32_t wanting = tl_maker_row (m, "wanting", n, 0);
  const uint32_t critical = tl_maker_row (m, "critical", n, 0);
  const uint32_t token = tl_maker_row (m, "token", n, 0);
  if (!m->status)
    tl_builder_set_initial (m->builder, token, 1);
  for (uint32_t i = 0; i < n && !m->status; i++) {
    const uint32_t next = token + (i + 1) % n;
    const uint32_t request = tl_maker_transition (m, "request_%u", i + 1);
    TL_TAKE (m, request, idle + i);
    TL_GIVE (m, request, wanting + i);
    const uint32_t enter = tl_maker_transition (m, "enter_%u", i + 1);
    TL_TAKE (m, enter, wanting + i, token + i);
    TL_GIVE (m, enter, critical + i);
    const uint32_t leave = tl_maker_transition (m, "leave_%u", i + 1);
    TL_TAKE (m, leave, critical + i);
    TL_GIVE (m, leave, idle + i, next);
    const uint32_t pass = tl_maker_transition (m, "pass_%u", i + 1);
    TL_TAKE (m, pass, idle + i, token + i);
    TL_GIVE (m, pass, idle + i, next);
  }
}

// Election of a leader after Chang and Roberts: a candidate sends its number
// round the ring.  Who gets a smaller number than its own keeps it from going
// further (and becomes a candidate if it was idle); who gets a larger one
// loses and passes it on; whose own number comes back has won.
//
// The numbers rise round the ring, so every process stops the number of the
// one before it and only the largest ever travels: process i can get the
// numbers i-1 and N, no others, only N wins, and N never loses.
typedef struct election {
  tl_maker *m;
  uint32_t n;
  uint32_t idle, candidate, loser, leader, elected;
  uint32_t from_before, from_last; // messages, by who gets them
} election;

// The place in which the number of process y waits for process x.
static uint32_t message (const election *e, uint32_t x, uint32_t y) {
  return y == e->n - 1 ? e->from_last + x : e->from_before + x - 1;
}

// Process x gets the number y, changes its state and sends on the number
// `sends`; none when that is n.
static void get (const election *e, const char *name, uint32_t x, uint32_t y,
                 uint32_t from, uint32_t to, uint32_t sends) {
  const uint32_t t = tl_maker_transition (e->m, "%s_%u_%u", name, x + 1, y + 1);
  TL_TAKE (e->m, t, from, message (e, x, y));
  TL_GIVE (e->m, t, to);
  if (sends < e->n)
    TL_GIVE (e->m, t, message (e, (x + 1) % e->n, sends));
}

static void join_election (const election *e, uint32_t x) {
  const uint32_t last = e->n - 1, nothing = e->n;
  const uint32_t idle = e->idle + x, candidate = e->candidate + x;
  const uint32_t stand = tl_maker_transition (e->m, "stand_%u", x + 1);
  TL_TAKE (e->m, stand, idle);
  TL_GIVE (e->m, stand, candidate, message (e, (x + 1) % e->n, x));
  if (x) {
    const uint32_t after = x < last ? e->loser + x : e->leader;
    get (e, "join", x, x - 1, idle, candidate, x);
    get (e, "absorb", x, x - 1, candidate, candidate, nothing);
    get (e, "absorb_late", x, x - 1, after, after, nothing);
  }
  if (x < last) {
    get (e, "yield", x, last, idle, e->loser + x, last);
    get (e, "give_up", x, last, candidate, e->loser + x, last);
  }
}

void tl_example_leader (tl_maker *m, const uint32_t *sizes) {
  election e = {.m = m, .n = sizes[0]};
  e.idle = tl_maker_row (m, "idle", e.n, 1);
  e.candidate = tl_maker_row (m, "candidate", e.n, 0);
  e.loser = tl_maker_row (m, "loser", e.n - 1, 0);
  e.leader = tl_maker_place (m, 0, "leader_%u", e.n);
  e.from_last = tl_maker_row (m, "largest_number_at", e.n, 0);
  e.from_before = m->places;
  for (uint32_t x = 1; x < e.n && !m->status; x++)
    tl_maker_place (m, 0, "number_%u_at_%u", x, x + 1);
  e.elected = tl_maker_place (m, 0, "elected");
  for (uint32_t x = 0; x < e.n && !m->status; x++)
    join_election (&e, x);
  const uint32_t win = tl_maker_transition (m, "win");
  TL_TAKE (m, win, e.candidate + e.n - 1, message (&e, e.n - 1, e.n - 1));
  TL_GIVE (m, win, e.leader, e.elected);
}
