#include "compile/kernel.h"

#include "compile/emit.h"

#include <stdlib.h>

// The kernel of a net, function by function: `seek` and what arcs move for each
// transition, and the code of all places.

// More tokens of one kind are not counted.
#define MOST_MANY (1 << 30)

typedef struct writer {
  tl_emit *e;
  const tl_kernel_plan *plan;
  bool refused;
} writer;

static tl_status close_function (writer *w, const char *kind, uint32_t number) {
  w->refused |= w->e->refused;
  return tl_emit_close (w->e, kind, number, "");
}

// ---- Tokens that are known -------------------------------------------------

// The cells of a part, as text: of a number, or of what a pointer points to.
static const char *cell_text (tl_emit_known value, uint32_t cell, char *text,
                              size_t size) {
  if (value.number)
    snprintf (text, size, "n%u", value.name);
  else
    snprintf (text, size, "p%u[%u]", value.name, cell);
  return text;
}

// A number with the token that the parts make; what is not a value of the
// place leads to `otherwise`, or opens a block.  *blocks: that were opened.
static uint32_t emit_token (writer *w, const tl_cplace *place,
                            const tl_kernel_place *at,
                            const tl_emit_known *value, const char *otherwise,
                            uint32_t *blocks) {
  FILE *body = w->e->body;
  const uint32_t n = tl_emit_new_number (w->e);
  char text[40];
  fprintf (body, "n%u = %u;\n", n, 64 * at->word);
  for (uint32_t i = 0; i < place->parts; i++)
    for (uint32_t k = 0; k < place->part[i]->cells; k++) {
      const tl_leaf *leaf = at->leaf + place->part_offset[i] + k;
      const char *cell = cell_text (value[i], k, text, sizeof text);
      const long long first = (long long)leaf->first;
      if (otherwise)
        fprintf (body, "if ((uint64_t)(%s - %lldll) >= %lluull) %s;\n", cell,
                 first, (unsigned long long)leaf->values, otherwise);
      else
        fprintf (body, "if ((uint64_t)(%s - %lldll) < %lluull) {\n", cell,
                 first, (unsigned long long)leaf->values);
      *blocks += !otherwise;
      fprintf (body, "n%u += (%s - %lldll) * %llull;\n", n, cell, first,
               (unsigned long long)leaf->stride);
    }
  return n;
}

// ---- What arcs move --------------------------------------------------------

static void move_tuple (writer *w, const tl_tuple *t, uint32_t place,
                        bool counts) {
  tl_emit *e = w->e;
  const tl_cplace *of = e->net->place + place;
  tl_emit_known value[TL_EMIT_PARTS];
  uint32_t none = 0;
  e->refused |= of->parts > TL_EMIT_PARTS;
  if (e->refused || !t->factor)
    return;
  fprintf (e->body, "{\n");
  tl_emit_loops (e, t->loop, t->loops);
  if (t->condition)
    fprintf (e->body, "if (n%u) {\n", tl_emit_number (e, t->condition));
  for (uint32_t i = 0; i < of->parts; i++)
    value[i] = tl_emit_value (e, t->part[i]);
  const uint32_t token =
      emit_token (w, of, w->plan->place + place, value, "goto wrong", &none);
  const uint32_t n = tl_emit_new_number (e);
  fprintf (e->body,
           "n%u = change (e->state, %u, n%u, %lld * e->sign);\n"
           "e->wrong |= n%u < 0 || n%u > %u;\n",
           n, place, token, (long long)t->factor, n, n,
           of->capacity < MOST_MANY ? of->capacity : (uint32_t)MOST_MANY);
  if (counts)
    fprintf (e->body, "if (n%u > e->state->most) e->state->most = n%u;\n", n,
             n);
  tl_emit_loops_end (e, t->loops + 1 + (t->condition != 0));
}

static tl_status moves (writer *w, const char *kind, uint32_t transition,
                        const tl_carc *arc, uint32_t arcs, bool counts) {
  if (!tl_emit_open (w->e))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < arcs; i++)
    for (uint32_t k = 0; k < arc[i].label.tuples; k++)
      move_tuple (w, arc[i].label.tuple + k, arc[i].place, counts);
  return close_function (w, kind, transition);
}

