"""A demo's settings in words, for its events and its lanes' names.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.demo.presets import PRESETS, preset_of
from thinlab.demo.setting import (
    ClipStream,
    DemoDirection,
    DemoLane,
    DemoPath,
    DemoSettings,
    DemoStream,
    MicrophoneStream,
    SyntheticStream,
)
from thinlab.study.condition import Mechanism

LETTERS = "ABCD"
_MECHANISMS = {
    Mechanism.LINEAR_TIMEOUTS: "linear timeouts",
    Mechanism.EARLY_FAST_RETRANSMIT: "early fast retransmit",
    Mechanism.BUNDLING: "bundling",
}
# For a room: what a mechanism changes, in the languages of the audience's page.
_PLAINLY = {
    Mechanism.LINEAR_TIMEOUTS: {
        "en": "waits no longer after each lost try",
        "nb": "venter ikke lenger for hvert forsøk som går tapt",
    },
    Mechanism.EARLY_FAST_RETRANSMIT: {
        "en": "repairs at the first sign of a loss",
        "nb": "retter opp ved første tegn på et tap",
    },
    Mechanism.BUNDLING: {
        "en": "lets each packet carry again what is not confirmed yet",
        "nb": "lar hver pakke ta med det som ikke er bekreftet ennå",
    },
}
_AS_IT_IS = {"en": "TCP as it is", "nb": "TCP slik det er"}


def plainly(mechanisms: list[Mechanism]) -> dict[str, str]:
    """What a lane's sender does, without a term, by language."""
    if not mechanisms:
        return _AS_IT_IS
    return {
        language: "; ".join(_PLAINLY[one][language] for one in Mechanism if one in mechanisms)
        for language in _AS_IT_IS
    }


def lane_names(lanes: list[DemoLane]) -> list[str]:
    """A name for each: as given, or by what it does; the baseline where they differ in it."""
    differ = len({lane.baseline for lane in lanes}) > 1
    return [
        lane.name
        or mechanisms_words(lane.mechanisms) + (f", {lane.baseline.value}" if differ else "")
        for lane in lanes
    ]


def mechanisms_words(mechanisms: list[Mechanism]) -> str:
    """The mode, or the mechanisms one by one."""
    if not mechanisms:
        return "off"
    if set(mechanisms) == set(Mechanism):
        return "all"
    return " + ".join(_MECHANISMS[one] for one in Mechanism if one in mechanisms)


def lane_words(lane: DemoLane, before: DemoLane | None = None) -> str:
    """What a lane's sender does; its baseline where that is another than before."""
    words = mechanisms_words(lane.mechanisms)
    same = before is not None and before.baseline is lane.baseline
    return words if same else f"{words} on {lane.baseline.value}"


def brief(reason: str) -> str:
    """Without a dead guest's console, which is for the log: a room reads this on every chart."""
    first, _, _ = reason.partition("\n")
    return first.removesuffix("; its console ends with:")


def take_words(settings: DemoSettings, letters: list[str]) -> str:
    """What a take shows; `letters`: what each lane is called."""
    names = zip(letters, lane_names(settings.lanes), strict=True)
    *most, last = sorted(f"{letter} ({name})" for letter, name in names)
    lanes = f"{', '.join(most)} and {last}" if most else last
    return f"{stream_words(settings.stream)} over {lanes}. {path_words(settings.path)}."


def path_words(path: DemoPath) -> str:
    """The preset's title, or what the path does."""
    name = preset_of(path)
    if name is not None:
        return next(preset.title for preset in PRESETS if preset.name == name)
    if path.forward == path.backward:
        return f"each way {_direction_words(path.forward)}"
    return f"there {_direction_words(path.forward)}; back {_direction_words(path.backward)}"


def _direction_words(direction: DemoDirection) -> str:
    parts = [f"{direction.delay_ms:g} ms"]
    if direction.jitter_ms:
        parts.append(f"± {direction.jitter_ms:g} ms")
    if direction.gilbert_elliott is not None:
        parts.append("losses in bursts")
    elif direction.loss_share:
        parts.append(f"{direction.loss_share * 100:g} % lost")
    if direction.corrupt_share:
        parts.append(f"{direction.corrupt_share * 100:g} % damaged")
    if direction.rate_kbit_per_s:
        parts.append(f"{direction.rate_kbit_per_s} kbit/s")
    return ", ".join(parts)


def stream_words(stream: DemoStream) -> str:
    """What is sent."""
    if isinstance(stream, ClipStream):
        return stream.clip
    if isinstance(stream, MicrophoneStream):
        return "the microphone"
    if isinstance(stream, SyntheticStream):
        return f"{stream.payload_bytes} bytes every {stream.iat_ms:g} ms"
    return f"a terminal with {stream.editor.value}"
