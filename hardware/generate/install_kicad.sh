#!/bin/sh
# Installs KiCad 9 (Debian 13) in a folder of its own, with debootstrap: nothing of the running
# system is changed but the `debootstrap` package. About two minutes, 1.3 GB on disk.
#
#   hardware/generate/install_kicad.sh            prints the folder when KiCad is there
#
# SPICEBOARD_KICAD_ROOT names another folder; a system's own kicad-cli 9 is used by
# hardware/generate/kicad.py without any of this. The mirror is the one apt is configured with.
set -eu

root="${SPICEBOARD_KICAD_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/spiceboard/kicad}"
suite=trixie
packages=kicad,kicad-symbols,kicad-footprints

say() { echo "install_kicad: $*" >&2; }
die() { say "$*"; exit 1; }

[ -e "$root/.complete" ] && { echo "$root"; exit 0; }

[ "$(uname -m)" = x86_64 ] || say "only tried on x86-64, going on"
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "debootstrap needs root: run this script as root once, \
or install KiCad 9 yourself so that kicad-cli is on the PATH"
    exec sudo SPICEBOARD_KICAD_ROOT="$root" "$0" "$@"
fi
command -v apt-get >/dev/null || die "this is no Debian or Ubuntu: install KiCad 9 from your \
system or from kicad.org, and put kicad-cli on the PATH"

mkdir -p "$(dirname "$root")"
exec 9>"$root.lock"
flock 9                      # two test runs at once: the second waits for the first
[ -e "$root/.complete" ] && { echo "$root"; exit 0; }

log="$root.log"
if ! command -v debootstrap >/dev/null; then
    say "installing debootstrap"
    tries=0                  # another program may hold apt's lock for a moment
    until { apt-get update && apt-get install -y --no-install-recommends debootstrap; } \
        >"$log" 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 20 ] && grep -q "Could not get lock" "$log" ||
            { tail -n 5 "$log" >&2; die "apt-get could not install debootstrap"; }
        sleep 6
    done
fi

# the mirror of the running system: the first archive that calls itself Debian and has a main pool
mirror=$(apt-get indextargets --format '$(ORIGIN)|$(REPO_URI)' 'Created-By: Packages' \
    | sed -n 's/^Debian|//p' | grep -v -e security -e backports | head -n 1)
[ -n "$mirror" ] || { apt-get update >>"$log" 2>&1 || true
    mirror=$(apt-get indextargets --format '$(ORIGIN)|$(REPO_URI)' 'Created-By: Packages' \
        | sed -n 's/^Debian|//p' | grep -v -e security -e backports | head -n 1); }
[ -n "$mirror" ] || mirror=${SPICEBOARD_DEBIAN_MIRROR:-}
[ -n "$mirror" ] || die "apt's configuration names no Debian archive: set \
SPICEBOARD_DEBIAN_MIRROR to one that has $suite"

proxy=$(apt-config dump --format '%v' Acquire::http::Proxy 2>/dev/null || true)
[ -n "$proxy" ] && export http_proxy="$proxy"

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$keyring" ] || apt-get install -y --no-install-recommends debian-archive-keyring \
    >>"$log" 2>&1 || die "the package debian-archive-keyring is missing"

say "installing KiCad 9 into $root (log: $log)"
rm -rf "$root.new"
if ! debootstrap --variant=minbase --keyring="$keyring" "$suite" "$root.new" "$mirror" \
    >>"$log" 2>&1; then
    tail -n 8 "$log" >&2
    die "debootstrap failed: is the mirror reachable, and has it $suite?"
fi
cp /etc/resolv.conf "$root.new/etc/resolv.conf" 2>/dev/null || true
cat >"$root.new/etc/dpkg/dpkg.cfg.d/slim" <<'SLIM'
path-exclude=/usr/share/doc/*
path-exclude=/usr/share/man/*
path-exclude=/usr/share/locale/*
SLIM
[ -n "$proxy" ] && echo "Acquire::http::Proxy \"$proxy\";" >"$root.new/etc/apt/apt.conf.d/90proxy"
if ! chroot "$root.new" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    $(echo "$packages" | tr , ' ') fonts-dejavu-core >>"$log" 2>&1; then
    tail -n 8 "$log" >&2
    die "apt-get inside $root.new failed"
fi
chroot "$root.new" /usr/bin/apt-get clean
mkdir -p "$root.new/root/.config/kicad/9.0" "$root.new/work"
for table in sym-lib-table fp-lib-table; do      # kicad-cli makes only one of them by itself
    cp "$root.new/usr/share/kicad/template/$table" "$root.new/root/.config/kicad/9.0/$table"
done
rm -rf "$root"
mv "$root.new" "$root"
touch "$root/.complete"
echo "$root"
