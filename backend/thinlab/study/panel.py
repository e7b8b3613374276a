"""Where a study's participants come from when a panel sends and pays them.

The file says which parameters of the address carry a participant's id. What the panel is told
in return, its codes and addresses, is worth money and no part of the study: the researcher enters
it on the study's page, and it is neither frozen nor published.

What panels do is as they document it: Prolific, "the study object" of its API and its help centre;
CloudResearch Connect, "Project Completion" in its help centre; SONA, the address that its study
page gives for granting credit.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from thinlab.part import Part


class Outcome(StrEnum):
    """What a panel's participant has come to: one of these, once and for all."""

    COMPLETE = "complete"
    SCREENED_OUT = "screened_out"
    DECLINED = "declined"
    TIMED_OUT = "timed_out"
    FULL = "full"
    WITHDRAWN = "withdrawn"


# Of a withdrawal nothing is left that could be told.
REPORTED = tuple(one for one in Outcome if one is not Outcome.WITHDRAWN)

ProviderName = Literal["prolific", "cloudresearch", "sona", "link"]
ParameterName = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z][A-Za-z0-9_-]*$",
        max_length=64,
        description="Of a parameter in the address: letters, digits, `-` and `_`.",
        examples=["PROLIFIC_PID"],
    ),
]
# Parameters by which a study's address says something itself.
OWN_PARAMETERS = frozenset({"preview", "language"})
# Longer than the deadline that participants are told: for answers that wait on a device because
# the network is away.
GRACE = timedelta(minutes=10)


class PanelParameters(Part):
    """Which parameters of the address carry what."""

    participant: ParameterName = Field(description="Who it is: the id that the panel pays.")
    session: ParameterName | None = Field(
        default=None,
        description="This one visit of theirs. Give it where the panel has one: nobody can guess "
        "it, so that a code is shown again only to those who earned it.",
    )
    batch: ParameterName | None = Field(
        default=None, description="The panel's own name for the study; noted for the list."
    )


@dataclass(frozen=True)
class Provider:
    """What is known of a panel."""

    title: str | None
    """Its name, as participants know it; none of any panel."""
    parameters: PanelParameters | None
    """As the panel names them, unless it is told otherwise."""
    fills: Mapping[str, str]
    """What to write into the study's address, for the panel to fill in; by field of
    `PanelParameters`."""
    return_url: str | None = None
    """Where a code leads back to; none where the panel gives whole addresses."""
    id_written: str | None = None
    """What the panel writes for the id in an address that it gives."""


PROVIDERS: Mapping[ProviderName, Provider] = MappingProxyType(
    {
        "prolific": Provider(
            title="Prolific",
            parameters=PanelParameters(
                participant="PROLIFIC_PID", session="SESSION_ID", batch="STUDY_ID"
            ),
            fills={
                "participant": "{{%PROLIFIC_PID%}}",
                "session": "{{%SESSION_ID%}}",
                "batch": "{{%STUDY_ID%}}",
            },
            return_url="https://app.prolific.com/submissions/complete?cc={code}",
        ),
        # Connect appends its parameters by itself.
        "cloudresearch": Provider(
            title="CloudResearch Connect",
            parameters=PanelParameters(
                participant="participantId", session="assignmentId", batch="projectId"
            ),
            fills={},
        ),
        # The code is of one person in one study: whoever types another one earns that one credit.
        "sona": Provider(
            title="SONA",
            parameters=PanelParameters(participant="survey_code"),
            fills={"participant": "%SURVEY_CODE%"},
            id_written="XXXX",
        ),
        "link": Provider(title=None, parameters=None, fills={}),
    }
)


class Panel(Part):
    """A panel that sends participants, and where its ids are in the address."""

    provider: ProviderName = Field(
        description="`link`: any panel that can put an id into a link and take people back."
    )
    parameters: PanelParameters | None = Field(
        default=None, description="Where they are not called as the panel calls them; of `link`."
    )
    deadline_minutes: Annotated[int, Field(ge=5, le=1440)] = Field(
        default=60,
        description="How long a place is reserved for whoever has agreed to take part. Not less "
        "than the panel allows; afterwards somebody else gets the place.",
    )

    @model_validator(mode="after")
    def _named(self) -> Self:
        if PROVIDERS[self.provider].parameters is None and self.parameters is None:
            raise ValueError(
                f"`provider: {self.provider}` needs `parameters`: name at least the one that "
                "carries the `participant`'s id"
            )
        names = list(self.named.values())
        if taken := OWN_PARAMETERS & set(names):
            raise ValueError(f"`{min(taken)}` has a meaning of its own here: choose another name")
        if len(names) != len(set(names)):
            raise ValueError("each of the `parameters` needs a name of its own")
        return self

    @property
    def known(self) -> Provider:
        """What is known of this panel."""
        return PROVIDERS[self.provider]

    @property
    def named(self) -> dict[str, str]:
        """The parameters' names in the address, by what they carry; absent ones left out."""
        parameters = self.parameters or self.known.parameters
        return {} if parameters is None else parameters.model_dump(exclude_none=True)

    @property
    def reserved_for(self) -> timedelta:
        """How long a place is held: the deadline, and a little for a network that is away."""
        return timedelta(minutes=self.deadline_minutes) + GRACE

    def path(self, slug: str) -> str:
        """The study's address to give to the panel, with what it has to fill in."""
        filled = [
            f"{name}={self.known.fills[carries]}"
            for carries, name in self.named.items()
            if carries in self.known.fills
        ]
        return f"/s/{slug}" + ("?" + "&".join(filled) if filled else "")
