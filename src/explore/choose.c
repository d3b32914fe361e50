#include "explore/choose.h"

#include "base/tuning.h"
#include "store/kinds.h"

enum { MOVE_BATCH = 256 };

const tl_store_kind *tl_choose_store (tl_search *s) {
  if (s->visitor && s->visitor->arcs) {
    s->result->store_why = "chosen because it can tell numbers";
    return &tl_store_plain;
  }
  const bool is_long = s->code.key_bits > TL_LONG_KEY;
  s->next_choice = is_long ? TL_FIRST_TRIAL : 0;
  s->result->store_why = is_long ? "chosen for a start; the tree is tried later"
                                 : "chosen for short keys";
  return &tl_store_table;
}

// A store of another kind for the same keys.
static tl_status open_like (tl_search *s, const tl_store_kind *kind,
                            tl_store **out) {
  const tl_store_spec *spec = &s->store->spec;
  return spec->owner_bits ? tl_store_open (out, kind, &s->states, spec)
                          : kind->open (out, &s->states, spec);
}

// Puts all keys of the store into another; with `drain` the memory of the old
// one is given back on the way.
static tl_status copy_keys (tl_search *s, tl_store *to, bool drain) {
  const size_t words = s->code.key_words;
  uint64_t *keys, cursor = 0;
  uint8_t isnew[MOVE_BATCH];
  if (!TL_NEW (&s->engine, keys, MOVE_BATCH * words))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (size_t n; !rc && (n = s->store->kind->each (s->store, &cursor,
                                                   MOVE_BATCH, keys, drain));)
    rc = to->kind->put (to,
                        &(tl_batch){.count = n, .keys = keys, .isnew = isnew});
  TL_DEL (&s->engine, keys, MOVE_BATCH * words);
  return rc;
}

static void adopt (tl_search *s, tl_store *store, const tl_store_kind *kind,
                   const char *why) {
  s->store->kind->close (s->store);
  s->store = store;
  s->store_kind = kind;
  s->result->store_why = why;
}

tl_status tl_choose_shards (tl_search *s, unsigned bits, tl_store **before) {
  tl_store_spec spec = s->store->spec;
  tl_store *shards;
  spec.owner_bits = bits;
  tl_status rc = tl_store_open (&shards, s->store_kind, &s->states, &spec);
  if (rc)
    return rc;
  if ((rc = copy_keys (s, shards, false))) {
    shards->kind->close (shards);
    return rc;
  }
  s->spec.owner_bits = s->owner_bits = bits;
  *before = s->store;
  s->store = shards;
  return TL_OK;
}

tl_status tl_choose_try (tl_search *s) {
  s->next_choice = 8 * s->store->count;
  const size_t used = s->states.used;
  tl_store *other;
  const bool is_tree = s->store_kind == &tl_store_tree;
  const tl_store_kind *kind = is_tree ? &tl_store_table : &tl_store_tree;
  // A trial must not take what the search may need.
  if (s->root->limit && used > (s->root->limit - s->root->used) / 2)
    return TL_OK;
  if (open_like (s, kind, &other))
    return TL_OK;
  const tl_status rc = copy_keys (s, other, false);
  const bool leaner = !rc && s->states.used - used < used / 8 * 7;
  if (!leaner) {
    other->kind->close (other);
    s->result->store_why = is_tree ? "chosen: leaner than the table"
                                   : "chosen: the tree was tried, not leaner";
  } else
    adopt (s, other, kind,
           is_tree ? "chosen: the states have too little in common for the tree"
                   : "chosen: leaner than the table on the states found first");
  return TL_OK;
}

bool tl_choose_should_save (const tl_search *s) {
  return s->next_choice && s->store_kind != &tl_store_tree;
}

tl_status tl_choose_leaner (tl_search *s) {
  s->next_choice = 0;
  tl_store *tree;
  tl_status rc = open_like (s, &tl_store_tree, &tree);
  if (rc)
    return rc;
  s->found = s->store->count;
  rc = copy_keys (s, tree, true);
  adopt (s, tree, &tl_store_tree,
         "chosen when the table had filled the memory budget");
  return rc;
}
