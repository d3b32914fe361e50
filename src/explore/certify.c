#include "explore/certify.h"

#include "base/error.h"
#include "explore/how.h"
#include "explore/roster.h"
#include "store/ascending.h"

const tl_record_kind tl_certificate_kind = {"cert", 1, "certificate"};

enum {
  LEVEL = 3,                        // of compression
  DEPTHS = TL_ASCENDING_BYTES + 64, // keys of a block at most
  OFTEN = 1 << 16                   // states between two looks at the clock
};

tl_status tl_certify_check (const tl_net *net, const tl_options *options,
                            const tl_how *how, const tl_visitor *visitor,
                            tl_error *error) {
  if (!options->certificate)
    return TL_OK;
  if (!tl_net_has_arcs (net))
    return tl_fail (error, TL_E_ARG,
                    "certificates are for nets that are unfolded");
  if (options->checkpoint)
    return tl_fail (error, TL_E_ARG,
                    "a search with checkpoints has no certificate: they do not "
                    "keep what it needs");
  if (visitor && visitor->arcs)
    return tl_fail (error, TL_E_ARG, "a graph has no certificate");
  if (how->order == &tl_order_disk)
    return tl_fail (error, TL_E_ARG,
                    "a search with its states on disk has no certificate");
  if (how->order != &tl_order_bfs)
    return tl_fail (error, TL_E_ARG, "certificates need the order bfs");
  if (how->stubborn != TL_REDUCE_NONE)
    return tl_fail (error, TL_E_ARG,
                    "a certificate is about all states, and stubborn sets "
                    "leave some out");
  return TL_OK;
}

// ---- The net and its code --------------------------------------------------

static void write_arcs (tl_record_writer *w, tl_arcs arcs) {
  tl_records_write_number (w, arcs.count);
  for (uint32_t i = 0; i < arcs.count; i++) {
    tl_records_write_number (w, arcs.arc[i].place);
    tl_records_write_number (w, arcs.arc[i].weight);
  }
}

void tl_certify_net (tl_record_writer *w, const tl_net *net) {
  tl_records_begin (w, "net ");
  tl_records_write_text (w, net->name);
  tl_records_write_number (w, net->places);
  for (uint32_t p = 0; p < net->places; p++) {
    tl_records_write_text (w, net->place_id[p]);
    tl_records_write_number (w, net->initial[p]);
  }
  tl_records_write_number (w, net->transitions);
  for (uint32_t t = 0; t < net->transitions; t++) {
    tl_records_write_text (w, net->transition_id[t]);
    write_arcs (w, tl_net_pre (net, t));
    write_arcs (w, tl_net_post (net, t));
    write_arcs (w, tl_net_inhibitors (net, t));
  }
}

static void write_digit (tl_record_writer *w, const tl_code *c, uint64_t radix,
                         const uint32_t *place, uint32_t count) {
  tl_records_write_number (w, c->word[*place]);
  tl_records_write_number (w, c->factor[*place]);
  tl_records_write_number (w, radix);
  tl_records_write_number (w, count);
  for (uint32_t i = 0; i < count; i++)
    tl_records_write_number (w, place[i]);
}

// The key is the working state: each field is a digit.
static void write_fields (tl_record_writer *w, const tl_search *s) {
  const uint32_t places = s->net->places;
  uint32_t fields = 0;
  for (uint32_t p = 0; p < places; p++)
    fields += s->layout.field[p].width != 0;
  tl_records_write_number (w, fields);
  for (uint32_t p = 0; p < places; p++)
    if (s->layout.field[p].width)
      write_digit (w, &s->code, (uint64_t)1 << s->layout.field[p].width, &p, 1);
  tl_records_write_number (w, 0); // no place is a function of others
}

static void write_function (tl_record_writer *w, const tl_elimination *e,
                            const tl_relation *r) {
  const tl_vector terms = tl_relation_terms (e, r);
  tl_records_write_number (w, r->place);
  tl_records_write_number (w, terms.count);
  for (uint32_t i = 0; i < terms.count; i++) {
    const int64_t factor = terms.term[i].factor;
    const uint64_t sign = factor < 0,
                   size = sign ? -(uint64_t)factor : (uint64_t)factor;
    tl_records_write_number (w, terms.term[i].index);
    tl_records_write_number (w, size << 1 | sign);
  }
}

static void write_digits (tl_record_writer *w, const tl_search *s) {
  const tl_digits *d = &s->digits;
  uint32_t functions = 0;
  tl_records_write_number (w, d->count);
  for (uint32_t i = 0; i < d->count; i++)
    write_digit (w, &s->code, d->digit[i].radix, d->digit[i].place,
                 d->digit[i].count);
  for (uint32_t p = 0; p < s->net->places; p++)
    functions += d->relation_of[p] != TL_NO_NAME;
  tl_records_write_number (w, functions);
  for (uint32_t p = 0; p < s->net->places; p++)
    if (d->relation_of[p] != TL_NO_NAME)
      write_function (w, d->functions,
                      d->functions->relation + d->relation_of[p]);
}

static void write_code (tl_record_writer *w, const tl_search *s) {
  tl_records_begin (w, "code");
  tl_records_write_number (w, s->code.key_bits);
  if (s->digits.mem)
    write_digits (w, s);
  else
    write_fields (w, s);
}

// ---- Figures ---------------------------------------------------------------

