#ifndef TL_NET_RULE_H
#define TL_NET_RULE_H

#include "base/mem.h"

// The firing rule of a net that is not given by arcs: a coloured net that runs
// as it is.  The net then has no arcs.  Its places are what can be seen of a
// state: how many tokens each coloured place holds, then which propositions
// hold (0 or 1).  Its transitions are the coloured ones.
//
// A state is a key that the rule makes.  What is fired is an event: a
// transition with a binding.  Events are numbered as they are met, and keep
// their numbers as long as the rule lives; traces are made of them.
//
// Keys may get longer during a search.  `steps` stops before the first
// successor that needs more words (or another division of the key), and
// `widen` changes to the form it needs; until the next one, `convert` turns
// keys of the form before into the form in use.
//
// What is wrong in a state (a value out of range, a place over its capacity)
// is told in `failed` and `error`; then nothing the call gave back counts.

typedef struct tl_rule tl_rule;

// Forms of keys.
typedef enum tl_key_form {
  TL_KEYS_NUMBERS,   // of the markings of all places: the fastest
  TL_KEYS_COLLAPSED, // the same without places that follow from the others
  TL_KEYS_CODED      // the markings themselves, in few bits
} tl_key_form;

typedef struct tl_rule_kind {
  // Begins a search.  What keys need that are stored is drawn on the account of
  // the states, what is only needed to go on on that of the engine.
  tl_status (*begin) (tl_rule *, tl_key_form, tl_mem *states, tl_mem *engine);
  void (*end) (tl_rule *);
  tl_status (*initial) (tl_rule *, uint64_t *key);
  void (*observe) (tl_rule *, const uint64_t *key, uint64_t *tokens);
  // The events enabled, by their transitions, then by their bindings, whatever
  // was met before; the list has room for `most_enabled`.
  uint32_t (*enabled) (tl_rule *, const uint64_t *key, uint32_t *events);
  // The keys of the successors; how many could be made.  Null: only how many;
  // the keys are remembered for a call that wants them.
  uint32_t (*steps) (tl_rule *, const uint64_t *key, const uint32_t *events,
                     uint32_t count, uint64_t *keys);
  // The key before the event that led to this state; false: it led here from
  // no state that was met in this search, and the key is as it was.
  bool (*undo) (tl_rule *, uint32_t event, uint64_t *key);
  // A hash that each event changes by a constant of its own, whatever the form
  // of keys; and that constant.  Not for keys that are codes.
  uint64_t (*hash) (const tl_rule *, const uint64_t *key);
  uint64_t (*change) (const tl_rule *, uint32_t event);
  tl_status (*widen) (tl_rule *);
  void (*convert) (tl_rule *, const uint64_t *old, uint64_t *key);
  // The transition of an event, and the event in words.
  uint32_t (*transition) (const tl_rule *, uint32_t event);
  const char *(*name) (const tl_rule *, uint32_t event);
  // How the net was run, in words: compiled, or not, and why not.
  const char *(*how) (const tl_rule *, bool *compiled);
  void (*close) (tl_rule *);
} tl_rule_kind;

struct tl_rule {
  const tl_rule_kind *kind;
  uint32_t key_words, key_bits; // of the form in use
  uint32_t counted;             // places of the net that hold tokens; those
                                // behind them are propositions
  uint64_t arcs;                // of the coloured net, for people
  uint32_t most_events;         // that there can be
  uint32_t most_enabled;        // in one state; more is a failure
  bool watched;                 // somebody looks at propositions
  uint64_t most_alike;          // tokens of one colour in one place, so far
  // Keys that are codes of different lengths: of how many states, and how long
  // they were in all, in whole bytes each.
  uint64_t coded_states, coded_bytes;
  tl_status failed;
  uint32_t failed_event; // that led to it; TL_NO_EVENT: the state itself
  tl_error error;
};

#define TL_NO_EVENT UINT32_MAX

// The transitions of events in the order of `enabled`: each once, ascending.
uint32_t tl_rule_transitions (const tl_rule *, const uint32_t *event,
                              uint32_t events, uint32_t *transition);

// Fires a trace from the initial state, between searches.  `seen` gets what can
// be seen of the last state.  False: an event of it is not enabled, or the loop
// of a lasso does not lead back.
bool tl_rule_replay (tl_rule *, const tl_trace *, uint64_t *seen);

// Turns the steps of a run, each told by its number in the list of what is
// enabled, into events; false: there is no such run.
bool tl_rule_events (tl_rule *, uint32_t *list, uint64_t length);

#endif
