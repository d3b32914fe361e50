// Manufacturing systems: few places, many tokens.

#include "example/maker.h"

#include <stdint.h>

// Ciardo and Tilgner's kanban system: four cells of N cards each; cell 1
// feeds cells 2 and 3, which together feed cell 4.
typedef struct cell {
  uint32_t card, machining, rework, done;
} cell;

static cell make_cell (tl_maker *m, uint32_t number, uint32_t cards) {
  const cell c = {tl_maker_place (m, cards, "card_%u", number),
                  tl_maker_place (m, 0, "machining_%u", number),
                  tl_maker_place (m, 0, "rework_%u", number),
                  tl_maker_place (m, 0, "done_%u", number)};
  const struct {
    const char *name;
    uint32_t from, to;
  } steps[] = {{"fail", c.machining, c.rework},
               {"retry", c.rework, c.machining},
               {"finish", c.machining, c.done}};
  for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
    const uint32_t t = tl_maker_transition (m, "%s_%u", steps[s].name, number);
    TL_TAKE (m, t, steps[s].from);
    TL_GIVE (m, t, steps[s].to);
  }
  return c;
}

void tl_example_kanban (tl_maker *m, const uint32_t *sizes) {
  cell c[5];
  for (uint32_t i = 1; i <= 4; i++)
    c[i] = make_cell (m, i, sizes[0]);
  const uint32_t enter = tl_maker_transition (m, "enter");
  TL_TAKE (m, enter, c[1].card);
  TL_GIVE (m, enter, c[1].machining);
  const uint32_t split = tl_maker_transition (m, "split");
  TL_TAKE (m, split, c[1].done, c[2].card, c[3].card);
  TL_GIVE (m, split, c[1].card, c[2].machining, c[3].machining);
  const uint32_t join = tl_maker_transition (m, "join");
  TL_TAKE (m, join, c[2].done, c[3].done, c[4].card);
  TL_GIVE (m, join, c[2].card, c[3].card, c[4].machining);
  const uint32_t leave = tl_maker_transition (m, "leave");
  TL_TAKE (m, leave, c[4].done);
  TL_GIVE (m, leave, c[4].card);
}

// Ciardo and Trivedi's flexible manufacturing system: N pallets of each of
// three kinds of parts, machines of 3, 1 and 2 units.  Parts 1 and 2 are
// shipped singly or assembled to parts 12 first; part 3 is finished while
// machine 2 is free.
typedef struct step {
  const char *name;
  const char *take[2], *give[2];
} step;

static const struct {
  const char *id;
  uint32_t tokens; // PALLETS: N of them
} fms_places[] = {
#define PALLETS UINT32_MAX
    {"pallet_1", PALLETS}, {"waiting_1", 0},   {"machining_1", 0},
    {"made_1", 0},         {"shipping_1", 0},  {"to_assemble_1", 0},
    {"pallet_2", PALLETS}, {"waiting_2", 0},   {"machining_2", 0},
    {"made_2", 0},         {"shipping_2", 0},  {"to_assemble_2", 0},
    {"pallet_3", PALLETS}, {"machining_3", 0}, {"shipping_3", 0},
    {"assembled_12", 0},   {"waiting_12", 0},  {"machining_12", 0},
    {"shipping_12", 0},    {"machine_1", 3},   {"machine_2", 1},
    {"machine_3", 2},
};

static const step fms_steps[] = {
    {"enter_1", {"pallet_1"}, {"waiting_1"}},
    {"start_1", {"waiting_1", "machine_1"}, {"machining_1"}},
    {"finish_1", {"machining_1"}, {"made_1", "machine_1"}},
    {"pick_1", {"made_1"}, {"shipping_1"}},
    {"keep_1", {"made_1"}, {"to_assemble_1"}},
    {"ship_1", {"shipping_1"}, {"pallet_1"}},
    {"enter_2", {"pallet_2"}, {"waiting_2"}},
    {"start_2", {"waiting_2", "machine_2"}, {"machining_2"}},
    {"finish_2", {"machining_2"}, {"made_2", "machine_2"}},
    {"pick_2", {"made_2"}, {"shipping_2"}},
    {"keep_2", {"made_2"}, {"to_assemble_2"}},
    {"ship_2", {"shipping_2"}, {"pallet_2"}},
    {"enter_3", {"pallet_3"}, {"machining_3"}},
    {"finish_3", {"machining_3", "machine_2"}, {"shipping_3", "machine_2"}},
    {"ship_3", {"shipping_3"}, {"pallet_3"}},
    {"assemble", {"to_assemble_1", "to_assemble_2"}, {"assembled_12"}},
    {"enter_12", {"assembled_12"}, {"waiting_12"}},
    {"start_12", {"waiting_12", "machine_3"}, {"machining_12"}},
    {"finish_12", {"machining_12"}, {"shipping_12", "machine_3"}},
    {"ship_12", {"shipping_12"}, {"pallet_1", "pallet_2"}},
};

static void connect (tl_maker *m, tl_arc_kind kind, uint32_t t,
                     const char *const ids[2]) {
  for (int i = 0; i < 2 && ids[i] && !m->status; i++)
    tl_maker_arcs (m, kind, t, 1,
                   (uint32_t[]){tl_builder_find_place (m->builder, ids[i])});
}

void tl_example_fms (tl_maker *m, const uint32_t *sizes) {
  for (size_t i = 0; i < sizeof fms_places / sizeof *fms_places; i++)
    tl_maker_place (
        m, fms_places[i].tokens == PALLETS ? sizes[0] : fms_places[i].tokens,
        "%s", fms_places[i].id);
  for (size_t i = 0; i < sizeof fms_steps / sizeof *fms_steps; i++) {
    const uint32_t t = tl_maker_transition (m, "%s", fms_steps[i].name);
    connect (m, TL_ARC_PRE, t, fms_steps[i].take);
    connect (m, TL_ARC_POST, t, fms_steps[i].give);
  }
}
