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

static inline int i32_of_f32(float x) {
  return ((metal::fabs(x) < 0x1.0p+31f) ? (int)(x) : (-2147483647 - 1));
}

static inline int floordiv_i32(int x, int y) {
  const int safe = ((y == 0 || (x == (-2147483647 - 1) && y == (-1))) ? 1 : y);
  const int quotient = x / safe;
  const int rest = x - quotient * safe;
  const bool down = rest != 0 && (rest ^ safe) < 0;
  return ((y == 0) ? 0 : (down ? quotient - 1 : quotient));
}

kernel void jf_several_outputs(device const float *b0 [[buffer(0)]], device float *b1 [[buffer(1)]], device uchar *b2 [[buffer(2)]], device int *b3 [[buffer(3)]], device uchar *b4 [[buffer(4)]], constant launch_t &launch [[buffer(30)]], uint3 group_position [[threadgroup_position_in_grid]], uint3 lane_count [[threads_per_threadgroup]], uint subgroup_number [[simdgroup_index_in_threadgroup]], uint subgroup_lane [[thread_index_in_simdgroup]], uint subgroup_width [[threads_per_simdgroup]]) {
  const long group = (long)launch.slots[0] + (long)group_position.x;
  const long lane = (long)(subgroup_number * subgroup_width + subgroup_lane);
  const long n0 = (long)launch.slots[2];
  const long n1 = (long)launch.slots[3];
  const float s2 = as_type<float>((uint)launch.slots[4]);
  const int s3 = (int)launch.slots[5];
  const long v1 = group * n0;
  const long v2 = v1 + n0;
  const long v3 = ((v2 < n1) ? v2 : n1);
  const long v4 = ((v1 < v3) ? ((v3 - v1) / 4L) : 0L);
  for (long k5 = lane; k5 < v4; k5 += 64L) {
    const long v6 = v1 + k5 * 4L;
    const packed_float4 v7 = *(device const packed_float4 *)(b0 + v6);
    const float v8 = v7[0];
    const float v9 = v8 * s2;
    const float v10 = maximum_f32(v9, as_type<float>(0x80000000u));
    const bool v11 = v9 > 1.0f;
    const uchar v12 = (v11 ? 1 : 0);
    const float v13 = metal::rint(v9);
    const int v14 = i32_of_f32(v13);
    const int v15 = floordiv_i32(v14, s3);
    const uchar v16 = (uchar)(v14);
    const long v17 = v6 + 1L;
    const float v18 = v7[1];
    const float v19 = v18 * s2;
    const float v20 = maximum_f32(v19, as_type<float>(0x80000000u));
    const bool v21 = v19 > 1.0f;
    const uchar v22 = (v21 ? 1 : 0);
    const float v23 = metal::rint(v19);
    const int v24 = i32_of_f32(v23);
    const int v25 = floordiv_i32(v24, s3);
    const uchar v26 = (uchar)(v24);
    const long v27 = v6 + 2L;
    const float v28 = v7[2];
    const float v29 = v28 * s2;
    const float v30 = maximum_f32(v29, as_type<float>(0x80000000u));
    const bool v31 = v29 > 1.0f;
    const uchar v32 = (v31 ? 1 : 0);
    const float v33 = metal::rint(v29);
    const int v34 = i32_of_f32(v33);
    const int v35 = floordiv_i32(v34, s3);
    const uchar v36 = (uchar)(v34);
    const long v37 = v6 + 3L;
    const float v38 = v7[3];
    const float v39 = v38 * s2;
    const float v40 = maximum_f32(v39, as_type<float>(0x80000000u));
    const bool v41 = v39 > 1.0f;
    const uchar v42 = (v41 ? 1 : 0);
    const float v43 = metal::rint(v39);
    const int v44 = i32_of_f32(v43);
    const int v45 = floordiv_i32(v44, s3);
    const uchar v46 = (uchar)(v44);
    *(device packed_float4 *)(b1 + v6) = packed_float4(v10, v20, v30, v40);
    *(device packed_uchar4 *)(b2 + v6) = packed_uchar4(v12, v22, v32, v42);
    *(device packed_int4 *)(b3 + v6) = packed_int4(v15, v25, v35, v45);
    *(device packed_uchar4 *)(b4 + v6) = packed_uchar4(v16, v26, v36, v46);
  }
  const long v47 = v4 * 4L;
  for (long k48 = v1 + lane; k48 < v3 - v47; k48 += 64L) {
    const long v49 = k48 + ((v4 >= 1L && k48 >= v1) ? v47 : 0L);
    const float v50 = b0[v49];
    const float v51 = v50 * s2;
    const float v52 = maximum_f32(v51, as_type<float>(0x80000000u));
    b1[v49] = v52;
    const bool v53 = v51 > 1.0f;
    b2[v49] = (v53 ? 1 : 0);
    const float v54 = metal::rint(v51);
    const int v55 = i32_of_f32(v54);
    const int v56 = floordiv_i32(v55, s3);
    b3[v49] = v56;
    const uchar v57 = (uchar)(v55);
    b4[v49] = v57;
  }
}
