#pragma OPENCL FP_CONTRACT OFF
typedef struct { ulong slots[8]; } launch_t;

static float maximum_f32(float x, float y) {
  return ((x != x) ? x : ((y != y) ? y : (x > y ? x : y)));
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void jf_max_sum_div(__global const float *restrict b0, __global float *restrict b1, const launch_t launch) {
  __local float terms0_f32[64];
  __local float partial0_f32[32];
  const long group = (long)launch.slots[0] + (long)get_group_id(0);
  const long lane = (long)get_local_id(0);
  const long n0 = (long)launch.slots[2];
  const long n1 = (long)launch.slots[3];
  const long n2 = (long)launch.slots[4];
  const long n3 = (long)launch.slots[5];
  b0 += launch.slots[6];
  b1 += launch.slots[7];
  const long v1 = group * n0;
  const long v2 = v1 + n0;
  const long v3 = ((v2 < n1) ? v2 : n1);
  const bool v4 = n3 != 0L;
  for (long k5 = v1; k5 < v3; k5 += 1L) {
    const long v6 = k5 * n2;
    float c7 = as_float(0xff800000u);
    for (long k8 = 0L; k8 < n2; k8 += 64L) {
      const long v9 = k8 + lane;
      if (v9 < n2) {
        const long v10 = v6 + v9;
        const float v11 = b0[v10];
        terms0_f32[lane] = v11;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (lane < 32L) {
        for (long k12 = lane; k12 < 64L; k12 += 32L) {
          if (k8 + k12 < n2) {
            const float v13 = terms0_f32[k12];
            const float v14 = maximum_f32(c7, v13);
            c7 = v14;
          }
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane < 32L) {
      partial0_f32[lane] = c7;
    }
    long c15 = 16L;
    for (;;) {
      if (c15 == 0L) { break; }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (lane < c15) {
        const float v16 = partial0_f32[lane + c15];
        const float v17 = partial0_f32[lane];
        const float v18 = maximum_f32(v17, v16);
        partial0_f32[lane] = v18;
      }
      c15 = c15 / 2L;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float v19 = partial0_f32[0L];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float v20 = maximum_f32(as_float(0xff800000u), v19);
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
            const float v39 = fma(v38, 0x1.715476p+0f, 0x1.8000fcp+23f);
            const float v40 = v39 - 0x1.8000fcp+23f;
            const float v41 = fma(v40, (-0x1.62e4p-1f), v38);
            const float v42 = fma(v40, (-0x1.7f7d1cp-20f), v41);
            const int v43 = as_int(v39);
            const int v44 = (int)((uint)(v43) << 23u);
            const float v45 = v42 * v42;
            const float v46 = fma(0x1.6ac708p-10f, v45, 0x1.55585ap-5f);
            const float v47 = fma(v46, v45, 0x1.fffffcp-2f);
            const float v48 = fma(0x1.123e0ap-7f, v45, 0x1.55548cp-3f);
            const float v49 = fma(v48, v42, v47);
            const float v50 = fma(v45, v49, v42);
            const bool v51 = v38 < (-64.0f);
            const int v52 = (v51 ? 545259520 : 0);
            const int v53 = (int)((uint)(v44) + (uint)(v52));
            const float v54 = as_float(v53);
            const float v55 = fma(v50, v54, v54);
            const float v56 = (v51 ? 0x1.0p-64f : 2.0f);
            const float v57 = v55 * v56;
            b1[v32] = v57;
            terms0_f32[lane] = v57;
          }
          barrier(CLK_LOCAL_MEM_FENCE);
          if (lane < 32L) {
            for (long k58 = lane; k58 < 64L; k58 += 32L) {
              if (k30 + k58 < v28) {
                const float v59 = terms0_f32[k58];
                const float v60 = c29 + v59;
                c29 = v60;
              }
            }
          }
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (lane < 32L) {
          partial0_f32[lane] = c29;
        }
        long c61 = 16L;
        for (;;) {
          if (c61 == 0L) { break; }
          barrier(CLK_LOCAL_MEM_FENCE);
          if (lane < c61) {
            const float v62 = partial0_f32[lane + c61];
            const float v63 = partial0_f32[lane];
            const float v64 = v63 + v62;
            partial0_f32[lane] = v64;
          }
          c61 = c61 / 2L;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const float v65 = partial0_f32[0L];
        barrier(CLK_LOCAL_MEM_FENCE);
        const float v66 = c25 + v65;
        c25 = v66;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      }
      const float v67 = c21 + c25;
      c21 = v67;
    }
    const float v68 = 0.0f + c21;
    const long v69 = (((long)((ulong)(b1 + (v6 + 0L)) & 15)) / 4L);
    const long v70 = ((v69 == 0L) ? 0L : 4L - v69);
    const long v71 = 0L + v70;
    const long v72 = ((v71 < n2 && (((long)((ulong)(b1 + (v6 + v71)) & 15)) / 4L) == 0L) ? ((n2 - v71) / 4L) : 0L);
    for (long k73 = lane; k73 < v72; k73 += 64L) {
      const long v74 = v71 + k73 * 4L;
      const long v75 = v6 + v74;
      const float4 v76 = *(const __global float4 *)(b1 + v75);
      const float v77 = v76.s0;
      const float v78 = v77 / v68;
      const long v79 = v74 + 1L;
      const long v80 = v6 + v79;
      const float v81 = v76.s1;
      const float v82 = v81 / v68;
      const long v83 = v74 + 2L;
      const long v84 = v6 + v83;
      const float v85 = v76.s2;
      const float v86 = v85 / v68;
      const long v87 = v74 + 3L;
      const long v88 = v6 + v87;
      const float v89 = v76.s3;
      const float v90 = v89 / v68;
      *(__global float4 *)(b1 + (v6 + v74)) = (float4)(v78, v82, v86, v90);
    }
    const long v91 = v72 * 4L;
    for (long k92 = 0L + lane; k92 < n2 - v91; k92 += 64L) {
      const long v93 = k92 + ((v72 >= 1L && k92 >= v71) ? v91 : 0L);
      const long v94 = v6 + v93;
      const float v95 = b1[v94];
      const float v96 = v95 / v68;
      b1[v94] = v96;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
