// GreatSPN's .net format: lines of words, in an order that the first ones give.
//
//     |0|                          then lines of comment, to one that begins |
//     |
//     f 1 2 0 1 0 0 0              parameters of markings, places, parameters
//                                  of rates, transitions, groups, ...
//     N 3 1.0 2.0 0                a parameter: name, value, where it is drawn
//     p -1 1.0 1.0 1.2 1.0 0       a place: its tokens; -1: parameter 1
//     q 0 3.0 1.0 3.2 1.0 0
//     t 1.0 0 0 1 0 2.0 1.0 ...    a transition: rate, servers, kind, and how
//     2 1 0 0                      many arcs come in: weight, place, points
//     1                            so many go out
//     1 2 0 0
//     0                            and so many inhibit it
//
// Rates and weights of choices say how often something happens, not whether,
// and are read over.  What would change the behaviour is refused: delays that
// are not exponential, rates that depend on the marking, colours, and most
// priorities.
//
// A transition may fire where none of a higher priority is enabled.  Where that
// one takes from one place only, an inhibitor arc from there says the same.

#include "base/error.h"
#include "read/scan.h"
#include "read/text.h"

#include <stdlib.h>
#include <string.h>

#define DETERMINISTIC 127      // the kind of a transition
#define NO_VALUE "-7134"       // of a parameter that is set for each run
#define COLOURED_MARKING 10000 // tokens below minus this are a definition
#define PARAMETER_WEIGHT 20000 // weights from here on may be parameters

#define MOST_INHIBITORS 5000000 // that stand for priorities

enum { PARAMETERS, PLACES, RATES, TRANSITIONS, GROUPS, COUNTS };

typedef struct greatspn {
  tl_scan scan;
  uint32_t count[COUNTS];
  struct parameter {
    uint32_t value;
    bool known;
  } * parameter;
  size_t parameter_room;
  uint32_t *priority; // of the groups
  size_t priority_room;
  struct rank {
    uint64_t level;                 // 0: timed, else above 0 by its priority
    uint32_t place, weight, inputs; // of the last arc into it; all of these
    uint32_t transition;
    bool inhibited;
    long line;
  } * rank; // of the transitions
  size_t rank_room;
} greatspn;

// ---- Words and lines -------------------------------------------------------

