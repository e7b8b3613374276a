"""What a presenter should know before believing what they see: rules, and what was measured.

The rules are those of docs/kernel.md, each with its reason. They say what to
expect of these settings, never that something is so: that, only figures do.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from math import ceil
from typing import Any

from thinlab.condition.transport import TAKES_DAMAGE, Baseline, Mechanism
from thinlab.contract.generated.names import PROTOCOL_OF_BASELINE, Codec, Protocol
from thinlab.demo.setting import DemoLane, DemoSettings
from thinlab.demo.state import Advice, AdviceKind
from thinlab.demo.stream import SoundStream, TerminalStream

THIN_PACKETS_IN_FLIGHT = 4
# The kernel's least RTO.
LEAST_RTO_MS = 200.0
# So far apart lanes may be by themselves at the ear: less is no difference.
LEAST_DIFFERENCE_MS = 20.0


def settings_advice(settings: DemoSettings) -> list[Advice]:
    """What these settings can show."""
    return [
        Advice(kind=AdviceKind.SETTINGS, text=text, reason=reason)
        for text, reason in (
            *_of_the_path(settings),
            *_of_damage(settings),
            *_of_the_lanes(settings),
        )
    ]


def _of_the_path(settings: DemoSettings) -> list[tuple[str, str]]:
    found = []
    if not any(one.loses for one in (settings.path.forward, settings.path.backward)):
        found.append(
            (
                "Nothing is lost on this path: no difference between the lanes is to be expected.",
                "The mechanisms act on losses alone.",
            )
        )
    if settings.path.forward.jitter_ms > settings.path.forward.delay_ms / 4:
        found.append(
            (
                "Delays vary so much that packets overtake each other.",
                "Early fast retransmit and RACK can take that for losses.",
            )
        )
    return found


def _of_damage(settings: DemoSettings) -> list[tuple[str, str]]:
    path, stream = settings.path, settings.stream
    if not any(map(_hands_damage_over, settings.lanes)):
        return []
    if not any(one.bit_errors or one.corrupt_share for one in (path.forward, path.backward)):
        return [
            (
                "Nothing is damaged on this path: no damage is to be heard or counted.",
                "TCP Lite and UDP-Lite act on damaged packets alone.",
            )
        ]
    if isinstance(stream, SoundStream) and stream.codec is Codec.OPUS:
        return [
            (
                "Damaged sound is left out, not heard: choose G.711 for the stream to hear it.",
                "Nothing of use is left of a damaged packet of Opus; of G.711 a sample is wrong.",
            )
        ]
    return []


def _hands_damage_over(lane: DemoLane) -> bool:
    takes_damage = any(one in TAKES_DAMAGE for one in lane.mechanisms)
    return takes_damage or lane.protocol is Protocol.UDP_LITE


def _of_the_lanes(settings: DemoSettings) -> list[tuple[str, str]]:
    lanes = settings.lanes
    found: list[tuple[str, str]] = []
    if len(lanes) < 2:  # noqa: PLR2004 (one has nothing beside it)
        return found
    senders = [
        (lane.baseline, lane.mechanisms, lane.in_use.bundling, lane.in_use.sctp) for lane in lanes
    ]
    if len(set(senders)) == 1:
        found.append(
            ("All lanes have the same sender: no difference is to be expected.", "A control.")
        )
        return found
    baselines = {lane.baseline for lane in lanes}
    if any(map(_hands_damage_over, lanes)):
        # What is damaged, late or missing there is what there is to hear.
        return found
    if len(baselines) > 1:
        found.append(_of_different(baselines))
        return found
    (baseline,) = baselines
    return _of_mechanisms(settings, baseline, _differing(lanes))


def _of_mechanisms(
    settings: DemoSettings, baseline: Baseline, differ: set[Mechanism]
) -> list[tuple[str, str]]:
    lanes = settings.lanes
    found: list[tuple[str, str]] = []
    iat_ms, rtt_ms = settings.stream.message_iat_ms, settings.path.rtt_ms
    many = iat_ms is not None and ceil(rtt_ms / iat_ms) >= THIN_PACKETS_IN_FLIGHT
    if PROTOCOL_OF_BASELINE[baseline] is Protocol.SCTP:
        found += _over_sctp(many=many)
    elif differ == {Mechanism.BUNDLING_DEPTH}:
        found += _with_a_bundling_depth(lanes)
    elif differ and differ <= {Mechanism.EARLY_PROBE, Mechanism.TAIL_COPY}:
        found += _with_repairs_of_the_tail(baseline, many=many)
    elif differ == {Mechanism.WRITE_RECOVERY}:
        found += _with_a_write_recovery(lanes, many=many)
    elif differ == {Mechanism.WINDOW_FLOOR}:
        found += _with_a_window_floor(baseline, many=many)
    elif not differ & {Mechanism.BUNDLING, Mechanism.WINDOW_FLOOR}:
        found += _without_bundling(baseline, differ, many=many)
    elif Mechanism.BUNDLING in differ and iat_ms is not None and iat_ms > LEAST_RTO_MS + rtt_ms:
        found.append(
            (
                "Bundling switches itself off: messages are too far apart.",
                f"Above an IAT of {LEAST_RTO_MS + rtt_ms:.0f} ms (least RTO + RTT) it cannot help.",
            )
        )
    return found


def _of_different(baselines: set[Baseline]) -> tuple[str, str]:
    protocols = {PROTOCOL_OF_BASELINE[one] for one in baselines}
    if len(protocols) > 1:
        return (
            "The lanes differ in their protocol: not every difference is the mechanisms'.",
            "UDP sends nothing again: what is lost stays away, and nothing waits for it."
            if Protocol.UDP in protocols
            else "SCTP waits a second before it sends again, TCP a fifth of one.",
        )
    return (
        "The lanes differ in their baseline: not every difference is the mechanisms'.",
        "RACK, TLP and F-RTO repair losses, too; newreno2008 has none of them.",
    )


def _over_sctp(*, many: bool) -> list[tuple[str, str]]:
    if not many:
        return []
    return [
        (
            "No difference is to be expected: the stream is too thick for SCTP's mechanisms.",
            "All act only with fewer than four packets in flight; RTT ÷ IAT is four or more.",
        )
    ]


def _differing(lanes: Sequence[DemoLane]) -> set[Mechanism]:
    """Mechanisms that some lanes have and others have not."""
    return {
        mechanism
        for mechanism in Mechanism
        if len({mechanism in lane.mechanisms for lane in lanes}) > 1
    }


def _with_a_window_floor(baseline: Baseline, *, many: bool) -> list[tuple[str, str]]:
    if baseline is Baseline.BBR:
        return [
            (
                "No difference is to be expected: BBR has no threshold that a floor could hold.",
                "The window floor acts where a loss halves the window.",
            )
        ]
    if not many:
        return [
            (
                "Hardly a difference is to be expected: the stream needs a small window only.",
                "The window floor acts with four packets or more in flight; RTT ÷ IAT is less.",
            )
        ]
    return []


def _with_a_bundling_depth(lanes: Sequence[DemoLane]) -> list[tuple[str, str]]:
    if not any(Mechanism.BUNDLING in lane.mechanisms for lane in lanes):
        return [
            (
                "No difference is to be expected: no lane bundles.",
                "The bundling depth decides how much bundles carry.",
            )
        ]
    return [
        (
            "Hardly a difference is to be heard: look at the bytes that are sent.",
            "The bundling depth saves most of what bundles repeat, and repairs nearly as much.",
        )
    ]


def _with_a_write_recovery(lanes: Sequence[DemoLane], *, many: bool) -> list[tuple[str, str]]:
    if not any(Mechanism.BUNDLING in lane.mechanisms for lane in lanes):
        return [
            (
                "No difference is to be expected: no lane bundles.",
                "After a timeout, write recovery lets new data carry what is missing.",
            )
        ]
    if many:
        return [
            (
                "No difference is to be expected: the stream is too thick for write recovery.",
                "It acts only with fewer than four packets in flight; RTT ÷ IAT is four or more.",
            )
        ]
    return [
        (
            "Hardly a difference is to be expected: it acts after a timeout, which is rare.",
            "Bundles repair most losses before.",
        )
    ]


def _with_repairs_of_the_tail(baseline: Baseline, *, many: bool) -> list[tuple[str, str]]:
    if baseline is Baseline.NEWRENO2008:
        return [
            (
                "No difference is to be expected on newreno2008, which has no loss probes.",
                "Early probe and tail copy use the timer of tail loss probes.",
            )
        ]
    if many:
        return [
            (
                "No difference is to be expected: the stream is too thick for these mechanisms.",
                "Both act only with fewer than four packets in flight; RTT ÷ IAT is four or more.",
            )
        ]
    return []


def _without_bundling(
    baseline: Baseline, differ: set[Mechanism], *, many: bool
) -> list[tuple[str, str]]:
    if many:
        return [
            (
                "No difference is to be expected: the stream is too thick for these mechanisms.",
                "Both act only with fewer than four packets in flight; RTT ÷ IAT is four or more.",
            )
        ]
    if baseline is not Baseline.NEWRENO2008:
        return [
            (
                f"Hardly a difference is to be expected on {baseline.value}.",
                "RACK and TLP repair losses before the retransmission timer expires.",
            )
        ]
    if differ == {Mechanism.LINEAR_TIMEOUTS}:
        return [
            (
                "A difference shows only where several packets in a row are lost.",
                "Linear timeouts change the second timeout of a row and those after it.",
            )
        ]
    return []


def measured_advice(
    lanes: Sequence[str], last_minute: Sequence[dict[str, Any] | None], settings: DemoSettings
) -> list[Advice]:
    """The lanes of the last minute beside the first one, which all had these settings.

    `lanes`: what each is called before the room.
    """
    what = "echoes of keys" if isinstance(settings.stream, TerminalStream) else "messages"
    p99s = [_p99_ms(figures, settings) for figures in last_minute]
    if len(p99s) < 2 or p99s[0] is None:  # noqa: PLR2004 (one has nothing beside it)
        return []
    found = []
    for lane, p99_ms in enumerate(p99s[1:], 1):
        if p99_ms is None:
            continue
        difference_ms = p99_ms - p99s[0]
        if abs(difference_ms) < LEAST_DIFFERENCE_MS:
            text = (
                f"No difference so far: over {lanes[0]} and {lanes[lane]} 99 of 100 {what} arrive "
                f"within {max(p99_ms, p99s[0]):.0f} ms."
            )
        else:
            how = "quicker" if difference_ms < 0 else "slower"
            text = (
                f"{lanes[lane]} is {how}: 99 of 100 {what} arrive within {p99_ms:.0f} ms, "
                f"over {lanes[0]} within {p99s[0]:.0f} ms."
            )
        found.append(
            Advice(
                kind=AdviceKind.MEASURED,
                text=text,
                reason="Messages of the last minute, with these settings all along.",
            )
        )
    return found


def _p99_ms(figures: dict[str, Any] | None, settings: DemoSettings) -> float | None:
    """Of the latency that is felt: of a message, or of a key's echo."""
    if figures is None:
        return None
    if isinstance(settings.stream, TerminalStream):
        distribution = figures["felt"]["sojourn"]
    else:
        distribution = figures["metrics"]["application"]["per_message"]
    return distribution["p99_us"] / 1000 if distribution["samples"] else None
