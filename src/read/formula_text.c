// An operator-precedence parser with its stacks on the heap, so that no input
// can exhaust the stack of the machine.  Whether "(" begins a formula or a sum
// is found out when the operators are applied.

#include "read/formula_text.h"

#include "base/error.h"
#include "logic/words.h"
#include "read/formula_lex.h"
#include "read/operands.h"
#include "read/propositions.h"
#include "read/text.h"

#include <stdio.h>
#include <string.h>

typedef enum operation {
  OPEN,
  OPEN_MAX,
  REACHABLE,
  INVARIANT,
  IMPOSSIBLE,
  IFF,
  IMPLIES,
  OR,
  XOR,
  AND,
  UNTIL,
  RELEASE,
  WEAK_UNTIL,
  NOT,
  EXISTS,
  ALL,
  NEXT,
  FINALLY,
  GLOBALLY,
  LESS_EQUAL,
  LESS,
  GREATER_EQUAL,
  GREATER,
  EQUAL,
  UNEQUAL,
  PLUS,
  MINUS,
  TIMES,
  NEGATE
} operation;

// How tightly an operator binds.
enum {
  PARENTHESIS,
  SENTENCE,
  EQUIVALENCE,
  IMPLICATION,
  DISJUNCTION,
  CONJUNCTION,
  TEMPORAL,
  PREFIX,
  COMPARISON,
  SUM,
  PRODUCT
};

static const unsigned char levels[] = {
    [OPEN] = PARENTHESIS,    [OPEN_MAX] = PARENTHESIS,
    [REACHABLE] = SENTENCE,  [INVARIANT] = SENTENCE,
    [IMPOSSIBLE] = SENTENCE, [IFF] = EQUIVALENCE,
    [IMPLIES] = IMPLICATION, [OR] = DISJUNCTION,
    [XOR] = DISJUNCTION,     [AND] = CONJUNCTION,
    [UNTIL] = TEMPORAL,      [RELEASE] = TEMPORAL,
    [WEAK_UNTIL] = TEMPORAL, [NOT] = PREFIX,
    [EXISTS] = PREFIX,       [ALL] = PREFIX,
    [NEXT] = PREFIX,         [FINALLY] = PREFIX,
    [GLOBALLY] = PREFIX,     [LESS_EQUAL] = COMPARISON,
    [LESS] = COMPARISON,     [GREATER_EQUAL] = COMPARISON,
    [GREATER] = COMPARISON,  [EQUAL] = COMPARISON,
    [UNEQUAL] = COMPARISON,  [PLUS] = SUM,
    [MINUS] = SUM,           [TIMES] = PRODUCT,
    [NEGATE] = PRODUCT,
};

typedef struct pending {
  operation op;
  tl_position at;
  const char *text; // as written, and what follows it
  int length;
} pending;

typedef struct reader {
  tl_questions *questions;
  tl_lexer lexer;
  const char *end; // of the token before the current one
  tl_operands operands;
  pending *op; // operators that wait for their right operand
  size_t ops, op_room;
  const char *warning; // about the question at hand
  bool tapaal;         // it is in TAPAAL's language
} reader;

// In TAPAAL's language temporal operators take all that follows.
static int level (const reader *r, operation op) {
  return r->tapaal && op >= EXISTS && op <= GLOBALLY ? SENTENCE : levels[op];
}

static tl_status unexpected (const reader *r, const char *wanted) {
  return tl_lexer_unexpected (&r->lexer, wanted);
}

static tl_status next (reader *r) {
  r->end = r->lexer.end;
  return tl_lexer_next (&r->lexer);
}

// ---- Operators -------------------------------------------------------------

static tl_status apply_prefix (tl_operands *operands, pending p) {
  static const tl_op unary[] = {
      [NOT] = TL_NOT,   [EXISTS] = TL_EXISTS,   [ALL] = TL_ALL,
      [NEXT] = TL_NEXT, [FINALLY] = TL_FINALLY, [GLOBALLY] = TL_GLOBALLY};
  if (p.op == NEGATE)
    return tl_operands_negate_sum (operands, p.at);
  if (p.op >= NOT)
    return tl_operands_unary (operands, p.at, unary[p.op]);
  tl_status rc = TL_OK;
  if (p.op == IMPOSSIBLE)
    rc = tl_operands_unary (operands, p.at, TL_NOT);
  const bool reachable = p.op == REACHABLE;
  if (!rc)
    rc = tl_operands_unary (operands, p.at,
                            reachable ? TL_FINALLY : TL_GLOBALLY);
  return rc ? rc
            : tl_operands_unary (operands, p.at,
                                 reachable ? TL_EXISTS : TL_ALL);
}

