#ifndef TL_MACHINE_PARTS_H
#define TL_MACHINE_PARTS_H

#include "base/bits.h"
#include "base/intern.h"
#include "colour/condense.h"
#include "colour/multiset.h"
#include "compile/compiled.h"
#include "machine/finder.h"
#include "machine/machine.h"
#include "structure/incidence.h"

#include <stdio.h>

// What the files of the machine share.

// What an event does with a token: so many must be there, and the number
// changes by `change`.
typedef struct tl_effect {
  uint32_t place, token;
  uint32_t need;
  int32_t change;
} tl_effect;

// Where moves lead from local markings, as far as that was computed.
typedef struct tl_moved {
  uint32_t move, local;
  uint32_t result; // + 1; 0: nothing is here
} tl_moved;

typedef struct tl_moved_table {
  tl_moved *entry; // [1 << bits]
  unsigned bits;
  size_t used;
} tl_moved_table;

// A memory of what was found out for a key of a few words; a new entry takes
// the place of an old one.
typedef struct tl_memo {
  uint32_t *entry; // [1 << bits] key, then value + 1
  uint32_t words;  // of a key
  unsigned bits;
} tl_memo;

// The shape of keys: the numbers of the local markings, one after the other.
typedef struct tl_shape {
  uint8_t *width;  // [sections] bits; 0: it is left out
  uint32_t *start; // [sections] the first of them
  uint32_t sections;
  uint32_t words, bits;
} tl_shape;

// A place with too many local markings is divided (sections.c): its tokens with
// the same value in one part are a section of it.
typedef struct tl_division {
  uint32_t offset; // of the part, in cells
  tl_cell first;   // its least value
  uint32_t base;   // the first section
  uint32_t count;  // 0: it is not divided, and a section of its own number
  uint32_t tried;  // local markings when that was tried
  // Until keys have moved: what each local marking is in the sections.
  uint32_t *moved;
  size_t moved_room;
} tl_division;

// How many tokens of one colour a redundant place holds:
//   denominator * m(place, token) = constant + sum of factor * m(place, token)
typedef struct tl_colour_term {
  uint32_t place, token;
  int64_t factor;
} tl_colour_term;

typedef struct tl_colour_relation {
  uint32_t place, token;
  size_t start, count; // of its terms
  int64_t denominator, constant;
} tl_colour_relation;

// Keys that are the code of the marking.
typedef struct tl_coded {
  tl_place_code *code; // [places]
  bool *redundant;     // [places] not in the code
  // The codes of the local markings made so far, and where each begins.
  tl_bit_stream *pool; // [places]
  uint64_t **start;    // [places]
  size_t *start_room;  // [places]
  uint32_t *made;      // [places]
  tl_bit_stream input; // the key being decoded
  tl_place_bag bag;
  tl_colour_relation *relation;
  size_t relations, relation_room;
  tl_colour_term *term;
  size_t terms, term_room;
} tl_coded;

// A place whose local marking follows from those of others.
typedef struct tl_follower {
  uint32_t place;
  uint32_t *source; // places, ascending
  uint32_t sources;
  tl_memo memo;   // the local markings of these: its own
  uint32_t known; // local markings when keys got all places
} tl_follower;

// States in the hands of a compiled kernel (packed.c).
typedef struct tl_machine_kernel {
  tl_kernel_plan plan;
  bool planned;
  const tl_kernel *code; // null: there is none, or not yet
  bool holds;            // the state at hand is `now`
  tl_kernel_state now, aside, first;
  uint64_t bits;  // of the code of the state at hand
  uint64_t *key;  // room for a code
  uint32_t *rank; // and for those of the bindings of a transition
  uint32_t rank_room;
  uint32_t **event; // [transitions][ranks] number + 1; 0: it has none
} tl_machine_kernel;

// What machines of several threads number together (beside.c).  It is the
// first one's.
typedef struct tl_shared {
  tl_ledger event;
  bool has_events;
  tl_ledger *token; // [tokens] for each place, or none
  tl_ledger *local; // [locals] for each section, or none
  uint32_t tokens, locals;
} tl_shared;

