#include "read/read.h"
#include "base/budget.h"
#include "base/container.h"
#include "base/error.h"
#include "base/sized.h"
#include "colour/unfold.h"
#include "lna/lna.h"
#include "compile/compiled.h"
#include "read/formats.h"
#include "read/inside.h"
#include "read/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct format {
  const char *name;
  const char *endings[3];
  bool has_parameters;
  bool (*is) (const tl_input *);
  tl_status (*read) (tl_reading *);
} format;

static tl_status read_lna (tl_reading *r) {
  return tl_read_lna (&r->coloured, r->mem, r->in, r->settings, r->err);
}

static const format formats[] = {
    {"tapaal", {".tapn"}, false, tl_is_tapaal, tl_read_tapaal},
    {"pnml", {".pnml", ".xml"}, false, tl_is_pnml, tl_read_pnml},
    {"lola", {".lola", ".llnet"}, false, tl_is_lola, tl_read_lola},
    {"tina", {".net"}, false, tl_is_tina, tl_read_tina},
    {"greatspn", {0}, false, tl_is_greatspn, tl_read_greatspn},
    {"lna", {".lna"}, true, tl_is_lna, read_lna},
};

// A coloured net that is unfolded may become so large.
#define MOST_PLACES 1000000
#define MOST_TRANSITIONS 2000000
#define MOST_ARCS 20000000
#define MOST_SECONDS 30

// Bytes that have no name.
#define IN_MEMORY "<memory>"

#define FORMATS (sizeof formats / sizeof *formats)

static bool is_ending (const char *known, const char *ending, size_t length) {
  return strlen (known) == length && !strncasecmp (known, ending, length);
}

static bool has_ending (const format *f, const char *ending, size_t length) {
  for (const char *const *e = f->endings; *e; e++)
    if (is_ending (*e, ending, length))
      return true;
  return false;
}

static const char *base_name (const char *path) {
  const char *slash = strrchr (path, '/');
  return slash ? slash + 1 : path;
}

// The ending of a file's name, but for one that tells that it is packed.
static const char *ending (const char *base, size_t *length) {
  const char *packed = tl_inflate_ending (base),
             *end = packed ? packed : base + strlen (base);
  const char *dot = end;
  while (dot > base && dot[-1] != '.')
    dot--;
  dot = dot > base + 1 ? dot - 1 : end; // a name is not all ending
  *length = (size_t)(end - dot);
  return dot;
}

// Formats of other tools that are known by their names only.
static const char *const others[][2] = {
    {".gal", "a model of ITS-Tools in its language GAL"},
    {".cpn", "a net of CPN Tools"},
    {".cpnet", "a net of CPN Tools"},
    {".pml", "a Promela model of Spin"},
    {".def", "the second file of a net of GreatSPN, beside its .net"},
    {".gspn", "a net of GreatSPN"},
    {".pnpro", "a project of GreatSPN"},
    {".smv", "a model of NuSMV"},
    {".tla", "a specification in TLA+"},
    {".aut", "a graph, not a net"},
    {".ndr", "a drawing of TINA: its ndrio makes a .net of it"}};

// Some look like PNML: they are told before the content is looked at.
static const char *other_format (const char *ending, size_t length) {
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (is_ending (others[i][0], ending, length))
      return others[i][1];
  return 0;
}

static const format *tell_format (const tl_input *in, tl_error *err) {
  if (!in->length) {
    tl_fail_at (err, TL_E_SYNTAX, in->name, 1, 0, "the file is empty");
    return 0;
  }
  if (tl_container_begins (in->block, in->length)) {
    tl_fail_at (err, TL_E_SYNTAX, in->name, 0, 0,
                "this is a condensed graph, which has to be a file: it is "
                "used where it lies");
    return 0;
  }
  size_t length;
  const char *end = ending (base_name (in->name), &length);
  const char *other = other_format (end, length);
  if (other) {
    tl_fail_at (err, TL_E_SYNTAX, in->name, 1, 0,
                "by its name this is %s, which is not read; tideline reads "
                "PNML, LoLA, TINA, TAPAAL, GreatSPN and Helena nets",
                other);
    return 0;
  }
  for (const format *f = formats; f < formats + FORMATS; f++)
    if (f->is (in))
      return f;
  for (const format *f = formats; f < formats + FORMATS; f++)
    if (has_ending (f, end, length))
      return f;
  tl_fail_at (err, TL_E_SYNTAX, in->name, 1, 0,
              "this is neither a PNML nor a LoLA nor a TINA nor a TAPAAL nor a "
              "GreatSPN nor a Helena net");
  return 0;
}