// In EF a = 1 & b = 1 the EF ends before the &.  Where nothing behind it looks
// into the future, more may have been meant.
static tl_status warn (reader *r, pending p, size_t count) {
  const tl_operand *o = r->operands.operand + r->operands.count - count;
  const char *prefix = 0;
  for (size_t i = 0; i < count && o[i].kind == TL_A_FORMULA; i++) {
    if (o[i].prefix && !prefix)
      prefix = o[i].prefix;
    else if (prefix && !r->warning && !tl_formula_has_temporal (o[i].formula)) {
      char text[200];
      size_t length = 0;
      while (length < 20 && tl_word_has (prefix[length]))
        length++;
      snprintf (text, sizeof text,
                "%.*s ends before '%.*s'; parentheses say whether all of it "
                "was meant",
                length ? (int)length : 2, prefix, p.length, p.text);
      r->warning = tl_arena_text (r->operands.arena, text, strlen (text));
      return r->warning ? TL_OK : tl_operands_no_memory (&r->operands);
    }
  }
  return TL_OK;
}

// Remembers that what was read last begins with a temporal operator.
static void keep_prefix (reader *r, pending p) {
  tl_operand *last = r->operands.operand + r->operands.count - 1;
  if (p.op >= EXISTS && p.op <= GLOBALLY && last->kind == TL_A_FORMULA)
    last->prefix = p.text;
}

// A chain of these is one operator with many operands.
static bool is_chain (operation op) {
  return op == AND || op == OR || op == IFF || op == XOR;
}

static tl_status apply_chain (reader *r, pending p) {
  size_t operands = 2;
  for (; r->ops && r->op[r->ops - 1].op == p.op; r->ops--)
    operands++;
  const tl_status rc = warn (r, p, operands);
  if (rc)
    return rc;
  if (p.op == IFF || p.op == XOR)
    return tl_operands_chain (&r->operands, p.at, p.op == IFF ? TL_IFF : TL_XOR,
                              operands);
  return tl_operands_join (&r->operands, p.at, p.op == AND ? TL_AND : TL_OR,
                           operands);
}

static tl_status apply (reader *r) {
  const pending p = r->op[--r->ops];
  static const tl_connective connective[] = {[IMPLIES] = TL_IMPLIES,
                                             [UNTIL] = TL_STRONG_UNTIL,
                                             [RELEASE] = TL_RELEASED_BY,
                                             [WEAK_UNTIL] = TL_WEAK_UNTIL};
  static const tl_comparison relation[] = {[LESS_EQUAL] = TL_LESS_EQUAL,
                                           [LESS] = TL_LESS,
                                           [GREATER_EQUAL] = TL_GREATER_EQUAL,
                                           [GREATER] = TL_GREATER,
                                           [EQUAL] = TL_EQUAL,
                                           [UNEQUAL] = TL_UNEQUAL};
  static const tl_arithmetic arithmetic[] = {
      [PLUS] = TL_PLUS, [MINUS] = TL_MINUS, [TIMES] = TL_TIMES};
  tl_status rc = TL_OK;
  if (is_chain (p.op))
    return apply_chain (r, p);
  if (levels[p.op] == SENTENCE || levels[p.op] == PREFIX || p.op == NEGATE) {
    rc = apply_prefix (&r->operands, p);
    if (!rc)
      keep_prefix (r, p);
    return rc;
  }
  if (levels[p.op] < PREFIX) {
    if (levels[p.op] != TEMPORAL)
      rc = warn (r, p, 2);
    return rc ? rc : tl_operands_binary (&r->operands, p.at, connective[p.op]);
  }
  if (levels[p.op] == COMPARISON)
    return tl_operands_compare (&r->operands, p.at, relation[p.op]);
  return tl_operands_arithmetic (&r->operands, p.at, arithmetic[p.op]);
}

