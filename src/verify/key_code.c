#include "verify/key_code.h"

#include "base/error.h"
#include "verify/columns.h"
#include "verify/fireable.h"

#include <stdlib.h>
#include <string.h>

// So large that sums of products stay far below 2^127.
#define MOST_RADIX ((uint64_t)1 << 41)
#define MOST_FACTOR ((uint64_t)1 << 60)
#define MOST_TERMS ((uint32_t)1 << 24)
#define MOST_TOKENS ((uint64_t)1 << 62)

static tl_status refuse (tl_error *err, const char *what, const char *whose) {
  return tl_fail (err, TL_E_MODEL, "the code of markings is wrong: %s%s%s",
                  what, whose ? " " : "", whose ? whose : "");
}

// ---- Digits ----------------------------------------------------------------

// What stands for a place.
enum { NOTHING, DIGIT, FUNCTION };

static tl_status read_places (tl_cert_source *s, tl_key_code *c,
                              tl_key_digit *d, uint8_t *kind) {
  uint32_t *place;
  if (!TL_ARENA_NEW (s->arena, place, d->count))
    return tl_cert_no_memory (s);
  d->place = place;
  for (uint32_t i = 0; i < d->count; i++) {
    const tl_status rc = tl_cert_index (s, c->net->places, place + i);
    if (rc)
      return rc;
    if (kind[place[i]])
      return refuse (s->error, "there are two digits of place",
                     c->net->place_id[place[i]]);
    kind[place[i]] = DIGIT;
  }
  return TL_OK;
}

static tl_status read_digit (tl_cert_source *s, tl_key_code *c, tl_key_digit *d,
                             uint8_t *kind) {
  tl_status rc = tl_cert_index (s, c->words, &d->word);
  if (!rc)
    rc = tl_cert_number (s, UINT64_MAX, &d->weight);
  if (!rc)
    rc = tl_cert_number (s, MOST_RADIX, &d->radix);
  if (!rc)
    rc = tl_cert_count (s, &d->count);
  if (rc)
    return rc;
  if (!d->count || !d->radix || !d->weight ||
      (d->count > 1 && d->radix != (uint64_t)d->count + 1))
    return tl_cert_malformed (s, "a digit has no such radix");
  d->limit = d->count > 1 ? 1 : d->radix - 1;
  return read_places (s, c, d, kind);
}

// A digit that is always 0 has room below one of the same weight.
static int by_weight (const void *a, const void *b) {
  const tl_key_digit *x = a, *y = b;
  if (x->word != y->word)
    return x->word < y->word ? -1 : 1;
  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return (x->radix < y->radix) - (x->radix > y->radix);
}

// Has each word digits, and one list of them only?
static bool is_unique (const tl_key_code *c) {
  uint32_t words = 0;
  for (uint32_t i = 0; i < c->digits; i++) {
    const tl_key_digit *d = c->digit + i;
    const bool first = !i || d[-1].word != d->word;
    const unsigned __int128 below = (unsigned __int128)d->weight * d->radix,
                            above = first ? (unsigned __int128)1 << 64
                                          : d[-1].weight;
    if (below > above)
      return false;
    words += first;
  }
  return words == c->words || (c->words == 1 && !c->digits);
}

static tl_status read_digits (tl_cert_source *s, tl_key_code *c,
                              uint8_t *kind) {
  tl_status rc = tl_cert_count (s, &c->digits);
  if (rc)
    return rc;
  if (!TL_ARENA_NEW (s->arena, c->digit, c->digits))
    return tl_cert_no_memory (s);
  for (uint32_t i = 0; !rc && i < c->digits; i++)
    rc = read_digit (s, c, c->digit + i, kind);
  if (rc)
    return rc;
  if (c->digits)
    qsort (c->digit, c->digits, sizeof *c->digit, by_weight);
  return is_unique (c)
             ? TL_OK
             : refuse (s->error, "digits overlap, or a word has none", 0);
}

// ---- Functions -------------------------------------------------------------

static tl_status read_function (tl_cert_source *s, tl_key_code *c,
                                tl_key_function *f, const uint8_t *kind) {
  tl_key_term *term = 0;
  tl_status rc = tl_cert_index (s, c->net->places, &f->place);
  if (!rc)
    rc = tl_cert_count (s, &f->count);
  if (!rc && f->count > MOST_TERMS)
    rc = tl_cert_malformed (s, "a function has too many terms");
  if (!rc && f->count && !TL_ARENA_NEW (s->arena, term, f->count))
    rc = tl_cert_no_memory (s);
  f->constant = rc ? 0 : c->net->initial[f->place];
  for (uint32_t i = 0; !rc && i < f->count; i++) {
    uint64_t factor = 0;
    rc = tl_cert_index (s, c->net->places, &term[i].place);
    if (!rc)
      rc = tl_cert_number (s, 2 * MOST_FACTOR, &factor);
    if (rc)
      return rc;
    const int64_t size = (int64_t)(factor >> 1);
    term[i].factor = factor & 1 ? -size : size;
    f->constant -= (__int128)term[i].factor * c->net->initial[term[i].place];
    if (kind[term[i].place] == FUNCTION)
      return refuse (s->error, "a function depends on another one, that of",
                     c->net->place_id[term[i].place]);
  }
  f->term = term;
  return rc;
}

