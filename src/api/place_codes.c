#include "api/place_codes.h"

#include <stdio.h>
#include <stdlib.h>

// Longer lists are cut off: this is for people.
enum { MOST_NAMED = 8 };

static void tell_function (FILE *f, const tl_net *net, const tl_elimination *e,
                           const tl_relation *r) {
  const tl_vector terms = tl_relation_terms (e, r);
  bool first = true;
  if (r->constant || !terms.count) {
    fprintf (f, "%lld", (long long)r->constant);
    first = false;
  }
  for (uint32_t i = 0; i < terms.count && i < MOST_NAMED; i++) {
    const long long factor = terms.term[i].factor;
    fputs (factor < 0 ? (first ? "-" : " - ") : (first ? "" : " + "), f);
    if (llabs (factor) != 1)
      fprintf (f, "%lld*", llabs (factor));
    fputs (net->place_id[terms.term[i].index], f);
    first = false;
  }
  if (terms.count > MOST_NAMED)
    fprintf (f, " and %u terms more", terms.count - MOST_NAMED);
}

static void tell_digit (FILE *f, const tl_net *net, const tl_digit *d) {
  if (d->count == 1) {
    fprintf (f, "stored: 0 to %llu", (unsigned long long)d->radix - 1);
    return;
  }
  fputs ("stored: which is marked, if any, of", f);
  for (uint32_t i = 0; i < d->count && i < MOST_NAMED; i++)
    fprintf (f, " %s", net->place_id[d->place[i]]);
  if (d->count > MOST_NAMED)
    fprintf (f, " and %u more", d->count - MOST_NAMED);
}

static char *tell (const tl_layout *l, const tl_digits *d, uint32_t place,
                   const tl_digit *digit) {
  char *text = 0;
  size_t length;
  FILE *f = open_memstream (&text, &length);
  if (!f)
    return 0;
  if (d->relation_of[place] != TL_NO_NAME)
    tell_function (f, l->net, d->functions,
                   d->functions->relation + d->relation_of[place]);
  else if (digit)
    tell_digit (f, l->net, digit);
  else
    fputs ("never changes", f);
  if (fclose (f)) {
    free (text);
    return 0;
  }
  return text;
}

tl_status tl_place_codes_tell (const tl_layout *l, const tl_digits *d,
                               char **text) {
  const uint32_t places = l->net->places;
  const tl_digit **digit_of = calloc (places + 1, sizeof *digit_of);
  if (!digit_of)
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < d->count; i++)
    for (uint32_t k = 0; k < d->digit[i].count; k++)
      digit_of[d->digit[i].place[k]] = d->digit + i;
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < places; p++)
    if (!(text[p] = tell (l, d, p, digit_of[p])))
      rc = TL_E_NOMEM;
  free (digit_of);
  return rc;
}
