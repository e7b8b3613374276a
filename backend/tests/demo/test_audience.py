"""What the audience hears, sees and votes; and what it must not learn in blind mode.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import uuid
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed

from tests.demo.conftest import SETTINGS, Stage
from tests.demo.pages import AudiencePage
from tests.running.thinlab_process import PATIENCE_S
from thinlab.database.schema import DemoPoll, DemoVote
from thinlab.demo.audience import Audience
from thinlab.demo.feed import DemoEventKind
from thinlab.demo.poll import Ballots

# Of conditions, as substrings: a name, a number or a figure would do.
LEAKS = (
    "off", "all", "mechanism", "baseline", "newreno", "modern", "bbr", "bundl", "linear",
    "retransmit", "timeout", 'lane":', "loss", "delay", 'path":{', "moment", "event",
    "kernel", "preset",
)  # fmt: skip


def leaks(message: dict[str, Any]) -> list[str]:
    """Condition words in a message."""
    told = json.dumps(
        {name: value for name, value in message.items() if name not in {"title", "question"}},
        separators=(",", ":"),
    )
    return [word for word in LEAKS if word in told.replace("small", "")]


async def test_letters_follow_the_lanes_until_the_demo_is_blind(stage: Stage) -> None:
    summary, console = await stage.running()
    phone = await stage.phone(summary["code"])
    state = phone.last("state")
    assert [one["letter"] for one in state["lanes"]] == ["A", "B"]
    assert [one["revealed"]["name"] for one in state["lanes"]] == ["off", "all"]
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
    summary, console = await stage.running(
        stream={"kind": "terminal", "editor": "vi", "text": "A text\n"}
    )
    phone = await stage.phone(summary["code"])
    demo = stage.demo(summary["demo_id"])
    orders = set()
    for _ in range(40):
        await console.do("blind", on=True)
        orders.add(demo.audience.order.lanes)
        await console.do("blind", on=False)
    # Forty throws of a coin.
    assert orders == {(0, 1), (1, 0)}
    monkeypatch.setattr(demo.audience, "_chance", _Mirrored())
    await phone.say(do="listen", letter="B")
    await phone.until(lambda one: one["type"] == "you" and one["letter"] == "B")
    await console.do("blind", on=True)
    since = len(phone.came)
    newcomer = await stage.phone(summary["code"])
    await console.do("set_lane", lane=0, to=SETTINGS["lanes"][1])
    await console.do("mark", text="bundling is on now")
    await console.say(do="key", data="x")
    await console.do("open_poll", question="Which is better?")
    blind = await phone.state(since, blind=True)
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
    state = await phone.state(since, blind=False)
    assert [one["revealed"]["lane"] for one in state["lanes"]] == [1, 0]
    mark = await phone.until(lambda one: one.get("text") == "bundling is on now")
    assert mark["type"] == "event"


class _Mirrored:
    """Chance that turns the lanes round."""

    def shuffle(self, lanes: list[int]) -> None:
        lanes.reverse()


async def votes_in(stage: Stage) -> list[str]:
    async with stage.services.database.transaction() as session:
        return sorted(await session.scalars(select(DemoVote.choice)))


async def test_a_vote_is_stored_before_it_is_acknowledged_and_may_change(stage: Stage) -> None:
    summary, console = await stage.running()
    phones = [await stage.phone(summary["code"]) for _ in range(3)]
    await phones[0].say(do="vote", choice="A")
    assert (await phones[0].until(lambda one: one["type"] == "refused"))["do"] == "vote"
    await console.do("open_poll", question="Which?")
    for phone, choice in zip(phones, ("A", "B", "no_difference"), strict=True):
        await phone.say(do="vote", choice=choice)
        await phone.until(lambda one, c=choice: one["type"] == "you" and one["voted"] == c)  # type: ignore[misc]
        assert choice in await votes_in(stage)
    await phones[0].say(do="vote", choice="B")
    await phones[0].until(lambda one: one["type"] == "you" and one["voted"] == "B")
    assert await votes_in(stage) == ["B", "B", "no_difference"]
    await phones[0].say(do="vote", choice="C")
    await phones[0].until(
        lambda one: one["type"] == "refused" and one["do"] == "vote", len(phones[0].came) - 1
    )
    counted = await console.until(
        lambda one: one["type"] == "state" and one["poll"] and one["poll"]["votes"] == 3
    )
    # Who has yet to vote is not told how the others did.
    assert phones[0].last("state")["poll"]["result"] is None
    assert counted["poll"]["open"]
    assert (await console.do("close_poll"))["type"] == "done"
    state = await phones[1].until(
        lambda one: one["type"] == "state" and one["poll"] and not one["poll"]["open"]
    )
    assert state["poll"]["result"] == {
        "choices": [{"letter": "A", "votes": 0}, {"letter": "B", "votes": 2}],
        "no_difference": 1,
    }
    await phones[1].say(do="vote", choice="A")
    await phones[1].until(lambda one: one["type"] == "refused")
    assert await votes_in(stage) == ["B", "B", "no_difference"]


async def test_a_console_hears_of_votes_though_nobody_comes_or_goes(stage: Stage) -> None:
    summary, console = await stage.running()
    phone = await stage.phone(summary["code"])
    # Nothing but votes is new from here on.
    await console.until(lambda one: one["type"] == "state" and one["audience"]["watching"] == 1)
    await console.do("open_poll", question="Which?")
    for choice, letters in (("A", [1, 0]), ("B", [0, 1])):
        await phone.say(do="vote", choice=choice)
        told = await console.until(
            lambda one, wanted=letters: (  # type: ignore[misc]
                one["type"] == "state"
                and one["poll"]
                and [letter["votes"] for letter in one["poll"]["choices"]] == wanted
            )
        )
        assert told["poll"]["votes"] == 1


async def test_a_vote_that_cannot_be_stored_is_not_acknowledged(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary, console = await stage.running()
    phone = await stage.phone(summary["code"])
    await console.do("open_poll", question="Which?")

    async def away(*_: object) -> None:
        raise OperationalError("insert", {}, OSError("the database is away"))

    with monkeypatch.context() as patched:
        patched.setattr(Ballots, "vote", away)
        await phone.say(do="vote", choice="A")
        refused = await phone.until(lambda one: one["type"] == "refused")
        assert refused["remedy"]
    assert phone.last("you")["voted"] is None
    assert await votes_in(stage) == []
    await phone.say(do="vote", choice="A")
    await phone.until(lambda one: one["type"] == "you" and one["voted"] == "A")


async def test_a_poll_belongs_to_the_letters_that_were_shown(stage: Stage) -> None:
    summary, console = await stage.running()
    phone = await stage.phone(summary["code"])
    await console.do("blind", on=True)
    await console.do("open_poll", question="Which?")
    for fields in (
        {"do": "blind", "on": False},
        {"do": "set_lanes", "lanes": SETTINGS["lanes"] * 2},
    ):
        refused = await console.do(**fields)
        assert refused["type"] == "refused"
        assert "poll" in refused["remedy"]
    await phone.say(do="vote", choice="B")
    await phone.until(lambda one: one["type"] == "you" and one["voted"] == "B")
    await console.do("reveal")
    async with stage.services.database.transaction() as session:
        poll = (await session.scalars(select(DemoPoll))).one()
    assert poll.lane_order == list(stage.demo(summary["demo_id"]).audience.order.lanes)
    assert poll.closed_at_ms is not None
    assert poll.revealed_at_ms is not None
    state = await phone.until(
        lambda one: one["type"] == "state" and not one["blind"] and one["poll"]
    )
    assert state["poll"]["revealed"]


async def test_nobody_in_the_audience_can_change_anything(stage: Stage) -> None:
    summary, console = await stage.running()
    phone = await stage.phone(summary["code"])
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
    assert state.keeper.stage.value == "running"
    assert [lane["mechanisms"] for lane in before] == [[], SETTINGS["lanes"][1]["mechanisms"]]


async def test_a_page_that_floods_is_sent_away(stage: Stage) -> None:
    summary, console = await stage.running()
    phone = await stage.phone(summary["code"])
    for number in range(200):
        try:
            await phone.say(do="ping", number=number)
        except ConnectionClosed:
            break
    assert (await phone.sent_away())[0] == 1008
    assert (await console.do("mark", text="on"))["type"] == "done"


async def test_a_phone_that_comes_back_hears_and_has_voted_what_it_did(stage: Stage) -> None:
    summary, console = await stage.running()
    phone = await stage.phone(summary["code"])
    await console.do("open_poll", question="Which?")
    await phone.say(do="vote", choice="B")
    await phone.say(do="listen", letter="B")
    await phone.until(lambda one: one["type"] == "you" and one["letter"] == "B")
    await phone.close()
    again = AudiencePage(stage.address)
    stage.pages.append(again)
    again.listener = phone.listener
    await again.open(f"/api/audience/{summary['code'].lower()}/socket")
    you = await again.until(lambda one: one["type"] == "you")
    assert (you["letter"], you["voted"]) == ("B", "B")
    assert stage.demo(summary["demo_id"]).audience._sound._lanes[phone.listener] == 1


async def test_a_seat_is_given_up_some_time_after_its_page_has_gone(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thinlab.demo.audience.AWAY_PATIENCE_S", 0.01)
    summary, console = await stage.running()
    phone = await stage.phone(summary["code"])
    await console.until(lambda one: one["type"] == "state" and one["audience"]["watching"] == 1)
    await phone.close()
    await console.until(
        lambda one: one["type"] == "state" and one["audience"]["watching"] == 0,
        len(console.came),
    )
    audience = stage.demo(summary["demo_id"]).audience
    while audience.knows(uuid.UUID(phone.listener)):
        await asyncio.sleep(0.01)
    assert phone.listener not in audience._sound._lanes


async def test_only_who_has_joined_may_offer_to_listen(stage: Stage) -> None:
    summary, _ = await stage.running()
    phone = await stage.phone(summary["code"])
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


async def test_a_full_house_takes_consoles_and_whoever_left_holds_no_seat(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thinlab.demo.audience.LISTENERS_LIMIT", 2)
    summary, console = await stage.running()
    voter = await stage.phone(summary["code"])
    hostile = await stage.phone(summary["code"])
    await console.do("open_poll", question="Which?")
    await voter.say(do="vote", choice="A")
    await voter.until(lambda one: one["type"] == "you" and one["voted"] == "A")
    assert (await (await stage.console(summary["demo_id"])).do("mark", text="on"))["event"]
    await voter.close()
    await hostile.close()
    audience = stage.demo(summary["demo_id"]).audience
    async with asyncio.timeout(PATIENCE_S):
        while audience.knows(uuid.UUID(hostile.listener)):
            await asyncio.sleep(0.01)
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


async def test_listeners_cannot_be_told_from_one_demo_to_the_next(stage: Stage) -> None:
    hashes = []
    listener = str(uuid.uuid4())
    for _ in range(2):
        summary, console = await stage.running()
        phone = AudiencePage(stage.address)
        stage.pages.append(phone)
        phone.listener = listener
        await phone.open(f"/api/audience/{summary['code']}/socket")
        await console.do("open_poll", question="Which?")
        await phone.say(do="vote", choice="A")
        await phone.until(lambda one: one["type"] == "you" and one["voted"] == "A")
        await console.do("end")
        await stage.over(summary["demo_id"])
        async with stage.services.database.transaction() as session:
            hashes = list(await session.scalars(select(DemoVote.listener_hash)))
    assert len(set(hashes)) == 2
    async with stage.services.database.transaction() as session:
        stored = await session.scalar(text("select string_agg(t::text, '') from demo_vote t"))
    assert listener not in stored