// Applies what is pending back to the last parenthesis.
static tl_status apply_all (reader *r) {
  tl_status rc = TL_OK;
  while (!rc && r->ops && levels[r->op[r->ops - 1].op] != PARENTHESIS)
    rc = apply (r);
  return rc;
}

static tl_status push (reader *r, operation op) {
  if (!TL_ROOM (r->lexer.mem, r->op, &r->op_room, r->ops + 1))
    return tl_operands_no_memory (&r->operands);
  r->op[r->ops++] = (pending){op, r->lexer.position, r->lexer.start,
                              (int)(r->lexer.end - r->lexer.start)};
  return TL_OK;
}

// Is `top` applied before `op`, of the same level, or does it wait?
static tl_status apply_first (const reader *r, pending top, operation op,
                              bool *first) {
  if (levels[op] == COMPARISON)
    return tl_operands_fail (&r->operands, r->lexer.position,
                             "two comparisons in a row; join them with AND");
  if (op == IMPLIES)
    return tl_operands_fail (&r->operands, r->lexer.position,
                             "a second '->' needs parentheses");
  *first = levels[op] != TEMPORAL && (op != top.op || !is_chain (op));
  return TL_OK;
}

// A binary operator: what binds tighter before it is applied.
static tl_status push_binary (reader *r, operation op) {
  while (r->ops) {
    const pending top = r->op[r->ops - 1];
    // In E a U b it is better to ask than to read (E a) U b.
    if (levels[op] == TEMPORAL && (top.op == EXISTS || top.op == ALL))
      return tl_operands_fail (&r->operands, top.at,
                               "a quantifier needs parentheses before U, R "
                               "and W, as in E (a U b)");
    bool first = level (r, top.op) > levels[op];
    tl_status rc = TL_OK;
    if (level (r, top.op) == levels[op])
      rc = apply_first (r, top, op, &first);
    if (rc || (first && (rc = apply (r))))
      return rc;
    if (!first)
      break;
  }
  return push (r, op);
}

// ---- Operands --------------------------------------------------------------

// FIREABLE ( t , ... ): up to the closing parenthesis.
static tl_status read_fireable (reader *r) {
  const tl_position at = r->lexer.position;
  tl_status rc = next (r);
  if (!rc && r->lexer.token != TL_TOKEN_OPEN)
    return unexpected (r, "'(' after FIREABLE");
  do {
    if (rc || (rc = next (r)))
      return rc;
    if (r->lexer.token != TL_TOKEN_WORD && r->lexer.token != TL_TOKEN_QUOTED)
      return unexpected (r, "the name of a transition");
    rc =
        tl_operands_transition (&r->operands, r->lexer.position, r->lexer.name);
    if (rc || (rc = next (r)))
      return rc;
  } while (r->lexer.token == TL_TOKEN_COMMA);
  if (r->lexer.token != TL_TOKEN_CLOSE)
    return unexpected (r, "',' or ')'");
  return tl_operands_fireable (&r->operands, at);
}

// There is no such place, but what follows may belong to its name.
static tl_status explain_hyphen (const reader *r) {
  char name[100], text[200];
  const char *word = r->lexer.start;
  size_t length = 0;
  while (tl_word_has (word[length]) || word[length] == '-')
    length++;
  if (length >= sizeof name)
    return TL_E_SYNTAX; // it was said that there is no such place
  snprintf (name, sizeof name, "%.*s", (int)length, word);
  tl_resolve_explain (r->questions->net, TL_NAMED_PLACE, name, text,
                      sizeof text);
  return tl_operands_fail (&r->operands, r->lexer.position,
                           "%s (a name with '-' stands in quotes: \"%s\")",
                           text, name);
}

static tl_status push_place (reader *r) {
  const tl_position at = r->lexer.position;
  tl_status rc = tl_operands_number (&r->operands, at, 0);
  if (!rc)
    rc = tl_operands_place (&r->operands, at, r->lexer.name);
  return rc == TL_E_SYNTAX && r->lexer.token == TL_TOKEN_WORD &&
                 r->lexer.next[0] == '-' && tl_word_has (r->lexer.next[1])
             ? explain_hyphen (r)
             : rc;
}

