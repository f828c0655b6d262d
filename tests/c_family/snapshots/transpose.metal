#include <metal_stdlib>
#if __METAL_VERSION__ >= 320
#pragma METAL fp math_mode(safe)
#pragma METAL fp contract(off)
#endif
using namespace metal;
struct launch_t { ulong slots[6]; };

kernel void jf_transpose(device const float *b0 [[buffer(0)]], device float *b1 [[buffer(1)]], constant launch_t &launch [[buffer(30)]], uint3 group_position [[threadgroup_position_in_grid]], uint3 lane_count [[threads_per_threadgroup]], uint subgroup_number [[simdgroup_index_in_threadgroup]], uint subgroup_lane [[thread_index_in_simdgroup]], uint subgroup_width [[threads_per_simdgroup]]) {
  threadgroup float shared1[272];
  const long group = (long)launch.slots[0] + (long)group_position.x;
  const long lane = (long)(subgroup_number * subgroup_width + subgroup_lane);
  const long n0 = (long)launch.slots[2];
  const long n1 = (long)launch.slots[3];
  const long n2 = (long)launch.slots[4];
  const long v2 = group / n2;
  const long v3 = v2 * 16L;
  const long v4 = group % n2;
  const long v5 = v4 * 16L;
  const long v6 = lane % 16L;
  const long v7 = lane / 16L;
  for (long k8 = v7; k8 < 16L; k8 += 4L) {
    const long v9 = v3 + k8;
    const long v10 = v5 + v6;
    const long v11 = v9 * n1;
    const long v12 = v11 + v10;
    const bool v13 = v9 < n0;
    const bool v14 = v10 < n1;
    const bool v15 = v13 && v14;
    float c16 = 0.0f;
    if (v15) {
      c16 = b0[v12];
    }
    const long v17 = k8 * 17L;
    const long v18 = v17 + v6;
    shared1[v18] = c16;
  }
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  for (long k19 = v7; k19 < 16L; k19 += 4L) {
    const long v20 = v3 + v6;
    const long v21 = v5 + k19;
    const long v22 = v6 * 17L;
    const long v23 = v22 + k19;
    const float v24 = shared1[v23];
    const long v25 = v21 * n0;
    const long v26 = v25 + v20;
    const bool v27 = v20 < n0;
    const bool v28 = v21 < n1;
    const bool v29 = v27 && v28;
    if (v29) {
      b1[v26] = v24;
    }
  }
}
