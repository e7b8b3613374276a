"""What is told of live sessions that votes rest on.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import Field

from thinlab.analysis.findings import Finding, SessionFindings
from thinlab.analysis.result_kind import Part


class TypedFigures(Finding):
    """What is counted and measured of typing sessions."""

    done: int = Field(description="Sessions that count, of the participants analysed.")
    void: int = Field(description="Their sessions that do not count, and were typed again.")
    void_by_host: int = Field(description="Of those, the ones that our own machines spoilt.")
    participants_typed_again: int = Field(
        description="Participants who typed a session again for what our machines did."
    )
    late_emulators: int = Field(description="Sessions that count, of which packets came late.")
    unmeasured: int = Field(description="Sessions that count, of which no key's wait is known.")
    host_wait_max_ms: float | None = Field(
        description="The longest that a key of those that count waited for our own machines."
    )
    void_wait_max_ms: float | None = Field(description="The same of those that are void.")


class TypedSessions(SessionFindings, TypedFigures):
    """What the votes on typed trials rest on; sessions of training are left out."""


class SessionsPart(Part):
    """A field for each kind of trial that is done live, by its medium's name."""

    typed: TypedSessions | None = Field(
        default=None, description="How the typing sessions went; null where nobody has typed."
    )
