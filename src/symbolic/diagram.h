#ifndef TL_SYMBOLIC_DIAGRAM_H
#define TL_SYMBOLIC_DIAGRAM_H

#include "base/mem.h"
#include "symbolic/operations.h"

// Sets of markings as a decision diagram: a node of level k asks for the value
// of variable k, and its edges lead to nodes of level k - 1.  A marking is in
// the set when its values lead to the node TL_ALL_SET of level 0.  No two nodes
// have the same level and edges, so that sets are equal when their nodes are,
// and what many markings have in common is stored once.
//
// Nodes lie in one arena, a header and the edges in the order of their values,
// and never move.  What is not used any more is collected: what can be reached
// from the slots or from what is held stays.  The slots are a stack on which
// those who work hold the nodes they need; a node in a variable of C is safe
// until the next one is made.  Sets that are kept for longer are held.
//
// When memory or time is over, the status says so, and all that is made from
// then on is the empty set.

typedef uint32_t tl_set; // a node, where it begins in units of 8 bytes

enum { TL_EMPTY_SET = 0, TL_ALL_SET = 1 };

typedef struct tl_branch {
  uint32_t value;
  tl_set to;
} tl_branch;

typedef struct tl_set_node {
  tl_set next; // of those with the same place in the table
  uint32_t level : 31, marked : 1;
  uint32_t count; // of edges; of a free block: of those it has room for
  uint32_t number;
  tl_branch edge[];
} tl_set_node;

// A set that is kept until it is let go.
typedef struct tl_held {
  tl_set set;
  struct tl_held *next, **link;
} tl_held;

enum { TL_SET_CLASSES = 256, TL_SET_LEVELS = 10000 };

// What is usual where a number is 0.
typedef struct tl_diagram_limits {
  uint64_t collect_least; // units of 8 bytes in use that are never collected
  size_t rows;            // of operations that are remembered, a power of two
} tl_diagram_limits;

typedef struct tl_diagram {
  tl_mem *mem;
  tl_map arena;
  uint64_t top; // of the arena, in units
  tl_set *bucket;
  uint64_t buckets;
  tl_set free[TL_SET_CLASSES];
  uint64_t free_units;
  uint64_t nodes, peak; // in the table, and at most
  uint64_t collect_at;  // units in use
  uint64_t collections;
  tl_branch *slot; // edges of nodes that are being made, or nodes just needed
  size_t slots, slot_room;
  tl_held *held;
  tl_operations unions, images, others;
  uint32_t ticks; // until the clock is looked at
  tl_status status;
  uint32_t outgrown; // the level whose value became too large, or 0
  // Asked now and then; not TL_OK ends the work.  May be null.
  tl_status (*look) (void *context, const struct tl_diagram *);
  void *context;
  uint64_t collect_least; // no less is ever collected
} tl_diagram;

// No limits (null): the usual ones.
tl_status tl_diagram_open (tl_diagram *, tl_mem *, const tl_diagram_limits *);
void tl_diagram_close (tl_diagram *);

static inline tl_set_node *tl_diagram_node (const tl_diagram *d, tl_set set) {
  return (tl_set_node *)(d->arena.base + (uint64_t)set * 8);
}

// The edges on the slots from `base` on, sorted by value and none to the empty
// set, as a node of that level.  They are taken from the slots.
tl_set tl_diagram_make (tl_diagram *, uint32_t level, size_t base);

void tl_diagram_hold (tl_diagram *, tl_held *, tl_set);
void tl_diagram_let_go (tl_held *); // or one that was never held

// Where the edge of a node with that value leads.
tl_set tl_diagram_follow (const tl_set_node *, uint64_t value);

// Pushes a slot; false: no memory.
bool tl_diagram_push (tl_diagram *, tl_set to, uint32_t value);

// Is it time to end?  To be asked in every step of what takes long.
bool tl_diagram_ends (tl_diagram *);

// Forgets all nodes that cannot be reached from the slots or what is held.
void tl_diagram_collect (tl_diagram *);

// Is everything as it is said above?  For tests and debug builds.
bool tl_diagram_is_sound (const tl_diagram *);

// Of nodes with so many edges, how many fit into the block they get, and the
// list of free blocks of that size.
uint32_t tl_diagram_room (uint32_t edges);
uint32_t tl_diagram_class (uint32_t room);

static inline uint64_t tl_diagram_units (uint32_t room) {
  return 2 + (uint64_t)room;
}

uint64_t tl_diagram_hash (const tl_set_node *);

#endif
