"""A condition in words, the same wherever it is shown.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterable
from typing import Self

from pydantic import Field

from thinlab.condition import profiles
from thinlab.condition.path import Direction, Path
from thinlab.condition.reference import RecordedCondition, Reference, ReferenceKind
from thinlab.condition.transport import (
    ALL,
    ALL_OF_SCTP,
    OFF,
    PAPERS,
    RECOMMENDED,
    SETS,
    Baseline,
    Bundling,
    HiddenLossResponse,
    Mechanism,
    Protocol,
    Sctp,
    Tcp,
    Transport,
    UdpLite,
    in_order,
)
from thinlab.contract import registry
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.names import Codec
from thinlab.part import Part


class ConditionWords(Part):
    """A condition for people who read it in English."""

    mode: str = Field(description="The mechanisms, briefly.")
    sender: str = Field(description="Mechanisms, their settings and the baseline.")
    path: str = Field(description="Both directions, or the name of a path that has one.")
    there: str = Field(description="The path from sender to receiver.")
    back: str = Field(description="The path from receiver to sender.")

    @classmethod
    def of(cls, condition: RecordedCondition) -> Self:
        """The words for a condition."""
        if isinstance(condition, Reference):
            nothing = "nothing is sent"
            return cls(
                mode=reference(condition),
                sender=_NO_SENDER,
                path=nothing,
                there=nothing,
                back=nothing,
            )
        there, back = condition.path.forward, condition.path.backward
        return cls(
            mode=sender(condition.transport),
            sender=transport(condition.transport) + _codec(condition.codec),
            path=path(condition.path),
            there=direction(there),
            back=direction(back),
        )


_MECHANISMS = registry.values(pb.Mechanism.DESCRIPTOR)
_BASELINES = registry.values(pb.Baseline.DESCRIPTOR)
_DISCIPLINES = registry.values(pb.QueueDiscipline.DESCRIPTOR)
_CODECS = registry.values(pb.Codec.DESCRIPTOR)
_MODE_TITLES = {
    OFF: "Off",
    ALL: "All of the papers",
    RECOMMENDED: "Recommended",
    ALL_OF_SCTP: "All of SCTP",
}
_AS_IT_IS = {"en": "TCP as it is", "nb": "TCP slik det er"}


_NO_SENDER = "None: made of the clip directly"
_REFERENCES = {
    ReferenceKind.UNPROCESSED: "the clip itself",
    ReferenceKind.LOW_ANCHOR: "the clip below 3.5 kHz, the low anchor",
    ReferenceKind.MID_ANCHOR: "the clip below 7 kHz, the mid-range anchor",
}


def reference(one: Reference) -> str:
    """What is done to the clip, briefly."""
    if one.reference is ReferenceKind.MNRU:
        return f"modulated noise, Q = {one.q_db:g} dB"
    return _REFERENCES[one.reference]


def plainly(transport: Transport) -> dict[str, str]:
    """What a sender does, without a term, in the languages of the audience's page."""
    used = [_MECHANISMS[one].words for one in transport.mechanisms]
    if transport.protocol is not Protocol.TCP:
        used.insert(0, _BASELINES[transport.baseline].words)
    if not used:
        return _AS_IT_IS
    return {language: "; ".join(one[language].plainly for one in used) for language in _AS_IT_IS}


def title(of: Mechanism | Baseline) -> str:
    """What a switch or a choice is called."""
    if isinstance(of, Baseline):
        return _BASELINES[of].title
    return _begun(_MECHANISMS[of].title)


def _begun(told: str) -> str:
    """As a sentence begins. Not `capitalize`, which makes small letters of abbreviations."""
    return told[0].upper() + told[1:]


def mode(mechanisms: Iterable[Mechanism]) -> str:
    """`off`, `all`, all of SCTP, or the mechanisms one by one."""
    used = in_order(mechanisms)
    if not used:
        return OFF
    if used == PAPERS:
        return ALL
    # Eight names are too many for a lane's card; whatever has this name is on SCTP.
    if used == SETS[ALL_OF_SCTP]:
        return "all of SCTP"
    return " + ".join(_MECHANISMS[one].title for one in used)


def mode_title(name: str) -> str:
    """What the choice of a mode is called."""
    return _MODE_TITLES[name]


def bundling(settings: Bundling) -> str:
    """What of bundling's settings differs from the default; empty for the default."""
    words = []
    if settings.hidden_loss_response is HiddenLossResponse.REDUCE_WINDOW:
        words.append("reduces the window")
    if settings.hidden_loss_response is HiddenLossResponse.NONE:
        words.append("keeps the window")
    if settings.max_bytes:
        words.append(f"≤ {settings.max_bytes} bytes")
    if settings.max_packets:
        words.append(f"≤ {settings.max_packets} earlier")
    if settings.min_iat_ms is not None:
        words.append(f"from {settings.min_iat_ms:g} ms between segments")
    return ", ".join(words)


def tcp(settings: Tcp) -> str:
    """What of TCP's settings differs from the default; empty for the default."""
    return _told(
        (settings.window_bytes, f"window ≤ {settings.window_bytes} bytes"),
        (settings.initial_window_packets, f"begins with {settings.initial_window_packets}"),
    )


def sctp(settings: Sctp) -> str:
    """What of SCTP's settings differs from the default; empty for the default."""
    words = []
    if settings.streams > 1:
        words.append(f"{settings.streams} streams")
    if settings.unordered:
        words.append("unordered")
    if settings.sack_delay_ms is not None:
        words.append(
            f"SACKs after {settings.sack_delay_ms} ms" if settings.sack_delay_ms else "prompt SACKs"
        )
    return ", ".join(words)


