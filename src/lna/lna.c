// A net, from its text to its end.

#include "lna/lna.h"
#include "base/error.h"
#include "lna/typing.h"
#include "lna/parse.h"

#include <stdio.h>
#include <string.h>

// What constants may cost
#define STEPS 10000000

// Parameters and constants

static bool add_constant (tl_lna_checker *c, const tl_lna_word *name,
                          const tl_type *type, const tl_cell *value) {
  uint32_t number;
  if (!tl_lna_name (c, &c->constant_name, name, "constant", &number))
    return false;
  c->constant[number] = (tl_lna_constant){type, value};
  return true;
}

static bool define_constant (tl_lna_checker *c, const tl_lna_node *n) {
  const tl_type *type = tl_lna_find_type (c, n->word + 1);
  tl_cell *value;
  return type && TL_LNA_NET_NEW (c, value, type->cells) &&
         tl_lna_value (c, n->kid[0], type, value) &&
         add_constant (c, n->word, type, value);
}

static bool setting_fails (tl_lna_checker *c, const char *name,
                           const char *what) {
  if (!c->source->status)
    c->source->status =
        tl_fail_at (c->source->err, TL_E_ARG, c->source->path, 0, 0,
                    "the parameter '%.80s' %s", name, what);
  return false;
}

// A number as -12
static bool setting_value (tl_lna_checker *c, const char *name,
                           const char *text, tl_cell *value) {
  const bool negative = *text == '-';
  const char *digit = text + negative;
  int64_t sum = 0;
  for (; *digit >= '0' && *digit <= '9' && sum <= INT32_MAX; digit++)
    sum = 10 * sum + (*digit - '0');
  if (sum > INT32_MAX)
    return setting_fails (c, name, "is set to a number of more than 32 bits");
  if (*digit || digit == text + negative)
    return setting_fails (c, name, "must be set to a number");
  *value = (tl_cell)(negative ? -sum : sum);
  return true;
}

static bool no_such_parameter (tl_lna_checker *c, const char *name,
                               const tl_lna_node *list) {
  char text[200];
  size_t n = (size_t)snprintf (text, sizeof text, "does not exist%s",
                               list->kids ? ": the net has" : "");
  for (uint32_t i = 0; i < list->kids && n < sizeof text; i++)
    n += (size_t)snprintf (text + n, sizeof text - n, "%s %.40s", i ? "," : "",
                           list->kid[i]->word[0].text);
  return setting_fails (c, name, text);
}

static bool apply_settings (tl_lna_checker *c, const tl_lna_node *list,
                            const tl_settings *settings) {
  for (size_t i = 0; settings && i < settings->count; i++) {
    const char *name = settings->name[i];
    const uint32_t number = tl_names_find (&c->constant_name, name);
    tl_cell *value;
    if (!settings->value[i] && number != TL_NO_NAME)
      return setting_fails (c, name, "needs a value: NAME=VALUE");
    if (!settings->value[i])
      continue; // a symbol
    if (number == TL_NO_NAME)
      return no_such_parameter (c, name, list);
    if (!TL_LNA_NET_NEW (c, value, 1) ||
        !setting_value (c, name, settings->value[i], value))
      return false;
    c->constant[number].value = value;
  }
  return true;
}

static bool define_parameters (tl_lna_checker *c, const tl_lna_node *list,
                               const tl_settings *settings) {
  for (uint32_t i = 0; i < list->kids; i++) {
    tl_cell *value;
    if (!TL_LNA_NET_NEW (c, value, 1))
      return false;
    *value = (tl_cell)list->kid[i]->number;
    if (!add_constant (c, list->kid[i]->word, c->integer, value))
      return false;
  }
  return apply_settings (c, list, settings);
}

// Propositions

static bool define_proposition (tl_lna_checker *c, const tl_lna_node *n) {
  uint32_t number;
  if (!tl_lna_name (c, &c->proposition_name, n->word, "proposition", &number))
    return false;
  tl_proposition *p = c->net->proposition + number;
  c->net->propositions = number + 1;
  c->frame = 0;
  c->marking = true;
  p->where = n->word[0].where;
  p->name = tl_lna_keep (c, n->word[0].text);
  p->term = tl_lna_condition (c, n->kid[0]);
  p->frame = c->frame;
  c->marking = false;
  return p->name && p->term;
}

// The net

static bool define (tl_lna_checker *c, const tl_lna_node *n) {
  switch (n->kind) {
  case TL_LNA_IS_CONSTANT: return define_constant (c, n);
  case TL_LNA_IS_FUNCTION: return tl_lna_define_function (c, n);
  case TL_LNA_IS_PLACE: return tl_lna_define_place (c, n);
  case TL_LNA_IS_TRANSITION: return tl_lna_define_transition (c, n);
  case TL_LNA_IS_PROPOSITION: return define_proposition (c, n);
  case TL_LNA_IS_PROGRESS: return tl_lna_define_progress (c, n);
  default: return tl_lna_define_type (c, n);
  }
}

