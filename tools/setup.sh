#!/bin/sh
# Set up .venv with the named extras of pyproject.toml: tools/setup.sh sim test lint emulator
#
# Never asks. What cannot be installed is named at the end with the reason; the command that needs
# it then skips that part (or fails, where SPICEBOARD_REQUIRE=all). Only a missing Python, or a
# package that nothing works without, ends this script with an error.
set -u
cd "$(dirname "$0")/.." || exit 1
venv=.venv
log=$venv/setup.log
missing=""

say() { printf '%s\n' "$*" >&2; }
fail() { say "setup: $*"; exit 1; }

find_python() {
    for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
        [ -n "$candidate" ] || continue
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
        printf '%s' "$candidate"
        return 0
    done
    return 1
}

apt_install() {
    [ "$(id -u)" = 0 ] || { say "setup: not root, so I cannot install: $*"; return 1; }
    command -v apt-get >/dev/null || return 1
    say "setup: installing $* with apt-get"
    DEBIAN_FRONTEND=noninteractive apt-get -q update >&2 &&
        DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@" >&2
}

make_venv() {
    # pip as a file: to start it takes a second of each `make test`
    [ -e $venv/bin/pip ] && $venv/bin/python -c '' 2>/dev/null && return 0
    python=$(find_python) || fail "Python 3.11 or newer is needed and was not found (set PYTHON=...)"
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        apt_install "python$version-venv" ||
            apt_install python3-venv ||
            fail "Python's venv module is missing; as root: apt-get install python3-venv"
    fi
    say "setup: creating $venv with $("$python" --version)"
    rm -rf $venv
    "$python" -m venv $venv || fail "could not create $venv (is the disk full?)"
}

# Install one extra, unless it was installed since pyproject.toml last changed.
install_extra() {
    stamp=$venv/.has-$1
    [ -e "$stamp" ] && [ ! pyproject.toml -nt "$stamp" ] && return 0
    target=.
    [ "$1" = base ] || target=".[$1]"
    say "setup: installing spiceboard ($1)"
    if $venv/bin/python -m pip install -q --disable-pip-version-check -e "$target" >>$log 2>&1; then
        touch "$stamp"
        return 0
    fi
    reason=$(grep -i '^ERROR' $log | tail -n 1)
    missing="$missing
  $1: ${reason:-pip failed}"
    return 1
}

# Compile the emulator's core. Without it all works, eight times slower: so it is tried once.
compile_core() {
    [ -e $venv/.has-core ] && [ ! pyproject.toml -nt $venv/.has-core ] && return 0
    ask='from spiceboard_sim.emulator import native; print(native.WHY_WHEEL)'
    why=$($venv/bin/python -c "$ask")
    case $why in *apt-get*)
        version=$($venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        apt_install gcc "libpython$version-dev" >>$log 2>&1 && why=$($venv/bin/python -c "$ask") ;;
    esac
    [ -z "$why" ] || say "setup: the emulator runs without a compiled core, slowly: $why"
    touch $venv/.has-core
}

# The browser in which the pages are tested. Without one those tests are skipped, and say so.
install_browser() {
    command -v chromium >/dev/null || command -v google-chrome >/dev/null && return 0
    apt_install chromium fonts-dejavu-core >>$log 2>&1 ||
        missing="$missing
  chromium: install it, and the pages are tested too"
}

make_venv
: >$log
install_extra base || fail "the base packages could not be installed:$missing
(no network? the whole log is $log)"
for extra in "$@"; do
    install_extra "$extra" && [ "$extra" = emulator ] && compile_core
    [ "$extra" = test ] && install_browser
done
if [ -n "$missing" ]; then
    say "setup: not everything could be installed (log: $log):$missing"
    [ "${SPICEBOARD_REQUIRE:-}" = all ] && fail "SPICEBOARD_REQUIRE=all forbids going on without"
fi
exit 0
