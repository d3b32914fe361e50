#include "read/text.h"

#include "base/utf8.h"

#include <string.h>

static bool is_control (char c) {
  return (unsigned char)c < 0x20 || c == 0x7f;
}

const char *tl_text_count (const char *text, uint32_t *value) {
  const bool negative = *text == '-';
  const char *digit = text + negative;
  uint64_t sum = 0;
  bool large = false;
  for (; *digit >= '0' && *digit <= '9'; digit++) {
    sum = 10 * sum + (uint64_t)(*digit - '0');
    if (sum > TL_MAX_TOKENS) {
      large = true;
      sum = TL_MAX_TOKENS;
    }
  }
  if (*digit || digit == text + negative)
    return "is not a whole number";
  if (negative && sum)
    return "is negative";
  if (large)
    return "is larger than 4294967295";
  *value = (uint32_t)sum;
  return 0;
}

const char *tl_text_id (const char *text, size_t length) {
  if (!length)
    return "is empty";
  if (length > TL_LONGEST_ID)
    return "is longer than 65536 bytes";
  for (size_t i = 0; i < length; i++)
    if (is_control (text[i]))
      return "contains a control character";
  return 0;
}

bool tl_text_is_utf8 (const char *text, size_t length) {
  for (size_t i = 0, n; i < length; i += n)
    if (!(n = tl_utf8_length (text + i, length - i)))
      return false;
  return true;
}

size_t tl_text_from_latin1 (char *out, const char *text, size_t length) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    const unsigned char c = (unsigned char)text[i];
    if (c >= 0x80)
      out[n++] = (char)(0xc0 | c >> 6);
    out[n++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
  }
  out[n] = 0;
  return n;
}

void tl_text_one_line (char *text) {
  size_t first = 0, end = 0, length = 0;
  for (; text[length]; length++) {
    if (is_control (text[length]))
      text[length] = ' ';
    if (text[length] != ' ')
      end = length + 1;
    else if (first == length)
      first++;
  }
  if (end < first)
    end = first;
  memmove (text, text + first, end - first);
  text[end - first] = 0;
}