// The name of a proposition, where it is not part of a sum.
static bool is_proposition (const reader *r, uint32_t *number) {
  if (!tl_proposition_find (r->questions->net, r->lexer.name, number))
    return false;
  return tl_lexer_peek (&r->lexer) < TL_TOKEN_EQUAL &&
         !(r->ops && levels[r->op[r->ops - 1].op] >= COMPARISON);
}

static bool is_place (const reader *r) {
  tl_node_range range;
  return tl_resolve (r->questions->net, TL_NAMED_PLACE, r->lexer.name, &range);
}

// In TAPAAL's language the name of a transition says that it is enabled.
static bool is_enabled_transition (const reader *r) {
  tl_node_range range;
  const tl_net *net = r->questions->net;
  return r->tapaal && !is_place (r) &&
         tl_resolve (net, TL_NAMED_TRANSITION, r->lexer.name, &range);
}

static tl_status push_transition (reader *r) {
  const tl_position at = r->lexer.position;
  const tl_status rc = tl_operands_transition (&r->operands, at, r->lexer.name);
  return rc ? rc : tl_operands_fireable (&r->operands, at);
}

static tl_status push_proposition (reader *r, uint32_t number) {
  tl_formula *f;
  tl_error why = {.code = TL_OK};
  const tl_status rc = tl_proposition_read (r->questions->net, number,
                                            r->operands.arena, &f, &why);
  if (rc == TL_E_NOMEM)
    return tl_operands_no_memory (&r->operands);
  return rc ? tl_operands_fail (&r->operands, r->lexer.position, "%s", why.text)
            : tl_operands_formula (&r->operands, r->lexer.position, f);
}

// The word of the language that the token is where an operand is expected, or
// none where it has to be the name of a place.
static tl_word operand_word (const reader *r) {
  bool exact;
  if (r->lexer.token != TL_TOKEN_WORD)
    return TL_WORD_NONE;
  const tl_word word = tl_word_find (r->lexer.name, &exact);
  if (word == TL_WORD_INFINITY)
    return is_place (r) ? TL_WORD_NONE : word;
  if (!word || (!exact && is_place (r)) ||
      (r->ops && levels[r->op[r->ops - 1].op] >= COMPARISON))
    return TL_WORD_NONE;
  const tl_token follows = tl_lexer_peek (&r->lexer);
  // "F -p < 1" may be about F - p or say that eventually -p < 1, and E <> 1 is
  // about a place E if there is one.
  const bool either = follows == TL_TOKEN_MINUS || follows == TL_TOKEN_DIAMOND;
  if (follows >= TL_TOKEN_EQUAL && (!either || is_place (r)))
    return TL_WORD_NONE;
  if ((follows == TL_TOKEN_CLOSE || follows == TL_TOKEN_END) &&
      word > TL_WORD_INITIAL && is_place (r))
    return TL_WORD_NONE;
  return word;
}

// A word, or a name.  *complete: it is an operand; else one has to follow.
static tl_status read_operand_word (reader *r, bool *complete) {
  static const operation prefix[] = {[TL_WORD_NOT] = NOT,
                                     [TL_WORD_REACHABLE] = REACHABLE,
                                     [TL_WORD_INVARIANT] = INVARIANT,
                                     [TL_WORD_IMPOSSIBLE] = IMPOSSIBLE,
                                     [TL_WORD_EXISTS] = EXISTS,
                                     [TL_WORD_ALL] = ALL,
                                     [TL_WORD_NEXT] = NEXT,
                                     [TL_WORD_FINALLY] = FINALLY,
                                     [TL_WORD_GLOBALLY] = GLOBALLY};
  tl_operands *operands = &r->operands;
  const tl_position at = r->lexer.position;
  const tl_word word = operand_word (r);
  uint32_t proposition;
  tl_status rc = TL_OK;
  *complete = true;
  switch (word) {
  case TL_WORD_NONE:
    return is_proposition (r, &proposition) ? push_proposition (r, proposition)
           : is_enabled_transition (r)      ? push_transition (r)
                                            : push_place (r);
  case TL_WORD_TRUE:
  case TL_WORD_FALSE:
    return tl_operands_formula (
        operands, at,
        tl_formula_constant (operands->arena, word == TL_WORD_TRUE));
  case TL_WORD_DEADLOCK:
    return tl_operands_formula (operands, at,
                                tl_formula_deadlock (operands->arena));
  case TL_WORD_INITIAL: return tl_operands_initial (operands, at);
  case TL_WORD_INFINITY: return tl_operands_infinity (operands, at);
  case TL_WORD_FIREABLE: return read_fireable (r);
  case TL_WORD_MAX:
    *complete = false;
    if ((rc = push (r, OPEN_MAX)) || (rc = next (r)))
      return rc;
    return r->lexer.token == TL_TOKEN_OPEN ? TL_OK
                                           : unexpected (r, "'(' after MAX");
  case TL_WORD_PREFIXES:
    *complete = false;
    for (const char *c = r->lexer.name; !rc && *c; c++)
      rc = push (r, prefix[tl_word_prefix (*c)]);
    return rc;
  default:
    *complete = false;
    if (word >= sizeof prefix / sizeof *prefix || !prefix[word])
      return unexpected (r, "a formula or a sum of places");
    return push (r, prefix[word]);
  }
}

