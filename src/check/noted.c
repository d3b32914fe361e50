#include "check/noted.h"

#include "explore/search.h"

#include <string.h>

// Words: for each place and colour how many tokens there are, and which.
typedef struct telling {
  char *to;         // null: they are measured or compared
  const char *from; // null: they are not compared
  size_t at, end;   // of those that are compared
} telling;

static tl_status tell (void *context, uint32_t place, const char *id,
                       uint64_t tokens) {
  telling *t = context;
  const size_t size = strlen (id) + 1, next = t->at + sizeof tokens + size;
  (void)place;
  if (t->to) {
    memcpy (t->to + t->at, &tokens, sizeof tokens);
    memcpy (t->to + t->at + sizeof tokens, id, size);
  }
  if (t->from &&
      (next > t->end || memcmp (t->from + t->at, &tokens, sizeof tokens) ||
       memcmp (t->from + t->at + sizeof tokens, id, size)))
    return TL_E_LIMIT;
  t->at = next;
  return TL_OK;
}

static tl_status tell_all (const tl_visit *v, telling *t) {
  tl_generator *g = v->search->generator;
  return g->kind->marking (g, v->layout, v->state, tell, t);
}

static tl_status note_words (tl_noted *t, tl_mem *mem, const tl_visit *v) {
  telling size = {0};
  tl_status rc = tell_all (v, &size);
  if (rc)
    return rc;
  // One byte at least, since an empty marking has words, too.
  if (!TL_NEW (mem, t->words, size.at + 1))
    return TL_E_NOMEM;
  t->length = size.at;
  return tell_all (v, &(telling){.to = t->words});
}

tl_status tl_noted_make (tl_noted *t, tl_mem *mem, const tl_visit *v) {
  const tl_net *net = v->search->net;
  tl_noted_close (t, mem, net);
  if (!TL_NEW (mem, t->seen, net->places))
    return TL_E_NOMEM;
  tl_layout_unpack (v->layout, v->state, t->seen);
  return tl_net_has_arcs (net) ? TL_OK : note_words (t, mem, v);
}

bool tl_noted_is_at (const tl_noted *t, const tl_net *net, const tl_visit *v) {
  for (uint32_t p = 0; p < net->places; p++)
    if (tl_layout_tokens (v->layout, v->state, p) != t->seen[p])
      return false;
  telling compared = {.from = t->words, .end = t->length};
  return !t->words || (!tell_all (v, &compared) && compared.at == compared.end);
}

void tl_noted_close (tl_noted *t, tl_mem *mem, const tl_net *net) {
  TL_DEL (mem, t->seen, net->places);
  if (t->words)
    TL_DEL (mem, t->words, t->length + 1);
  *t = (tl_noted){0};
}
