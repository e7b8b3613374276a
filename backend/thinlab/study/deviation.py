"""What of a study is no longer as it was frozen.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field
from sqlalchemy import exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.condition.transport import mechanisms_of
from thinlab.database.schema import Participant, Study, StudyEvent
from thinlab.study import catalogue, freeze
from thinlab.study.definition import StudyDefinition
from thinlab.study.freeze import Freeze
from thinlab.study.frozen import FrozenDocument, PartName, RecordingsInUse, Values, parts_of

# What a researcher can do to a running study that its plan did not foresee.
CONDUCT = {
    "unblinded": "the direction of votes was shown before the study had stopped",
    "reopened": "the study was opened again after it had been closed",
}


class Deviation(BaseModel):
    """One thing that is otherwise than frozen."""

    kind: Literal["design", "texts", "recordings", "analysis", "conduct"]
    place: str = Field(examples=["blocks[main].trials[a].seed"])
    frozen: Any = Field(default=None, description="The value when frozen; null: there was none.")
    present: Any = Field(default=None, description="The value since; null: there is none.")
    at: datetime | None = Field(default=None, description="Since when; null: not known.")
    in_force: bool = Field(default=True, description="False: changed back again since.")
    reason: str | None = None


def compare(
    frozen: FrozenDocument, definition: StudyDefinition, recordings: RecordingsInUse | None
) -> list[Deviation]:
    """Every value that differs, part by part. Without `recordings` they are not compared."""
    frozen_parts = _with_what_modes_meant(frozen)
    present = parts_of(definition, recordings or {})
    said = parts_of(definition, recordings or {}, defaults=False)
    parts: list[PartName] = ["design", "texts", "analysis"]
    if recordings is not None:
        parts.append("recordings")
    return [
        Deviation(
            kind=part,
            place=path,
            frozen=frozen_parts[part].get(path),
            present=present[part].get(path),
        )
        for part in parts
        # A key that a later Thinlab brings, left at its default, changes nothing.
        for path in sorted({*frozen_parts[part], *said[part]})
        if frozen_parts[part].get(path) != present[part].get(path)
    ]


def _with_what_modes_meant(frozen: FrozenDocument) -> dict[PartName, Values]:
    """The document's parts; one from before mechanisms were written down has them, too."""
    modes = {
        path.removesuffix(".mode"): mode
        for path, mode in frozen.design.items()
        if path.startswith("conditions.") and path.endswith(".mode")
    }
    meant = {f"{place}.mechanisms": list(mechanisms_of(mode)) for place, mode in modes.items()}
    return frozen.parts | {"design": meant | frozen.design}


async def of_study(session: AsyncSession, slug: str) -> list[Deviation]:
    """Everything otherwise than frozen, now or for anybody who joined; none if never frozen."""
    found = await freeze.of_study(session, slug)
    if found is None:
        return []
    deviations: dict[tuple[str, str, str], Deviation] = {}
    for version in await _versions(session, slug, found):
        study = await catalogue.by_id(session, version.id)
        # Earlier versions' recordings are no longer in use: votes name theirs.
        recordings = await freeze.recordings_in_use(session, study) if version.is_current else None
        for one in compare(found.document, study.definition, recordings):
            key = (one.kind, one.place, repr(one.present))
            known = deviations.get(key)
            deviations[key] = one.model_copy(
                update={
                    "at": known.at if known else _since(version, one),
                    "in_force": version.is_current or (known is not None and known.in_force),
                }
            )
    return [*deviations.values(), *await _conduct(session, slug, found)]


async def _versions(session: AsyncSession, slug: str, found: Freeze) -> list[Study]:
    """The versions that somebody joined since the freeze, and the current one; oldest first."""
    joined = exists().where(
        Participant.study_id == Study.id,
        Participant.kind == "person",
        Participant.joined_at >= found.at,
    )
    rows = await session.scalars(
        select(Study)
        .where(Study.slug == slug, or_(Study.is_current, joined))
        .order_by(Study.id)
        # A version loaded again after another keeps its row: read what is current now.
        .execution_options(populate_existing=True)
    )
    return list(rows)


def _since(version: Study, deviation: Deviation) -> datetime | None:
    # A recording is replaced without a new version of the study.
    return None if deviation.kind == "recordings" else version.loaded_at


async def _conduct(session: AsyncSession, slug: str, found: Freeze) -> list[Deviation]:
    events = await session.scalars(
        select(StudyEvent)
        .where(StudyEvent.slug == slug, StudyEvent.kind.in_(CONDUCT), StudyEvent.at >= found.at)
        .order_by(StudyEvent.id)
    )
    return [
        Deviation(
            kind="conduct",
            place=event.kind,
            present=CONDUCT[event.kind],
            at=event.at,
            reason=event.reason,
        )
        for event in events
    ]
