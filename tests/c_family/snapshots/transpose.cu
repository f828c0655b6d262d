template <class To, class From> static __device__ __forceinline__ To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits keep their width");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
struct launch_t { unsigned long long slots[6]; };

extern "C" __global__ __launch_bounds__(64, 2)
void jf_transpose(const float *__restrict__ b0, float *__restrict__ b1, const __grid_constant__ launch_t launch) {
  __shared__ float shared1[272];
  const long long group = (long long)launch.slots[0] + (long long)blockIdx.x;
  const long long lane = (long long)threadIdx.x;
  const long long n0 = (long long)launch.slots[2];
  const long long n1 = (long long)launch.slots[3];
  const long long n2 = (long long)launch.slots[4];
  const long long v2 = group / n2;
  const long long v3 = v2 * 16LL;
  const long long v4 = group % n2;
  const long long v5 = v4 * 16LL;
  const long long v6 = lane % 16LL;
  const long long v7 = lane / 16LL;
  _Pragma("unroll 1") for (long long k8 = v7; k8 < 16LL; k8 += 4LL) {
    const long long v9 = v3 + k8;
    const long long v10 = v5 + v6;
    const long long v11 = v9 * n1;
    const long long v12 = v11 + v10;
    const bool v13 = v9 < n0;
    const bool v14 = v10 < n1;
    const bool v15 = v13 && v14;
    float c16 = 0.0f;
    if (v15) {
      c16 = b0[v12];
    }
    const long long v17 = k8 * 17LL;
    const long long v18 = v17 + v6;
    shared1[v18] = c16;
  }
  __syncthreads();
  _Pragma("unroll 1") for (long long k19 = v7; k19 < 16LL; k19 += 4LL) {
    const long long v20 = v3 + v6;
    const long long v21 = v5 + k19;
    const long long v22 = v6 * 17LL;
    const long long v23 = v22 + k19;
    const float v24 = shared1[v23];
    const long long v25 = v21 * n0;
    const long long v26 = v25 + v20;
    const bool v27 = v20 < n0;
    const bool v28 = v21 < n1;
    const bool v29 = v27 && v28;
    if (v29) {
      b1[v26] = v24;
    }
  }
}
