"""What all messages of the agents have in common as types of ours.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Self

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from pydantic import BaseModel, ConfigDict


class Told(BaseModel):
    """A message of the agents' contract: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Measured(Told):
    """A result, as stored and as sent to the researcher."""

    @classmethod
    def of(cls, message: Message) -> Self:
        """The agent's message without what is kept apart; zeros are numbers, not absences.

        Raises pydantic's error for a number that is none.
        """
        told = MessageToDict(
            message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
        return cls.model_validate(
            {name: value for name, value in told.items() if name in cls.model_fields}
        )
