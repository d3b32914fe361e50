#include "net/rule.h"

#include <stdlib.h>
#include <string.h>

uint32_t tl_rule_transitions (const tl_rule *rule, const uint32_t *event,
                              uint32_t events, uint32_t *transition) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < events; i++) {
    const uint32_t t = rule->kind->transition (rule, event[i]);
    if (!n || transition[n - 1] != t)
      transition[n++] = t;
  }
  return n;
}

typedef struct replay {
  tl_rule *rule;
  uint64_t *key, *next; // [words]
  uint64_t *loop;       // the key where a lasso closes, or null
  uint32_t words;
  uint32_t *events; // room for what is enabled
} replay;

// Room for keys of the shape in use; those that are there get longer.
static bool make_room (replay *r) {
  const uint32_t words = r->rule->key_words;
  uint64_t *key = calloc (words, sizeof *key);
  uint64_t *next = calloc (words, sizeof *next);
  uint64_t *loop = r->loop ? calloc (words, sizeof *loop) : 0;
  const bool ok = key && next && (loop || !r->loop);
  if (ok && r->key)
    r->rule->kind->convert (r->rule, r->key, key);
  if (ok && r->loop)
    r->rule->kind->convert (r->rule, r->loop, loop);
  free (r->key);
  free (r->next);
  free (r->loop);
  r->key = key;
  r->next = next;
  r->loop = loop;
  r->words = words;
  return ok;
}

static bool is_enabled (replay *r, uint32_t event) {
  const uint32_t n = r->rule->kind->enabled (r->rule, r->key, r->events);
  for (uint32_t i = 0; i < n; i++)
    if (r->events[i] == event)
      return !r->rule->failed;
  return false;
}

// Fires an event that is enabled.
static bool step (replay *r, uint32_t event) {
  tl_rule *rule = r->rule;
  while (!rule->kind->steps (rule, r->key, &event, 1, r->next))
    if (rule->failed || rule->kind->widen (rule) || !make_room (r))
      return false;
  memcpy (r->key, r->next, r->words * sizeof *r->key);
  return true;
}

static bool run (replay *r, const tl_trace *trace) {
  if (!make_room (r) || r->rule->kind->initial (r->rule, r->key))
    return false;
  for (uint64_t i = 0; i < trace->length; i++) {
    if (trace->loop && i == trace->loop_from) {
      if (!(r->loop = calloc (r->words, sizeof *r->loop)))
        return false;
      memcpy (r->loop, r->key, r->words * sizeof *r->key);
    }
    if (!is_enabled (r, trace->transition[i]) ||
        !step (r, trace->transition[i]))
      return false;
  }
  return !trace->loop ||
         (r->loop && !memcmp (r->loop, r->key, r->words * sizeof *r->key));
}

static bool open_replay (replay *r, tl_rule *rule, tl_mem *mem) {
  *r = (replay){.rule = rule,
                .events = calloc (rule->most_enabled, sizeof *r->events)};
  rule->watched = true;
  return !rule->kind->begin (rule, TL_KEYS_NUMBERS, mem, mem) && r->events;
}

static void close_replay (replay *r) {
  r->rule->kind->end (r->rule);
  free (r->key);
  free (r->next);
  free (r->loop);
  free (r->events);
}

bool tl_rule_replay (tl_rule *rule, const tl_trace *trace, uint64_t *seen) {
  tl_mem mem = TL_MEM (0, "replay");
  replay r;
  const bool right = open_replay (&r, rule, &mem) && run (&r, trace);
  if (right)
    rule->kind->observe (rule, r.key, seen);
  close_replay (&r);
  return right;
}

// One more event, told by its number in the list of those enabled.
static bool step_to (replay *r, uint32_t *number) {
  const uint32_t n = r->rule->kind->enabled (r->rule, r->key, r->events);
  if (*number >= n || r->rule->failed)
    return false;
  *number = r->events[*number];
  return step (r, *number);
}

bool tl_rule_events (tl_rule *rule, uint32_t *list, uint64_t length) {
  tl_mem mem = TL_MEM (0, "replay");
  replay r;
  bool right = open_replay (&r, rule, &mem) && make_room (&r) &&
               !rule->kind->initial (rule, r.key);
  for (uint64_t i = 0; right && i < length; i++)
    right = step_to (&r, list + i);
  close_replay (&r);
  return right;
}
