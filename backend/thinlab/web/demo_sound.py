"""Offers of sound, answered: what can be wrong with one, in the words of a problem document.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Awaitable

from thinlab.demo.audio_peer import FullError, OfferError
from thinlab.web.problems import ProblemError


async def answered(answer: Awaitable[str]) -> str:
    """The server's description. Raises the problem that says why there is none."""
    try:
        return await answer
    except OfferError as error:
        raise ProblemError(
            422,
            "invalid",
            "The description is not one of a single audio track.",
            field="sdp",
            remedy="Offer one audio track, encoded as Opus.",
        ) from error
    except FullError as error:
        raise ProblemError(
            503,
            "full",
            "The demo takes no more listeners.",
            remedy="Try again in a minute.",
            headers={"Retry-After": "30"},
        ) from error
