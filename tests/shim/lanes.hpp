// What a GPU language's shim needs of the machinery in lanes.cpp: who I am, and where lanes meet.
#pragma once

extern "C" {
unsigned lanes_group();   // this workgroup's number
unsigned lanes_lane();    // this lane's, in its workgroup
unsigned lanes_count();   // lanes of a workgroup
void lanes_barrier(int line);
// The element of `size` bytes that lane `from` of this lane's subgroup brings to the same call.
void lanes_exchange(int line, const void *mine, void *out, unsigned size, unsigned from);
// Runs workgroups 0..groups-1, one after another; not 0 where lanes parted ways at a barrier.
int lanes_run(unsigned threads, unsigned groups, void (*kernel)(void **buffers, const void *block),
              void **buffers, const void *block);
// The same for a kernel whose lanes never meet, with no threads.
int lanes_run_alone(unsigned threads, unsigned groups, void (*kernel)(void **buffers, const void *block),
                    void **buffers, const void *block);
void *memcpy(void *, const void *, unsigned long) noexcept;
}

#ifndef LANES_SUBGROUP
#define LANES_SUBGROUP 32
#endif

namespace lanes {
constexpr unsigned SUBGROUP = LANES_SUBGROUP;

inline unsigned subgroup_lane() { return lanes_lane() % SUBGROUP; }
inline unsigned subgroup_size() {
  const unsigned first = lanes_lane() - subgroup_lane(), left = lanes_count() - first;
  return left < SUBGROUP ? left : SUBGROUP;
}

template <class To, class From> inline To bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits keep their width");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

template <class T> inline T exchange(int line, T mine, unsigned from) {
  T out = mine;
  lanes_exchange(line, &mine, &out, sizeof mine, from);
  return out;
}

// Every lane of the subgroup gets what `combine` makes of all of them.
template <class T, class Combine> inline T over_subgroup(int line, T mine, Combine combine) {
  T total = exchange(line, mine, 0);
  for (unsigned from = 1; from < subgroup_size(); ++from) total = combine(total, exchange(line, mine, from));
  return total;
}

// Whatever pointer a kernel's parameter is.
struct Buffer {
  void *place;
  template <class T> operator T *() const { return static_cast<T *>(place); }
};
}  // namespace lanes
