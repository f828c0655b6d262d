#!/bin/sh
# Install what opens profiles in the tests, the trace engine of Chrome's DevTools (a package of npm), where node is.
# Never fails: the test that needs it skips itself with the reason.
set -u
folder=$(dirname "$0")/../tests/profiling/trace_engine
[ -e "$folder/node_modules" ] && exit 0
if ! command -v npm >/dev/null; then
    echo "missing: npm; skipped: traces opened by Chrome's trace engine"
    exit 0
fi
tried=${1:-.venv}/.trace-engine-tried
[ -e "$tried" ] && exit 0
touch "$tried"
log=$(mktemp)
if ! npm ci --prefix "$folder" --no-audit --no-fund --ignore-scripts >"$log" 2>&1; then
    rm -rf "$folder/node_modules"
    echo "npm could not install the trace engine; skipped: traces opened by it"
    tail -3 "$log"
fi
rm -f "$log"
exit 0
