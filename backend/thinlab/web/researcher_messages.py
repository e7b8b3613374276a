"""What the researcher's page sends and receives, beside the domain's own types.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Password = Annotated[str, Field(min_length=10, max_length=1024)]


class Message(BaseModel):
    """A body of a request or of a response: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid")


class ResearcherState(Message):
    """What the sign-in page needs to know."""

    password_set: bool
    signed_in: bool


class FirstPassword(Message):
    """Sets the password once, with the token from the address printed at start."""

    setup_token: Annotated[str, Field(min_length=1, max_length=200)]
    password: Password


class SignIn(Message):
    """The researcher's password."""

    password: Annotated[str, Field(min_length=1, max_length=1024)]


class Reason(Message):
    """Why something is done; kept for good."""

    reason: Annotated[str, Field(min_length=1, max_length=1000, pattern=r"\S")]


class MaybeReason(Message):
    """Why something is done, if there is a reason to give; kept for good."""

    reason: Annotated[str | None, Field(max_length=1000)] = None


class ExclusionAsked(Reason):
    """Leaves a participant out of the analysis, or takes them in again."""

    excluded: bool


class InvitationsAsked(Message):
    """Links to be made."""

    count: int = Field(ge=1, le=1000)
    label: str = Field(default="", max_length=200, description="Whom they are for.")


class InvitationsMade(Message):
    """Links just made; the server keeps only hashes and cannot show them again."""

    label: str
    paths: list[str] = Field(
        description="For one person each; the part after `#` never reaches a server's log.",
        examples=[["/s/demo#i=…"]],
    )
