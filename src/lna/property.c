// Reading property files.

#include "lna/property.h"
#include "base/error.h"
#include "lna/parse.h"

#include <string.h>

typedef struct reader {
  tl_lna_parser parser;
  tl_lna_source *source;
  tl_arena *arena; // of the properties
  tl_names propositions, names;
  tl_property *property;
  size_t room;
} reader;

static tl_property_tree *leaf (reader *r, tl_property_op op, tl_where where) {
  tl_property_tree *t;
  if (!TL_ARENA_NEW (r->arena, t, 1)) {
    tl_lna_no_memory (r->source);
    return 0;
  }
  t->op = op;
  t->where = where;
  return t;
}

// Null if an operand is missing; unary ones have `b` null.
static tl_property_tree *join (reader *r, tl_property_op op, tl_where where,
                               const tl_property_tree *a,
                               const tl_property_tree *b) {
  if (!a || (op >= TL_PROPERTY_AND && !b))
    return 0;
  tl_property_tree *t = leaf (r, op, where);
  if (!t)
    return 0;
  t->operand[0] = a;
  t->operand[1] = b;
  t->height = 1 + (b && b->height > a->height ? b->height : a->height);
  if (t->height <= TL_LNA_DEPTH)
    return t;
  tl_lna_fail (r->source, where, "this is nested too deeply");
  return 0;
}

static tl_property_tree *proposition (reader *r) {
  const tl_lna_lexeme now = r->parser.lexer.now;
  const uint32_t number = tl_names_find (&r->propositions, now.text);
  if (number == TL_NO_NAME) {
    tl_lna_fail (r->source, now.where, "the net has no proposition '%.80s'",
                 now.text);
    return 0;
  }
  tl_property_tree *t = leaf (r, TL_PROPERTY_PROPOSITION, now.where);
  if (t)
    t->proposition = number;
  tl_lna_advance (&r->parser.lexer);
  return t;
}

// Formulas of runs

static tl_property_tree *formula (reader *, int least);

static tl_property_tree *constant (reader *r, tl_property_op op) {
  tl_property_tree *t = leaf (r, op, tl_lna_here (&r->parser));
  tl_lna_advance (&r->parser.lexer);
  return t;
}

static tl_property_tree *unary (reader *r) {
  tl_lna_parser *p = &r->parser;
  const tl_where where = tl_lna_here (p);
  const tl_lna_token token = tl_lna_now (p);
  switch (token) {
  case TL_LNA_TRUE: return constant (r, TL_PROPERTY_TRUE);
  case TL_LNA_FALSE: return constant (r, TL_PROPERTY_FALSE);
  case TL_LNA_NAME: return proposition (r);
  case TL_LNA_OPEN:
  case TL_LNA_NOT:
  case TL_LNA_ALWAYS:
  case TL_LNA_EVENTUALLY: break;
  default: tl_lna_expected (p, "a formula"); return 0;
  }
  if (!tl_lna_enter (p))
    return 0;
  tl_lna_advance (&p->lexer);
  tl_property_tree *t = token == TL_LNA_OPEN ? formula (r, 1) : unary (r);
  tl_lna_leave (p);
  if (token == TL_LNA_OPEN)
    return t && tl_lna_expect (p, TL_LNA_CLOSE) ? t : 0;
  return join (r,
               token == TL_LNA_NOT      ? TL_PROPERTY_NOT
               : token == TL_LNA_ALWAYS ? TL_PROPERTY_ALWAYS
                                        : TL_PROPERTY_EVENTUALLY,
               where, t, 0);
}

static int precedence (tl_lna_token token, tl_property_op *op) {
  switch (token) {
  case TL_LNA_OR: *op = TL_PROPERTY_OR; return 1;
  case TL_LNA_AND: *op = TL_PROPERTY_AND; return 2;
  case TL_LNA_IMPLIES: *op = TL_PROPERTY_IMPLIES; return 3;
  case TL_LNA_EQUIVALENT: *op = TL_PROPERTY_EQUIVALENT; return 4;
  case TL_LNA_UNTIL: *op = TL_PROPERTY_UNTIL; return 5;
  default: return 0;
  }
}

// All operators associate to the left.
static tl_property_tree *formula (reader *r, int least) {
  tl_lna_parser *p = &r->parser;
  tl_property_tree *t = unary (r);
  tl_property_op op = TL_PROPERTY_OR;
  for (int level; t && (level = precedence (tl_lna_now (p), &op)) >= least;) {
    const tl_where where = tl_lna_here (p);
    tl_lna_advance (&p->lexer);
    t = join (r, op, where, t, formula (r, level + 1));
  }
  return t;
}

// State properties

static tl_property_tree *predicate (reader *r) {
  if (tl_lna_now (&r->parser) == TL_LNA_DEADLOCK)
    return constant (r, TL_PROPERTY_DEADLOCK);
  if (tl_lna_now (&r->parser) == TL_LNA_NAME)
    return proposition (r);
  tl_lna_expected (&r->parser, "a proposition or 'deadlock'");
  return 0;
}

