#!/bin/bash
# Build the RP2040 image of MicroPython that the emulated board runs, from Debian's own sources.
#
#   tools/build_image.sh              build (about two minutes) or find it in the cache; print its path
#   tools/build_image.sh --find       only find it; exit code 1 when it is not there
#   tools/build_image.sh --key        print the name of what it builds
#   tools/build_image.sh --uf2 FILE   take this UF2 instead (an official release); print its path
#
# Runs on Debian 12 from nothing as root, asks no question, and changes nothing but the packages
# it installs. The source packages come from the next Debian release (trixie): an apt source list
# of the system's own mirror, used for that call only. Sources are checked against the hashes
# below, the image against the one that is stored beside it. Documented in docs/emulator.md.
set -euo pipefail

MICROPYTHON=1.25.0+ds
PICO_SDK=2.1.1
TINYUSB=0.18.0+dfsg-1
OFFICIAL=https://micropython.org/resources/firmware/RPI_PICO-20250415-v1.25.0.uf2
RECIPE=1 # raise it when this script builds something else from the same sources

HASHES="
7b25be99a502f070b2de81dafc08da7051d992325d6e67daa9045a918fffdbea micropython_$MICROPYTHON.orig.tar.xz
179c5531e75ac7f82d0679e70b6e8881f871738dc0ef17baf3b4ff4679291c41 pico-sdk_$PICO_SDK.orig.tar.gz
01ce2c645df68f14a8a7dcfc8fb355713152543757955820479a87949a61154e tinyusb-source_${TINYUSB}_all.deb
"
COMPILERS="gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib"
TOOLS="cmake make gcc libc6-dev python3 dpkg-dev xz-utils ca-certificates"

key="micropython-$MICROPYTHON-picosdk-$PICO_SDK-tinyusb-$TINYUSB-r$RECIPE"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/spiceboard/$key"
image="$cache/RPI_PICO.uf2"

say() { echo "build_image: $*" >&2; }
fail() { say "$*"; exit 1; }

good() { [ -f "$image" ] && [ -f "$image.sha256" ] && (cd "$cache" && sha256sum --quiet -c RPI_PICO.uf2.sha256 >&2); }

