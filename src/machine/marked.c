#include "machine/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A state in words.

void tl_machine_write_value (FILE *f, const tl_type *type,
                             const tl_cell *value) {
  const size_t length = tl_value_print (type, value, 0, 0);
  char *text = malloc (length + 1);
  if (text)
    tl_value_print (type, value, text, length + 1);
  fputs (text ? text : "?", f);
  free (text);
}

// waiting(3,red), as the places of an unfolded net are called.
static void write_token (FILE *f, const tl_cplace *place,
                         const tl_cell *token) {
  fputs (place->id, f);
  for (uint32_t i = 0; i < place->parts; i++) {
    putc (i ? ',' : '(', f);
    tl_machine_write_value (f, place->part[i], token + place->part_offset[i]);
  }
  if (place->parts)
    putc (')', f);
}

typedef struct item {
  char *text;
  uint32_t many;
} item;

static tl_status make_item (const tl_cplace *place, const tl_cell *token,
                            uint32_t many, item *out) {
  size_t size = 0;
  out->many = many;
  FILE *f = open_memstream (&out->text, &size);
  if (!f)
    return TL_E_NOMEM;
  write_token (f, place, token);
  return fclose (f) || !out->text ? TL_E_NOMEM : TL_OK;
}

// Numbers in texts count as numbers.
static int by_text (const void *left, const void *right) {
  const item *a = left, *b = right;
  return strverscmp (a->text, b->text);
}

static tl_status tell_place (const tl_cplace *place, uint32_t number,
                             const tl_tokens *tokens, item *list,
                             tl_marking_told *told, void *context) {
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < tokens->count; i++)
    rc = make_item (place, tokens->token + (size_t)i * place->cells,
                    tokens->many[i], list + i);
  if (!rc && tokens->count > 1)
    qsort (list, tokens->count, sizeof *list, by_text);
  for (uint32_t i = 0; !rc && i < tokens->count; i++)
    rc = told (context, number, list[i].text, list[i].many);
  for (uint32_t i = 0; i < tokens->count; i++)
    free (list[i].text);
  return rc;
}

tl_status tl_machine_tell (tl_machine *m, const uint64_t *key,
                           tl_marking_told *told, void *context) {
  tl_status rc = TL_OK;
  tl_machine_load (m, key);
  for (uint32_t p = 0; !rc && p < m->places; p++) {
    if ((rc = tl_machine_show (m, p)))
      break;
    const tl_tokens *tokens = m->marking + p;
    item *list = calloc ((size_t)tokens->count + 1, sizeof *list);
    rc = list ? tell_place (m->coloured->place + p, p, tokens, list, told,
                            context)
              : TL_E_NOMEM;
    free (list);
  }
  return rc;
}