static bool is_blank (int c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// Is there another word in the line?
static bool more (greatspn *p) {
  tl_scan *s = &p->scan;
  while (is_blank (tl_scan_peek (s)))
    tl_scan_skip (s);
  const int c = tl_scan_peek (s);
  return c != '\n' && c != TL_SCAN_END;
}

static tl_status word (greatspn *p, const char *what) {
  tl_scan *s = &p->scan;
  const bool there = more (p);
  tl_scan_begin (s);
  if (!there)
    return tl_scan_fail (s, TL_E_SYNTAX, "expected %s, not the end of the %s",
                         what,
                         tl_scan_peek (s) == TL_SCAN_END ? "file" : "line");
  for (int c; c = tl_scan_peek (s),
              !is_blank (c) && c != '\n' && c != TL_SCAN_END && !s->status;
       tl_scan_skip (s)) {
    if (c < ' ')
      return tl_scan_fail (s, TL_E_SYNTAX, "a control character (%d)", c);
    tl_scan_add (s, c);
  }
  return s->status ? s->status : tl_scan_end (s);
}

static void skip_line (greatspn *p) {
  tl_scan *s = &p->scan;
  while (tl_scan_peek (s) != '\n' && tl_scan_peek (s) != TL_SCAN_END)
    tl_scan_skip (s);
  if (tl_scan_peek (s) == '\n')
    tl_scan_skip (s);
}

// What comes next begins a line; empty ones do not count.
static void next_line (greatspn *p) {
  while (!more (p) && tl_scan_peek (&p->scan) != TL_SCAN_END)
    tl_scan_skip (&p->scan);
}

static tl_status too_much (greatspn *p, const char *what) {
  if (!more (p))
    return p->scan.status;
  const tl_status status = word (p, "");
  return status ? status : tl_scan_fail (&p->scan, TL_E_MODEL, "%s", what);
}

static tl_status check_count (greatspn *p, const char *text, const char *what,
                              uint32_t *value) {
  const char *problem = tl_text_count (text, value);
  return problem ? tl_scan_fail (&p->scan, TL_E_SYNTAX, "the %s '%.40s' %s",
                                 what, p->scan.word, problem)
                 : TL_OK;
}

static tl_status count (greatspn *p, const char *what, uint32_t *value) {
  const tl_status status = word (p, "a number");
  return status ? status : check_count (p, p->scan.word, what, value);
}

// A number that may be negative.
static tl_status signed_count (greatspn *p, const char *what, uint32_t *value,
                               bool *negative) {
  const tl_status status = word (p, "a number");
  if (status)
    return status;
  *negative = p->scan.word[0] == '-';
  return check_count (p, p->scan.word + *negative, what, value);
}

// A number with a point or an exponent; the word is left to be looked at.
static tl_status real (greatspn *p, const char *what) {
  const tl_status status = word (p, what);
  const char *text = p->scan.word;
  return status || (strspn (text, "+-.0123456789eE") == strlen (text) &&
                    strpbrk (text, "0123456789"))
             ? status
             : tl_scan_fail (&p->scan, TL_E_SYNTAX, "expected %s, not '%.40s'",
                             what, text);
}

static tl_status coordinates (greatspn *p) {
  const tl_status status = real (p, "a coordinate");
  return status ? status : real (p, "a coordinate");
}

// Coordinates, `pairs` more that may be left out, and the layers that it is
// drawn in, to a 0.  What follows is a colour.
static tl_status drawing (greatspn *p, int pairs, const char *colour) {
  tl_status status = TL_OK;
  for (; !status && pairs && more (p); pairs--)
    status = coordinates (p);
  for (uint32_t layer = 1; !status && layer && more (p);)
    status = count (p, "layer", &layer);
  return status ? status : too_much (p, colour);
}

// The name of a node, without the tags behind a |, by which GreatSPN composes
// nets.
static tl_status name (greatspn *p, const char *what) {
  tl_scan *s = &p->scan;
  next_line (p);
  const tl_status status = word (p, what);
  if (status)
    return status;
  s->length = strcspn (s->word, "|");
  s->word[s->length] = 0;
  const char *problem = tl_text_id (s->word, s->length);
  return problem ? tl_scan_fail (s, TL_E_SYNTAX, "%s %s", what, problem)
                 : TL_OK;
}

// ---- The parts of a file ---------------------------------------------------

static tl_status header (greatspn *p) {
  static const char *const what[] = {
      "number of marking parameters", "number of places",
      "number of rate parameters", "number of transitions", "number of groups"};
  skip_line (p); // |0|
  while (tl_scan_peek (&p->scan) != '|' &&
         tl_scan_peek (&p->scan) != TL_SCAN_END)
    skip_line (p);
  skip_line (p);
  next_line (p);
  tl_status status = word (p, "the line of numbers that begins with f");
  if (!status && strcmp (p->scan.word, "f"))
    status = tl_scan_fail (&p->scan, TL_E_SYNTAX,
                           "expected the line of numbers that begins with f, "
                           "not '%.40s'",
                           p->scan.word);
  for (int i = 0; !status && i < COUNTS; i++)
    status = count (p, what[i], p->count + i);
  skip_line (p);
  return status ? status : p->scan.status;
}

static tl_status parameter (greatspn *p, uint32_t number) {
  bool negative;
  struct parameter read;
  tl_status status = name (p, "a marking parameter");
  if (!status)
    status = signed_count (p, "value", &read.value, &negative);
  if (status)
    return status;
  if (negative && strcmp (p->scan.word, NO_VALUE))
    return tl_scan_fail (&p->scan, TL_E_SYNTAX, "the value '%.40s' is negative",
                         p->scan.word);
  read.known = !negative;
  skip_line (p);
  if (!TL_ROOM (p->scan.reading->mem, p->parameter, &p->parameter_room,
                (size_t)number + 1))
    return tl_scan_no_memory (&p->scan);
  p->parameter[number] = read;
  return p->scan.status;
}

static tl_status tokens (greatspn *p, uint32_t *value) {
  bool negative;
  const tl_status status = signed_count (p, "marking", value, &negative);
  if (status || !negative)
    return status;
  if (*value > COLOURED_MARKING)
    return tl_scan_fail (&p->scan, TL_E_MODEL,
                         "the marking is coloured: coloured nets of GreatSPN "
                         "are not supported");
  if (!*value || *value > p->count[PARAMETERS])
    return tl_scan_fail (&p->scan, TL_E_SYNTAX,
                         "there is no marking parameter %u", *value);
  const struct parameter *read = p->parameter + *value - 1;
  if (!read->known)
    return tl_scan_fail (&p->scan, TL_E_MODEL,
                         "marking parameter %u has no value", *value);
  *value = read->value;
  return TL_OK;
}

static tl_status place (greatspn *p) {
  tl_scan *s = &p->scan;
  uint32_t index, initial;
  tl_status status = name (p, "the name of a place");
  if (status)
    return status;
  status = tl_builder_place (s->reading->builder, s->word, 0, 0, &index);
  if (status)
    return status == TL_E_ARG ? tl_scan_fail (s, TL_E_SYNTAX,
                                              "a second place '%.80s'", s->word)
                              : tl_scan_no_memory (s);
  status = tokens (p, &initial);
  if (!status)
    status = coordinates (p);
  if (!status)
    status = drawing (p, 1,
                      "the place has colours: coloured nets of GreatSPN are "
                      "not supported");
  if (!status)
    tl_builder_set_initial (s->reading->builder, index, initial);
  return status;
}

static tl_status rate (greatspn *p) {
  tl_status status = name (p, "a rate parameter");
  if (!status)
    status = real (p, "a rate");
  skip_line (p);
  return status ? status : p->scan.status;
}

// Transitions of the n-th group have priority n where it does not say another.
static tl_status group (greatspn *p, uint32_t number) {
  uint32_t priority = number + 1;
  tl_status status = name (p, "a group");
  if (!status)
    status = coordinates (p);
  if (!status && more (p))
    status = count (p, "priority", &priority);
  skip_line (p);
  if (status || p->scan.status)
    return status ? status : p->scan.status;
  if (!TL_ROOM (p->scan.reading->mem, p->priority, &p->priority_room,
                (size_t)number + 1))
    return tl_scan_no_memory (&p->scan);
  p->priority[number] = priority;
  return TL_OK;
}

// ---- Transitions -----------------------------------------------------------

// -N is the N-th rate parameter, also as -N.0 or -N.0e+00.  Any other negative
// rate stands for a function of the marking.
static bool is_rate_parameter (const greatspn *p, char *text) {
  char *end = text + 1 + strspn (text + 1, "0123456789");
  uint32_t number;
  if (*end && strspn (end, ".0eE+") != strlen (end))
    return false;
  *end = 0;
  return !tl_text_count (text + 1, &number) && number &&
         number <= p->count[RATES];
}

// Functions of the marking may be 0, and then nothing fires.
static tl_status check_rate (greatspn *p) {
  const tl_status status = real (p, "a rate");
  char *text = p->scan.word;
  if (status)
    return status;
  if (*text == '-' && !is_rate_parameter (p, text))
    return tl_scan_fail (&p->scan, TL_E_MODEL,
                         "rates that depend on the marking are not supported");
  text[strcspn (text, "eE")] = 0;
  return strpbrk (text, "123456789")
             ? TL_OK
             : tl_scan_fail (&p->scan, TL_E_MODEL, "a rate of 0");
}

static tl_status check_servers (greatspn *p) {
  uint32_t servers;
  bool negative;
  const tl_status status =
      signed_count (p, "number of servers", &servers, &negative);
  return !status && negative
             ? tl_scan_fail (&p->scan, TL_E_MODEL,
                             "rates that depend on the load are not supported")
             : status;
}

// Immediate transitions go before timed ones.
static tl_status read_kind (greatspn *p, uint32_t transition) {
  uint32_t kind;
  const tl_status status = count (p, "kind of transition", &kind);
  if (status)
    return status;
  if (kind == DETERMINISTIC)
    return tl_scan_fail (&p->scan, TL_E_MODEL,
                         "time is not supported: the delay of this transition "
                         "is not exponential");
  if (kind > p->count[GROUPS])
    return tl_scan_fail (&p->scan, TL_E_SYNTAX, "there is no group %u", kind);
  if (!TL_ROOM (p->scan.reading->mem, p->rank, &p->rank_room,
                (size_t)transition + 1))
    return tl_scan_no_memory (&p->scan);
  p->rank[transition] =
      (struct rank){.level = kind ? (uint64_t)p->priority[kind - 1] + 1 : 0,
                    .transition = transition,
                    .line = p->scan.word_line};
  return TL_OK;
}

static void keep_arc (struct rank *rank, tl_arc_kind kind, uint32_t index,
                      uint32_t weight) {
  if (kind == TL_ARC_INHIBITOR)
    rank->inhibited = true;
  if (kind != TL_ARC_PRE)
    return;
  rank->place = index;
  rank->weight = weight;
  rank->inputs++;
}

static tl_status arc (greatspn *p, tl_arc_kind kind, uint32_t transition) {
  tl_scan *s = &p->scan;
  uint32_t weight, index, points;
  bool broken; // how it is drawn
  next_line (p);
  tl_status status = signed_count (p, "arc weight", &weight, &broken);
  if (!status && !weight)
    status = tl_scan_fail (s, TL_E_SYNTAX, "an arc of weight 0");
  if (!status && weight >= PARAMETER_WEIGHT &&
      weight - PARAMETER_WEIGHT < p->count[PARAMETERS])
    status = tl_scan_fail (s, TL_E_MODEL,
                           "the weight %u may stand for a marking parameter, "
                           "which is not supported",
                           weight);
  if (!status)
    status = count (p, "number of a place", &index);
  if (!status && (!index || index > p->count[PLACES]))
    status = tl_scan_fail (s, TL_E_SYNTAX, "there is no place %u", index);
  if (!status)
    status = count (p, "number of points", &points);
  if (!status)
    status = drawing (p, 0,
                      "the arc has a function of colours or of the marking, "
                      "which is not supported");
  for (; !status && points; points--) {
    next_line (p);
    status = coordinates (p);
  }
  if (status)
    return status;
  keep_arc (p->rank + transition, kind, index - 1, weight);
  return tl_builder_arc (s->reading->builder, kind, index - 1, transition,
                         weight)
             ? tl_scan_no_memory (s)
             : TL_OK;
}

static tl_status arcs (greatspn *p, tl_arc_kind kind, uint32_t transition,
                       uint32_t number) {
  tl_status status = TL_OK;
  for (; !status && number; number--)
    status = arc (p, kind, transition);
  return status;
}

static tl_status transition (greatspn *p) {
  tl_scan *s = &p->scan;
  uint32_t index, number, orientation;
  tl_status status = name (p, "the name of a transition");
  if (status)
    return status;
  status = tl_builder_transition (s->reading->builder, s->word, 0, &index);
  if (status)
    return status == TL_E_ARG
               ? tl_scan_fail (s, TL_E_SYNTAX, "a second transition '%.80s'",
                               s->word)
               : tl_scan_no_memory (s);
  status = check_rate (p);
  if (!status)
    status = check_servers (p);
  if (!status)
    status = read_kind (p, index);
  if (!status)
    status = count (p, "number of arcs", &number);
  if (!status)
    status = count (p, "orientation", &orientation);
  if (!status)
    status = coordinates (p);
  if (!status)
    status = drawing (p, 2,
                      "the transition has a guard: coloured nets of GreatSPN "
                      "are not supported");
  for (tl_arc_kind kind = TL_ARC_PRE; !status; kind++) {
    status = arcs (p, kind, index, number);
    if (status || kind == TL_ARC_INHIBITOR)
      break;
    next_line (p);
    status = count (p, "number of arcs", &number);
  }
  return status;
}

// ---- Priorities ------------------------------------------------------------

// The highest come first, else as in the file.
static int compare_ranks (const void *a, const void *b) {
  const struct rank *x = a, *y = b;
  const int levels = (x->level < y->level) - (x->level > y->level);
  return levels ? levels : x->transition < y->transition ? -1 : 1;
}

// Can an inhibitor arc say that this one is not enabled?
static tl_status check_preferred (const greatspn *p, const struct rank *t) {
  const tl_reading *r = p->scan.reading;
  return t->inputs == 1 && !t->inhibited
             ? TL_OK
             : tl_fail_at (r->err, TL_E_MODEL, r->in->name, t->line, 0,
                           "this transition has priority over others, which "
                           "is supported only where it takes from one place "
                           "and none inhibits it");
}

// The transition waits for all that are preferred to it.
static tl_status wait_for_others (greatspn *p, const struct rank *waiting,
                                  uint64_t *arcs) {
  tl_reading *r = p->scan.reading;
  for (const struct rank *t = p->rank; t->level > waiting->level; t++) {
    const tl_status status = check_preferred (p, t);
    if (status)
      return status;
    if (++*arcs > MOST_INHIBITORS)
      return tl_fail_at (r->err, TL_E_MODEL, r->in->name, t->line, 0,
                         "so many priorities are not supported");
    if (tl_builder_arc (r->builder, TL_ARC_INHIBITOR, t->place,
                        waiting->transition, t->weight))
      return tl_fail (r->err, TL_E_NOMEM, "no memory for the net");
  }
  return TL_OK;
}

static tl_status priorities (greatspn *p) {
  const uint32_t transitions = p->count[TRANSITIONS];
  uint64_t arcs = 0;
  tl_status status = TL_OK;
  if (transitions)
    qsort (p->rank, transitions, sizeof *p->rank, compare_ranks);
  for (uint32_t i = 0; !status && i < transitions; i++)
    status = wait_for_others (p, p->rank + i, &arcs);
  return status;
}

static tl_status part (greatspn *p, int which, uint32_t number) {
  switch (which) {
  case PARAMETERS: return parameter (p, number);
  case PLACES: return place (p);
  case RATES: return rate (p);
  case GROUPS: return group (p, number);
  default: return transition (p);
  }
}

tl_status tl_read_greatspn (tl_reading *reading) {
  static const int order[] = {PARAMETERS, PLACES, RATES, GROUPS, TRANSITIONS};
  greatspn p = {0};
  tl_scan_open (&p.scan, reading);
  tl_status status = header (&p);
  for (int i = 0; i < COUNTS; i++)
    for (uint32_t n = 0; !status && n < p.count[order[i]]; n++)
      status = part (&p, order[i], n);
  if (!status)
    status = p.scan.status ? p.scan.status : priorities (&p);
  TL_DEL (reading->mem, p.parameter, p.parameter_room);
  TL_DEL (reading->mem, p.priority, p.priority_room);
  TL_DEL (reading->mem, p.rank, p.rank_room);
  tl_scan_close (&p.scan);
  return status ? status : p.scan.status;
}

bool tl_is_greatspn (const tl_input *in) {
  return in->length >= 3 && !memcmp (in->block, "|0|", 3);
}
