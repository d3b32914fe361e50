// What is known about a net without visiting its states: the structure, and
// the encoding that a search would begin with.

#include "api/not_unfolded.h"
#include "api/api_call.h"
#include "api/place_codes.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/sized.h"
#include "colour/coloured.h"
#include "encode/code.h"
#include "explore/widths.h"
#include "net/origin.h"
#include "reduce/reduced.h"
#include "structure/class.h"
#include "structure/structure.h"

#include <stdlib.h>

// About how long the structure of a large net is studied.
#define ANALYSIS_SECONDS 10.0

static tl_status fill_class (tl_info *info, tl_mem *mem, const tl_net *net) {
  tl_class c;
  const tl_status rc = tl_class_find (&c, mem, net);
  if (rc)
    return rc;
  info->ordinary = c.ordinary;
  info->free_choice = c.free_choice;
  info->state_machine = c.state_machine;
  info->marked_graph = c.marked_graph;
  info->inhibitors = c.inhibitors;
  info->units = net->units;
  info->units_safe = net->units_safe;
  for (uint32_t p = 0; p < net->places; p++)
    info->initial_tokens += net->initial[p];
  return TL_OK;
}

static tl_status fill_bounds (tl_info *info, const tl_structure *s) {
  const uint32_t places = s->net->places;
  info->places = places;
  info->bound = calloc (places + 1, sizeof *info->bound);
  info->bound_source = calloc (places + 1, sizeof *info->bound_source);
  if (!info->bound || !info->bound_source)
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < places; p++) {
    info->bound[p] =
        s->bound[p] == TL_NO_BOUND ? TL_NO_LIMIT : (uint64_t)s->bound[p];
    info->bound_source[p] =
        tl_bound_source_text ((tl_bound_source)s->source[p]);
  }
  return TL_OK;
}

static tl_status fill_invariants (tl_info *info, const tl_structure *s,
                                  tl_error *err) {
  tl_semiflow_report report;
  const tl_status rc = tl_structure_semiflows (s, &report, err);
  if (rc)
    return rc;
  info->place_invariants = report.place.count;
  info->place_invariants_complete = report.place_complete;
  info->transition_invariants = report.transition.count;
  info->transition_invariants_complete = report.transition_complete;
  tl_semiflow_report_close (&report);
  return TL_OK;
}

static tl_status fill_groups (tl_info *info, tl_structure *s, tl_error *err) {
  tl_groups groups;
  const tl_status rc = tl_structure_groups (s, &groups, err);
  if (rc)
    return rc;
  info->groups = groups.count;
  info->grouped_places = groups.places;
  tl_groups_close (&groups);
  return TL_OK;
}

// The digits know the rank as well: they choose the places to be stored.
static tl_status fill_key (tl_info *info, tl_mem *mem, tl_structure *s,
                           const tl_layout *layout, const uint64_t *most) {
  tl_digits digits;
  tl_status rc = tl_digits_open (&digits, mem, layout, s, most);
  if (rc)
    return rc;
  tl_code code = {0};
  rc = tl_code_open (&code, mem, layout, &digits);
  if (!rc) {
    info->bits = code.bits;
    info->plain_bits = layout->plain_bits;
    info->rank = digits.functions->rank;
    info->dependent_places = (uint32_t)digits.functions->relations;
  }
  tl_code_close (&code);
  if (!rc &&
      !(info->stored_as = calloc (info->places + 1, sizeof *info->stored_as)))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = tl_place_codes_tell (layout, &digits, info->stored_as);
  tl_digits_close (&digits);
  return rc;
}

static tl_status fill_encoding (tl_info *info, tl_mem *mem, tl_structure *s) {
  const uint32_t places = s->net->places;
  uint8_t *width;
  uint64_t *most = 0;
  tl_layout layout = {0};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, width, places) && TL_NEW (mem, most, places))
    rc = tl_widths_choose (mem, s, width, most);
  if (!rc)
    rc = tl_layout_open (&layout, mem, s->net, width, 0);
  if (!rc)
    rc = fill_key (info, mem, s, &layout, most);
  tl_layout_close (&layout);
  TL_DEL (mem, width, places);
  TL_DEL (mem, most, places);
  return rc;
}

