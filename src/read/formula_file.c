// Files of questions: one a line, perhaps with a name before it.
//
//     # what the operators may rely on
//     exclusive: AG eating_1 + eating_2 <= 1
//     deadlock-free
//
// XML is a file of properties, or a net of TAPAAL whose queries are asked, and
// a .q file is one query of it.

#include "base/error.h"
#include "base/input.h"
#include "read/formats.h"
#include "read/formula_text.h"
#include "read/formula_xml.h"
#include "read/text.h"

#include <string.h>

#define BLANKS " \t\r"

// The length of a name; 0: there is none.  *text is left behind its colon.
static size_t read_name (const char **text) {
  const size_t length =
      strspn (*text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                     "0123456789_.-");
  const char *colon = *text + length + strspn (*text + length, BLANKS);
  if (!length || *colon != ':')
    return 0;
  *text = colon + 1;
  return length;
}

static tl_status read_line (tl_questions *q, char *line, const char *path,
                            long number, tl_error *err) {
  const size_t before = q->count;
  const char *text = line + strspn (line, BLANKS);
  if (!*text || *text == '#')
    return TL_OK;
  const char *start = text;
  const size_t named = read_name (&text);
  const char *name = tl_arena_text (&q->arena, start, named);
  if (!name)
    return tl_fail (err, TL_E_NOMEM, "no memory for questions");
  text += strspn (text, BLANKS);
  const tl_position at = {number, text - line + 1};
  const tl_status rc = tl_question_text_read (q, text, path, at, err);
  if (rc)
    return rc;
  if (named && q->count != before + 1)
    return tl_fail_at (err, TL_E_SYNTAX, path, number, 1,
                       "a name stands for one question, not for %zu",
                       q->count - before);
  if (named)
    q->question[before].name = name;
  return TL_OK;
}

// The whole of it, with a zero behind.
static tl_status read_all (tl_input *in, tl_questions *q, char **text,
                           tl_error *err) {
  tl_status rc = tl_input_keep (in, &q->mem, err);
  while (!rc && in->length)
    rc = tl_input_next (in, err);
  if (rc)
    return rc;
  *text = tl_arena_text (&q->arena, in->kept ? (const char *)in->kept : "",
                         in->kept_length);
  if (!*text)
    return tl_fail (err, TL_E_NOMEM, "no memory for questions");
  return strlen (*text) == in->kept_length
             ? TL_OK
             : tl_fail_at (err, TL_E_SYNTAX, in->name, 1, 1,
                           "this is no text: it has a zero byte");
}

static tl_status read_lines (tl_questions *q, tl_input *in, tl_error *err) {
  char *line;
  tl_status rc = read_all (in, q, &line, err);
  for (long number = 1; !rc && *line; number++) {
    const size_t length = strcspn (line, "\n");
    const bool last = !line[length];
    line[length] = 0;
    rc = read_line (q, line, in->name, number, err);
    line += length + !last;
  }
  return rc;
}

static tl_status read_query (tl_questions *q, tl_input *in, tl_error *err) {
  char *text;
  const tl_status rc = read_all (in, q, &text, err);
  return rc ? rc
            : tl_formula_query_read (q, text, in->name, (tl_position){1, 1},
                                     err);
}

// A tag, and not the operator <>.
static bool is_xml (const tl_input *in) {
  const unsigned char *tag =
      tl_is_pnml (in) ? memchr (in->block, '<', in->length) : 0;
  return tag && tag + 1 < in->block + in->length && tag[1] != '>';
}

static bool is_query (const char *path) {
  const size_t length = strlen (path);
  return length > 2 && !strcmp (path + length - 2, ".q");
}

tl_status tl_formula_file_read (tl_questions *q, const char *path,
                                tl_error *err) {
  const size_t before = q->count;
  tl_input in;
  tl_status rc = tl_input_open (&in, &q->mem, path, err);
  if (!rc)
    rc = tl_input_next (&in, err);
  if (!rc)
    rc = is_xml (&in)         ? tl_formula_xml_read (q, &in, err)
         : is_query (in.name) ? read_query (q, &in, err)
                              : read_lines (q, &in, err);
  tl_input_close (&in);
  if (rc)
    q->count = before;
  return rc;
}
