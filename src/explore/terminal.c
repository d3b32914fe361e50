#include "explore/terminal.h"

#include "base/number_list.h"

#include "base/tuning.h"
#include "explore/stack.h"
#include "explore/worker.h"

enum { COPY_BATCH = 256 };

// What is known of a state: not visited, or the lowest rank it is known to
// reach among those that wait, or that its component is complete.
#define NOT_VISITED 0u

// A state on the way to the one at hand.
typedef struct frame {
  uint64_t number;
  bool root;   // it may be the first state of its component that was visited
  bool leaves; // its component has an arc to another one
} frame;

typedef struct finder {
  tl_search *search;
  const tl_terminal_visitor *visitor;
  tl_mem *mem;
  tl_store *set;
  bool own;        // the set was made here
  tl_numbers rank; // [states of the set]
  uint64_t ranks;
  uint64_t complete;  // as a rank: more than any of these
  tl_numbers waiting; // visited, not on the stack, component not complete
  size_t waits;
  tl_stack stack;
  frame *frame; // for each state on the stack
  size_t frame_room;
  tl_worker worker; // its list is that of the state at the top
  tl_worker shown;  // for states that are shown
  bool enough;
} finder;

static frame *top (const finder *f) {
  return f->frame + f->stack.depth - 1;
}

// ---- The set ---------------------------------------------------------------

static tl_status copy_keys (finder *f, const tl_finalised *states) {
  const size_t words = f->search->code.key_words;
  uint64_t *keys;
  uint8_t isnew[COPY_BATCH];
  if (!TL_NEW (f->mem, keys, COPY_BATCH * words))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (size_t n; !rc && (n = states->next (states->context, COPY_BATCH, keys));)
    rc = f->set->kind->put (
        f->set, &(tl_batch){.count = n, .keys = keys, .isnew = isnew});
  TL_DEL (f->mem, keys, COPY_BATCH * words);
  return rc;
}

static tl_status make_set (finder *f, const tl_finalised *states) {
  const tl_search *s = f->search;
  tl_store *there = states->store;
  if (there && there->kind->numbers && there->get) {
    f->set = there;
    return TL_OK;
  }
  const tl_status rc = tl_store_open_numbered (
      &f->set, f->mem, s->code.key_words, s->code.key_bits);
  f->own = !rc;
  return rc ? rc : copy_keys (f, states);
}

static void close_finder (finder *f) {
  tl_numbers_close (&f->rank, f->mem);
  if (f->own)
    f->set->kind->close (f->set);
  tl_numbers_close (&f->waiting, f->mem);
  TL_DEL (f->mem, f->frame, f->frame_room);
  tl_worker_close (&f->worker);
  tl_worker_close (&f->shown);
  tl_stack_close (&f->stack);
}

static tl_status open_finder (finder *f, const tl_finalised *states) {
  tl_search *s = f->search;
  tl_status rc = make_set (f, states);
  if (!rc)
    rc = tl_stack_open (&f->stack, f->mem, &s->packer,
                        s->generator->most_events, s->generator->most_enabled);
  if (!rc)
    rc = tl_worker_open (
        &f->worker, s,
        &(tl_worker_plan){.mem = f->mem, .room = TL_TERMINAL_LOOKUP});
  if (!rc)
    rc = tl_worker_open (&f->shown, s,
                         &(tl_worker_plan){.mem = f->mem, .lists = true});
  if (rc)
    return rc;
  f->complete = f->set->count + 1;
  return tl_numbers_grow (&f->rank, f->mem, (size_t)f->set->count, f->complete)
             ? TL_OK
             : TL_E_NOMEM;
}

// ---- Arcs ------------------------------------------------------------------

// Looks the successors by the listed transitions up; returns how many of these
// could be fired.
static uint32_t look (finder *f, const uint32_t *list, uint32_t count,
                      uint64_t *numbers, uint8_t *outside) {
  tl_batch batch = {.isnew = outside, .numbers = numbers};
  return tl_worker_look (&f->worker, f->set, list, count, &batch);
}

// An arc from the state at the top to a state of this rank.
static void note_arc (finder *f, uint64_t rank) {
  frame *from = top (f);
  if (rank == f->complete)
    from->leaves = true;
  else if (rank < tl_numbers_get (&f->rank, from->number)) {
    tl_numbers_set (&f->rank, from->number, rank);
    from->root = false;
  }
}

// Takes the transitions that lead to states visited before off the list of the
// state at the top: their arcs are noted at once.
static void drop_known (finder *f, uint32_t *list, uint32_t count) {
  uint64_t numbers[TL_TERMINAL_LOOKUP];
  uint8_t outside[TL_TERMINAL_LOOKUP];
  uint32_t kept = 0;
  for (uint32_t from = 0, got; from < count; from += got) {
    const uint32_t want =
        count - from < TL_TERMINAL_LOOKUP ? count - from : TL_TERMINAL_LOOKUP;
    got = look (f, list + from, want, numbers, outside);
    for (uint32_t i = 0; i < got; i++) {
      const uint64_t rank =
          outside[i] ? f->complete : tl_numbers_get (&f->rank, numbers[i]);
      if (rank == NOT_VISITED)
        list[kept++] = list[from + i];
      else
        note_arc (f, rank);
    }
    if (got < want) { // outgrows its field: such a state is not in the set
      note_arc (f, f->complete);
      got++;
    }
  }
  tl_stack_shorten (&f->stack, kept);
}