typedef struct tl_known tl_known; // machine/prospects.h

struct tl_machine {
  tl_machine_view view; // comes first
  tl_fault *fault;
  bool measured;
  tl_mem *mem;
  tl_mem numbers; // account of what is numbered below; its parent is that of
                  // the search
  const tl_folded *folded;
  const tl_coloured *coloured;
  uint32_t places, transitions;
  uint32_t sections;
  uint32_t *place_of;    // [sections]
  tl_division *division; // [places]
  tl_evaluation evaluation;
  tl_multiset bag; // the label at hand
  tl_finder *finder;
  tl_compiled compiled;
  tl_machine_kernel kernel;
  tl_shared *shared; // null: there are no others beside it
  unsigned machines; // that draw on the memory of the run

  tl_intern *token; // [places] cells
  tl_intern *local; // [sections] see tl_local_list
  // Events: transition, then the cells of the binding; and of how many it is
  // known what they do.
  tl_intern event;
  uint32_t learned;
  tl_effect *effect; // of all events; before them the initial marking
  size_t effects, effect_room;
  size_t *effect_start; // [events + 1]
  uint32_t *wrong;      // events whose effects cannot be computed
  size_t wrongs, wrong_room;
  size_t start_room;
  tl_intern move;          // see moves.c
  uint32_t *event_move;    // the moves of all events
  uint32_t *event_section; // and the section of each
  size_t event_moves, event_move_room, event_section_room;
  size_t *event_move_start; // [events + 1]
  size_t event_move_start_room;
  tl_moved_table step; // the local marking after a move
  tl_moved_table back; // and before it
  uint64_t **asleep;   // [events] see asleep.c
  char **name;         // [events] null until somebody asks
  size_t name_room;
  tl_arena texts; // of these
  tl_arena names; // of what lives as long as the machine

  // Enabled events: lists of them, and which one belongs to the local markings
  // of the places that a transition looks at.
  tl_intern lists;
  struct tl_watch {
    uint32_t *place; // ascending
    uint32_t places;
    uint32_t *section; // of these places
    uint32_t sections;
    uint32_t cells; // of a binding
    tl_memo memo;
  } * watch; // [transitions]
  unsigned memo_bits;
  tl_known *known;
  bool prioritised;
  bool derives; // some places are derived from others

  // The state at hand: a number for each section.
  uint32_t *now, *next;
  uint32_t *first;   // the initial one
  uint64_t *now_key; // it belongs to this key
  size_t key_room;
  bool loaded;
  uint32_t *found; // events of the transition that is being looked at
  size_t founds, found_room;
  uint32_t *list; // room for the local marking that is being made
  size_t list_room;
  size_t most_pairs, most_effects; // of a local marking; of an event on it
  tl_cell *part;                   // room for a part of a token
  size_t part_room;
  tl_cell *frame;     // the largest of any transition or proposition
  tl_cell *aside;     // the same, for events that others have met
  uint32_t *around;   // [sections + 1]
  tl_tokens *marking; // [places] the state at hand as the evaluation wants it
  tl_cell **cells;    // [places] of these
  size_t *cell_room;  // [places]
  uint32_t **many;    // [places]
  size_t *many_room;  // [places]
  uint32_t *shown;    // [places] local marking that is written there, + 1
  // Of local markings that were part of a state.
  uint32_t *looked_at; // [sections] how many
  uint64_t **total;    // [sections] their tokens
  size_t *total_room;  // [sections]

  // While keys move to tables that begin anew: those before (collect.c).
  tl_intern *old_token; // [places]
  tl_intern *old_local; // [sections]

  tl_shape shape, before;
  tl_key_form form, form_before;
  uint64_t visited; // states
  bool collected;   // tables have begun anew
  tl_coded coded;
  tl_follower *follower; // places that keys leave out
  uint32_t followers;
  uint64_t *made;       // keys of successors that were made for `fits`
  uint32_t *made_event; // the events that they belong to
  size_t made_room, made_event_room;
  uint32_t made_count;
};

