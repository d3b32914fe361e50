#ifndef TL_MODEL_MODEL_H
#define TL_MODEL_MODEL_H

#include "encode/code.h"
#include "fire/fire.h"
#include "machine/machine.h"

// One successor interface for all nets.  A model is a net with its kind:
//
//   pt        firing is given by arcs; a state is the tokens of the places, its
//             key a sum over them, and what is fired is a transition
//   coloured  a coloured net that is not unfolded; a state is a key that the
//             generator makes, what can be seen of it are counts of tokens and
//             propositions, and what is fired is an event: a transition with a
//             binding.  Events are numbered as they are met
//
// A net never changes, and any number of searches may use it at the same time,
// also in different threads.  All that changes while a search goes on (scratch,
// numbers that are given, what is remembered, what went wrong) is in its
// successor generator.  A generator belongs to one search and draws on its
// accounts.  Of the kind pt nothing in it changes while states are expanded, so
// all threads of a search use the same; of the kind coloured each has one of
// its own beside that of the search, and all give the same numbers.
//
// The generator opens layout, code and engine of a search; these do the work
// in the inner loop.  A layout of the kind coloured has the key of a state
// behind the fields of what can be seen of it.

typedef struct tl_generator tl_generator;

typedef struct tl_generator_request {
  tl_key_form form; // where there are several
  bool measured;    // somebody looks at the measures of the states
  tl_mem *states;   // account of what keys need that are stored
  tl_mem *engine;   // and of all else
} tl_generator_request;

typedef struct tl_model_kind {
  const char *name;
  tl_status (*open) (tl_generator **, const tl_net *,
                     const tl_generator_request *, tl_fault *);
  void (*close) (tl_generator *);
  // Widths of fields that suit places with so many tokens at most.
  void (*widths) (const tl_generator *, const uint64_t *most, uint8_t *width);
  tl_status (*layout) (const tl_generator *, tl_mem *, const uint8_t *width,
                       tl_layout *);
  tl_status (*code) (tl_generator *, tl_mem *, const tl_layout *,
                     const tl_digits *, tl_code *);
  tl_status (*fire) (tl_generator *, tl_mem *, const tl_layout *,
                     const uint32_t *sample, tl_fire **);
  tl_status (*initial) (tl_generator *, const tl_layout *, uint64_t *state);
  // What does not fit gets longer keys; layout, code and engine are then to be
  // opened anew, and the code before converts.  Null: what does not fit needs
  // wider fields.
  tl_status (*widen) (tl_generator *);
  // Bytes of what the generator knows of states, perhaps of many that are gone.
  // It can forget all that: steps lose their numbers, and the rest is as with
  // `widen`.  Null: it knows nothing of states.
  size_t (*known) (const tl_generator *);
  tl_status (*collect) (tl_generator *);
  // Leaves those of the enabled events that need not be fired in a state found
  // by that event, for others lead where they lead (structure/sleep.h); how
  // many.  Null: nothing is known of that.
  uint32_t (*prune) (tl_generator *, uint32_t found_by, uint32_t *events,
                     uint32_t count);
  // Several threads; null: they share the generator.  There will be so many in
  // all; and there are no others any more.
  tl_status (*share) (tl_generator *, unsigned generators);
  void (*unshare) (tl_generator *);
  // Opens one beside that of the search, with a fault of its own.
  tl_status (*beside) (tl_generator **, tl_generator *, tl_fault *);
  // That of the search has changed while no other was used: keys, or how it
  // works.  Layout, code and engine are to be opened anew, as with `widen`.
  tl_status (*follow) (tl_generator *);
  // What it has seen is seen by that of the search.
  void (*report) (tl_generator *);
  // That of the search takes over what others have numbered.
  tl_status (*catch_up) (tl_generator *);
  // Null: an event is a transition.
  uint32_t (*transition) (const tl_generator *, uint32_t event);
  const char *(*event_name) (tl_generator *, uint32_t event);
  // Writes what the generator knows of the search to its result.
  void (*tell) (const tl_generator *, tl_exploration *);
  // Fires a trace that has left its search; `seen` gets the places of the last
  // state.  False: a step of it is not enabled, or the loop of a lasso does not
  // lead back where it `closes`.
  bool (*replay) (const tl_net *, const tl_trace *, bool closes,
                  uint64_t *seen);
  // Turns positions in the lists of what is enabled into the steps of a trace
  // that has left its search, with memory of that account.  TL_E_ARG: there is
  // no such path.
  tl_status (*path) (const tl_net *, tl_mem *, tl_trace *);
  // What an event changes.  Null: its transition tells.
  void (*changes) (const tl_generator *, uint32_t event, tl_machine_changed *,
                   void *context);
  // The tokens of a state, until the next call.  Null: of no such kind, or no
  // memory.
  const tl_tokens *(*tokens) (tl_generator *, const tl_layout *,
                              const uint64_t *state);
  // Tells the tokens of a state.
  tl_status (*marking) (tl_generator *, const tl_layout *,
                        const uint64_t *state, tl_marking_told *,
                        void *context);
} tl_model_kind;

struct tl_generator {
  const tl_model_kind *kind;
  const tl_net *net;
  tl_mem *mem;
  uint32_t most_events;  // numbers of events are smaller
  uint32_t most_enabled; // in one state
  tl_fault *fault;       // failed: the state at hand is wrong
};

// The kind of a net.
const tl_model_kind *tl_model_of (const tl_net *);

// TL_E_ARG: the initial marking is wrong; the fault, which is the caller's,
// says how.
tl_status tl_generator_open (tl_generator **, const tl_net *,
                             const tl_generator_request *, tl_fault *);
void tl_generator_close (tl_generator *);

static inline uint32_t tl_generator_transition (const tl_generator *g,
                                                uint32_t event) {
  return g->kind->transition ? g->kind->transition (g, event) : event;
}

// The transitions of events in the order of the engine: each once, ascending.
// `room` is for as many; the list may be the events themselves.
uint32_t tl_generator_shown (const tl_generator *, const uint32_t **events,
                             uint32_t count, uint32_t *room);

// Makes a trace of numbers of this search one that can leave it.  TL_E_NOMEM,
// and the trace is closed.
tl_status tl_generator_release (tl_generator *, tl_trace *);
// Adds an event of this search to a trace that has left it.  The same.
tl_status tl_generator_append (tl_generator *, tl_trace *, uint32_t event);

// The kinds.
extern const tl_model_kind tl_model_pt, tl_model_coloured;

#endif
