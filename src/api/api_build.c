// Nets that a program puts together: a builder that trusts nobody.

#include "base/error.h"
#include "net/net.h"
#include "read/text.h"

#include <stdlib.h>
#include <string.h>

struct tl_net_builder {
  tl_mem *mem; // becomes the net's
  tl_builder *builder;
  char *name; // of the net
};

static tl_status no_memory (tl_error *error) {
  return tl_fail (error, TL_E_NOMEM, "no memory for the net");
}

void tl_net_builder_close (tl_net_builder *b) {
  if (!b)
    return;
  tl_builder_close (b->builder);
  free (b->mem);
  free (b->name);
  free (b);
}

// A text for people, in one line; to be freed.
static tl_status copy_name (char **copy, const char *name, tl_error *error) {
  *copy = 0;
  if (!name)
    return TL_OK;
  if (!tl_text_is_utf8 (name, strlen (name)))
    return tl_fail (error, TL_E_ARG, "a name is not UTF-8");
  if (!(*copy = strdup (name)))
    return no_memory (error);
  tl_text_one_line (*copy);
  return TL_OK;
}

tl_status tl_net_builder_open (tl_net_builder **out, const char *name,
                               tl_error *error) {
  if (out)
    *out = 0;
  if (!out || !name)
    return tl_fail (error, TL_E_ARG,
                    "tl_net_builder_open needs a name of the net");
  tl_net_builder *b = calloc (1, sizeof *b);
  if (!b)
    return no_memory (error);
  tl_status rc = copy_name (&b->name, name, error);
  if (!rc && !(b->mem = malloc (sizeof *b->mem)))
    rc = no_memory (error);
  if (!rc) {
    *b->mem = TL_MEM (0, "net");
    b->mem->limit = tl_mem_default ();
    if (tl_builder_open (&b->builder, b->mem))
      rc = no_memory (error);
  }
  if (rc)
    tl_net_builder_close (b);
  else
    *out = b;
  return rc;
}

// ---- Nodes -----------------------------------------------------------------

// May this be the id of another node?
static tl_status want_id (const tl_net_builder *b, const char *id,
                          tl_error *error) {
  const size_t length = strlen (id);
  const char *wrong =
      tl_text_is_utf8 (id, length) ? tl_text_id (id, length) : "is not UTF-8";
  if (wrong)
    return tl_fail (error, TL_E_ARG, "an id %s", wrong);
  if (tl_builder_find_place (b->builder, id) != TL_NO_NAME)
    return tl_fail (error, TL_E_ARG, "there is a place '%s' already", id);
  if (tl_builder_find_transition (b->builder, id) != TL_NO_NAME)
    return tl_fail (error, TL_E_ARG, "there is a transition '%s' already", id);
  return TL_OK;
}

static tl_status want_count (uint64_t count, uint64_t least, const char *what,
                             tl_error *error) {
  return count >= least && count <= TL_MAX_TOKENS
             ? TL_OK
             : tl_fail (error, TL_E_ARG, "%s must be %llu to %llu", what,
                        (unsigned long long)least,
                        (unsigned long long)TL_MAX_TOKENS);
}

// What is left to say of a node, `rc`, and its name is freed.
static tl_status added (tl_status rc, char *name, tl_error *error) {
  free (name);
  return rc == TL_E_LIMIT ? tl_fail (error, rc, "the net has too many nodes")
         : rc             ? no_memory (error)
                          : TL_OK;
}

tl_status tl_net_builder_place (tl_net_builder *b, const char *id,
                                const char *name, uint64_t tokens,
                                tl_error *error) {
  char *copy;
  if (!b || !id)
    return tl_fail (error, TL_E_ARG,
                    "tl_net_builder_place needs a builder, an id");
  tl_status rc = want_id (b, id, error);
  if (rc || (rc = want_count (tokens, 0, "tokens of a place", error)) ||
      (rc = copy_name (&copy, name, error)))
    return rc;
  rc = tl_builder_place (b->builder, id, copy, (uint32_t)tokens, 0);
  return added (rc, copy, error);
}

tl_status tl_net_builder_transition (tl_net_builder *b, const char *id,
                                     const char *name, tl_error *error) {
  char *copy;
  if (!b || !id)
    return tl_fail (error, TL_E_ARG,
                    "tl_net_builder_transition needs a builder, an id");
  tl_status rc = want_id (b, id, error);
  if (rc || (rc = copy_name (&copy, name, error)))
    return rc;
  rc = tl_builder_transition (b->builder, id, copy, 0);
  return added (rc, copy, error);
}

// ---- Arcs ------------------------------------------------------------------

tl_status tl_net_builder_arc (tl_net_builder *b, tl_arc_kind kind,
                              const char *place, const char *transition,
                              uint64_t weight, tl_error *error) {
  if (!b || !place || !transition)
    return tl_fail (
        error, TL_E_ARG,
        "tl_net_builder_arc needs a builder, a place and a transition");
  if (kind < TL_ARC_PRE || kind > TL_ARC_READ)
    return tl_fail (error, TL_E_ARG, "there are no arcs of this kind");
  const uint32_t p = tl_builder_find_place (b->builder, place),
                 t = tl_builder_find_transition (b->builder, transition);
  if (p == TL_NO_NAME)
    return tl_fail (error, TL_E_ARG, "there is no place '%s'", place);
  if (t == TL_NO_NAME)
    return tl_fail (error, TL_E_ARG, "there is no transition '%s'", transition);
  const tl_status rc = want_count (weight, 1, "the weight of an arc", error);
  if (rc)
    return rc;
  return tl_builder_arc (b->builder, kind, p, t, (uint32_t)weight)
             ? no_memory (error)
             : TL_OK;
}

tl_status tl_net_builder_finish (tl_net_builder *b, tl_net **out,
                                 tl_error *error) {
  if (out)
    *out = 0;
  if (!b || !out) {
    tl_net_builder_close (b);
    return tl_fail (error, TL_E_ARG,
                    "tl_net_builder_finish needs a builder, a net");
  }
  const tl_status rc =
      tl_builder_finish (b->builder, b->name, "built", out, error);
  b->builder = 0;
  if (!rc) {
    b->mem->limit = 0;
    b->mem = 0;
    (*out)->owns_account = true;
  }
  tl_net_builder_close (b);
  return rc;
}
