"""What an experiment is: the types behind `experiments/*.yaml`.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from thinlab.condition import seeds, words
from thinlab.condition.condition import too_long
from thinlab.condition.path import Direction, Path
from thinlab.condition.transport import (
    Baseline,
    Bundling,
    Mechanism,
    Sctp,
    Tcp,
    Transport,
    UdpLite,
    mechanisms_of,
    unfit,
)
from thinlab.condition.written import PathOrName
from thinlab.contract.generated.names import IatDistribution
from thinlab.experiment import flows as flow_groups
from thinlab.experiment.asked_figures import AskedFigure, Boxes
from thinlab.experiment.flows import FlowGroup, ResolvedMode
from thinlab.experiment.over_time import UNCHANGING, OverTime
from thinlab.experiment.stream import MOST_MESSAGES
from thinlab.experiment.where import OneOrMore, Where
from thinlab.part import Milliseconds, Name, Part, Share, Text

LONGEST_MINUTES = 1_440
# What one stream has, and what stands in its place where there are `flows`.
NO_STREAM: dict[str, Any] = {
    "message_bytes": 0,
    "iat_ms": 0.0,
    "iat_spread_ms": 0.0,
    "iat_distribution": IatDistribution.EVEN,
}
ONE_STREAM = frozenset(NO_STREAM)


class Grid(Part):
    """Every combination of its axes is a cell."""

    baseline: OneOrMore[Baseline] = (Baseline.NEWRENO2008,)
    mode: OneOrMore[ResolvedMode]
    bundling: OneOrMore[Bundling] = (Bundling(),)
    tcp: OneOrMore[Tcp] = (Tcp(),)
    sctp: OneOrMore[Sctp] = (Sctp(),)
    udp_lite: OneOrMore[UdpLite] = (UdpLite(),)
    loss_share: OneOrMore[Share] | None = Field(
        default=None, description="Uniform, in each direction, 0…1."
    )
    rtt_ms: OneOrMore[Milliseconds] | None = None
    path: OneOrMore[PathOrName] | None = Field(
        default=None,
        description="Whole paths, as studies write them, or their names; instead of "
        "`loss_share` and `rtt_ms`.",
    )
    over_time: OneOrMore[OverTime] = Field(
        default=(UNCHANGING,),
        description="When a direction loses every packet, and its rate, from files beside this.",
    )
    message_bytes: OneOrMore[Annotated[int, Field(ge=1, le=1_048_576)]] | None = None
    iat_ms: OneOrMore[Annotated[Milliseconds, Field(gt=0)]] | None = None
    iat_spread_ms: OneOrMore[Milliseconds] = (0.0,)
    iat_distribution: OneOrMore[IatDistribution] = (IatDistribution.EVEN,)
    flows: tuple[FlowGroup, ...] | None = Field(
        default=None,
        min_length=1,
        description="Any number of flows under way together, instead of one message stream.",
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for name in type(self).model_fields:
            values = () if name == "flows" else getattr(self, name) or ()
            if len(set(values)) != len(values):
                raise ValueError(f"`{name}` names a value twice; keep one")
        self._expect_senders()
        self._expect_paths()
        if self.flows is not None:
            written = self.model_fields_set & ONE_STREAM
            if written:
                raise ValueError(f"`{min(written)}` is of one stream; leave it out beside `flows`")
            flow_groups.refuse_what_does_not_fit(self.flows)
            return self
        if self.message_bytes is None or self.iat_ms is None:
            raise ValueError("give `message_bytes` and `iat_ms`, or `flows`")
        if max(self.iat_spread_ms) * 2 > min(self.iat_ms):
            raise ValueError(
                "`iat_spread_ms` is more than half of `iat_ms`: messages would overtake each "
                "other; make it smaller"
            )
        if IatDistribution.EXPONENTIAL in self.iat_distribution and any(self.iat_spread_ms):
            raise ValueError(
                "`iat_spread_ms` has no meaning where `iat_distribution` is exponential; "
                "remove it, or give that stream a grid of its own"
            )
        return self

    def _expect_senders(self) -> None:
        senders = set(itertools.product(self.baseline, self.mode))
        for group in self.flows or ():
            senders |= {
                (group.baseline or baseline, group.mode or mode)
                for baseline, mode in itertools.product(self.baseline, self.mode)
            }
        for baseline, mode in sorted(senders):
            if reason := unfit(baseline, mechanisms_of(mode)):
                raise ValueError(f"{reason}; grids of their own can have each")

    def _expect_paths(self) -> None:
        if {self.loss_share is None, self.rtt_ms is None} != {self.path is not None}:
            raise ValueError("give `loss_share` and `rtt_ms`, or `path`")
        for path, over_time in itertools.product(self._paths(), self.over_time):
            if unfit := over_time.unfit(path):
                raise ValueError(unfit)
        for path, baseline in itertools.product(self._paths(), self._baselines()):
            if reason := too_long(baseline, path.forward, path.backward):
                raise ValueError(f"{reason}; grids of their own can have each")

    def _baselines(self) -> set[Baseline]:
        own = {group.baseline for group in self.flows or () if group.baseline is not None}
        return own | set(self.baseline)

    def cells(self) -> Iterator["Cell"]:
        """Every combination, the first axis varying slowest."""
        settings = itertools.product(self.bundling, self.tcp, self.sctp, self.udp_lite)
        senders = itertools.product(self.baseline, self.mode, settings)
        lines = itertools.product(self._paths(), self.over_time)
        cells = itertools.product(senders, lines, self._streams())
        for sender, (path, over_time), stream in cells:
            baseline, mode, (bundling, tcp, sctp, udp_lite) = sender
            transport = Transport(
                baseline=baseline,
                mechanisms=mechanisms_of(mode),
                bundling=bundling,
                tcp=tcp,
                sctp=sctp,
                udp_lite=udp_lite,
            )
            yield Cell(transport.in_use, path, **stream, over_time=over_time)

    def _streams(self) -> Iterator[dict[str, Any]]:
        if self.flows is not None:
            yield {**NO_STREAM, "flows": self.flows}
        axes = (self.message_bytes or (), self.iat_ms or (), self.iat_spread_ms)
        for values in itertools.product(*axes, self.iat_distribution):
            yield dict(zip(NO_STREAM, values, strict=True))

    def _paths(self) -> Iterator[Path]:
        for written in self.path or ():
            yield written.resolved()
        for loss_share, rtt_ms in itertools.product(self.loss_share or (), self.rtt_ms or ()):
            yield plain_path(rtt_ms, loss_share)


def plain_path(rtt_ms: float, loss_share: float) -> Path:
    """The papers' kind of path: uniform loss and half of the round trip each way."""
    return Path.both_ways(Direction(delay_ms=rtt_ms / 2, loss_share=loss_share))