// Room for all definitions, as if each were of every kind
static bool make_room (tl_lna_checker *c, const tl_lna_tree *tree) {
  const size_t n = tree->definitions->kids;
  const size_t types = n + 5; // those that are predefined
  size_t enumerators = 2;
  for (size_t i = 0; i < n; i++)
    enumerators += tree->definitions->kid[i]->words;
  return TL_LNA_NET_NEW (c, c->net->type, types) &&
         TL_LNA_NEW (c->source, c->type_depth, types) &&
         TL_LNA_NEW (c->source, c->root, types) &&
         TL_LNA_NEW (c->source, c->found, types) &&
         TL_LNA_NEW (c->source, c->constant, n + tree->parameters->kids) &&
         TL_LNA_NEW (c->source, c->enumerator, enumerators) &&
         TL_LNA_NET_NEW (c, c->net->function, n) &&
         // and the clock, and what moves it
         TL_LNA_NET_NEW (c, c->net->place, n + 1) &&
         TL_LNA_NET_NEW (c, c->net->transition, n) &&
         TL_LNA_NET_NEW (c, c->net->proposition, n);
}

static bool check (tl_lna_checker *c, const tl_lna_tree *tree,
                   const tl_settings *settings) {
  if (!(c->net->name = tl_lna_keep (c, tree->name.text)) ||
      !make_room (c, tree) || !tl_lna_predefine (c) ||
      !define_parameters (c, tree->parameters, settings))
    return false;
  for (uint32_t i = 0; i < tree->definitions->kids; i++)
    if (!define (c, tree->definitions->kid[i]))
      return false;
  return tl_lna_functions_are_whole (c) &&
         tl_lna_define_asked (c, settings ? settings->progress : 0) &&
         tl_lna_let_time_pass (c) && tl_lna_measure_time (c);
}

static bool parse (tl_lna_source *source, const tl_settings *settings,
                   tl_lna_tree *tree) {
  tl_lna_parser p;
  tl_lna_parser_open (&p, source, false);
  bool good = true;
  for (size_t i = 0; settings && good && i < settings->count; i++)
    if (!settings->value[i])
      good = tl_lna_define (&p.lexer, settings->name[i]);
  if (good) {
    tl_lna_start (&p.lexer);
    good = tl_lna_parse_net (&p, tree);
  }
  tl_lna_parser_close (&p);
  return good;
}

static bool read_net (tl_lna_source *source, tl_coloured *net,
                      const tl_settings *settings) {
  tl_lna_tree tree;
  if (!parse (source, settings, &tree))
    return false;
  tl_mem *mem = source->mem;
  tl_lna_checker c = {.source = source,
                      .net = net,
                      .clock = TL_NO_NAME,
                      .type_name = TL_NAMES (mem),
                      .constant_name = TL_NAMES (mem),
                      .enumerator_name = TL_NAMES (mem),
                      .function_name = TL_NAMES (mem),
                      .place_name = TL_NAMES (mem),
                      .transition_name = TL_NAMES (mem),
                      .proposition_name = TL_NAMES (mem)};
  tl_evaluation_open (&c.evaluation, mem, source->path, source->err);
  c.evaluation.steps = STEPS;
  const bool good = check (&c, &tree, settings);
  tl_evaluation_close (&c.evaluation);
  tl_names *names[] = {&c.type_name,       &c.constant_name, &c.enumerator_name,
                       &c.function_name,   &c.place_name,    &c.transition_name,
                       &c.proposition_name};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    tl_names_close (names[i]);
  return good;
}

static tl_coloured *open_net (tl_mem *mem, const char *path) {
  tl_coloured *net;
  if (!TL_NEW (mem, net, 1))
    return 0;
  net->mem = mem;
  net->arena = TL_ARENA (mem);
  net->format = "lna";
  if ((net->path = tl_arena_text (&net->arena, path, strlen (path))))
    return net;
  tl_coloured_close (net);
  return 0;
}

tl_status tl_read_lna (tl_coloured **net, tl_mem *mem, tl_input *in,
                       const tl_settings *settings, tl_error *err) {
  *net = 0;
  tl_error own = {.code = TL_OK};
  tl_lna_source source;
  tl_status status = tl_lna_source_open (&source, mem, in, err ? err : &own);
  if (!status) {
    *net = open_net (mem, in->name);
    if (*net ? !read_net (&source, *net, settings)
             : !tl_lna_no_memory (&source)) {
      status = source.status ? source.status : TL_E_INTERNAL;
      tl_coloured_close (*net);
      *net = 0;
    }
  }
  tl_lna_source_close (&source);
  return status;
}

// A name, then parameters or definitions
bool tl_is_lna (const tl_input *in) {
  tl_mem mem = TL_MEM (0, "");
  tl_error err = {.code = TL_OK};
  tl_input block;
  tl_input_open_memory (&block, "", in->block, in->length);
  tl_lna_source source;
  if (tl_input_next (&block, &err) ||
      tl_lna_source_open (&source, &mem, &block, &err))
    return false;
  tl_lna_lexer lexer;
  tl_lna_lexer_open (&lexer, &source, false);
  tl_lna_advance (&lexer);
  const bool named = lexer.behind.token == TL_LNA_NAME;
  tl_lna_advance (&lexer);
  const tl_lna_token next = lexer.behind.token;
  const bool yes = named && !source.status &&
                   (next == TL_LNA_OPEN || next == TL_LNA_OPEN_BRACE);
  tl_lna_lexer_close (&lexer);
  tl_lna_source_close (&source);
  return yes;
}
