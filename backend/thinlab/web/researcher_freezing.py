"""Routes over what a study was frozen as, and what has become otherwise since.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime

from fastapi import APIRouter
from pydantic import Field

from thinlab.researcher import audit
from thinlab.researcher.audit import Act
from thinlab.study import deviation, freeze
from thinlab.study.deviation import Deviation
from thinlab.study.freeze import Freeze
from thinlab.study.frozen import Hashes
from thinlab.web import researcher_messages as messages
from thinlab.web.named_study import named
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/studies/{slug}")


class FrozenAs(messages.Message):
    """The freeze that holds; its whole document is `thinlab study freeze`'s to print."""

    at: datetime
    reason: str | None
    study_hash: str = Field(description="Of the version that was frozen.")
    hashes: Hashes
    participants_before: int = Field(description="0: registered before anybody took part.")


class Plan(messages.Message):
    """What was settled in advance, and what is otherwise."""

    frozen: FrozenAs | None = Field(description="Null: never frozen.")
    deviations: list[Deviation]


def _frozen_as(found: Freeze) -> FrozenAs:
    known = {**dict(found.document), **dict(found)}
    return FrozenAs.model_validate({name: known[name] for name in FrozenAs.model_fields})


@router.get("/plan", operation_id="getPlan", responses=problem_responses(401, 404, 503))
async def plan(slug: str, here: Here) -> Plan:
    """Whether the study is frozen, and every deviation from it since."""
    async with here.database.transaction() as session:
        study = await named(session, slug)
        found = await freeze.of_study(session, study.slug)
        return Plan(
            frozen=_frozen_as(found) if found else None,
            deviations=await deviation.of_study(session, study.slug),
        )


@router.post(
    "/freeze",
    operation_id="freezeStudy",
    responses=problem_responses(401, 404, 409, 422, 503),
)
async def freeze_study(slug: str, asked: messages.MaybeReason, here: Here) -> FrozenAs:
    """Settles design, texts, recordings and analysis; whatever changes later is a deviation."""
    async with here.database.transaction() as session:
        study = await named(session, slug)
        try:
            frozen = await freeze.freeze(session, study.slug, asked.reason)
        except freeze.NotFrozenError as error:
            raise ProblemError(
                409, "not-now", "The study was not frozen.", detail=str(error)
            ) from error
        await audit.enter(session, Act.STUDY_FROZEN, study=study.slug)
        return _frozen_as(frozen)