static const format *find_format (const tl_input *in, const char *name,
                                  tl_error *err) {
  for (const format *f = formats; f < formats + FORMATS; f++)
    if (!strcmp (f->name, name))
      return f;
  tl_fail_at (err, TL_E_SYNTAX, in->name, 0, 0, "the net in it is damaged");
  return 0;
}

// The file's name as text that every format can hold.
static const char *name_of_file (tl_reading *reading) {
  const char *base = base_name (reading->in->name);
  size_t tail;
  const size_t length = (size_t)(ending (base, &tail) - base);
  char *name;
  if (!TL_ARENA_NEW (&reading->arena, name, 2 * length + 1))
    return 0;
  if (tl_text_is_utf8 (base, length))
    memcpy (name, base, length);
  else
    tl_text_from_latin1 (name, base, length);
  tl_text_one_line (name);
  return name;
}

static const char *name_net (tl_reading *reading) {
  const char *file = reading->in->name;
  const bool standard = !strcmp (file, "<stdin>"),
             memory = !strcmp (file, IN_MEMORY);
  if (reading->name &&
      (standard || memory || !strncasecmp (base_name (file), "model.pnml", 10)))
    return reading->name;
  return standard ? "stdin" : memory ? "net" : name_of_file (reading);
}

// What a file holds: one of the two.
typedef struct model {
  tl_net *net;
  tl_coloured *coloured;
} model;

static tl_status finish_origin (tl_reading *reading, model *m) {
  const tl_status status = tl_kept_origin_finish (&reading->origin, m->net);
  if (!status)
    return TL_OK;
  tl_net_close (m->net);
  m->net = 0;
  return status == TL_E_NOMEM
             ? tl_fail (reading->err, status, "no memory for the net")
             : tl_fail_at (reading->err, status, reading->in->name, 0, 0,
                           "what the net was unfolded from does not fit it");
}

static tl_status finish_net (tl_reading *reading, const format *f,
                             const char *name, model *m) {
  tl_error why = {.code = TL_OK};
  const tl_status status =
      tl_builder_finish (reading->builder, name, f->name, &m->net, &why);
  reading->builder = 0;
  if (status == TL_E_LIMIT) // of what the file says, not of what we were told
    return tl_fail_at (reading->err, TL_E_SYNTAX, reading->in->name, 0, 0, "%s",
                       why.text);
  if (status)
    return tl_fail (reading->err, status, "%s", why.text);
  if (reading->title) // without memory there is none
    m->net->title =
        tl_arena_text (&m->net->arena, reading->title, strlen (reading->title));
  return reading->origin.there ? finish_origin (reading, m) : TL_OK;
}

static tl_status finish (tl_reading *reading, const format *f, model *m) {
  const char *name = name_net (reading);
  tl_coloured *coloured = reading->coloured;
  if (coloured && name)
    coloured->name = name =
        tl_arena_text (&coloured->arena, name, strlen (name));
  if (!name)
    return tl_fail (reading->err, TL_E_NOMEM, "no memory for the net");
  if (!coloured)
    return finish_net (reading, f, name, m);
  m->coloured = coloured;
  reading->coloured = 0;
  return TL_OK;
}

static tl_status no_parameter (const char *path, const tl_settings *settings,
                               tl_error *err) {
  return tl_fail_at (err, TL_E_ARG, path, 0, 0, "the net has no parameter '%s'",
                     settings->name[0]);
}

// Texts of coloured nets are kept, in case that it is not unfolded.  PNML
// says in its first lines what it has.
static bool is_kept (const format *f, const tl_input *in) {
  static const char symmetric[] = "symmetricnet";
  return f->has_parameters ||
         (!strcmp (f->name, "pnml") &&
          memmem (in->block, in->length, symmetric, sizeof symmetric - 1));
}

// `told`: the format, or null.
static tl_status read_input (model *m, tl_mem *mem, tl_input *in,
                             const char *told, const tl_settings *settings,
                             tl_error *err) {
  *m = (model){0};
  tl_status status = tl_input_next (in, err);
  if (status)
    return status;
  const format *f = told ? find_format (in, told, err) : tell_format (in, err);
  if (!f)
    return TL_E_SYNTAX;
  if (is_kept (f, in) && (status = tl_input_keep (in, mem, err)))
    return status;
  if (settings && settings->count && !f->has_parameters)
    return no_parameter (in->name, settings, err);
  tl_reading reading = {.mem = mem,
                        .in = in,
                        .settings = settings,
                        .err = err,
                        .arena = TL_ARENA (mem),
                        .origin = {.mem = mem}};
  if (tl_builder_open (&reading.builder, mem))
    return tl_fail (err, TL_E_NOMEM, "no memory for the net");
  status = f->read (&reading);
  if (!status)
    status = finish (&reading, f, m);
  if (reading.builder)
    tl_builder_close (reading.builder);
  tl_coloured_close (reading.coloured);
  tl_kept_origin_close (&reading.origin);
  tl_arena_close (&reading.arena);
  return status;
}

