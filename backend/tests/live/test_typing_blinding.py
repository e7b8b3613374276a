"""Blinding of what is typed: whole studies over links, searched, compared, and with leaks planted.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.live.conftest import Room
from tests.live.leaky_link import LeakyLinks, Plant, Secret, secret_of
from tests.live.page import Page
from tests.live.stand_in_terminal import EDITOR
from tests.live.typing_audit import TypingAudit, Typist
from tests.made_up import NOTICEABLE, PREFERENCE, Participant, block, typing_definition
from thinlab.contract.generated import lab_pb2 as pb

KEYS = "A thin"
SCALE = PREFERENCE | {"noticeable": NOTICEABLE}
PAIR = {"kind": "pair", "task": "sentences", "conditions": ["plain", "modified"]}
CONTROL = {"kind": "control", "task": "sentences"}
# Everything on one task, so that all sessions have to be alike; each condition twice beside itself.
BLOCKS = [
    block([PAIR | {"id": "practice", "seed": 9}], id="warm", role="training", scale=SCALE),
    block(
        [
            PAIR | {"id": "copy", "seed": 1},
            PAIR | {"id": "copy-apart", "seed": 2, "matched": False},
            CONTROL | {"id": "same-plain", "condition": "plain", "seed": 3},
            CONTROL | {"id": "same-modified", "condition": "modified", "seed": 4},
        ],
        scale=SCALE,
    ),
]
TASKS = {"sentences": {"kind": "copy", "text": "A thin\nstream.", "limit_s": 60, "least_keys": 5}}


async def taken(
    room: Room, over: str = "socket", leaky: LeakyLinks | None = None, trials_at_most: int = 99
) -> TypingAudit:
    """A whole study, as its typist's browser saw it."""
    changes = {"blocks": BLOCKS, "tasks": TASKS}
    await room.set_study(**changes)
    study = typing_definition(**changes)

    async def page_of(typist: Participant, trial: dict[str, Any], place: str) -> Page:
        token = trial[place]["session_token"]
        if leaky is not None:
            leaky.now = await secret_of(room.services, study, token)
        page = room.plain_page(typist.token, token)
        return await (page.over_socket() if over == "socket" else page.over_channel())

    somebody = Typist(room.browser, page_of, KEYS)
    return await somebody.take_part(await room.typist(), trials_at_most=trials_at_most)


@pytest.mark.parametrize("over", ["socket", "channel"])
async def test_no_session_tells_its_condition_nor_a_trial_its_kind(room: Room, over: str) -> None:
    seen = await taken(room, over)
    assert seen.leaks() == []
    assert len(seen.sessions) == 2 * len(seen.trials) == 10
    # Or the comparisons would prove little.
    assert {len(opened.lane.mechanisms) for opened in room.lab.opened} == {0, 3}
    assert all(one.before_keys == EDITOR.decode() for one in seen.sessions)
    assert all(one.text.endswith(KEYS) for one in seen.sessions)


def in_messages(kind: str, change: Callable[[dict[str, Any], Secret], dict[str, Any]]) -> Plant:
    """Changes each message of a kind."""

    def plant(told: dict[str, Any], secret: Secret) -> dict[str, Any]:
        messages = [
            change(message, secret) if message["type"] == kind else message
            for message in told["messages"]
        ]
        return told | {"messages": messages}

    return plant


def of_one_mode(fields: Callable[[Secret], dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """More or other fields where a mechanism is on."""
    return lambda told, secret: told | (fields(secret) if secret.mode != "off" else {})


def in_opening(told: dict[str, Any], secret: Secret) -> dict[str, Any]:
    """A greeting that knows a control."""
    if "opening" in told and secret.kind == "control":
        return told | {"opening": told["opening"] | {"resumed": True}}
    return told


def probe_of_pairs(told: dict[str, Any], secret: Secret) -> dict[str, Any]:
    """A probe in another order."""
    if "probe" in told and secret.kind == "pair":
        return told | {"probe": dict(reversed(told["probe"].items()))}
    return told


FRAMES: dict[str, tuple[Plant, str]] = {
    "mode in a stage": (
        in_messages("stage", lambda told, secret: told | {"reason": secret.mode}),
        r"^word: 'bundl|^word: 'off' in frames of trial \d",
    ),
    "another reason": (
        in_messages("stage", of_one_mode(lambda _: {"reason": "limit"})),
        r"^stages: trial",
    ),
    "time left": (
        in_messages("stage", of_one_mode(lambda _: {"limit_ms_left": 59_000})),
        r"^stages: trial",
    ),
    "a key more": (
        in_messages("screen", of_one_mode(lambda _: {"late": False})),
        r"^shapes: trial .*'late'",
    ),
    "order of keys": (
        in_messages(
            "screen",
            lambda told, secret: dict(reversed(told.items())) if secret.kind == "control" else told,
        ),
        r"^shapes: trial .*screen \['answers_key', 'data'",
    ),
    "frame": (of_one_mode(lambda _: {"retries": 0}), r"^shapes: .*'retries'"),
    "opening": (in_opening, r"^openings: trial"),
    "probe": (probe_of_pairs, r"^shapes: .*probe \['server_us', 'number'\]"),
    "encoded": (
        of_one_mode(lambda _: {"id": b"..newreno2008..".hex()}),
        r"^word: 'encoded newreno' in frames",
    ),
}


@pytest.mark.parametrize("name", FRAMES)
async def test_a_leak_planted_in_frames_is_found_for_its_own_reason(
    name: str, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant, reason = FRAMES[name]
    seen = await taken(room, leaky=LeakyLinks(monkeypatch, plant))
    found = seen.leaks()
    assert any(re.search(reason, leak) for leak in found), found


def modified(opened: pb.TerminalOpen) -> bool:
    """Whether a mechanism is on."""
    return bool(opened.lane.mechanisms)


SCREENS: dict[str, tuple[Callable[[pb.TerminalOpen], list[bytes]], str]] = {
    "host name": (
        lambda opened: [b"sender-bundling$ " if modified(opened) else b"sender-plain$ "],
        r"^word: 'bundl' in the terminal of trial \d",
    ),
    "banner": (
        lambda opened: [EDITOR, b"Welcome!" if modified(opened) else b"Hello!"],
        r"^first screen: trial",
    ),
    "one more screen": (
        lambda opened: [b"\x1b[2J", EDITOR[4:]] if modified(opened) else [EDITOR],
        r"^screens before the first key: trial .* has 2|has 2",
    ),
    "cursor": (
        lambda opened: [EDITOR, b"\x1b[1;2H" if modified(opened) else b"\x1b[2;1H"],
        r"^first screen: trial",
    ),
    "title": (lambda _: [EDITOR, b"\x1b]0;host\x07"], r"^terminal: trial 1, first is sent the str"),
    "title with a word": (
        lambda opened: [b"\x1b]2;%s\x1b\\" % (b"modified" if modified(opened) else b"plain")],
        r"^word: 'modified' in the terminal",
    ),
}


@pytest.mark.parametrize("name", SCREENS)
async def test_a_leak_planted_on_the_screen_is_found_for_its_own_reason(
    name: str, room: Room
) -> None:
    screens, reason = SCREENS[name]
    room.lab.first_screens = screens
    found = (await taken(room, trials_at_most=2)).leaks()
    assert any(re.search(reason, leak) for leak in found), found
