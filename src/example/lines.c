// Nets whose numbers of states and arcs have a formula at every size.

#include "example/maker.h"

// M processes of K steps each that know nothing of each other:
// (K+1)^M states, M K (K+1)^(M-1) arcs.
void tl_example_chains (tl_maker *m, const uint32_t *sizes) {
  const uint32_t processes = sizes[0], steps = sizes[1];
  for (uint32_t i = 1; i <= processes && !m->status; i++) {
    uint32_t here = tl_maker_place (m, 1, "at_%u_0", i);
    for (uint32_t k = 1; k <= steps && !m->status; k++) {
      const uint32_t t = tl_maker_transition (m, "step_%u_%u", i, k);
      TL_TAKE (m, t, here);
      here = tl_maker_place (m, 0, "at_%u_%u", i, k);
      TL_GIVE (m, t, here);
    }
  }
}

// K tokens that drift through N places one after the other:
// C(N+K-1, K) states, (N-1) C(N+K-2, K-1) arcs.
void tl_example_pipe (tl_maker *m, const uint32_t *sizes) {
  const uint32_t tokens = sizes[0], places = sizes[1];
  uint32_t here = tl_maker_place (m, tokens, "place_1");
  for (uint32_t i = 2; i <= places && !m->status; i++) {
    const uint32_t t = tl_maker_transition (m, "move_%u", i - 1);
    TL_TAKE (m, t, here);
    here = tl_maker_place (m, 0, "place_%u", i);
    TL_GIVE (m, t, here);
  }
}
