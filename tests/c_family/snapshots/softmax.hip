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
void jf_max_sum_div(const float *__restrict__ b0, float *__restrict__ b1, const launch_t launch) {
  __shared__ float terms0_f32[64];
  __shared__ float told0_f32[1];
  const long long group = (long long)launch.slots[0] + (long long)blockIdx.x;
  const long long lane = (long long)threadIdx.x;
  const long long n0 = (long long)launch.slots[2];
  const long long n1 = (long long)launch.slots[3];
  const long long n2 = (long long)launch.slots[4];
  const long long n3 = (long long)launch.slots[5];
  const long long v1 = group * n0;
  const long long v2 = v1 + n0;
  const long long v3 = ((v2 < n1) ? v2 : n1);
  const bool v4 = n3 != 0LL;
  _Pragma("unroll 1") for (long long k5 = v1; k5 < v3; k5 += 1LL) {
    const long long v6 = k5 * n2;
    float c7 = bits_as<float>(0xff800000u);
    _Pragma("unroll 1") for (long long k8 = 0LL; k8 < n2; k8 += 64LL) {
      const long long v9 = k8 + lane;
      if (v9 < n2) {
        const long long v10 = v6 + v9;
        const float v11 = b0[v10];
        terms0_f32[lane] = v11;
      }
      __syncthreads();
      if (lane < 32LL) {
        _Pragma("unroll 1") for (long long k12 = lane; k12 < 64LL; k12 += 32LL) {
          if (k8 + k12 < n2) {
            const float v13 = terms0_f32[k12];
            const float v14 = maximum_f32(c7, v13);
            c7 = v14;
          }
        }
      }
      __syncthreads();
    }
    long long c15 = 16LL;
    for (;;) {
      if (c15 == 0LL) { break; }
      const float v16 = __shfl_down(c7, (unsigned int)(c15));
      const float v17 = maximum_f32(c7, v16);
      c7 = v17;
      c15 = c15 / 2LL;
    }
    if (lane == 0LL) {
      told0_f32[0LL] = c7;
    }
    __syncthreads();
    const float v18 = told0_f32[0LL];
    __syncthreads();
    const float v19 = maximum_f32(bits_as<float>(0xff800000u), v18);
    float c20 = 0.0f;
    _Pragma("unroll 1") for (long long k21 = 0LL; k21 < n2; k21 += 16384LL) {
      const long long v22 = k21 + 16384LL;
      const long long v23 = ((v22 < n2) ? v22 : n2);
      float c24 = 0.0f;
      _Pragma("unroll 1") for (long long k25 = k21; k25 < v23; k25 += 512LL) {
        const long long v26 = k25 + 512LL;
        const long long v27 = ((v26 < v23) ? v26 : v23);
        float c28 = 0.0f;
        _Pragma("unroll 1") for (long long k29 = k25; k29 < v27; k29 += 64LL) {
          const long long v30 = k29 + lane;
          if (v30 < v27) {
            const long long v31 = v6 + v30;
            const float v32 = b0[v31];
            const float v33 = v32 - v19;
            const bool v34 = v33 > 89.0f;
            const float v35 = (v34 ? 89.0f : v33);
            const bool v36 = v35 < (-104.0f);
            const float v37 = (v36 ? (-104.0f) : v35);
            const float v38 = fma(v37, 0x1.715476p+0f, 0x1.8000fcp+23f);
            const float v39 = v38 - 0x1.8000fcp+23f;
            const float v40 = fma(v39, (-0x1.62e4p-1f), v37);
            const float v41 = fma(v39, (-0x1.7f7d1cp-20f), v40);
            const int v42 = bits_as<int>(v38);
            const int v43 = (int)((unsigned int)(v42) << 23u);
            const float v44 = v41 * v41;
            const float v45 = fma(0x1.6ac708p-10f, v44, 0x1.55585ap-5f);
            const float v46 = fma(v45, v44, 0x1.fffffcp-2f);
            const float v47 = fma(0x1.123e0ap-7f, v44, 0x1.55548cp-3f);
            const float v48 = fma(v47, v41, v46);
            const float v49 = fma(v44, v48, v41);
            const bool v50 = v37 < (-64.0f);
            const int v51 = (v50 ? 545259520 : 0);
            const int v52 = (int)((unsigned int)(v43) + (unsigned int)(v51));
            const float v53 = bits_as<float>(v52);
            const float v54 = fma(v49, v53, v53);
            const float v55 = (v50 ? 0x1.0p-64f : 2.0f);
            const float v56 = v54 * v55;
            b1[v31] = v56;
            terms0_f32[lane] = v56;
          }
          __syncthreads();
          if (lane < 32LL) {
            _Pragma("unroll 1") for (long long k57 = lane; k57 < 64LL; k57 += 32LL) {
              if (k29 + k57 < v27) {
                const float v58 = terms0_f32[k57];
                const float v59 = c28 + v58;
                c28 = v59;
              }
            }
          }
          __syncthreads();
        }
        long long c60 = 16LL;
        for (;;) {
          if (c60 == 0LL) { break; }
          const float v61 = __shfl_down(c28, (unsigned int)(c60));
          const float v62 = c28 + v61;
          c28 = v62;
          c60 = c60 / 2LL;
        }
        if (lane == 0LL) {
          told0_f32[0LL] = c28;
        }
        __syncthreads();
        const float v63 = told0_f32[0LL];
        __syncthreads();
        const float v64 = c24 + v63;
        c24 = v64;
        __syncthreads();
      }
      const float v65 = c20 + c24;
      c20 = v65;
    }
    const float v66 = 0.0f + c20;
    const long long v67 = (((long long)((unsigned long long)(b1 + (v6 + 0LL)) & 15u)) / 4LL);
    const long long v68 = ((v67 == 0LL) ? 0LL : 4LL - v67);
    const long long v69 = 0LL + v68;
    const long long v70 = ((v69 < n2 && (((long long)((unsigned long long)(b1 + (v6 + v69)) & 15u)) / 4LL) == 0LL) ? ((n2 - v69) / 4LL) : 0LL);
    _Pragma("unroll 1") for (long long k71 = lane; k71 < v70; k71 += 64LL) {
      const long long v72 = v69 + k71 * 4LL;
      const long long v73 = v6 + v72;
      const pack<float, 4> v74 = *(const pack<float, 4> *)(b1 + v73);
      const float v75 = v74.at[0];
      const float v76 = v75 / v66;
      const long long v77 = v72 + 1LL;
      const long long v78 = v6 + v77;
      const float v79 = v74.at[1];
      const float v80 = v79 / v66;
      const long long v81 = v72 + 2LL;
      const long long v82 = v6 + v81;
      const float v83 = v74.at[2];
      const float v84 = v83 / v66;
      const long long v85 = v72 + 3LL;
      const long long v86 = v6 + v85;
      const float v87 = v74.at[3];
      const float v88 = v87 / v66;
      *(pack<float, 4> *)(b1 + opaque((v6 + v72))) = pack<float, 4>{{v76, v80, v84, v88}};
    }
    const long long v89 = v70 * 4LL;
    _Pragma("unroll 1") for (long long k90 = 0LL + lane; k90 < n2 - v89; k90 += 64LL) {
      const long long v91 = k90 + ((v70 >= 1LL && k90 >= v69) ? v89 : 0LL);
      const long long v92 = v6 + v91;
      const float v93 = b1[v92];
      const float v94 = v93 / v66;
      b1[v92] = v94;
    }
    __syncthreads();
  }
}
