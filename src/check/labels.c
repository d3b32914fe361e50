#include "check/labels.h"

#include <string.h>

tl_status tl_labels_open (tl_labels *l, tl_mem *mem, const tl_net *net) {
  *l = (tl_labels){.mem = mem, .net = net};
  return TL_NEW (mem, l->place, net->places) &&
                 TL_NEW (mem, l->wanted, net->places) &&
                 TL_NEW (mem, l->marking, net->places) &&
                 TL_NEW (mem, l->enabled, net->transitions / 64 + 1)
             ? TL_OK
             : TL_E_NOMEM;
}

void tl_labels_close (tl_labels *l) {
  for (size_t i = 0; i < l->count; i++) {
    tl_predicate_close (&l->label[i].program);
    TL_DEL (l->mem, l->label[i].bits, l->label[i].room);
  }
  TL_DEL (l->mem, l->label, l->label_room);
  if (l->place)
    TL_DEL (l->mem, l->place, l->net->places);
  if (l->wanted)
    TL_DEL (l->mem, l->wanted, l->net->places);
  if (l->marking)
    TL_DEL (l->mem, l->marking, l->net->places);
  if (l->enabled)
    TL_DEL (l->mem, l->enabled, l->net->transitions / 64 + 1);
}

static tl_state_label *find (const tl_labels *l, const tl_formula *formula) {
  for (size_t i = 0; i < l->count; i++)
    if (!tl_formula_order (l->label[i].formula, formula))
      return l->label + i;
  return 0;
}

static void want_places (tl_labels *l, const tl_predicate *p) {
  l->reads_enabled |= p->reads_enabled;
  for (size_t i = 0; i < p->places; i++)
    if (!l->wanted[p->place[i]]) {
      l->wanted[p->place[i]] = 1;
      l->place[l->places++] = p->place[i];
    }
}

tl_status tl_labels_add (tl_labels *l, const tl_formula *formula) {
  if (find (l, formula))
    return TL_OK;
  if (!TL_ROOM (l->mem, l->label, &l->label_room, l->count + 1))
    return TL_E_NOMEM;
  tl_state_label *label = l->label + l->count++;
  *label = (tl_state_label){.formula = formula};
  const tl_status rc =
      tl_predicate_open (&label->program, l->mem, l->net, formula);
  if (!rc)
    want_places (l, &label->program);
  return rc;
}

const uint64_t *tl_labels_find (const tl_labels *l, const tl_formula *formula) {
  const tl_state_label *label = find (l, formula);
  return label ? label->bits : 0;
}

const tl_predicate *tl_labels_program (const tl_labels *l,
                                       const tl_formula *formula) {
  const tl_state_label *label = find (l, formula);
  return label ? &label->program : 0;
}

static void set_enabled (tl_labels *l, const tl_visit *v, bool on) {
  for (uint32_t i = 0; i < v->enabled_count; i++) {
    const uint32_t t = v->enabled[i];
    l->enabled[t / 64] = on ? l->enabled[t / 64] | (uint64_t)1 << t % 64 : 0;
  }
}

tl_status tl_labels_visit (tl_labels *l, uint64_t number, const tl_visit *v) {
  const size_t word = (size_t)(number / 64);
  const unsigned bit = number % 64;
  for (size_t i = 0; i < l->places; i++)
    l->marking[l->place[i]] =
        tl_layout_tokens (v->layout, v->state, l->place[i]);
  if (l->reads_enabled)
    set_enabled (l, v, true);
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < l->count; i++) {
    tl_state_label *label = l->label + i;
    if (!TL_ROOM (l->mem, label->bits, &label->room, word + 1))
      rc = TL_E_NOMEM;
    else
      label->bits[word] |=
          (uint64_t)tl_predicate_run (&label->program, l->marking, l->enabled)
          << bit;
  }
  if (l->reads_enabled)
    set_enabled (l, v, false);
  return rc;
}

void tl_labels_restart (tl_labels *l) {
  for (size_t i = 0; i < l->count; i++)
    if (l->label[i].bits)
      memset (l->label[i].bits, 0, l->label[i].room * sizeof *l->label[i].bits);
}
