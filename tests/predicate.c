#include "predicate.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static void say (predicate *p, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

static void say (predicate *p, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  const int n = vsnprintf (p->text + p->length, sizeof p->text - p->length,
                           format, arguments);
  va_end (arguments);
  p->length += (size_t)n;
  assert (p->length < sizeof p->text);
}

static uint32_t below (tl_random *r, uint32_t n) {
  return (uint32_t)tl_random_below (r, n);
}

static predicate_step *add (predicate *p, predicate_op op) {
  assert (p->steps < sizeof p->step / sizeof *p->step);
  predicate_step *s = p->step + p->steps++;
  *s = (predicate_step){.op = op};
  return s;
}

// ---- Making ---------------------------------------------------------------

static predicate_term any_place (const tl_net *net, tl_random *r) {
  return (predicate_term){below (r, 4) ? 1 : 1 + below (r, 3),
                          below (r, net->places)};
}

static predicate_term any_constant (uint64_t most, tl_random *r) {
  return (predicate_term){(int64_t)tl_random_below (r, most + 2),
                          PREDICATE_CONSTANT};
}

static void say_term (predicate *p, const tl_net *net, predicate_term term) {
  if (term.place == PREDICATE_CONSTANT)
    say (p, "%" PRId64, term.factor);
  else if (term.factor == 1)
    say (p, "%s", net->place_id[term.place]);
  else
    say (p, "%" PRId64 " * %s", term.factor, net->place_id[term.place]);
}

static const char *const relations[] = {"<=", "<", ">=", ">", "=", "!="};

// A place, or two, against a constant or another place; now and then with a
// constant on the left, or more on the right.
static void make_comparison (predicate *p, const brute *b, tl_random *r) {
  predicate_step *s = add (p, PREDICATE_COMPARE);
  s->relation = below (r, 6);
  s->side[0][0] = any_place (b->net, r);
  const uint64_t most = b->place_max[s->side[0][0].place];
  s->side[1][0] = below (r, 4)
                      ? any_constant (most < 1000000 ? most : 1000000, r)
                      : any_place (b->net, r);
  for (int side = 0; side < 2; side++) {
    s->side[side][1] = (predicate_term){0, PREDICATE_CONSTANT};
    if (side)
      say (p, " %s ", relations[s->relation]);
    say_term (p, b->net, s->side[side][0]);
    if (below (r, 3))
      continue;
    s->side[side][1] =
        below (r, 3) ? any_place (b->net, r) : any_constant (3, r);
    say (p, " + ");
    say_term (p, b->net, s->side[side][1]);
  }
}

static void make_atom (predicate *p, const brute *b, tl_random *r) {
  const uint32_t choice = below (r, 16);
  if (!choice) {
    add (p, PREDICATE_TRUE);
    say (p, "TRUE");
  } else if (choice < 3) {
    add (p, PREDICATE_DEADLOCK);
    say (p, "DEADLOCK");
  } else if (choice < 7) {
    predicate_step *s = add (p, PREDICATE_FIREABLE);
    s->transition = below (r, b->net->transitions);
    say (p, "FIREABLE(%s)", b->net->transition_id[s->transition]);
  } else
    make_comparison (p, b, r);
}

static void make (predicate *p, const brute *b, tl_random *r, int depth) {
  const uint32_t choice = depth ? below (r, 6) : 0;
  if (choice < 3) {
    make_atom (p, b, r);
    return;
  }
  say (p, choice == 3 ? "NOT (" : "(");
  make (p, b, r, depth - 1);
  if (choice > 3) {
    say (p, choice == 4 ? ") AND (" : ") OR (");
    make (p, b, r, depth - 1);
  }
  say (p, ")");
  add (p, choice == 3   ? PREDICATE_NOT
          : choice == 4 ? PREDICATE_AND
                        : PREDICATE_OR);
}

void predicate_make (predicate *p, const brute *b, tl_random *r) {
  *p = (predicate){0};
  make (p, b, r, 3);
}

// ---- Evaluating -----------------------------------------------------------

static int64_t sum (const predicate_term side[2], const uint64_t *m) {
  int64_t total = 0;
  for (int i = 0; i < 2; i++)
    total += side[i].place == PREDICATE_CONSTANT
                 ? side[i].factor
                 : side[i].factor * (int64_t)m[side[i].place];
  return total;
}

static bool compare (const predicate_step *s, const uint64_t *m) {
  const int64_t left = sum (s->side[0], m), right = sum (s->side[1], m);
  const bool answers[] = {left <= right, left<right, left >= right, left> right,
                          left == right, left != right};
  return answers[s->relation];
}

bool predicate_holds (const predicate *p, const tl_net *net,
                      const uint64_t *m) {
  bool stack[sizeof p->step / sizeof *p->step];
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->steps; i++) {
    const predicate_step *s = p->step + i;
    switch (s->op) {
    case PREDICATE_TRUE: stack[n++] = true; break;
    case PREDICATE_COMPARE: stack[n++] = compare (s, m); break;
    case PREDICATE_FIREABLE:
      stack[n++] = brute_enabled (net, m, s->transition);
      break;
    case PREDICATE_DEADLOCK: stack[n++] = brute_dead (net, m); break;
    case PREDICATE_NOT: stack[n - 1] = !stack[n - 1]; break;
    case PREDICATE_AND: n--, stack[n - 1] = stack[n - 1] && stack[n]; break;
    case PREDICATE_OR: n--, stack[n - 1] = stack[n - 1] || stack[n]; break;
    }
  }
  assert (n == 1);
  return stack[0];
}
