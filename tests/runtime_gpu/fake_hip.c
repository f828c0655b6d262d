/* A stand-in for libamdhip64, hiprtc and rocBLAS: memory with HIP's rules, launches handed to the test.
 *
 * Two GPUs, each with its own current-device state for each thread, streams and events. Copies are done at once.
 * A code object is the source itself behind its length. A source is rejected where the test says so. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GPUS 2
#define MEMORY_BYTES ((size_t)1 << 28)
enum { OK = 0, INVALID = 1, NO_MEMORY = 2, NO_DEVICE = 100, BAD_HANDLE = 400, NOT_FOUND = 500, FAILED = 719 };

typedef struct block {
  char *start;
  size_t size;
  int gpu; /* -1: pinned memory of the host */
  struct block *next;
} block;
typedef struct { int gpu; } stream;
typedef struct { int gpu; double time_ms; } event;
typedef struct { int gpu; size_t size; char *text; } module;
typedef struct { char *text, *log; int failed; } program;
typedef int (*launcher)(const char *text, unsigned groups, unsigned threads, void **parameters);
typedef int (*judge)(const char *text);

static _Thread_local int current;
static block *blocks;
static size_t used[GPUS];
static int lock, count = GPUS, broken, mallocs, events, programs;
static launcher run;
static judge accepts;

static void enter(void) { while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {} }
static int leave(int status) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); return status; }

/* What the test sets and asks. */
void fake_start(launcher with, judge of, int gpus) { run = with; accepts = of; count = gpus; }
void fake_count(int gpus) { count = gpus; }
void fake_break(int yes) { broken = yes; }
int fake_events(void) { return events; }
int fake_programs(void) { return programs; }
size_t fake_used(int gpu) { return used[gpu]; }
size_t fake_rest(const char *address) {
  enter();
  size_t rest = 0;
  for (block *b = blocks; b; b = b->next)
    if (address >= b->start && address < b->start + b->size) rest = b->start + b->size - address;
  leave(0);
  return rest;
}

/* Devices. */
int hipGetDeviceCount(int *n) { *n = count; return count ? OK : NO_DEVICE; }
int hipGetDevice(int *gpu) { *gpu = current; return OK; }
int hipSetDevice(int gpu) { if (gpu < 0 || gpu >= count) return INVALID; current = gpu; return OK; }
int hipRuntimeGetVersion(int *version) { *version = 50221153; return OK; }
int hipDeviceGetName(char *name, int size, int gpu) { snprintf(name, size, "AMD Imaginary %d", gpu); return OK; }
int hipDeviceGetPCIBusId(char *place, int length, int gpu) {
  return snprintf(place, length, "0000:%02x:00.0", gpu + 3) < length ? OK : 1;
}
int hipDeviceTotalMem(size_t *bytes, int gpu) { (void)gpu; *bytes = MEMORY_BYTES; return OK; }
int hipMemGetInfo(size_t *free, size_t *total) {
  *total = MEMORY_BYTES;
  *free = MEMORY_BYTES - used[current];
  return OK;
}
int hipDeviceGetAttribute(int *value, int attribute, int gpu) {
  switch (attribute) {
    case 10: *value = 1; return OK;            /* cooperative launches */
    case 16: *value = gpu; return OK;          /* integrated */
    case 19: *value = 8 << 20; return OK;      /* L2 cache */
    case 26: case 27: *value = 1024; return OK; /* lanes of a block along x and y */
    case 28: *value = 64; return OK;           /* along z */
    case 56: *value = 1024; return OK;         /* threads of a block */
    case 63: *value = 104; return OK;          /* multiprocessors */
    case 74: *value = 65536; return OK;        /* shared memory of a block */
    case 87: *value = gpu ? 32 : 64; return OK; /* warp size */
  }
  return INVALID;
}
int hipGetDeviceProperties(char *properties, int gpu) {
  memset(properties, 1, 792);
  strcpy(properties, "AMD Imaginary");
  strcpy(properties + 396, gpu ? "gfx1030" : "gfx90a:sramecc+:xnack-");
  return OK;
}
const char *hipGetErrorString(int status) { return status == FAILED ? "unspecified launch failure" : "an error"; }