// Both ways: variables that are computed, then `first` loses tokens and
// `second` gets some.
static tl_status both (writer *w, const char *kind, uint32_t transition,
                       const char *first, const char *second) {
  const tl_ctransition *t = w->e->net->transition + transition;
  if (!tl_emit_open (w->e))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < t->variables; i++)
    if (t->variable[i].kind == TL_VARIABLE_LET)
      tl_emit_copy (w->e, t->variable[i].let, TL_TO_FRAME,
                    t->variable[i].offset);
  fprintf (w->e->body,
           "e->wrong = 0;\ne->sign = -1;\nif (%s%u (e, f)) goto wrong;\n"
           "e->sign = 1;\nif (%s%u (e, f) || e->wrong) goto wrong;\n",
           first, transition, second, transition);
  return close_function (w, kind, transition);
}

// ---- Bindings --------------------------------------------------------------

// All parts are known: is the token there?
static uint32_t ask_for (writer *w, uint32_t place,
                         const tl_emit_known *value) {
  uint32_t blocks = 1;
  const uint32_t n = emit_token (w, w->e->net->place + place,
                                 w->plan->place + place, value, 0, &blocks);
  fprintf (w->e->body, "if (e->state->many[n%u] > 0) {\n", n);
  return blocks;
}

static void compare_part (writer *w, const tl_cplace *place,
                          const tl_kernel_place *at, uint32_t part,
                          uint32_t rank, tl_emit_known value) {
  char text[40];
  for (uint32_t k = 0; k < place->part[part]->cells; k++) {
    const tl_leaf *leaf = at->leaf + place->part_offset[part] + k;
    fprintf (w->e->body, "if (%lldll + n%u / %lluu %% %lluu != %s) continue;\n",
             (long long)leaf->first, rank, (unsigned long long)leaf->stride,
             (unsigned long long)leaf->values,
             cell_text (value, k, text, sizeof text));
  }
}

static void bind_part (writer *w, const tl_cplace *place,
                       const tl_kernel_place *at, uint32_t part, uint32_t rank,
                       uint32_t offset) {
  for (uint32_t k = 0; k < place->part[part]->cells; k++) {
    const tl_leaf *leaf = at->leaf + place->part_offset[part] + k;
    fprintf (w->e->body, "f[%u] = (cell)(%lldll + n%u / %lluu %% %lluu);\n",
             offset + k, (long long)leaf->first, rank,
             (unsigned long long)leaf->stride,
             (unsigned long long)leaf->values);
  }
}

// Where the first parts are known, only tokens of a span of ranks can fit: the
// number that it begins at, and how long it is; 0: there are no such parts.
static uint32_t begin_span (writer *w, const tl_task *task,
                            const tl_emit_known *value, uint64_t *length,
                            uint32_t *blocks) {
  const tl_cplace *place = w->e->net->place + task->arc->place;
  const tl_kernel_place *at = w->plan->place + task->arc->place;
  uint32_t n = 0;
  for (uint32_t i = 0; at->words > 1 && task->use[i] == TL_PART_KNOWN &&
                       tl_type_is_discrete (place->part[i]);
       i++) {
    const tl_leaf *leaf = at->leaf + place->part_offset[i];
    const long long first = (long long)leaf->first;
    if (!n) {
      n = tl_emit_new_number (w->e);
      fprintf (w->e->body, "n%u = 0;\n", n);
    }
    fprintf (w->e->body,
             "if ((uint64_t)(n%u - %lldll) < %lluull) {\n"
             "n%u += (n%u - %lldll) * %llull;\n",
             value[i].name, first, (unsigned long long)leaf->values, n,
             value[i].name, first, (unsigned long long)leaf->stride);
    *length = leaf->stride;
    ++*blocks;
  }
  return n;
}

