#include "read/write.h"
#include "base/error.h"
#include "base/output.h"
#include "read/read.h"
#include "read/text.h"

#include <string.h>

typedef tl_status writer (const tl_net *, tl_mem *, FILE *, tl_error *);

static writer *find_writer (const char *format) {
  static const struct {
    const char *format;
    writer *write;
  } writers[] = {{"pnml", tl_write_pnml},
                 {"lola", tl_write_lola},
                 {"tina", tl_write_tina},
                 {"dot", tl_write_dot}};
  for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
    if (!strcmp (writers[i].format, format))
      return writers[i].write;
  return 0;
}

// The readers give only such ids; a net may come from elsewhere.
static tl_status check_ids (const char *const *ids, uint32_t count,
                            tl_error *err) {
  for (uint32_t i = 0; i < count; i++) {
    const size_t length = strlen (ids[i]);
    const char *problem = tl_text_id (ids[i], length);
    if (!problem && !tl_text_is_utf8 (ids[i], length))
      problem = "is not UTF-8";
    if (problem)
      return tl_fail (err, TL_E_MODEL, "the id '%.80s' %s", ids[i], problem);
  }
  return TL_OK;
}

tl_status tl_write_net (const tl_net *net, tl_mem *mem, FILE *file,
                        const char *format, tl_error *err) {
  writer *write = find_writer (format);
  if (!write)
    return tl_fail (err, TL_E_ARG,
                    "nets are written as pnml, lola, tina or dot, not as "
                    "'%.40s'",
                    format);
  tl_status status = check_ids (net->place_id, net->places, err);
  if (!status)
    status = check_ids (net->transition_id, net->transitions, err);
  return status ? status : write (net, mem, file, err);
}

tl_status tl_net_save (const tl_net *net, const char *path, const char *format,
                       tl_error *err) {
  const tl_settings settings = tl_settings_default ();
  return tl_net_save_with (net, path, format, &settings, err);
}

tl_status tl_net_save_with (const tl_net *net, const char *path,
                            const char *format, const tl_settings *given,
                            tl_error *err) {
  tl_settings within;
  if (!net || !path || !format || !given)
    return tl_fail (err, TL_E_ARG,
                    "tl_net_save needs a net, a path and a format");
  tl_output out;
  tl_status status = tl_settings_take (&within, given, err);
  if (!status)
    status = tl_net_want_arcs (net, "writing a net", err);
  if (!status)
    status = tl_output_open (&out, path, err);
  if (status)
    return status;
  const tl_budget budget = tl_budget_of (within.timeout, within.cancel);
  tl_mem mem = TL_MEM (0, "writing");
  mem.budget = &budget;
  status = tl_write_net (net, &mem, out.file, format, err);
  status = tl_budget_end (status, &mem, tl_output_name (&out),
                          "writing the net", err);
  return tl_output_close (&out, status, err);
}
