#!/bin/sh
# Make a virtual environment holding jitframe (editable) and some of its extras: make_environment.sh FOLDER EXTRAS
# Without EXTRAS nothing is installed into it.
# Does nothing where the folder was made for this pyproject.toml already. PYTHON names another interpreter.
set -eu
cd "$(dirname "$0")/.."
folder=$1
extras=${2:-}

fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null
}

find_python() {
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if command -v "$candidate" >/dev/null && fits "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    echo "jitframe needs Python 3.11, 3.12 or 3.13; tried: ${PYTHON:-python3 python3.13 python3.12 python3.11}" >&2
    return 1
}

make_folder() {
    "$python" -m venv --clear "$folder" >"$log" 2>&1 && return
    # Debian keeps venv in a package of its own.
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        echo "installing $package"
        apt-get -o DPkg::Lock::Timeout=400 update -qq >>"$log" 2>&1 || true
        if DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=400 install -y -qq \
            --no-install-recommends "$package" >>"$log" 2>&1; then
            "$python" -m venv --clear "$folder" >>"$log" 2>&1 && return
        fi
    fi
    cat "$log" >&2
    echo "cannot make a virtual environment with $python; on Debian: apt-get install python3-venv" >&2
    return 1
}

made_for="$extras $(cksum <pyproject.toml)"
if [ -x "$folder/bin/python" ] && [ "$(cat "$folder/.made-for" 2>/dev/null)" = "$made_for" ] && fits "$folder/bin/python"; then
    exit 0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { [ -x "$folder/bin/python" ] && fits "$folder/bin/python" && "$folder/bin/python" -m pip --version >/dev/null 2>&1; }; then
    python=$(find_python)
    make_folder
fi
[ -z "$extras" ] && exit 0
echo "installing jitframe[$extras] into $folder"
pip="$folder/bin/python -m pip --disable-pip-version-check --no-input"
# uv takes a third of pip's time for the same packages; it reads no settings of pip's, and is told the one index
# that they may name. What it cannot do here, pip does. Neither compiles modules: few of those installed are imported.
install_with_uv() {
    # shellcheck disable=SC2086 # several words
    $pip install --quiet --no-compile uv &&
        index=$($pip config list | sed -n "s/^[^=]*\.index-url='\(.*\)'$/\1/p" | tail -1) &&
        "$folder/bin/python" -m uv pip install --quiet --python "$folder/bin/python" ${index:+--default-index "$index"} \
            --editable ".[$extras]"
}
# A network that stumbles once is not the end: pip retries each file.
install_with_pip() {
    # shellcheck disable=SC2086 # several words
    $pip install --quiet --retries 5 --no-compile --editable ".[$extras]"
}
install_with_uv || { echo "without uv"; install_with_pip; }
echo "$made_for" >"$folder/.made-for"