// Some parts are not: the tokens that are there are gone through.
static uint32_t go_through (writer *w, const tl_task *task,
                            const tl_emit_known *value) {
  tl_emit *e = w->e;
  const tl_cplace *place = e->net->place + task->arc->place;
  const tl_kernel_place *at = w->plan->place + task->arc->place;
  const uint32_t n = tl_emit_new_number (e), word = tl_emit_new_number (e);
  uint32_t blocks = 1;
  uint64_t length;
  const uint32_t span = begin_span (w, task, value, &length, &blocks);
  fprintf (e->head, "uint64_t m%u;\n", n);
  if (span)
    fprintf (e->body, "for (n%u = n%u / 64; n%u <= (n%u + %llu) / 64; n%u++)\n",
             word, span, word, span, (unsigned long long)length - 1, word);
  else
    fprintf (e->body, "for (n%u = 0; n%u < %u; n%u++)\n", word, word, at->words,
             word);
  fprintf (e->body,
           "for (m%u = e->state->bits[%u + n%u]; m%u; m%u &= m%u - 1) {\n"
           "n%u = 64 * n%u + __builtin_ctzll (m%u);\n",
           n, at->word, word, n, n, n, n, word, n);
  if (span)
    fprintf (e->body, "if ((uint64_t)(n%u - n%u) >= %lluull) continue;\n", n,
             span, (unsigned long long)length);
  for (uint32_t i = 0; i < place->parts; i++)
    if (task->use[i] == TL_PART_KNOWN)
      compare_part (w, place, at, i, n, value[i]);
  for (uint32_t i = 0; i < place->parts; i++)
    if (task->use[i] == TL_PART_BINDS)
      bind_part (w, place, at, i, n, task->tuple->part[i]->offset);
  for (uint32_t i = 0; i < place->parts; i++)
    if (task->use[i] == TL_PART_AFTER)
      compare_part (w, place, at, i, n,
                    tl_emit_value (e, task->tuple->part[i]));
  return blocks;
}

static uint32_t take (writer *w, const tl_task *task) {
  tl_emit *e = w->e;
  const tl_cplace *place = e->net->place + task->arc->place;
  tl_emit_known value[TL_EMIT_PARTS];
  bool all = true;
  e->refused |= place->parts > TL_EMIT_PARTS;
  if (e->refused)
    return 0;
  for (uint32_t i = 0; i < place->parts; i++) {
    all &= task->use[i] == TL_PART_KNOWN;
    if (task->use[i] == TL_PART_KNOWN)
      value[i] = tl_emit_value (e, task->tuple->part[i]);
  }
  return all ? ask_for (w, task->arc->place, value)
             : go_through (w, task, value);
}

// Is a binding enabled if each of its tuples has found a token?
static bool is_simple (const tl_ctransition *t) {
  for (uint32_t i = 0; i < t->ins; i++) {
    const tl_label *label = &t->in[i].label;
    for (uint32_t k = 0; k < i; k++)
      if (t->in[k].place == t->in[i].place)
        return false;
    if (label->tuples != 1 || label->tuple->factor != 1 ||
        !tl_tuple_is_taken (label, label->tuple))
      return false;
  }
  return true;
}

// The rank of the binding goes into the list.
static void note_binding (writer *w, uint32_t transition) {
  const tl_kernel_event *event = w->plan->event + transition;
  FILE *body = w->e->body;
  const uint32_t n = tl_emit_new_number (w->e);
  fprintf (body, "n%u = 0;\n", n);
  for (uint32_t i = 0; i < event->cells; i++) {
    const tl_leaf *leaf = event->leaf + i;
    fprintf (body,
             "if ((uint64_t)(f[%u] - %lldll) >= %lluull) goto wrong;\n"
             "n%u += (f[%u] - %lldll) * %llull;\n",
             event->offset[i], (long long)leaf->first,
             (unsigned long long)leaf->values, n, event->offset[i],
             (long long)leaf->first, (unsigned long long)leaf->stride);
  }
  fprintf (body,
           "if (e->ranks >= e->room) goto wrong;\n"
           "e->rank[e->ranks++] = (uint32_t)n%u;\n",
           n);
}

