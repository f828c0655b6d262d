#!/bin/sh
# On a machine with an NVIDIA GPU: the conformance suite on cuda, then the roofline. Results go to $OUT (out/gpu):
# conformance.txt, cuda.md, roofline.txt. What Python lacks is installed into a folder of this run: from the
# folder $WHEELS where that is set, else from the package index; what cannot be had is said. PYTHON names another
# interpreter, COMMIT the commit where there is no git, DEVICE another device (opencl, webgpu).
set -u
cd "$(dirname "$0")/.."
OUT=${OUT:-out/gpu}
DEVICE=${DEVICE:-cuda}
PYTHON=${PYTHON:-python3}
mkdir -p "$OUT"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONPATH="$work/packages:$PWD${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1
export JITFRAME_CACHE_DIR="$work/cache" PIP_ROOT_USER_ACTION=ignore

"$PYTHON" - <<'CHECK' || exit 2
import sys
if not (3, 11) <= sys.version_info[:2] < (3, 14):
    sys.exit(f"jitframe needs Python 3.11, 3.12 or 3.13; this is {sys.version.split()[0]}: set PYTHON")
CHECK

missing=$("$PYTHON" - "$DEVICE" <<'CHECK'
import importlib.util
import sys

needed = {"numpy": "numpy", "llvmlite": "llvmlite", "pytest": "pytest", "pytest_timeout": "pytest-timeout",
          "hypothesis": "hypothesis"}
needed |= {"cuda": {"cupy": "cupy-cuda12x"}, "opencl": {"pyopencl": "pyopencl"}, "webgpu": {"wgpu": "wgpu"}}[
    sys.argv[1].partition(":")[0]]
print(*(package for module, package in needed.items() if importlib.util.find_spec(module) is None))
CHECK
)
if [ -n "$missing" ]; then
    echo "installing $missing"
    # shellcheck disable=SC2086 # one word per package
    "$PYTHON" -m pip install --quiet --disable-pip-version-check --no-input --target "$work/packages" \
        ${WHEELS:+--no-index --find-links "$WHEELS"} $missing || echo "not all could be installed"
fi

"$PYTHON" - "$DEVICE" <<'CHECK' || exit 3
import sys
from jitframe.errors import JitframeError
from jitframe.runtime.discovery.registry import device
try:
    device(sys.argv[1]).driver
except JitframeError as problem:
    sys.exit(problem.message)
CHECK

workers=""
"$PYTHON" -c 'import xdist' 2>/dev/null && workers="-n 4 --dist worksteal"
echo "conformance on $DEVICE"
# Other versions of NumPy and CuPy than those of the tests' own environment may warn: that fails nothing here.
# shellcheck disable=SC2086 # two options or none
timeout "${CONFORMANCE_SECONDS:-270}" "$PYTHON" -m pytest tests/conformance -k "$DEVICE" -m "not slow" -q -rsf \
    -W default -p no:cacheprovider $workers >"$OUT/conformance.txt" 2>&1
conformance=$?
tail -25 "$OUT/conformance.txt"

echo "roofline on $DEVICE"
timeout "${ROOFLINE_SECONDS:-280}" "$PYTHON" -m tests.benchmarks.roofline --device "$DEVICE" \
    --markdown "$OUT/$DEVICE.md" ${COMMIT:+--commit "$COMMIT"} >"$OUT/roofline.txt" 2>&1
roofline=$?
cat "$OUT/roofline.txt"
echo "conformance: exit $conformance; roofline: exit $roofline"
[ "$conformance" = 0 ] && [ "$roofline" = 0 ]