// Notes a fault; the evaluation has said what it is.
tl_status tl_machine_fail (tl_machine *, tl_status, uint32_t event);

// Bytes that a memory of what was found out may take: so many, or if that is
// less one part in sixteen of what the run has, which all machines share.
static inline size_t tl_machine_most (const tl_machine *m, size_t most) {
  const size_t limit = tl_mem_root (m->mem)->limit / 16 / m->machines;
  return limit && limit < most ? limit : most;
}

// ---- Tokens and local markings (locals.c)

// A local marking is a list of tokens, ascending; where there are several of
// one, after the word TL_SEVERAL, each with how many there are.
#define TL_SEVERAL UINT32_MAX

typedef struct tl_local_list {
  const uint32_t *word;
  uint32_t count;  // of tokens
  uint32_t stride; // 1 or 2 words for each
} tl_local_list;

static inline tl_local_list tl_local_list_of (const tl_intern *locals,
                                              uint32_t local) {
  const uint32_t *word = tl_intern_list (locals, local);
  const uint32_t length = (uint32_t)tl_intern_length (locals, local);
  return length && *word == TL_SEVERAL
             ? (tl_local_list){word + 1, (length - 1) / 2, 2}
             : (tl_local_list){word, length, 1};
}

static inline tl_local_list tl_machine_list (const tl_machine *m,
                                             uint32_t section, uint32_t local) {
  return tl_local_list_of (m->local + section, local);
}

static inline uint32_t tl_list_token (tl_local_list l, uint32_t i) {
  return l.word[i * l.stride];
}

static inline uint32_t tl_list_many (tl_local_list l, uint32_t i) {
  return l.stride > 1 ? l.word[2 * i + 1] : 1;
}

// Brings the pairs of token and number in m->list into this form; they are
// followed by room for one word.  Returns its length.
size_t tl_machine_squeeze (tl_machine *, size_t pairs);
// The number of the local marking of these pairs, in any order.
tl_status tl_machine_number_list (tl_machine *, uint32_t section, size_t pairs,
                                  uint32_t *local);

// The local marking after effects on one section, or before them.
// TL_NO_NUMBER: the one with no tokens, which has perhaps no number.  TL_E_ARG:
// over the capacity of the place.  Before: TL_E_INTERNAL: they did not lead
// here.
tl_status tl_machine_after (tl_machine *, uint32_t section, uint32_t local,
                            const tl_effect *, uint32_t effects,
                            uint32_t *after);
tl_status tl_machine_before (tl_machine *, uint32_t section, uint32_t local,
                             const tl_effect *, uint32_t effects,
                             uint32_t *before);
// How many of the token are there; and in the state at hand.
uint32_t tl_machine_many (const tl_machine *, uint32_t section, uint32_t local,
                          uint32_t token);
uint32_t tl_machine_many_now (const tl_machine *, uint32_t place,
                              uint32_t token);
// Looks at all local markings of a section that nobody has looked at.
tl_status tl_machine_look_at (tl_machine *, uint32_t section);
// Shows a local marking as a multi-set, in m->marking: any of a place that is
// not divided, or that of the state at hand.
tl_status tl_machine_show_local (tl_machine *, uint32_t place, uint32_t local);
tl_status tl_machine_show (tl_machine *, uint32_t place);

// ---- Compiled code, or the evaluation where there is none (machine_labels.c)

// Calls `found` as tl_finder_find does.
tl_status tl_machine_find (tl_machine *, uint32_t transition);
// Gathers the effects of the input arcs of a binding, and of its output arcs
// behind them, from `first` on.
tl_status tl_machine_take (tl_machine *, size_t first, uint32_t transition,
                           tl_cell *frame);
tl_status tl_machine_put (tl_machine *, size_t first, uint32_t transition,
                          tl_cell *frame);
// Terms over m->frame, in the marking m->evaluation.marking.
tl_status tl_machine_priority (tl_machine *, uint32_t transition,
                               int64_t *value);
tl_status tl_machine_proposition (tl_machine *, uint32_t number,
                                  int64_t *value);
tl_status tl_machine_measure (tl_machine *, uint32_t number, int64_t *value);

