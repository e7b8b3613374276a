"""Every kind of trial, by the medium that presentations are stored with.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Protocol

from thinlab.analysis.kind import AnalysedKind
from thinlab.export.kind import ExportedKind
from thinlab.monitoring.kind import WatchedKind
from thinlab.participation.kind import PresentedKind
from thinlab.study.kind import DefinedKind
from thinlab.trials.listening.kind import ListeningKind
from thinlab.trials.typing.kind import TypingKind

if TYPE_CHECKING:
    from thinlab.bots.kind import Parts
    from thinlab.trials.typing.bot.part import Hands


class Kind(DefinedKind, PresentedKind, WatchedKind, ExportedKind, AnalysedKind, Protocol):
    """All that the rooms below ask of a kind of trial."""


# In this order studies are outlined, and the exports' columns come.
_ALL: tuple[Kind, ...] = (ListeningKind(), TypingKind())
KINDS: Mapping[str, Kind] = {kind.medium: kind for kind in _ALL}


def bot_parts(hands: "Hands | None" = None) -> "Parts":
    """What bots do in each kind. `hands`: how they type."""
    from thinlab.trials.listening.bot import ListeningPart
    from thinlab.trials.typing.bot.part import Hands, TypingPart

    return {"heard": ListeningPart, "typed": partial(TypingPart.of, hands=hands or Hands())}
