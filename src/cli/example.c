#include "cli/cli.h"

#include <string.h>

static const char *family_name_at (size_t i) {
  size_t count;
  const tl_family *families = tl_example_families (&count);
  return i < count ? families[i].name : 0;
}

static bool is_family (const char *name) {
  const char *known = "";
  for (size_t i = 0; known && strcmp (known, name); i++)
    known = family_name_at (i);
  return known;
}

static int unknown_family (const char *name) {
  const char *like = nearest (name, family_name_at);
  if (like)
    return usage_error ("there is no example '%s'; did you mean '%s'?", name,
                        like);
  return usage_error ("there is no example '%s'; tideline help example lists "
                      "them",
                      name);
}

#define MOST_SIZES 8

int run_example (const options *o) {
  const char *family = o->operands.item[0];
  if (!is_family (family))
    return unknown_family (family);
  uint64_t sizes[MOST_SIZES];
  const size_t count = o->operands.count - 1;
  if (count > MOST_SIZES)
    return usage_error ("example %s: too many sizes", family);
  for (size_t i = 0; i < count; i++)
    if (!parse_count (o->operands.item[i + 1], &sizes[i]))
      return usage_error ("example %s: '%s' is not a size", family,
                          o->operands.item[i + 1]);
  const char *format = choose_format (o, "pnml");
  if (!format)
    return EXIT_USAGE;
  tl_net *net = 0;
  tl_error err = {0};
  int code = 0;
  if (tl_net_example (&net, family, count, sizes, &err) ||
      tl_net_save (net, o->output ? o->output : "-", format, &err))
    code = library_error (&err);
  tl_net_close (net);
  return code;
}