# A UF2 file for the RP2040: 512-byte blocks, both magic numbers, family 0xe48bff56.
check_uf2() {
    python3 - "$1" <<'PY'
import struct, sys
data = open(sys.argv[1], "rb").read()
if not data or len(data) % 512:
    sys.exit("build_image: %s is no UF2 file: not a number of 512-byte blocks" % sys.argv[1])
for at in range(0, len(data), 512):
    first, second, flags, _, _, _, _, family = struct.unpack_from("<8I", data, at)
    last = struct.unpack_from("<I", data, at + 508)[0]
    if (first, second, last) != (0x0A324655, 0x9E5D5157, 0x0AB16F30):
        sys.exit("build_image: %s is no UF2 file: bad magic in block %d" % (sys.argv[1], at // 512))
    if flags & 0x2000 and family not in (0xE48BFF56, 0xE48BFF57):
        sys.exit("build_image: %s is for family 0x%08x, the emulator is an RP2040" % (sys.argv[1], family))
PY
}

install_packages() {
    local missing=""
    for package in $COMPILERS $TOOLS; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing="$missing $package"
    done
    [ -z "$missing" ] && return
    [ "$(id -u)" = 0 ] || fail "missing packages, install them as root: apt-get install$missing"
    say "installing$missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    # shellcheck disable=SC2086
    apt-get install -y -qq --no-install-recommends $missing >&2
}

# The archive's sources into the folder $1, without touching the system's own lists.
download() {
    local apt="$work/apt" base options
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    base=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
        awk '$2 == "bookworm" { print $1; exit }')
    [ -n "$base" ] || fail "apt knows no Debian 12 mirror (apt-get update, or pass --uf2 FILE)"
    {
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $base trixie main"
        echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $base trixie main"
    } >"$apt/sources.list"
    options="-qq -o Dir::Etc::SourceList=$apt/sources.list -o Dir::Etc::SourceParts=-
        -o Dir::State::Lists=$apt/lists -o Dir::Cache=$apt/cache -o APT::Sandbox::User=root"
    # shellcheck disable=SC2086
    (
        cd "$1"
        apt-get $options update >&2
        # Debian's own patches are not used, so a missing .debian.tar or .dsc is no failure:
        # what is needed is checked against its hash below.
        for source in micropython pico-sdk; do
            apt-get $options source --download-only "$source" >"$work/source.log" 2>&1 || true
        done
        apt-get $options download tinyusb-source >&2
    )
    while read -r hash file; do
        [ -n "$hash" ] || continue
        [ -f "$1/$file" ] || { cat "$work/source.log" >&2; fail "the mirror did not give $file"; }
        echo "$hash  $1/$file" | sha256sum --quiet -c - >&2 || fail "$file is not the pinned one"
    done <<<"$HASHES"
}

# Sources side by side as the port expects its submodules; what Debian leaves out is switched off.
unpack() {
    local tree="$work/tree" port="$work/tree/ports/rp2"
    mkdir -p "$tree" "$work/tinyusb"
    tar -xf "$1/micropython_$MICROPYTHON.orig.tar.xz" -C "$tree" --strip-components=1
    tar -xf "$1/pico-sdk_$PICO_SDK.orig.tar.gz" -C "$tree/lib/pico-sdk" --strip-components=1
    dpkg-deb -x "$1/tinyusb-source_${TINYUSB}_all.deb" "$work/tinyusb"
    cp -r "$work/tinyusb/usr/src/tinyusb/." "$tree/lib/tinyusb/"
    touch "$tree/lib/micropython-lib/README.md"
    # No TLS: mbedtls is not among the sources. hashlib.sha256 has an implementation of its own.
    sed -i -E 's/^(#define MICROPY_(SSL_MBEDTLS|PY_SSL|PY_CRYPTOLIB|PY_HASHLIB_SHA1) +)\(1\)/\1(0)/' \
        "$port/mpconfigport.h"
    sed -i -E '/mbedtls\/mbedtls_port\.c|micropy_lib_mbedtls|GIT_SUBMODULES lib\/mbedtls/d; s/MICROPY_SSL_MBEDTLS ON/MICROPY_SSL_MBEDTLS OFF/' \
        "$port/CMakeLists.txt"
    printf 'freeze("$(PORT_DIR)/modules")\ninclude("$(MPY_DIR)/extmod/asyncio")\n' >"$work/manifest.py"
}

compile() {
    local tree="$work/tree" jobs log="$work/compile.log"
    jobs=$(nproc)
    export SOURCE_DATE_EPOCH=1744761600 # the day of the release: two builds give the same bytes
    export GIT_CEILING_DIRECTORIES="$work" GIT_DIR=/nonexistent
    {
        nice make -C "$tree/mpy-cross" -j"$jobs"
        CFLAGS="-ffile-prefix-map=$work=." CXXFLAGS="-ffile-prefix-map=$work=." \
            nice cmake -S "$tree/ports/rp2" -B "$work/build" -DMICROPY_BOARD=RPI_PICO -DPICO_NO_PICOTOOL=1 \
            -DPICO_SDK_PATH="$tree/lib/pico-sdk" -DMICROPY_FROZEN_MANIFEST="$work/manifest.py"
        nice make -C "$work/build" -j"$jobs"
    } >"$log" 2>&1 || { grep -iE 'error' "$log" | tail -20 >&2; cp "$log" "$cache.log"; fail "the build failed, see $cache.log"; }
}

# firmware.bin in 256-byte blocks at 0x10000000: picotool, which is not in Debian 12, is not needed.
pack() {
    python3 - "$work/build/firmware.bin" "$1" <<'PY'
import struct, sys
data = open(sys.argv[1], "rb").read()
count = (len(data) + 255) // 256
with open(sys.argv[2], "wb") as out:
    for n in range(count):
        part = data[n * 256:n * 256 + 256].ljust(256, b"\0")
        head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + n * 256, 256, n, count, 0xE48BFF56)
        out.write(head + part + bytes(220) + struct.pack("<I", 0x0AB16F30))
PY
}

case "${1:-}" in
--find)
    good || exit 1
    echo "$image"
    exit 0
    ;;
--key)
    echo "$key"
    exit 0
    ;;
--uf2)
    [ -f "${2:-}" ] || fail "--uf2 needs a file, and there is no ${2:-file}"
    check_uf2 "$2"
    realpath "$2"
    exit 0
    ;;
"") ;;
*) fail "unknown option $1 (none, --find, --key, or --uf2 FILE)" ;;
esac

if good; then
    echo "$image"
    exit 0
fi
. "${OS_RELEASE:-/etc/os-release}"
[ "${ID:-}${VERSION_ID:-}" = debian12 ] || fail "builds on Debian 12 only, and this is ${PRETTY_NAME:-another system}.
build_image: Here, fetch the official image $OFFICIAL
build_image: and say: spiceboard emulate --uf2 FILE (or set SPICEBOARD_UF2=FILE for all tools and tests)"
mkdir -p "$cache"
exec 9>"$cache/.lock"
flock 9 # two test runs at once build it once
if good; then
    echo "$image"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/spiceboard-image.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/sources"
install_packages
say "downloading sources"
download "$work/sources"
say "compiling"
unpack "$work/sources"
compile
pack "$work/RPI_PICO.uf2"
check_uf2 "$work/RPI_PICO.uf2"
cp "$work/RPI_PICO.uf2" "$image.new"
mv "$image.new" "$image"
(cd "$cache" && sha256sum RPI_PICO.uf2 >RPI_PICO.uf2.sha256)
say "built $key"
echo "$image"
