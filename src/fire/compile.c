#include "fire/compile.h"

#include <string.h>

// No word satisfies this: the only ask of a transition that is never enabled.
#define NEVER ((tl_ask){.look = 0, .want = 1})

static tl_ask *last_ask (tl_firing *p, uint32_t t, uint32_t word) {
  for (size_t i = (size_t)p->ask_start[t]; i < p->ask_start[t + 1]; i++)
    if (p->ask[i].word == word)
      return p->ask + i;
  return 0;
}

static tl_status add_ask (tl_firing *p, uint32_t t, tl_ask ask) {
  const size_t n = (size_t)p->ask_start[t + 1];
  if (!TL_ROOM (p->mem, p->ask, &p->ask_room, n + 1))
    return TL_E_NOMEM;
  p->ask[n] = ask;
  p->ask_start[t + 1]++;
  return TL_OK;
}

// Joins a question about one place with what is asked about its word already;
// a place that is asked about twice needs a second ask.
static tl_status join_ask (tl_firing *p, uint32_t t, tl_ask ask) {
  tl_ask *old = last_ask (p, t, ask.word);
  if (old && (old->look & ask.look)) {
    p->doubled = true;
    old = 0;
  }
  if (!old)
    return add_ask (p, t, ask);
  old->raise |= ask.raise;
  old->take |= ask.take;
  old->look |= ask.look;
  old->want |= ask.want;
  return TL_OK;
}

// Asks for at least `weight` tokens, or for an inhibitor arc for less; *never
// is set where the layout leaves no hope.
static tl_status ask_place (tl_firing *p, const tl_layout *l, uint32_t t,
                            tl_arc arc, bool inhibits, bool *never) {
  const tl_field *f = l->field + arc.place;
  const uint64_t most =
      f->width ? tl_low_bits (f->width) : l->net->initial[arc.place];
  if (arc.weight > most || !f->width) {
    *never |= inhibits == (arc.weight <= most);
    return TL_OK;
  }
  const uint64_t bit = (uint64_t)1 << (f->shift + (f->guarded ? f->width : 0));
  const uint64_t take = f->guarded ? (uint64_t)arc.weight << f->shift : 0;
  return join_ask (p, t,
                   (tl_ask){.word = f->word,
                            .raise = f->guarded ? bit : 0,
                            .take = take,
                            .look = bit,
                            .want = inhibits ? 0 : bit});
}

static tl_status compile_asks (tl_firing *p, const tl_layout *l, uint32_t t) {
  const tl_arcs pre = tl_net_pre (l->net, t),
                inhibitors = tl_net_inhibitors (l->net, t);
  tl_status rc = TL_OK;
  bool never = false;
  p->ask_start[t + 1] = p->ask_start[t];
  for (uint32_t i = 0; !rc && i < pre.count; i++)
    rc = ask_place (p, l, t, pre.arc[i], false, &never);
  for (uint32_t i = 0; !rc && i < inhibitors.count; i++)
    rc = ask_place (p, l, t, inhibitors.arc[i], true, &never);
  if (!rc && never) {
    p->ask_start[t + 1] = p->ask_start[t];
    rc = add_ask (p, t, NEVER);
  }
  return rc;
}

static tl_status compile_acts (tl_firing *p, const tl_layout *l, uint32_t t) {
  p->act_start[t + 1] = p->act_start[t];
  tl_act *act = 0;
  for (tl_change c = tl_net_change (l->net, t); tl_net_change_next (&c);) {
    const tl_field *f = l->field + c.place;
    if (!act || act->word != f->word) {
      // Places are laid out in order, so the words come in order too.
      const size_t n = (size_t)p->act_start[t + 1]++;
      if (!TL_ROOM (p->mem, p->act, &p->act_room, n + 1))
        return TL_E_NOMEM;
      act = p->act + n;
      *act = (tl_act){.word = f->word};
    }
    act->add += (uint64_t)c.amount << f->shift;
    if (!f->guarded && c.amount > 0)
      act->contact |= (uint64_t)1 << f->shift;
  }
  return TL_OK;
}

tl_status tl_firing_open (tl_firing *p, tl_mem *mem, const tl_layout *l) {
  *p = (tl_firing){.mem = mem, .transitions = l->net->transitions};
  tl_status rc = TL_OK;
  if (!TL_NEW (mem, p->ask_start, p->transitions + 1) ||
      !TL_NEW (mem, p->act_start, p->transitions + 1))
    rc = TL_E_NOMEM;
  for (uint32_t t = 0; !rc && t < p->transitions; t++)
    if (!(rc = compile_asks (p, l, t)))
      rc = compile_acts (p, l, t);
  if (rc)
    tl_firing_close (p);
  return rc;
}

void tl_firing_close (tl_firing *p) {
  TL_DEL (p->mem, p->ask_start, p->transitions + 1);
  TL_DEL (p->mem, p->act_start, p->transitions + 1);
  TL_DEL (p->mem, p->ask, p->ask_room);
  TL_DEL (p->mem, p->act, p->act_room);
}