// The beginning of an operand; *complete when it is all of one.
static tl_status read_operand (reader *r, bool *complete) {
  *complete = false;
  switch (r->lexer.token) {
  case TL_TOKEN_WORD:
  case TL_TOKEN_QUOTED: return read_operand_word (r, complete);
  case TL_TOKEN_NUMBER:
    *complete = true;
    return tl_operands_number (&r->operands, r->lexer.position,
                               r->lexer.number);
  case TL_TOKEN_OPEN: return push (r, OPEN);
  case TL_TOKEN_NOT: return push (r, NOT);
  case TL_TOKEN_BOX: return push (r, GLOBALLY);
  case TL_TOKEN_DIAMOND: return push (r, FINALLY);
  case TL_TOKEN_MINUS: return push (r, NEGATE);
  default: return unexpected (r, "a formula or a sum of places");
  }
}

// ---- What follows an operand -----------------------------------------------

static tl_status close_parenthesis (reader *r) {
  const tl_status rc = apply_all (r);
  if (rc)
    return rc;
  if (!r->ops)
    return tl_operands_fail (&r->operands, r->lexer.position,
                             "')' without '('");
  const pending open = r->op[--r->ops];
  if (open.op == OPEN_MAX)
    return tl_operands_maximum (&r->operands, open.at);
  tl_operand *last = r->operands.operand + r->operands.count - 1;
  last->at = open.at;
  last->prefix = 0;
  return TL_OK;
}

// The binary operator that the token is, or OPEN.
static operation binary_operation (const reader *r) {
  static const operation symbol[] = {[TL_TOKEN_AND] = AND,
                                     [TL_TOKEN_OR] = OR,
                                     [TL_TOKEN_IMPLIES] = IMPLIES,
                                     [TL_TOKEN_IFF] = IFF,
                                     [TL_TOKEN_EQUAL] = EQUAL,
                                     [TL_TOKEN_UNEQUAL] = UNEQUAL,
                                     [TL_TOKEN_DIAMOND] = UNEQUAL,
                                     [TL_TOKEN_LESS] = LESS,
                                     [TL_TOKEN_LESS_EQUAL] = LESS_EQUAL,
                                     [TL_TOKEN_GREATER] = GREATER,
                                     [TL_TOKEN_GREATER_EQUAL] = GREATER_EQUAL,
                                     [TL_TOKEN_PLUS] = PLUS,
                                     [TL_TOKEN_MINUS] = MINUS,
                                     [TL_TOKEN_TIMES] = TIMES};
  if (r->lexer.token != TL_TOKEN_WORD)
    return symbol[r->lexer.token];
  bool exact;
  const char letter = r->lexer.name[0];
  // Single letters may be small here: no name can stand in this place.
  switch (r->lexer.name[1] ? tl_word_find (r->lexer.name, &exact)
          : letter == 'u' || letter == 'U' ? TL_WORD_UNTIL
          : letter == 'r' || letter == 'R' ? TL_WORD_RELEASE
          : letter == 'w' || letter == 'W' ? TL_WORD_WEAK_UNTIL
                                           : TL_WORD_NONE) {
  case TL_WORD_AND: return AND;
  case TL_WORD_OR: return OR;
  case TL_WORD_XOR: return XOR;
  case TL_WORD_UNTIL: return UNTIL;
  case TL_WORD_RELEASE: return RELEASE;
  case TL_WORD_WEAK_UNTIL: return WEAK_UNTIL;
  default: return OPEN;
  }
}

