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

kernel void jf_max_sum_div(device const float *b0 [[buffer(0)]], device float *b1 [[buffer(1)]], constant launch_t &launch [[buffer(30)]], uint3 group_position [[threadgroup_position_in_grid]], uint lane_number [[thread_index_in_threadgroup]], uint3 lane_count [[threads_per_threadgroup]], uint subgroup_lane [[thread_index_in_simdgroup]], uint subgroup_width [[threads_per_simdgroup]]) {
  threadgroup float terms0_f32[64];
  threadgroup float partial0_f32[32];
  const long group = (long)launch.slots[0] + (long)group_position.x;
  const long lane = (long)lane_number;
  const long n0 = (long)launch.slots[2];
  const long n1 = (long)launch.slots[3];
  const long n2 = (long)launch.slots[4];
  const long n3 = (long)launch.slots[5];
  const long v1 = group * n0;
  const long v2 = v1 + n0;
  const long v3 = ((v2 < n1) ? v2 : n1);
  const bool v4 = n3 != 0L;
  for (long k5 = v1; k5 < v3; k5 += 1L) {
    const long v6 = k5 * n2;
    float c7 = as_type<float>(0xff800000u);
    for (long k8 = 0L; k8 < n2; k8 += 64L) {
      const long v9 = k8 + lane;
      if (v9 < n2) {
        const long v10 = v6 + v9;
        const float v11 = b0[v10];
        terms0_f32[lane] = v11;
      }
      threadgroup_barrier(mem_flags::mem_threadgroup);
      if (lane < 32L) {
        for (long k12 = lane; k12 < 64L; k12 += 32L) {
          if (k8 + k12 < n2) {
            const float v13 = terms0_f32[k12];
            const float v14 = maximum_f32(c7, v13);
            c7 = v14;
          }
        }
      }
      threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (lane < 32L) {
      partial0_f32[lane] = c7;
    }
    long c15 = 16L;
    for (;;) {
      if (c15 == 0L) { break; }
      threadgroup_barrier(mem_flags::mem_threadgroup);
      if (lane < c15) {
        const float v16 = partial0_f32[lane + c15];
        const float v17 = partial0_f32[lane];
        const float v18 = maximum_f32(v17, v16);
        partial0_f32[lane] = v18;
      }
      c15 = c15 / 2L;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const float v19 = partial0_f32[0L];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const float v20 = maximum_f32(as_type<float>(0xff800000u), v19);
    float c21 = 0.0f;
    for (long k22 = 0L; k22 < n2; k22 += 16384L) {
      const long v23 = k22 + 16384L;
      const long v24 = ((v23 < n2) ? v23 : n2);
      float c25 = 0.0f;
      for (long k26 = k22; k26 < v24; k26 += 512L) {
        const long v27 = k26 + 512L;
        const long v28 = ((v27 < v24) ? v27 : v24);
        float c29 = 0.0f;
        for (long k30 = k26; k30 < v28; k30 += 64L) {
          const long v31 = k30 + lane;
          if (v31 < v28) {
            const long v32 = v6 + v31;
            const float v33 = b0[v32];
            const float v34 = v33 - v20;
            const bool v35 = v34 > 89.0f;
            const float v36 = (v35 ? 89.0f : v34);
            const bool v37 = v36 < (-104.0f);
            const float v38 = (v37 ? (-104.0f) : v36);
            const float v39 = metal::fma(v38, 0x1.715476p+0f, 0x1.8000fcp+23f);
            const float v40 = v39 - 0x1.8000fcp+23f;
            const float v41 = metal::fma(v40, (-0x1.62e4p-1f), v38);
            const float v42 = metal::fma(v40, (-0x1.7f7d1cp-20f), v41);
            const int v43 = as_type<int>(v39);
            const int v44 = (int)((uint)(v43) << 23u);
            const float v45 = v42 * v42;
            const float v46 = metal::fma(0x1.6ac708p-10f, v45, 0x1.55585ap-5f);
            const float v47 = metal::fma(v46, v45, 0x1.fffffcp-2f);
            const float v48 = metal::fma(0x1.123e0ap-7f, v45, 0x1.55548cp-3f);
            const float v49 = metal::fma(v48, v42, v47);
            const float v50 = metal::fma(v45, v49, v42);
            const bool v51 = v38 < (-64.0f);
            const int v52 = (v51 ? 545259520 : 0);
            const int v53 = (int)((uint)(v44) + (uint)(v52));
            const float v54 = as_type<float>(v53);
            const float v55 = metal::fma(v50, v54, v54);
            const float v56 = (v51 ? 0x1.0p-64f : 2.0f);
            const float v57 = v55 * v56;
            b1[v32] = v57;
            terms0_f32[lane] = v57;
          }
          threadgroup_barrier(mem_flags::mem_threadgroup);
          if (lane < 32L) {
            for (long k58 = lane; k58 < 64L; k58 += 32L) {
              if (k30 + k58 < v28) {
                const float v59 = terms0_f32[k58];
                const float v60 = c29 + v59;
                c29 = v60;
              }
            }
          }
          threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        if (lane < 32L) {
          partial0_f32[lane] = c29;
        }
        long c61 = 16L;
        for (;;) {
          if (c61 == 0L) { break; }
          threadgroup_barrier(mem_flags::mem_threadgroup);
          if (lane < c61) {
            const float v62 = partial0_f32[lane + c61];
            const float v63 = partial0_f32[lane];
            const float v64 = v63 + v62;
            partial0_f32[lane] = v64;
          }
          c61 = c61 / 2L;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        const float v65 = partial0_f32[0L];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        const float v66 = c25 + v65;
        c25 = v66;
        threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
      }
      const float v67 = c21 + c25;
      c21 = v67;
    }
    const float v68 = 0.0f + c21;
    const long v69 = ((0L < n2) ? ((n2 - 0L) / 4L) : 0L);
    for (long k70 = lane; k70 < v69; k70 += 64L) {
      const long v71 = 0L + k70 * 4L;
      const long v72 = v6 + v71;
      const packed_float4 v73 = *(device const packed_float4 *)(b1 + v72);
      const float v74 = v73[0];
      const float v75 = v74 / v68;
      const long v76 = v71 + 1L;
      const long v77 = v6 + v76;
      const float v78 = v73[1];
      const float v79 = v78 / v68;
      const long v80 = v71 + 2L;
      const long v81 = v6 + v80;
      const float v82 = v73[2];
      const float v83 = v82 / v68;
      const long v84 = v71 + 3L;
      const long v85 = v6 + v84;
      const float v86 = v73[3];
      const float v87 = v86 / v68;
      *(device packed_float4 *)(b1 + (v6 + v71)) = packed_float4(v75, v79, v83, v87);
    }
    const long v88 = v69 * 4L;
    for (long k89 = 0L + lane; k89 < n2 - v88; k89 += 64L) {
      const long v90 = k89 + ((v69 >= 1L && k89 >= 0L) ? v88 : 0L);
      const long v91 = v6 + v90;
      const float v92 = b1[v91];
      const float v93 = v92 / v68;
      b1[v91] = v93;
    }
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  }
}