@dataclass(frozen=True)
class Cell:
    """One condition and stream, or flows; what its runs share."""

    transport: Transport
    path: Path
    message_bytes: int
    """0 where there are flows, and so are the times."""
    iat_ms: float
    iat_spread_ms: float
    iat_distribution: IatDistribution
    over_time: OverTime = UNCHANGING
    flows: tuple[FlowGroup, ...] = ()
    group: str = ""
    """Whose results, where there are flows: a group's, or those of all together."""

    def parts(self) -> tuple["Cell", ...]:
        """What has results of its own: each group, what comes back to it, and all together."""
        if not self.flows:
            return (self,)
        planned = flow_groups.plan(self.flows, LONGEST_MINUTES + 1)
        names = flow_groups.part_names(planned)
        return tuple(replace(self, group=name) for name in names)

    @property
    def baseline(self) -> Baseline:
        """The sender's."""
        return self.transport.baseline

    @property
    def mode(self) -> str:
        """The sender's mechanisms by their name."""
        return self.transport.mode

    @property
    def mode_label(self) -> str:
        """The mode, with the settings of what is in use that differ from the default."""
        transport = self.transport
        settings = (
            words.bundling(transport.bundling),
            self.tcp_label,
            words.sctp(transport.sctp),
            words.udp_lite(transport.udp_lite),
        )
        return ", ".join(filter(None, (self.mode, *settings)))

    @property
    def tcp_label(self) -> str:
        """TCP's settings in words, where they differ from the default."""
        return words.tcp(self.transport.tcp)

    @property
    def loss_share(self) -> float:
        """Uniform loss set towards the receiver."""
        return self.path.forward.loss_share

    @property
    def rtt_ms(self) -> float:
        """The path's."""
        return self.path.rtt_ms

    @cached_property
    def path_label(self) -> str:
        """The path in words, where there is more to it than loss and round trip."""
        plain = self.path == plain_path(self.rtt_ms, self.loss_share)
        named = "" if plain and not self.over_time.label else words.path(self.path)
        return ", ".join(filter(None, (named, self.over_time.label)))

    @property
    def surroundings(self) -> tuple[float | str, ...]:
        """Path and stream: what all modes and baselines are compared under."""
        # Seeds derive from this: what a path does not have adds nothing.
        whole = self.path.model_dump_json(exclude_defaults=True) if self.path_label else None
        return (
            self.loss_share,
            self.rtt_ms,
            self.message_bytes,
            self.iat_ms,
            self.iat_spread_ms,
            self.iat_distribution.value,
            *([] if whole is None else [whole]),
            *filter(None, [self.over_time.identity]),
            *([flow_groups.identity(self.flows)] if self.flows else []),
        )

    def surroundings_beside(self, axis: str) -> tuple[object, ...]:
        """The surroundings without one of the axes, and without the spread of the times."""
        stream = ("message_bytes", "iat_ms", "iat_distribution", "group")
        axes = ("loss_share", "rtt_ms", "path_label", *stream)
        return tuple(getattr(self, name) for name in axes if name != axis)

    @cached_property
    def address(self) -> str:
        """What the cell is called in addresses: the same for as long as it is the same condition.

        That of a group is its whole cell's, whose sessions it shares.
        """
        # Addresses derive from this: what could not be said then adds nothing.
        transport = self.transport
        newer = {"sctp"} if transport.sctp == Sctp() else set()
        newer |= {"tcp"} if transport.tcp == Tcp() else set()
        newer |= {"udp_lite"} if transport.udp_lite == UdpLite() else set()
        told = (transport.model_dump_json(exclude=newer), *self.surroundings)
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]

    @property
    def situation(self) -> tuple[float | str, ...]:
        """All but the mode: what modes are compared within."""
        further = filter(None, (self.tcp_label, self.group))
        return (self.baseline.value, *self.surroundings, *further)

    @property
    def compared_with(self) -> tuple[float | str, ...]:
        """What a cell has in common with the one in mode `off` that it is compared with."""
        transport = self.transport
        return (*self.situation, words.sctp(transport.sctp), words.udp_lite(transport.udp_lite))

    def seed(self, experiment_seed: int, run: int) -> int:
        """The emulator's and the stream's seed: the same for every mode and baseline."""
        return seeds.of_surroundings(experiment_seed, self.surroundings, run)

    def messages(self, minutes: float) -> int:
        """How many messages that many minutes of the one stream have."""
        if self.flows:
            return 0
        return max(1, round(minutes * 60_000 / self.iat_ms))


