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


class Making(Message):
    """What was asked of the recorder."""

    queued: int = Field(description="Recordings now queued or being made.")
