"""What a typing session says of its typist and of what they felt. Pure.

Made of the keys' clock lines once, when a session ends, and kept with it.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field
from rapidfuzz.distance import Levenshtein

from thinlab.monitoring.rhythm import Rhythm
from thinlab.study.task import HoldTask, Task, wanted_text

# A key that repeats so often was held on purpose; a shorter run is a finger that was slow.
LEAST_REPEATS = 3
# What one frame shows bears one instant of the page. Presses are placed on the server's clock, so
# their sums differ by what the clocks drift meanwhile, which is microseconds; frames of the fastest
# screens are 2 ms apart.
ONE_FRAME_US = 1_000


class KeyLine(Protocol):
    """As much of a keystroke as the measures need."""

    @property
    def number(self) -> int:
        """The key's place in its session, from 1."""

    @property
    def kind(self) -> str:
        """One of `thinlab.live.messages.KeyKind`."""

    @property
    def repeat(self) -> bool:
        """Whether it came because the key was held."""

    @property
    def pressed_us(self) -> int:
        """When it was pressed, in µs since the terminal was ready."""

    @property
    def released_us(self) -> int | None:
        """When the finger left it, in µs since the press; None: unseen."""

    @property
    def key_written_us(self) -> int | None:
        """When SSH's packet was in the sender's socket, in µs since the press; None: unseen."""

    @property
    def echo_delivered_us(self) -> int | None:
        """When its echo was read from the sender's socket, in µs since the press; None: unseen."""

    @property
    def screen_us(self) -> int | None:
        """When the SSH client wrote the echo, in µs since the press; None: unseen."""

    @property
    def painted_us(self) -> int | None:
        """When the glyph was painted, in µs since the press; None: unseen."""

    @property
    def key_recovery(self) -> str | None:
        """What brought the key when its first copy was lost; None: not known."""

    @property
    def echo_recovery(self) -> str | None:
        """What brought its echo when the first copy was lost; None: not known."""


class Part(BaseModel):
    """A piece of the measures: what is stored stays as it is."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class EchoTimes(Part):
    """How long keys took to be seen; of nothing, all are null."""

    keys: int = Field(title="Keys", description="keys that got there")
    p50_ms: float | None = Field(default=None, title="Median", description="median")
    p95_ms: float | None = Field(default=None, title="95 %", description="95th percentile")
    p99_ms: float | None = Field(default=None, title="99 %", description="99th percentile")
    max_ms: float | None = Field(default=None, title="Highest", description="highest")


class Holding(Part):
    """Keys that were held down."""

    count: int = Field(description="keys held until they repeated")
    after_release_p50: float | None = Field(
        default=None, description="glyphs of a held key that appeared after its release, median"
    )
    after_release_max: int | None = Field(
        default=None, description="glyphs of a held key that appeared after its release, most"
    )
    overshoot_p50: float | None = Field(
        default=None, description="glyphs of a hold less the mark's column, median; below 0: short"
    )
    overshoot_max: int | None = Field(
        default=None, description="glyphs of a hold less the mark's column, highest"
    )


class Bursts(Part):
    """Keys pressed apart that appeared at once."""

    count: int = Field(
        title="Bursts of keys", description="times that several keys appeared at once"
    )
    keys_max: int = Field(title="Most keys at once", description="most keys that appeared at once")


class Recoveries(Part):
    """What brought keys, or echoes, whose first copy was lost."""

    bundle: int = Field(description="brought by a bundle")
    fast: int = Field(description="brought by a retransmission after duplicate or selective ACKs")
    timeout: int = Field(description="brought by a retransmission of the timer")
    never: int = Field(description="that never came")


class Measures(Part):
    """A session, as its typist made and felt it."""

    keys: int = Field(description="keydowns, repeats of held keys included")
    character_keys: int = Field(description="of those, that write a character")
    repeats: int = Field(description="of those, that came because a key was held")
    corrections: int = Field(description="backspaces, repeats included")
    inter_key_p50_ms: float | None = Field(
        default=None, description="median time between keydowns, repeats left out"
    )
    errors_left: int | None = Field(
        default=None,
        description="edit distance from the text in the end to the text asked for; none where "
        "anything is right",
    )
    holding: Holding
    bursts: Bursts
    echo: EchoTimes = Field(title="Key to glyph", description="keydown to glyph painted")
    echo_screen: EchoTimes = Field(
        title="Key to terminal", description="keydown to the echo read from the terminal"
    )
    lane_share_p50: float | None = Field(
        default=None,
        description="of keydown to glyph, what passed between the key's write to the sender's "
        "socket and its echo there; median",
    )
    key_recoveries: Recoveries = Field(description="keys, sender to receiver")
    echo_recoveries: Recoveries = Field(description="echoes, receiver to sender")
    rhythm: Rhythm | None = Field(
        default=None, description="when characters were pressed; none where too few were"
    )


def measures_of(
    task: Task,
    language: str,
    keys: Sequence[KeyLine],
    final_text: str | None,
    rhythm: Rhythm | None = None,
) -> Measures:
    """A session's measures; `keys` in the order of their numbers."""
    pressed = [key for key in keys if not key.repeat]
    gaps_us = [after.pressed_us - before.pressed_us for before, after in pairwise(pressed)]
    shares = [share for key in keys if (share := _lane_share(key)) is not None]
    return Measures(
        keys=len(keys),
        character_keys=sum(key.kind == "character" for key in keys),
        repeats=sum(key.repeat for key in keys),
        corrections=sum(key.kind == "backspace" for key in keys),
        inter_key_p50_ms=_ms(_quantile(gaps_us, 0.5)),
        errors_left=_errors_left(task, language, final_text),
        holding=_holding(task, keys),
        bursts=_bursts(keys),
        echo=_echo_times(key.painted_us for key in keys),
        echo_screen=_echo_times(key.screen_us for key in keys),
        lane_share_p50=_quantile(shares, 0.5),
        key_recoveries=_recoveries(key.key_recovery for key in keys),
        echo_recoveries=_recoveries(key.echo_recovery for key in keys),
        rhythm=rhythm,
    )


