"""The participant's network and clock, as probes find them.

A probe leaves by the server's clock, the page answers at once with its own, and
the answer comes back by the server's. Of many, the fastest tell the offset of
the page's clock best: what the network adds to one direction only is bounded
by the round trip.

SPDX-License-Identifier: Apache-2.0
"""

import statistics
from collections import deque
from dataclasses import dataclass

# Clocks drift by some parts in a hundred thousand: a few ms in a session. The fastest probe
# of each window shows it.
WINDOW_US = 10_000_000
# An answer that takes longer counts as lost.
LOST_AFTER_US = 2_000_000
SAMPLES_LIMIT = 20_000


@dataclass(frozen=True)
class Sample:
    """One probe that was answered."""

    sent_us: int
    received_us: int
    page_us: int

    @property
    def rtt_us(self) -> int:
        """There and back."""
        return self.received_us - self.sent_us

    @property
    def offset_us(self) -> float:
        """The page's clock minus the server's, if both directions took equally long."""
        return self.page_us - (self.sent_us + self.received_us) / 2


@dataclass(frozen=True)
class NetworkFound:
    """What the probes found."""

    probes: int
    rtt_p50_ms: float
    rtt_p95_ms: float
    lost_share: float

    @property
    def jitter_ms(self) -> float:
        """From the median to the 95th percentile of the round trip."""
        return self.rtt_p95_ms - self.rtt_p50_ms


@dataclass(frozen=True)
class PageClock:
    """The page's clock on the server's: a straight line, fitted to the fastest probes."""

    at_us: float
    offset_us: float
    drift_share: float
    uncertainty_us: float
    """Half of the fastest round trip: so far can one direction be from the other."""

    def on_server(self, page_us: float) -> float:
        """An instant of the page by the server's clock."""
        guess_us = page_us - self.offset_us
        return page_us - self.offset_us - self.drift_share * (guess_us - self.at_us)


class NetworkMeter:
    """Keeps what probes find over one link."""

    def __init__(self) -> None:
        self.samples: deque[Sample] = deque(maxlen=SAMPLES_LIMIT)
        self._under_way: dict[int, int] = {}
        self._number = 0
        self._lost = 0

    def sent(self, now_us: int) -> int:
        """A probe leaves; its number."""
        self._number += 1
        self._under_way[self._number] = now_us
        self._give_up(now_us)
        return self._number

    def answered(self, number: int, page_us: int, now_us: int) -> None:
        """An answer came; one that is not awaited, or no longer, tells nothing."""
        self._give_up(now_us)
        if (sent_us := self._under_way.pop(number, None)) is not None:
            self.samples.append(Sample(sent_us, now_us, page_us))

    def _give_up(self, now_us: int) -> None:
        for number in [n for n, at in self._under_way.items() if at < now_us - LOST_AFTER_US]:
            del self._under_way[number]
            self._lost += 1

    @property
    def under_way(self) -> int:
        """Probes that may still be answered."""
        return len(self._under_way)

    def found(self) -> NetworkFound | None:
        """What there is so far; none without two answers."""
        if len(self.samples) < 2:  # noqa: PLR2004 (quantiles need two)
            return None
        rtts_ms = [sample.rtt_us / 1000 for sample in self.samples]
        hundredths = statistics.quantiles(rtts_ms, n=100, method="inclusive")
        done = len(rtts_ms) + self._lost
        return NetworkFound(done, hundredths[49], hundredths[94], self._lost / done)

    def recent_rtt_ms(self) -> float | None:
        """Median of the last few round trips."""
        last = list(self.samples)[-10:]
        return statistics.median(sample.rtt_us for sample in last) / 1000 if last else None

    def page_clock(self) -> PageClock | None:
        """The page's clock; none without an answer."""
        if not self.samples:
            return None
        fastest: dict[int, Sample] = {}
        for sample in self.samples:
            window = sample.sent_us // WINDOW_US
            if window not in fastest or sample.rtt_us < fastest[window].rtt_us:
                fastest[window] = sample
        best = min(fastest.values(), key=lambda sample: sample.rtt_us)
        # A window whose fastest was slow says more of the network than of the clock.
        kept = [one for one in fastest.values() if one.rtt_us <= 2 * best.rtt_us]
        drift_share = 0.0
        if len(kept) > 2:  # noqa: PLR2004 (a line through two points would fit anything)
            drift_share = statistics.linear_regression(
                [float(one.sent_us) for one in kept], [one.offset_us for one in kept]
            ).slope
        at_us = statistics.fmean(one.sent_us for one in kept)
        offset_us = statistics.fmean(one.offset_us for one in kept)
        if not drift_share:
            at_us, offset_us = float(best.sent_us), best.offset_us
        return PageClock(at_us, offset_us, drift_share, best.rtt_us / 2)