static tl_status read_functions (tl_cert_source *s, tl_key_code *c,
                                 uint8_t *kind) {
  tl_status rc = tl_cert_count (s, &c->functions);
  if (rc)
    return rc;
  if (!TL_ARENA_NEW (s->arena, c->function, c->functions))
    return tl_cert_no_memory (s);
  for (uint32_t i = 0; !rc && i < c->functions; i++) {
    tl_key_function *f = c->function + i;
    rc = read_function (s, c, f, kind);
    if (!rc && kind[f->place])
      rc = refuse (s->error, "there are two ways to tell place",
                   c->net->place_id[f->place]);
    if (!rc)
      kind[f->place] = FUNCTION;
  }
  // One that came first may depend on one that came later.
  for (uint32_t i = 0; !rc && i < c->functions; i++)
    for (uint32_t k = 0; !rc && k < c->function[i].count; k++)
      if (kind[c->function[i].term[k].place] == FUNCTION)
        rc = refuse (s->error, "a function depends on another one, that of",
                     c->net->place_id[c->function[i].place]);
  return rc;
}

// Adds what a place contributes to the difference of both sides.
static void spread (const tl_cert_columns *l, uint32_t place, int64_t factor,
                    __int128 *sum) {
  for (uint64_t i = l->start[place]; i < l->start[place + 1]; i++)
    sum[l->transition[i]] += (__int128)factor * l->amount[i];
}

// Is the sum zero wherever the place changes?  Makes it so.
static bool is_zero (const tl_cert_columns *l, uint32_t place, __int128 *sum) {
  bool zero = true;
  for (uint64_t i = l->start[place]; i < l->start[place + 1]; i++) {
    zero = zero && !sum[l->transition[i]];
    sum[l->transition[i]] = 0;
  }
  return zero;
}

// Does no transition change a function, compared with its place?
static tl_status check_functions (tl_cert_source *s, const tl_key_code *c,
                                  const bool *fireable) {
  tl_cert_columns l;
  __int128 *sum;
  const tl_status rc = tl_cert_list_columns (s, c->net, fireable, &l);
  if (rc)
    return rc;
  if (!TL_ARENA_NEW (s->arena, sum, c->net->transitions))
    return tl_cert_no_memory (s);
  for (uint32_t i = 0; i < c->functions; i++) {
    const tl_key_function *f = c->function + i;
    spread (&l, f->place, -1, sum);
    for (uint32_t k = 0; k < f->count; k++)
      spread (&l, f->term[k].place, f->term[k].factor, sum);
    bool holds = is_zero (&l, f->place, sum);
    for (uint32_t k = 0; k < f->count; k++)
      holds &= is_zero (&l, f->term[k].place, sum);
    if (!holds)
      return refuse (s->error, "a transition breaks the function of place",
                     c->net->place_id[f->place]);
  }
  return TL_OK;
}

// A place of which a key says nothing must stay as it is.
static tl_status check_constants (tl_cert_source *s, const tl_key_code *c,
                                  const bool *fireable, const uint8_t *kind) {
  for (uint32_t t = 0; t < c->net->transitions; t++)
    for (uint32_t i = 0; fireable[t] && i < c->net->transition[t].changes;
         i++) {
      const uint32_t place = c->net->transition[t].change[i].place;
      if (!kind[place])
        return refuse (s->error, "keys say nothing of place",
                       c->net->place_id[place]);
    }
  return TL_OK;
}

// ---- Steps -----------------------------------------------------------------

// A place with a digit: which one, and what a token there adds to its word.
typedef struct share {
  uint32_t digit;
  uint64_t factor; // 0: it has none
} share;

static void set_step (const tl_key_code *c, const tl_cert_transition *t,
                      const share *of, tl_key_step *step) {
  for (uint32_t i = 0; i < t->changes; i++) {
    const share *s = of + t->change[i].place;
    if (!s->factor)
      continue;
    step->add[c->digit[s->digit].word] +=
        s->factor * (uint64_t)t->change[i].amount;
    uint32_t k = 0;
    while (k < step->gains && step->gain[k].digit != s->digit)
      k++;
    step->gain[k].digit = s->digit;
    step->gain[k].amount += t->change[i].amount;
    step->gains += k == step->gains;
  }
  uint32_t kept = 0;
  for (uint32_t k = 0; k < step->gains; k++)
    if (step->gain[k].amount > 0)
      step->gain[kept++] = step->gain[k];
  step->gains = kept;
}

