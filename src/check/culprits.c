#include "check/culprits.h"

#include "net/origin.h"

#include <stdlib.h>
#include <string.h>

// What the answers to each kind of question name.
static const struct row {
  tl_question_kind kind;
  tl_verdict verdict;
  bool places;
  const char *what;
} rows[] = {
    {TL_ASK_QUASI_LIVE, TL_VERDICT_FALSE, false, "never enabled"},
    {TL_ASK_LIVE, TL_VERDICT_FALSE, false, "dead from some marking on"},
    {TL_ASK_ONE_SAFE, TL_VERDICT_FALSE, true, "with several tokens there"},
    {TL_ASK_STABLE_MARKING, TL_VERDICT_TRUE, true, "never changed"},
};

static const struct row *row_of (tl_question_kind kind) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].kind == kind)
      return rows + i;
  return 0;
}

size_t tl_culprits_room (const tl_net *net) {
  const uint32_t places = tl_shown_places (net),
                 transitions = tl_shown_transitions (net);
  return places > transitions ? places : transitions;
}

uint8_t *tl_culprits_begin (tl_goals *g) {
  memset (g->culprit, 0, tl_culprits_room (g->net));
  return g->culprit;
}

static void list (const tl_goals *g, const struct row *r, tl_culprits *out) {
  const uint32_t nodes =
      r->places ? tl_shown_places (g->net) : tl_shown_transitions (g->net);
  size_t count = 0;
  for (uint32_t i = 0; i < nodes; i++)
    count += g->culprit[i];
  const char **id = count ? malloc (count * sizeof *id) : 0;
  if (!id)
    return;
  *out = (tl_culprits){.id = id, .places = r->places, .what = r->what};
  for (uint32_t i = 0; i < nodes; i++)
    if (g->culprit[i])
      id[out->count++] = r->places ? tl_shown_place_id (g->net, i)
                                   : tl_shown_transition_id (g->net, i);
}

void tl_culprits_name (tl_goals *g, tl_question_kind kind) {
  const struct row *r = row_of (kind);
  // While questions are asked, only some are there.
  for (size_t i = 0; r && i < g->count && g->asked[i].question; i++) {
    tl_answer *answer = g->asked[i].answer;
    if (g->asked[i].question->kind != kind || answer->verdict != r->verdict)
      continue;
    free (answer->culprits.id);
    answer->culprits = (tl_culprits){0};
    list (g, r, &answer->culprits);
  }
}

void tl_culprits_mark (tl_goals *g, const tl_culprits *named) {
  const tl_net *net = g->net;
  const uint32_t nodes =
      named->places ? tl_shown_places (net) : tl_shown_transitions (net);
  uint8_t *mark = tl_culprits_begin (g);
  size_t next = 0; // they are named in the order of their numbers
  for (uint32_t i = 0; next < named->count && i < nodes; i++) {
    const char *id = named->places ? tl_shown_place_id (net, i)
                                   : tl_shown_transition_id (net, i);
    mark[i] = named->id[next] == id;
    next += mark[i];
  }
}

void tl_culprits_missing (tl_goals *g, const uint8_t *fired) {
  uint8_t *mark = tl_culprits_begin (g);
  for (uint32_t t = 0; t < tl_shown_transitions (g->net); t++) {
    const tl_node_range same = tl_shown_transition (g->net, t);
    mark[t] = !same.count || !fired[same.first];
  }
}

void tl_culprits_gaining (tl_goals *g) {
  uint8_t *mark = tl_culprits_begin (g);
  for (uint32_t p = 0; p < tl_shown_places (g->net); p++) {
    const tl_node_range places = tl_shown_place (g->net, p);
    for (uint32_t i = 0; i < places.count; i++)
      mark[p] |= g->gain[places.first + i] > 0;
  }
}

void tl_culprits_settle (tl_goals *g) {
  if (g->asks_fired) {
    tl_culprits_missing (g, g->fired);
    tl_culprits_name (g, TL_ASK_QUASI_LIVE);
    if (g->returns)
      tl_culprits_name (g, TL_ASK_LIVE);
  }
  if (g->asks_stable) {
    uint8_t *mark = tl_culprits_begin (g);
    for (uint32_t p = 0; p < tl_shown_places (g->net); p++)
      mark[p] = !g->changed[p];
    tl_culprits_name (g, TL_ASK_STABLE_MARKING);
  }
}
