// The token game: what is enabled, firing and taking back, on random nets.

#include "../random_net.h"

#include "base/random.h"
#include "net/marking.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NETS = 300, STEPS = 12 };

// The marking that the game shows, place by place.
static void shown (tl_game *g, uint32_t places, uint64_t *marking) {
  const tl_marked *m;
  const size_t n = tl_playback_marking (tl_game_playback (g), &m);
  memset (marking, 0, places * sizeof *marking);
  for (size_t i = 0; i < n; i++) {
    assert_true (m[i].place < places && m[i].tokens && !marking[m[i].place]);
    marking[m[i].place] = m[i].tokens;
  }
}

// The choices are what the definition says is enabled.
static size_t compare_choices (tl_game *g, const tl_net *net,
                               const uint64_t *marking,
                               const tl_choice **list) {
  size_t n, seen = 0;
  assert_int_equal (tl_playback_choices (tl_game_playback (g), list, &n, 0),
                    TL_OK);
  for (uint32_t t = 0; t < tl_net_transitions (net); t++)
    if (tl_marking_enables (net, marking, t)) {
      size_t which;
      assert_true (seen < n && (*list)[seen].transition == t);
      assert_int_equal (
          tl_game_find (g, tl_net_transition_id (net, t), &which, 0), TL_OK);
      assert_int_equal (which, seen);
      seen++;
    } else {
      size_t which;
      assert_int_equal (tl_game_fire (g, &(tl_choice){.transition = t}, 0),
                        TL_E_ARG);
      assert_int_equal (
          tl_game_find (g, tl_net_transition_id (net, t), &which, 0), TL_E_ARG);
    }
  assert_int_equal (n, seen);
  return n;
}

static void play (const tl_net *net, tl_random *random) {
  const uint32_t places = tl_net_places (net);
  uint64_t (*at)[RANDOM_PLACES] = calloc (STEPS + 1, sizeof *at);
  uint64_t now[RANDOM_PLACES] = {0};
  tl_game *g;
  const tl_choice *list;
  assert_int_equal (tl_game_open (&g, net, 0), TL_OK);
  tl_marking_initial (net, at[0]);
  uint64_t done = 0;
  for (size_t n; done < STEPS; done++) {
    shown (g, places, now);
    assert_memory_equal (now, at[done], sizeof now);
    if (!(n = compare_choices (g, net, now, &list)))
      break;
    const uint32_t t = list[tl_random_below (random, n)].transition;
    memcpy (at[done + 1], now, sizeof now);
    tl_marking_fire (net, at[done + 1], t);
    assert_int_equal (tl_game_fire (g, &(tl_choice){.transition = t}, 0),
                      TL_OK);
  }
  assert_int_equal (tl_game_trace (g)->length, done);
  assert_true (tl_trace_replay (net, tl_game_trace (g)));
  assert_int_equal (tl_game_back (g, done + 1, 0), TL_E_ARG);
  while (done) {
    done = tl_random_below (random, done);
    assert_int_equal (tl_game_back (g, done, 0), TL_OK);
    assert_int_equal (tl_game_trace (g)->length, done);
    shown (g, places, now);
    assert_memory_equal (now, at[done], sizeof now);
    compare_choices (g, net, now, &list);
  }
  tl_game_close (g);
  free (at);
}

static void random_nets (void **state) {
  (void)state;
  random_net *sketch = malloc (sizeof *sketch);
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    tl_random random = {seed};
    tl_mem mem = TL_MEM (0, "net");
    random_net_make (sketch, seed);
    tl_net *net = random_net_build (sketch, &mem);
    play (net, &random);
    tl_net_close (net);
  }
  free (sketch);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (random_nets)};
  return cmocka_run_group_tests (tests, 0, 0);
}
