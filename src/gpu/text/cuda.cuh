// The dialect of CUDA: a lane is a thread of a warp.
#define DEVICE static __device__ __forceinline__
#define APART static __device__ __noinline__
#define TABLE static __device__ const
#define KERNEL(NAME) \
  extern "C" __global__ void __launch_bounds__ (256) \
      NAME (const __grid_constant__ tl_gpu_call c)
#define EACH(I, N) \
  for (u64 I = blockIdx.x * (u64)blockDim.x + threadIdx.x; I < (N); \
       I += (u64)gridDim.x * blockDim.x)
#define LANE (threadIdx.x % 32)
#define WARP 32
#define UNROLL _Pragma ("unroll")

typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;

DEVICE u64 load (const u64 *p) { return __ldcg (p); }
DEVICE void load_block (const u64 *p, u64 *words) {
  for (int i = 0; i < 4; i++) {
    const ulonglong2 two = __ldcg ((const ulonglong2 *)p + i);
    words[2 * i] = two.x;
    words[2 * i + 1] = two.y;
  }
}
DEVICE u32 load32 (const u32 *p) { return __ldcg (p); }
DEVICE u64 load_now (const u64 *p) { return *(const volatile u64 *)p; }
DEVICE void publish (u64 *p, u64 v) { *(volatile u64 *)p = v; }
DEVICE u64 swap_if (u64 *p, u64 old, u64 v) { return atomicCAS (p, old, v); }
DEVICE u32 swap_if32 (u32 *p, u32 old, u32 v) { return atomicCAS (p, old, v); }
DEVICE u32 set_bits32 (u32 *p, u32 v) { return atomicOr (p, v); }
DEVICE void set_bits (u64 *p, u64 v) { atomicOr (p, v); }
DEVICE void raise_to (u64 *p, u64 v) { atomicMax (p, v); }
DEVICE void add (u64 *p, u64 v) { atomicAdd (p, v); }
DEVICE u64 high_product (u64 a, u64 b) { return __umul64hi (a, b); }
DEVICE u32 ones (u64 x) { return (u32)__popcll (x); }
DEVICE u32 lowest (u64 x) { return (u32)__ffsll ((long long)x) - 1; }

// The next number of a counter, for all lanes that are here at once.
DEVICE u64 next_of (u64 *counter) {
  const u32 here = __activemask (), first = (u32)__ffs ((int)here) - 1;
  u64 at = 0;
  if (LANE == first)
    at = atomicAdd (counter, (u64)__popc (here));
  return __shfl_sync (here, at, (int)first) +
         (u32)__popc (here & ((1u << LANE) - 1));
}

// For all lanes: one of them says.
DEVICE u64 told_by_first (u64 value) { return __shfl_sync (~0u, value, 0); }

// What all lanes have, added up; for the first lane.
DEVICE u64 sum_of (u64 value) {
  for (int off = 16; off; off /= 2)
    value += __shfl_down_sync (~0u, value, (u32)off);
  return value;
}

DEVICE u64 most_of (u64 value) {
  for (int off = 16; off; off /= 2) {
    const u64 other = __shfl_down_sync (~0u, value, (u32)off);
    value = other > value ? other : value;
  }
  return value;
}

// Is it so for some lane?
DEVICE int any_lane (u64 x) { return __any_sync (~0u, x != 0); }
