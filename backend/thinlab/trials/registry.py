"""Every kind of trial, by the medium that presentations are stored with.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from thinlab.analysis.kind import AnalysedKind
from thinlab.export.kind import ExportedKind
from thinlab.monitoring.kind import WatchedKind
from thinlab.participation.kind import Opened, PresentedKind
from thinlab.study.catalogue import StoredStudy
from thinlab.study.kind import DefinedKind
from thinlab.trials.listening.kind import ListeningKind
from thinlab.trials.messages import OpenTrial
from thinlab.trials.typing.kind import TypingKind

if TYPE_CHECKING:
    from thinlab.bots.kind import Manner, Parts
    from thinlab.database.engine import Database
    from thinlab.lab.live_hosts import LiveHosts
    from thinlab.live.desk import StartingDesk
    from thinlab.live.pulse import Pulse
    from thinlab.live.store import TypingStore


class Kind(DefinedKind, PresentedKind, WatchedKind, ExportedKind, AnalysedKind, Protocol):
    """All that the rooms below ask of a kind of trial, whose own trials a page knows."""

    def form(
        self, opened: Opened, study: StoredStudy, language: str, common: dict[str, Any]
    ) -> OpenTrial:
        """As `PresentedKind`."""


# In this order studies are outlined, and the exports' columns come.
_ALL: tuple[Kind, ...] = (ListeningKind(), TypingKind())
KINDS: Mapping[str, Kind] = {kind.medium: kind for kind in _ALL}


def live_desk(
    database: "Database", hosts: "LiveHosts", store: "TypingStore", pulse: "Pulse"
) -> "StartingDesk":
    """Who may open a link, and for what, in the kinds that are done live."""
    from thinlab.trials.typing.desk import StudyDesk

    return StudyDesk(database, hosts, store, KINDS, pulse)


def bot_parts(manner: "Manner | None" = None) -> "Parts":
    """What bots do in each kind. `manner`: how they go about it."""
    from thinlab.bots.kind import Manner
    from thinlab.trials.listening.bot import ListeningPart
    from thinlab.trials.typing.bot.part import Hands, TypingPart

    hands = Hands.of(manner or Manner())
    return {"heard": ListeningPart, "typed": partial(TypingPart.of, hands=hands)}
