#include "cli/cli.h"
#include "cli/quantities.h"

#include <string.h>

static const char *family_name_at (const void *context, size_t i) {
  (void)context;
  size_t count;
  const tl_family *families = tl_example_families (&count);
  return i < count ? families[i].name : 0;
}

static const tl_family *find_family (const char *name) {
  size_t count;
  const tl_family *families = tl_example_families (&count);
  for (size_t i = 0; i < count; i++)
    if (!strcmp (families[i].name, name))
      return families + i;
  return 0;
}

static int unknown_family (const char *name) {
  const char *like = nearest (name, family_name_at, 0);
  if (like)
    return usage_error ("there is no example '%s'; did you mean '%s'?", name,
                        like);
  return usage_error ("there is no example '%s'; tideline help example lists "
                      "them",
                      name);
}

#define MOST_SIZES 8

// A file for each format, as far as the family is there in it.
static int write_example (const options *o, const tl_family *family,
                          const char *format, size_t count,
                          const uint64_t *sizes) {
  const char *path = o->output ? o->output : "-";
  const int unwritable = check_outputs (o);
  if (unwritable)
    return unwritable;
  const bool coloured = !strcmp (format, "lna");
  if (coloured && !family->coloured)
    return usage_error ("example %s: it is not there as a coloured net, so "
                        "not as lna",
                        family->name);
  if (!coloured && !family->plain)
    return usage_error ("example %s: it is a coloured net, which is written "
                        "as lna, not as %s",
                        family->name, format);
  tl_error err = {0};
  if (coloured) {
    char *text;
    return tl_example_coloured (&text, family->name, count, sizes, &err)
               ? library_error (&err)
               : save_text (text, path);
  }
  tl_net *net = 0;
  int code = 0;
  if (tl_net_example (&net, family->name, count, sizes, &err) ||
      tl_net_save (net, path, format, &err))
    code = library_error (&err);
  tl_net_close (net);
  return code;
}

int run_example (const options *o) {
  const char *name = o->operands.item[0];
  const tl_family *family = find_family (name);
  if (!family)
    return unknown_family (name);
  uint64_t sizes[MOST_SIZES];
  const size_t count = o->operands.count - 1;
  if (count > MOST_SIZES)
    return usage_error ("example %s: too many sizes", name);
  for (size_t i = 0; i < count; i++)
    if (!parse_count (o->operands.item[i + 1], &sizes[i]))
      return usage_error ("example %s: '%s' is not a size", name,
                          o->operands.item[i + 1]);
  const char *format = choose_format (o, family->plain ? "pnml" : "lna");
  return format ? write_example (o, family, format, count, sizes) : EXIT_USAGE;
}
