#include "reduce/draft.h"

#include <assert.h>
#include <string.h>

// ---- Opening ---------------------------------------------------------------

static tl_status copy_row (tl_draft *d, tl_arcs from, tl_row *row) {
  row->count = from.count;
  if (!TL_ARENA_NEW (&d->arena, row->arc, from.count))
    return TL_E_NOMEM;
  if (from.count)
    memcpy (row->arc, from.arc, from.count * sizeof *from.arc);
  return TL_OK;
}

static tl_status add_user (tl_draft *d, uint32_t place, uint32_t transition) {
  tl_users *u = d->users + place;
  if (u->count && u->transition[u->count - 1] == transition)
    return TL_OK;
  if (!TL_ROOM (d->mem, u->transition, &u->room, u->count + 1))
    return TL_E_NOMEM;
  u->transition[u->count++] = transition;
  return TL_OK;
}

static tl_status add_users (tl_draft *d, uint32_t t) {
  const tl_drafted *x = d->transition + t;
  const tl_row row[] = {x->pre, x->post, x->inhibitor};
  tl_status rc = TL_OK;
  for (size_t k = 0; k < sizeof row / sizeof *row; k++)
    for (uint32_t i = 0; !rc && i < row[k].count; i++)
      rc = add_user (d, row[k].arc[i].place, t);
  return rc;
}

static tl_status copy_transition (tl_draft *d, uint32_t t) {
  tl_drafted *x = d->transition + t;
  tl_status rc = copy_row (d, tl_net_pre (d->net, t), &x->pre);
  if (!rc)
    rc = copy_row (d, tl_net_post (d->net, t), &x->post);
  if (!rc)
    rc = copy_row (d, tl_net_inhibitors (d->net, t), &x->inhibitor);
  x->word = t;
  d->word[t] = (tl_sequence){.first = t, .second = TL_NO_WORD, .length = 1};
  return rc ? rc : add_users (d, t);
}

tl_status tl_draft_open (tl_draft *d, tl_mem *mem, const tl_net *net,
                         const uint64_t *bound, const uint8_t *up,
                         const uint8_t *down) {
  *d = (tl_draft){.mem = mem,
                  .arena = TL_ARENA (mem),
                  .net = net,
                  .bound = bound,
                  .up = up,
                  .down = down,
                  .places = net->places};
  if (!TL_NEW (mem, d->initial, d->places) ||
      !TL_NEW (mem, d->place_gone, d->places) ||
      !TL_NEW (mem, d->users, d->places) ||
      !TL_ROOM (mem, d->transition, &d->transition_room, net->transitions) ||
      !TL_ROOM (mem, d->word, &d->word_room, net->transitions))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < d->places; p++)
    d->initial[p] = net->initial[p];
  d->transitions = net->transitions;
  d->words = net->transitions;
  tl_status rc = TL_OK;
  for (uint32_t t = 0; !rc && t < net->transitions; t++)
    rc = copy_transition (d, t);
  return rc;
}

void tl_draft_close (tl_draft *d) {
  if (!d->mem)
    return;
  for (uint32_t p = 0; d->users && p < d->places; p++)
    TL_DEL (d->mem, d->users[p].transition, d->users[p].room);
  TL_DEL (d->mem, d->users, d->places);
  TL_DEL (d->mem, d->initial, d->places);
  TL_DEL (d->mem, d->place_gone, d->places);
  TL_DEL (d->mem, d->transition, d->transition_room);
  TL_DEL (d->mem, d->word, d->word_room);
  TL_DEL (d->mem, d->prelude, d->prelude_room);
  tl_arena_close (&d->arena);
  d->mem = 0;
}

// ---- Looking ---------------------------------------------------------------

