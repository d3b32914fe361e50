#include "check/nested.h"

#include "check/product_parts.h"

#include <stdlib.h>

typedef enum colour {
  WHITE, // not found so far
  CYAN,  // on the path of the first search
  BLUE,  // the first search has left it
  RED    // no use in going there in a second search
} colour;

enum { IN_WORD = 32 }; // colours

typedef struct frame {
  tl_product_frame at;
  bool all_red; // the successors so far
} frame;

typedef struct nested {
  tl_product *p; // knows the successors
  uint64_t *colour;
  size_t words;
  // The path of the first search.  The second one begins again with the last
  // node of it, and its own path follows.
  frame *path;
  size_t depth, room;
  size_t first; // depth of the first search during the second; 0: there is none
  bool accepted;
  uint64_t back; // where the cycle closes
} nested;

static colour colour_of (const nested *n, uint64_t node) {
  const uint64_t word = node / IN_WORD;
  return word < n->words ? (colour)(n->colour[word] >> node % IN_WORD * 2 & 3)
                         : WHITE;
}

static void paint (nested *n, uint64_t node, colour c) {
  const unsigned shift = (unsigned)(node % IN_WORD * 2);
  uint64_t *word = n->colour + node / IN_WORD;
  *word = (*word & ~((uint64_t)3 << shift)) | (uint64_t)c << shift;
}

static bool is_accepting (const nested *n, uint64_t node) {
  return n->p->automaton->accepting[node % n->p->automaton->states];
}

static tl_status enter (nested *n, uint64_t node, colour c) {
  if (!TL_ROOM (n->p->mem, n->colour, &n->words,
                (size_t)(node / IN_WORD) + 1) ||
      !TL_ROOM (n->p->mem, n->path, &n->room, n->depth + 1))
    return TL_E_NOMEM;
  paint (n, node, c);
  n->path[n->depth++] =
      (frame){.at = tl_product_begin (n->p, node), .all_red = true};
  n->accepted |= tl_product_is_terminal (n->p, node);
  return TL_OK;
}

static void close_cycle (nested *n, uint64_t to) {
  n->accepted = true;
  n->back = to;
}

// ---- The two searches ------------------------------------------------------

static tl_status follow_first (nested *n, uint64_t to) {
  frame *f = n->path + n->depth - 1;
  const colour c = colour_of (n, to);
  if (c == WHITE)
    return enter (n, to, CYAN);
  if (c == CYAN && (is_accepting (n, f->at.node) || is_accepting (n, to)))
    close_cycle (n, to);
  f->all_red &= c == RED;
  return TL_OK;
}

// Whatever can be reached from here the first search has found.
static tl_status follow_second (nested *n, uint64_t to) {
  const colour c = colour_of (n, to);
  if (c == BLUE)
    return enter (n, to, RED);
  if (c == CYAN)
    close_cycle (n, to);
  return TL_OK;
}

// All edges of the last node were followed by the first search.
static void leave_first (nested *n) {
  frame *f = n->path + n->depth - 1;
  const uint64_t node = f->at.node;
  if (!f->all_red && is_accepting (n, node)) {
    n->first = n->depth;
    f->at = tl_product_begin (n->p, node);
    return;
  }
  paint (n, node, f->all_red ? RED : BLUE);
  n->depth--;
  if (n->depth)
    n->path[n->depth - 1].all_red &= f->all_red;
}

// The same by the second.
static void leave_second (nested *n) {
  if (n->depth == n->first) { // where it began
    paint (n, n->path[n->depth - 1].at.node, RED);
    n->first = 0;
  }
  n->depth--;
}

static tl_status search (nested *n) {
  tl_status rc = enter (n, 0, CYAN);
  while (!rc && n->depth && !n->accepted) {
    uint64_t to, sets;
    if ((rc = tl_product_step (n->p)))
      break;
    if (tl_product_next (n->p, &n->path[n->depth - 1].at, &to, &sets))
      rc = n->first ? follow_second (n, to) : follow_first (n, to);
    else if (!(rc = n->p->rc))
      (n->first ? leave_second : leave_first) (n);
  }
  return rc;
}

// ---- The run ---------------------------------------------------------------

// Does node i of the path show all that the rest of it shows?
static bool leads_to_terminal (const nested *n, size_t i) {
  return i + 1 < n->depth &&
         tl_product_is_terminal (n->p, n->path[i + 1].at.node);
}

// The arcs of the path, from where the cycle closes on for ever.  It ends
// before that in a dead state, or where everything is accepted.
static void tell (const nested *n, tl_run *run) {
  uint64_t *arc = calloc (n->depth, sizeof *arc);
  if (!arc)
    return;
  *run = (tl_run){.found = true, .arc = arc, .room = n->depth};
  for (size_t i = 0; i < n->depth; i++) {
    const tl_product_frame *f = &n->path[i].at;
    if (tl_product_is_terminal (n->p, f->node) ||
        tl_product_is_dead (n->p, f->node) || leads_to_terminal (n, i)) {
      run->loop_from = run->length;
      return;
    }
    if (f->node == n->back)
      run->loop_from = i;
    arc[run->length++] = f->arc - 1;
  }
}

tl_status tl_nested_search (tl_product *p, bool *accepted, tl_run *run) {
  nested n = {.p = p};
  *run = (tl_run){0};
  const tl_status rc =
      p->automaton->worst == TL_REJECTING ? TL_OK : search (&n);
  *accepted = n.accepted;
  if (!rc && n.accepted)
    tell (&n, run);
  TL_DEL (p->mem, n.colour, n.words);
  TL_DEL (p->mem, n.path, n.room);
  return rc;
}
