"""What the audience hears and sees; and what it must not learn in blind mode.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import uuid
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.demo.conftest import SETTINGS, Stage
from tests.demo.pages import AudiencePage, ConsolePage
from tests.running.thinlab_process import PATIENCE_S
from thinlab.demo.audience import PAGES_LIMIT, Audience
from thinlab.demo.feed import DemoEventKind

# Of conditions, as substrings: a name, a number or a figure would do.
LEAKS = (
    "off", "all", "mechanism", "baseline", "newreno", "modern", "bbr", "sctp", "bundl", "linear",
    "retransmit", "timeout", 'lane":', "loss", "delay", 'path":{', "moment", "event",
    "kernel", "preset", "held", "still",
)  # fmt: skip


def leaks(message: dict[str, Any]) -> list[str]:
    """Condition words in a message."""
    told = json.dumps(
        {name: value for name, value in message.items() if name not in {"title", "question"}},
        separators=(",", ":"),
    )
    return [word for word in LEAKS if word in told.replace("small", "")]


async def test_letters_follow_the_lanes_until_the_demo_is_blind(stage: Stage) -> None:
    summary, console, phone = await stage.watched()
    state = phone.last("state")
    assert [one["letter"] for one in state["lanes"]] == ["A", "B"]
    assert [one["revealed"]["name"] for one in state["lanes"]] == ["off", "all"]
    off, all_ = (one["revealed"]["plainly"] for one in state["lanes"])
    assert off == {"en": "TCP as it is", "nb": "TCP slik det er"}
    assert {language: words.count(";") for language, words in all_.items()} == {"en": 2, "nb": 2}
    assert state["path"] == SETTINGS["path"]
    await phone.until(lambda one: one["type"] == "moment")
    assert phone.all("event")
    heard = stage.demo(summary["demo_id"]).audience._sound._lanes
    assert heard[phone.listener] == 0
    await phone.say(do="listen", letter="B")
    await phone.until(lambda one: one["type"] == "you" and one["letter"] == "B")
    assert heard[phone.listener] == 1
    await phone.say(do="listen", letter="C")
    refused = await phone.until(lambda one: one["type"] == "refused")
    assert refused["remedy"]
    assert heard[phone.listener] == 1
    await console.do("listen", lane=1)
    assert heard[console.listener] == 1


async def test_a_blind_audience_gets_letters_only(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary, console, phone = await stage.watched(
        stream={"kind": "terminal", "editor": "vi", "text": "A text\n"}
    )
    demo = stage.demo(summary["demo_id"])
    orders = set()
    for _ in range(40):
        demo.audience.draw()
        orders.add(demo.audience.order.lanes)
    await demo.audience.reveal(0)
    # Forty throws of a coin.
    assert orders == {(0, 1), (1, 0)}
    monkeypatch.setattr(demo.audience, "_chance", _Mirrored())
    await phone.say(do="listen", letter="B")
    await phone.until(lambda one: one["type"] == "you" and one["letter"] == "B")
    since = len(phone.came)
    await console.do("blind", on=True)
    await running_anew(stage, console)
    newcomer = await stage.phone(summary["code"])
    await console.do("set_lane", lane=0, to=SETTINGS["lanes"][1])
    await console.do("mark", text="bundling is on now")
    await console.say(do="key", data="x")
    await console.do("open_poll", question="Which is better?")
    blind = await phone.state(since, blind=True)
    await phone.until(lambda one: one["type"] == "screen" and one["data"] == "x", since)
    assert blind["path"] is None
    assert [one["revealed"] for one in blind["lanes"]] == [None, None]
    await phone.until(lambda one: one["type"] == "state" and one["poll"] is not None)
    await newcomer.until(lambda one: one["type"] == "state" and one["poll"] is not None)
    moments = len(console.all("moment"))
    while len(console.all("moment")) < moments + 3:
        await asyncio.sleep(0.01)
    seen = [*phone.came[phone.came.index(blind) :], *newcomer.came]
    assert {one["type"] for one in seen} == {"state", "you", "screen"}
    assert [(leaks(one), one) for one in seen if leaks(one)] == []
    # B was drawn to be the first lane: what is heard followed the letter.
    assert demo.audience.order.lanes == (1, 0)
    assert demo.audience._sound._lanes[phone.listener] == 0
    # The check finds a leak where there is one.
    assert leaks(console.last("state"))
    assert leaks(phone.all("event")[0])
    await console.do("reveal")
    # Not one of before it was blind, which may have come since that was asked for.
    state = await phone.state(phone.came.index(blind), blind=False)
    assert [one["revealed"]["lane"] for one in state["lanes"]] == [1, 0]
    mark = await phone.until(lambda one: one.get("text") == "bundling is on now")
    assert mark["type"] == "event"


async def running_anew(stage: Stage, console: ConsolePage) -> None:
    """Returns once a take runs that was opened under the letters as they stand."""
    demo = stage.demo(console.last("state")["demo_id"])
    await console.until(
        lambda one: (
            one["type"] == "state"
            and one["stage"] == "running"
            and one["take"] >= demo._heard_from_take
        )
    )


async def test_nothing_of_before_is_recognised_under_a_new_letter(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = {"kind": "terminal", "editor": "vi", "text": "A text\n"}
    summary, console = await stage.running(stream=terminal)
    demo = stage.demo(summary["demo_id"])
    heard: list[int] = []
    play = demo._sound.play

    async def played(number: int, at_ns: int, lanes: Any) -> None:  # noqa: ANN401
        heard.append(number)
        await play(number, at_ns, lanes)

    monkeypatch.setattr(demo._sound, "play", played)
    phone = await stage.phone(summary["code"])
    await console.say(do="key", data="typed before")
    for letter in "AB":
        await phone.until(
            lambda one, letter=letter: (  # type: ignore[misc]
                one["type"] == "screen" and (one["letter"], one["data"]) == (letter, "typed before")
            )
        )
    while not heard:
        await console.until(lambda one: one["type"] == "moment", len(console.came))
    stage.lab.may_end.clear()
    since, at = len(phone.came), len(console.came)
    await console.do("blind", on=True)
    heard.clear()
    latecomer = await stage.phone(summary["code"])
    # The take that ends goes on for a while: consoles see it, the room does not.
    for _ in range(3):
        await console.until(lambda one: one["type"] == "moment", len(console.came))
    assert heard == []
    assert [one["data"] for one in phone.came[since:] if one["type"] == "screen"] == ["", ""]
    assert latecomer.all("screen") == []
    stage.lab.may_end.set()
    await console.state(at, take=2, stage="running")
    await console.say(do="key", data="typed after")
    for page in (phone, latecomer):
        for letter in "AB":
            await page.until(
                lambda one, letter=letter: (  # type: ignore[misc]
                    one["type"] == "screen"
                    and (one["letter"], one["data"]) == (letter, "typed after")
                )
            )
    shown = [*phone.came[since:], *latecomer.came]
    assert "typed before" not in json.dumps(shown)
    screens = [one for one in shown if one["type"] == "screen"]
    # Nothing but the letter tells one from the other.
    told = [
        [
            (one["take"], one["data"], one["from_start"])
            for one in screens
            if one["letter"] == letter
        ]
        for letter in "AB"
    ]
    assert told[0] == told[1]
    assert {frozenset(one) for one in screens} == {
        frozenset({"type", "take", "letter", "data", "from_start"})
    }
    while not heard:
        await console.until(lambda one: one["type"] == "moment", len(console.came))


async def test_other_lanes_in_blind_mode_are_not_heard_before_they_are_there(stage: Stage) -> None:
    summary, console = await stage.running()
    demo = stage.demo(summary["demo_id"])
    await console.do("blind", on=True)
    await running_anew(stage, console)
    take = demo.take_number
    assert demo._heard_from_take == take
    await console.do("set_lanes", lanes=SETTINGS["lanes"] * 2)
    assert demo._heard_from_take == take + 1


async def test_all_that_is_said_names_the_letter_that_pages_show(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary, console = await stage.running()
    demo = stage.demo(summary["demo_id"])
    monkeypatch.setattr(demo.audience, "_chance", _Mirrored())
    await console.do("blind", on=True)
    await running_anew(stage, console)
    revealed = await console.do("reveal")
    switched = await console.do("set_lane", lane=0, to=SETTINGS["lanes"][1])
    both = await console.do("set_lanes", lanes=SETTINGS["lanes"])
    texts = {one["number"]: one["text"] for one in console.all("event")}
    assert texts[revealed["event"]] == "Revealed: A is all; B is off"
    assert texts[switched["event"]] == "B: all"
    assert texts[both["event"]] == "A: all; B: off"
    takes = [one["text"] for one in console.all("event") if one["kind"] == "take"]
    assert takes[0] == "Take 1: the clip “speech” over A (off) and B (all). The paper: 130 ms, 2 %."
    assert (
        takes[-1] == "Take 2: the clip “speech” over A (all) and B (off). The paper: 130 ms, 2 %."
    )


class _Mirrored:
    """Chance that turns the lanes round."""

    def shuffle(self, lanes: list[int]) -> None:
        lanes.reverse()


async def test_nobody_in_the_audience_can_change_anything(stage: Stage) -> None:
    summary, console, phone = await stage.watched()
    before = console.last("state")["lanes"]
    commands = [
        {"do": "set_lane", "lane": 0, "to": SETTINGS["lanes"][1], "command": 1},
        {"do": "blind", "on": True, "command": 2},
        {"do": "end", "command": 3},
        {"do": "pause"},
        {"do": "key", "data": "x", "command": 4},
    ]
    for one in commands:
        since = len(phone.came)
        await phone.say_raw(json.dumps(one))
        await phone.until(lambda message: message["type"] == "refused", since)
    await phone.say_raw("not JSON")
    await phone.say(do="ping", number=7)
    pong = await phone.until(lambda one: one["type"] == "pong")
    assert pong["number"] == 7
    assert stage.lab.inputs == []
    assert (await console.do("mark", text="on"))["type"] == "done"
    state = stage.demo(summary["demo_id"])
    assert state.supervisor.stage.value == "running"
    assert [lane["mechanisms"] for lane in before] == [[], SETTINGS["lanes"][1]["mechanisms"]]


async def test_a_page_that_floods_is_sent_away(stage: Stage) -> None:
    _, console, phone = await stage.watched()
    for number in range(200):
        try:
            await phone.say(do="ping", number=number)
        except ConnectionClosed:
            break
    assert (await phone.sent_away())[0] == 1008
    assert (await console.do("mark", text="on"))["type"] == "done"


async def test_a_phone_that_comes_back_hears_and_has_voted_what_it_did(stage: Stage) -> None:
    summary, console, phone = await stage.watched()
    await console.do("open_poll", question="Which?")
    await phone.say(do="vote", choice="B")
    await phone.say(do="listen", letter="B")
    await phone.until(
        lambda one: one["type"] == "you" and (one["letter"], one["voted"]) == ("B", "B")
    )
    await phone.close()
    again = AudiencePage(stage.address)
    stage.pages.append(again)
    again.listener = phone.listener
    await again.open(f"/api/audience/{summary['code'].lower()}/socket")
    you = await again.until(lambda one: one["type"] == "you")
    assert (you["letter"], you["voted"]) == ("B", "B")
    assert stage.demo(summary["demo_id"]).audience._sound._lanes[phone.listener] == 1


async def gives_up(audience: Audience, page: AudiencePage) -> None:
    """Waits until a page's seat is free."""
    async with asyncio.timeout(PATIENCE_S):
        while audience.knows(uuid.UUID(page.listener)):
            await asyncio.sleep(0.01)


