// The lanes of a GPU workgroup as threads: one std::thread each, barriers between them, workgroups in turn.
//
// Threads are made once for a launch and go through its workgroups together. A lane that returns early leaves the
// workgroup's barriers; lanes that wait at different barriers, or for a lane that has left, are told apart and
// reported, as no GPU promises anything then. Where lanes never meet, one thread can run them in turn.
#include "lanes.hpp"

#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

std::atomic<int> fault{0};  // the line of a barrier at which lanes parted ways

// Lanes that meet at barriers. Each writes the line of its barrier before it arrives.
struct Party {
  struct Met {
    Party *party;
    void operator()() noexcept { party->check(); }
  };

  explicit Party(unsigned count) : lines(count), gate(count, Met{this}) {}

  void meet(unsigned member, int line) {
    lines[member].store(line, std::memory_order_relaxed);
    gate.arrive_and_wait();
  }
  void leave(unsigned member) {
    lines[member].store(-1, std::memory_order_relaxed);
    gate.arrive_and_drop();
  }
  void check() noexcept {
    int seen = 0;
    for (auto &each : lines) {
      const int line = each.load(std::memory_order_relaxed);
      if (seen == 0) seen = line;
      if (line != seen) fault = line > seen ? line : seen;
    }
  }

  std::vector<std::atomic<int>> lines;
  std::barrier<Met> gate;
};

struct Workgroup {
  explicit Workgroup(unsigned threads) : all(threads), slots(threads) {
    for (unsigned first = 0; first < threads; first += lanes::SUBGROUP) {
      const unsigned left = threads - first;
      subgroups.push_back(std::make_unique<Party>(left < lanes::SUBGROUP ? left : lanes::SUBGROUP));
    }
  }

  struct alignas(16) Slot {
    std::byte bytes[16];
  };

  Party all;
  std::vector<std::unique_ptr<Party>> subgroups;
  std::vector<Slot> slots;
};

std::unique_ptr<Workgroup> workgroup;
unsigned count = 0;
thread_local unsigned lane = 0, group = 0;

}  // namespace

unsigned lanes_group() { return group; }
unsigned lanes_lane() { return lane; }
unsigned lanes_count() { return count; }
void lanes_barrier(int line) {
  if (workgroup) workgroup->all.meet(lane, line);
  else fault = line;
}

void lanes_exchange(int line, const void *mine, void *out, unsigned size, unsigned from) {
  Party &party = *workgroup->subgroups[lane / lanes::SUBGROUP];
  const unsigned place = lane % lanes::SUBGROUP, first = lane - place;
  memcpy(workgroup->slots[lane].bytes, mine, size);
  party.meet(place, line);
  if (from < lanes::subgroup_size()) memcpy(out, workgroup->slots[first + from].bytes, size);
  party.meet(place, line);
}

int lanes_run(unsigned threads, unsigned groups, void (*kernel)(void **, const void *), void **buffers,
              const void *block) {
  fault = 0;
  count = threads;
  workgroup = nullptr;
  std::barrier<> between(threads);
  const auto run = [&](unsigned number) {
    lane = number;
    for (group = 0; group < groups; ++group) {
      if (number == 0) workgroup = std::make_unique<Workgroup>(threads);
      between.arrive_and_wait();
      kernel(buffers, block);
      workgroup->subgroups[lane / lanes::SUBGROUP]->leave(lane % lanes::SUBGROUP);
      workgroup->all.leave(lane);
      between.arrive_and_wait();
    }
  };
  std::vector<std::thread> others;
  for (unsigned number = 0; number < threads; ++number) others.emplace_back(run, number);
  for (auto &each : others) each.join();
  return fault;
}

int lanes_run_alone(unsigned threads, unsigned groups, void (*kernel)(void **, const void *), void **buffers,
                    const void *block) {
  fault = 0;
  count = threads;
  workgroup = nullptr;
  for (group = 0; group < groups; ++group) {
    for (lane = 0; lane < threads; ++lane) kernel(buffers, block);
  }
  return fault;
}
