#pragma OPENCL FP_CONTRACT OFF
typedef struct { ulong slots[6]; } launch_t;

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
void jf_several_outputs(__global const float *b0, __global float *b1, __global uchar *b2, __global int *b3, __global uchar *b4, const launch_t launch) {
  const long group = (long)launch.slots[0] + (long)get_group_id(0);
  const long lane = (long)get_local_id(0);
  const long n0 = (long)launch.slots[2];
  const long n1 = (long)launch.slots[3];
  const float s2 = as_float((uint)launch.slots[4]);
  const int s3 = (int)launch.slots[5];
  const long v1 = group * n0;
  const long v2 = v1 + n0;
  const long v3 = ((v2 < n1) ? v2 : n1);
  for (long k4 = v1 + lane; k4 < v3; k4 += 64L) {
    const float v5 = b0[k4];
    const float v6 = v5 * s2;
    const float v7 = maximum_f32(v6, as_float(0x80000000u));
    b1[k4] = v7;
    const bool v8 = v6 > 1.0f;
    b2[k4] = (v8 ? 1 : 0);
    const float v9 = rint(v6);
    const int v10 = i32_of_f32(v9);
    const int v11 = floordiv_i32(v10, s3);
    b3[k4] = v11;
    const uchar v12 = (uchar)(v10);
    b4[k4] = v12;
  }
}