static tl_status fill_types (tl_info *info, const tl_net *net) {
  const tl_coloured *c = net->origin ? net->origin->coloured : 0;
  return c ? tl_info_types (info, c) : TL_OK;
}

// For dead markings; other questions look at places that must stay.
static tl_status fill_reduced (tl_info *info, tl_mem *mem,
                               const tl_structure *s) {
  tl_formula dead = {.op = TL_DEADLOCK}, *list = &dead;
  tl_reduced *r;
  const tl_status rc = tl_reduced_open (&r, mem,
                                        &(tl_reducing){.net = s->net,
                                                       .structure = s,
                                                       .formula = &list,
                                                       .formulas = 1,
                                                       .rules = TL_ALL_RULES});
  if (rc)
    return rc;
  info->reduced_places = r->net->places;
  info->reduced_transitions = r->net->transitions;
  tl_reduced_close (r);
  return TL_OK;
}

// Of a net with arcs.
static tl_status fill (tl_info *info, tl_mem *mem, const tl_net *net,
                       tl_error *err) {
  tl_structure *structure = 0;
  tl_status rc =
      tl_structure_open (&structure, mem, net, ANALYSIS_SECONDS, err);
  if (!rc)
    rc = fill_class (info, mem, net);
  if (!rc)
    rc = fill_types (info, net);
  if (!rc)
    rc = fill_bounds (info, structure);
  if (!rc)
    rc = fill_invariants (info, structure, err);
  if (!rc)
    rc = fill_groups (info, structure, err);
  if (!rc)
    rc = fill_encoding (info, mem, structure);
  if (!rc)
    rc = fill_reduced (info, mem, structure);
  tl_structure_close (structure);
  return rc;
}

// Something was given up: because it was too late?
static tl_status tell_end (tl_status rc, const tl_mem *mem, tl_error *err) {
  const tl_status late = rc ? tl_budget_look (mem) : TL_OK;
  return rc == TL_E_NOMEM ? tl_fail (err, rc, "no memory to study the net")
         : late           ? tl_fail (err, late, "%s while studying the net",
                           late == TL_E_LIMIT ? "the time limit was reached"
                                                        : "it was interrupted")
                          : rc;
}

tl_status tl_net_info_with_sized (const tl_net *net, const tl_options *options,
                                  tl_info *info, tl_error *err) {
  tl_api_call call;
  if (!net || !tl_sized_clear (info))
    return tl_api_lacks ("tl_net_info", "a net and room to tell of it", err);
  tl_status rc = tl_api_open (&call, options, info, err);
  if (rc)
    return rc;
  const double start = tl_clock ();
  tl_info whole = {.size = sizeof whole};
  rc = tl_net_has_arcs (net)
           ? fill (&whole, &call.root, net, err)
           : tl_info_not_unfolded (&whole, &call.root, net, err);
  whole.seconds = tl_clock () - start;
  // Less is known where there was little time; who interrupts wants nothing.
  if (!rc && tl_cancelled (call.options.cancel))
    rc = TL_E_CANCEL;
  if (!rc)
    TL_GIVE (info, &whole);
  tl_info_close (&whole);
  return tell_end (rc, &call.root, err);
}

tl_status tl_net_info_sized (const tl_net *net, tl_info *info, tl_error *err) {
  return tl_net_info_with_sized (net, 0, info, err);
}

static void free_texts (char **text, uint32_t count) {
  for (uint32_t i = 0; text && i < count; i++)
    free (text[i]);
  free (text);
}

void tl_info_close (tl_info *info) {
  tl_info whole;
  if (!TL_TAKE (&whole, info))
    return;
  free (whole.bound);
  free (whole.bound_source);
  free_texts (whole.stored_as, whole.places);
  free_texts (whole.type, whole.types);
  free_texts (whole.domain, whole.places);
  free_texts (whole.variables, whole.transitions);
  free (whole.capacity);
  free (whole.left_out);
  tl_sized_clear (info);
}
