"""The Debian packages of manifest.yaml: fetched, checked, and unpacked into one folder.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from fault import CapturesError

MANIFEST = Path(__file__).parent / "manifest.yaml"
FIELDS = ("version", "sha256", "licence")


@dataclass(frozen=True)
class Package:
    """One version of a package, known by its bytes."""

    name: str
    version: str
    sha256: str


def read_manifest(file: Path) -> list[Package]:
    """What the manifest names. Raises `CapturesError`."""
    try:
        written = yaml.safe_load(file.read_text(encoding="utf-8"))["packages"]
        return [_package(name, fields) for name, fields in written.items()]
    except (OSError, yaml.YAMLError, KeyError, AttributeError, TypeError) as error:
        raise CapturesError(
            f"{file} is not a manifest of packages: {error!r}", "see the comment at its head"
        ) from error


def _package(name: str, fields: dict[str, str]) -> Package:
    for field in FIELDS:
        if not isinstance(fields.get(field), str):
            raise CapturesError(f"package {name} has no {field}", "add the field, as a text")
    return Package(name, fields["version"], fields["sha256"])


def fetch(packages: Sequence[Package], kept: Path, work: Path) -> list[Path]:
    """Their files, by their SHA-256, in `kept`; what is not there yet is downloaded."""
    missing = [one for one in packages if not _kept(one, kept).is_file()]
    if missing:
        _download(missing, work)
        kept.mkdir(parents=True, exist_ok=True)
        found = {_sha256(file): file for file in work.glob("*.deb")}
        for one in missing:
            if one.sha256 not in found:
                raise CapturesError(
                    f"{one.name} {one.version} has not the sha256 {one.sha256} of the manifest",
                    "run again if the download was damaged; else look at what changed, then "
                    "lab-agent/captures/renew",
                )
            shutil.move(found[one.sha256], _kept(one, kept))
    return [_kept(one, kept) for one in packages]


def unpack(files: Sequence[Path], root: Path) -> None:
    """All of them in one folder, without root."""
    root.mkdir()
    for file in files:
        run(["dpkg-deb", "-x", str(file), str(root)], root, "remove the file and run again")


def _kept(package: Package, kept: Path) -> Path:
    return kept / f"{package.sha256}.deb"


def _download(packages: Sequence[Package], work: Path) -> None:
    work.mkdir()
    download = ["apt-get", "download", "-qq"]
    if os.geteuid() == 0:
        # apt's own user cannot enter a cache that only root may read.
        download[1:1] = ["-o", "APT::Sandbox::User=root"]
    run(
        [*download, *(f"{one.name}={one.version}" for one in packages)],
        work,
        "as root: apt-get update; where Debian has gone on to other versions: "
        "lab-agent/captures/renew",
    )


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def run(command: list[str], folder: Path, remedy: str) -> str:
    """What a command prints. Raises `CapturesError` with its own last word where it fails."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise CapturesError(
            f"{command[0]} is missing", "Thinlab needs Debian 12 or a system derived from it"
        ) from error
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise CapturesError(f"{' '.join(command[:3])} …: {reason[-1]}", remedy)
    return done.stdout
