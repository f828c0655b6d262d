#include <metal_stdlib>
#if __METAL_VERSION__ >= 320
#pragma METAL fp math_mode(safe)
#pragma METAL fp contract(off)
#endif
using namespace metal;
struct launch_t { ulong slots[4]; };

kernel void jf_scaled_sum(device const float *b0 [[buffer(0)]], device const float *b1 [[buffer(1)]], device float *b2 [[buffer(2)]], constant launch_t &launch [[buffer(30)]], uint3 group_position [[threadgroup_position_in_grid]], uint3 lane_count [[threads_per_threadgroup]], uint subgroup_number [[simdgroup_index_in_threadgroup]], uint subgroup_lane [[thread_index_in_simdgroup]], uint subgroup_width [[threads_per_simdgroup]]) {
  const long group = (long)launch.slots[0] + (long)group_position.x;
  const long lane = (long)(subgroup_number * subgroup_width + subgroup_lane);
  const long n0 = (long)launch.slots[2];
  const float s1 = as_type<float>((uint)launch.slots[3]);
  const long v1 = group * 2048L;
  const long v2 = v1 + 2048L;
  const long v3 = ((v2 < n0) ? v2 : n0);
  const long v4 = ((v1 < v3) ? ((v3 - v1) / 4L) : 0L);
  for (long k5 = lane; k5 < v4; k5 += 64L) {
    const long v6 = v1 + k5 * 4L;
    const packed_float4 v7 = *(device const packed_float4 *)(b0 + v6);
    const float v8 = v7[0];
    const float v9 = s1 * v8;
    const packed_float4 v10 = *(device const packed_float4 *)(b1 + v6);
    const float v11 = v10[0];
    const float v12 = v9 + v11;
    const long v13 = v6 + 1L;
    const float v14 = v7[1];
    const float v15 = s1 * v14;
    const float v16 = v10[1];
    const float v17 = v15 + v16;
    const long v18 = v6 + 2L;
    const float v19 = v7[2];
    const float v20 = s1 * v19;
    const float v21 = v10[2];
    const float v22 = v20 + v21;
    const long v23 = v6 + 3L;
    const float v24 = v7[3];
    const float v25 = s1 * v24;
    const float v26 = v10[3];
    const float v27 = v25 + v26;
    *(device packed_float4 *)(b2 + v6) = packed_float4(v12, v17, v22, v27);
  }
  const long v28 = v4 * 4L;
  for (long k29 = v1 + lane; k29 < v3 - v28; k29 += 64L) {
    const long v30 = k29 + ((v4 >= 1L && k29 >= v1) ? v28 : 0L);
    const float v31 = b0[v30];
    const float v32 = s1 * v31;
    const float v33 = b1[v30];
    const float v34 = v32 + v33;
    b2[v30] = v34;
  }
}
