template <class To, class From> static __device__ __forceinline__ To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits keep their width");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
struct launch_t { unsigned long long slots[6]; };

template <class T, int N> struct alignas(sizeof(T) * N) pack {
  T at[N];
};

static __device__ __forceinline__ float maximum_f32(float x, float y) {
  return ((x != x) ? x : ((y != y) ? y : (x > y ? x : y)));
}

static __device__ __forceinline__ int i32_of_f32(float x) {
  return ((fabs(x) < 0x1.0p+31f) ? (int)(x) : (-2147483647 - 1));
}

static __device__ __forceinline__ int floordiv_i32(int x, int y) {
  const int safe = ((y == 0 || (x == (-2147483647 - 1) && y == (-1))) ? 1 : y);
  const int quotient = x / safe;
  const int rest = x - quotient * safe;
  const bool down = rest != 0 && (rest ^ safe) < 0;
  return ((y == 0) ? 0 : (down ? quotient - 1 : quotient));
}

static __device__ __forceinline__ int opaque(int at) { return at; }
static __device__ __forceinline__ long long opaque(long long at) {
# ifdef __CUDA_ARCH__
  asm("" : "+l"(at));
# endif
  return at;
}

extern "C" __global__ __launch_bounds__(64, 2)
void jf_several_outputs(const float *__restrict__ b0, float *__restrict__ b1, unsigned char *__restrict__ b2, int *__restrict__ b3, unsigned char *__restrict__ b4, const launch_t launch) {
  const long long group = (long long)launch.slots[0] + (long long)blockIdx.x;
  const long long lane = (long long)threadIdx.x;
  const long long n0 = (long long)launch.slots[2];
  const long long n1 = (long long)launch.slots[3];
  const float s2 = bits_as<float>((unsigned int)launch.slots[4]);
  const int s3 = (int)launch.slots[5];
  const long long v1 = group * n0;
  const long long v2 = v1 + n0;
  const long long v3 = ((v2 < n1) ? v2 : n1);
  const long long v4 = (((long long)((unsigned long long)(b1 + v1) & 15u)) / 4LL);
  const long long v5 = ((v4 == 0LL) ? 0LL : 4LL - v4);
  const long long v6 = v1 + v5;
  const long long v7 = ((v6 < v3 && (((long long)((unsigned long long)(b0 + v6) & 15u)) / 4LL) == 0LL && ((long long)((unsigned long long)(b2 + v6) & 3u)) == 0LL && (((long long)((unsigned long long)(b3 + v6) & 15u)) / 4LL) == 0LL && ((long long)((unsigned long long)(b4 + v6) & 3u)) == 0LL) ? ((v3 - v6) / 4LL) : 0LL);
  _Pragma("unroll 1") for (long long k8 = lane; k8 < v7; k8 += 64LL) {
    const long long v9 = v6 + k8 * 4LL;
    const pack<float, 4> v10 = *(const pack<float, 4> *)(b0 + v9);
    const float v11 = v10.at[0];
    const float v12 = v11 * s2;
    const float v13 = maximum_f32(v12, bits_as<float>(0x80000000u));
    const bool v14 = v12 > 1.0f;
    const unsigned char v15 = (v14 ? 1 : 0);
    const float v16 = rint(v12);
    const int v17 = i32_of_f32(v16);
    const int v18 = floordiv_i32(v17, s3);
    const unsigned char v19 = (unsigned char)(v17);
    const long long v20 = v9 + 1LL;
    const float v21 = v10.at[1];
    const float v22 = v21 * s2;
    const float v23 = maximum_f32(v22, bits_as<float>(0x80000000u));
    const bool v24 = v22 > 1.0f;
    const unsigned char v25 = (v24 ? 1 : 0);
    const float v26 = rint(v22);
    const int v27 = i32_of_f32(v26);
    const int v28 = floordiv_i32(v27, s3);
    const unsigned char v29 = (unsigned char)(v27);
    const long long v30 = v9 + 2LL;
    const float v31 = v10.at[2];
    const float v32 = v31 * s2;
    const float v33 = maximum_f32(v32, bits_as<float>(0x80000000u));
    const bool v34 = v32 > 1.0f;
    const unsigned char v35 = (v34 ? 1 : 0);
    const float v36 = rint(v32);
    const int v37 = i32_of_f32(v36);
    const int v38 = floordiv_i32(v37, s3);
    const unsigned char v39 = (unsigned char)(v37);
    const long long v40 = v9 + 3LL;
    const float v41 = v10.at[3];
    const float v42 = v41 * s2;
    const float v43 = maximum_f32(v42, bits_as<float>(0x80000000u));
    const bool v44 = v42 > 1.0f;
    const unsigned char v45 = (v44 ? 1 : 0);
    const float v46 = rint(v42);
    const int v47 = i32_of_f32(v46);
    const int v48 = floordiv_i32(v47, s3);
    const unsigned char v49 = (unsigned char)(v47);
    *(pack<float, 4> *)(b1 + opaque(v9)) = pack<float, 4>{{v13, v23, v33, v43}};
    *(pack<unsigned char, 4> *)(b2 + opaque(v9)) = pack<unsigned char, 4>{{v15, v25, v35, v45}};
    *(pack<int, 4> *)(b3 + opaque(v9)) = pack<int, 4>{{v18, v28, v38, v48}};
    *(pack<unsigned char, 4> *)(b4 + opaque(v9)) = pack<unsigned char, 4>{{v19, v29, v39, v49}};
  }
  const long long v50 = v7 * 4LL;
  _Pragma("unroll 1") for (long long k51 = v1 + lane; k51 < v3 - v50; k51 += 64LL) {
    const long long v52 = k51 + ((v7 >= 1LL && k51 >= v6) ? v50 : 0LL);
    const float v53 = b0[v52];
    const float v54 = v53 * s2;
    const float v55 = maximum_f32(v54, bits_as<float>(0x80000000u));
    b1[v52] = v55;
    const bool v56 = v54 > 1.0f;
    b2[v52] = (v56 ? 1 : 0);
    const float v57 = rint(v54);
    const int v58 = i32_of_f32(v57);
    const int v59 = floordiv_i32(v58, s3);
    b3[v52] = v59;
    const unsigned char v60 = (unsigned char)(v58);
    b4[v52] = v60;
  }
}