// ---- Events (events.c)

// Adds to the effects of the event that is being made, which begin at `first`.
tl_status tl_machine_gather (tl_machine *, size_t first, uint32_t place,
                             const tl_cell *token, int64_t need,
                             int64_t change);
// The event of a binding, which the frame of the transition holds; TL_NO_EVENT:
// it takes more tokens than there are in the state at hand, or is inhibited.
tl_status tl_machine_event (tl_machine *, uint32_t transition, tl_cell *frame,
                            uint32_t *event);
// Finds out what the events do that others have met.
tl_status tl_machine_learn (tl_machine *);
// The error of the first of these events whose effects could not be computed.
tl_status tl_machine_tell_wrong (tl_machine *, const uint32_t *events,
                                 uint32_t count);
// Writes the transition and the cells of the binding to m->list, which has
// room.  Returns how many.
uint32_t tl_machine_write_binding (tl_machine *, uint32_t transition,
                                   const tl_cell *frame);
// Writes the variables of a binding, or of an event, to m->frame, lets
// included.
tl_status tl_machine_restore (tl_machine *, uint32_t transition,
                              const uint32_t *cells);
tl_status tl_machine_frame (tl_machine *, uint32_t event);
// Which of two lists of cells comes first?  They are equally long.
int tl_machine_compare (const tl_intern *, uint32_t, uint32_t);

// ---- Machines beside each other (beside.c)

// A machine in which nothing was met so far becomes one beside the first.
tl_status tl_machine_mirror (tl_machine *, const tl_machine *first);
// Takes over the local markings of a section that others have met.
tl_status tl_machine_learn_section (tl_machine *, uint32_t section);
// There are new sections.
tl_status tl_machine_share_sections (tl_machine *);

// ---- Moves (moves.c)

// The moves of an event that was made just now.
tl_status tl_machine_make_moves (tl_machine *, uint32_t event);
tl_status tl_machine_open_moves (tl_machine *);
void tl_machine_close_moves (tl_machine *);
// Begins anew, with the events; and forgets where moves lead.
void tl_machine_clear_moves (tl_machine *);
size_t tl_machine_move_bytes (const tl_machine *); // of the tables
void tl_machine_forget_moves (tl_machine *);
// The local marking that a move makes of another, and the one before it; to be
// called where the table does not know it.
tl_status tl_move_forth (tl_machine *, uint32_t move, uint32_t local,
                         uint32_t *after);
tl_status tl_move_back (tl_machine *, uint32_t move, uint32_t local,
                        uint32_t *before);

static inline uint32_t tl_move_section (const tl_machine *m, uint32_t move) {
  return *tl_intern_list (&m->move, move);
}

// Where it is looked for first.
static inline size_t tl_moved_first (const tl_moved_table *t, uint32_t move,
                                     uint32_t local) {
  return ((uint64_t)move << 32 | local) * UINT64_C (0x9e3779b97f4a7c15) >>
         (64 - t->bits);
}

// Where it is in the table, or the empty entry where it belongs.
static inline tl_moved *tl_moved_at (const tl_moved_table *t, uint32_t move,
                                     uint32_t local) {
  const size_t last = ((size_t)1 << t->bits) - 1;
  size_t at = tl_moved_first (t, move, local);
  while (t->entry[at].result &&
         (t->entry[at].move != move || t->entry[at].local != local))
    at = (at + 1) & last;
  return t->entry + at;
}

// ---- Bindings that are known before (prospects.c, prospect_rows.c)

tl_status tl_machine_open_known (tl_machine *);
void tl_machine_close_known (tl_machine *);
void tl_machine_clear_known (tl_machine *);
size_t tl_machine_row_bytes (const tl_machine *);
// The tokens of a local marking are met.
tl_status tl_machine_meet (tl_machine *, uint32_t place, tl_local_list);
// Sections are others than before.
void tl_machine_redo_known (tl_machine *);
// To be called before events are listed.
tl_status tl_machine_update_known (tl_machine *);
// Lists the enabled events of a transition; more than there is room for are
// only counted.  Not *known: they must be searched for.
tl_status tl_machine_list_known (tl_machine *, uint32_t transition,
                                 uint32_t *events, uint32_t room,
                                 uint32_t *count, bool *known);

