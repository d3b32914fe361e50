#ifndef TL_ENCODE_CODE_H
#define TL_ENCODE_CODE_H

#include "encode/layout.h"

// How a working state becomes a stored key and back.  Stores see only keys.
// Here the bits of a state that can be set are moved together; when that
// saves no word the key is the state itself.
typedef struct tl_code {
  tl_mem *mem;
  uint32_t state_words, key_words, key_bits;
  bool identity;
  uint64_t *mask; // [state_words] the bits that go into the key
} tl_code;

tl_status tl_code_open (tl_code *, tl_mem *, const tl_layout *);
void tl_code_close (tl_code *);

void tl_code_pack (const tl_code *, size_t count, const uint64_t *states,
                   uint64_t *keys);
void tl_code_unpack (const tl_code *, const uint64_t *key, uint64_t *state);

#endif