// Puts the state at hand on the stack.
static tl_status enter (finder *f, uint64_t number, uint32_t by) {
  tl_worker *w = &f->worker;
  w->enabled = tl_stack_room (&f->stack);
  tl_worker_list (w);
  if (!TL_ROOM (f->mem, f->frame, &f->frame_room, f->stack.depth + 1))
    return TL_E_NOMEM;
  const tl_status rc = tl_stack_enter (&f->stack, by, w->count);
  if (rc)
    return rc;
  *top (f) = (frame){.number = number, .root = true};
  tl_numbers_set (&f->rank, number, ++f->ranks);
  drop_known (f, w->enabled, w->count);
  return TL_OK;
}

// ---- Components ------------------------------------------------------------

// Shows state `number`, or with `end` says that it was the last of them.
static tl_status show (finder *f, uint64_t number, bool end,
                       tl_visit_verdict *verdict) {
  const tl_terminal_visitor *v = f->visitor;
  f->set->get (f->set, number, f->shown.key);
  tl_worker_load (&f->shown);
  const tl_visit visit = tl_worker_shown (&f->shown);
  *verdict = (end ? v->end : v->member) (v->context, &visit);
  return *verdict == TL_VISIT_FAILED ? TL_E_NOMEM : TL_OK;
}

// Shows the component of the state at the top and those that wait from `from`
// on.
static tl_status show_component (finder *f, size_t from) {
  const uint64_t root = top (f)->number;
  tl_visit_verdict verdict;
  tl_status rc = show (f, root, false, &verdict);
  for (size_t i = from; !rc && verdict == TL_VISIT_CONTINUE && i < f->waits;
       i++) {
    rc = show (f, tl_numbers_get (&f->waiting, i), false, &verdict);
    if (!rc && (i - from) % TL_TERMINAL_POLL == 0)
      rc = tl_search_poll (f->search);
  }
  if (!rc)
    rc = show (f, root, true, &verdict);
  f->enough = verdict == TL_VISIT_STOP;
  return rc;
}

static uint64_t rank_of_waiting (const finder *f, size_t i) {
  return tl_numbers_get (&f->rank, tl_numbers_get (&f->waiting, i));
}

// All arcs of the state at the top are noted.
static tl_status finish (finder *f) {
  const frame *done = top (f);
  const uint64_t rank = tl_numbers_get (&f->rank, done->number);
  if (!done->root) {
    if (!tl_numbers_grow (&f->waiting, f->mem, f->waits + 1, f->set->count))
      return TL_E_NOMEM;
    tl_numbers_set (&f->waiting, f->waits++, done->number);
    return TL_OK;
  }
  size_t from = f->waits;
  while (from && rank_of_waiting (f, from - 1) >= rank)
    from--;
  const tl_status rc = done->leaves ? TL_OK : show_component (f, from);
  while (f->waits > from)
    tl_numbers_set (&f->rank, tl_numbers_get (&f->waiting, --f->waits),
                    f->complete);
  tl_numbers_set (&f->rank, done->number, f->complete);
  return rc;
}

// Back to the state below, if there is one.
static tl_status leave (finder *f) {
  tl_worker *w = &f->worker;
  const frame left = *top (f);
  uint32_t by;
  const tl_status rc = tl_stack_leave (&f->stack, &by);
  if (rc || !f->stack.depth)
    return rc;
  tl_worker_leave (w, by);
  note_arc (f, tl_numbers_get (&f->rank, left.number));
  top (f)->leaves |= left.leaves;
  if (!tl_stack_has_list (&f->stack)) {
    w->enabled = tl_stack_room (&f->stack);
    tl_worker_list (w);
    tl_stack_list_again (&f->stack, &by, w->count);
  }
  return TL_OK;
}

// One transition forth, or one back where all were tried.
static tl_status advance (finder *f) {
  const uint32_t *next = tl_stack_next (&f->stack);
  if (!next) {
    const tl_status rc = finish (f);
    return rc ? rc : leave (f);
  }
  const uint32_t transition = *next;
  uint64_t number;
  uint8_t outside;
  tl_stack_tried (&f->stack);
  if (!look (f, &transition, 1, &number, &outside) || outside) {
    note_arc (f, f->complete);
    return TL_OK;
  }
  const uint64_t rank = tl_numbers_get (&f->rank, number);
  if (rank != NOT_VISITED) {
    note_arc (f, rank);
    return TL_OK;
  }
  tl_worker_enter (&f->worker, transition);
  return enter (f, number, transition);
}

static tl_status find (finder *f) {
  tl_search *s = f->search;
  tl_status rc = TL_OK;
  uint64_t steps = 0;
  for (uint64_t i = 0; !rc && !f->enough && i < f->set->count; i++) {
    if (tl_numbers_get (&f->rank, i) != NOT_VISITED)
      continue;
    f->set->get (f->set, i, f->worker.key);
    tl_worker_unpack (&f->worker);
    rc = enter (f, i, 0);
    while (!rc && !f->enough && f->stack.depth) {
      rc = advance (f);
      if (!rc && ++steps % TL_TERMINAL_POLL == 0)
        rc = tl_search_poll (s);
    }
  }
  return rc;
}

tl_status tl_terminal_find (tl_search *s, const tl_finalised *states,
                            const tl_terminal_visitor *visitor) {
  finder f = {.search = s, .visitor = visitor, .mem = &s->components};
  tl_status rc = open_finder (&f, states);
  if (!rc)
    rc = find (&f);
  s->spilled += f.stack.path.written;
  close_finder (&f);
  return rc;
}
