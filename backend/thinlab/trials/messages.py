"""Trials and votes of every kind, as a participant's browser gets and gives them.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from pydantic import Field, model_validator
from typing_extensions import TypeAliasType

from thinlab.participation import messages
from thinlab.participation.messages import Message
from thinlab.trials.listening.messages import HeardAccount, HeardTrial
from thinlab.trials.typing.messages import TypedAccount, TypedTrial

# Named, so that the contract names it too.
OpenTrial = TypeAliasType(
    "OpenTrial", Annotated[HeardTrial | TypedTrial, Field(discriminator="medium")]
)


class OpenTrials(Message):
    """The trial to do now, then those that follow, to be fetched ahead."""

    trials: Annotated[list[OpenTrial], Field(min_length=1)]


Account = TypeAliasType(
    "Account", Annotated[HeardAccount | TypedAccount, Field(discriminator="medium")]
)

# Beside the answer, from a page that was opened before accounts were told apart by kind.
FLAT = {"plays_first", "plays_second", "switches", "played_first", "output_latency_ms"}


def _with_account(vote: object) -> object:
    # Such a page, and what it keeps while there is no network, must not lose its votes.
    if not isinstance(vote, dict) or "account" in vote or not FLAT & vote.keys():
        return vote
    told = {name: vote[name] for name in FLAT & vote.keys()}
    # Whoever votes on what was heard has played it, and each play is an event.
    account = (
        {"medium": "heard", **told}
        if vote.get("events")
        else {
            "medium": "typed",
            "sessions_first": told.get("plays_first"),
            "sessions_second": told.get("plays_second"),
        }
    )
    rest = {name: value for name, value in vote.items() if name not in FLAT}
    return {**rest, "account": account}


class Rating(messages.Rating):
    """Of one of several sounds that are rated beside each other."""

    account: HeardAccount


class VoteCast(messages.VoteCast):
    """An answer to the open trial, with an account of how it was reached."""

    ratings: Annotated[list[Rating], Field(min_length=1, max_length=12)] | None = Field(  # type: ignore[assignment]
        default=None, description="Of all sounds of a page, on a scale that rates several at once."
    )
    account: Account

    @model_validator(mode="before")
    @classmethod
    def _of_an_older_page(cls, vote: object) -> object:
        return _with_account(vote)
