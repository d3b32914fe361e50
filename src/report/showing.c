#include "report/showing.h"

void tl_showing_open (tl_showing *s, const tl_net *net, tl_form form,
                      bool names) {
  *s = (tl_showing){.net = net, .form = form};
  s->mem = TL_MEM (0, "names");
  if (form & (TL_SHOW_IDS | TL_SHOW_NAMES))
    names = form & TL_SHOW_NAMES;
  if (names)
    s->names = !tl_titles_open (&s->titles, &s->mem, net);
}

void tl_showing_close (tl_showing *s) {
  tl_titles_close (&s->titles);
}

const char *tl_showing_choice (tl_showing *s, const tl_choice *c) {
  return s->names
             ? tl_title_in (&s->titles, false,
                            tl_shown_number (s->net, c->transition), c->step)
             : c->step;
}

const char *tl_showing_step (tl_showing *s, const tl_trace *trace,
                             uint64_t number) {
  return tl_showing_choice (
      s, &(tl_choice){.transition = trace->transition[number],
                      .step = tl_trace_step (s->net, trace, number)});
}

const char *tl_showing_node (tl_showing *s, bool place, const char *id) {
  const tl_net *net = s->net;
  const tl_origin *o = net->origin;
  const uint32_t node =
      tl_names_find (o ? (place ? &o->place_ids : &o->transition_ids)
                       : (place ? &net->place_ids : &net->transition_ids),
                     id);
  return s->names && node != TL_NO_NAME ? tl_title (&s->titles, place, node)
                                        : id;
}

const char *tl_showing_marked (tl_showing *s, const tl_marked *m) {
  return s->names ? tl_title_in (&s->titles, true, m->place, m->id) : m->id;
}