static bool is_wanted (const tl_settings *settings) {
  return settings && settings->unfold;
}

// Where it cannot be unfolded, or becomes too large for us, the time or the
// memory, it is not unfolded.  Half of the time is left for that.
static tl_status try_to_unfold (tl_net **net, tl_coloured *coloured,
                                tl_mem *mem, const tl_settings *settings,
                                tl_error *err) {
  const tl_unfold_limits limits = {
      .places = MOST_PLACES,
      .transitions = MOST_TRANSITIONS,
      .arcs = MOST_ARCS,
      .seconds = tl_budget_left (mem, 2 * MOST_SECONDS) / 2};
  return is_wanted (settings)
             ? tl_unfold (coloured, &(tl_unfold_limits){0}, mem, net, err)
         : settings && settings->no_unfold
             ? TL_E_MODEL
             : tl_unfold (coloured, &limits, mem, net, err);
}

// Takes the coloured net.
static tl_status unfold (tl_net **net, tl_coloured *coloured, tl_mem *mem,
                         const tl_settings *settings, tl_error *err) {
  tl_status status = try_to_unfold (net, coloured, mem, settings, err);
  if (!status) {
    (*net)->origin->close = tl_coloured_close;
    return TL_OK;
  }
  const char *const path = coloured->path;
  char name[sizeof err->file];
  snprintf (name, sizeof name, "%s", path);
  if (tl_budget_look (mem) || (status == TL_E_NOMEM && !mem->limit)) {
    tl_coloured_close (coloured);
    return tl_budget_end (status, mem, name, "unfolding the net", err);
  }
  if (is_wanted (settings)) {
    tl_coloured_close (coloured);
    return status;
  }
  coloured->every_place = settings && settings->every_place;
  status = tl_folded_open (net, mem, coloured,
                           settings ? settings->compile : TL_COMPILE_AUTO, err);
  return tl_budget_end (status, mem, name, "finding the initial marking", err);
}

// A net that is not unfolded remembers what it was read from.
static tl_status keep_text (tl_net *net, const tl_input *in,
                            const tl_settings *settings) {
  return net->folded ? tl_inside_keep (net, net->format, settings, in) : TL_OK;
}

tl_status tl_read_net_as (tl_net **net, tl_mem *mem, tl_input *in,
                          const char *told, const tl_settings *settings,
                          tl_error *err) {
  model m;
  tl_status status = read_input (&m, mem, in, told, settings, err);
  *net = m.net;
  if (status || m.net)
    return tl_budget_end (status, mem, in->name, "reading the net", err);
  status = unfold (net, m.coloured, mem, settings, err);
  if (status || !keep_text (*net, in, settings))
    return status;
  tl_net_close (*net);
  *net = 0;
  return tl_fail (err, TL_E_NOMEM, "no memory for the net");
}

static tl_status read_net (tl_net **net, tl_mem *mem, tl_input *in,
                           const tl_settings *settings, tl_error *err) {
  return tl_read_net_as (net, mem, in, 0, settings, err);
}

static tl_status read_coloured (tl_coloured **net, tl_mem *mem, tl_input *in,
                                const tl_settings *settings, tl_error *err) {
  model m;
  const tl_status status = read_input (&m, mem, in, 0, settings, err);
  *net = m.coloured;
  if (!m.net)
    return status;
  tl_net_close (m.net);
  return tl_fail (err, TL_E_ARG, "the net is not coloured");
}

// The net inside a file of another kind.
static tl_status read_inside (tl_net **net, tl_mem *mem, const char *path,
                              tl_error *err) {
  tl_container file;
  tl_status status = tl_container_open (&file, path, err);
  if (status)
    return status;
  tl_section text = {.name = tl_container_net (&file)};
  status = tl_container_find (&file, &text, err);
  if (!status)
    status = tl_read_net_section (net, mem, path, &text, err);
  tl_container_close (&file);
  return status;
}

tl_status tl_read_net (tl_net **net, tl_mem *mem, const char *path,
                       const tl_settings *settings, tl_error *err) {
  *net = 0;
  if (tl_container_is (path))
    return settings && settings->count ? no_parameter (path, settings, err)
                                       : read_inside (net, mem, path, err);
  tl_input in;
  tl_status status = tl_input_open (&in, mem, path, err);
  if (!status)
    status = read_net (net, mem, &in, settings, err);
  tl_input_close (&in);
  return status;
}

