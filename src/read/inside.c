#include "read/inside.h"

#include "base/error.h"
#include "read/read.h"

#include <string.h>

// ---- Writing ---------------------------------------------------------------

static size_t word_bytes (const char *word) {
  return strlen (word) + 1;
}

static char *add (char *at, const void *bytes, size_t length) {
  memcpy (at, bytes, length);
  return at + length;
}

static size_t bytes_needed (const char *format, const tl_settings *settings,
                            const tl_input *in) {
  size_t bytes = word_bytes (format) + 1 + in->kept_length;
  for (size_t i = 0; settings && i < settings->count; i++)
    bytes += word_bytes (settings->name[i]) + 1 +
             (settings->value[i] ? word_bytes (settings->value[i]) : 0);
  return bytes;
}

tl_status tl_inside_keep (tl_net *net, const char *format,
                          const tl_settings *settings, const tl_input *in) {
  const size_t length = bytes_needed (format, settings, in);
  char *text;
  if (!in->kept)
    return TL_OK;
  if (!TL_ARENA_NEW (&net->arena, text, length))
    return TL_E_NOMEM;
  char *at = add (text, format, word_bytes (format));
  for (size_t i = 0; settings && i < settings->count; i++) {
    at = add (at, settings->name[i], word_bytes (settings->name[i]));
    if (settings->value[i]) {
      *at++ = '=';
      at = add (at, settings->value[i], word_bytes (settings->value[i]));
    } else
      *at++ = 0;
  }
  *at++ = 0;
  add (at, in->kept, in->kept_length);
  net->inside = text;
  net->inside_length = length;
  return TL_OK;
}

bool tl_inside_section (const tl_net *net, tl_section *section) {
  *section = (tl_section){TL_SECTION_COLOURED, net->inside, net->inside_length};
  return net->inside;
}

// ---- Reading ---------------------------------------------------------------

typedef struct words {
  const char *at, *end;
} words;

// The next word; null: the section ends before it does.
static const char *next_word (words *w) {
  const char *word = w->at;
  const char *zero = memchr (word, 0, (size_t)(w->end - word));
  if (!zero)
    return 0;
  w->at = zero + 1;
  return word;
}

// Reads names and values up to the empty word; with null lists only counts.
static bool read_settings (words *w, const char **name, const char **value,
                           size_t *count) {
  *count = 0;
  for (;;) {
    const char *one = next_word (w);
    if (!one || !*one)
      return one;
    const char *its = next_word (w);
    if (!its || (*its && *its != '='))
      return false;
    if (name) {
      name[*count] = one;
      value[*count] = *its ? its + 1 : 0;
    }
    ++*count;
  }
}

static tl_status damaged (const char *path, tl_error *err) {
  return tl_fail_at (err, TL_E_SYNTAX, path, 0, 0, "the net in it is damaged");
}

static tl_status read_coloured (tl_net **net, tl_mem *mem, const char *path,
                                words w, tl_error *err) {
  const char *format = next_word (&w);
  const char **name, **value = 0;
  words text = w;
  size_t count;
  if (!format || !read_settings (&text, 0, 0, &count))
    return damaged (path, err);
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, name, count + 1) && TL_NEW (mem, value, count + 1)) {
    read_settings (&w, name, value, &count);
    const tl_settings settings = {
        .name = name, .value = value, .count = count, .no_unfold = true};
    tl_input in;
    tl_input_open_memory (&in, path, text.at, (size_t)(text.end - text.at));
    rc = tl_read_net_as (net, mem, &in, format, &settings, err);
    tl_input_close (&in);
  } else
    tl_fail (err, rc, "no memory for the net");
  TL_DEL (mem, name, count + 1);
  TL_DEL (mem, value, count + 1);
  if (!rc && !(*net)->folded) {
    tl_net_close (*net);
    *net = 0;
    rc = damaged (path, err);
  }
  return rc;
}

tl_status tl_read_net_section (tl_net **net, tl_mem *mem, const char *path,
                               const tl_section *section, tl_error *err) {
  const char *text = section->bytes;
  *net = 0;
  if (strcmp (section->name, TL_SECTION_COLOURED))
    return tl_read_net_text (net, mem, path, text, section->length, err);
  return read_coloured (net, mem, path, (words){text, text + section->length},
                        err);
}