/* Memory. */
static int allocate(void **address, size_t size, int gpu) {
  enter();
  if (gpu >= 0 && used[gpu] + size > MEMORY_BYTES) return leave(NO_MEMORY);
  block *b = malloc(sizeof *b);
  *b = (block){aligned_alloc(256, (size / 256 + 1) * 256), size, gpu, blocks};
  memset(b->start, 0xff, size < 4096 ? size : 4096);
  blocks = b;
  if (gpu >= 0) { used[gpu] += size; mallocs++; }
  *address = b->start;
  return leave(OK);
}
int hipMalloc(void **address, size_t size) { return allocate(address, size, current); }
int hipHostMalloc(void **address, size_t size, unsigned flags) { (void)flags; return allocate(address, size, -1); }
static int release(void *address, int pinned) {
  enter();
  for (block **at = &blocks; *at; at = &(*at)->next)
    if ((*at)->start == address && ((*at)->gpu < 0) == pinned) {
      block *b = *at;
      *at = b->next;
      if (b->gpu >= 0) used[b->gpu] -= b->size;
      free(b->start);
      free(b);
      return leave(OK);
    }
  return leave(INVALID);
}
int hipFree(void *address) { return release(address, 0); }
int hipHostFree(void *address) { return release(address, 1); }
int hipMemcpyAsync(char *target, const char *source, size_t size, int kind, stream *s) {
  if (s->gpu != current) return BAD_HANDLE;
  if (kind < 1 || kind > 3 || fake_rest(target) < size || fake_rest(source) < size) return INVALID;
  memmove(target, source, size);
  return OK;
}

/* Order. */
int hipStreamCreateWithFlags(stream **s, unsigned flags) {
  if (flags != 1) return INVALID;
  *s = malloc(sizeof **s);
  (*s)->gpu = current;
  return OK;
}
int hipStreamSynchronize(stream *s) { (void)s; return broken ? FAILED : OK; }
static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}
int hipEventCreateWithFlags(event **e, unsigned flags) {
  if (flags & ~2u) return INVALID;
  *e = malloc(sizeof **e);
  **e = (event){current, 0};
  __atomic_add_fetch(&events, 1, __ATOMIC_RELAXED);
  return OK;
}
int hipEventDestroy(event *e) { free(e); __atomic_sub_fetch(&events, 1, __ATOMIC_RELAXED); return OK; }
int hipEventRecord(event *e, stream *s) {
  if (e->gpu != s->gpu) return BAD_HANDLE;
  e->time_ms = now_ms();
  return OK;
}
int hipStreamWaitEvent(stream *s, event *e, unsigned flags) {
  return e->time_ms && !flags && (!s || s->gpu == e->gpu) ? OK : BAD_HANDLE;
}
int hipEventQuery(event *e) { return e->time_ms ? OK : 600; }
int hipEventSynchronize(event *e) { return e->time_ms ? OK : BAD_HANDLE; }
int hipEventElapsedTime(float *ms, event *first, event *last) {
  if (!first->time_ms || !last->time_ms) return BAD_HANDLE;
  *ms = (float)(last->time_ms - first->time_ms);
  return OK;
}

/* Kernels. */
int hipModuleLoadData(module **m, const char *code) {
  *m = malloc(sizeof **m);
  memcpy(&(*m)->size, code, sizeof(size_t));
  (*m)->gpu = current;
  (*m)->text = strdup(code + sizeof(size_t));
  return strlen((*m)->text) == (*m)->size ? OK : INVALID;
}
int hipModuleGetFunction(module **function, module *m, const char *entry) {
  char head[300];
  snprintf(head, sizeof head, "void %s(", entry);
  *function = m;
  return strstr(m->text, head) ? OK : NOT_FOUND;
}
int hipModuleLaunchKernel(module *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, stream *s, void **parameters, void **extra) {
  if (f->gpu != current || s->gpu != current) return BAD_HANDLE;
  if (gy != 1 || gz != 1 || by != 1 || bz != 1 || shared || extra || bx > 1024) return INVALID;
  if (!gx || (uint64_t)gx * bx > UINT32_MAX) return INVALID;
  return run(f->text, gx, bx, parameters) ? OK : FAILED;
}

