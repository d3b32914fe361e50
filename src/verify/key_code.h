#ifndef TL_VERIFY_KEY_CODE_H
#define TL_VERIFY_KEY_CODE_H

#include "verify/certified.h"

// How a key says what the tokens of all places are, as the certificate has it,
// and why that can be relied on.
//
// Each word of a key is a sum of digits, digit * weight, where a weight is at
// least the weight before it times the radix before it: so a word has one list
// of digits at most.  A digit of one place is its number of tokens; of several,
// 0 says that none of them is marked and i that the i-th is, with one token.
// Every other place either is changed by no transition that may fire
// (fireable.h), or is a function of places with digits: constant + sum of
// factor
// * tokens.  That the function holds in the initial marking gives the constant;
// that none of these transitions changes the difference of both sides is
// checked for each.
//
// A marking fits if each digit of one place has less tokens than its radix, and
// each other one at most one token in all of its places.  Of markings that are
// reached through those that fit, those that fit have different keys, and a key
// tells its marking.
typedef struct tl_key_digit {
  uint32_t word, count;
  uint64_t weight, radix;
  const uint32_t *place;
  uint64_t limit; // of the tokens in its places
} tl_key_digit;

typedef struct tl_key_term {
  uint32_t place;
  int64_t factor;
} tl_key_term;

typedef struct tl_key_function {
  uint32_t place, count;
  const tl_key_term *term;
  __int128 constant;
} tl_key_function;

// What a transition adds to the tokens of a digit, and to a word of the key.
typedef struct tl_key_gain {
  uint32_t digit;
  int64_t amount;
} tl_key_gain;

typedef struct tl_key_step {
  uint64_t *add; // [words], modulo 2^64
  uint32_t gains;
  tl_key_gain *gain; // of digits that get more tokens
} tl_key_step;

typedef struct tl_key_code {
  const tl_cert_net *net;
  uint32_t bits, words;
  uint32_t digits, functions;
  tl_key_digit *digit; // by words, the largest weight first
  tl_key_function *function;
  tl_key_step *step; // [transitions]
  // The marking at hand, and what its digits are.
  uint64_t *tokens;  // [places]
  uint64_t *value;   // [digits]
  uint64_t *product; // [digits] value * weight
  uint64_t *held;    // [digits] tokens in its places
} tl_key_code;

// Reads the code of the net, the section at hand, and checks that it is one.
// TL_E_MODEL: it is not.
tl_status tl_key_code_read (tl_cert_source *, const tl_cert_net *,
                            tl_key_code *);

// The marking of a key becomes the one at hand.  TL_E_MODEL: it has none.
tl_status tl_key_decode (tl_key_code *, const uint64_t *key, tl_error *);

// The key of the initial marking.  TL_E_MODEL: it does not fit.
tl_status tl_key_initial (tl_key_code *, uint64_t *key, tl_error *);

// Is the transition enabled in the marking at hand?
static inline bool tl_key_enabled (const tl_key_code *c,
                                   const tl_cert_transition *t) {
  for (uint32_t i = 0; i < t->pres; i++)
    if (c->tokens[t->pre[i].place] < t->pre[i].weight)
      return false;
  for (uint32_t i = 0; i < t->inhibitors; i++)
    if (c->tokens[t->inhibitor[i].place] >= t->inhibitor[i].weight)
      return false;
  return true;
}

// Does the marking fit that it leads to?
static inline bool tl_key_fits (const tl_key_code *c, const tl_key_step *s) {
  for (uint32_t i = 0; i < s->gains; i++) {
    const uint32_t d = s->gain[i].digit;
    if (c->held[d] + (uint64_t)s->gain[i].amount > c->digit[d].limit)
      return false;
  }
  return true;
}

#endif
