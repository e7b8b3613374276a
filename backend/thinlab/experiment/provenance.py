"""What results were made with: host, kernel, patches, versions, and the hashes of captures.

Records and Parquet files of earlier versions have less; they are read all the
same, and what they lack is unknown.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from thinlab import durable
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.rows import Row
from thinlab.lab.agent import AgentAwayError
from thinlab.settings import Settings

# What takes part between the request and the Parquet file.
PACKAGES = ("thinlab", "distributed", "grpcio", "protobuf", "pyarrow")
CAPTURES = {
    "sender_capture_sha256": pb.FILE_KIND_SENDER_CAPTURE,
    "receiver_capture_sha256": pb.FILE_KIND_RECEIVER_CAPTURE,
}
VERSION_PREFIX = "version_"
SETTINGS = "settings_sha256"
# How the text begins its second half where a session has changed nothing.
UNCHANGED = "# after the last\nthe same\n"

LaneFiles = Mapping[pb.FileKind.ValueType, bytes | bytearray]


def settings(lanes: Sequence[LaneFiles]) -> str:
    """What the kernel said that the lanes were set to: sysctls and queueing disciplines."""
    kind = pb.FILE_KIND_SETTINGS
    texts = [bytes(files.get(kind, b"")).decode("utf-8", "replace") for files in lanes]
    if len(texts) == 1:
        return texts[0]
    return "".join(f"## lane {number}\n{text}" for number, text in enumerate(texts))


def of_session(host: pb.HostDescription, lanes: Sequence[LaneFiles]) -> dict[str, Any]:
    """What a session's record keeps beside its result: nothing that is another each time.

    Of several lanes, the hashes of their captures in order, separated by spaces. Raises
    `AgentAwayError` when a capture is missing.
    """
    captures = {}
    for name, kind in CAPTURES.items():
        if not all(files.get(kind) for files in lanes):
            raise AgentAwayError(f"the session ended without {pb.FileKind.Name(kind)}")
        captures[name] = " ".join(hashlib.sha256(files[kind]).hexdigest() for files in lanes)
    return {
        "agent_version": host.agent_version,
        "kernel_release": host.kernel_release,
        "versions": {"python": platform.python_version(), **versions(PACKAGES)},
        "captures": captures,
        SETTINGS: digest(settings(lanes)),
    }


def versions(packages: Sequence[str]) -> dict[str, str]:
    """Of installed packages."""
    return {name: metadata.version(name) for name in packages}


def columns(record: Mapping[str, Any]) -> Row:
    """A record's provenance as columns of its row; none of records that have none."""
    kept = record.get("provenance")
    if kept is None:
        return {}
    return {
        "agent_version": kept["agent_version"],
        "kernel_release": kept["kernel_release"],
        **{f"{VERSION_PREFIX}{name}": one for name, one in kept["versions"].items()},
        **kept["captures"],
        SETTINGS: kept.get(SETTINGS),
    }


def is_column(name: str) -> bool:
    """Whether a column of the Parquet file says with what, not what was measured."""
    known = {"key", "host_build", "agent_version", "kernel_release", SETTINGS, *CAPTURES}
    return name in known or name.startswith(VERSION_PREFIX)


@dataclass(frozen=True)
class HostParts:
    """The files that a host which this machine boots is made of."""

    kernel: Path
    guest: Path
    agent: Path

    @classmethod
    def of(cls, settings: Settings) -> "HostParts | None":
        """None where the host is somebody else's: what it is made of is known there."""
        if settings.lab is not None:
            return None
        return cls(settings.need("kernel"), settings.need("guest"), settings.need("agent"))

    def described(self) -> dict[str, Any]:
        """Their hashes, and what the kernel's build noted beside it: source and patches."""
        parts = {"kernel": self.kernel, "guest": self.guest, "agent": self.agent}
        hashes = {f"{name}_sha256": _sha256(file) for name, file in parts.items()}
        return hashes | _noted(self.kernel.with_name("version"))


def keep_host(folder: Path, host: pb.HostDescription, parts: HostParts | None) -> None:
    """Writes what the host of a build is beside the results made on it."""
    told = {
        "build": host.build,
        "agent_version": host.agent_version,
        "kernel_release": host.kernel_release,
        "clock": pb.Clock.Name(host.clock).removeprefix("CLOCK_").lower(),
        **(parts.described() if parts is not None else {}),
    }
    write_host(folder, told)


def write_host(folder: Path, told: Mapping[str, Any]) -> None:
    """Writes what is known of a host, for `host_of` to read."""
    text = json.dumps(told, indent=2, sort_keys=True, ensure_ascii=False)
    durable.write_whole(_host_file(folder, told["build"]), f"{text}\n".encode())


def host_of(folder: Path, build: str) -> dict[str, Any]:
    """What was kept of a host; nothing of results of earlier versions."""
    try:
        told: dict[str, Any] = json.loads(_host_file(folder, build).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return told


def keep_settings(folder: Path, texts: Mapping[str, str]) -> None:
    """Writes texts of settings, by their hashes, beside the results made under them."""
    for name, text in texts.items():
        durable.write_whole(_settings_file(folder, name), text.encode())


def settings_of(folder: Path, rows: Sequence[Row]) -> dict[str, str]:
    """The texts of settings that these sessions ran under, as far as they were kept."""
    names = sorted({row[SETTINGS] for row in rows if row.get(SETTINGS)})
    files = {name: _settings_file(folder, name) for name in names}
    return {name: file.read_text("utf-8") for name, file in files.items() if file.exists()}


def digest(text: str) -> str:
    """SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()


def _settings_file(folder: Path, name: str) -> Path:
    return folder / f"settings-{name}.txt"


def _host_file(folder: Path, build: str) -> Path:
    return folder / f"host-{build}.json"


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _noted(file: Path) -> dict[str, Any]:
    """`source: …` and one `patch: HASH NAME` a line, as `lab-agent/kernel/build` writes them."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, UnicodeDecodeError):
        return {}
    told: dict[str, Any] = {}
    patches: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        match name, value.split():
            case "patch", [digest, patch]:
                patches[patch] = digest
            case (("source" | "compiler"), [_, *_]):
                told[f"kernel_{name}"] = value
    return told | ({"kernel_patches_sha256": patches} if patches else {})
