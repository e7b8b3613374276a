"""The audience's polls: what is stored, who is told what, and which letters a result is told by.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import uuid
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError

from tests.demo.conftest import SETTINGS, Stage
from tests.demo.pages import AudiencePage, Page
from tests.running.thinlab_process import PATIENCE_S
from thinlab.database.schema import DemoPoll, DemoVote
from thinlab.demo.poll import Ballots, Poll


class _InTurn:
    """Chance that turns the lanes round, or does not: each time the other."""

    def __init__(self) -> None:
        self._turned = False

    def shuffle(self, lanes: list[int]) -> None:
        self._turned = not self._turned
        if self._turned:
            lanes.reverse()


ON, OFF = {"do": "blind", "on": True}, {"do": "blind", "on": False}
ASK, CLOSE = {"do": "open_poll", "question": "Which?"}, {"do": "close_poll"}
VOTE, REVEAL = {"do": "vote"}, {"do": "reveal"}
SWITCH = {"do": "set_lane", "lane": 0, "to": SETTINGS["lanes"][1]}
THREE = {"do": "set_lanes", "lanes": [*SETTINGS["lanes"], SETTINGS["lanes"][0]]}


@pytest.mark.parametrize(
    ("commands", "stays", "revealed"),
    [
        ([ASK, VOTE, CLOSE], True, False),
        ([ASK, VOTE, CLOSE, REVEAL], True, False),
        ([ASK, VOTE, REVEAL, CLOSE], True, False),
        ([ASK, VOTE, CLOSE, SWITCH], True, False),
        ([ASK, VOTE, CLOSE, THREE], False, False),
        ([ASK, VOTE, CLOSE, ON], False, False),
        ([ASK, VOTE, CLOSE, ON, REVEAL], False, False),
        ([ON, ASK, VOTE, CLOSE], True, False),
        ([ON, ASK, VOTE, CLOSE, SWITCH], True, False),
        ([ON, ASK, VOTE, CLOSE, SWITCH, REVEAL], True, True),
        ([ON, ASK, VOTE, REVEAL], True, True),
        ([ON, ASK, VOTE, CLOSE, OFF], True, True),
        ([ON, ASK, VOTE, CLOSE, OFF, ON], False, False),
        ([ON, ASK, VOTE, CLOSE, OFF, ON, REVEAL], False, False),
        ([ON, ASK, VOTE, CLOSE, REVEAL, ON], False, False),
        ([ON, ASK, VOTE, CLOSE, REVEAL, ON, OFF], False, False),
        ([ON, ASK, VOTE, CLOSE, THREE], False, False),
        ([ON, ASK, VOTE, CLOSE, THREE, REVEAL], False, False),
        ([ON, ASK, VOTE, REVEAL, ASK, VOTE, CLOSE], True, False),
        ([ON, REVEAL, ASK, VOTE, CLOSE, REVEAL], True, False),
        ([ON, OFF, ON, ASK, VOTE, REVEAL], True, True),
    ],
)
async def test_a_result_is_told_by_the_letters_and_lanes_it_was_held_with(
    stage: Stage,
    monkeypatch: pytest.MonkeyPatch,
    commands: list[dict[str, Any]],
    stays: bool,
    revealed: bool,
) -> None:
    summary, console, phone = await stage.watched()
    monkeypatch.setattr(stage.demo(summary["demo_id"]).audience, "_chance", _InTurn())
    held: dict[int, dict[str, tuple[int, str]]] = {}
    for command in commands:
        if command is VOTE:
            since = len(phone.came)
            await phone.say(do="vote", choice="A")
            await phone.until(lambda one: one["type"] == "you" and one["voted"] == "A", since)
            continue
        assert (await console.do(**command))["type"] == "done"
        if command is ASK:
            state = console.last("state")
            held[state["poll"]["number"]] = {
                lane["letter"]: (lane["lane"], lane["name"]) for lane in state["lanes"]
            }
    # What was told before comes before the answer.
    await phone.say(do="ping", number=1)
    await phone.until(lambda one: one["type"] == "pong")
    state = console.last("state")
    for poll, blind, lanes in polls_shown(console):
        lettered = {lane["letter"]: lane["lane"] for lane in lanes}
        for choice in poll["choices"]:
            assert lettered[choice["letter"]] == choice["lane"]
            assert held[poll["number"]][choice["letter"]] == (choice["lane"], choice["name"])
        assert not (poll["revealed"] and blind)
    for poll, blind, lanes in polls_shown(phone):
        assert not (poll["revealed"] and blind)
        for choice in (poll["result"] or {"choices": []})["choices"]:
            lane, name = held[poll["number"]][choice["letter"]]
            assert choice["name"] == (None if blind else name)
            if not blind:
                assert [
                    one["revealed"]["lane"] for one in lanes if one["letter"] == choice["letter"]
                ] == [lane]
    last = phone.last("state")["poll"]
    assert (last is not None, state["poll"] is not None) == (stays, stays)
    assert (last is not None and last["revealed"]) == revealed
    if not stays:
        assert phone.last("you")["voted"] is None


def polls_shown(page: Page) -> list[tuple[dict[str, Any], bool, list[dict[str, Any]]]]:
    """Each with the state that it was in."""
    return [(one["poll"], one["blind"], one["lanes"]) for one in page.all("state") if one["poll"]]


async def test_a_vote_counts_in_its_own_poll_only(stage: Stage) -> None:
    _, console, phone = await stage.watched()
    await console.do(**ASK)
    await phone.say(do="vote", choice="A")
    await phone.until(lambda one: one["type"] == "you" and one["voted"] == "A")
    await console.do(**CLOSE)
    await console.do(**ASK)
    await phone.until(lambda one: one["type"] == "state" and (one["poll"] or {}).get("number") == 2)
    assert phone.last("you")["voted"] is None


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
        "choices": [
            {"letter": "A", "name": "off", "votes": 0},
            {"letter": "B", "name": "all", "votes": 2},
        ],
        "no_difference": 1,
    }
    await phones[1].say(do="vote", choice="A")
    await phones[1].until(lambda one: one["type"] == "refused")
    assert await votes_in(stage) == ["B", "B", "no_difference"]


async def test_a_console_hears_of_votes_though_nobody_comes_or_goes(stage: Stage) -> None:
    _, console, phone = await stage.watched()
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
    _, console, phone = await stage.watched()
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


async def test_of_many_votes_at_once_the_last_one_counts_and_few_are_stored(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, console, phone = await stage.watched()
    await console.do(**ASK)
    stored: list[str] = []
    go_on = asyncio.Event()
    store = Ballots.vote

    async def slow(ballots: Ballots, poll: Poll | None, listener: uuid.UUID, choice: str) -> None:
        await go_on.wait()
        await store(ballots, poll, listener, choice)
        stored.append(choice)

    monkeypatch.setattr(Ballots, "vote", slow)
    for choice in "ABABABABAB":
        await phone.say(do="vote", choice=choice)
    # Whoever votes is still answered.
    await phone.say(do="ping", number=1)
    await phone.until(lambda one: one["type"] == "pong")
    go_on.set()
    await phone.until(lambda one: one["type"] == "you" and one["voted"] == "B")
    # The first may have been stored before the others came.
    assert stored in (["B"], ["A", "B"])
    assert await votes_in(stage) == ["B"]


async def test_what_was_voted_last_counts_though_the_page_has_gone(stage: Stage) -> None:
    _, console, phone = await stage.watched()
    await console.do(**ASK)
    for choice in "AB":
        await phone.say(do="vote", choice=choice)
    await phone.say(do="ping", number=1)
    await phone.until(lambda one: one["type"] == "pong")
    await phone.close()
    async with asyncio.timeout(PATIENCE_S):
        while await votes_in(stage) != ["B"]:
            await asyncio.sleep(0.01)


async def test_a_poll_belongs_to_the_letters_that_were_shown(stage: Stage) -> None:
    summary, console, phone = await stage.watched()
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


async def test_a_poll_has_no_more_votes_than_the_house_has_seats(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script that votes, goes, and comes again as somebody else."""
    monkeypatch.setattr("thinlab.demo.audience.LISTENERS_LIMIT", 2)
    monkeypatch.setattr("thinlab.demo.audience.AWAY_PATIENCE_S", 0.001)
    summary, console = await stage.running()
    await console.do(**ASK)
    voters = [await stage.phone(summary["code"]) for _ in range(2)]
    for page in voters:
        await page.say(do="vote", choice="B")
        await page.until(lambda one: one["type"] == "you" and one["voted"] == "B")
        await page.close()
    await console.until(
        lambda one: (
            one["type"] == "state"
            and one["audience"]["watching"] == 0
            and one["poll"] is not None
            and one["poll"]["votes"] == 2
        )
    )
    third = AudiencePage(stage.address)
    stage.pages.append(third)
    await third.open(f"/api/audience/{summary['code']}/socket")
    assert (await third.sent_away())[0] == 1013
    assert len(await votes_in(stage)) == 2
    await console.do(**CLOSE)
    audience = stage.demo(summary["demo_id"]).audience
    async with asyncio.timeout(PATIENCE_S):
        while audience.knows(uuid.UUID(voters[0].listener)):
            await asyncio.sleep(0.01)
    await stage.phone(summary["code"])
