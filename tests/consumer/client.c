/* A program that uses nothing but what is installed. */
#include <tideline.h>

#include <stdio.h>

/* A net of its own: two tokens that can be moved have three markings. */
static int build (void) {
  tl_net_builder *b = 0;
  tl_net *net = 0;
  tl_error err;
  tl_exploration found;
  if (tl_net_builder_open (&b, "mine", &err) ||
      tl_net_builder_place (b, "from", 0, 2, &err) ||
      tl_net_builder_place (b, "to", 0, 0, &err) ||
      tl_net_builder_transition (b, "move", 0, &err) ||
      tl_net_builder_arc (b, TL_ARC_PRE, "from", "move", 1, &err) ||
      tl_net_builder_arc (b, TL_ARC_POST, "to", "move", 1, &err) ||
      tl_net_builder_finish (b, &net, &err) ||
      tl_explore (net, 0, &found, &err)) {
    fprintf (stderr, "%s\n", err.text);
    return 1;
  }
  const int wrong = found.states != 3;
  tl_exploration_close (&found);
  tl_net_close (net);
  return wrong;
}

int main (void) {
  const uint64_t size = 5;
  if (build ())
    return 1;
  tl_net *net = 0;
  tl_error err;
  tl_exploration found;
  const tl_options how = tl_options_default ();
  if (tl_net_example (&net, "philosophers", 1, &size, &err) ||
      tl_explore (net, &how, &found, &err)) {
    fprintf (stderr, "%s\n", err.text);
    return 1;
  }
  printf ("%lu states\n", (unsigned long)found.states);
  tl_exploration_close (&found);
  tl_net_close (net);
  return 0;
}
