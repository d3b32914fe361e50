#include "gpu/kernel_text.h"

#include "base/bits.h"
#include "gpu/strings.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_EVENTS = 64 * TL_GPU_SETS, MOST_KEY_BITS = 126 };

uint32_t tl_gpu_sets (const tl_gpu_net *n) {
  const uint32_t transitions = n->layout->net->transitions;
  return transitions ? (transitions + 63) / 64 : 1;
}

unsigned tl_gpu_event_bits (const tl_gpu_net *n) {
  return tl_bits_for (n->layout->net->transitions);
}

const char *tl_gpu_refusal (const tl_gpu_net *n) {
  return n->layout->net->transitions > MOST_EVENTS
             ? "the net has too many transitions"
         : n->layout->words > TL_GPU_WORDS ||
                 n->layout->fields < n->layout->words
             ? "a state has too many words"
         : n->code->key_words > 2 ||
                 n->code->key_bits + tl_gpu_event_bits (n) > MOST_KEY_BITS
             ? "keys are too long"
             : 0;
}

// ---- Numbers of the net ----------------------------------------------------

static void write_steps (FILE *f, const tl_gpu_net *n, uint32_t word) {
  const tl_shares *steps = &n->code->step;
  const uint32_t transitions = n->layout->net->transitions;
  fprintf (f, "TABLE u64 step_%c[] = {", 'a' + (int)word);
  for (uint32_t t = 0; t < transitions; t++) {
    uint64_t add = 0;
    for (uint64_t i = steps->start[t]; i < steps->start[t + 1]; i++)
      if (steps->share[i].word == word)
        add += steps->share[i].add;
    fprintf (f, "0x%" PRIx64 "ull,%s", add, t % 4 == 3 ? "\n" : " ");
  }
  fprintf (f, "0};\n");
}

// One of the columns of the list of fields, word by word.
static void write_fields (FILE *f, const tl_layout *l, const char *name,
                          int column) {
  fprintf (f, "TABLE u32 field_%s[] = {", name);
  for (uint32_t w = 0; w < l->words; w++)
    for (uint32_t p = 0; p < l->net->places; p++) {
      const tl_field *field = l->field + p;
      if (field->width && field->word == w)
        fprintf (f, "%" PRIu32 ", ",
                 column == 0   ? p
                 : column == 1 ? field->shift
                               : field->width);
    }
  fprintf (f, "0};\n");
}

static void write_field_starts (FILE *f, const tl_layout *l) {
  uint32_t at = 0;
  fprintf (f, "TABLE u32 field_first[] = {0");
  for (uint32_t w = 0; w < l->words; w++) {
    for (uint32_t p = 0; p < l->net->places; p++)
      at += l->field[p].width && l->field[p].word == w;
    fprintf (f, ", %" PRIu32, at);
  }
  fprintf (f, "};\n");
}

// ---- From the key to the state ---------------------------------------------

// What a token of a place adds to a word of the state.
static uint64_t share_of (const tl_code *c, uint32_t place, uint32_t word) {
  uint64_t add = 0;
  for (uint64_t i = c->place.start[place]; i < c->place.start[place + 1]; i++)
    if (c->place.share[i].word == word)
      add += c->place.share[i].add;
  return add;
}

static bool touches (const tl_code *c, const tl_code_digit *d, uint32_t word) {
  for (uint32_t i = 0; i < d->count; i++)
    if (share_of (c, c->digit_place[d->first + i], word))
      return true;
  return false;
}

// Rows for the digits that say which of some places is marked: what each value
// adds to the words that it can add to.
static void write_rows (FILE *f, const tl_code *c) {
  fprintf (f, "TABLE u64 row[] = {");
  for (uint32_t i = 0; i < c->digits; i++) {
    const tl_code_digit *d = c->digit + i;
    for (uint64_t v = 0; d->count > 1 && v <= d->count; v++)
      for (uint32_t w = 0; w < c->layout->words; w++)
        if (touches (c, d, w))
          fprintf (f, "0x%" PRIx64 "ull, ",
                   v ? share_of (c, c->digit_place[d->first + v - 1], w) : 0);
  }
  fprintf (f, "0};\n");
}

static size_t row_words (const tl_code *c, const tl_code_digit *d) {
  size_t words = 0;
  for (uint32_t w = 0; w < c->layout->words; w++)
    words += touches (c, d, w);
  return words;
}

static void write_digit (FILE *f, const tl_code *c, uint32_t number,
                         size_t *row) {
  const tl_code_digit *d = c->digit + number;
  const size_t words = row_words (c, d);
  size_t at = *row;
  for (uint32_t w = 0; w < c->layout->words; w++) {
    if (!touches (c, d, w))
      continue;
    if (d->count == 1)
      fprintf (f, "  s%" PRIu32 " += (u64)d%" PRIu32 " * 0x%" PRIx64 "ull;\n",
               w, number, share_of (c, c->digit_place[d->first], w));
    else
      fprintf (f, "  s%" PRIu32 " += row[%zu + d%" PRIu32 " * %zu];\n", w, at++,
               number, words);
  }
  if (d->count > 1)
    *row += words * (d->count + 1);
}