def _quantile(samples: Sequence[float], share: float) -> float | None:
    """Nearest rank: the smallest sample that at least the share lies at or below."""
    if not samples:
        return None
    rank = -(-len(samples) * round(share * 1000) // 1000)
    return sorted(samples)[max(rank, 1) - 1]


def _ms(time_us: float | None) -> float | None:
    return None if time_us is None else time_us / 1000


def _echo_times(times_us: Iterable[int | None]) -> EchoTimes:
    seen = [time for time in times_us if time is not None]
    return EchoTimes(
        keys=len(seen),
        p50_ms=_ms(_quantile(seen, 0.5)),
        p95_ms=_ms(_quantile(seen, 0.95)),
        p99_ms=_ms(_quantile(seen, 0.99)),
        max_ms=_ms(max(seen, default=None)),
    )


def _lane_share(key: KeyLine) -> float | None:
    if key.key_written_us is None or key.echo_delivered_us is None or not key.painted_us:
        return None
    return (key.echo_delivered_us - key.key_written_us) / key.painted_us


def _recoveries(kinds: Iterable[str | None]) -> Recoveries:
    counts = Counter(kinds)
    return Recoveries(**{name: counts[name] for name in Recoveries.model_fields})


def _errors_left(task: Task, language: str, final_text: str | None) -> int | None:
    if isinstance(task, HoldTask) and final_text is not None:
        return _errors_held(task, final_text)
    wanted = wanted_text(task, language)
    if wanted is None or final_text is None:
        return None
    # What an editor adds at the end of a file is nobody's error.
    return Levenshtein.distance(wanted.rstrip(), final_text.rstrip())


def _errors_held(task: HoldTask, final_text: str) -> int:
    """Wherever the lines stand: Enter, the natural key, pushes a mark below the next one."""
    filled = task.key * task.mark_column
    lines = [line for line in final_text.splitlines() if line.strip() not in ("", "^")]
    pairs = zip_longest([filled] * task.repeats, lines, fillvalue="")
    return sum(Levenshtein.distance(wanted, line) for wanted, line in pairs)


def _holding(task: Task, keys: Sequence[KeyLine]) -> Holding:
    holds = _holds(keys)
    late = [after for run in holds if (after := _after_release(run)) is not None]
    beyond = [len(run) - task.mark_column for run in holds] if isinstance(task, HoldTask) else []
    return Holding(
        count=len(holds),
        after_release_p50=_quantile(late, 0.5),
        after_release_max=max(late, default=None),
        overshoot_p50=_quantile(beyond, 0.5),
        overshoot_max=max(beyond, default=None),
    )


def _holds(keys: Sequence[KeyLine]) -> list[list[KeyLine]]:
    """Runs of one key and its repeats."""
    runs: list[list[KeyLine]] = []
    for key in keys:
        if key.repeat and runs and runs[-1][-1].kind == key.kind:
            runs[-1].append(key)
        else:
            runs.append([key])
    return [run for run in runs if run[0].kind == "character" and len(run) > LEAST_REPEATS]


def _after_release(run: Sequence[KeyLine]) -> int | None:
    """How many of a hold's glyphs were painted when the finger was off already."""
    releases = [key.pressed_us + key.released_us for key in run if key.released_us is not None]
    if not releases:
        return None
    released_us = max(releases)
    painted = [key.pressed_us + key.painted_us for key in run if key.painted_us is not None]
    return sum(at_us > released_us for at_us in painted)


def _bursts(keys: Sequence[KeyLine]) -> Bursts:
    painted_us = sorted(
        key.pressed_us + key.painted_us for key in keys if key.painted_us is not None
    )
    frames = [1] if painted_us else []
    for before_us, at_us in pairwise(painted_us):
        if at_us - before_us > ONE_FRAME_US:
            frames.append(0)
        frames[-1] += 1
    return Bursts(count=sum(keys > 1 for keys in frames), keys_max=max(frames, default=0))
