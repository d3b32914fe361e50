#include "compile/emit.h"

// What every kernel has: bits of codes, and multi-sets as codes and back
// (colour/condense.c says how they are written).  The numbers of a place are
// constants where these functions are called, so they are to be a part of their
// callers.

#define TEXT(...) #__VA_ARGS__

const char tl_kernel_prelude[] = TEXT (
    typedef struct out {
      uint64_t *to, last;
      uint32_t filled;
    } out;

    typedef struct in {
      const uint64_t *from;
      uint64_t at;
    } in;

    static inline uint32_t wide (uint64_t n) {
      return n ? 64 - (uint32_t)__builtin_clzll (n) : 0;
    }

    static inline void put (out *o, uint64_t value, uint32_t width) {
      const uint32_t filled = o->filled;
      o->last |= value << filled;
      o->filled += width;
      if (o->filled < 64)
        return;
      *o->to++ = o->last;
      o->last = filled ? value >> (64 - filled) : 0;
      o->filled -= 64;
    }

    static inline uint64_t take (in *i, uint32_t width) {
      const uint64_t *from = i->from + i->at / 64;
      const uint32_t at = i->at % 64;
      if (!width)
        return 0;
      uint64_t value = *from >> at;
      if (at + width > 64)
        value |= from[1] << (64 - at);
      i->at += width;
      return value & ~0ull >> (64 - width);
    }

    static inline int32_t change (tl_kernel_state *u, uint32_t place,
                                  uint32_t token, int32_t more) {
      const uint64_t bit = 1ull << token % 64;
      const int32_t many = u->many[token] += more;
      uint64_t *word = u->bits + token / 64;
      u->total[place] += more;
      *word = many ? *word | bit : *word & ~bit;
      return many;
    }

    static void put_any (out *o, uint64_t n) {
      n -= 1;
      if (n < 8) {
        put (o, 0, 1);
        put (o, n, 3);
      } else if (n < 264) {
        put (o, 1, 2);
        put (o, n - 8, 8);
      } else if (n < 65800) {
        put (o, 3, 3);
        put (o, n - 264, 16);
      } else {
        put (o, 7, 3);
        put (o, n - 65800, 32);
      }
    }

    static uint64_t take_any (in *i) {
      if (!take (i, 1))
        return 1 + take (i, 3);
      if (!take (i, 1))
        return 9 + take (i, 8);
      if (!take (i, 1))
        return 265 + take (i, 16);
      return 65801 + take (i, 32);
    }

    static int32_t below (const uint64_t *bits, const int32_t *many,
                          uint32_t words, int32_t limit) {
      int32_t most = 0;
      for (uint32_t w = 0; w < words; w++)
        for (uint64_t b = bits[w]; b; b &= b - 1) {
          const int32_t n = many[64 * w + __builtin_ctzll (b)];
          most = n < limit && n > most ? n : most;
        }
      return most;
    }

    static void pack_many (out *o, const uint64_t *bits, const int32_t *many,
                           uint32_t words, uint64_t values, uint64_t capacity,
                           uint64_t all, uint64_t distinct) {
      uint64_t before = capacity;
      for (int32_t n = 0x7fffffff; (n = below (bits, many, words, n));)
        for (uint32_t w = 0; w < words; w++)
          for (uint64_t b = bits[w]; b; b &= b - 1) {
            if (many[64 * w + __builtin_ctzll (b)] != n)
              continue;
            const uint64_t low = (all + distinct - 1) / distinct;
            uint64_t high = 1 + all - distinct;
            high = high < before ? high : before;
            put (o, n - low, wide (high - low));
            distinct--;
            all -= before = n;
          }
      for (int32_t n = 0x7fffffff; (n = below (bits, many, words, n));) {
        uint64_t next = 0, left = 0;
        for (uint32_t i = 0; i < 64 * words; i++)
          left += many[i] == n;
        for (uint32_t i = 0; i < 64 * words; i++) {
          if (many[i] != n)
            continue;
          put (o, i - next, wide (values - left-- - next));
          next = i + 1;
        }
      }
    }

    static inline __attribute__ ((always_inline))
    int32_t pack (out *o, const uint64_t *bits, const int32_t *many,
                  uint64_t all, uint32_t words, uint64_t values, uint64_t least,
                  uint64_t most, uint64_t capacity) {
      const int told = !least && most;
      if (all < least || all > most)
        return -1;
      if (told)
        put (o, all != 0, 1);
      if (told && !all)
        return 0;
      if (most == ~0ull)
        put_any (o, all);
      else
        put (o, all - (told ? 1 : least), wide (most - (told ? 1 : least)));
      if (!all)
        return 0;
      uint64_t distinct = 0;
      for (uint32_t w = 0; w < words; w++)
        distinct += (uint64_t)__builtin_popcountll (bits[w]);
      const uint64_t low = (all + capacity - 1) / capacity;
      put (o, distinct - low, wide ((all < values ? all : values) - low));
      if (distinct != all) {
        pack_many (o, bits, many, words, values, capacity, all, distinct);
        return 0;
      }
      uint64_t next = 0;
      for (uint32_t w = 0; w < words; w++)
        for (uint64_t b = bits[w]; b; b &= b - 1) {
          const uint64_t rank = 64 * w + (uint64_t)__builtin_ctzll (b);
          put (o, rank - next, wide (values - distinct-- - next));
          next = rank + 1;
        }
      return 0;
    }

    static inline void found (tl_kernel_state *u, uint32_t place,
                              uint32_t token, int32_t many) {
      change (u, place, token, many);
      for (uint32_t i = FOLLOWERS ? follow_start[token] : 0;
           FOLLOWERS && i < follow_start[token + 1]; i++)
        change (u, follow_place[i], follow_token[i], many * follow_factor[i]);
    }

    static void unpack_many (tl_kernel_state *u, in *i, uint32_t place,
                             uint32_t first, uint64_t values, uint64_t capacity,
                             uint64_t all, uint64_t distinct) {
      int32_t many[distinct];
      uint64_t before = capacity;
      for (uint64_t d = distinct; d; d--) {
        const uint64_t low = (all + d - 1) / d;
        uint64_t high = 1 + all - d;
        high = high < before ? high : before;
        before = low + take (i, wide (high - low));
        many[distinct - d] = (int32_t)before;
        all -= before;
      }
      uint64_t next = 0;
      for (uint64_t k = 0; k < distinct; k++) {
        uint64_t left = 1;
        if (k && many[k] != many[k - 1])
          next = 0;
        while (k + left < distinct && many[k + left] == many[k])
          left++;
        next += take (i, wide (values - left - next));
        found (u, place, first + (uint32_t)next++, many[k]);
      }
    }

    static inline __attribute__ ((always_inline)) int32_t unpack (
        tl_kernel_state *u, in *i, uint32_t place, uint32_t first,
        uint64_t values, uint64_t least, uint64_t most, uint64_t capacity) {
      const int told = !least && most;
      uint64_t all = 0;
      if (!told || take (i, 1))
        all = most == ~0ull ? take_any (i)
                            : (told ? 1 : least) +
                                  take (i, wide (most - (told ? 1 : least)));
      if (!all)
        return 0;
      const uint64_t low = (all + capacity - 1) / capacity;
      uint64_t left =
          low + take (i, wide ((all < values ? all : values) - low));
      if (left > values || all >> 30)
        return -1;
      if (left != all) {
        unpack_many (u, i, place, first, values, capacity, all, left);
        return 0;
      }
      for (uint64_t next = 0; left; left--) {
        next += take (i, wide (values - left - next));
        found (u, place, first + (uint32_t)next++, 1);
      }
      return 0;
    }

    static inline uint64_t mix (uint64_t x) {
      x ^= x >> 32;
      x *= 0xd6e8feb86659fd93u;
      x ^= x >> 32;
      x *= 0xd6e8feb86659fd93u;
      return x ^ x >> 32;
    }

    static uint64_t weigh (const tl_kernel_state *u, uint64_t place,
                           uint32_t word, uint32_t words) {
      uint64_t sum = 0;
      for (uint32_t w = 0; w < words; w++)
        for (uint64_t b = u->bits[word + w]; b; b &= b - 1) {
          const uint32_t rank = 64 * w + (uint32_t)__builtin_ctzll (b);
          sum += mix ((place << 32 | rank) + 1) *
                 (uint64_t)u->many[64 * word + rank];
        }
      return sum;
    });
