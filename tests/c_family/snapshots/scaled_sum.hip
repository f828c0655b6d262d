template <class To, class From> static __device__ __forceinline__ To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits keep their width");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
struct launch_t { unsigned long long slots[4]; };

template <class T, int N> struct alignas(sizeof(T) * N) pack {
  T at[N];
};

static __device__ __forceinline__ int opaque(int at) { return at; }
static __device__ __forceinline__ long long opaque(long long at) {
# ifdef __CUDA_ARCH__
  asm("" : "+l"(at));
# endif
  return at;
}

extern "C" __global__ __launch_bounds__(64, 2)
void jf_scaled_sum(const float *__restrict__ b0, const float *__restrict__ b1, float *__restrict__ b2, const launch_t launch) {
  const long long group = (long long)launch.slots[0] + (long long)blockIdx.x;
  const long long lane = (long long)threadIdx.x;
  const long long n0 = (long long)launch.slots[2];
  const float s1 = bits_as<float>((unsigned int)launch.slots[3]);
  const long long v1 = group * 2048LL;
  const long long v2 = v1 + 2048LL;
  const long long v3 = ((v2 < n0) ? v2 : n0);
  const long long v4 = (((long long)((unsigned long long)(b2 + v1) & 15u)) / 4LL);
  const long long v5 = ((v4 == 0LL) ? 0LL : 4LL - v4);
  const long long v6 = v1 + v5;
  const long long v7 = ((v6 < v3 && (((long long)((unsigned long long)(b0 + v6) & 15u)) / 4LL) == 0LL && (((long long)((unsigned long long)(b1 + v6) & 15u)) / 4LL) == 0LL) ? ((v3 - v6) / 4LL) : 0LL);
  _Pragma("unroll 1") for (long long k8 = lane; k8 < v7; k8 += 64LL) {
    const long long v9 = v6 + k8 * 4LL;
    const pack<float, 4> v10 = *(const pack<float, 4> *)(b0 + v9);
    const float v11 = v10.at[0];
    const float v12 = s1 * v11;
    const pack<float, 4> v13 = *(const pack<float, 4> *)(b1 + v9);
    const float v14 = v13.at[0];
    const float v15 = v12 + v14;
    const long long v16 = v9 + 1LL;
    const float v17 = v10.at[1];
    const float v18 = s1 * v17;
    const float v19 = v13.at[1];
    const float v20 = v18 + v19;
    const long long v21 = v9 + 2LL;
    const float v22 = v10.at[2];
    const float v23 = s1 * v22;
    const float v24 = v13.at[2];
    const float v25 = v23 + v24;
    const long long v26 = v9 + 3LL;
    const float v27 = v10.at[3];
    const float v28 = s1 * v27;
    const float v29 = v13.at[3];
    const float v30 = v28 + v29;
    *(pack<float, 4> *)(b2 + opaque(v9)) = pack<float, 4>{{v15, v20, v25, v30}};
  }
  const long long v31 = v7 * 4LL;
  _Pragma("unroll 1") for (long long k32 = v1 + lane; k32 < v3 - v31; k32 += 64LL) {
    const long long v33 = k32 + ((v7 >= 1LL && k32 >= v6) ? v31 : 0LL);
    const float v34 = b0[v33];
    const float v35 = s1 * v34;
    const float v36 = b1[v33];
    const float v37 = v35 + v36;
    b2[v33] = v37;
  }
}
