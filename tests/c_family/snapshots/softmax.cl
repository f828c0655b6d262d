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
  b0 += launch.slots[5];
  b1 += launch.slots[6];
  const long v1 = group * n0;
  const long v2 = v1 + n0;
  const long v3 = ((v2 < n1) ? v2 : n1);
  for (long k4 = v1; k4 < v3; k4 += 1L) {
    const long v5 = k4 * n2;
    float c6 = as_float(0xff800000u);
    for (long k7 = 0L; k7 < n2; k7 += 64L) {
      const long v8 = k7 + lane;
      if (v8 < n2) {
        const long v9 = v5 + v8;
        const float v10 = b0[v9];
        terms0_f32[lane] = v10;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (lane < 32L) {
        for (long k11 = lane; k11 < 64L; k11 += 32L) {
          if (k7 + k11 < n2) {
            const float v12 = terms0_f32[k11];
            const float v13 = maximum_f32(c6, v12);
            c6 = v13;
          }
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane < 32L) {
      partial0_f32[lane] = c6;
    }
    long c14 = 16L;
    for (;;) {
      if (c14 == 0L) { break; }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (lane < c14) {
        const float v15 = partial0_f32[lane + c14];
        const float v16 = partial0_f32[lane];
        const float v17 = maximum_f32(v16, v15);
        partial0_f32[lane] = v17;
      }
      c14 = c14 / 2L;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float v18 = partial0_f32[0L];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float v19 = maximum_f32(as_float(0xff800000u), v18);
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
            const float v38 = fma(v37, 0x1.715476p+0f, 0x1.8000fcp+23f);
            const float v39 = v38 - 0x1.8000fcp+23f;
            const int v40 = as_int(v38);
            const int v41 = (int)((uint)(v40) << 23u);
            const float v42 = fma(v39, (-0x1.62e4p-1f), v37);
            const float v43 = fma(v39, (-0x1.7f7d1cp-20f), v42);
            const float v44 = v43 * v43;
            const float v45 = fma(0x1.6ac708p-10f, v44, 0x1.55585ap-5f);
            const float v46 = fma(v45, v44, 0x1.fffffcp-2f);
            const float v47 = fma(0x1.123e0ap-7f, v44, 0x1.55548cp-3f);
            const float v48 = fma(v47, v43, v46);
            const float v49 = fma(v44, v48, v43);
            const bool v50 = v37 < (-64.0f);
            const int v51 = (v50 ? 545259520 : 0);
            const int v52 = (int)((uint)(v41) + (uint)(v51));
            const float v53 = as_float(v52);
            const float v54 = fma(v49, v53, v53);
            const float v55 = (v50 ? 0x1.0p-64f : 2.0f);
            const float v56 = v54 * v55;
            b1[v31] = v56;
            terms0_f32[lane] = v56;
          }
          barrier(CLK_LOCAL_MEM_FENCE);
          if (lane < 32L) {
            for (long k57 = lane; k57 < 64L; k57 += 32L) {
              if (k29 + k57 < v27) {
                const float v58 = terms0_f32[k57];
                const float v59 = c28 + v58;
                c28 = v59;
              }
            }
          }
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (lane < 32L) {
          partial0_f32[lane] = c28;
        }
        long c60 = 16L;
        for (;;) {
          if (c60 == 0L) { break; }
          barrier(CLK_LOCAL_MEM_FENCE);
          if (lane < c60) {
            const float v61 = partial0_f32[lane + c60];
            const float v62 = partial0_f32[lane];
            const float v63 = v62 + v61;
            partial0_f32[lane] = v63;
          }
          c60 = c60 / 2L;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const float v64 = partial0_f32[0L];
        barrier(CLK_LOCAL_MEM_FENCE);
        const float v65 = c24 + v64;
        c24 = v65;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      }
      const float v66 = c20 + c24;
      c20 = v66;
    }
    const float v67 = 0.0f + c20;
    const long v68 = (((long)((ulong)(b1 + (v5 + 0L)) & 15)) / 4L);
    const long v69 = ((v68 == 0L) ? 0L : 4L - v68);
    const long v70 = 0L + v69;
    const long v71 = ((v70 < n2 && (((long)((ulong)(b1 + (v5 + v70)) & 15)) / 4L) == 0L) ? ((n2 - v70) / 4L) : 0L);
    for (long k72 = lane; k72 < v71; k72 += 64L) {
      const long v73 = v70 + k72 * 4L;
      const long v74 = v5 + v73;
      const float4 v75 = *(const __global float4 *)(b1 + v74);
      const float v76 = v75.s0;
      const float v77 = v76 / v67;
      const long v78 = v73 + 1L;
      const long v79 = v5 + v78;
      const float v80 = v75.s1;
      const float v81 = v80 / v67;
      const long v82 = v73 + 2L;
      const long v83 = v5 + v82;
      const float v84 = v75.s2;
      const float v85 = v84 / v67;
      const long v86 = v73 + 3L;
      const long v87 = v5 + v86;
      const float v88 = v75.s3;
      const float v89 = v88 / v67;
      *(__global float4 *)(b1 + (v5 + v73)) = (float4)(v77, v81, v85, v89);
    }
    const long v90 = v71 * 4L;
    for (long k91 = 0L + lane; k91 < n2 - v90; k91 += 64L) {
      const long v92 = k91 + ((v71 >= 1L && k91 >= v70) ? v90 : 0L);
      const long v93 = v5 + v92;
      const float v94 = b1[v93];
      const float v95 = v94 / v67;
      b1[v93] = v95;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
