#!/bin/sh
# Install devices that are software (OpenCL: PoCL, Vulkan: lavapipe) and what proves kernels without hardware,
# where this user can; otherwise say what is missing and what that skips. Never fails: the tests that need one of
# them skip themselves with the reason.
set -u
packages="pocl-opencl-icd mesa-vulkan-drivers oclgrind clang-15 chromium libamdhip64-dev rocm-device-libs libhiprtc-builtins5"
tried=${1:-.venv}/.software-devices-tried

skips() {
    case $1 in
    pocl-opencl-icd) echo "tests on OpenCL (unless another OpenCL driver is installed)" ;;
    mesa-vulkan-drivers) echo "tests on WebGPU (unless a GPU with Vulkan is here)" ;;
    oclgrind) echo "the search for races in OpenCL kernels" ;;
    clang-15) echo "CUDA, HIP and Metal kernels run on the processor" ;;
    chromium) echo "kernels in a browser" ;;
    libamdhip64-dev | rocm-device-libs | libhiprtc-builtins5) echo "compiling HIP kernels" ;;
    esac
}

missing=""
for package in $packages; do
    if ! command -v dpkg-query >/dev/null || ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "ok installed"; then
        missing="$missing $package"
    fi
done
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ ! -e "$tried" ]; then
    echo "installing$missing"
    touch "$tried"
    log=$(mktemp)
    apt-get -o DPkg::Lock::Timeout=400 update -qq >"$log" 2>&1
    # shellcheck disable=SC2086 # one word per package
    if DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=400 install -y -qq \
        --no-install-recommends $missing >>"$log" 2>&1; then
        rm -f "$log"
        exit 0
    fi
    echo "apt-get could not install them together:"
    tail -3 "$log"
    # Other releases lack some of them: what there is, one by one.
    left=""
    for package in $missing; do
        DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=400 install -y -qq \
            --no-install-recommends "$package" >>"$log" 2>&1 || left="$left $package"
    done
    missing=$left
    rm -f "$log"
    [ -z "$missing" ] && exit 0
fi
for package in $missing; do
    echo "missing: $package; skipped: $(skips "$package")"
done
echo "on Debian or Ubuntu:  sudo apt-get install --no-install-recommends$missing"
exit 0
