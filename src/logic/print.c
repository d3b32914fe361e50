// Formulas as text.  Binary operators inside of others stand in parentheses
// even where the reader would do without, people do not.

#include "logic/formula.h"
#include "logic/words.h"
#include "net/origin.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct writer {
  const tl_net *net;
  char *out;
  size_t size;
  size_t length; // of the whole text, also of what did not fit
} writer;

static void put (writer *w, const char *text, size_t length) {
  if (w->length < w->size) {
    const size_t room = w->size - w->length;
    memcpy (w->out + w->length, text, length < room ? length : room);
  }
  w->length += length;
}

static void put_text (writer *w, const char *text) {
  put (w, text, strlen (text));
}

static void put_number (writer *w, uint64_t n) {
  char digits[24];
  snprintf (digits, sizeof digits, "%" PRIu64, n);
  put_text (w, digits);
}

static void put_name (writer *w, const char *name) {
  if (tl_word_is_plain_name (name)) {
    put_text (w, name);
    return;
  }
  put_text (w, "\"");
  for (; *name; name++) {
    if (*name == '"' || *name == '\\')
      put_text (w, "\\");
    put (w, name, 1);
  }
  put_text (w, "\"");
}

static uint64_t magnitude (int64_t n) {
  return n < 0 ? -(uint64_t)n : (uint64_t)n;
}

// How many terms from here on are all that a coloured place is unfolded into,
// alike; its name stands for them.  0: they are none.
static uint32_t coloured_terms (const tl_net *net, const tl_summand *term,
                                uint32_t count, const char **name) {
  if (!net->origin)
    return 0;
  const uint32_t p = tl_origin_place (net->origin, term->place);
  const tl_node_range all = tl_shown_place (net, p);
  if (term->place != all.first || all.count > count)
    return 0;
  for (uint32_t i = 0; i < all.count; i++)
    if (term[i].place != all.first + i ||
        term[i].coefficient != term->coefficient)
      return 0;
  *name = net->origin->place_id[p];
  return all.count;
}

// The same for transitions.
static uint32_t coloured_transitions (const tl_net *net,
                                      const uint32_t *transition,
                                      uint32_t count, const char **name) {
  if (!net->origin)
    return 0;
  const uint32_t t = tl_origin_transition (net->origin, *transition);
  const tl_node_range all = tl_shown_transition (net, t);
  if (*transition != all.first || all.count > count ||
      transition[all.count - 1] != all.first + all.count - 1)
    return 0;
  *name = net->origin->transition_id[t];
  return all.count;
}

// The terms of one sign as a sum without signs, or nothing; true: there are.
static bool put_terms (writer *w, const tl_summand *term, uint32_t count,
                       bool negative) {
  bool some = false;
  for (uint32_t i = 0, step; i < count; i += step ? step : 1) {
    const char *name = w->net->place_id[term[i].place];
    step = coloured_terms (w->net, term + i, count - i, &name);
    if ((term[i].coefficient < 0) != negative)
      continue;
    if (some)
      put_text (w, " + ");
    some = true;
    if (magnitude (term[i].coefficient) != 1) {
      put_number (w, magnitude (term[i].coefficient));
      put_text (w, " * ");
    }
    put_name (w, name);
  }
  return some;
}

static bool has_sign (const tl_formula *f, bool negative) {
  for (uint32_t i = 0; i < f->count; i++)
    if ((f->term[i].coefficient < 0) == negative)
      return true;
  return false;
}

// sum `relation` bound, with what is negative on the other side.  A sum
// without positive terms is turned round: the caller gives the relation for
// both cases.
static void put_comparison (writer *w, const tl_formula *f, int64_t bound,
                            const char *relation, const char *turned) {
  const bool turn = !has_sign (f, false), both = has_sign (f, !turn);
  put_terms (w, f->term, f->count, turn);
  if (both && bound < 0) {
    put_text (w, " + ");
    put_number (w, magnitude (bound));
  }
  put_text (w, turn ? turned : relation);
  if (both) {
    put_terms (w, f->term, f->count, true);
    if (bound <= 0)
      return;
    put_text (w, " + ");
  } else if (bound && (bound < 0) != turn)
    put_text (w, "-");
  put_number (w, magnitude (bound));
}

// Are these two comparisons of a sum and of the same sum negated, as made
// from = and != ?
static bool are_opposite (const tl_formula *f) {
  if (f->count != 2 || f->operand[0]->op != TL_COMPARE ||
      f->operand[1]->op != TL_COMPARE)
    return false;
  const tl_formula *l = f->operand[0], *r = f->operand[1];
  if (l->count != r->count || !has_sign (l, false))
    return false;
  for (uint32_t i = 0; i < l->count; i++)
    if (l->term[i].place != r->term[i].place ||
        l->term[i].coefficient != -r->term[i].coefficient)
      return false;
  return true;
}

static bool is_equality (const tl_formula *f) {
  return f->op == TL_AND && are_opposite (f) &&
         (__int128)f->operand[0]->bound + f->operand[1]->bound == 0;
}

static bool is_inequality (const tl_formula *f) {
  return f->op == TL_OR && are_opposite (f) &&
         (__int128)f->operand[0]->bound + f->operand[1]->bound == -2 &&
         f->operand[0]->bound < INT64_MAX;
}

static void put_formula (writer *, const tl_formula *);

static bool is_word (const tl_formula *f) {
  return f->op != TL_COMPARE && f->op != TL_AND && f->op != TL_OR &&
         f->op < TL_UNTIL;
}