tl_status tl_read_net_text (tl_net **net, tl_mem *mem, const char *path,
                            const char *bytes, size_t length, tl_error *err) {
  *net = 0;
  tl_input in;
  tl_input_open_memory (&in, path, bytes, length);
  const tl_status status = read_net (net, mem, &in, 0, err);
  tl_input_close (&in);
  return status;
}

tl_status tl_read_coloured (tl_coloured **net, tl_mem *mem, const char *path,
                            const tl_settings *settings, tl_error *err) {
  *net = 0;
  tl_input in;
  tl_status status = tl_input_open (&in, mem, path, err);
  if (!status)
    status = read_coloured (net, mem, &in, settings, err);
  tl_input_close (&in);
  return status;
}

tl_status tl_read_coloured_text (tl_coloured **net, tl_mem *mem,
                                 const char *path, const char *bytes,
                                 size_t length, tl_error *err) {
  *net = 0;
  tl_input in;
  tl_input_open_memory (&in, path, bytes, length);
  const tl_status status = read_coloured (net, mem, &in, 0, err);
  tl_input_close (&in);
  return status;
}

tl_status tl_settings_take (tl_settings *whole, const tl_settings *given,
                            tl_error *err) {
  if (!TL_TAKE (whole, given))
    return tl_fail (err, TL_E_ARG,
                    "the settings have no size: they begin as "
                    "tl_settings_default gives them");
  if (whole->count && (!whole->name || !whole->value))
    return tl_fail (err, TL_E_ARG, "the settings lack names or values");
  for (size_t i = 0; i < whole->count; i++)
    if (!whole->name[i])
      return tl_fail (err, TL_E_ARG, "a setting has no name");
  if (!isfinite (whole->timeout) || whole->timeout < 0)
    return tl_fail (err, TL_E_ARG, "the time limit is not a time");
  if (whole->compile < TL_COMPILE_AUTO || whole->compile > TL_COMPILE_NEVER)
    return tl_fail (err, TL_E_ARG, "nets are not compiled in this way");
  return TL_OK;
}

tl_status tl_net_open (tl_net **net, const char *path, tl_error *err) {
  return tl_net_open_with (net, path, 0, err);
}

// What a net is read from: a file, or bytes that are called like one.
typedef struct source {
  const char *path;
  const void *bytes; // null: it is a file
  size_t length;
} source;

static tl_status read_bytes (tl_net **net, tl_mem *mem, const source *from,
                             const tl_settings *settings, tl_error *err) {
  tl_input in;
  tl_status status = tl_input_open_bytes (&in, mem, from->path, from->bytes,
                                          from->length, err);
  if (!status)
    status = read_net (net, mem, &in, settings, err);
  tl_input_close (&in);
  return status;
}

static tl_status read_source (tl_net **net, const source *from,
                              const tl_settings *given, tl_error *err) {
  *net = 0;
  tl_settings said;
  if (given && tl_settings_take (&said, given, err))
    return TL_E_ARG;
  // The account lives as long as the net, and is not charged to itself.
  tl_mem *mem = malloc (sizeof *mem);
  if (!mem)
    return tl_fail (err, TL_E_NOMEM, "no memory for the net");
  *mem = TL_MEM (0, "net");
  // The budgets are those of reading only.
  const tl_budget budget =
      given ? tl_budget_of (said.timeout, said.cancel) : (tl_budget){0};
  const tl_settings *settings = given ? &said : 0;
  mem->budget = &budget;
  mem->limit = given && said.memory ? said.memory : tl_mem_default ();
  const tl_status status =
      from->bytes ? read_bytes (net, mem, from, settings, err)
                  : tl_read_net (net, mem, from->path, settings, err);
  mem->budget = 0;
  mem->limit = 0;
  if (status)
    free (mem);
  else
    (*net)->owns_account = true;
  return status;
}

tl_status tl_net_open_with (tl_net **net, const char *path,
                            const tl_settings *given, tl_error *err) {
  if (!net || !path)
    return tl_fail (err, TL_E_ARG, "tl_net_open needs a net and a path");
  return read_source (net, &(source){.path = path}, given, err);
}

tl_status tl_net_read (tl_net **net, const void *bytes, size_t length,
                       const char *name, const tl_settings *given,
                       tl_error *err) {
  if (!net || (!bytes && length))
    return tl_fail (err, TL_E_ARG, "tl_net_read needs a net and bytes");
  const source from = {name ? name : IN_MEMORY, bytes ? bytes : "", length};
  return read_source (net, &from, given, err);
}
