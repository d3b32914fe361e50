// The tree store, for long keys (after Laarman, van de Pol and Weber 2011, with
// dense numbers and a quotient table at the root).
//
// The key is cut into parts of at most 64 bits.  Each distinct value of a part
// is kept once and gets a number; so does each distinct pair of numbers, up to
// the root, where a state is a pair of numbers in a quotient table:
//
//     key      | part 0 | part 1 | part 2 |
//                  \       /        |
//     numbers        pair           |
//                       \          /
//     root          | number | number |  -> table
//
// Parts recur in many states, so nearly all of the memory is the root's: the
// pair is as wide as the largest numbers so far, and the root is rewritten when
// one of them outgrows its width.
//
// Cost: (log2 of the left numbers + log2 of the right - log2 N + 3) / 0.9 bits
// a state, and some 20 bytes for each distinct part or inner pair.

#include "base/bits.h"
#include "base/tuning.h"
#include "store/kinds.h"

#include <string.h>

enum { MOST_PARTS = 1024 };

// A number is written in so many bits in an inner pair.
#define NUMBER_BITS 32

typedef struct tree {
  tl_store base;
  uint32_t parts, part_bits; // the last part may be shorter
  // parts + inner pairs: all but the root, children before parents.
  tl_store **node;
  uint32_t nodes;
  uint32_t (*child)[2]; // [nodes] of pairs
  uint32_t left, right; // children of the root
  tl_store *root;
  unsigned left_bits, right_bits;
  uint64_t *numbers; // [nodes][TL_TREE_GROUP] of the keys being treated
  uint64_t values[TL_TREE_GROUP];
  bool broken; // the root was lost while it was rewritten
} tree;

static void tree_close (tl_store *base) {
  tree *t = (tree *)base;
  if (!t)
    return;
  tl_mem *mem = base->mem;
  const uint32_t room = 2 * t->parts;
  for (uint32_t i = 0; t->node && i < t->nodes; i++)
    if (t->node[i])
      t->node[i]->kind->close (t->node[i]);
  if (t->root)
    t->root->kind->close (t->root);
  TL_DEL (mem, t->node, room);
  TL_DEL (mem, t->child, room);
  TL_DEL (mem, t->numbers, (size_t)room * TL_TREE_GROUP);
  TL_DEL (mem, t, 1);
}

static tl_status open_root (const tree *t, unsigned left_bits,
                            unsigned right_bits, tl_store **out) {
  const uint32_t bits = left_bits + right_bits;
  return tl_store_table.open (
      out, t->base.mem,
      &(tl_store_spec){.key_words = bits > 64 ? 2 : 1,
                       .key_bits = bits,
                       .owner_bits = t->base.spec.owner_bits});
}

// Pairs neighbours, level by level, until two are left: the root's.
static void pair_up (tree *t) {
  uint32_t level[MOST_PARTS], width = t->parts;
  for (uint32_t i = 0; i < width; i++)
    level[i] = i;
  t->nodes = t->parts;
  while (width > 2) {
    const uint32_t pairs = width == 3 ? 1 : width / 2;
    for (uint32_t i = 0; i < pairs; i++) {
      t->child[t->nodes][0] = level[2 * i];
      t->child[t->nodes][1] = level[2 * i + 1];
      level[i] = t->nodes++;
    }
    if (width % 2) // the odd one moves up as it is
      level[pairs] = level[width - 1];
    width = pairs + width % 2;
  }
  t->left = level[0];
  t->right = level[1];
}

static tl_status open_nodes (tree *t) {
  tl_mem *mem = t->base.mem;
  const uint32_t room = 2 * t->parts;
  if (!TL_NEW (mem, t->node, room) || !TL_NEW (mem, t->child, room) ||
      !TL_NEW (mem, t->numbers, (size_t)room * TL_TREE_GROUP))
    return TL_E_NOMEM;
  pair_up (t);
  const tl_store_spec spec = {.key_words = 1,
                              .key_bits = 64,
                              .numbered = true,
                              .owner_bits = t->base.spec.owner_bits};
  for (uint32_t i = 0; i < t->nodes; i++) {
    const tl_status rc = tl_store_plain.open (t->node + i, mem, &spec);
    if (rc)
      return rc;
  }
  t->left_bits = t->right_bits = 8;
  return open_root (t, t->left_bits, t->right_bits, &t->root);
}

