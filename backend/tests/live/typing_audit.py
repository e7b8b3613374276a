"""The check that no link tells a participant how a session is made, or which kind of trial it is.

Somebody takes a whole typing study over links, presses the same keys in every
session, and keeps every frame as it came. Searched are the words of
`tests/web`, in frames, and in what the terminal shows; compared are the
sessions with each other, as the page can tell them apart without looking at a
clock: opening, stages with their reasons and numbers, keys of messages in
their order, the first screen byte by byte, and what the screen comes to.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.live.page import Page
from tests.made_up import TYPED, Participant
from tests.web.audited import WORDS
from tests.web.blinding import Exchange, leaks_in, record, trial_differences

# The participant's own network is told to them in these words, and no other's.
OWN_NETWORK = re.compile(r'"(?:rtt_ms|jitter_ms|lost_share)":')
# Programs of the terminal: they are given, and the same for everybody.
SHOWN_TO_ALL = re.compile(r"\[ (?:Wrote|Read) \d+ lines? \]")
STRING = re.compile(r"\x1b[\]PX^_].*?(?:\x07|\x1b\\)", re.DOTALL)

Turn = Callable[[Participant, dict[str, Any], str], Any]


@dataclass
class Seen:
    """One session as its page saw it."""

    position: int
    place: str
    training: bool
    frames: list[str]
    opening: list[str] = field(default_factory=list)
    stages: list[str] = field(default_factory=list)
    shapes: list[str] = field(default_factory=list)
    """Of messages and frames: names in their order; each once, as it first came."""
    before_keys: str = ""
    """All that was on the screen before the first key."""
    screens_before_keys: int = 0
    text: str = ""

    @property
    def name(self) -> str:
        """For whoever reads of a leak."""
        return f"trial {self.position}, {self.place}"

    @classmethod
    def of(cls, page: Page, trial: dict[str, Any], place: str) -> "Seen":
        """What a page kept."""
        seen = cls(trial["position"], place, trial["training"], list(page.frames))
        seen.opening = [json.dumps(one) for one in page.openings]
        first_frame = [json.loads(text) for text in page.frames]
        for frame in first_frame:
            _once(seen.shapes, f"frame {sorted_out(frame)}")
            for part in ("opening", "probe"):
                if frame.get(part) is not None:
                    _once(seen.shapes, f"{part} {list(frame[part])}")
        for message in page.said:
            _once(seen.shapes, f"{message['type']} {list(message)}")
            if message["type"] == "screen":
                if not message["answers_key"]:
                    seen.before_keys += message["data"]
                    seen.screens_before_keys += 1
                seen.text += message["data"]
            else:
                seen.stages.append(json.dumps(message))
        return seen


def sorted_out(frame: dict[str, Any]) -> list[str]:
    """A frame's names in their order; a probe and an opening come when they come."""
    return [name for name in frame if name not in {"probe", "opening"}]


def _once(known: list[str], one: str) -> None:
    if one not in known:
        known.append(one)


@dataclass
class TypingAudit:
    """What a participant's browser got of a whole study that is typed."""

    exchanges: list[Exchange] = field(default_factory=list)
    opaque: set[str] = field(default_factory=set)
    trials: list[dict[str, Any]] = field(default_factory=list)
    sessions: list[Seen] = field(default_factory=list)

    def leaks(self) -> list[str]:
        """All that is found against the blinding."""
        found = [leak for one in self.exchanges for leak in leaks_in(one, WORDS, self.opaque)]
        for seen in self.sessions:
            found += self._words(seen)
            found += strings_in(seen)
        for trials in _by_practice(self.trials):
            for other in trials[1:]:
                found += trial_differences(trials[0], other)
        # Practice, too, is typed in the same terminal, over a link of the same kind.
        for session in self.sessions[1:]:
            found += differences(self.sessions[0], session)
        return found

    def _words(self, seen: Seen) -> Iterable[str]:
        for what, text in (("frames", "\n".join(seen.frames)), ("the terminal", seen.text)):
            kept = SHOWN_TO_ALL.sub("", OWN_NETWORK.sub("", text))
            yield from leaks_in(
                Exchange(f"{what} of {seen.name}", 200, (), kept.encode()), WORDS, self.opaque
            )


def _by_practice(trials: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    parts = [[one for one in trials if one["training"] is training] for training in (True, False)]
    return [part for part in parts if part]


def strings_in(seen: Seen) -> list[str]:
    """Titles and device strings: nothing that a terminal has a use for here."""
    return [
        f"terminal: {seen.name} is sent the string {found!r}" for found in STRING.findall(seen.text)
    ]


def differences(one: Seen, other: Seen) -> list[str]:
    """Where two sessions of one task can be told apart without a clock."""
    pairs = {
        "openings": (set(one.opening), set(other.opening)),
        "stages": (one.stages, other.stages),
        "shapes": (sorted(one.shapes), sorted(other.shapes)),
        "first screen": (one.before_keys, other.before_keys),
        "screens before the first key": (one.screens_before_keys, other.screens_before_keys),
        "text": (plain(one.text), plain(other.text)),
    }
    return [
        f"{what}: {one.name} has {left!r}, {other.name} has {right!r}"
        for what, (left, right) in pairs.items()
        if left != right
    ]


def plain(text: str) -> str:
    """What was written, without where the cursor went: a late echo moves it in fewer steps."""
    return re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x1f]", "", text)


class Typist:
    """Takes a study, pressing the same keys in every session."""

    def __init__(self, browser: Any, page_of: Turn, keys: str) -> None:  # noqa: ANN401
        self.browser = browser
        self.page_of = page_of
        self.keys = keys
        self.seen = TypingAudit()

    async def take_part(self, typist: Participant, *, trials_at_most: int = 99) -> TypingAudit:
        """Every trial: two sessions, and an answer."""
        self.seen.opaque.add(typist.token)
        for turn in range(trials_at_most):
            if (await typist.progress())["state"] != "trials":
                break
            await self._take_trial(typist, turn)
        return self.seen

    async def _take_trial(self, typist: Participant, turn: int) -> None:
        trial: dict[str, Any] = {}
        for place in ("first", "second"):
            opened = await self.browser.post("/api/participation/trials", headers=typist.headers)
            (trial,) = opened.json()["trials"]
            self.seen.opaque |= {trial["trial_token"]}
            self.seen.opaque |= {trial[name]["session_token"] for name in ("first", "second")}
            self.seen.exchanges.append(record(opened))
            self.seen.sessions.append(await self._type(typist, trial, place))
        self.seen.trials.append(trial)
        choice = ("first", "second", "no_difference")[turn % 3]
        voted = await typist.vote(
            trial["trial_token"],
            choice=choice,
            noticeable=None if choice == "no_difference" else 2,
            account=TYPED,
        )
        self.seen.opaque.add(voted.json().get("vote_key", ""))
        assert voted.status_code == 201, voted.text
        self.seen.exchanges.append(record(voted))

    async def _type(self, typist: Participant, trial: dict[str, Any], place: str) -> Seen:
        page: Page = await self.page_of(typist, trial, place)
        self.seen.opaque.add(page.hello["link_id"])
        said = await page.stage("ready", "void")
        assert said["stage"] == "ready", said
        for key in self.keys:
            await page.seen(page.press(key))
        page.say(type="finish")
        await page.stage("ended", "void")
        return Seen.of(page, trial, place)