static tl_status seek (writer *w, uint32_t transition,
                       const tl_schedule *schedule) {
  tl_emit *e = w->e;
  const tl_ctransition *t = e->net->transition + transition;
  uint32_t blocks = 0;
  if (!tl_emit_open (e))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < schedule->tasks; i++)
    blocks += schedule->task[i].kind == TL_TASK_TAKE
                  ? take (w, schedule->task + i)
                  : tl_emit_task (e, t, schedule->task + i);
  if (!is_simple (t)) {
    const uint32_t n = tl_emit_new_number (e);
    fprintf (e->body,
             "e->wrong = 0;\ne->sign = -1;\nif (gone%u (e, f)) goto wrong;\n"
             "n%u = e->wrong;\ne->sign = 1;\nif (gone%u (e, f)) goto wrong;\n"
             "if (!n%u) {\n",
             transition, n, transition, n);
    blocks++;
  }
  note_binding (w, transition);
  tl_emit_loops_end (e, blocks);
  return close_function (w, "seek", transition);
}

// ---- Codes -----------------------------------------------------------------

// What follows from each token, and where nothing is.
static void write_follows (const writer *w) {
  const tl_kernel_plan *plan = w->plan;
  const tl_coloured *net = w->e->net;
  FILE *out = w->e->out;
  fprintf (out, "enum { FOLLOWERS = %d };\nstatic const int32_t constant[] = {",
           plan->terms != 0);
  for (uint32_t i = 0; i < 64 * plan->words; i++)
    fprintf (out, "%d,", plan->constant[i]);
  fprintf (out, "0};\nstatic const uint32_t follow_start[] = {");
  size_t at = 0;
  for (uint32_t i = 0; plan->terms && i <= 64 * plan->words; i++) {
    fprintf (out, "%zu,", at);
    while (at < plan->terms && plan->term[at].token == i)
      at++;
  }
  fprintf (out, "0};\nstatic const uint32_t follow_token[] = {");
  for (size_t i = 0; i < plan->terms; i++)
    fprintf (out, "%u,", plan->term[i].follows);
  fprintf (out, "0};\nstatic const int32_t follow_factor[] = {");
  for (size_t i = 0; i < plan->terms; i++)
    fprintf (out, "%d,", plan->term[i].factor);
  fprintf (out, "0};\nstatic const uint32_t follow_place[] = {");
  for (size_t i = 0; i < plan->terms; i++) {
    uint32_t p = 0;
    while (p + 1 < net->places &&
           plan->place[p + 1].word <= plan->term[i].follows / 64)
      p++;
    fprintf (out, "%u,", p);
  }
  fprintf (out, "0};\n");
}

static void write_constants (const writer *w) {
  const tl_kernel_plan *plan = w->plan;
  FILE *out = w->e->out;
  fprintf (out, "static const uint64_t constant_bits[] = {");
  for (uint32_t i = 0; i < plan->words; i++) {
    uint64_t bits = 0;
    for (uint32_t k = 0; k < 64; k++)
      bits |= (uint64_t)(plan->constant[64 * i + k] != 0) << k;
    fprintf (out, "%lluull,", (unsigned long long)bits);
  }
  fprintf (out, "0};\nstatic const int64_t constant_total[] = {");
  for (uint32_t p = 0; p < w->e->net->places; p++) {
    int64_t total = 0;
    const tl_kernel_place *at = plan->place + p;
    for (uint32_t i = 64 * at->word; i < 64 * (at->word + at->words); i++)
      total += plan->constant[i];
    fprintf (out, "%lldll,", (long long)total);
  }
  fprintf (out, "0};\n");
}

// The numbers of a place that its code depends on.
static void write_numbers (const writer *w, uint32_t place) {
  const tl_place_code *c = w->plan->code + place;
  fprintf (w->e->out, "%lluull, %lluull, %lluull, %lluull",
           (unsigned long long)c->values, (unsigned long long)c->least,
           (unsigned long long)c->most, (unsigned long long)c->place->capacity);
}

