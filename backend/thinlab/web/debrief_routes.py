"""The route by which participants are told, at the end, what was what.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import asdict

from fastapi import APIRouter
from pydantic import Field

from thinlab.participation import debriefing
from thinlab.participation.messages import Message
from thinlab.study.trial import Medium
from thinlab.trials.registry import KINDS
from thinlab.web.participant_credentials import Token, progress_of
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/api/participation", tags=["participant"])


class DebriefSide(Message):
    """One recording or typed session, openly."""

    name: str = Field(description="What it was, in plain words.")
    packets: int | None = Field(
        description="That carried it; of typing, keys there and echoes back. None where it was "
        "made of a clip directly, and not sent."
    )
    lost_packets: int
    late_share: float | None = Field(
        description="Of its messages: later than the quickest by more than 150 ms."
    )
    longest_stall_ms: float | None = Field(description="The longest wait for a next message.")


class DebriefTrial(Message):
    """One trial, openly."""

    position: int
    medium: Medium
    one_twice: bool = Field(description="Whether both were the same.")
    first: DebriefSide
    second: DebriefSide | None
    answer: str = Field(description="In the words of the button.")


class Debriefing(Message):
    """Every trial but training, in the order in which they came."""

    trials: list[DebriefTrial]


@router.get(
    "/debrief", operation_id="getDebrief", responses=problem_responses(401, 404, 409, 410, 503)
)
async def debrief(token: Token, here: Here) -> Debriefing:
    """What was what, once this session is complete and where the study tells it."""
    async with here.database.transaction() as session:
        progress = await progress_of(session, token)
        try:
            told = await debriefing.told(session, progress, KINDS)
        except debriefing.NotToldError as error:
            raise ProblemError(
                404, "no-debrief", "This study does not reveal what was what."
            ) from error
        except debriefing.NotYetError as error:
            raise ProblemError(
                409,
                "not-yet",
                "What was what is told later.",
                remedy="Come back when your session is complete, or when the study is closed.",
            ) from error
    return Debriefing(trials=[DebriefTrial.model_validate(asdict(one)) for one in told])
