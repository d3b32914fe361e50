#include "explore/choose.h"

#include "base/tuning.h"
#include "store/kinds.h"
#include "store/shards.h"

enum { MOVE_BATCH = 256, TRIAL_SHARDS = 4 };

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

// Keys of the store on their way into another.
typedef struct copying {
  uint64_t cursor, left; // those still to come
  bool drain;            // the memory of the old store is given back on the way
  bool breaks_off;       // where a budget is used up, with TL_E_LIMIT
} copying;

static tl_status copy_keys (tl_search *s, tl_store *to, copying *c) {
  const size_t words = s->code.key_words;
  uint64_t *keys;
  uint8_t isnew[MOVE_BATCH];
  if (!TL_NEW (&s->engine, keys, MOVE_BATCH * words))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  while (!rc && c->left) {
    const size_t most = c->left < MOVE_BATCH ? c->left : MOVE_BATCH,
                 n = s->store->kind->each (s->store, &c->cursor, most, keys,
                                           c->drain);
    tl_batch batch = {.count = n, .keys = keys, .isnew = isnew};
    if (!n)
      break;
    c->left -= n;
    rc = to->kind->put (to, &batch);
    if (!rc && c->breaks_off)
      rc = tl_search_poll (s);
  }
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
  if ((rc = copy_keys (s, shards, &(copying){.left = UINT64_MAX}))) {
    shards->kind->close (shards);
    return rc;
  }
  s->spec.owner_bits = s->owner_bits = bits;
  *before = s->store;
  s->store = shards;
  return TL_OK;
}

// ---- Trials ----------------------------------------------------------------

static bool is_leaner (size_t bytes, size_t than) {
  return bytes < than / 8 * 7;
}

// Copies all keys if that takes less memory; null: it does not, or there is no
// memory or no time to see.
static tl_store *copy_leaner (tl_search *s, const tl_store_kind *kind) {
  const size_t used = s->states.used;
  tl_store *other;
  if (open_like (s, kind, &other))
    return 0;
  copying c = {.left = UINT64_MAX, .breaks_off = !s->cluster};
  if (!copy_keys (s, other, &c) && is_leaner (s->states.used - used, used))
    return other;
  other->kind->close (other);
  return 0;
}

// Each shard of the tree is a tree for itself, of keys that nothing has chosen:
// a few such trees say what all would take.  So all threads wait for a small
// part of the keys only.
static bool may_be_leaner (tl_search *s, const tl_store_kind *kind) {
  if (!s->store->spec.owner_bits || kind != &tl_store_tree)
    return true;
  const uint64_t shards = tl_shards_count ((tl_shards *)s->store),
                 each = s->store->count / shards + 1;
  const size_t used = s->states.used;
  tl_store_spec spec = s->store->spec;
  copying c = {.breaks_off = !s->cluster};
  size_t bytes = 0;
  tl_status rc = TL_OK;
  spec.owner_bits = 0;
  spec.parts = spec.part = 0;
  for (unsigned i = 0; !rc && i < TRIAL_SHARDS && i < shards; i++) {
    tl_store *other;
    if ((rc = kind->open (&other, &s->states, &spec)))
      break;
    c.left = each;
    rc = copy_keys (s, other, &c);
    bytes += s->states.used - used;
    other->kind->close (other);
  }
  const uint64_t tried = shards < TRIAL_SHARDS ? shards : TRIAL_SHARDS;
  return !rc && is_leaner (bytes, used / shards * tried);
}

tl_status tl_choose_try (tl_search *s) {
  s->next_choice = 8 * s->store->count;
  const bool is_tree = s->store_kind == &tl_store_tree;
  const tl_store_kind *kind = is_tree ? &tl_store_table : &tl_store_tree;
  // A trial must not take what the search may need.
  if (s->root->limit && s->states.used > (s->root->limit - s->root->used) / 2)
    return TL_OK;
  tl_store *other = may_be_leaner (s, kind) ? copy_leaner (s, kind) : 0;
  if (!other)
    s->result->store_why = is_tree ? "chosen: leaner than the table"
                                   : "chosen: the tree was tried, not leaner";
  else
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
  rc = copy_keys (s, tree, &(copying){.left = UINT64_MAX, .drain = true});
  adopt (s, tree, &tl_store_tree,
         "chosen when the table had filled the memory budget");
  return rc;
}
