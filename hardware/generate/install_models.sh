#!/bin/sh
# Fetches the 3D bodies of the parts on our boards (not the other 5 GB) into the KiCad folder that
# install_kicad.sh made: 350 MB to download, about a minute, 4 MB kept. Without them the pictures
# and the STEP files show bare boards; nothing else differs.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root="${SPICEBOARD_KICAD_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/spiceboard/kicad}"
done="$root/usr/share/kicad/3dmodels/.spiceboard"

[ -e "$root/.complete" ] || { echo "install_models: $root has no KiCad: make -C hardware install" >&2; exit 1; }
names=$(cat "$here"/../kicad/*/*.kicad_pcb | grep -o 'KICAD9_3DMODEL_DIR}/[^"]*' \
    | sed 's,KICAD9_3DMODEL_DIR},./usr/share/kicad/3dmodels,' | sort -u)
[ -e "$done" ] && [ "$(cat "$done")" = "$names" ] && exit 0
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "install_models: run me as root once" >&2; exit 1; }
    exec sudo SPICEBOARD_KICAD_ROOT="$root" "$0"
fi

exec 9>"$root.lock"
flock 9
echo "install_models: fetching the bodies of the parts (350 MB, once)" >&2
rm -f "$root"/tmp/kicad-packages3d_*.deb
chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    sh -c 'cd /tmp && apt-get update -qq && apt-get download -qq kicad-packages3d'
# names that the package has not make tar complain: those parts stay without a body
# shellcheck disable=SC2086
dpkg-deb --fsys-tarfile "$root"/tmp/kicad-packages3d_*.deb \
    | tar -x -C "$root" $names ./usr/share/kicad/3dmodels/Package_DFN_QFN.3dshapes/QFN-32-1EP_5x5mm_P0.5mm_EP3.3x3.3mm.step \
    2>"$root.models.log" || [ "$(grep -vc 'Not found in archive\|Exiting with failure' "$root.models.log")" = 0 ] \
    || { tail -n 3 "$root.models.log" >&2; exit 1; }
rm -f "$root"/tmp/kicad-packages3d_*.deb
bodies="$root/usr/share/kicad/3dmodels/Package_DFN_QFN.3dshapes"
cp "$bodies/QFN-32-1EP_5x5mm_P0.5mm_EP3.3x3.3mm.step" \
    "$bodies/HVQFN-32-1EP_5x5mm_P0.5mm_EP3.1x3.1mm.step"      # the same body, another pad below
echo "$names" >"$done"