// ---- Sleep sets (asleep.c)

// Events get other numbers.
void tl_machine_wake (tl_machine *);

// ---- States in words (marked.c)

void tl_machine_write_value (FILE *, const tl_type *, const tl_cell *);

// ---- Keys (shapes.c)

tl_status tl_shape_open (tl_machine *, tl_shape *);
// Keys have the form of another machine's.
tl_status tl_machine_take_shape (tl_machine *, const tl_shape *);
// Bits for the numbers of so many local markings of a section.
unsigned tl_section_width (uint32_t locals);
void tl_shape_close (tl_machine *, tl_shape *);
// The number of one section in a key.
static inline uint32_t tl_shape_get (const tl_shape *shape, const uint64_t *key,
                                     uint32_t section) {
  return (uint32_t)tl_get_bits (key, shape->start[section],
                                shape->width[section]);
}

static inline void tl_shape_set (const tl_shape *shape, uint64_t *key,
                                 uint32_t section, uint32_t local) {
  tl_set_bits (key, shape->start[section], shape->width[section], local);
}

bool tl_shape_pack (tl_machine *, const tl_shape *, const uint32_t *state,
                    uint64_t *key);
void tl_shape_unpack (tl_machine *, const tl_shape *, const uint64_t *key,
                      uint32_t *state);
// The numbers in a key, which may leave some out.
void tl_shape_read (tl_machine *, const tl_shape *, const uint64_t *key,
                    uint32_t *state);
void tl_machine_load (tl_machine *, const uint64_t *key);
// The state at hand as numbers.
void tl_machine_load_numbers (tl_machine *, const uint64_t *key);

// ---- The compiled kernel (packed.c)

// Plans one where that is possible.
void tl_kernel_open (tl_machine *);
// Events get other numbers, or there are none any more.
void tl_kernel_forget_events (tl_machine *);
// Takes the state of a key; false: there is no kernel, or not for it.
bool tl_kernel_load (tl_machine *, const uint64_t *key);
// The state at hand becomes numbers, if the kernel has it.
void tl_kernel_let_go (tl_machine *);
// The rank of a token in its domain, where a kernel is planned; UINT64_MAX: it
// is not in it.  Then of the state at hand, which the kernel has.
uint64_t tl_kernel_rank (const tl_machine *, uint32_t place, uint32_t token);
uint32_t tl_kernel_many (const tl_machine *, uint32_t place, uint32_t token);
bool tl_kernel_is_first (const tl_machine *);
tl_status tl_kernel_show (tl_machine *, uint32_t place);
tl_status tl_kernel_enabled (tl_machine *, uint32_t *events, uint32_t *count,
                             bool *given_up);
// The key after an event; false: it gives up, and what it has is void.
bool tl_kernel_step (tl_machine *, uint32_t event, uint64_t *key, bool *fits);
// As tl_machine_undo and tl_machine_hash.  TL_E_ARG: the kernel gives up.
tl_status tl_kernel_undo (tl_machine *, uint32_t event, uint64_t *key);
tl_status tl_kernel_hash (tl_machine *, const uint64_t *key, uint64_t *hash);

// ---- Condensed codes (coded.c, redundant.c)

tl_status tl_coded_open (tl_machine *);
void tl_coded_close (tl_machine *);
// How long the code of a state is.  TL_E_NOMEM, TL_E_INTERNAL.
tl_status tl_coded_bits (tl_machine *, const uint32_t *state, uint64_t *bits);
bool tl_coded_pack (tl_machine *, const uint32_t *state, uint64_t *key);
void tl_coded_unpack (tl_machine *, const uint64_t *key, uint32_t *state);
// The local markings that the code tells, without those that follow from them.
tl_status tl_coded_read (tl_machine *, const uint64_t *key, uint32_t *state);
// The number of the local marking in the bag.
tl_status tl_machine_number_bag (tl_machine *, uint32_t place, uint32_t *local);