static tl_status tree_open (tl_store **out, tl_mem *mem,
                            const tl_store_spec *spec) {
  *out = 0;
  tree *t;
  const uint32_t bits = spec->key_bits > 2 ? spec->key_bits : 2;
  if (bits > 64 * MOST_PARTS)
    return TL_E_LIMIT;
  if (!TL_NEW (mem, t, 1))
    return TL_E_NOMEM;
  t->base = (tl_store){.kind = &tl_store_tree, .mem = mem, .spec = *spec};
  t->parts = bits <= 128 ? 2 : (bits + 63) / 64;
  t->part_bits = (bits + t->parts - 1) / t->parts;
  const tl_status rc = open_nodes (t);
  if (rc) {
    tree_close (&t->base);
    return rc;
  }
  *out = &t->base;
  return TL_OK;
}

// ---- Pairs at the root -----------------------------------------------------

static void write_pair (unsigned left_bits, unsigned right_bits, uint64_t left,
                        uint64_t right, uint64_t *pair) {
  pair[0] = left;
  if (left_bits + right_bits > 64)
    pair[1] = 0;
  tl_set_bits (pair, left_bits, right_bits, right);
}

// Rewrites the root for wider numbers.  The new one is made beside the old; if
// there is no memory for both, the old one is given back while it is read.
static tl_status rewrite_root (tree *t, unsigned left_bits, unsigned right_bits,
                               bool drain) {
  tl_store *old = t->root, *root;
  tl_status rc = open_root (t, left_bits, right_bits, &root);
  if (rc)
    return rc;
  const uint32_t old_words = old->spec.key_words, words = root->spec.key_words;
  uint64_t pairs[2 * TL_TREE_GROUP], keys[2 * TL_TREE_GROUP], cursor = 0;
  uint8_t isnew[TL_TREE_GROUP];
  for (size_t n; !rc && (n = old->kind->each (old, &cursor, TL_TREE_GROUP,
                                              pairs, drain));) {
    for (size_t i = 0; i < n; i++) {
      const uint64_t *pair = pairs + i * old_words;
      write_pair (left_bits, right_bits, tl_get_bits (pair, 0, t->left_bits),
                  tl_get_bits (pair, t->left_bits, t->right_bits),
                  keys + i * words);
    }
    rc = root->kind->put (
        root, &(tl_batch){.count = n, .keys = keys, .isnew = isnew});
  }
  if (rc && !drain) {
    root->kind->close (root);
    return rc;
  }
  t->broken = rc; // some keys were in neither
  old->kind->close (old);
  t->root = root;
  t->left_bits = left_bits;
  t->right_bits = right_bits;
  return rc;
}

static bool fits_twice (const tree *t) {
  const tl_mem *mem = t->base.mem;
  for (; mem; mem = mem->parent)
    if (mem->limit &&
        (tl_mem_used (mem) > mem->limit ||
         mem->limit - tl_mem_used (mem) < tl_mem_used (mem) / 8 * 9))
      return false;
  return true;
}

static tl_status widen_root (tree *t) {
  const unsigned left = tl_bits_for (t->node[t->left]->count),
                 right = tl_bits_for (t->node[t->right]->count);
  if (left <= t->left_bits && right <= t->right_bits)
    return TL_OK;
  return rewrite_root (t, left > t->left_bits ? left : t->left_bits,
                       right > t->right_bits ? right : t->right_bits,
                       !fits_twice (t));
}

// ---- The kind --------------------------------------------------------------

static unsigned bits_of_part (const tree *t, uint32_t part) {
  const uint32_t from = part * t->part_bits,
                 bits = t->base.spec.key_bits > 2 ? t->base.spec.key_bits : 2;
  return bits - from < t->part_bits ? bits - from : t->part_bits;
}

