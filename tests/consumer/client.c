/* A program that uses nothing but what is installed. */
#include <tideline.h>

#include <stdio.h>

int main (void) {
  const uint64_t size = 5;
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
