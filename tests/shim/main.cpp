// Runs one kernel of a program built with a sanitizer: NUMBER THREADS GROUPS BLOCK BUFFER... (files, rewritten).
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "lanes.hpp"

extern "C" void (*const shim_kernels[])(void **buffers, const void *block);

int main(int argc, char **argv) {
  std::vector<std::string> files;
  for (int place = 4; place < argc; ++place) {
    std::ifstream file(argv[place], std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::vector<void *> buffers;
  for (unsigned long place = 1; place < files.size(); ++place) buffers.push_back(files[place].data());
  const int fault = lanes_run(std::stoi(argv[2]), std::stoi(argv[3]), shim_kernels[std::stoi(argv[1])],
                              buffers.data(), files[0].data());
  for (unsigned long place = 1; place < files.size(); ++place) {
    std::ofstream(argv[4 + place], std::ios::binary).write(files[place].data(), files[place].size());
  }
  return fault == 0 ? 0 : 2;
}

// Generated code reads with `volatile` what others change by atomics: a GPU does that in one piece.
extern "C" {
#define VOLATILE(size)                              \
  void __tsan_volatile_read##size(void *) {}        \
  void __tsan_volatile_write##size(void *) {}
VOLATILE(1) VOLATILE(2) VOLATILE(4) VOLATILE(8)
}
