// The dialect of a processor: a warp has one lane, a kernel is a function that
// several threads call at once.
#define DEVICE static inline __attribute__ ((unused))
#define APART static __attribute__ ((unused))
#define TABLE static const
#define KERNEL(NAME) \
  static void NAME (const tl_gpu_call c, u64 lane_number, u64 lane_count)
#define EACH(I, N) for (u64 I = lane_number; I < (N); I += lane_count)
#define LANE 0
#define WARP 1
#define UNROLL
#define RELAXED __ATOMIC_RELAXED

typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;

DEVICE u64 load (const u64 *p) { return __atomic_load_n (p, RELAXED); }
DEVICE void load_block (const u64 *p, u64 *words) {
  for (int i = 0; i < 8; i++)
    words[i] = load (p + i);
}
DEVICE u32 load32 (const u32 *p) { return __atomic_load_n (p, RELAXED); }
DEVICE u64 load_now (const u64 *p) { return __atomic_load_n (p, RELAXED); }
DEVICE void publish (u64 *p, u64 v) { __atomic_store_n (p, v, RELAXED); }
DEVICE u64 swap_if (u64 *p, u64 old, u64 v) {
  __atomic_compare_exchange_n (p, &old, v, 0, RELAXED, RELAXED);
  return old;
}
DEVICE u32 swap_if32 (u32 *p, u32 old, u32 v) {
  __atomic_compare_exchange_n (p, &old, v, 0, RELAXED, RELAXED);
  return old;
}
DEVICE u32 set_bits32 (u32 *p, u32 v) {
  return __atomic_fetch_or (p, v, RELAXED);
}
DEVICE void set_bits (u64 *p, u64 v) { __atomic_fetch_or (p, v, RELAXED); }
DEVICE void raise_to (u64 *p, u64 v) {
  for (u64 old = load (p); old < v;)
    if (__atomic_compare_exchange_n (p, &old, v, 0, RELAXED, RELAXED))
      return;
}
DEVICE void add (u64 *p, u64 v) { __atomic_fetch_add (p, v, RELAXED); }
DEVICE u64 high_product (u64 a, u64 b) {
  return (u64)((unsigned __int128)a * b >> 64);
}
DEVICE u32 ones (u64 x) { return (u32)__builtin_popcountll (x); }
DEVICE u32 lowest (u64 x) { return (u32)__builtin_ctzll (x); }
DEVICE u64 next_of (u64 *counter) {
  return __atomic_fetch_add (counter, 1, RELAXED);
}
DEVICE u64 told_by_first (u64 value) { return value; }
DEVICE u64 sum_of (u64 value) { return value; }
DEVICE u64 most_of (u64 value) { return value; }
DEVICE int any_lane (u64 x) { return x != 0; }
