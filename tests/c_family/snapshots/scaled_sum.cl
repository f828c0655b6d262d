#pragma OPENCL FP_CONTRACT OFF
typedef struct { ulong slots[8]; } launch_t;

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void jf_scaled_sum(__global const float *restrict b0, __global const float *restrict b1, __global float *restrict b2, const launch_t launch) {
  const long group = (long)launch.slots[0] + (long)get_group_id(0);
  const long lane = (long)get_local_id(0);
  const long n0 = (long)launch.slots[2];
  const float s1 = as_float((uint)launch.slots[3]);
  b0 += launch.slots[4];
  b1 += launch.slots[5];
  b2 += launch.slots[6];
  const long v1 = group * 2048L;
  const long v2 = v1 + 2048L;
  const long v3 = ((v2 < n0) ? v2 : n0);
  const long v4 = (((long)((ulong)(b2 + v1) & 15)) / 4L);
  const long v5 = ((v4 == 0L) ? 0L : 4L - v4);
  const long v6 = v1 + v5;
  const long v7 = ((v6 < v3 && (((long)((ulong)(b0 + v6) & 15)) / 4L) == 0L && (((long)((ulong)(b1 + v6) & 15)) / 4L) == 0L) ? ((v3 - v6) / 4L) : 0L);
  for (long k8 = lane; k8 < v7; k8 += 64L) {
    const long v9 = v6 + k8 * 4L;
    const float4 v10 = *(const __global float4 *)(b0 + v9);
    const float v11 = v10.s0;
    const float v12 = s1 * v11;
    const float4 v13 = *(const __global float4 *)(b1 + v9);
    const float v14 = v13.s0;
    const float v15 = v12 + v14;
    const long v16 = v9 + 1L;
    const float v17 = v10.s1;
    const float v18 = s1 * v17;
    const float v19 = v13.s1;
    const float v20 = v18 + v19;
    const long v21 = v9 + 2L;
    const float v22 = v10.s2;
    const float v23 = s1 * v22;
    const float v24 = v13.s2;
    const float v25 = v23 + v24;
    const long v26 = v9 + 3L;
    const float v27 = v10.s3;
    const float v28 = s1 * v27;
    const float v29 = v13.s3;
    const float v30 = v28 + v29;
    *(__global float4 *)(b2 + v9) = (float4)(v15, v20, v25, v30);
  }
  const long v31 = v7 * 4L;
  for (long k32 = v1 + lane; k32 < v3 - v31; k32 += 64L) {
    const long v33 = k32 + ((v7 >= 1L && k32 >= v6) ? v31 : 0L);
    const float v34 = b0[v33];
    const float v35 = s1 * v34;
    const float v36 = b1[v33];
    const float v37 = v35 + v36;
    b2[v33] = v37;
  }
}