static void write_figures (tl_record_writer *w, const tl_search *s) {
  const tl_census *c = &s->census;
  uint64_t most = 0, dead = 0;
  for (uint32_t p = 0; p < s->net->places; p++)
    most = c->place_max[p] > most ? c->place_max[p] : most;
  for (uint32_t t = 0; t < s->net->transitions; t++)
    dead += !c->fired[t];
  const uint64_t figures[] = {c->states, c->arcs,       c->deadlocks, dead,
                              most,      c->max_tokens, s->depth};
  tl_records_begin (w, "figs");
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    tl_records_write_number (w, figures[i]);
}

// ---- States ----------------------------------------------------------------

// Keys are written in blocks, each with the depths of its states.
typedef struct listing {
  tl_record_writer *out;
  tl_packer *packer;
  uint32_t *depth; // [DEPTHS] of those that are not written
  size_t count;
  unsigned char *bytes; // [4 * DEPTHS] the same as they are written
} listing;

static unsigned width_for (uint32_t most) {
  return most >> 16 ? 4 : most >> 8 ? 2 : 1;
}

static tl_status write_depths (listing *l, uint32_t keys) {
  uint32_t least = UINT32_MAX, most = 0;
  for (uint32_t i = 0; i < keys; i++) {
    least = l->depth[i] < least ? l->depth[i] : least;
    most = l->depth[i] > most ? l->depth[i] : most;
  }
  const unsigned width = width_for (most - least);
  for (uint32_t i = 0; i < keys; i++) {
    const uint32_t above = htole32 (l->depth[i] - least);
    memcpy (l->bytes + (size_t)i * width, &above, sizeof above);
  }
  size_t packed;
  const tl_status rc = tl_packer_pack (l->packer, LEVEL, l->bytes,
                                       (size_t)keys * width, &packed);
  if (rc)
    return rc;
  tl_records_write_number (l->out, least);
  tl_records_write_number (l->out, width);
  tl_records_write_number (l->out, packed);
  return tl_records_write (l->out, l->packer->room, packed);
}

static tl_status write_block (void *context, const void *bytes, size_t length) {
  listing *l = context;
  uint32_t keys;
  memcpy (&keys, bytes, sizeof keys);
  keys = le32toh (keys);
  tl_records_write (l->out, bytes, length);
  tl_status rc = write_depths (l, keys);
  l->count -= keys; // all but the one that begins the next block
  memmove (l->depth, l->depth + keys, l->count * sizeof *l->depth);
  return rc ? rc : tl_records_cut (l->out);
}

static tl_status write_listing (tl_search *s, listing *l,
                                tl_ascending_writer *keys, uint64_t *key) {
  tl_status rc = tl_roster_begin (s->roster);
  bool there = true;
  while (!rc && there) {
    uint64_t depth;
    rc = tl_roster_next (s->roster, key, &depth, &there);
    if (rc || !there)
      break;
    if (depth > UINT32_MAX)
      return tl_fail (s->error, TL_E_MODEL,
                      "states are too deep for a certificate");
    l->depth[l->count++] = (uint32_t)depth;
    rc = tl_ascending_write (keys, key, 1);
    if (!rc && !(keys->count % OFTEN) && tl_search_is_late (s))
      return TL_E_LIMIT;
  }
  if (!rc)
    rc = tl_ascending_flush (keys);
  if (rc == TL_E_ARG || (!rc && keys->count != s->census.states))
    return tl_fail (s->error, TL_E_INTERNAL,
                    "the states do not add up: this is a fault in tideline, "
                    "please report it");
  return rc;
}

static tl_status write_states (tl_record_writer *w, tl_search *s) {
  listing l = {.out = w, .packer = &s->packer};
  tl_ascending_writer keys;
  uint64_t *key;
  tl_status rc =
      tl_ascending_create (&keys, &s->engine, &s->packer, s->code.key_bits,
                           LEVEL, (tl_ascending_sink){&l, write_block});
  if (rc)
    return rc;
  tl_records_begin (w, "stat");
  if (!TL_NEW (&s->engine, key, s->code.key_words) ||
      !TL_NEW (&s->engine, l.depth, DEPTHS) ||
      !TL_NEW (&s->engine, l.bytes, 4 * DEPTHS))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = write_listing (s, &l, &keys, key);
  TL_DEL (&s->engine, key, s->code.key_words);
  TL_DEL (&s->engine, l.depth, DEPTHS);
  TL_DEL (&s->engine, l.bytes, 4 * DEPTHS);
  tl_ascending_end (&keys);
  return rc;
}

tl_status tl_certify (tl_search *s) {
  tl_record_writer w;
  tl_status rc = tl_records_create (&w, &s->engine, s->options->certificate,
                                    &tl_certificate_kind, s->error);
  if (rc)
    return rc;
  tl_certify_net (&w, s->net);
  if (s->visitor && s->visitor->certify)
    s->visitor->certify (s->visitor->context, &w);
  write_code (&w, s);
  write_figures (&w, s);
  rc = write_states (&w, s);
  s->spilled += tl_roster_spilled (s->roster);
  if (rc == TL_E_IO && !w.rc)
    tl_fail (s->error, rc, "a temporary file cannot be read back");
  rc = tl_records_finish (&w, w.rc ? TL_OK : rc, s->error);
  if (!rc)
    s->result->certificate_bytes = w.at;
  return rc;
}
