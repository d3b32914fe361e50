#include "verify/proven.h"

#include "base/error.h"
#include "base/sized.h"

#include <stdlib.h>
#include <string.h>

// Names and formulas one behind the other.
static void write_texts (const tl_cert_questions *all, FILE *f) {
  for (uint32_t i = 0; i < all->count; i++) {
    fputs (all->question[i].name, f);
    fputc (0, f);
    tl_cert_question_tell (all, all->question + i, f);
    fputc (0, f);
  }
}

static const char *behind (const char *text) {
  return text + strlen (text) + 1;
}

static void fill (const tl_cert_questions *all, tl_proven *proven,
                  const char *text) {
  for (uint32_t i = 0; i < all->count; i++) {
    const tl_cert_question *q = all->question + i;
    const char *formula = behind (text);
    proven[i] = (tl_proven){.name = text,
                            .formula = formula,
                            .proof = tl_cert_question_proof (q),
                            .verdict = q->claim,
                            .value = q->value};
    text = behind (formula);
  }
}

tl_status tl_cert_questions_tell (const tl_cert_questions *all,
                                  tl_verification *v, tl_error *err) {
  char *text = 0;
  size_t length = 0;
  if (!all->count)
    return TL_OK;
  FILE *f = open_memstream (&text, &length);
  if (f)
    write_texts (all, f);
  bool ok = f && !ferror (f);
  ok = f && !fclose (f) && ok;
  const size_t list = all->count * sizeof (tl_proven);
  v->proven = ok ? malloc (list + length) : 0;
  if (v->proven) {
    memcpy ((char *)v->proven + list, text, length);
    fill (all, v->proven, (char *)v->proven + list);
    v->proven_count = all->count;
    v->facts = all->facts;
  }
  free (text);
  return v->proven ? TL_OK : tl_fail (err, TL_E_NOMEM, "no memory for answers");
}

const tl_proven *tl_verification_proven (const tl_verification *given,
                                         size_t number) {
  tl_verification v;
  return TL_TAKE (&v, given) && number < v.proven_count ? v.proven + number : 0;
}

void tl_verification_close (tl_verification *given) {
  tl_verification v;
  if (TL_TAKE (&v, given))
    free (v.proven);
  tl_sized_clear (given);
}
