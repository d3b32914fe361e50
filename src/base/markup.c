#include "base/markup.h"

void tl_markup_text (FILE *f, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '&': fputs ("&amp;", f); break;
    case '<': fputs ("&lt;", f); break;
    case '>': fputs ("&gt;", f); break;
    case '"': fputs ("&quot;", f); break;
    default: putc ((unsigned char)*text < 0x20 ? ' ' : *text, f);
    }
}
