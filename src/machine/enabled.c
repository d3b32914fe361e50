#include "base/error.h"
#include "machine/parts.h"

#include <stdlib.h>
#include <string.h>

// What is enabled in a state.

// The lists that are remembered may take this many bytes at most; then all of
// them are forgotten.
#define MOST_LIST_BYTES ((size_t)1 << 28)

static bool lists_are_full (const tl_machine *m) {
  const size_t each = 3 * sizeof (uint32_t); // besides its words, about
  return m->lists.words * sizeof (uint32_t) + m->lists.count * each >
         tl_machine_most (m, MOST_LIST_BYTES);
}

tl_status tl_machine_found (void *context, uint32_t transition,
                            tl_cell *frame) {
  tl_machine *m = context;
  uint32_t event;
  const tl_status rc = tl_machine_event (m, transition, frame, &event);
  if (rc || event == TL_NO_EVENT)
    return rc;
  if (!TL_ROOM (m->mem, m->found, &m->found_room, m->founds + 1))
    return TL_E_NOMEM;
  m->found[m->founds++] = event;
  return TL_OK;
}

// By the binding: numbers depend on what was met before, and a graph that was
// saved must meet its arcs again in the order in which it was built.
int tl_machine_compare (const tl_intern *t, uint32_t x, uint32_t y) {
  const uint32_t *left = tl_intern_list (t, x), *right = tl_intern_list (t, y);
  const size_t length = tl_intern_length (t, x);
  for (size_t i = 0; i < length; i++)
    if (left[i] != right[i])
      return (tl_cell)left[i] < (tl_cell)right[i] ? -1 : 1;
  return 0;
}

static int compare (const void *a, const void *b, void *events) {
  return tl_machine_compare (events, *(const uint32_t *)a,
                             *(const uint32_t *)b);
}

// Sorts events of one transition; of equal ones one remains.
static size_t sort (const tl_machine *m, uint32_t *list, size_t count) {
  if (count > 1)
    qsort_r (list, count, sizeof *list, compare, (void *)(uintptr_t)&m->event);
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (!n || list[n - 1] != list[i])
      list[n++] = list[i];
  return n;
}

void tl_machine_forget (tl_machine *m) {
  tl_intern_close (&m->lists);
  tl_machine_forget_moves (m);
  for (uint32_t t = 0; m->watch && t < m->transitions; t++)
    tl_memo_clear (&m->watch[t].memo);
}

// Looks for the bindings of a transition in the state at hand.
static tl_status search (tl_machine *m, uint32_t transition, uint32_t *list) {
  const struct tl_watch *w = m->watch + transition;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < w->places; i++)
    rc = tl_machine_show (m, w->place[i]);
  m->founds = 0;
  if (!rc)
    rc = tl_machine_find (m, transition);
  if (rc)
    return rc;
  m->founds = sort (m, m->found, m->founds);
  if (lists_are_full (m))
    tl_machine_forget (m);
  return tl_intern_put (&m->lists, m->found, m->founds, list);
}

// The number of the list of events of a transition.
static tl_status list_of (tl_machine *m, uint32_t transition, uint32_t *list) {
  struct tl_watch *w = m->watch + transition;
  if (!w->memo.entry && tl_memo_open (m, &w->memo, w->sections))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < w->sections; i++)
    m->around[i] = m->now[w->section[i]];
  uint32_t *entry = tl_memo_at (&w->memo, m->around);
  if (entry[w->sections] &&
      !memcmp (entry, m->around, w->sections * sizeof *entry)) {
    *list = entry[w->sections] - 1;
    return TL_OK;
  }
  const tl_status rc = search (m, transition, list);
  if (rc)
    return rc;
  memcpy (entry, m->around, w->sections * sizeof *entry);
  entry[w->sections] = *list + 1;
  return TL_OK;
}

static tl_status priority_of (tl_machine *m, uint32_t event, int64_t *value) {
  const uint32_t transition = *tl_intern_list (&m->event, event);
  *value = 0;
  if (!m->coloured->transition[transition].priority)
    return TL_OK;
  tl_status rc = tl_machine_frame (m, event);
  if (!rc)
    rc = tl_machine_priority (m, transition, value);
  if (rc)
    m->fault->event = event;
  return rc;
}

// Leaves those of the highest priority.
static tl_status by_priority (tl_machine *m, uint32_t *events,
                              uint32_t *count) {
  int64_t best = INT64_MIN;
  uint32_t n = 0;
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < m->places; p++)
    rc = tl_machine_show (m, p);
  m->evaluation.marking = m->marking;
  for (uint32_t i = 0; !rc && i < *count; i++) {
    int64_t value;
    if ((rc = priority_of (m, events[i], &value)))
      break;
    if (value > best)
      n = 0;
    best = value > best ? value : best;
    if (value == best)
      events[n++] = events[i];
  }
  m->evaluation.marking = 0;
  *count = n;
  return rc ? rc : tl_machine_tell_wrong (m, events, n);
}

// The enabled events of a transition; how many there are, also if there is no
// room for them.
static tl_status events_of (tl_machine *m, uint32_t transition,
                            uint32_t *events, uint32_t room, uint32_t *count) {
  bool known;
  uint32_t list;
  tl_status rc =
      tl_machine_list_known (m, transition, events, room, count, &known);
  if (rc || known || (rc = list_of (m, transition, &list)))
    return rc;
  *count = (uint32_t)tl_intern_length (&m->lists, list);
  if (*count <= room)
    memcpy (events, tl_intern_list (&m->lists, list), *count * sizeof *events);
  return TL_OK;
}

static tl_status gather (tl_machine *m, uint32_t *events, uint32_t *count) {
  bool given_up = true;
  const tl_status found =
      m->kernel.holds ? tl_kernel_enabled (m, events, count, &given_up) : TL_OK;
  if (found || !given_up)
    return found;
  tl_kernel_let_go (m);
  *count = 0;
  const tl_status updated = tl_machine_update_known (m);
  if (updated)
    return updated;
  for (uint32_t t = 0; t < m->transitions; t++) {
    const uint32_t room = TL_MACHINE_MOST_ENABLED - *count;
    uint32_t more;
    const tl_status rc = events_of (m, t, events + *count, room, &more);
    if (rc)
      return rc;
    if (more > room)
      return tl_fail (m->evaluation.error, TL_E_ARG,
                      "more than %u bindings are enabled in one state",
                      (unsigned)TL_MACHINE_MOST_ENABLED);
    *count += more;
  }
  return TL_OK;
}

uint32_t tl_machine_enabled (tl_machine *m, const uint64_t *key,
                             uint32_t *events) {
  tl_machine_load (m, key);
  uint32_t count = 0;
  uint64_t bits = 0;
  m->fault->event = TL_NO_EVENT;
  m->visited++;
  tl_status rc = TL_OK;
  if (m->kernel.holds)
    bits = m->kernel.bits;
  else if (m->form == TL_KEYS_CODED)
    rc = tl_coded_bits (m, m->now, &bits);
  m->view.coded_states += m->form == TL_KEYS_CODED;
  m->view.coded_bytes += (bits + 7) / 8;
  if (!rc)
    rc = gather (m, events, &count);
  if (!rc && m->prioritised && count)
    rc = by_priority (m, events, &count);
  if (rc)
    tl_machine_fail (m, rc, m->fault->event);
  return rc ? 0 : count;
}
