"""The route that opens trials.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import APIRouter

from thinlab.participation import messages, places, presentation
from thinlab.participation import participant as participation
from thinlab.participation.kind import NotReadyError
from thinlab.trials.messages import OpenTrials
from thinlab.trials.registry import KINDS
from thinlab.web import trial_messages
from thinlab.web.joining import full, preparing
from thinlab.web.participant_credentials import Token, participant_of
from thinlab.web.problems import ProblemError, out_of_turn, problem_responses
from thinlab.web.services import Here, Services

router = APIRouter(prefix="/api", tags=["participant"])


def _not_yet(stage: messages.Stage) -> ProblemError:
    if stage in {messages.Stage.COMPLETE, messages.Stage.QUESTIONS_AFTER}:
        return ProblemError(409, "complete", "All trials are done.")
    return out_of_turn("not-yet", "Something else comes before the trials.")


@router.post(
    "/participation/trials",
    operation_id="openTrials",
    responses=problem_responses(401, 409, 410, 503),
)
async def open_trials(token: Token, here: Here) -> OpenTrials:
    """The trial to hear now and those that follow; the same ones until there is a vote."""
    async with here.database.transaction() as session:
        mine = await participation.seen(session, await participant_of(session, token))
        progress = await participation.progress(session, mine, KINDS)
        drawn = await presentation.is_drawn(session, progress.participant)
    if progress.due.stage is not messages.Stage.TRIALS:
        raise _not_yet(progress.due.stage)
    participant = progress.participant
    if not drawn:
        await _draw(here, progress)
    async with here.database.transaction() as session:
        try:
            opened = await presentation.open_next(session, progress.study, participant, KINDS)
        except presentation.AllVotedError as error:
            raise _not_yet(messages.Stage.COMPLETE) from error
    study, language = progress.study, participant.language
    return OpenTrials(trials=[trial_messages.open_trial(one, study, language) for one in opened])


async def _draw(here: Services, progress: participation.Progress) -> None:
    async with here.drawing, here.database.transaction() as session:
        try:
            await presentation.draw(session, progress.study, progress.participant, KINDS)
        except NotReadyError as error:
            raise preparing() from error
        except places.FullError as error:
            raise full() from error
