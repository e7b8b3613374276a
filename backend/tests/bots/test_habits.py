"""Mixes, listeners and lines, by themselves."""

import random
from collections import Counter

import httpx
import pytest

from thinlab.bots.habits import MixError, dealt, parse_mix
from thinlab.bots.key import AnswerKey, Sound, UnknownSoundError, digest
from thinlab.bots.listener import Attentive, Heard, Inattentive, StraightLining
from thinlab.bots.network import Line, RefusedError, Weather


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - the same at every run


PLAIN, BETTER = Sound(0.0), Sound(1.5)


def pair(first: Sound, second: Sound, **changes: object) -> Heard:
    heard = {"scale": "preference", "no_difference": True, "first": first, "second": second}
    return Heard(**(heard | changes))  # type: ignore[arg-type]  # spelt out by the tests


def test_a_mix_is_dealt_to_the_last_bot() -> None:
    mix = parse_mix("honest=0.7, side_biased=0.2,flaky=0.1")
    assert mix == pytest.approx({"honest": 0.7, "side_biased": 0.2, "flaky": 0.1})
    assert Counter(dealt(mix, 33)) == {"honest": 23, "side_biased": 7, "flaky": 3}
    assert dealt({"honest": 1 / 3, "flaky": 1 / 3, "inattentive": 1 / 3}, 2) == ["honest", "flaky"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("honset=1", "there are no 'honset' bots; there are honest"),
        ("honest", "'honest' should read honest=0.5"),
        ("honest=0", "the share of honest has to be above 0"),
        ("honest=nan", "the share of honest has to be above 0"),
        ("honest=1,honest=2", "honest is named twice"),
    ],
)
def test_a_wrong_mix_is_told(text: str, said: str) -> None:
    with pytest.raises(MixError, match=f"--mix: {said}"):
        parse_mix(text)


def test_an_attentive_listener_follows_the_sound_and_not_its_place() -> None:
    chance = seeded(1)
    listener = Attentive()
    answers = Counter(listener.answer(pair(BETTER, PLAIN), chance) for _ in range(500))
    turned = Counter(listener.answer(pair(PLAIN, BETTER), chance) for _ in range(500))
    assert answers["first"] > 2 * answers["second"]
    assert turned["second"] > 2 * turned["first"]
    forced = {listener.answer(pair(PLAIN, PLAIN, no_difference=False), chance) for _ in range(99)}
    assert forced == {"first", "second"}


def test_a_side_biased_listener_follows_the_place() -> None:
    chance = seeded(2)
    answers = Counter(Attentive(side_bias=2).answer(pair(PLAIN, PLAIN), chance) for _ in range(500))
    assert answers["first"] > 4 * answers["second"]


def test_traps_catch_who_does_not_listen() -> None:
    trap = Sound(says="second")
    chance = seeded(3)
    assert {Attentive().answer(pair(trap, trap), chance) for _ in range(50)} == {"second"}
    assert StraightLining().answer(pair(trap, trap), chance) == "first"
    assert {Inattentive().answer(pair(trap, trap), chance) for _ in range(99)} == {
        "first",
        "second",
        "no_difference",
    }


def test_scores_stay_on_their_scale() -> None:
    chance = seeded(4)
    loud = Sound(99.0)
    assert Attentive().answer(pair(PLAIN, loud, scale="ccr"), chance) == 3
    assert Attentive().answer(pair(loud, PLAIN, scale="ccr"), chance) == -3
    assert Attentive().answer(Heard("acr", False, loud, None), chance) == 5


def test_an_unknown_sound_is_said() -> None:
    key = AnswerKey({digest(b"known"): PLAIN})
    assert key.hear(b"known") is PLAIN
    with pytest.raises(UnknownSoundError, match="run the bots again"):
        key.hear(b"unknown")


class Server:
    """Answers in order; counts what arrived."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.arrived = 0

    def __call__(self, _: httpx.Request) -> httpx.Response:
        self.arrived += 1
        status = self.statuses.pop(0)
        if status == 0:
            raise httpx.ConnectError("refused")
        problem = {"type": "urn:thinlab:problem:full", "title": "Full."}
        return httpx.Response(status, json={} if status < 400 else problem)


async def ask(server: Server, weather: Weather, seed: int = 1) -> tuple[Line, list[float]]:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async with httpx.AsyncClient(
        transport=httpx.MockTransport(server), base_url="http://thinlab.test"
    ) as client:
        line = Line(client, weather, seeded(seed), sleep)
        await line.ask("POST", "/api/participation/votes", body={"vote_key": "k"})
    return line, waited


async def test_a_line_insists_until_there_is_an_answer() -> None:
    server = Server(0, 503, 0, 503, 201)
    line, waited = await ask(server, Weather())
    assert (line.tally.lost, line.tally.turned_away, server.arrived) == (2, 2, 5)
    # Each wait is drawn from the upper half of a limit that doubles.
    assert all(0.2 * 2**n <= wait <= 0.4 * 2**n for n, wait in enumerate(waited))


async def test_a_refusal_is_the_last_word() -> None:
    with pytest.raises(RefusedError) as refused:
        await ask(Server(409), Weather())
    assert refused.value.kind == "full"


async def test_weather_happens_to_requests() -> None:
    lost_before = Server(*[200] * 9)
    line, _ = await ask(lost_before, Weather(lost_before=0.9), seed=1)
    assert line.tally.lost > lost_before.arrived - 1 == 0
    lost_after = Server(*[200] * 60)
    line, _ = await ask(lost_after, Weather(lost_after=0.9), seed=1)
    assert lost_after.arrived == line.tally.lost + 1 > 1
    doubled = Server(200, 200)
    await ask(doubled, Weather(doubled=1.0))
    assert doubled.arrived == 2