// not rejected, or accepted
static tl_property_tree *invariant (reader *r) {
  tl_lna_parser *p = &r->parser;
  const tl_where where = tl_lna_here (p);
  if (!tl_lna_expect (p, TL_LNA_REJECT))
    return 0;
  tl_property_tree *t = join (r, TL_PROPERTY_NOT, where, predicate (r), 0);
  if (!t || !tl_lna_expect (p, TL_LNA_SEMICOLON))
    return 0;
  while (t && tl_lna_accept (p, TL_LNA_ACCEPT)) {
    t = join (r, TL_PROPERTY_OR, where, t, predicate (r));
    if (t && !tl_lna_expect (p, TL_LNA_SEMICOLON))
      return 0;
  }
  return t;
}

// Files

static bool property_name (reader *r, tl_property *property) {
  tl_lna_parser *p = &r->parser;
  if (tl_lna_now (p) != TL_LNA_NAME)
    return tl_lna_expected (p, "the name of a property");
  const char *text = p->lexer.now.text;
  property->where = tl_lna_here (p);
  property->name = tl_arena_text (r->arena, text, strlen (text));
  uint32_t number = 0;
  bool added;
  if (!property->name ||
      tl_names_add (&r->names, property->name, &number, &added))
    return tl_lna_no_memory (r->source);
  if (!added)
    return tl_lna_fail (r->source, property->where, "a second property '%.80s'",
                        text);
  tl_lna_advance (&p->lexer);
  return tl_lna_expect (p, TL_LNA_COLON);
}

static bool read_property (reader *r, tl_property *property) {
  tl_lna_parser *p = &r->parser;
  property->linear = tl_lna_now (p) == TL_LNA_LTL;
  if (!property->linear && tl_lna_now (p) != TL_LNA_STATE)
    return tl_lna_expected (p, "'state' or 'ltl'");
  tl_lna_advance (&p->lexer);
  if (!tl_lna_expect (p, TL_LNA_PROPERTY) || !property_name (r, property))
    return false;
  property->tree = property->linear ? formula (r, 1) : invariant (r);
  return property->tree &&
         (!property->linear || tl_lna_expect (p, TL_LNA_SEMICOLON));
}

static bool read_all (reader *r, tl_properties *all) {
  size_t count = 0;
  while (tl_lna_now (&r->parser) != TL_LNA_END) {
    if (!TL_ROOM (r->source->mem, r->property, &r->room, count + 1))
      return tl_lna_no_memory (r->source);
    if (!read_property (r, r->property + count))
      return false;
    count++;
  }
  if (r->source->status)
    return false;
  if (count && !TL_ARENA_NEW (r->arena, all->property, count))
    return tl_lna_no_memory (r->source);
  for (size_t i = 0; i < count; i++)
    all->property[i] = r->property[i];
  all->count = count;
  return true;
}

static bool prepare (reader *r, const tl_coloured *net,
                     const tl_settings *settings) {
  for (uint32_t i = 0; i < net->propositions; i++) {
    uint32_t number = i;
    bool added;
    if (tl_names_add (&r->propositions, net->proposition[i].name, &number,
                      &added))
      return tl_lna_no_memory (r->source);
  }
  for (size_t i = 0; settings && i < settings->count; i++)
    if (!settings->value[i] &&
        !tl_lna_define (&r->parser.lexer, settings->name[i]))
      return false;
  tl_lna_start (&r->parser.lexer);
  return true;
}

tl_status tl_read_properties (tl_properties *all, tl_mem *mem, tl_input *in,
                              const tl_coloured *net,
                              const tl_settings *settings, tl_error *err) {
  *all = (tl_properties){.arena = TL_ARENA (mem)};
  tl_error own = {.code = TL_OK};
  tl_lna_source source;
  tl_status status = tl_lna_source_open (&source, mem, in, err ? err : &own);
  if (!status) {
    reader r = {.source = &source,
                .arena = &all->arena,
                .propositions = TL_NAMES (mem),
                .names = TL_NAMES (mem)};
    tl_lna_parser_open (&r.parser, &source, true);
    if (!prepare (&r, net, settings) || !read_all (&r, all))
      status = source.status ? source.status : TL_E_INTERNAL;
    tl_lna_parser_close (&r.parser);
    tl_names_close (&r.propositions);
    tl_names_close (&r.names);
    TL_DEL (mem, r.property, r.room);
  }
  tl_lna_source_close (&source);
  if (status)
    tl_properties_close (all);
  return status;
}

void tl_properties_close (tl_properties *all) {
  tl_arena_close (&all->arena);
  *all = (tl_properties){.arena = TL_ARENA (all->arena.mem)};
}
