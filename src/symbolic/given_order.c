#include "symbolic/given_order.h"

#include "base/error.h"
#include "base/input.h"
#include "net/origin.h"

#include <string.h>

enum { MOST_LETTERS = 4096 }; // of an id

typedef struct reading {
  const tl_variables *v;
  const char *path;
  uint64_t line;
  char word[MOST_LETTERS];
  size_t letters;
  bool comment;
  uint8_t *seen;   // [variables]
  uint32_t *order; // from the top
  uint32_t count;
  tl_error *error;
} reading;

static void add (reading *r, uint32_t place) {
  const uint32_t variable = r->v->of[place];
  if (variable == TL_NO_NAME || r->seen[variable])
    return;
  r->seen[variable] = 1;
  r->order[r->count++] = variable;
}

static tl_status end_word (reading *r) {
  const tl_net *net = r->v->net;
  if (!r->letters)
    return TL_OK;
  r->word[r->letters] = 0;
  r->letters = 0;
  const uint32_t place = tl_names_find (&net->place_ids, r->word);
  const uint32_t coloured =
      net->origin ? tl_names_find (&net->origin->place_ids, r->word)
                  : TL_NO_NAME;
  if (place != TL_NO_NAME)
    add (r, place);
  else if (coloured != TL_NO_NAME) {
    const tl_node_range same = tl_shown_place (net, coloured);
    for (uint32_t i = 0; i < same.count; i++)
      add (r, same.first + i);
  } else
    return tl_fail (r->error, TL_E_MODEL, "%s:%llu: there is no place '%.100s'",
                    r->path, (unsigned long long)r->line, r->word);
  return TL_OK;
}

static tl_status take (reading *r, char c) {
  tl_status rc = TL_OK;
  if (strchr (" \t\r\n#", c))
    rc = end_word (r);
  else if (!r->comment && r->letters + 1 < MOST_LETTERS)
    r->word[r->letters++] = c;
  r->comment = c != '\n' && (r->comment || c == '#');
  r->line += c == '\n';
  return rc;
}

static tl_status read_all (reading *r, tl_mem *mem) {
  tl_input in;
  tl_status rc = tl_input_open (&in, mem, r->path, r->error);
  if (rc == TL_E_IO)
    rc = TL_E_MODEL; // it is not there: no fault of the machine
  while (!rc && !(rc = tl_input_next (&in, r->error)) && in.length)
    for (size_t i = 0; !rc && i < in.length; i++)
      rc = take (r, (char)in.block[i]);
  tl_input_close (&in);
  return rc ? rc : end_word (r);
}

tl_status tl_given_order (tl_mem *mem, const tl_variables *v, const char *path,
                          uint32_t *order, tl_error *error) {
  reading *r;
  if (!TL_NEW (mem, r, 1))
    return TL_E_NOMEM;
  *r = (reading){
      .v = v, .path = path, .line = 1, .order = order, .error = error};
  tl_status rc = TL_NEW (mem, r->seen, v->count + 1) ? TL_OK : TL_E_NOMEM;
  if (!rc)
    rc = read_all (r, mem);
  for (uint32_t p = 0; !rc && p < v->net->places; p++)
    add (r, p);
  for (uint32_t i = 0; !rc && i < v->count / 2; i++) { // from the lowest on
    const uint32_t swap = order[i];
    order[i] = order[v->count - 1 - i];
    order[v->count - 1 - i] = swap;
  }
  TL_DEL (mem, r->seen, v->count + 1);
  TL_DEL (mem, r, 1);
  return rc;
}
