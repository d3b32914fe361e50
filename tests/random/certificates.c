// Certificates of random nets: with every store, one and several threads, they
// are verified and prove what brute force finds.  With a state more or less, a
// depth or a figure changed, and all checksums right, they are refused.
//
//   certificates [--nets N] [--seed S] [--long]

#include "../certifying.h"
#include "../trials.h"
#include "base/random.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL = 150, LONG = 20000, STATES = 300, SMALL = 1300 << 10 };

typedef struct tally {
  uint64_t nets, states, refused;
} tally;

static const char *judge (const brute *b, const tl_verification *v) {
  return !v->verified                                 ? v->reason
         : v->states != b->states                     ? "states"
         : v->arcs != b->arcs                         ? "arcs"
         : v->deadlocks != b->deadlocks               ? "deadlocks"
         : v->dead_transitions != b->dead_transitions ? "dead transitions"
         : v->max_tokens_in_place != b->max_in_place  ? "tokens in a place"
         : v->max_tokens_per_marking != b->max_per_marking
             ? "tokens in a marking"
             : 0;
}

static bool complain (uint64_t seed, const char *what, const char *why) {
  printf ("seed %" PRIu64 ": %s: %s\n", seed, what, why);
  return false;
}

// Is the changed certificate refused for what it says?
static bool is_refused (certificate *c, uint64_t seed, const char *what,
                        tally *sum) {
  tl_verification v;
  tl_error err;
  certificate_join (c);
  const tl_status rc = certificate_verify (c, 0, &v, &err);
  if (rc)
    return complain (seed, what, err.text);
  sum->refused += !v.verified;
  return !v.verified || complain (seed, what, "verified");
}

static bool try_without (certificate *c, uint64_t seed, tl_random *r,
                         tally *sum) {
  const uint64_t i = tl_random_below (r, c->states);
  uint64_t key[64];
  const uint32_t depth = c->depth[i];
  memcpy (key, c->key + i * c->key_words, c->key_words * 8);
  certificate_remove (c, i);
  certificate_claim (c, 0, c->states);
  const bool ok = !c->states || is_refused (c, seed, "a state less", sum);
  certificate_add (c, key, depth);
  certificate_claim (c, 0, c->states);
  return ok;
}

static bool try_with (certificate *c, uint64_t seed, tl_random *r, tally *sum) {
  uint64_t key[64] = {0}, i = tl_random_below (r, c->states);
  bool there;
  memcpy (key, c->key + i * c->key_words, c->key_words * 8);
  const uint32_t bit =
      c->key_bits ? (uint32_t)tl_random_below (r, c->key_bits) : 0;
  key[bit / 64] ^= (uint64_t)1 << bit % 64;
  certificate_find (c, key, &there);
  if (there || !c->key_bits)
    return true;
  certificate_add (c, key, c->depth[i] + (uint32_t)tl_random_below (r, 2));
  certificate_claim (c, 0, c->states);
  const bool ok = is_refused (c, seed, "a state more", sum);
  certificate_remove (c, certificate_find (c, key, &there));
  certificate_claim (c, 0, c->states);
  return ok;
}

static bool try_depth (certificate *c, uint64_t seed, tl_random *r,
                       tally *sum) {
  uint32_t *depth = c->depth + tl_random_below (r, c->states);
  const uint32_t right = *depth;
  *depth = right && tl_random_below (r, 2) ? right - 1 : right + 1;
  const bool ok = is_refused (c, seed, "another depth", sum);
  *depth = right;
  return ok;
}

static bool try_figure (certificate *c, uint64_t seed, tl_random *r,
                        tally *sum) {
  const unsigned which = (unsigned)tl_random_below (r, 7);
  const uint64_t right = certificate_figure (c, which);
  certificate_claim (c, which, right + 1);
  const bool ok = is_refused (c, seed, "another figure", sum);
  certificate_claim (c, which, right);
  return ok;
}

static bool try_verify (const certificate *c, const brute *all, uint64_t seed,
                        size_t limit) {
  tl_verification v;
  tl_error err;
  const tl_status rc = certificate_verify (c, limit, &v, &err);
  const char *wrong = rc ? err.text : judge (all, &v);
  return !wrong || complain (seed, "as it is", wrong);
}

static tl_options choose_options (tl_random *r) {
  size_t count;
  const tl_kind_row *stores = tl_stores (&count);
  tl_options how = tl_options_default ();
  how.store = stores[tl_random_below (r, count)].name;
  how.threads = 1 + (uint32_t)tl_random_below (r, 2);
  how.parallel_from = 1;
  how.every_place = !tl_random_below (r, 4);
  return how;
}

static bool try_net (const trial_net *in, uint64_t seed, tally *sum) {
  tl_random r = {seed};
  const tl_options how = choose_options (&r);
  certificate c;
  if (!certificate_make (&c, in->net, &how))
    return complain (seed, how.store, "not complete");
  sum->nets++;
  sum->states += c.states;
  bool ok = try_verify (&c, &in->all, seed, 0) &&
            try_verify (&c, &in->all, seed, SMALL) &&
            try_without (&c, seed, &r, sum) && try_with (&c, seed, &r, sum) &&
            try_depth (&c, seed, &r, sum) && try_figure (&c, seed, &r, sum);
  if (ok) {
    certificate_join (&c);
    ok = try_verify (&c, &in->all, seed, 0);
  }
  certificate_close (&c);
  return ok;
}

static bool try_seed (uint64_t seed, void *context) {
  random_net net;
  trial_net in;
  random_net_make_long (&net, seed);
  if (!trial_net_open (&in, &net, seed, STATES))
    return true;
  const bool ok = try_net (&in, seed, context);
  return trial_net_close (&in) && ok;
}

int main (int count, char **word) {
  trials wanted;
  tally sum = {0};
  if (!trials_wanted (&wanted, count, word, NORMAL, LONG))
    return 2;
  const bool ok = trials_run (&wanted, "certificates", try_seed, &sum);
  printf ("# %" PRIu64 " certificates of %" PRIu64 " states, %" PRIu64
          " changed ones refused\n",
          sum.nets, sum.states, sum.refused);
  return !ok;
}
