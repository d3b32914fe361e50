#include "base/utf8.h"

size_t tl_utf8_length (const char *text, size_t length) {
  const unsigned char *c = (const unsigned char *)text;
  if (!length)
    return 0;
  if (c[0] < 0x80)
    return 1;
  const size_t n = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
  if (c[0] < 0xc2 || c[0] > 0xf4 || n > length)
    return 0;
  for (size_t i = 1; i < n; i++)
    if ((c[i] & 0xc0) != 0x80)
      return 0;
  // Overlong forms, surrogates, what is above U+10FFFF, U+FFFE and U+FFFF
  if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
      (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f) ||
      (c[0] == 0xef && c[1] == 0xbf && c[2] > 0xbd))
    return 0;
  return n;
}