// Looks up the values of a node for the whole group; tells for how many keys
// from the first on that worked.
static tl_status number_node (tree *t, uint32_t node, const uint64_t *keys,
                              size_t *count) {
  const size_t n = *count;
  uint8_t isnew[TL_TREE_GROUP];
  for (size_t i = 0; i < n; i++)
    t->values[i] = node < t->parts
                       ? tl_get_bits (keys + i * t->base.spec.key_words,
                                      (uint64_t)node * t->part_bits,
                                      bits_of_part (t, node))
                       : t->numbers[t->child[node][0] * TL_TREE_GROUP + i]
                                 << NUMBER_BITS |
                             t->numbers[t->child[node][1] * TL_TREE_GROUP + i];
  if ((t->node[node]->count + n) >> NUMBER_BITS)
    return TL_E_NOMEM;
  tl_batch batch = {.count = n,
                    .keys = t->values,
                    .isnew = isnew,
                    .numbers = t->numbers + (size_t)node * TL_TREE_GROUP};
  const tl_status rc = t->node[node]->kind->put (t->node[node], &batch);
  *count = batch.done;
  return rc;
}

static tl_status put_group (tree *t, const uint64_t *keys, size_t count,
                            uint8_t *isnew, size_t *done) {
  tl_status rc = TL_OK;
  for (uint32_t node = 0; node < t->nodes; node++) {
    // Keys before the one that failed are still treated.
    const tl_status failed = number_node (t, node, keys, &count);
    rc = rc ? rc : failed;
  }
  const tl_status widened = count ? widen_root (t) : TL_OK;
  if (widened)
    return widened;
  uint64_t pairs[2 * TL_TREE_GROUP];
  const uint32_t words = t->root->spec.key_words;
  for (size_t i = 0; i < count; i++)
    write_pair (t->left_bits, t->right_bits,
                t->numbers[t->left * TL_TREE_GROUP + i],
                t->numbers[t->right * TL_TREE_GROUP + i], pairs + i * words);
  tl_batch batch = {.count = count, .keys = pairs, .isnew = isnew};
  const tl_status put = t->root->kind->put (t->root, &batch);
  *done += batch.done;
  t->base.count = t->root->count;
  return rc ? rc : put;
}

static tl_status tree_put (tl_store *base, tl_batch *batch) {
  tree *t = (tree *)base;
  tl_status rc = t->broken ? TL_E_NOMEM : TL_OK;
  batch->done = 0;
  for (size_t from = 0; !rc && from < batch->count; from += TL_TREE_GROUP) {
    const size_t left = batch->count - from;
    rc = put_group (t, batch->keys + from * base->spec.key_words,
                    left < TL_TREE_GROUP ? left : TL_TREE_GROUP,
                    batch->isnew + from, &batch->done);
  }
  return rc;
}

// Writes the parts below a node into the key.
static void write_node (const tree *t, uint32_t node, uint64_t number,
                        uint64_t *key) {
  uint64_t value;
  t->node[node]->get (t->node[node], number, &value);
  if (node < t->parts) {
    tl_set_bits (key, (uint64_t)node * t->part_bits, bits_of_part (t, node),
                 value);
    return;
  }
  write_node (t, t->child[node][0], value >> NUMBER_BITS, key);
  write_node (t, t->child[node][1], value & tl_low_bits (NUMBER_BITS), key);
}

static size_t tree_each (tl_store *base, uint64_t *cursor, size_t most,
                         uint64_t *keys, bool drain) {
  const tree *t = (const tree *)base;
  uint64_t pairs[2 * TL_TREE_GROUP];
  const size_t n = t->root->kind->each (
      t->root, cursor, most < TL_TREE_GROUP ? most : TL_TREE_GROUP, pairs,
      drain);
  const uint32_t words = t->root->spec.key_words;
  memset (keys, 0, n * base->spec.key_words * sizeof *keys);
  for (size_t i = 0; i < n; i++) {
    const uint64_t *pair = pairs + i * words;
    uint64_t *key = keys + i * base->spec.key_words;
    write_node (t, t->left, tl_get_bits (pair, 0, t->left_bits), key);
    write_node (t, t->right, tl_get_bits (pair, t->left_bits, t->right_bits),
                key);
  }
  return n;
}

const tl_store_kind tl_store_tree = {.name = "tree",
                                     .unit = 64,
                                     .steps = 1,
                                     .open = tree_open,
                                     .put = tree_put,
                                     .each = tree_each,
                                     .close = tree_close};
