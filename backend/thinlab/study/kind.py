"""What reading and walking through a study asks of a kind of trial; `thinlab.trials` has the kinds.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

from thinlab.clips.manifest import ManifestClip
from thinlab.contract.columns import MetricColumn
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.inconsistency import Inconsistency
from thinlab.study.trial import Medium, Trial

Clips = Mapping[str, ManifestClip]
AnyKind = TypeVar("AnyKind")


class DefinedKind(Protocol):
    """A kind of trial in study files."""

    medium: Medium
    is_live: bool
    """Whether its trials are done on a host of the live lab, while a participant waits."""
    delay_metrics: tuple[MetricColumn, ...]
    """That votes can be set against (`analysis.delay_metric`)."""

    def inconsistencies(self, definition: StudyDefinition, clips: Clips) -> Iterable[Inconsistency]:
        """What does not fit in what a study says about trials of this kind."""

    def seconds(
        self, definition: StudyDefinition, block: Block, trial: Trial, duration_ms: int | None
    ) -> float:
        """About how long one trial takes. `duration_ms`: of its recordings, if it has any."""

    def checks(self, definition: StudyDefinition, clips: Clips) -> Iterable[str]:
        """In the outline of a study that has this kind: what comes before anything is asked."""

    def tasks(self, definition: StudyDefinition, language: str) -> Iterable[str]:
        """And what its trials are about, before the blocks that have them."""

    def manner(self, block: Block) -> str:
        """And how the trials of a block are done."""

    def subject(self, definition: StudyDefinition, trial: Trial, clips: Clips) -> str:
        """And what one trial is about."""


Kinds = Mapping[str, DefinedKind]
"""By medium, in the order in which a study is outlined."""


def kinds_of(definition: StudyDefinition, kinds: Mapping[str, AnyKind]) -> list[AnyKind]:
    """Those that the study has trials of, in their order."""
    return [kind for medium, kind in kinds.items() if medium in definition.media]


def is_live(definition: StudyDefinition, kinds: Kinds) -> bool:
    """Whether nobody can take part in the study without a host of the live lab."""
    return any(kind.is_live for kind in kinds_of(definition, kinds))
