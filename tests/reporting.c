#include "reporting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

tl_net *open_net (void) {
  tl_net *net;
  assert_int_equal (
      tl_net_example (&net, "philosophers", 1, (uint64_t[]){1}, 0), TL_OK);
  return net;
}

char *explored (const tl_exploration *x, tl_form form) {
  tl_net *net = open_net ();
  char *text = tl_exploration_report (net, x, form);
  assert_non_null (text);
  tl_net_close (net);
  return text;
}

void has (const char *text, const char *part) {
  if (!strstr (text, part))
    fail_msg ("'%s' is not in\n%s", part, text);
}

void has_not (const char *text, const char *part) {
  if (strstr (text, part))
    fail_msg ("'%s' is in\n%s", part, text);
}
