#include "verify/assertion.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 1100 };

// ---- Reading ---------------------------------------------------------------

tl_status tl_cert_signed (tl_cert_source *s, int64_t *out) {
  uint64_t number = 0;
  const tl_status rc = tl_cert_number (s, 2 * (uint64_t)TL_CERT_LARGE, &number);
  const int64_t size = (int64_t)(number >> 1);
  *out = number & 1 ? -size : size;
  return rc;
}

tl_status tl_cert_read_terms (tl_cert_source *s, const tl_cert_net *net,
                              bool positive, uint32_t *count,
                              const tl_cert_term **out) {
  tl_cert_term *term = 0;
  int64_t sizes = 0;
  tl_status rc = tl_cert_count (s, count);
  if (!rc && *count && !TL_ARENA_NEW (s->arena, term, *count))
    rc = tl_cert_no_memory (s);
  for (uint32_t i = 0; !rc && i < *count; i++) {
    rc = tl_cert_index (s, net->places, &term[i].place);
    if (!rc)
      rc = tl_cert_signed (s, &term[i].factor);
    const int64_t factor = term[i].factor;
    if (!rc &&
        (!factor || (positive && factor < 0) ||
         (i && term[i].place <= term[i - 1].place) ||
         __builtin_add_overflow (sizes, factor < 0 ? -factor : factor, &sizes)))
      rc = tl_cert_malformed (s, "terms are not in order, or too large");
  }
  *out = term;
  return rc;
}

static tl_status read_transitions (tl_cert_source *s, const tl_cert_net *net,
                                   tl_assertion *a) {
  uint32_t *transition = 0;
  tl_status rc = tl_cert_count (s, &a->count);
  if (!rc && a->count && !TL_ARENA_NEW (s->arena, transition, a->count))
    rc = tl_cert_no_memory (s);
  for (uint32_t i = 0; !rc && i < a->count; i++)
    rc = tl_cert_index (s, net->transitions, transition + i);
  a->transition = transition;
  return rc;
}

static tl_status read_at (tl_cert_source *, const tl_cert_net *, tl_assertion *,
                          unsigned depth, bool inside);

static tl_status read_operands (tl_cert_source *s, const tl_cert_net *net,
                                tl_assertion *a, unsigned depth, bool inside) {
  tl_assertion *operand = 0;
  tl_status rc = TL_OK;
  if (a->op == TL_CERT_AND || a->op == TL_CERT_OR)
    rc = tl_cert_count (s, &a->count);
  else
    a->count = 1;
  if (!rc && a->count && !TL_ARENA_NEW (s->arena, operand, a->count))
    rc = tl_cert_no_memory (s);
  for (uint32_t i = 0; !rc && i < a->count; i++)
    rc = read_at (s, net, operand + i, depth + 1, inside);
  a->operand = operand;
  return rc;
}

static tl_status read_at (tl_cert_source *s, const tl_cert_net *net,
                          tl_assertion *a, unsigned depth, bool inside) {
  uint64_t op = 0;
  tl_status rc = tl_cert_number (s, TL_CERT_OPS - 1, &op);
  if (rc)
    return rc;
  *a = (tl_assertion){.op = (tl_cert_op)op};
  if (depth > DEEPEST || (inside && op >= TL_CERT_EF))
    return tl_cert_malformed (s, "a formula is nested too deeply");
  switch (a->op) {
  case TL_CERT_COMPARE:
    rc = tl_cert_read_terms (s, net, false, &a->count, &a->term);
    return rc ? rc : tl_cert_signed (s, &a->bound);
  case TL_CERT_FIREABLE: return read_transitions (s, net, a);
  case TL_CERT_TRUE:
  case TL_CERT_FALSE:
  case TL_CERT_DEADLOCK: return TL_OK;
  default: return read_operands (s, net, a, depth, inside || op >= TL_CERT_EF);
  }
}

tl_status tl_assertion_read (tl_cert_source *s, const tl_cert_net *net,
                             tl_assertion *a) {
  return read_at (s, net, a, 0, false);
}

// ---- At a marking ----------------------------------------------------------

bool tl_cert_enabled (const tl_cert_transition *t, const uint64_t *tokens) {
  for (uint32_t i = 0; i < t->pres; i++)
    if (tokens[t->pre[i].place] < t->pre[i].weight)
      return false;
  for (uint32_t i = 0; i < t->inhibitors; i++)
    if (tokens[t->inhibitor[i].place] >= t->inhibitor[i].weight)
      return false;
  return true;
}

