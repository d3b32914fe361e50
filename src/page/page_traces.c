#include "page/page.h"

#include <inttypes.h>
#include <jansson.h>

// ---- The transitions -------------------------------------------------------

static void write_fired (FILE *f, const tl_net *net, const tl_trace *trace) {
  putc ('[', f);
  for (uint64_t i = 0; i < trace->length; i++)
    fprintf (f, "%s%" PRIu32, i ? "," : "",
             tl_shown_number (net, trace->transition[i]));
  putc (']', f);
}

static void write_trace (FILE *f, const tl_net *net, const tl_page_trace *t) {
  fputs ("{\"key\":", f);
  tl_page_string (f, t->key);
  fprintf (f, ",\"number\":%zu,\"fired\":", t->number);
  write_fired (f, net, t->trace);
  putc ('}', f);
}

// ---- The places ------------------------------------------------------------

// Tokens that were met, by their ids: those of the initial marking, and of a
// coloured net the places that they lie on.  Of others a token is called as its
// place.
typedef struct tokens {
  json_t *initial, *places;
  bool coloured;
} tokens;

static bool meet (tokens *all, const tl_marked *m, size_t count) {
  bool ok = true;
  for (size_t i = 0; ok && all->coloured && i < count; i++)
    ok = json_object_get (all->places, m[i].id) ||
         !json_object_set_new_nocheck (all->places, m[i].id,
                                       json_integer (m[i].place));
  return ok;
}

static bool begin (tokens *all, const tl_marked *m, size_t count) {
  bool ok = meet (all, m, count);
  for (size_t i = 0; ok && i < count; i++)
    ok = !json_object_set_new_nocheck (all->initial, m[i].id,
                                       json_integer ((json_int_t)m[i].tokens));
  return ok;
}

// A trace that cannot be played shows no tokens.
static bool follow (tokens *all, const tl_net *net, const tl_trace *trace) {
  tl_playback *p;
  const tl_marked *m;
  const tl_status rc = tl_playback_open (&p, net, trace, 0);
  if (rc)
    return rc != TL_E_NOMEM;
  size_t count = tl_playback_marking (p, &m);
  bool ok = trace->length ? meet (all, m, count) : begin (all, m, count);
  while (ok && !tl_playback_step (p, 0)) {
    count = tl_playback_changes (p, &m);
    ok = meet (all, m, count);
  }
  tl_playback_close (p);
  return ok;
}

static bool write_object (FILE *f, const char *key, const json_t *object) {
  char *text = json_dumps (object, JSON_COMPACT);
  fprintf (f, ",\"%s\":", key);
  if (text)
    tl_page_json (f, text);
  tl_text_close (text);
  return text;
}

static bool write_tokens (FILE *f, const tl_net *net, const tl_page_trace *t,
                          size_t count) {
  const tl_trace none = {.length = 0};
  tokens all = {json_object (), json_object (), tl_net_is_coloured (net)};
  bool ok = all.initial && all.places && follow (&all, net, &none);
  for (size_t i = 0; ok && all.coloured && i < count; i++)
    ok = follow (&all, net, t[i].trace);
  ok = ok && write_object (f, "initial", all.initial) &&
       write_object (f, "tokens", all.places);
  json_decref (all.initial);
  json_decref (all.places);
  return ok;
}

bool tl_page_traces (FILE *f, const tl_net *net, const tl_page_trace *t,
                     size_t count) {
  fputs (",\"traces\":[", f);
  for (size_t i = 0; i < count; i++) {
    fputs (i ? "," : "", f);
    write_trace (f, net, t + i);
  }
  putc (']', f);
  return write_tokens (f, net, t, count);
}