def udp_lite(settings: UdpLite) -> str:
    """What of UDP-Lite's settings differs from the default; empty for the default."""
    return f"first {settings.covered_bytes} bytes covered" if settings.covered_bytes else ""


def _settings_of(transport: Transport) -> str:
    used = transport.in_use
    settings = (bundling(used.bundling), tcp(used.tcp), sctp(used.sctp), udp_lite(used.udp_lite))
    return ", ".join(filter(None, settings))


def _codec(codec: Codec) -> str:
    """What sound is coded as, where it is not what all was coded as once."""
    return "" if codec is Codec.OPUS else f"; sound as {_CODECS[codec].title}"


def sender(transport: Transport) -> str:
    """Mechanisms and settings of a sender, briefly; its baseline aside."""
    settings = _settings_of(transport)
    return mode(transport.mechanisms) + (f" ({settings})" if settings else "")


def transport(one: Transport) -> str:
    """A sender with its baseline, each mechanism by its name."""
    named = ", ".join(_MECHANISMS[each].title for each in one.mechanisms) or "no mechanism"
    settings = _settings_of(one)
    inside = f" ({settings})" if settings else ""
    return f"{_begun(named)}{inside}, on {_BASELINES[one.baseline].title}"


def path(one: Path) -> str:
    """The profile's title, or what the path does."""
    profile = profiles.of_path(one)
    return profile.title if profile else settings(one)


def settings(one: Path) -> str:
    """What a path does, briefly."""
    return _both_ways(one, direction)


def in_full(one: Path) -> str:
    """What a path does, with every number that is set: for whoever reads it elsewhere."""
    return _both_ways(one, _direction_in_full)


def direction(one: Direction) -> str:
    """What a path does in one direction, briefly."""
    bursts = one.gilbert_elliott is not None
    return _told(
        (True, f"{one.delay_ms:g} ms"),
        (one.jitter_ms, f"± {one.jitter_ms:g} ms"),
        (bursts, "losses in bursts"),
        (one.loss_share and not bursts, f"{_percent(one.loss_share)} lost"),
        (one.corrupt_share, f"{_percent(one.corrupt_share)} damaged"),
        (one.reorder_share, f"{_percent(one.reorder_share)} out of order"),
        (one.duplicate_share, f"{_percent(one.duplicate_share)} twice"),
        (one.rate_kbit_per_s, f"{one.rate_kbit_per_s:.10g} kbit/s"),
        (one.queue_discipline is not None, _discipline(one)),
        (one.ecn, "ECN"),
        (one.bit_errors is not None, _bit_errors(one)),
        (one.mtu_bytes, f"packets ≤ {one.mtu_bytes} bytes"),
    )


def _bit_errors(one: Direction) -> str:
    errors = one.bit_errors
    if errors is None:
        return ""
    if not errors.bad_ms:
        return f"bit errors, {errors.error_share_good:g} of bits"
    return f"bit errors, bad {_percent(round(errors.bad_share, 4))} of the time"


def _bit_errors_in_full(one: Direction) -> str:
    errors = one.bit_errors
    if errors is None:
        return ""
    if not errors.bad_ms:
        return f"bit errors ({errors.error_share_good:g} of bits flipped)"
    told = (
        f"bit errors (good for {errors.good_ms:g} ms with {errors.error_share_good:g} of bits "
        f"flipped, bad for {errors.bad_ms:g} ms with {errors.error_share_bad:g}, in ticks of "
        f"{errors.tick_ms:g} ms"
    )
    return told + (", by the state at a packet's end)" if errors.at_end else ")")


def _discipline(one: Direction) -> str:
    return _DISCIPLINES[one.queue_discipline].title if one.queue_discipline else ""


def _direction_in_full(one: Direction) -> str:
    return _told(
        (True, f"delay {one.delay_ms:g} ms"),
        (one.jitter_ms, f"jitter {one.jitter_ms:g} ms"),
        (True, _loss_in_full(one)),
        (one.rate_kbit_per_s, f"rate {one.rate_kbit_per_s:.10g} kbit/s"),
        (one.queue_packets, f"queue {one.queue_packets} packets"),
        (one.queue_bytes, f"queue {one.queue_bytes} bytes"),
        (one.queue_discipline is not None, _discipline(one)),
        (one.ecn, "ECN"),
        (one.corrupt_share, f"damage {_percent(one.corrupt_share)}"),
        (one.reorder_share, f"reordering {_percent(one.reorder_share)}"),
        (one.duplicate_share, f"duplication {_percent(one.duplicate_share)}"),
        (one.bit_errors is not None, _bit_errors_in_full(one)),
        (one.mtu_bytes, f"MTU {one.mtu_bytes} bytes"),
    )


def _loss_in_full(one: Direction) -> str:
    bursts = one.gilbert_elliott
    if bursts is None:
        return f"loss {_percent(one.loss_share)}"
    return (
        f"loss in bursts (they begin with {_percent(bursts.good_to_bad_share)} and end with "
        f"{_percent(bursts.bad_to_good_share)} of packets, {_percent(bursts.loss_share_bad)} "
        f"are lost in one and {_percent(bursts.loss_share_good)} between)"
    )


def _told(*parts: tuple[float | None, str]) -> str:
    """Of pairs of a setting and its words, those whose setting is not nought."""
    return ", ".join(words for setting, words in parts if setting)


def _both_ways(one: Path, words: Callable[[Direction], str]) -> str:
    there, back = words(one.forward), words(one.backward)
    return f"each way {there}" if there == back else f"there {there}; back {back}"


def _percent(share: float) -> str:
    return f"{share * 100:g} %"
