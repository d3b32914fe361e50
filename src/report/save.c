#include "base/error.h"
#include "base/output.h"

#include <stdlib.h>

void tl_text_close (char *text) {
  free (text);
}

tl_status tl_text_save (const char *text, const char *path, tl_error *err) {
  if (!text || !path)
    return tl_fail (err, TL_E_ARG, "tl_text_save needs a text and a path");
  tl_output out;
  const tl_status status = tl_output_open (&out, path, err);
  if (status)
    return status;
  fputs (text, out.file);
  return tl_output_close (&out, TL_OK, err);
}