static bool is_power (uint64_t n) {
  return !(n & (n - 1));
}

// Digits that follow each other in mixed radix are taken out of the key some at
// a time, as many as fit 32 bits, which are divided faster.
static uint32_t write_mixed (FILE *f, const tl_code *c, uint32_t from) {
  enum { PART = 1 << 30 };
  const tl_code_digit *d = c->digit;
  uint32_t end = from + 1;
  uint64_t product = d[from].radix;
  while (end < c->digits && d[end].word == d[from].word &&
         d[end].stride == d[end - 1].stride * d[end - 1].radix &&
         d[end].radix <= PART / product)
    product *= d[end++].radix;
  const char *type = product <= PART ? "u32" : "u64";
  fprintf (f,
           "  %s r%" PRIu32 " = (%s)(k.%c / 0x%" PRIx64 "ull %% 0x%" PRIx64
           "ull);\n",
           type, from, type, 'a' + (int)d[from].word, d[from].stride, product);
  for (uint32_t i = from; i < end; i++)
    if (i + 1 == end)
      fprintf (f, "  const %s d%" PRIu32 " = r%" PRIu32 ";\n", type, i, from);
    else
      fprintf (f,
               "  const %s d%" PRIu32 " = r%" PRIu32 " %% %" PRIu64
               "u; r%" PRIu32 " /= %" PRIu64 "u;\n",
               type, i, from, d[i].radix, from, d[i].radix);
  return end;
}

static void write_state (FILE *f, const tl_gpu_net *n) {
  const tl_code *c = n->code;
  for (uint32_t w = 0; w < n->layout->words; w++)
    if (c->identity)
      fprintf (f, "  const u64 s%" PRIu32 " = k.%c;\n", w, 'a' + (int)w);
    else
      fprintf (f, "  u64 s%" PRIu32 " = 0x%" PRIx64 "ull;\n", w, c->base[w]);
  size_t row = 0;
  for (uint32_t i = 0; !c->identity && i < c->digits;) {
    const tl_code_digit *d = c->digit + i;
    uint32_t end = i + 1;
    if (is_power (d->stride) && is_power (d->radix))
      fprintf (f, "  const u64 d%" PRIu32 " = k.%c >> %u & 0x%" PRIx64 "ull;\n",
               i, 'a' + (int)d->word, tl_bits_for (d->stride) - 1,
               d->radix - 1);
    else
      end = write_mixed (f, c, i);
    for (; i < end; i++)
      write_digit (f, c, i, &row);
  }
}

// ---- What is enabled -------------------------------------------------------

static void write_enabled (FILE *f, const tl_firing *p, uint32_t t) {
  if (p->ask_start[t] == p->ask_start[t + 1])
    fprintf (f, "1");
  for (uint64_t i = p->ask_start[t]; i < p->ask_start[t + 1]; i++) {
    const tl_ask *a = p->ask + i;
    const char *join = i > p->ask_start[t] ? " & " : "";
    if (a->raise || a->take)
      fprintf (f,
               "%s((((s%" PRIu32 " | 0x%" PRIx64 "ull) - 0x%" PRIx64
               "ull) & 0x%" PRIx64 "ull) == 0x%" PRIx64 "ull)",
               join, a->word, a->raise, a->take, a->look, a->want);
    else
      fprintf (f, "%s((s%" PRIu32 " & 0x%" PRIx64 "ull) == 0x%" PRIx64 "ull)",
               join, a->word, a->look, a->want);
  }
}

// The guards, or bits of one-token places, that firing may set too often.
static uint64_t danger (const tl_gpu_net *n, uint32_t transition, uint32_t word,
                        bool guarded) {
  const tl_net *net = n->layout->net;
  uint64_t bits = 0;
  for (tl_change g = tl_net_change (net, transition);
       tl_net_change_next (&g);) {
    const tl_field *field = n->layout->field + g.place;
    if (g.amount > 0 && !n->bounded[g.place] && field->word == word &&
        field->guarded == guarded)
      bits |= (uint64_t)1 << (field->shift + (guarded ? field->width : 0));
  }
  return bits;
}

static bool is_dangerous (const tl_gpu_net *n, uint32_t t) {
  for (uint64_t i = n->firing->act_start[t]; i < n->firing->act_start[t + 1];
       i++) {
    const uint32_t word = n->firing->act[i].word;
    if (danger (n, t, word, true) || danger (n, t, word, false))
      return true;
  }
  return false;
}