static tl_status set_steps (tl_cert_source *s, tl_key_code *c) {
  share *of;
  if (!TL_ARENA_NEW (s->arena, of, c->net->places) ||
      !TL_ARENA_NEW (s->arena, c->step, c->net->transitions))
    return tl_cert_no_memory (s);
  for (uint32_t i = 0; i < c->digits; i++)
    for (uint32_t k = 0; k < c->digit[i].count; k++)
      of[c->digit[i].place[k]] = (share){i, c->digit[i].weight * (k + 1)};
  for (uint32_t t = 0; t < c->net->transitions; t++) {
    tl_key_step *step = c->step + t;
    if (!TL_ARENA_NEW (s->arena, step->add, c->words) ||
        !TL_ARENA_NEW (s->arena, step->gain, c->net->transition[t].changes))
      return tl_cert_no_memory (s);
    set_step (c, c->net->transition + t, of, step);
  }
  return TL_OK;
}

static tl_status make_room (tl_cert_source *s, tl_key_code *c) {
  if (!TL_ARENA_NEW (s->arena, c->tokens, c->net->places) ||
      !TL_ARENA_NEW (s->arena, c->value, c->digits) ||
      !TL_ARENA_NEW (s->arena, c->product, c->digits) ||
      !TL_ARENA_NEW (s->arena, c->held, c->digits))
    return tl_cert_no_memory (s);
  for (uint32_t p = 0; p < c->net->places; p++)
    c->tokens[p] = c->net->initial[p];
  for (uint32_t i = 0; i < c->digits; i++) // when every digit is 0
    for (uint32_t k = 0; k < c->digit[i].count; k++)
      c->tokens[c->digit[i].place[k]] = 0;
  return TL_OK;
}

tl_status tl_key_code_read (tl_cert_source *s, const tl_cert_net *net,
                            tl_key_code *c) {
  uint8_t *kind;
  const bool *fireable;
  *c = (tl_key_code){.net = net};
  if (!TL_ARENA_NEW (s->arena, kind, net->places) ||
      !(fireable = tl_cert_fireable (s->arena, net)))
    return tl_cert_no_memory (s);
  tl_status rc = tl_cert_count (s, &c->bits);
  c->words = c->bits > 64 ? (c->bits - 1) / 64 + 1 : 1;
  if (!rc)
    rc = read_digits (s, c, kind);
  if (!rc)
    rc = read_functions (s, c, kind);
  if (!rc)
    rc = tl_records_done (s->records, s->error);
  if (!rc)
    rc = check_functions (s, c, fireable);
  if (!rc)
    rc = check_constants (s, c, fireable, kind);
  if (!rc)
    rc = set_steps (s, c);
  return rc ? rc : make_room (s, c);
}

// ---- Markings --------------------------------------------------------------

static void set_digit (tl_key_code *c, uint32_t i, uint64_t value) {
  const tl_key_digit *d = c->digit + i;
  if (d->count == 1) {
    c->tokens[*d->place] = c->held[i] = value;
  } else {
    if (c->value[i])
      c->tokens[d->place[c->value[i] - 1]] = 0;
    if (value)
      c->tokens[d->place[value - 1]] = 1;
    c->held[i] = value != 0;
  }
  c->value[i] = value;
  c->product[i] = value * d->weight;
}

// Most digits are those of the key before: then nothing is divided.
static bool set_digits (tl_key_code *c, const uint64_t *key) {
  uint64_t rest = c->digits ? 0 : *key;
  for (uint32_t i = 0; i < c->digits; i++) {
    const tl_key_digit *d = c->digit + i;
    if (!i || d[-1].word != d->word) {
      if (rest)
        return false;
      rest = key[d->word];
    }
    if (rest - c->product[i] < d->weight) {
      rest -= c->product[i];
      continue;
    }
    const uint64_t value = rest / d->weight;
    if (value >= d->radix)
      return false;
    set_digit (c, i, value);
    rest -= c->product[i];
  }
  return !rest;
}

tl_status tl_key_decode (tl_key_code *c, const uint64_t *key, tl_error *err) {
  if (!set_digits (c, key))
    return tl_fail (err, TL_E_MODEL, "a key is not a sum of digits");
  for (uint32_t i = 0; i < c->functions; i++) {
    const tl_key_function *f = c->function + i;
    __int128 tokens = f->constant;
    for (uint32_t k = 0; k < f->count; k++)
      tokens += (__int128)f->term[k].factor * c->tokens[f->term[k].place];
    if (tokens < 0 || tokens >= MOST_TOKENS)
      return tl_fail (err, TL_E_MODEL,
                      "a key is of no marking: place %s would have less than "
                      "no token, or too many",
                      c->net->place_id[f->place]);
    c->tokens[f->place] = (uint64_t)tokens;
  }
  return TL_OK;
}

tl_status tl_key_initial (tl_key_code *c, uint64_t *key, tl_error *err) {
  memset (key, 0, c->words * sizeof *key);
  for (uint32_t i = 0; i < c->digits; i++) {
    const tl_key_digit *d = c->digit + i;
    uint64_t held = 0;
    for (uint32_t k = 0; k < d->count; k++) {
      held += c->net->initial[d->place[k]];
      key[d->word] += d->weight * (k + 1) * c->net->initial[d->place[k]];
    }
    if (held > d->limit)
      return refuse (err, "the initial marking does not fit at place",
                     c->net->place_id[*d->place]);
  }
  return TL_OK;
}
