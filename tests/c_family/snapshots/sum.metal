#include <metal_stdlib>
#if __METAL_VERSION__ >= 320
#pragma METAL fp math_mode(safe)
#pragma METAL fp contract(off)
#endif
using namespace metal;
struct launch_t { ulong slots[4]; };

kernel void jf_sum(device const float *b0 [[buffer(0)]], device float *b1 [[buffer(1)]], constant launch_t &launch [[buffer(30)]], uint3 group_position [[threadgroup_position_in_grid]], uint3 lane_count [[threads_per_threadgroup]], uint subgroup_number [[simdgroup_index_in_threadgroup]], uint subgroup_lane [[thread_index_in_simdgroup]], uint subgroup_width [[threads_per_simdgroup]]) {
  threadgroup float shared1[64];
  const long group = (long)launch.slots[0] + (long)group_position.x;
  const long lane = (long)(subgroup_number * subgroup_width + subgroup_lane);
  const long n0 = (long)launch.slots[2];
  const long v2 = group * 64L;
  const long v3 = v2 + lane;
  const bool v4 = v3 < n0;
  float c5 = 0.0f;
  if (v4) {
    c5 = b0[v3];
  }
  shared1[lane] = c5;
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  const bool v6 = lane < 32L;
  if (v6) {
    const long v7 = lane + 32L;
    const float v8 = shared1[v7];
    const float v9 = shared1[lane];
    const float v10 = v9 + v8;
    shared1[lane] = v10;
  }
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  const bool v11 = lane < 16L;
  if (v11) {
    const long v12 = lane + 16L;
    const float v13 = shared1[v12];
    const float v14 = shared1[lane];
    const float v15 = v14 + v13;
    shared1[lane] = v15;
  }
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  const bool v16 = lane < 8L;
  if (v16) {
    const long v17 = lane + 8L;
    const float v18 = shared1[v17];
    const float v19 = shared1[lane];
    const float v20 = v19 + v18;
    shared1[lane] = v20;
  }
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  const bool v21 = lane < 4L;
  if (v21) {
    const long v22 = lane + 4L;
    const float v23 = shared1[v22];
    const float v24 = shared1[lane];
    const float v25 = v24 + v23;
    shared1[lane] = v25;
  }
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  const bool v26 = lane < 2L;
  if (v26) {
    const long v27 = lane + 2L;
    const float v28 = shared1[v27];
    const float v29 = shared1[lane];
    const float v30 = v29 + v28;
    shared1[lane] = v30;
  }
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  const bool v31 = lane < 1L;
  if (v31) {
    const long v32 = lane + 1L;
    const float v33 = shared1[v32];
    const float v34 = shared1[lane];
    const float v35 = v34 + v33;
    shared1[lane] = v35;
  }
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  const bool v36 = lane == 0L;
  if (v36) {
    const float v37 = shared1[0L];
    b1[group] = v37;
  }
}