class _Check(Part):
    mode: OneOrMore[ResolvedMode] = (Mechanism.BUNDLING.value,)
    where: Where = Where()

    def looks_at(self, cell: Cell) -> bool:
        """Whether a cell is to be judged: default settings of bundling only."""
        plain = cell.transport.bundling == Bundling()
        return cell.mode in self.mode and plain and self.where.holds(cell)


class AsPublished(_Check):
    """A metric is as near to the published figure as asked."""

    check: Literal["as_published"]
    metric: str
    within: float = Field(gt=0)


class AgainstOff(_Check):
    """A metric is at most so many times what it is in mode `off`."""

    check: Literal["against_off"]
    metric: str
    at_most: float = Field(gt=0)
    of: str | None = Field(
        default=None, description="The metric of mode `off`, where it is another one."
    )


class AtLeast(_Check):
    """A metric is at least so much."""

    check: Literal["at_least"]
    metric: str
    at_least: float


class BundleArithmetic(_Check):
    """A first transmission carries as many messages as RTT and IAT leave unacknowledged."""

    check: Literal["bundle_arithmetic"]
    within_share: float = Field(gt=0, le=1)


class Crossing(_Check):
    """Bundling stops saving retransmissions where the IAT reaches RTO − RTT."""

    check: Literal["crossing"]
    within_ms: float = Field(gt=0)