static void write_misfit (FILE *f, const tl_gpu_net *n, uint32_t t) {
  fprintf (f, "(0");
  for (uint64_t i = n->firing->act_start[t]; i < n->firing->act_start[t + 1];
       i++) {
    const tl_act *a = n->firing->act + i;
    const uint64_t contact = danger (n, t, a->word, false) & a->contact,
                   guards = danger (n, t, a->word, true);
    if (contact)
      fprintf (f, " | (s%" PRIu32 " & 0x%" PRIx64 "ull)", a->word, contact);
    if (guards)
      fprintf (f, " | ((s%" PRIu32 " + 0x%" PRIx64 "ull) & 0x%" PRIx64 "ull)",
               a->word, a->add, guards);
  }
  fprintf (f, ") != 0");
}

static void write_set (FILE *f, const tl_gpu_net *n, uint32_t set) {
  const uint32_t first = 64 * set, all = n->layout->net->transitions,
                 end = all < first + 64 ? all : first + 64;
  fprintf (f, "  u64 m%" PRIu32 " = 0;\n", set);
  for (uint32_t t = first; t < end; t++) {
    fprintf (f, "  m%" PRIu32 " |= (u64)(", set);
    write_enabled (f, n->firing, t);
    fprintf (f, ") << %" PRIu32 ";\n", t - first);
  }
  fprintf (f, "  m%" PRIu32 " &= live;\n", set);
}

static void write_fire (FILE *f, const tl_gpu_net *n, uint32_t set) {
  const uint32_t first = 64 * set, all = n->layout->net->transitions,
                 end = all < first + 64 ? all : first + 64;
  fprintf (f, "  u64 x%" PRIu32 " = 0;\n", set);
  for (uint32_t t = first; t < end; t++)
    if (is_dangerous (n, t)) {
      fprintf (f, "  x%" PRIu32 " |= (u64)(", set);
      write_misfit (f, n, t);
      fprintf (f, ") << %" PRIu32 ";\n", t - first);
    }
  fprintf (f,
           "  fire_set (c, tally, mine, k, by, %" PRIu32 ", m%" PRIu32
           ", x%" PRIu32 ");\n",
           set, set, set);
}

// ---- What is counted -------------------------------------------------------

// Has some place of a word more tokens than so far?
static void write_raise (FILE *f, const tl_layout *l, uint32_t word) {
  uint64_t counted = 0;
  for (uint32_t p = 0; p < l->net->places; p++)
    if (l->field[p].guarded && l->field[p].word == word)
      counted |= tl_low_bits (l->field[p].width) << l->field[p].shift;
  fprintf (f,
           "  if (((((c->top[%" PRIu32 "] | 0x%" PRIx64 "ull) - (s%" PRIu32
           " & 0x%" PRIx64 "ull)) & 0x%" PRIx64 "ull) != 0x%" PRIx64
           "ull) |\n      ((s%" PRIu32 " & ~c->top[%" PRIu32 "] & 0x%" PRIx64
           "ull) != 0))\n    raise_tokens (tally, %" PRIu32 ", s%" PRIu32
           ");\n",
           word, l->guards[word], word, counted, l->guards[word],
           l->guards[word], word, word, ~counted, word, word);
}

static void write_tokens (FILE *f, const tl_layout *l) {
  uint64_t constant = 0;
  for (uint32_t p = 0; p < l->net->places; p++)
    if (!l->field[p].width)
      constant += l->net->initial[p];
  fprintf (f, "  const u64 tokens = 0x%" PRIx64 "ull", constant);
  for (uint32_t w = 0; w < l->words; w++)
    for (unsigned b = 0; b < TL_FIELD_MAX_WIDTH; b++) {
      uint64_t plane = 0;
      for (uint32_t p = 0; p < l->net->places; p++)
        if (l->field[p].word == w && l->field[p].width > b)
          plane |= (uint64_t)1 << (l->field[p].shift + b);
      if (plane)
        fprintf (
            f, "\n      + ((u64)ones (s%" PRIu32 " & 0x%" PRIx64 "ull) << %u)",
            w, plane, b);
    }
  fprintf (f, ";\n  if (tokens > mine->most)\n    mine->most = tokens;\n");
}

// ---- What the host looks for -----------------------------------------------

static void write_names (FILE *f, const tl_layout *l) {
  for (uint32_t p = 0; p < l->net->places; p++) {
    const tl_field *field = l->field + p;
    if (field->width)
      fprintf (f,
               "#define TOKENS_%" PRIu32 " (s%" PRIu32 " >> %u & 0x%" PRIx64
               "ull)\n",
               p, field->word, field->shift, tl_low_bits (field->width));
    else
      fprintf (f, "#define TOKENS_%" PRIu32 " ((u64)%" PRIu64 "ull)\n", p,
               (uint64_t)l->net->initial[p]);
  }
  for (uint32_t t = 0; t < l->net->transitions; t++)
    fprintf (f,
             "#define FIREABLE_%" PRIu32 " ((int)(m%" PRIu32 " >> %" PRIu32
             " & 1))\n",
             t, t / 64, t % 64);
  fprintf (f, "#define LIMIT(I) (((const u64 *)c->limits)[I])\n");
}

