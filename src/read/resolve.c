#include "read/resolve.h"

#include "base/error.h"
#include "colour/coloured.h"
#include "net/folded.h"
#include "net/titles.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// Ids that differ by more than this are not alike, longer ones not compared.
#define FARTHEST 2
#define LONGEST 100

// Is it a coloured place with a value in parentheses that it could hold?
static bool is_colour (const tl_coloured *net, const char *id, uint32_t *of) {
  const size_t length = strlen (id);
  for (uint32_t p = 0; p < net->places; p++) {
    const tl_cplace *place = net->place + p;
    const size_t start = strlen (place->id);
    if (!place->parts || length < start + 3 || strncmp (place->id, id, start) ||
        id[start] != '(' || id[length - 1] != ')')
      continue;
    const char *value = id + start + 1;
    uint32_t parts = 0;
    for (size_t n; parts < place->parts; value += n + 1, parts++) {
      n = strcspn (value, ",)");
      if (!tl_value_is (place->part[parts], value, n) ||
          (value[n] == ')') != (parts + 1 == place->parts))
        break;
    }
    *of = p;
    if (parts == place->parts && value == id + length)
      return true;
  }
  return false;
}

// One that is never held: then the net has no place for that.
static bool is_never_held (const tl_origin *o, const char *id,
                           tl_node_range *range) {
  uint32_t place;
  if (!is_colour (o->coloured, id, &place))
    return false;
  *range = (tl_node_range){o->place_first[place], 0};
  return true;
}

bool tl_resolve_id (const tl_net *net, tl_named kind, const char *id,
                    tl_node_range *range) {
  const bool place = kind == TL_NAMED_PLACE;
  const tl_origin *o = net->origin;
  const uint32_t coloured =
      !o ? TL_NO_NAME
         : tl_names_find (place ? &o->place_ids : &o->transition_ids, id);
  if (coloured != TL_NO_NAME) {
    *range = place ? tl_shown_place (net, coloured)
                   : tl_shown_transition (net, coloured);
    return true;
  }
  range->first =
      tl_names_find (place ? &net->place_ids : &net->transition_ids, id);
  range->count = 1;
  return range->first != TL_NO_NAME ||
         (place && o && o->coloured && is_never_held (o, id, range));
}

bool tl_resolve (const tl_net *net, tl_named kind, const char *text,
                 tl_node_range *range) {
  const bool place = kind == TL_NAMED_PLACE;
  if (tl_resolve_id (net, kind, text, range))
    return true;
  const uint32_t node = tl_title_find (net, place, text);
  if (node < TL_SEVERAL_NAMED)
    *range =
        place ? tl_shown_place (net, node) : tl_shown_transition (net, node);
  return node < TL_SEVERAL_NAMED;
}

static unsigned least (unsigned a, unsigned b) {
  return a < b ? a : b;
}

// Letters to change, add or leave out to get from one text to the other
// (Levenshtein); that one letter is small and the other large does not count.
static unsigned distance (const char *left, const char *right) {
  const size_t l = strlen (left), r = strlen (right);
  if (l > LONGEST || r > LONGEST || l > r + FARTHEST || r > l + FARTHEST)
    return FARTHEST + 1;
  unsigned row[LONGEST + 1]; // of the table of distances of all beginnings
  for (size_t j = 0; j <= r; j++)
    row[j] = (unsigned)j;
  for (size_t i = 0; i < l; i++) {
    unsigned diagonal = row[0]++;
    for (size_t j = 0; j < r; j++) {
      const bool same =
          tolower ((unsigned char)left[i]) == tolower ((unsigned char)right[j]);
      const unsigned change = diagonal + !same;
      diagonal = row[j + 1];
      row[j + 1] = least (change, least (diagonal, row[j]) + 1);
    }
  }
  return row[r];
}

const char *tl_nearest (const char *const *ids, uint32_t count,
                        const char *id) {
  const char *best = 0;
  unsigned least_distance = FARTHEST + 1;
  for (uint32_t i = 0; i < count; i++) {
    const unsigned d = distance (id, ids[i]);
    // A short name of which nothing is left is not alike.
    if (d < least_distance && d < strlen (id)) {
      least_distance = d;
      best = ids[i];
    }
  }
  return best;
}

void tl_resolve_explain (const tl_net *net, tl_named kind, const char *id,
                         char *out, size_t size) {
  static const char *const words[] = {"place", "transition"};
  const bool place = kind == TL_NAMED_PLACE;
  char shown[120];
  tl_printable (shown, sizeof shown, id, strlen (id));
  tl_node_range other;
  if (tl_resolve (net, place ? TL_NAMED_TRANSITION : TL_NAMED_PLACE, id,
                  &other)) {
    snprintf (out, size, "'%s' is a %s, not a %s", shown, words[!kind],
              words[kind]);
    return;
  }
  uint32_t of;
  if (place && net->folded && is_colour (net->folded->coloured, id, &of)) {
    snprintf (out, size,
              "'%s' is not counted by itself where the net is not unfolded, "
              "only all of '%s' is",
              shown, net->folded->coloured->place[of].id);
    return;
  }
  if (tl_title_find (net, place, id) == TL_SEVERAL_NAMED) {
    snprintf (out, size, "several %ss have the name '%s'; take an id",
              words[kind], shown);
    return;
  }
  const tl_origin *o = net->origin;
  const char *near =
      place ? tl_nearest (net->place_id, net->places, id)
            : tl_nearest (net->transition_id, net->transitions, id);
  const char *coloured =
      !o      ? 0
      : place ? tl_nearest (o->place_id, o->places, id)
              : tl_nearest (o->transition_id, o->transitions, id);
  if (coloured)
    near = coloured;
  if (near)
    snprintf (out, size, "unknown %s '%s'; did you mean '%s'?", words[kind],
              shown, near);
  else
    snprintf (out, size, "unknown %s '%s'", words[kind], shown);
}
