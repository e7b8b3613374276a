"""The route of votes.

SPDX-License-Identifier: Apache-2.0
"""

import math

from fastapi import APIRouter, Response

from thinlab.participation import messages, vote
from thinlab.participation.kind import NotDoneError
from thinlab.trials.messages import VoteCast
from thinlab.trials.registry import KINDS
from thinlab.web.participant_credentials import Token, participant_of
from thinlab.web.problems import ProblemError, once_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/api", tags=["participant"])


def _not_done(error: NotDoneError) -> ProblemError:
    early = error.wait_s is not None
    return ProblemError(
        429 if early else 409,
        error.kind,
        error.title,
        field=error.field,
        remedy=error.remedy,
        headers={"Retry-After": str(math.ceil(error.wait_s or 0))} if early else None,
    )


@router.post(
    "/participation/votes",
    operation_id="castVote",
    status_code=201,
    responses=once_responses(
        messages.VoteReceipt, "Stored before with this key.", 401, 404, 409, 410, 413, 422, 429, 503
    ),
)
async def cast_vote(
    cast: VoteCast, token: Token, here: Here, response: Response
) -> messages.VoteReceipt:
    """Stores the vote. The answer leaves only after the commit is on disk."""
    async with here.database.transaction() as session:
        participant = await participant_of(session, token)
        try:
            stored = await vote.cast(
                session, participant, cast, KINDS, build=here.build, timed=here.listening
            )
        except vote.UnknownTrialError as error:
            raise ProblemError(
                404, "no-such-trial", "There is no such trial.", field="trial_token"
            ) from error
        except vote.NotOnScaleError as error:
            raise ProblemError(
                422,
                "invalid",
                "This answer cannot be given on the trial's scale.",
                field=error.field or ("choice" if cast.choice else "score"),
                remedy="Give one of the answers that the trial offers, as `choice`, as `score`, or "
                "as `ratings` with one score for each sound of the page.",
            ) from error
        except vote.NotNoticeableError as error:
            raise ProblemError(
                422,
                "invalid",
                "How noticeable the difference was does not fit the answer.",
                field="noticeable",
                remedy="Give a step where the trial asks for one and `choice` is the first or the "
                "second; else leave it out.",
            ) from error
        except vote.OtherAccountError as error:
            raise ProblemError(
                422,
                "invalid",
                "This account is of another kind of trial.",
                field="account.medium",
                remedy="Open the trials again, and say how the answer to this one was reached.",
            ) from error
        except NotDoneError as error:
            raise _not_done(error) from error
        except vote.OtherVoteError as error:
            raise ProblemError(
                409,
                "voted",
                "This trial has a vote already; the first one counts.",
                remedy="Continue with the next trial.",
            ) from error
    response.status_code = 201 if stored.new else 200
    return messages.VoteReceipt(
        vote_key=cast.vote_key, position=stored.position, received_at=stored.received_at
    )