// Bounds the tokens that places have in all, from the net unfolded
// (code_bounds.c).
tl_status tl_coded_bound (tl_machine *, const tl_net *unfolded,
                          const tl_incidence *);

// Finds redundant places; or takes them over from another machine, which has
// the same numbers of tokens.
tl_status tl_redundant_open (tl_machine *);
tl_status tl_redundant_beside (tl_machine *, const tl_machine *first);
// The marking of a redundant place, from those of the others.
tl_status tl_redundant_bag (tl_machine *, uint32_t place,
                            const uint32_t *state);
void tl_redundant_close (tl_machine *);

// ---- Places left out of keys (follow.c)

tl_status tl_follow_open (tl_machine *);
tl_status tl_follow_beside (tl_machine *, const tl_machine *first);
void tl_follow_close (tl_machine *);
// Fills in the local markings of the places that are left out.
void tl_follow (tl_machine *, uint32_t *state);
// TL_E_ARG: a place does not have the marking that the net says it has.
tl_status tl_follow_check (tl_machine *, const uint32_t *state);

// Has some place about as many local markings as there are states?
bool tl_follow_is_crowded (const tl_machine *);
// Keys are to have all places from now on; and in m->next the state of a key
// from before.  All its local markings were met, or else it is false.
tl_status tl_follow_end (tl_machine *);
bool tl_follow_fill (tl_machine *, const uint64_t *key);

// ---- Beginning anew (collect.c, machine.c)

// The initial marking in tables that are empty.
tl_status tl_machine_begin (tl_machine *);
// The number that an old local marking has in the new tables.
tl_status tl_machine_move_local (tl_machine *, uint32_t section,
                                 uint32_t *local);

// ---- Sections (sections.c)

// Tables for so many more sections.
tl_status tl_machine_add_sections (tl_machine *, uint32_t more);
// Which sections a transition looks at.
tl_status tl_machine_watch (tl_machine *, uint32_t transition);
// Divides places that have too many local markings.  Then keys are to be moved,
// by tl_machine_move_divided for a place that was divided just now.
tl_status tl_machine_divide (tl_machine *, bool *divided);
void tl_machine_move_divided (tl_machine *, uint32_t place, uint32_t local,
                              uint64_t *key);
void tl_machine_settle_divided (tl_machine *);

// The place was divided, and its section is no part of states any more.
static inline bool tl_section_is_gone (const tl_machine *m, uint32_t section) {
  return section < m->places && m->division[section].count;
}

static inline uint32_t tl_division_section (const tl_division *d,
                                            const tl_cell *token) {
  const uint32_t value = (uint32_t)token[d->offset] - (uint32_t)d->first;
  return d->base + (value < d->count ? value : 0);
}

static inline uint32_t tl_machine_section (const tl_machine *m, uint32_t place,
                                           uint32_t token) {
  const tl_division *d = m->division + place;
  return d->count ? tl_division_section (d, (const tl_cell *)tl_intern_list (
                                                m->token + place, token))
                  : place;
}

// ---- Memory of what was found out (memo.c)

// Chooses how many entries memories have, of which one each takes so many words
// in all.
void tl_memo_plan (tl_machine *, uint64_t words);
tl_status tl_memo_open (tl_machine *, tl_memo *, uint32_t words);
void tl_memo_close (tl_machine *, tl_memo *);
void tl_memo_clear (tl_memo *);

// Where a key belongs; a wrong one may be there.
static inline uint32_t *tl_memo_at (const tl_memo *memo, const uint32_t *key) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < memo->words; i++)
    hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  hash *= 0x9e3779b97f4a7c15u;
  return memo->entry + (hash >> (64 - memo->bits)) * (memo->words + 1);
}

// ---- What is enabled (enabled.c)

tl_status tl_machine_found (void *context, uint32_t transition, tl_cell *frame);
tl_status tl_machine_inhibited (tl_machine *, uint32_t transition,
                                tl_cell *frame, bool *inhibited);
void tl_machine_forget (tl_machine *);

#endif