static void put_operand (writer *w, const tl_formula *f, bool bare) {
  if (!bare)
    put_text (w, "(");
  put_formula (w, f);
  if (!bare)
    put_text (w, ")");
}

static void put_operands (writer *w, const tl_formula *f, const char *between) {
  const bool temporal = f->op == TL_UNTIL || f->op == TL_RELEASE;
  for (uint32_t i = 0; i < f->count; i++) {
    const tl_formula *o = f->operand[i];
    if (i)
      put_text (w, between);
    put_operand (w, o,
                 o->op < TL_NOT || is_equality (o) || is_inequality (o) ||
                     (!temporal && is_word (o)));
  }
}

static void put_prefix (writer *w, const tl_formula *f, const char *text) {
  const tl_formula *operand = f->operand[0];
  put_text (w, text);
  // A quantifier and its temporal operator are written as one word.
  if ((f->op != TL_EXISTS && f->op != TL_ALL) || operand->op < TL_NEXT ||
      operand->op > TL_GLOBALLY)
    put_text (w, " ");
  put_operand (w, operand, is_word (operand));
}

static void put_fireable (writer *w, const tl_formula *f) {
  put_text (w, "FIREABLE(");
  for (uint32_t i = 0, step; i < f->count; i += step ? step : 1) {
    const char *name = w->net->transition_id[f->transition[i]];
    step =
        coloured_transitions (w->net, f->transition + i, f->count - i, &name);
    if (i)
      put_text (w, ", ");
    put_name (w, name);
  }
  put_text (w, ")");
}

static void put_and_or (writer *w, const tl_formula *f) {
  if (is_equality (f))
    put_comparison (w, f->operand[0], f->operand[0]->bound, " = ", " = ");
  else if (is_inequality (f))
    put_comparison (w, f->operand[0], f->operand[0]->bound + 1, " != ", " != ");
  else
    put_operands (w, f, f->op == TL_AND ? " AND " : " OR ");
}

// Is it about the place that is marked in the initial marking only?
static bool is_initial (const tl_net *net, const tl_formula *f) {
  return net->folded && f->count == 1 &&
         f->term[0].place == tl_folded_initial (net);
}

static void put_atom (writer *w, const tl_formula *f) {
  if (is_initial (w->net, f))
    put_text (w, f->bound < 0 ? "INITIAL" : "NOT INITIAL");
  else
    put_comparison (w, f, f->bound, " <= ", " >= ");
}

static void put_formula (writer *w, const tl_formula *f) {
  switch (f->op) {
  case TL_TRUE: put_text (w, "TRUE"); return;
  case TL_FALSE: put_text (w, "FALSE"); return;
  case TL_COMPARE: put_atom (w, f); return;
  case TL_FIREABLE: put_fireable (w, f); return;
  case TL_DEADLOCK: put_text (w, "DEADLOCK"); return;
  case TL_NOT: put_prefix (w, f, "NOT"); return;
  case TL_AND:
  case TL_OR: put_and_or (w, f); return;
  case TL_EXISTS: put_prefix (w, f, "E"); return;
  case TL_ALL: put_prefix (w, f, "A"); return;
  case TL_NEXT: put_prefix (w, f, "X"); return;
  case TL_FINALLY: put_prefix (w, f, "F"); return;
  case TL_GLOBALLY: put_prefix (w, f, "G"); return;
  case TL_UNTIL: put_operands (w, f, " U "); return;
  case TL_RELEASE: put_operands (w, f, " R "); return;
  }
}

// Ends the text; one that did not fit ends with dots, and with a whole
// character before them.
static size_t finish (writer *w) {
  if (w->length < w->size) {
    w->out[w->length] = 0;
  } else if (w->size) {
    size_t end = w->size - 1, dots = end < 3 ? end : 3;
    end -= dots;
    while (end && ((unsigned char)w->out[end] & 0xc0) == 0x80)
      end--;
    memcpy (w->out + end, "...", dots);
    w->out[end + dots] = 0;
  }
  return w->length;
}

size_t tl_formula_print (const tl_formula *f, const tl_net *net, char *out,
                         size_t size) {
  writer w = {.net = net, .out = out, .size = size};
  put_formula (&w, f);
  return finish (&w);
}

size_t tl_name_print (const char *name, char *out, size_t size) {
  writer w = {.out = out, .size = size};
  put_name (&w, name);
  return finish (&w);
}

static void put_bound (writer *w, const tl_question *q) {
  if (q->finite && q->term_count == w->net->places) {
    put_text (w, "bounded");
    return;
  }
  put_text (w, q->finite ? "AG (" : "MAX(");
  if (!put_terms (w, q->term, q->term_count, false))
    put_text (w, "0");
  put_text (w, q->finite ? " < oo)" : ")");
}

size_t tl_question_print (const tl_question *q, const tl_net *net, char *out,
                          size_t size) {
  writer w = {.net = net, .out = out, .size = size};
  switch (q->kind) {
  case TL_ASK_FORMULA: put_formula (&w, q->formula); break;
  case TL_ASK_BOUND: put_bound (&w, q); break;
  case TL_ASK_DEADLOCK: put_text (&w, "deadlock"); break;
  case TL_ASK_ONE_SAFE: put_text (&w, "one-safe"); break;
  case TL_ASK_QUASI_LIVE: put_text (&w, "quasi-live"); break;
  case TL_ASK_STABLE_MARKING: put_text (&w, "stable-marking"); break;
  case TL_ASK_LIVE: put_text (&w, "live"); break;
  case TL_ASK_HOME_STATE: put_text (&w, "home-state"); break;
  }
  return finish (&w);
}
