#ifndef TL_READ_IDS_H
#define TL_READ_IDS_H

#include "net/net.h"

// Ids of a document in which a node may be used before it is defined, and in
// which one id may stand for another (the reference nodes of PNML).  Ids of
// nodes that the builder knows already cost nothing here.

typedef enum tl_node_kind {
  TL_NODE_UNKNOWN,
  TL_NODE_PLACE,
  TL_NODE_TRANSITION,
  TL_NODE_NAMED // not defined yet: `index` is the number of its id
} tl_node_kind;

typedef struct tl_node {
  tl_node_kind kind;
  uint32_t index;
} tl_node;

typedef struct tl_ids {
  tl_mem *mem;
  const tl_builder *builder;
  tl_arena arena;
  tl_names numbers;
  struct tl_id {
    const char *text;
    tl_node means; // TL_NODE_NAMED: the same as that id; unknown: a node's own
    tl_node_kind must; // what a reference has to end at
    uint32_t line;     // of the reference
  } * id;
  size_t count, capacity;
} tl_ids;

#define TL_IDS(MEM, BUILDER)                                                   \
  ((tl_ids){.mem = (MEM),                                                      \
            .builder = (BUILDER),                                              \
            .arena = TL_ARENA (MEM),                                           \
            .numbers = TL_NAMES (MEM)})

// Is there a node, or a reference, of that id?
bool tl_ids_defined (const tl_ids *, const char *text);

// The node of that id, possibly TL_NODE_NAMED.
tl_status tl_ids_node (tl_ids *, const char *text, tl_node *);

// `text`, which is not defined yet, means the node `target`; when that is a
// named one it must turn out to be a `must`.
tl_status tl_ids_refer (tl_ids *, const char *text, tl_node target,
                        tl_node_kind must, long line);

// When all is defined: the node itself; TL_NODE_UNKNOWN where there is none,
// also at the end of a circle of references.
tl_node tl_ids_resolve (tl_ids *, tl_node);

void tl_ids_close (tl_ids *);

#endif
