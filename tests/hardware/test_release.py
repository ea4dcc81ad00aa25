"""The release: complete lists, true checksums, the same bytes again, and honest gaps."""

import hashlib
import json
import subprocess
import zipfile

import pytest

from hardware.generate import release, stamps


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A release without what KiCad writes: on a machine that never ran it."""
    empty, out = tmp_path_factory.mktemp("nothing"), tmp_path_factory.mktemp("release") / "x"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(release, "OUT", empty)
        return out, release.release(out)


def test_it_says_what_is_missing(made):
    out, missing = made
    text = (out / "README.txt").read_text()
    assert "Nothing of the hardware has been built yet" in text
    assert missing and all(name in text for name in missing)
    assert "hardware/bowl/bowl-gerbers.zip" in missing


def test_the_firmware_of_both_chips_carries_its_hashes(made):
    out, _ = made
    for chip, mpy in release.CHIPS.items():
        (path,) = (out / "firmware").glob(f"*-{chip}.zip")
        with zipfile.ZipFile(path) as archive:
            manifest = json.loads(archive.read("slot/manifest.json"))
            assert manifest["mpy"] == mpy and "main.py" in archive.namelist()
            for name, (size, digest) in manifest["files"].items():
                data = archive.read(f"slot/{name}")
                assert len(data) == size and hashlib.sha256(data).hexdigest() == digest


def test_checksums_are_true_and_cover_all(made):
    out, _ = made
    done = subprocess.run(
        ["sha256sum", "-c", "--quiet", "--strict", "SHA256SUMS"], cwd=out, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    listed = {line.split("  ", 1)[1] for line in (out / "SHA256SUMS").read_text().splitlines()}
    there = {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()}
    assert listed == there - {"SHA256SUMS"}
    assert any(name.endswith(".whl") for name in listed)
    assert {"docs/build.md", "docs/release.md", "hardware/bowl/bowl-top.png"} <= listed


def test_the_same_sources_give_the_same_bytes(made, tmp_path, monkeypatch):
    out, _ = made
    monkeypatch.setattr(release, "OUT", tmp_path / "nothing")
    release.release(tmp_path / "again")
    assert (tmp_path / "again" / "SHA256SUMS").read_text() == (out / "SHA256SUMS").read_text()


def test_a_pdf_keeps_its_length_when_its_hour_goes(tmp_path):
    path = tmp_path / "x.pdf"
    path.write_bytes(b"%PDF-1.4 /CreationDate (D:20310203040506) /ModDate (D:20310203)")
    before = path.stat().st_size
    stamps.fix(path)
    assert path.stat().st_size == before and b"2031" not in path.read_bytes()
