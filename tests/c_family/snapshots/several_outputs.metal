#include <metal_stdlib>
#if __METAL_VERSION__ >= 320
#pragma METAL fp math_mode(safe)
#pragma METAL fp contract(off)
#endif
using namespace metal;
struct launch_t { ulong slots[6]; };

static inline float maximum_f32(float x, float y) {
  return ((x != x) ? x : ((y != y) ? y : (x > y ? x : y)));
}

static inline int i32_of_f32(float x) {
  return ((metal::fabs(x) < 0x1.0p+31f) ? (int)(x) : (-2147483647 - 1));
}

static inline int floordiv_i32(int x, int y) {
  const int safe = ((y == 0 || (x == (-2147483647 - 1) && y == (-1))) ? 1 : y);
  const int quotient = x / safe;
  const int rest = x - quotient * safe;
  const bool down = rest != 0 && (rest ^ safe) < 0;
  return ((y == 0) ? 0 : (down ? quotient - 1 : quotient));
}

kernel void jf_several_outputs(device const float *b0 [[buffer(0)]], device float *b1 [[buffer(1)]], device uchar *b2 [[buffer(2)]], device int *b3 [[buffer(3)]], device uchar *b4 [[buffer(4)]], constant launch_t &launch [[buffer(30)]], uint3 group_position [[threadgroup_position_in_grid]], uint lane_number [[thread_index_in_threadgroup]], uint3 lane_count [[threads_per_threadgroup]], uint subgroup_lane [[thread_index_in_simdgroup]], uint subgroup_width [[threads_per_simdgroup]]) {
  const long group = (long)launch.slots[0] + (long)group_position.x;
  const long lane = (long)lane_number;
  const long n0 = (long)launch.slots[2];
  const long n1 = (long)launch.slots[3];
  const float s2 = as_type<float>((uint)launch.slots[4]);
  const int s3 = (int)launch.slots[5];
  const long v1 = group * n0;
  const long v2 = v1 + n0;
  const long v3 = ((v2 < n1) ? v2 : n1);
  for (long k4 = v1 + lane; k4 < v3; k4 += 64L) {
    const float v5 = b0[k4];
    const float v6 = v5 * s2;
    const float v7 = maximum_f32(v6, as_type<float>(0x80000000u));
    b1[k4] = v7;
    const bool v8 = v6 > 1.0f;
    b2[k4] = (v8 ? 1 : 0);
    const float v9 = metal::rint(v6);
    const int v10 = i32_of_f32(v9);
    const int v11 = floordiv_i32(v10, s3);
    b3[k4] = v11;
    const uchar v12 = (uchar)(v10);
    b4[k4] = v12;
  }
}
