// Makes CUDA C++ and HIP C++ compile as C++20 and run on lanes: what generated kernels use, no more.
#pragma once
#include "lanes.hpp"

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static

struct dim3 {
  unsigned x, y, z;
};
#define threadIdx (dim3{lanes_lane(), 0, 0})
#define blockIdx (dim3{lanes_group(), 0, 0})
#define blockDim (dim3{lanes_count(), 1, 1})

#define warpSize int(lanes::SUBGROUP)

#define __syncthreads() lanes_barrier(__LINE__)
#define __syncwarp(...) lanes::exchange(__LINE__, 0, 0)
#define __threadfence_block() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __threadfence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __threadfence_system() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __shfl_down(value, delta) lanes::exchange(__LINE__, value, lanes::subgroup_lane() + (delta))
#define __shfl_down_sync(mask, value, delta) __shfl_down(value, delta)
#define __shfl(value, from) lanes::exchange(__LINE__, value, from)
#define __shfl_sync(mask, value, from) __shfl(value, from)

#define ONE(name)                                                      \
  inline float name(float x) { return __builtin_##name##f(x); }       \
  inline double name(double x) { return __builtin_##name(x); }
#define TWO(name)                                                                    \
  inline float name(float x, float y) { return __builtin_##name##f(x, y); }         \
  inline double name(double x, double y) { return __builtin_##name(x, y); }
namespace gpu {
ONE(fabs) ONE(sqrt) ONE(floor) ONE(ceil) ONE(trunc) ONE(rint) TWO(fmod) TWO(copysign)
inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
}  // namespace gpu
using namespace gpu;
#undef ONE
#undef TWO

// The conversions of libdevice.
extern "C" inline float __nv_half2float(unsigned short x) { return lanes::bits<_Float16>(x); }
extern "C" inline unsigned short __nv_float2half_rn(float x) {
  return lanes::bits<unsigned short>(static_cast<_Float16>(x));
}

namespace gpu {
template <class T> inline T exchange(T *place, T x, int order) {
  T old;
  __atomic_exchange(place, &x, &old, order);
  return old;
}
}  // namespace gpu

// What lanes of a workgroup, a device and a system see of each other is all the same here.
#define ATOMIC(name, builtin)                                                                    \
  template <class T> inline T name(T *place, T x) { return builtin(place, x, __ATOMIC_RELAXED); } \
  template <class T> inline T name##_block(T *place, T x) { return name(place, x); }             \
  template <class T> inline T name##_system(T *place, T x) { return name(place, x); }
ATOMIC(atomicAdd, __atomic_fetch_add)
ATOMIC(atomicAnd, __atomic_fetch_and)
ATOMIC(atomicOr, __atomic_fetch_or)
ATOMIC(atomicXor, __atomic_fetch_xor)
ATOMIC(atomicMin, __atomic_fetch_min)
ATOMIC(atomicMax, __atomic_fetch_max)
ATOMIC(atomicExch, exchange)
#undef ATOMIC
template <class T> inline T atomicCAS(T *place, T expected, T x) {
  __atomic_compare_exchange_n(place, &expected, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
template <class T> inline T atomicCAS_block(T *place, T expected, T x) { return atomicCAS(place, expected, x); }
template <class T> inline T atomicCAS_system(T *place, T expected, T x) { return atomicCAS(place, expected, x); }