__int128 tl_cert_sum (const tl_cert_term *term, uint32_t count,
                      const uint64_t *tokens) {
  __int128 sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += (__int128)term[i].factor * tokens[term[i].place];
  return sum;
}

static bool is_fireable (const tl_assertion *a, const tl_cert_net *net,
                         const uint64_t *tokens) {
  for (uint32_t i = 0; i < a->count; i++)
    if (tl_cert_enabled (net->transition + a->transition[i], tokens))
      return true;
  return false;
}

static bool is_dead (const tl_cert_net *net, const uint64_t *tokens) {
  for (uint32_t t = 0; t < net->transitions; t++)
    if (tl_cert_enabled (net->transition + t, tokens))
      return false;
  return true;
}

bool tl_assertion_holds (const tl_assertion *a, const tl_cert_net *net,
                         const uint64_t *tokens) {
  switch (a->op) {
  case TL_CERT_TRUE: return true;
  case TL_CERT_COMPARE:
    return tl_cert_sum (a->term, a->count, tokens) <= a->bound;
  case TL_CERT_FIREABLE: return is_fireable (a, net, tokens);
  case TL_CERT_DEADLOCK: return is_dead (net, tokens);
  case TL_CERT_NOT: return !tl_assertion_holds (a->operand, net, tokens);
  case TL_CERT_AND:
  case TL_CERT_OR:
    for (uint32_t i = 0; i < a->count; i++)
      if (tl_assertion_holds (a->operand + i, net, tokens) ==
          (a->op == TL_CERT_OR))
        return a->op == TL_CERT_OR;
    return a->op == TL_CERT_AND;
  default: return false;
  }
}

// ---- As text ---------------------------------------------------------------

static void print_name (const char *name, FILE *f) {
  const char *end = name;
  while (isalnum ((unsigned char)*end) || *end == '_')
    end++;
  if (*name && !*end && !isdigit ((unsigned char)*name)) {
    fputs (name, f);
    return;
  }
  fputc ('"', f);
  for (; *name; name++)
    fprintf (f, *name == '"' || *name == '\\' ? "\\%c" : "%c", *name);
  fputc ('"', f);
}

void tl_cert_print_sum (const tl_cert_term *term, uint32_t count,
                        const tl_cert_net *net, FILE *f) {
  for (uint32_t i = 0; i < count; i++) {
    const int64_t factor = term[i].factor, size = factor < 0 ? -factor : factor;
    fputs (factor < 0 ? (i ? " - " : "-") : (i ? " + " : ""), f);
    if (size != 1)
      fprintf (f, "%" PRId64 " * ", size);
    print_name (net->place_id[term[i].place], f);
  }
  if (!count)
    fputc ('0', f);
}

static void print_operand (const tl_assertion *a, const tl_cert_net *net,
                           FILE *f) {
  fputc ('(', f);
  tl_assertion_print (a, net, f);
  fputc (')', f);
}

static void print_operands (const tl_assertion *a, const tl_cert_net *net,
                            FILE *f) {
  if (!a->count)
    fputs (a->op == TL_CERT_AND ? "TRUE" : "FALSE", f);
  for (uint32_t i = 0; i < a->count; i++) {
    if (i)
      fputs (a->op == TL_CERT_AND ? " AND " : " OR ", f);
    print_operand (a->operand + i, net, f);
  }
}

static void print_fireable (const tl_assertion *a, const tl_cert_net *net,
                            FILE *f) {
  if (!a->count) {
    fputs ("FALSE", f);
    return;
  }
  fputs ("FIREABLE(", f);
  for (uint32_t i = 0; i < a->count; i++) {
    fputs (i ? ", " : "", f);
    print_name (net->transition[a->transition[i]].id, f);
  }
  fputc (')', f);
}

void tl_assertion_print (const tl_assertion *a, const tl_cert_net *net,
                         FILE *f) {
  static const char *const word[TL_CERT_OPS] = {
      "TRUE", "FALSE", "", "", "DEADLOCK", "NOT ", "", "", "EF ", "AG "};
  fputs (word[a->op], f);
  switch (a->op) {
  case TL_CERT_COMPARE:
    tl_cert_print_sum (a->term, a->count, net, f);
    fprintf (f, " <= %" PRId64, a->bound);
    break;
  case TL_CERT_FIREABLE: print_fireable (a, net, f); break;
  case TL_CERT_AND:
  case TL_CERT_OR: print_operands (a, net, f); break;
  case TL_CERT_NOT:
  case TL_CERT_EF:
  case TL_CERT_AG: print_operand (a->operand, net, f); break;
  default: break;
  }
}