class LinearTimes(_Check):
    """The waits before the second and third timeout of a segment, in units of the first."""

    check: Literal["linear_times"]
    mode: OneOrMore[ResolvedMode] = (Mechanism.LINEAR_TIMEOUTS.value,)
    at_most: float = Field(gt=0)


Check = Annotated[
    AsPublished | AgainstOff | AtLeast | BundleArithmetic | Crossing | LinearTimes,
    Field(discriminator="check"),
]


class Axis(StrEnum):
    """An axis that figures may have along the bottom."""

    LOSS_SHARE = auto()
    RTT_MS = auto()
    IAT_MS = auto()


class ExperimentDefinition(Part):
    """A grid of conditions × runs, and what is asked of the results."""

    name: Name
    title: Text
    description: Text
    seed: int = Field(ge=0, lt=2**63, description="All sessions' seeds derive from it.")
    runs: int = Field(ge=1, le=1_000)
    minutes: float = Field(gt=0, le=LONGEST_MINUTES, description="Virtual, of each run.")
    grids: tuple[Grid, ...] = Field(min_length=1)
    along: Axis | None = Field(default=None, description="Axis along the bottom of figures.")
    published: str | None = Field(
        default=None, description="File with published figures, beside this one."
    )
    panels: tuple[str, str, str, str] = Field(
        default=(
            "retransmitted_packet_share",
            "packet_payload_mean_bytes",
            "packets_against_off_share",
            "application_per_message_p99_us",
        ),
        description="Metrics up the sides of the figure along the axis.",
    )
    columns: tuple[str, ...] = Field(default=(), description="Metrics of the table.")
    figures: tuple[AskedFigure, ...] = Field(
        default=(), description="Figures of single runs, beside those that every experiment has."
    )
    retransmission_times: bool = Field(
        default=False, description="Read the times of repeated retransmissions off the captures."
    )
    checks: tuple[Check, ...] = ()

    @model_validator(mode="after")
    def _figures_can_be(self) -> Self:
        for asked in self.figures:
            groups = {group.name for grid in self.grids for group in grid.flows or ()}
            if unknown := set(asked.group) - groups:
                raise ValueError(
                    f"no flows are called `{min(unknown)}`, which the figure `{asked.name}` names: "
                    "name a group of the grids"
                )
            if isinstance(asked, Boxes):
                asked.places(self.cells())
        return self

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for cell in self.cells():
            if cell.messages(self.minutes) > MOST_MESSAGES:
                raise ValueError(
                    f"`minutes`: {self.minutes:g} minutes at an IAT of {cell.iat_ms:g} ms are more "
                    f"than {MOST_MESSAGES} messages; give fewer minutes"
                )
        for grid in self.grids:
            if grid.flows is not None:
                flow_groups.refuse_what_lasts_too_long(grid.flows, self.minutes)
                if self.retransmission_times:
                    raise ValueError(
                        "`retransmission_times` are read off one stream's capture; remove it, or "
                        "give `flows` an experiment of their own"
                    )
        return self

    def cells(self) -> list[Cell]:
        """The cells of all grids, each once, in order."""
        return list(dict.fromkeys(cell for grid in self.grids for cell in grid.cells()))
