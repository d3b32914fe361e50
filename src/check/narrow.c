#include "check/narrow.h"

static void ask_for (bool *asked, const tl_summand *term, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    asked[term[i].place] = true;
}

static void ask (bool *asked, const tl_formula *f) {
  if (f->op == TL_COMPARE)
    ask_for (asked, f->term, f->count);
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    ask (asked, f->operand[i]);
}

tl_status tl_narrow_open (tl_narrow *n, tl_mem *mem, const tl_net *net,
                          const tl_questions *questions) {
  *n = (tl_narrow){.net = net, .mem = mem};
  if (!net->folded)
    return TL_OK;
  if (!TL_NEW (mem, n->asked, net->places))
    return TL_E_NOMEM;
  for (size_t i = 0; i < questions->count; i++) {
    const tl_question *q = questions->question + i;
    if (q->formula)
      ask (n->asked, q->formula);
    ask_for (n->asked, q->term, q->term_count);
  }
  n->folded = *net->folded;
  n->folded.asked = n->asked;
  n->own = *net;
  n->own.folded = &n->folded;
  n->net = &n->own;
  return TL_OK;
}

void tl_narrow_close (tl_narrow *n) {
  if (n->asked)
    TL_DEL (n->mem, n->asked, n->own.places);
}