static void write_codes (const writer *w) {
  FILE *out = w->e->out;
  const uint32_t places = w->e->net->places, words = w->plan->words;
  fprintf (out,
           "static int32_t encode (const tl_kernel_state *u, uint64_t *key, "
           "uint64_t *bits) {\nout o = {key, 0, 0};\n");
  for (uint32_t p = 0; p < places; p++) {
    const tl_kernel_place *at = w->plan->place + p;
    if (at->follows)
      continue;
    fprintf (out,
             "if (pack (&o, u->bits + %u, u->many + %u, (uint64_t)u->total[%u],"
             " %u, ",
             at->word, 64 * at->word, p, at->words);
    write_numbers (w, p);
    fprintf (out, ")) return -1;\n");
  }
  fprintf (out,
           "*o.to = o.last;\n*bits = 64 * (uint64_t)(o.to - key) + o.filled;\n"
           "return 0;\n}\n"
           "static int32_t decode (tl_kernel_state *u, const uint64_t *key, "
           "uint64_t *bits) {\nin i = {key, 0};\n"
           "__builtin_memcpy (u->many, constant, %u);\n"
           "__builtin_memcpy (u->bits, constant_bits, %u);\n"
           "__builtin_memcpy (u->total, constant_total, %u);\n",
           64 * 4 * words, 8 * words, 8 * places);
  for (uint32_t p = 0; p < places; p++) {
    const tl_kernel_place *at = w->plan->place + p;
    if (at->follows)
      continue;
    fprintf (out, "if (unpack (u, &i, %u, %u, ", p, 64 * at->word);
    write_numbers (w, p);
    fprintf (out, ")) return -1;\n");
  }
  fprintf (out, "*bits = i.at;\nreturn 0;\n}\n"
                "static uint64_t hash (const tl_kernel_state *u) {\nreturn 0");
  for (uint32_t p = 0; p < places; p++)
    if (!w->plan->place[p].follows)
      fprintf (out, " + weigh (u, %u, %u, %u)", p, w->plan->place[p].word,
               w->plan->place[p].words);
  fprintf (out, ";\n}\n");
}

// Words for the longest code, and one more: a token takes 12 bits at most, how
// many there are of it 32, and their number some more.
static uint64_t code_words (const writer *w) {
  uint64_t bits = 64;
  for (uint32_t p = 0; p < w->e->net->places; p++)
    bits += 128 + 44 * w->plan->code[p].values;
  return bits / 64 + 2;
}

// ---- The kernel
// --------------------------------------------------------------

static void write_table (const writer *w, const char *kind) {
  fprintf (w->e->out, "static tl_program_function *const %s_table[] = {", kind);
  for (uint32_t i = 0; i < w->e->net->transitions; i++)
    fprintf (w->e->out, "%s%u,", kind, i);
  fprintf (w->e->out, "0};\n");
}

static tl_status transition (writer *w, uint32_t i, const tl_schedule *s) {
  const tl_ctransition *t = w->e->net->transition + i;
  tl_status rc = moves (w, "gone", i, t->in, t->ins, false);
  if (!rc)
    rc = moves (w, "come", i, t->out, t->outs, true);
  if (!rc)
    rc = both (w, "fire", i, "gone", "come");
  if (!rc)
    rc = both (w, "unfire", i, "come", "gone");
  return rc ? rc : seek (w, i, s);
}

tl_status tl_kernel_write (tl_emit *e, const tl_kernel_plan *plan,
                           const tl_schedule *schedule, bool *refused) {
  writer w = {e, plan, false};
  tl_status rc = TL_OK;
  write_follows (&w);
  write_constants (&w);
  fprintf (e->out, "%s\n", tl_kernel_prelude);
  for (uint32_t i = 0; !rc && i < e->net->transitions; i++)
    rc = transition (&w, i, schedule + i);
  *refused = w.refused;
  if (rc)
    return rc;
  write_codes (&w);
  write_table (&w, "seek");
  write_table (&w, "fire");
  write_table (&w, "unfire");
  fprintf (e->out,
           "static const tl_kernel kernel = {%u, %llu, seek_table, fire_table, "
           "unfire_table, encode, decode, hash};\n",
           plan->words, (unsigned long long)code_words (&w));
  return TL_OK;
}
