#include "report/forms.h"
#include "report/writing.h"

static tl_stop stop_of (tl_status code) {
  return code == TL_E_NOMEM   ? TL_STOP_MEMORY
         : code == TL_E_LIMIT ? TL_STOP_TIME
                              : TL_STOP_CANCEL;
}

static const char *hint (tl_status code) {
  switch (stop_of (code)) {
  case TL_STOP_MEMORY: return "try: more --memory";
  case TL_STOP_TIME: return "try: a longer --timeout";
  default: return "try: --timeout, which ends it after a time of its own";
  }
}

char *tl_unread_report (const char *path, const tl_error *e, tl_form form) {
  tl_writing w;
  if (!path || !e)
    return 0;
  if (TL_FORM_OF (form) == TL_FORM_JSON)
    return tl_unread_json (path, e, tl_stop_word (stop_of (e->code)));
  if (!tl_writing_open (&w))
    return 0;
  if (TL_FORM_OF (form) == TL_FORM_MCC)
    fputs ("CANNOT_COMPUTE\n", w.file);
  else
    fprintf (w.file, "INCOMPLETE: %s\n%s\n", e->text, hint (e->code));
  return tl_writing_close (&w);
}