/* hiprtc. */
int hiprtcVersion(int *major, int *minor) { *major = 9; *minor = 0; return OK; }
const char *hiprtcGetErrorString(int status) { return status == 6 ? "HIPRTC_ERROR_COMPILATION" : "an error"; }
int hiprtcCreateProgram(program **p, const char *text, const char *name, int n, const char **h, const char **i) {
  (void)name, (void)h, (void)i;
  if (n) return INVALID;
  *p = malloc(sizeof **p);
  **p = (program){strdup(text), "", 0};
  programs++;
  return OK;
}
int hiprtcCompileProgram(program *p, int n, const char **options) {
  int target = 0, contract = 0;
  for (int k = 0; k < n; k++) {
    target |= !strcmp(options[k], "--offload-arch=gfx1030");
    target |= !strcmp(options[k], "--offload-arch=gfx90a:sramecc+:xnack-");
    contract |= !strcmp(options[k], "-ffp-contract=off");
  }
  p->failed = !accepts(p->text) || !target || !contract;
  if (p->failed) p->log = "error: use of undeclared identifier 'undeclared_name'";
  return p->failed ? 6 : OK;
}
int hiprtcGetProgramLogSize(program *p, size_t *size) { *size = strlen(p->log) + 1; return OK; }
int hiprtcGetProgramLog(program *p, char *log) { strcpy(log, p->log); return OK; }
int hiprtcGetCodeSize(program *p, size_t *size) { *size = sizeof(size_t) + strlen(p->text) + 1; return OK; }
int hiprtcGetCode(program *p, char *code) {
  size_t size = strlen(p->text);
  memcpy(code, &size, sizeof size);
  strcpy(code + sizeof size, p->text);
  return OK;
}
int hiprtcDestroyProgram(program **p) { free((*p)->text); free(*p); *p = NULL; programs--; return OK; }

/* rocBLAS: column-major, as the reference BLAS has it. */
int rocblas_create_handle(stream ***handle) { *handle = calloc(1, sizeof **handle); return OK; }
int rocblas_set_stream(stream **handle, stream *s) { *handle = s; return OK; }
#define GEMM(name, real)                                                                                      \
  int name(stream **handle, int flip_a, int flip_b, int m, int n, int k, const real *alpha, const real *a,    \
           int lda, const real *b, int ldb, const real *beta, real *c, int ldc) {                             \
    if (!*handle || (*handle)->gpu != current || *alpha != 1 || *beta != 0) return INVALID;                   \
    if ((flip_a != 111 && flip_a != 112) || (flip_b != 111 && flip_b != 112)) return INVALID;                 \
    for (int i = 0; i < m; i++)                                                                               \
      for (int j = 0; j < n; j++) {                                                                           \
        real sum = 0;                                                                                         \
        for (int l = 0; l < k; l++)                                                                           \
          sum += (flip_a == 112 ? a[l + (size_t)i * lda] : a[i + (size_t)l * lda]) *                          \
                 (flip_b == 112 ? b[j + (size_t)l * ldb] : b[l + (size_t)j * ldb]);                           \
        c[i + (size_t)j * ldc] = sum;                                                                         \
      }                                                                                                       \
    return OK;                                                                                                \
  }                                                                                                           \
  int name##_strided_batched(stream **handle, int flip_a, int flip_b, int m, int n, int k,                    \
      const real *alpha, const real *a, int lda, long long stride_a, const real *b, int ldb,                  \
      long long stride_b, const real *beta, real *c, int ldc, long long stride_c, int count) {                \
    int status = OK;                                                                                          \
    for (int i = 0; i < count && status == OK; i++)                                                           \
      status = name(handle, flip_a, flip_b, m, n, k, alpha, a + i * stride_a, lda, b + i * stride_b, ldb,     \
                    beta, c + i * stride_c, ldc);                                                             \
    return status;                                                                                            \
  }
GEMM(rocblas_sgemm, float)
GEMM(rocblas_dgemm, double)