async def test_a_seat_is_given_up_some_time_after_its_page_has_gone(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thinlab.demo.audience.AWAY_PATIENCE_S", 0.01)
    summary, console, phone = await stage.watched()
    await console.until(lambda one: one["type"] == "state" and one["audience"]["watching"] == 1)
    since = len(console.came)
    await phone.close()
    await console.until(
        lambda one: one["type"] == "state" and one["audience"]["watching"] == 0, since
    )
    audience = stage.demo(summary["demo_id"]).audience
    await gives_up(audience, phone)
    assert phone.listener not in audience._sound._lanes


async def test_only_who_has_joined_may_offer_to_listen(stage: Stage) -> None:
    summary, _, phone = await stage.watched()
    path = f"/api/audience/{summary['code']}/offer"
    offer = {"sdp": "v=0", "listener": str(uuid.uuid4())}
    answer = await stage.browser.post(path, json=offer)
    assert (answer.status_code, answer.json()["field"]) == (409, "listener")
    answer = await stage.browser.post(path, json=offer | {"listener": phone.listener})
    assert (answer.status_code, answer.json()["field"]) == (422, "sdp")


async def test_the_house_is_full_at_some_point(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thinlab.demo.audience.LISTENERS_LIMIT", 2)
    summary, _ = await stage.running()
    for _ in range(2):
        await stage.phone(summary["code"])
    late = AudiencePage(stage.address)
    stage.pages.append(late)
    await late.open(f"/api/audience/{summary['code']}/socket")
    assert (await late.sent_away())[0] == 1013
    assert isinstance(stage.demo(summary["demo_id"]).audience, Audience)


async def test_a_listener_has_so_many_pages_and_the_oldest_gives_way(stage: Stage) -> None:
    summary, console = await stage.running()
    pages = []
    for _ in range(PAGES_LIMIT + 1):
        page = AudiencePage(stage.address)
        stage.pages.append(page)
        pages.append(page)
        page.listener = pages[0].listener
        await page.open(f"/api/audience/{summary['code']}/socket")
        await page.until(lambda one: one["type"] == "you")
    code, why = await pages[0].sent_away()
    assert (code, "too many pages" in why) == (4409, True)
    broadcast = stage.demo(summary["demo_id"]).broadcast
    async with asyncio.timeout(PATIENCE_S):
        while len(broadcast.audience) != PAGES_LIMIT:
            await asyncio.sleep(0.01)
    for page in pages[1:]:
        await page.say(do="ping", number=1)
        await page.until(lambda one: one["type"] == "pong")
    await console.until(lambda one: one["type"] == "state" and one["audience"]["watching"] == 1)


async def test_a_full_house_takes_consoles_and_whoever_left_holds_no_seat(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thinlab.demo.audience.LISTENERS_LIMIT", 2)
    summary, console, voter = await stage.watched()
    hostile = await stage.phone(summary["code"])
    await console.do("open_poll", question="Which?")
    await voter.say(do="vote", choice="A")
    await voter.until(lambda one: one["type"] == "you" and one["voted"] == "A")
    assert (await (await stage.console(summary["demo_id"])).do("mark", text="on"))["event"]
    await voter.close()
    await hostile.close()
    audience = stage.demo(summary["demo_id"]).audience
    await gives_up(audience, hostile)
    # Only who has voted, or hears, is waited for.
    await stage.phone(summary["code"])
    assert audience.knows(uuid.UUID(voter.listener))


async def test_a_demo_of_many_events_can_still_be_joined(stage: Stage) -> None:
    summary, console = await stage.running()
    demo = stage.demo(summary["demo_id"])
    for number in range(3_000):
        demo.event(DemoEventKind.MARK, f"mark {number}")
    await console.close()
    await console.open(f"/api/demos/{summary['demo_id']}/console")
    phone = await stage.phone(summary["code"])
    for page in (console, phone):
        await page.until(lambda one: one.get("text") == "mark 2999")
    await console.do("blind", on=True)
    await console.do("reveal")
    await phone.state(len(phone.came) - 1, blind=False)
    assert phone.closed is None