// Where the arc to the place is, or would be.
static uint32_t find (tl_row row, uint32_t place) {
  uint32_t low = 0, high = row.count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (row.arc[middle].place < place)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t tl_row_weight (tl_row row, uint32_t place) {
  const uint32_t at = find (row, place);
  return at < row.count && row.arc[at].place == place ? row.arc[at].weight : 0;
}

int64_t tl_draft_change (const tl_draft *d, uint32_t t, uint32_t place) {
  const tl_drafted *x = d->transition + t;
  return (int64_t)tl_row_weight (x->post, place) -
         tl_row_weight (x->pre, place);
}

const tl_users *tl_draft_users (tl_draft *d, uint32_t place) {
  tl_users *u = d->users + place;
  size_t kept = 0;
  for (size_t i = 0; i < u->count; i++)
    if (!d->transition[u->transition[i]].gone)
      u->transition[kept++] = u->transition[i];
  u->count = kept;
  return u;
}

bool tl_draft_inhibits (tl_draft *d, uint32_t place) {
  const tl_users *u = tl_draft_users (d, place);
  for (size_t i = 0; i < u->count; i++)
    if (tl_row_weight (d->transition[u->transition[i]].inhibitor, place))
      return true;
  return false;
}

// ---- Leaving out -----------------------------------------------------------

static void drop_arc (tl_row *row, uint32_t place) {
  const uint32_t at = find (*row, place);
  if (at == row->count || row->arc[at].place != place)
    return;
  row->count--;
  memmove (row->arc + at, row->arc + at + 1,
           (row->count - at) * sizeof *row->arc);
}

void tl_draft_drop_place (tl_draft *d, uint32_t place) {
  const tl_users *u = tl_draft_users (d, place);
  for (size_t i = 0; i < u->count; i++) {
    tl_drafted *x = d->transition + u->transition[i];
    drop_arc (&x->pre, place);
    drop_arc (&x->post, place);
    drop_arc (&x->inhibitor, place);
  }
  TL_DEL (d->mem, d->users[place].transition, d->users[place].room);
  d->users[place] = (tl_users){0};
  d->place_gone[place] = 1;
}

void tl_draft_drop_transition (tl_draft *d, uint32_t transition) {
  d->transition[transition].gone = true;
}

// ---- Putting together ------------------------------------------------------

static bool times (uint32_t weight, uint32_t count, uint64_t *sum) {
  *sum += (uint64_t)weight * count;
  return *sum <= TL_MAX_TOKENS;
}

// Arcs of two rows, each some times, but for those to one place.
static tl_status join_rows (tl_draft *d, const tl_row row[2],
                            const uint32_t count[2], uint32_t but,
                            tl_row *out) {
  uint32_t at[2] = {0, 0};
  *out = (tl_row){0};
  if (!TL_ARENA_NEW (&d->arena, out->arc, row[0].count + row[1].count))
    return TL_E_NOMEM;
  while (at[0] < row[0].count || at[1] < row[1].count) {
    uint32_t place = UINT32_MAX;
    uint64_t weight = 0;
    for (int k = 0; k < 2; k++)
      if (at[k] < row[k].count && row[k].arc[at[k]].place < place)
        place = row[k].arc[at[k]].place;
    for (int k = 0; k < 2; k++)
      if (at[k] < row[k].count && row[k].arc[at[k]].place == place &&
          !times (row[k].arc[at[k]++].weight, count[k], &weight))
        return TL_E_LIMIT;
    if (place != but && weight)
      out->arc[out->count++] = (tl_arc){place, (uint32_t)weight};
  }
  return TL_OK;
}

static tl_status pair_words (tl_draft *d, const tl_pairing *p, uint32_t *word) {
  tl_sequence w = {.first = d->transition[p->first].word,
                   .second = d->transition[p->second].word,
                   .first_times = p->first_times,
                   .second_times = p->second_times};
  w.length = d->word[w.first].length * w.first_times +
             d->word[w.second].length * w.second_times;
  if (w.length > TL_WORD_MOST || d->words >= TL_NO_WORD)
    return TL_E_LIMIT;
  if (!TL_ROOM (d->mem, d->word, &d->word_room, d->words + 1))
    return TL_E_NOMEM;
  *word = (uint32_t)d->words++;
  d->word[*word] = w;
  return TL_OK;
}

tl_status tl_draft_pair (tl_draft *d, const tl_pairing *p) {
  if (!TL_ROOM (d->mem, d->transition, &d->transition_room,
                (size_t)d->transitions + 1))
    return TL_E_NOMEM;
  const tl_drafted *f = d->transition + p->first,
                   *h = d->transition + p->second;
  const uint32_t count[] = {p->first_times, p->second_times}, once[] = {1, 1};
  tl_drafted x = {0};
  tl_status rc =
      join_rows (d, (tl_row[]){f->pre, h->pre}, count, p->through, &x.pre);
  if (!rc)
    rc =
        join_rows (d, (tl_row[]){f->post, h->post}, count, p->through, &x.post);
  assert (!f->inhibitor.count || !h->inhibitor.count);
  if (!rc)
    rc = join_rows (d, (tl_row[]){f->inhibitor, h->inhibitor}, once, UINT32_MAX,
                    &x.inhibitor);
  if (!rc)
    rc = pair_words (d, p, &x.word);
  if (rc)
    return rc;
  d->transition[d->transitions] = x;
  return add_users (d, d->transitions++);
}

tl_status tl_draft_begin (tl_draft *d, uint32_t transition, uint32_t count) {
  const tl_drafted *x = d->transition + transition;
  const uint64_t length = d->word[x->word].length * count;
  assert (x->pre.count == 1);
  for (uint32_t i = 0; i < x->post.count; i++) {
    uint64_t sum = d->initial[x->post.arc[i].place];
    if (!times (x->post.arc[i].weight, count, &sum))
      return TL_E_LIMIT;
  }
  if (length > TL_WORD_MOST)
    return TL_E_LIMIT;
  if (!TL_ROOM (d->mem, d->prelude, &d->prelude_room, d->preludes + 1))
    return TL_E_NOMEM;
  d->prelude[d->preludes++] = (tl_sequence){.first = x->word,
                                            .second = TL_NO_WORD,
                                            .first_times = count,
                                            .length = length};
  d->initial[x->pre.arc[0].place] -= (uint64_t)x->pre.arc[0].weight * count;
  for (uint32_t i = 0; i < x->post.count; i++)
    d->initial[x->post.arc[i].place] += (uint64_t)x->post.arc[i].weight * count;
  return TL_OK;
}
