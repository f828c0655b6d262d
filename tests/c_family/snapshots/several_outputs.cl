#pragma OPENCL FP_CONTRACT OFF
typedef struct { ulong slots[12]; } launch_t;

static float maximum_f32(float x, float y) {
  return ((x != x) ? x : ((y != y) ? y : (x > y ? x : y)));
}

static int i32_of_f32(float x) {
  return ((fabs(x) < 0x1.0p+31f) ? (int)(x) : (-2147483647 - 1));
}

static int floordiv_i32(int x, int y) {
  const int safe = ((y == 0 || (x == (-2147483647 - 1) && y == (-1))) ? 1 : y);
  const int quotient = x / safe;
  const int rest = x - quotient * safe;
  const bool down = rest != 0 && (rest ^ safe) < 0;
  return ((y == 0) ? 0 : (down ? quotient - 1 : quotient));
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void jf_several_outputs(__global const float *restrict b0, __global float *restrict b1, __global uchar *restrict b2, __global int *restrict b3, __global uchar *restrict b4, const launch_t launch) {
  const long group = (long)launch.slots[0] + (long)get_group_id(0);
  const long lane = (long)get_local_id(0);
  const long n0 = (long)launch.slots[2];
  const long n1 = (long)launch.slots[3];
  const float s2 = as_float((uint)launch.slots[4]);
  const int s3 = (int)launch.slots[5];
  b0 += launch.slots[6];
  b1 += launch.slots[7];
  b2 += launch.slots[8];
  b3 += launch.slots[9];
  b4 += launch.slots[10];
  const long v1 = group * n0;
  const long v2 = v1 + n0;
  const long v3 = ((v2 < n1) ? v2 : n1);
  const long v4 = (((long)((ulong)(b1 + v1) & 15)) / 4L);
  const long v5 = ((v4 == 0L) ? 0L : 4L - v4);
  const long v6 = v1 + v5;
  const long v7 = ((v6 < v3 && (((long)((ulong)(b0 + v6) & 15)) / 4L) == 0L && ((long)((ulong)(b2 + v6) & 3)) == 0L && (((long)((ulong)(b3 + v6) & 15)) / 4L) == 0L && ((long)((ulong)(b4 + v6) & 3)) == 0L) ? ((v3 - v6) / 4L) : 0L);
  for (long k8 = lane; k8 < v7; k8 += 64L) {
    const long v9 = v6 + k8 * 4L;
    const float4 v10 = *(const __global float4 *)(b0 + v9);
    const float v11 = v10.s0;
    const float v12 = v11 * s2;
    const float v13 = maximum_f32(v12, as_float(0x80000000u));
    const bool v14 = v12 > 1.0f;
    const uchar v15 = (v14 ? 1 : 0);
    const float v16 = rint(v12);
    const int v17 = i32_of_f32(v16);
    const int v18 = floordiv_i32(v17, s3);
    const uchar v19 = (uchar)(v17);
    const long v20 = v9 + 1L;
    const float v21 = v10.s1;
    const float v22 = v21 * s2;
    const float v23 = maximum_f32(v22, as_float(0x80000000u));
    const bool v24 = v22 > 1.0f;
    const uchar v25 = (v24 ? 1 : 0);
    const float v26 = rint(v22);
    const int v27 = i32_of_f32(v26);
    const int v28 = floordiv_i32(v27, s3);
    const uchar v29 = (uchar)(v27);
    const long v30 = v9 + 2L;
    const float v31 = v10.s2;
    const float v32 = v31 * s2;
    const float v33 = maximum_f32(v32, as_float(0x80000000u));
    const bool v34 = v32 > 1.0f;
    const uchar v35 = (v34 ? 1 : 0);
    const float v36 = rint(v32);
    const int v37 = i32_of_f32(v36);
    const int v38 = floordiv_i32(v37, s3);
    const uchar v39 = (uchar)(v37);
    const long v40 = v9 + 3L;
    const float v41 = v10.s3;
    const float v42 = v41 * s2;
    const float v43 = maximum_f32(v42, as_float(0x80000000u));
    const bool v44 = v42 > 1.0f;
    const uchar v45 = (v44 ? 1 : 0);
    const float v46 = rint(v42);
    const int v47 = i32_of_f32(v46);
    const int v48 = floordiv_i32(v47, s3);
    const uchar v49 = (uchar)(v47);
    *(__global float4 *)(b1 + v9) = (float4)(v13, v23, v33, v43);
    *(__global uchar4 *)(b2 + v9) = (uchar4)(v15, v25, v35, v45);
    *(__global int4 *)(b3 + v9) = (int4)(v18, v28, v38, v48);
    *(__global uchar4 *)(b4 + v9) = (uchar4)(v19, v29, v39, v49);
  }
  const long v50 = v7 * 4L;
  for (long k51 = v1 + lane; k51 < v3 - v50; k51 += 64L) {
    const long v52 = k51 + ((v7 >= 1L && k51 >= v6) ? v50 : 0L);
    const float v53 = b0[v52];
    const float v54 = v53 * s2;
    const float v55 = maximum_f32(v54, as_float(0x80000000u));
    b1[v52] = v55;
    const bool v56 = v54 > 1.0f;
    b2[v52] = (v56 ? 1 : 0);
    const float v57 = rint(v54);
    const int v58 = i32_of_f32(v57);
    const int v59 = floordiv_i32(v58, s3);
    b3[v52] = v59;
    const uchar v60 = (uchar)(v58);
    b4[v52] = v60;
  }
}