static void write_test (FILE *f, const tl_gpu_net *n) {
  if (!n->test)
    return;
  fprintf (f, "  if (live && (");
  n->test (n->test_context, f);
  fprintf (f, "))\n    show (tally, k, by, TL_GPU_ASKED);\n");
}

// ---- All of it -------------------------------------------------------------

static void write_look (FILE *f, const tl_gpu_net *n) {
  fprintf (f, "DEVICE void look_at (const tl_gpu_call *c, tl_gpu_tally *tally, "
              "key k, u32 by) {\n");
  if (n->test) {
    fprintf (f, "  const u64 live = ~(u64)0;\n");
    write_state (f, n);
    for (uint32_t q = 0; q < tl_gpu_sets (n); q++)
      write_set (f, n, q);
    fprintf (f, "  const int dead = !(0");
    for (uint32_t q = 0; q < tl_gpu_sets (n); q++)
      fprintf (f, " | m%" PRIu32, q);
    fprintf (f, ");\n  (void)dead;\n");
    write_test (f, n);
  }
  fprintf (f, "}\n");
}

static void write_expand (FILE *f, const tl_gpu_net *n) {
  const uint32_t sets = tl_gpu_sets (n);
  fprintf (f, "DEVICE void expand_state (const tl_gpu_call *c, tl_gpu_tally "
              "*tally, own *mine,\n    key k, u32 by, u64 live) {\n");
  write_state (f, n);
  write_tokens (f, n->layout);
  for (uint32_t w = 0; w < n->layout->words; w++)
    write_raise (f, n->layout, w);
  for (uint32_t q = 0; q < sets; q++) {
    write_set (f, n, q);
    if (!n->test)
      write_fire (f, n, q);
  }
  fprintf (f, "  const int dead = live && !(0");
  for (uint32_t q = 0; q < sets; q++)
    fprintf (f, " | m%" PRIu32, q);
  fprintf (f, ");\n  mine->dead += (u32)dead;\n  if (dead && c->wants_dead)\n"
              "    show (tally, k, by, TL_GPU_DEAD);\n");
  write_test (f, n);
  for (uint32_t q = 0; n->test && q < sets; q++)
    write_fire (f, n, q);
  fprintf (f, "}\n");
}

static void write_numbers (FILE *f, const tl_gpu_net *n,
                           const tl_gpu_table_shape *shape) {
  fprintf (f,
           "#define SLOTS %d\n#define PAIRS %d\n#define LANES %d\n"
           "#define MAP %d\n#define TABLE_KIND %d\n#define LANE_BITS %u\n"
           "#define CELL_BITS %u\n#define KEY_WORDS %" PRIu32
           "\n#define KEY_BITS %" PRIu32 "\n#define SETS %" PRIu32 "\n",
           TL_GPU_SLOTS, TL_GPU_PAIRS, TL_GPU_LANES, TL_GPU_MAP, shape->kind,
           shape->lane_bits, shape->cell_bits, n->code->key_words,
           n->code->key_bits, tl_gpu_sets (n));
  fprintf (f, "#define SET_WAY %s\n", tl_gpu_sets (n) > 2 ? "APART" : "DEVICE");
}

static void write_tables (FILE *f, const tl_gpu_net *n) {
  for (uint32_t w = 0; w < n->code->key_words; w++)
    write_steps (f, n, w);
  write_field_starts (f, n->layout);
  write_fields (f, n->layout, "place", 0);
  write_fields (f, n->layout, "shift", 1);
  write_fields (f, n->layout, "width", 2);
  if (!n->code->identity)
    write_rows (f, n->code);
  if (n->test)
    write_names (f, n->layout);
}

void tl_gpu_write (FILE *f, const tl_gpu_net *n,
                   const tl_gpu_table_shape *shape, bool cuda) {
  fputs (call_text, f);
  fputs (cuda ? cuda_text : processor_text, f);
  write_numbers (f, n, shape);
  write_tables (f, n);
  fputs (table_text, f);
  fputs (firing_text, f);
  write_look (f, n);
  write_expand (f, n);
  fputs (kernels_text, f);
  if (cuda)
    return;
  fputs ("void (*const tideline_kernels[]) (tl_gpu_call, u64, u64) = {", f);
#define NAMED(NAME) fputs (#NAME ", ", f);
  TL_GPU_KERNELS (NAMED)
#undef NAMED
  fputs ("};\n", f);
}