// *complete: still no operand has to follow.
static tl_status read_operator (reader *r, bool *complete) {
  if (r->lexer.token == TL_TOKEN_CLOSE)
    return close_parenthesis (r);
  const operation op = binary_operation (r);
  if (op == OPEN)
    return unexpected (r, "an operator");
  *complete = false;
  return push_binary (r, op);
}

// ---- Questions -------------------------------------------------------------

static bool at_end (const reader *r) {
  return r->lexer.token == TL_TOKEN_END || r->lexer.token == TL_TOKEN_SEPARATOR;
}

static tl_status keep_warning (reader *r, const char *name) {
  char text[400];
  const int length = snprintf (text, sizeof text, "in '%.150s%s' %s", name,
                               strlen (name) > 150 ? "..." : "", r->warning);
  r->warning = 0;
  const char **warning =
      &r->questions->question[r->questions->count - 1].warning;
  *warning = tl_arena_text (r->operands.arena, text, (size_t)length);
  return *warning ? TL_OK : tl_operands_no_memory (&r->operands);
}

// A question, named by its text.
static tl_status add_question (reader *r, const char *text) {
  tl_status rc = apply_all (r);
  if (rc)
    return rc;
  if (r->ops)
    return tl_operands_fail (&r->operands, r->op[r->ops - 1].at,
                             "'(' is not closed");
  char *name = tl_arena_text (r->operands.arena, text, (size_t)(r->end - text));
  if (!name)
    return tl_operands_no_memory (&r->operands);
  tl_text_one_line (name);
  rc = tl_operands_finish (&r->operands, r->questions, name);
  return rc || !r->warning ? rc : keep_warning (r, name);
}

static tl_status read_question (reader *r) {
  const char *text = r->lexer.start;
  bool complete = false;
  while (!complete || !at_end (r)) {
    tl_status rc =
        complete ? read_operator (r, &complete) : read_operand (r, &complete);
    if (rc || (rc = next (r)))
      return rc;
  }
  return add_question (r, text);
}

// FORMULA at the beginning says nothing.
static tl_status skip_formula (reader *r) {
  return operand_word (r) == TL_WORD_FORMULA ? next (r) : TL_OK;
}

static tl_status read_questions (reader *r) {
  tl_status rc = next (r);
  do {
    if (rc || (rc = skip_formula (r)) || (rc = read_question (r)))
      return rc;
    while (!rc && r->lexer.token == TL_TOKEN_SEPARATOR)
      rc = next (r);
  } while (!rc && r->lexer.token != TL_TOKEN_END);
  return rc;
}

static tl_status read_text (tl_questions *questions, bool tapaal,
                            const char *text, const char *file, tl_position at,
                            tl_error *err) {
  const size_t before = questions->count;
  reader r = {.questions = questions, .tapaal = tapaal};
  tl_lexer_open (&r.lexer, &questions->mem, questions->net, text, file, err);
  r.lexer.at = at;
  tl_operands_open (&r.operands, questions, file, err);
  tl_status rc = read_questions (&r);
  if (!rc && tapaal && questions->count != before + 1)
    rc = tl_operands_fail (&r.operands, at, "a query is one formula");
  if (rc)
    questions->count = before;
  TL_DEL (&questions->mem, r.op, r.op_room);
  tl_operands_close (&r.operands);
  tl_lexer_close (&r.lexer);
  return rc;
}

tl_status tl_formula_text_read (tl_questions *questions, const char *text,
                                const char *file, tl_position at,
                                tl_error *err) {
  return read_text (questions, false, text, file, at, err);
}

tl_status tl_formula_query_read (tl_questions *questions, const char *text,
                                 const char *file, tl_position at,
                                 tl_error *err) {
  return read_text (questions, true, text, file, at, err);
}
