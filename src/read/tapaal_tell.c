// Telling nets of TAPAAL from other PNML by the tags at the beginning: it has
// elements of its own, and the marking of a place is an attribute.

#include "read/formats.h"

#include <string.h>

typedef struct text {
  const char *at, *end;
} text;

static bool begins (text t, const char *with) {
  const size_t length = strlen (with);
  return (size_t)(t.end - t.at) >= length && !memcmp (t.at, with, length);
}

static bool is_blank (char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Leaves t behind what comes next in it; at the end if it does not come.
static void skip_past (text *t, const char *what) {
  const size_t length = strlen (what);
  const char *found = memmem (t->at, (size_t)(t->end - t->at), what, length);
  t->at = found ? found + length : t->end;
}

// Leaves t behind the next start tag, whose inside is told; false: there is
// none that ends.
static bool next_tag (text *t, text *tag) {
  for (;;) {
    skip_past (t, "<");
    if (t->at == t->end)
      return false;
    if (begins (*t, "!--"))
      skip_past (t, "-->");
    else if (begins (*t, "![CDATA["))
      skip_past (t, "]]>");
    else if (!begins (*t, "!") && !begins (*t, "?") && !begins (*t, "/"))
      break;
  }
  char quote = 0;
  for (tag->at = t->at; t->at < t->end; t->at++)
    if (quote)
      quote = *t->at == quote ? 0 : quote;
    else if (*t->at == '"' || *t->at == '\'')
      quote = *t->at;
    else if (*t->at == '>')
      break;
  tag->end = t->at;
  return t->at < t->end;
}

static bool is_element (text tag, const char *name) {
  for (const char *c = tag.at; c < tag.end && !is_blank (*c) && *c != '/'; c++)
    if (*c == ':')
      tag.at = c + 1;
  const size_t length = strlen (name);
  return begins (tag, name) &&
         (tag.at + length == tag.end || is_blank (tag.at[length]) ||
          tag.at[length] == '/');
}

static bool has_attribute (text tag, const char *name) {
  char quote = 0, before = 0;
  for (; tag.at < tag.end; before = *tag.at++) {
    if (quote)
      quote = *tag.at == quote ? 0 : quote;
    else if (*tag.at == '"' || *tag.at == '\'')
      quote = *tag.at;
    else if (is_blank (before) && begins (tag, name)) {
      text rest = {tag.at + strlen (name), tag.end};
      while (rest.at < rest.end && is_blank (*rest.at))
        rest.at++;
      if (begins (rest, "="))
        return true;
    }
  }
  return false;
}

bool tl_is_tapaal (const tl_input *in) {
  static const char *const own[] = {
      "shared-place", "shared-transition", "inputArc", "outputArc",
      "transportArc", "inhibitorArc",      "k-bound"};
  const char *block = (const char *)in->block;
  text t = {block, block + in->length}, tag;
  if (!tl_is_pnml (in))
    return false;
  while (next_tag (&t, &tag)) {
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
      if (is_element (tag, own[i]))
        return true;
    if (is_element (tag, "place") && has_attribute (tag, "initialMarking"))
      return true;
  }
  return false;
}
