"""The source clips: what `clips/manifest.yaml` names and `clips/fetch` made.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, auto
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from thinlab.clips import wav


class ClipError(Exception):
    """A clip or the manifest is unusable; the text names it and the remedy."""


class ClipKind(StrEnum):
    """What is heard; an objective measure may be made for one of them alone."""

    SPEECH = auto()
    SONG = auto()


class ClipPurpose(StrEnum):
    """What the clip was made for."""

    TRIAL = auto()
    TRAINING = auto()
    SOUND_CHECK = auto()
    TRAPPING = auto()
    CHECK = auto()


class ManifestClip(BaseModel):
    """What we read of a clip's entry; `clips/fetch` reads the rest."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    title: str
    kind: ClipKind
    purpose: ClipPurpose
    attribution: str
    licence: str
    changes: str
    length_ms: int
    sha256: str
    says: str | int | None = None
    """The answer that a trapping clip's voice asks for."""
    language: str | None = None
    """Of speech (BCP 47)."""
    talker: Literal["woman", "man"] | None = None
    """Of speech: a person who was recorded."""
    active_level_dbov: float | None = None
    """Of speech: its active speech level, by ITU-T P.56, method B."""
    loudness_lufs: float | None = None
    """Of a song: its integrated loudness, by ITU-R BS.1770."""

    @model_validator(mode="after")
    def _only_a_trap_says(self) -> "ManifestClip":
        if (self.purpose is ClipPurpose.TRAPPING) != (self.says is not None):
            raise ValueError("`says` belongs to clips with `purpose: trapping`, and to all of them")
        return self

    @model_validator(mode="after")
    def _has_the_level_of_its_kind(self) -> "ManifestClip":
        spoken = (self.language, self.talker, self.active_level_dbov)
        if self.kind is ClipKind.SPEECH and None in spoken:
            raise ValueError("`kind: speech` needs `language`, `talker` and `active_level_dbov`")
        if self.kind is ClipKind.SONG and self.loudness_lufs is None:
            raise ValueError("`kind: song` needs `loudness_lufs`")
        return self

    @property
    def described(self) -> str:
        """Who is heard, in which language, and how loud: `a woman, en, −26 dBov`."""
        if self.active_level_dbov is None:
            return f"a song, {_minus(self.loudness_lufs or 0)} LUFS"
        level = f"{_minus(self.active_level_dbov)} dBov active speech level (ITU-T P.56)"
        return f"a {self.talker}, {self.language}, {level}"


def _minus(number: float) -> str:
    return f"{number:g}".replace("-", "−")


class _Manifest(BaseModel):
    model_config = ConfigDict(extra="ignore")

    clips: dict[str, ManifestClip]


@dataclass(frozen=True)
class Clips:
    """All clips, by name."""

    folder: Path
    """Holds `<name>.wav`, as made by `clips/fetch`."""
    manifest: dict[str, ManifestClip]

    @classmethod
    def open(cls, manifest: Path, folder: Path) -> "Clips":
        """Reads the manifest. Raises `ClipError`."""
        try:
            entries = _Manifest.model_validate(yaml.safe_load(manifest.read_text()))
        except (OSError, yaml.YAMLError, ValidationError) as error:
            raise ClipError(f"{manifest}: {error}") from error
        return cls(folder, entries.clips)

    def samples(self, name: str) -> bytes:
        """A clip's samples, checked against the manifest. Raises `ClipError`."""
        path = self.folder / f"{name}.wav"
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ClipError(f"{path}: {error.strerror}; run clips/fetch again") from error
        if hashlib.sha256(content).hexdigest() != self.manifest[name].sha256:
            raise ClipError(f"{path}: not the clip that the manifest names; run clips/fetch again")
        return wav.read(path)

    def credits(self, names: Iterable[str]) -> list[str]:
        """Attributions of the clips, each once, in alphabetical order."""
        used = [self.manifest[name] for name in names]
        return sorted({f"{' '.join(clip.attribution.split())} {clip.licence}." for clip in used})
