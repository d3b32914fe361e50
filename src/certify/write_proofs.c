#include "certify/write_proofs.h"

#include <string.h>

static void write_signed (tl_record_writer *w, int64_t n) {
  const uint64_t size = n < 0 ? -(uint64_t)n : (uint64_t)n;
  tl_records_write_number (w, size << 1 | (n < 0));
}

// ---- Facts -----------------------------------------------------------------

static void write_facts (tl_record_writer *w, const tl_case_proof *p) {
  tl_records_begin (w, "fact");
  tl_records_write_number (w, p->facts);
  for (size_t i = 0; i < p->facts; i++) {
    const tl_case_fact *f = p->fact + i;
    tl_records_write_number (w, f->trap);
    tl_records_write_number (w, f->count);
    for (uint32_t k = 0; k < f->count; k++) {
      const tl_entry *e = p->term + f->start + k;
      tl_records_write_number (w, e->index);
      if (!f->trap)
        write_signed (w, e->factor);
    }
  }
}

// ---- Formulas --------------------------------------------------------------

// In the order of the format, by tl_op.
enum { EF = 8, AG = 9 };

static void write_terms (tl_record_writer *w, const tl_summand *term,
                         uint32_t count) {
  tl_records_write_number (w, count);
  for (uint32_t i = 0; i < count; i++) {
    tl_records_write_number (w, term[i].place);
    write_signed (w, term[i].coefficient);
  }
}

static void write_formula (tl_record_writer *w, const tl_formula *f) {
  if (f->op >= TL_EXISTS) {
    tl_records_write_number (w, f->op == TL_EXISTS ? EF : AG);
    write_formula (w, f->operand[0]->operand[0]);
    return;
  }
  tl_records_write_number (w, f->op);
  if (f->op == TL_COMPARE) {
    write_terms (w, f->term, f->count);
    write_signed (w, f->bound);
    return;
  }
  if (f->op == TL_FIREABLE) {
    tl_records_write_number (w, f->count);
    for (uint32_t i = 0; i < f->count; i++)
      tl_records_write_number (w, f->transition[i]);
    return;
  }
  if (f->op == TL_AND || f->op == TL_OR)
    tl_records_write_number (w, f->count);
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    write_formula (w, f->operand[i]);
}

// ---- Evidence --------------------------------------------------------------

// Facts come before conditions.
static void write_step (tl_record_writer *w, const tl_case_proof *p,
                        const tl_case_step *s) {
  tl_records_write_number (w, s->sums);
  tl_records_write_number (w, s->count);
  for (uint32_t i = 0; s->sums && i < s->count; i++) {
    const tl_case_part *part = p->part + s->start + i;
    tl_records_write_number (w, part->number + (part->fact ? 0 : p->facts));
    write_signed (w, part->multiplier);
  }
  for (uint32_t i = 0; !s->sums && i < s->count; i++) {
    const tl_literal *l = p->literal + s->start + i;
    tl_records_write_number (w, l->bound);
    write_signed (w, l->least);
  }
}

static void write_evidence (tl_record_writer *w, const tl_case_proof *p,
                            const tl_certify_goal *g) {
  tl_records_write_number (w, g->evidence);
  if (g->evidence == TL_BY_RUN) {
    tl_records_write_number (w, g->run.length);
    for (uint64_t i = 0; i < g->run.length; i++)
      tl_records_write_number (w, g->run.transition[i]);
  }
  if (g->evidence == TL_BY_STEPS) {
    tl_records_write_number (w, g->last - g->first);
    for (size_t i = g->first; i < g->last; i++)
      write_step (w, p, p->step + i);
  }
}

// ---- Questions -------------------------------------------------------------

enum { FORMULA, MAX, FINITE, DEAD, ONE_SAFE, QUASI_LIVE, STABLE };

static unsigned kind_of (const tl_question *q) {
  switch (q->kind) {
  case TL_ASK_FORMULA: return FORMULA;
  case TL_ASK_BOUND: return q->finite ? FINITE : MAX;
  case TL_ASK_DEADLOCK: return DEAD;
  case TL_ASK_ONE_SAFE: return ONE_SAFE;
  case TL_ASK_QUASI_LIVE: return QUASI_LIVE;
  default: return STABLE;
  }
}

// A question that was typed has no other name; what the text says is in the
// formula.
static const char *name_of (const tl_certify_question *q) {
  const char *name = q->answer->name, *text = q->answer->formula;
  if (!name)
    return "";
  if (!text)
    return name;
  const char *a = name, *b = text;
  for (;; a++, b++) {
    a += strspn (a, " ");
    b += strspn (b, " ");
    if (!*a || *a != *b)
      return *a == *b ? "" : name;
  }
}

static void write_question (tl_record_writer *w, const tl_case_proof *p,
                            const tl_certify_question *q) {
  const unsigned kind = kind_of (q->question);
  tl_records_write_text (w, name_of (q));
  tl_records_write_number (w, kind);
  if (kind == FORMULA)
    write_formula (w, q->question->formula);
  if (kind == MAX || kind == FINITE) {
    write_terms (w, q->question->term, q->question->term_count);
    tl_records_write_number (w, q->value);
  } else {
    tl_records_write_number (w, q->answer->verdict == TL_VERDICT_TRUE);
  }
  for (uint32_t i = 0; i < q->goals; i++)
    write_evidence (w, p, q->goal + i);
}

static bool is_by_states (const tl_certify_question *q) {
  for (uint32_t i = 0; i < q->goals; i++)
    if (q->goal[i].evidence == TL_BY_STATES)
      return true;
  return false;
}

bool tl_certify_has (const tl_certifying *c, const tl_certify_question *q) {
  return !q->why_not && (is_by_states (q) || tl_certifying_decides (c, q));
}

void tl_certify_sections (const tl_certifying *c, tl_record_writer *w) {
  uint64_t count = 0;
  for (size_t i = 0; i < c->count; i++)
    count += tl_certify_has (c, c->question + i);
  write_facts (w, &c->proof);
  tl_records_begin (w, "asks");
  tl_records_write_number (w, count);
  for (size_t i = 0; i < c->count; i++)
    if (tl_certify_has (c, c->question + i))
      write_question (w, &c->proof, c->question + i);
}
