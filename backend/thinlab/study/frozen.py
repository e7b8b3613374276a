"""A study as it was at one moment, value by value, and what that hashes to.

Everything is under a path that names things by their ids (`blocks[main].trials[a].clip`),
so that a document can be compared with a later state of the study, whatever was
moved, and read by people. Four parts are hashed apart: the design, the texts that
participants read, the recordings they hear, and the plan of the analysis.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from thinlab.study.definition import StudyDefinition

PartName = Literal["design", "texts", "recordings", "analysis"]
Values = dict[str, Any]
"""JSON values by path."""

# Decided in advance, so that the votes cannot decide them.
PLANNED = {"analysis", "exclusion", "stop", "quotas", "votes_visible", "published"}
# Whether a study takes participants now, and when its recordings are made, is no
# part of what it is: the log of events tells it.
RUNNING = {"open", "record"}


class RecordingFacts(BaseModel):
    """Which recording a trial's member has in one run."""

    model_config = ConfigDict(frozen=True)

    key: str
    """Of host build, clip, condition and seed."""
    clip_sha256: str
    audio_sha256: str
    host_build: str
    duration_ms: int


RecordingsInUse = Mapping[tuple[str, int, str], RecordingFacts]
"""By trial id, run and member."""


class Hashes(BaseModel):
    """SHA-256 of each part's canonical JSON, and of all of them together."""

    design: str
    texts: str
    recordings: str
    analysis: str
    whole: str


class FrozenDocument(BaseModel):
    """What was frozen; with it anybody can check the hashes again."""

    format: Literal["thinlab-frozen-study-1"] = "thinlab-frozen-study-1"
    slug: str
    study_hash: str = Field(description="SHA-256 of the definition, as in every vote's row.")
    participants_before: int = Field(
        description="People who had joined when the study was frozen; 0: registered in advance."
    )
    design: Values
    texts: Values
    recordings: Values
    analysis: Values
    hashes: Hashes

    @classmethod
    def of(
        cls, definition: StudyDefinition, recordings: RecordingsInUse, participants_before: int
    ) -> Self:
        """The document of a study as it is now."""
        parts = parts_of(definition, recordings)
        return cls(
            slug=definition.slug,
            study_hash=definition.content_hash,
            participants_before=participants_before,
            hashes=_hashes(definition.slug, parts),
            **parts,
        )

    @property
    def parts(self) -> dict[PartName, Values]:
        """The four parts."""
        return {
            "design": self.design,
            "texts": self.texts,
            "recordings": self.recordings,
            "analysis": self.analysis,
        }

    def is_whole(self) -> bool:
        """Whether the hashes are those of the content."""
        return self.hashes == _hashes(self.slug, self.parts)


def parts_of(
    definition: StudyDefinition, recordings: RecordingsInUse, *, defaults: bool = True
) -> dict[PartName, Values]:
    """A study's values by part and path; without `defaults` those that are not the default."""
    parts: dict[PartName, Values] = {"design": {}, "texts": {}, "recordings": {}, "analysis": {}}
    texts = {place for place, _ in definition.texts()}
    said = definition.model_dump(mode="json", exclude_defaults=not defaults)
    for key, value in said.items():
        for path, place, leaf in _leaves(value, key, key):
            part = _part(key, place, texts)
            if part is not None:
                parts[part][path] = leaf
    for (trial, run, member), facts in sorted(recordings.items()):
        for name, fact in facts.model_dump().items():
            parts["recordings"][f"{trial}[run {run}].{member}.{name}"] = fact
    return parts


def _part(key: str, place: str, texts: set[str]) -> PartName | None:
    if key in RUNNING:
        return None
    if key in PLANNED:
        return "analysis"
    # A text is one string, or one for each language under its place.
    is_text = key == "consent" or place in texts or place.rpartition(".")[0] in texts
    return "texts" if is_text else "design"


def _leaves(value: object, path: str, place: str) -> Iterator[tuple[str, str, Any]]:
    """Values with their path (by ids) and place (by numbers, as in the file)."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}", f"{place}.{key}")
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
        names = [_name(one, index) for index, one in enumerate(value)]
        if any(isinstance(one, dict) and "id" in one for one in value):
            yield f"{path} in order", place, names
        for index, one in enumerate(value):
            yield from _leaves(one, f"{path}[{names[index]}]", f"{place}[{index}]")
    elif value is not None:
        yield path, place, value


def _name(one: object, index: int) -> str:
    name = one.get("id") if isinstance(one, dict) else None
    return str(index if name is None else name)


def _hashes(slug: str, parts: Mapping[PartName, Values]) -> Hashes:
    each: dict[str, str] = {name: _sha256(values) for name, values in parts.items()}
    return Hashes.model_validate(each | {"whole": _sha256(each | {"slug": slug})})


def _sha256(value: object) -> str:
    canonical = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
