template <class To, class From> static __device__ __forceinline__ To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits keep their width");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
struct launch_t { unsigned long long slots[6]; };

static __device__ __forceinline__ float maximum_f32(float x, float y) {
  return ((x != x) ? x : ((y != y) ? y : (x > y ? x : y)));
}

static __device__ __forceinline__ unsigned int warp_lanes() {
  const unsigned int left = blockDim.x - (threadIdx.x & ~31u);
  return left < 32u ? left : 32u;
}

static __device__ __forceinline__ unsigned int warp_mask() {
  return 0xffffffffu >> (32u - warp_lanes());
}

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
void jf_max_sum_div(const float *__restrict__ b0, float *__restrict__ b1, const __grid_constant__ launch_t launch) {
  __shared__ float terms0_f32[64];
  __shared__ float told0_f32[1];
  const long long group = (long long)launch.slots[0] + (long long)blockIdx.x;
  const long long lane = (long long)threadIdx.x;
  const long long n0 = (long long)launch.slots[2];
  const long long n1 = (long long)launch.slots[3];
  const long long n2 = (long long)launch.slots[4];
  const long long v1 = group * n0;
  const long long v2 = v1 + n0;
  const long long v3 = ((v2 < n1) ? v2 : n1);
  _Pragma("unroll 1") for (long long k4 = v1; k4 < v3; k4 += 1LL) {
    const long long v5 = k4 * n2;
    float c6 = bits_as<float>(0xff800000u);
    _Pragma("unroll 1") for (long long k7 = 0LL; k7 < n2; k7 += 64LL) {
      const long long v8 = k7 + lane;
      if (v8 < n2) {
        const long long v9 = v5 + v8;
        const float v10 = b0[v9];
        terms0_f32[lane] = v10;
      }
      __syncthreads();
      if (lane < 32LL) {
        _Pragma("unroll 1") for (long long k11 = lane; k11 < 64LL; k11 += 32LL) {
          if (k7 + k11 < n2) {
            const float v12 = terms0_f32[k11];
            const float v13 = maximum_f32(c6, v12);
            c6 = v13;
          }
        }
      }
      __syncthreads();
    }
    long long c14 = 16LL;
    for (;;) {
      if (c14 == 0LL) { break; }
      const float v15 = __shfl_down_sync(warp_mask(), c6, (unsigned int)(c14));
      const float v16 = maximum_f32(c6, v15);
      c6 = v16;
      c14 = c14 / 2LL;
    }
    if (lane == 0LL) {
      told0_f32[0LL] = c6;
    }
    __syncthreads();
    const float v17 = told0_f32[0LL];
    __syncthreads();
    const float v18 = maximum_f32(bits_as<float>(0xff800000u), v17);
    float c19 = 0.0f;
    _Pragma("unroll 1") for (long long k20 = 0LL; k20 < n2; k20 += 16384LL) {
      const long long v21 = k20 + 16384LL;
      const long long v22 = ((v21 < n2) ? v21 : n2);
      float c23 = 0.0f;
      _Pragma("unroll 1") for (long long k24 = k20; k24 < v22; k24 += 512LL) {
        const long long v25 = k24 + 512LL;
        const long long v26 = ((v25 < v22) ? v25 : v22);
        float c27 = 0.0f;
        _Pragma("unroll 1") for (long long k28 = k24; k28 < v26; k28 += 64LL) {
          const long long v29 = k28 + lane;
          if (v29 < v26) {
            const long long v30 = v5 + v29;
            const float v31 = b0[v30];
            const float v32 = v31 - v18;
            const bool v33 = v32 > 89.0f;
            const float v34 = (v33 ? 89.0f : v32);
            const bool v35 = v34 < (-104.0f);
            const float v36 = (v35 ? (-104.0f) : v34);
            const float v37 = fma(v36, 0x1.715476p+0f, 0x1.8000fcp+23f);
            const float v38 = v37 - 0x1.8000fcp+23f;
            const int v39 = bits_as<int>(v37);
            const int v40 = (int)((unsigned int)(v39) << 23u);
            const float v41 = fma(v38, (-0x1.62e4p-1f), v36);
            const float v42 = fma(v38, (-0x1.7f7d1cp-20f), v41);
            const float v43 = v42 * v42;
            const float v44 = fma(0x1.6ac708p-10f, v43, 0x1.55585ap-5f);
            const float v45 = fma(v44, v43, 0x1.fffffcp-2f);
            const float v46 = fma(0x1.123e0ap-7f, v43, 0x1.55548cp-3f);
            const float v47 = fma(v46, v42, v45);
            const float v48 = fma(v43, v47, v42);
            const bool v49 = v36 < (-64.0f);
            const int v50 = (v49 ? 545259520 : 0);
            const int v51 = (int)((unsigned int)(v40) + (unsigned int)(v50));
            const float v52 = bits_as<float>(v51);
            const float v53 = fma(v48, v52, v52);
            const float v54 = (v49 ? 0x1.0p-64f : 2.0f);
            const float v55 = v53 * v54;
            b1[v30] = v55;
            terms0_f32[lane] = v55;
          }
          __syncthreads();
          if (lane < 32LL) {
            _Pragma("unroll 1") for (long long k56 = lane; k56 < 64LL; k56 += 32LL) {
              if (k28 + k56 < v26) {
                const float v57 = terms0_f32[k56];
                const float v58 = c27 + v57;
                c27 = v58;
              }
            }
          }
          __syncthreads();
        }
        long long c59 = 16LL;
        for (;;) {
          if (c59 == 0LL) { break; }
          const float v60 = __shfl_down_sync(warp_mask(), c27, (unsigned int)(c59));
          const float v61 = c27 + v60;
          c27 = v61;
          c59 = c59 / 2LL;
        }
        if (lane == 0LL) {
          told0_f32[0LL] = c27;
        }
        __syncthreads();
        const float v62 = told0_f32[0LL];
        __syncthreads();
        const float v63 = c23 + v62;
        c23 = v63;
        __syncthreads();
      }
      const float v64 = c19 + c23;
      c19 = v64;
    }
    const float v65 = 0.0f + c19;
    const long long v66 = (((long long)((unsigned long long)(b1 + (v5 + 0LL)) & 15u)) / 4LL);
    const long long v67 = ((v66 == 0LL) ? 0LL : 4LL - v66);
    const long long v68 = 0LL + v67;
    const long long v69 = ((v68 < n2 && (((long long)((unsigned long long)(b1 + (v5 + v68)) & 15u)) / 4LL) == 0LL) ? ((n2 - v68) / 4LL) : 0LL);
    _Pragma("unroll 1") for (long long k70 = lane; k70 < v69; k70 += 64LL) {
      const long long v71 = v68 + k70 * 4LL;
      const long long v72 = v5 + v71;
      const pack<float, 4> v73 = *(const pack<float, 4> *)(b1 + v72);
      const float v74 = v73.at[0];
      const float v75 = v74 / v65;
      const long long v76 = v71 + 1LL;
      const long long v77 = v5 + v76;
      const float v78 = v73.at[1];
      const float v79 = v78 / v65;
      const long long v80 = v71 + 2LL;
      const long long v81 = v5 + v80;
      const float v82 = v73.at[2];
      const float v83 = v82 / v65;
      const long long v84 = v71 + 3LL;
      const long long v85 = v5 + v84;
      const float v86 = v73.at[3];
      const float v87 = v86 / v65;
      *(pack<float, 4> *)(b1 + opaque((v5 + v71))) = pack<float, 4>{{v75, v79, v83, v87}};
    }
    const long long v88 = v69 * 4LL;
    _Pragma("unroll 1") for (long long k89 = 0LL + lane; k89 < n2 - v88; k89 += 64LL) {
      const long long v90 = k89 + ((v69 >= 1LL && k89 >= v68) ? v88 : 0LL);
      const long long v91 = v5 + v90;
      const float v92 = b1[v91];
      const float v93 = v92 / v65;
      b1[v91] = v93;
    }
    __syncthreads();
  }
}
