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

kernel void jf_max_sum_div(device const float *b0 [[buffer(0)]], device float *b1 [[buffer(1)]], constant launch_t &launch [[buffer(30)]], uint3 group_position [[threadgroup_position_in_grid]], uint3 lane_count [[threads_per_threadgroup]], uint subgroup_number [[simdgroup_index_in_threadgroup]], uint subgroup_lane [[thread_index_in_simdgroup]], uint subgroup_width [[threads_per_simdgroup]]) {
  threadgroup float terms0_f32[64];
  threadgroup float partial0_f32[32];
  const long group = (long)launch.slots[0] + (long)group_position.x;
  const long lane = (long)(subgroup_number * subgroup_width + subgroup_lane);
  const long n0 = (long)launch.slots[2];
  const long n1 = (long)launch.slots[3];
  const long n2 = (long)launch.slots[4];
  const long v1 = group * n0;
  const long v2 = v1 + n0;
  const long v3 = ((v2 < n1) ? v2 : n1);
  for (long k4 = v1; k4 < v3; k4 += 1L) {
    const long v5 = k4 * n2;
    float c6 = as_type<float>(0xff800000u);
    for (long k7 = 0L; k7 < n2; k7 += 64L) {
      const long v8 = k7 + lane;
      if (v8 < n2) {
        const long v9 = v5 + v8;
        const float v10 = b0[v9];
        terms0_f32[lane] = v10;
      }
      threadgroup_barrier(mem_flags::mem_threadgroup);
      if (lane < 32L) {
        for (long k11 = lane; k11 < 64L; k11 += 32L) {
          if (k7 + k11 < n2) {
            const float v12 = terms0_f32[k11];
            const float v13 = maximum_f32(c6, v12);
            c6 = v13;
          }
        }
      }
      threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (lane < 32L) {
      partial0_f32[lane] = c6;
    }
    long c14 = 16L;
    for (;;) {
      if (c14 == 0L) { break; }
      threadgroup_barrier(mem_flags::mem_threadgroup);
      if (lane < c14) {
        const float v15 = partial0_f32[lane + c14];
        const float v16 = partial0_f32[lane];
        const float v17 = maximum_f32(v16, v15);
        partial0_f32[lane] = v17;
      }
      c14 = c14 / 2L;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const float v18 = partial0_f32[0L];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const float v19 = maximum_f32(as_type<float>(0xff800000u), v18);
    float c20 = 0.0f;
    for (long k21 = 0L; k21 < n2; k21 += 16384L) {
      const long v22 = k21 + 16384L;
      const long v23 = ((v22 < n2) ? v22 : n2);
      float c24 = 0.0f;
      for (long k25 = k21; k25 < v23; k25 += 512L) {
        const long v26 = k25 + 512L;
        const long v27 = ((v26 < v23) ? v26 : v23);
        float c28 = 0.0f;
        for (long k29 = k25; k29 < v27; k29 += 64L) {
          const long v30 = k29 + lane;
          if (v30 < v27) {
            const long v31 = v5 + v30;
            const float v32 = b0[v31];
            const float v33 = v32 - v19;
            const bool v34 = v33 > 89.0f;
            const float v35 = (v34 ? 89.0f : v33);
            const bool v36 = v35 < (-104.0f);
            const float v37 = (v36 ? (-104.0f) : v35);
            const float v38 = metal::fma(v37, 0x1.715476p+0f, 0x1.8000fcp+23f);
            const float v39 = v38 - 0x1.8000fcp+23f;
            const int v40 = as_type<int>(v38);
            const int v41 = (int)((uint)(v40) << 23u);
            const float v42 = metal::fma(v39, (-0x1.62e4p-1f), v37);
            const float v43 = metal::fma(v39, (-0x1.7f7d1cp-20f), v42);
            const float v44 = v43 * v43;
            const float v45 = metal::fma(0x1.6ac708p-10f, v44, 0x1.55585ap-5f);
            const float v46 = metal::fma(v45, v44, 0x1.fffffcp-2f);
            const float v47 = metal::fma(0x1.123e0ap-7f, v44, 0x1.55548cp-3f);
            const float v48 = metal::fma(v47, v43, v46);
            const float v49 = metal::fma(v44, v48, v43);
            const bool v50 = v37 < (-64.0f);
            const int v51 = (v50 ? 545259520 : 0);
            const int v52 = (int)((uint)(v41) + (uint)(v51));
            const float v53 = as_type<float>(v52);
            const float v54 = metal::fma(v49, v53, v53);
            const float v55 = (v50 ? 0x1.0p-64f : 2.0f);
            const float v56 = v54 * v55;
            b1[v31] = v56;
            terms0_f32[lane] = v56;
          }
          threadgroup_barrier(mem_flags::mem_threadgroup);
          if (lane < 32L) {
            for (long k57 = lane; k57 < 64L; k57 += 32L) {
              if (k29 + k57 < v27) {
                const float v58 = terms0_f32[k57];
                const float v59 = c28 + v58;
                c28 = v59;
              }
            }
          }
          threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        if (lane < 32L) {
          partial0_f32[lane] = c28;
        }
        long c60 = 16L;
        for (;;) {
          if (c60 == 0L) { break; }
          threadgroup_barrier(mem_flags::mem_threadgroup);
          if (lane < c60) {
            const float v61 = partial0_f32[lane + c60];
            const float v62 = partial0_f32[lane];
            const float v63 = v62 + v61;
            partial0_f32[lane] = v63;
          }
          c60 = c60 / 2L;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        const float v64 = partial0_f32[0L];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        const float v65 = c24 + v64;
        c24 = v65;
        threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
      }
      const float v66 = c20 + c24;
      c20 = v66;
    }
    const float v67 = 0.0f + c20;
    const long v68 = ((0L < n2) ? ((n2 - 0L) / 4L) : 0L);
    for (long k69 = lane; k69 < v68; k69 += 64L) {
      const long v70 = 0L + k69 * 4L;
      const long v71 = v5 + v70;
      const packed_float4 v72 = *(device const packed_float4 *)(b1 + v71);
      const float v73 = v72[0];
      const float v74 = v73 / v67;
      const long v75 = v70 + 1L;
      const long v76 = v5 + v75;
      const float v77 = v72[1];
      const float v78 = v77 / v67;
      const long v79 = v70 + 2L;
      const long v80 = v5 + v79;
      const float v81 = v72[2];
      const float v82 = v81 / v67;
      const long v83 = v70 + 3L;
      const long v84 = v5 + v83;
      const float v85 = v72[3];
      const float v86 = v85 / v67;
      *(device packed_float4 *)(b1 + (v5 + v70)) = packed_float4(v74, v78, v82, v86);
    }
    const long v87 = v68 * 4L;
    for (long k88 = 0L + lane; k88 < n2 - v87; k88 += 64L) {
      const long v89 = k88 + ((v68 >= 1L && k88 >= 0L) ? v87 : 0L);
      const long v90 = v5 + v89;
      const float v91 = b1[v90];
      const float v92 = v91 / v67;
      b1[v90] = v92;
    }
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  }
}
