template <class To, class From> static __device__ __forceinline__ To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits keep their width");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
struct launch_t { unsigned long long slots[4]; };

extern "C" __global__ __launch_bounds__(64, 2)
void jf_sum(const float *__restrict__ b0, float *__restrict__ b1, const launch_t launch) {
  __shared__ float shared1[64];
  const long long group = (long long)launch.slots[0] + (long long)blockIdx.x;
  const long long lane = (long long)threadIdx.x;
  const long long n0 = (long long)launch.slots[2];
  const long long v2 = group * 64LL;
  const long long v3 = v2 + lane;
  const bool v4 = v3 < n0;
  float c5 = 0.0f;
  if (v4) {
    c5 = b0[v3];
  }
  shared1[lane] = c5;
  __syncthreads();
  const bool v6 = lane < 32LL;
  if (v6) {
    const long long v7 = lane + 32LL;
    const float v8 = shared1[v7];
    const float v9 = shared1[lane];
    const float v10 = v9 + v8;
    shared1[lane] = v10;
  }
  __syncthreads();
  const bool v11 = lane < 16LL;
  if (v11) {
    const long long v12 = lane + 16LL;
    const float v13 = shared1[v12];
    const float v14 = shared1[lane];
    const float v15 = v14 + v13;
    shared1[lane] = v15;
  }
  __syncthreads();
  const bool v16 = lane < 8LL;
  if (v16) {
    const long long v17 = lane + 8LL;
    const float v18 = shared1[v17];
    const float v19 = shared1[lane];
    const float v20 = v19 + v18;
    shared1[lane] = v20;
  }
  __syncthreads();
  const bool v21 = lane < 4LL;
  if (v21) {
    const long long v22 = lane + 4LL;
    const float v23 = shared1[v22];
    const float v24 = shared1[lane];
    const float v25 = v24 + v23;
    shared1[lane] = v25;
  }
  __syncthreads();
  const bool v26 = lane < 2LL;
  if (v26) {
    const long long v27 = lane + 2LL;
    const float v28 = shared1[v27];
    const float v29 = shared1[lane];
    const float v30 = v29 + v28;
    shared1[lane] = v30;
  }
  __syncthreads();
  const bool v31 = lane < 1LL;
  if (v31) {
    const long long v32 = lane + 1LL;
    const float v33 = shared1[v32];
    const float v34 = shared1[lane];
    const float v35 = v34 + v33;
    shared1[lane] = v35;
  }
  __syncthreads();
  const bool v36 = lane == 0LL;
  if (v36) {
    const float v37 = shared1[0LL];
    b1[group] = v37;
  }
}
