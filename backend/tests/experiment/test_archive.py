"""Bundles' zip files: the same bytes for the same files, and what a stranger may put into one.

SPDX-License-Identifier: Apache-2.0
"""

import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from thinlab.experiment import archive, crate
from thinlab.experiment.archive import ArchiveError, pack, unpack

FILES = {"b/two.txt": b"two", "a.txt": b"one" * 10_000}


def test_the_same_files_make_the_same_bytes(tmp_path: Path) -> None:
    pack(tmp_path / "one.zip", FILES)
    pack(tmp_path / "other.zip", dict(reversed(FILES.items())))
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()
    assert {file.name for file in tmp_path.iterdir()} == {"one.zip", "other.zip"}


def test_what_was_packed_comes_out(tmp_path: Path) -> None:
    pack(tmp_path / "one.zip", FILES)
    (tmp_path / "out").mkdir()
    assert sorted(unpack(tmp_path / "one.zip", tmp_path / "out")) == sorted(FILES)
    for name, content in FILES.items():
        assert (tmp_path / "out" / name).read_bytes() == content


def named(name: str) -> Callable[[zipfile.ZipFile], None]:
    """An entry of that name."""
    return lambda zipped: zipped.writestr(zipfile.ZipInfo(name), b"here I am")


def link(zipped: zipfile.ZipFile) -> None:
    """A symbolic link to what is not the archive's."""
    entry = zipfile.ZipInfo("results")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    zipped.writestr(entry, b"/etc")


def twice(zipped: zipfile.ZipFile) -> None:
    """One file in place of another."""
    zipped.writestr("options.json", b"{}")
    zipped.writestr("OPTIONS.json", b"{}")


def in_a_file(zipped: zipfile.ZipFile) -> None:
    """A file where a folder would have to be."""
    zipped.writestr("a", b"file")
    zipped.writestr("a/b", b"in it")


@pytest.mark.parametrize(
    ("write", "says"),
    [
        (named("../evil.txt"), "leads out"),
        (named("a/../../evil.txt"), "leads out"),
        (named("/evil.txt"), "leads out"),
        (named("./evil.txt"), "leads out"),
        (named("a//evil.txt"), "leads out"),
        (named("..\\evil.txt"), "not a plain name"),
        (named("C:evil.txt"), "not a plain name"),
        (named("evil\n.txt"), "not a plain name"),
        (link, "a link or a device"),
        (twice, "twice"),
        (in_a_file, "lies in a file"),
    ],
)
def test_nothing_is_written_beside_the_folder(
    tmp_path: Path, write: Callable[[zipfile.ZipFile], None], says: str
) -> None:
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as zipped:
        write(zipped)
    (tmp_path / "out").mkdir()
    with pytest.raises(ArchiveError, match=says):
        unpack(tmp_path / "evil.zip", tmp_path / "out")
    assert {file.name for file in tmp_path.iterdir()} == {"evil.zip", "out"}


def test_a_bomb_is_put_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_PART_BYTES", 100_000)
    monkeypatch.setattr(archive, "CHUNK_BYTES", 10_000)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("bomb", bytes(10_000_000))
    assert (tmp_path / "bomb.zip").stat().st_size < 20_000
    (tmp_path / "out").mkdir()
    with pytest.raises(ArchiveError, match="more than a bundle may hold"):
        unpack(tmp_path / "bomb.zip", tmp_path / "out")
    assert (tmp_path / "out" / "bomb").stat().st_size <= 100_000


def test_many_small_files_are_too_many_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 100_000)
    pack(tmp_path / "many.zip", {f"{number}": bytes(1_000) for number in range(101)})
    (tmp_path / "out").mkdir()
    with pytest.raises(ArchiveError, match="more than a bundle may hold"):
        unpack(tmp_path / "many.zip", tmp_path / "out")
    monkeypatch.setattr(archive, "MOST_FILES", 100)
    with pytest.raises(ArchiveError, match="101 files"):
        unpack(tmp_path / "many.zip", tmp_path / "out")


@pytest.mark.parametrize("content", [b"", b"no zip file", b"PK\x05\x06" + bytes(17)])
def test_what_is_no_zip_file_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "no.zip").write_bytes(content)
    with pytest.raises(ArchiveError, match=r"no\.zip: not a zip file"):
        unpack(tmp_path / "no.zip", tmp_path)


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_cut_file_is_refused(tmp_path: Path, part: float) -> None:
    pack(tmp_path / "one.zip", FILES)
    whole = (tmp_path / "one.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[: int(len(whole) * part)])
    with pytest.raises(ArchiveError, match="not a zip file"):
        unpack(tmp_path / "cut.zip", tmp_path)


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    pack(tmp_path / "one.zip", FILES)
    whole = bytearray((tmp_path / "one.zip").read_bytes())
    at = whole.index(b"b/two.txt") + len("b/two.txt")
    whole[at + 1] ^= 0x10
    (tmp_path / "changed.zip").write_bytes(whole)
    (tmp_path / "out").mkdir()
    with pytest.raises(ArchiveError, match="not a zip file"):
        unpack(tmp_path / "changed.zip", tmp_path / "out")


BARE = {crate.EXPERIMENT: b"name: small\n", crate.OPTIONS: b"{}"}


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "no ro-crate-metadata.json"),
        (BARE | {crate.METADATA: b"[]"}, "is not a bundle's"),
        (BARE | {crate.METADATA: b"[" * 100_000}, "is not a bundle's"),
        (BARE | {crate.METADATA: b'{"@graph": []}'}, "does not speak of 'experiment.yaml'"),
        (
            BARE
            | {
                crate.METADATA: b'{"@graph": ['
                b'{"@id": "experiment.yaml", "@type": "File", "sha256": "0"}]}'
            },
            "'experiment.yaml' is not what",
        ),
    ],
)
def test_what_is_no_bundle_is_named(tmp_path: Path, files: dict[str, bytes], says: str) -> None:
    pack(tmp_path / "no.zip", files)
    (tmp_path / "out").mkdir()
    with pytest.raises(ArchiveError, match=says):
        crate.read(tmp_path / "no.zip", tmp_path / "out")


@pytest.mark.parametrize(
    "options",
    [
        b"{}",
        b"[]",
        b"no",
        b'{"runs": -1, "minutes": null, "modes": null}',
        b'{"runs": true, "minutes": null, "modes": null}',
        b'{"runs": null, "minutes": "long", "modes": null}',
        b'{"runs": null, "minutes": null, "modes": [1]}',
        b'{"runs": null, "minutes": null, "modes": null, "lab": "unix:/here"}',
    ],
)
def test_options_are_those_of_a_run(tmp_path: Path, options: bytes) -> None:
    (tmp_path / "options.json").write_bytes(options)
    with pytest.raises(ArchiveError, match=r"options\.json"):
        crate._options(tmp_path / "bundle.zip", tmp_path / "options.json")
