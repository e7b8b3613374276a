"""Bots take whole studies over HTTP; what was planted in them has to come out of the analysis."""

import math
from collections import Counter
from typing import Any

import pytest_asyncio
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from sqlalchemy import func, select

from tests.applications import app_over
from tests.bots.planted import SLUG, Planted, control, let_loose, pair, plant, researchers_cookie
from tests.conftest import ORIGIN
from tests.made_up import ABX, ACR, CCR, DCR, in_two_modes, put_recordings, rated_definition
from tests.monitoring.watched import HEARING, RULES
from thinlab.analysis import results
from thinlab.analysis.asked import Asked
from thinlab.analysis.registry import StudyResults
from thinlab.bots.bot import End, Seat
from thinlab.bots.crowd import Crowd, Plan
from thinlab.bots.habits import HABITS
from thinlab.bots.listener import Attentive
from thinlab.bots.researcher import answer_key
from thinlab.database.schema import Participant, Presentation, Recording, TrialRecording, Vote
from thinlab.monitoring import exclusion
from thinlab.recording import registry
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.trials.registry import KINDS, bot_parts
from thinlab.web.services import Services

MUCH_BETTER = {"plain": 0.0, "modified": 1.5}
BETTER = {"plain": 0.0, "modified": 1.0}
EQUAL = {"plain": 0.0, "modified": 0.0}
# The server draws by chance and no seed makes two runs alike: one in ten thousand may fail.
SURE: dict[str, Any] = {
    "hypothesis": "Modified is better.",
    "primary": ["pair-1"],
    "confidence": 0.9999,
}


@pytest_asyncio.fixture
async def server(services: Services) -> FastAPI:
    """The application; each test plants a study of its own."""
    return app_over(services)


def bots_asked(study: StoredStudy, excluded: frozenset[int] = frozenset()) -> Asked:
    return Asked(study, KINDS, excluded, frozenset({"bot"}))


class Field(Planted):
    """One planted study, and what its bots say."""

    async def send(self, mix: dict[str, float], count: int, utilities: dict[str, float]) -> Crowd:
        """All at once."""
        plan = Plan(mix, count, seed=20_080, parts=bot_parts())
        return await self.let_loose(plan, utilities)

    async def results(self) -> StudyResults:
        """Of the bots."""
        async with self.services.database.transaction() as session:
            return await results.of_study(session, bots_asked(self.study))


async def test_a_planted_preference_comes_out_and_persons_stay_uncounted(
    server: FastAPI, services: Services
) -> None:
    study = await plant(services, [pair(1), pair(2), pair(3, runs=2), control(1)], analysis=SURE)
    field = Field(server, services, study)
    crowd = await field.send({"honest": 1.0}, 60, MUCH_BETTER)
    assert len(crowd.votes) == len(set(crowd.votes)) == 60 * 4
    found = await field.results()
    (comparison,) = found.comparisons
    assert (comparison.condition_a, comparison.condition_b) == ("plain", "modified")
    assert comparison.preference is not None
    # Four recordings tell little of others at this confidence, and are all that bots know of.
    assert (comparison.preference.recordings, comparison.preference.scope) == (4, "other_losses")
    these = comparison.preference.these
    assert these is not None
    assert these.low is not None
    assert these.high is not None
    assert 0.5 < these.low <= 1 / (1 + math.exp(-MUCH_BETTER["modified"])) <= these.high
    assert found.sentences[0].startswith("pair-1: modified was preferred to plain in")
    (control_found,) = found.controls
    assert control_found.votes == 60
    # An honest bot ties with weight e^3 against 1 + 1: two equal copies differ for the rest.
    false_share = 2 / (2 + 2.718281828 ** Attentive().tie_with_itself)
    assert control_found.false_differences is not None
    assert control_found.false_differences.low is not None
    assert control_found.false_differences.high is not None
    low, high = control_found.false_differences.low, control_found.false_differences.high
    assert low <= false_share <= high
    async with services.database.transaction() as session:
        persons = await results.of_study(session, Asked(study, KINDS, frozenset()))
        everybody = frozenset(await session.scalars(select(Participant.id)))
        nobody = await results.of_study(session, bots_asked(study, everybody))
    assert (persons.votes_analysed, persons.votes_of_unfinished_sessions) == (0, 0)
    assert persons.votes_analysed == nobody.votes_analysed == 0
    assert nobody.participants_excluded == 60


async def test_a_planted_side_bias_is_reported_as_bias_not_as_preference(
    server: FastAPI, services: Services
) -> None:
    study = await plant(services, [pair(1), pair(2), control(1), control(2)], analysis=SURE)
    field = Field(server, services, study)
    await field.send({"side_biased": 1.0}, 60, EQUAL)
    found = await field.results()
    (comparison,) = found.comparisons
    assert comparison.preference is not None
    assert comparison.preference.parameter is not None
    preference = comparison.preference.parameter
    assert preference.low is not None
    assert preference.high is not None
    assert preference.low <= 0 <= preference.high
    planted = HABITS["side_biased"].listener
    assert isinstance(planted, Attentive)
    (order,) = found.order_effects
    assert order.effect.parameter is not None
    assert order.effect.parameter.low is not None
    assert order.effect.parameter.high is not None
    assert 0 < order.effect.parameter.low <= planted.side_bias <= order.effect.parameter.high
    (checks,) = found.controls
    assert checks.side is not None
    assert checks.side.low is not None
    assert checks.side.low > 0.5


async def test_votes_of_who_left_are_counted_and_not_analysed(
    server: FastAPI, services: Services
) -> None:
    study = await plant(services, [pair(1), pair(2), pair(3), pair(4)])
    field = Field(server, services, study)
    crowd = await field.send({"honest": 0.4, "abandoning": 0.6}, 25, BETTER)
    votes_left = sum(len(one.votes) for one in crowd.outcomes if one.end is End.ABANDONED)
    assert votes_left > 0
    found = await field.results()
    assert found.participants_analysed == 10
    assert found.votes_analysed == 10 * 4
    assert found.votes_of_unfinished_sessions == votes_left
    # Asked again, the same; after one more vote, anew.
    assert await field.results() is found
    await field.send({"honest": 1.0}, 1, BETTER)
    assert (await field.results()).participants_analysed == 11


async def test_a_pair_of_the_same_bytes_is_a_control(server: FastAPI, services: Services) -> None:
    study = await plant(services, [pair(1, runs=4), control(1)])
    async with services.database.transaction() as session:
        key = await session.scalar(
            select(Recording.key)
            .join(TrialRecording, TrialRecording.recording_id == Recording.id)
            .where(
                TrialRecording.study_id == study.id,
                TrialRecording.trial_id == "pair-1",
                TrialRecording.run == 3,
                TrialRecording.member == "a",
            )
        )
        assert key is not None
        await registry.use(session, study.id, "pair-1", 3, {"a": key, "b": key})
    field = Field(server, services, study)
    await field.send({"honest": 1.0}, 32, BETTER)
    found = await field.results()
    (trial,), (same,), (checks,) = found.trials, found.identical, found.controls
    assert (same.trial_id, same.runs) == ("pair-1", [3])
    assert trial.participants == 32 - same.votes
    assert checks.votes == 32 + same.votes
    assert [(one.run, one.identical) for one in trial.runs] == [(run, run == 3) for run in range(4)]
    assert trial.share is not None
    assert trial.share.recordings == 3
    assert same.sentence in found.sentences


async def test_scores_of_category_comparisons(server: FastAPI, services: Services) -> None:
    trials = [pair(1), pair(2), control(1)]
    study = await plant(
        services, trials, block={"scale": CCR, "playback": "in_turn"}, analysis=SURE
    )
    field = Field(server, services, study)
    await field.send({"honest": 1.0}, 40, BETTER)
    (comparison,) = (await field.results()).comparisons
    assert comparison.mean is not None
    assert comparison.mean.low is not None
    assert comparison.mean.high is not None
    assert 0 < comparison.mean.low <= BETTER["modified"] <= comparison.mean.high


async def test_scores_of_single_recordings(server: FastAPI, services: Services) -> None:
    trials = [
        {"kind": "single", "id": f"one-{name}", "clip": "speech", "condition": name, "seed": 5}
        for name in ("plain", "modified")
    ]
    study = await plant(
        services,
        trials,
        block={"scale": ACR},
        analysis=SURE | {"primary": ["one-plain", "one-modified"]},
    )
    field = Field(server, services, study)
    await field.send({"honest": 1.0}, 40, BETTER)
    found = await field.results()
    plain, modified = found.conditions
    assert abs(plain.mos.value - 3.0) < 0.5
    (difference,) = found.differences
    assert difference.difference.low is not None
    assert difference.difference.high is not None
    assert difference.difference.low <= 1.0 <= difference.difference.high
    assert modified.mos.value > plain.mos.value
    assert difference.primary
    assert found.sentences[0] == difference.difference.sentence


async def test_scores_by_a_reference(server: FastAPI, services: Services) -> None:
    conditions = {
        "clean": {"mode": "off", "path": {"rtt_ms": 130}},
        **in_two_modes("linear_timeouts", loss_share=0.02),
    }
    trials = [
        *(pair(n, conditions=["clean", name]) for n, name in ((1, "plain"), (2, "modified"))),
        control(1) | {"condition": "clean"},
    ]
    hypothesis = {"id": "it", "compares": "opinion", "conditions": ["plain", "modified"]}
    study = await plant(
        services,
        trials,
        block={"scale": DCR, "playback": "in_turn"},
        conditions=conditions,
        analysis={
            "hypothesis": "Modified is better.",
            "hypotheses": [hypothesis | {"trials": ["pair-1", "pair-2"]}],
        },
    )
    field = Field(server, services, study)
    await field.send({"honest": 1.0}, 40, {"clean": 0.0, "plain": -2.5, "modified": -1.0})
    found = await field.results()
    plain, modified = found.conditions
    assert (plain.scale, plain.condition, modified.condition) == ("dcr", "plain", "modified")
    assert abs(plain.mos.value - 2.5) < 0.5
    assert abs(modified.mos.value - 4.0) < 0.5
    assert found.hypotheses[0].verdict == "difference"
    assert (found.comparisons, found.order_effects) == ([], [])
    async with services.database.transaction() as session:
        shown = (await session.scalars(select(Presentation))).all()
    # The reference is the first of everybody.
    assert {one.first_member for one in shown} == {"a"}


async def test_which_one_x_is(server: FastAPI, services: Services) -> None:
    study = await plant(
        services,
        [pair(1), pair(2), pair(3)],
        block={"scale": ABX},
        analysis=SURE,
    )
    field = Field(server, services, study)
    await field.send({"honest": 1.0}, 60, MUCH_BETTER)
    found = await field.results()
    whole, *trials = found.discriminations
    assert (len(trials), whole.trials, whole.right + whole.wrong) == (3, 3, 180)
    assert whole.share is not None
    assert whole.share.these is not None
    assert whole.share.these.low is not None
    assert whole.share.these.high is not None
    expected = 1 / (1 + math.exp(-MUCH_BETTER["modified"]))
    assert 0.5 < whole.share.these.low <= expected <= whole.share.these.high
    async with services.database.transaction() as session:
        shown = (await session.scalars(select(Presentation))).all()
    # X is either, whichever is the first; an ear that always says so is right by chance.
    assert len({(one.first_member, one.x_place) for one in shown}) == 4
    places = Counter(one.x_place for one in shown)
    assert min(places["first"], places["second"]) > 50


async def test_who_cannot_tell_x_is_right_by_chance(server: FastAPI, services: Services) -> None:
    study = await plant(services, [pair(1), pair(2), pair(3)], block={"scale": ABX}, analysis=SURE)
    field = Field(server, services, study)
    await field.send({"honest": 0.5, "straight_lining": 0.5}, 60, EQUAL)
    share = (await field.results()).discriminations[0].share
    assert share is not None
    assert share.p_value is not None
    assert share.p_value > 1 - SURE["confidence"]


async def test_bad_weather_loses_and_doubles_no_vote(server: FastAPI, services: Services) -> None:
    study = await plant(services, [pair(1), pair(2), pair(3), pair(4), control(1)])
    field = Field(server, services, study)
    crowd = await field.send({"flaky": 0.8, "withdrawing": 0.2}, 50, BETTER)
    assert crowd.tally.lost > 100
    stayed = [one for one in crowd.outcomes if one.end is End.COMPLETE]
    assert len(stayed) == 40
    acknowledged = {key for one in stayed for key in one.votes}
    async with services.database.transaction() as session:
        stored = [str(key) for key in await session.scalars(select(Vote.vote_key))]
        completed = await session.scalar(
            select(func.count()).where(Participant.completed_at.is_not(None))
        )
        withdrawn = await session.scalar(
            select(func.count()).where(Participant.withdrawn_at.is_not(None))
        )
    # A vote that arrived although its answer was lost is in the database under the same key.
    assert sorted(stored) == sorted(acknowledged)
    assert len(stored) == 40 * 5
    assert (completed, withdrawn) == (40, 10)


async def test_traps_and_questions_are_answered(server: FastAPI, services: Services) -> None:
    trap = {"kind": "trapping", "id": "trap", "clip": "song", "condition": "plain", "seed": 9}
    study = await plant(
        services,
        [pair(1), trap | {"answer": "second"}],
        headphones="required",
        questionnaire=[
            {"id": "age", "when": "before", "kind": "number", "text": "Age?", "minimum": 18},
            {"id": "remarks", "kind": "text", "text": "Remarks?", "required": True},
            {
                "id": "ears",
                "kind": "choice",
                "several": True,
                "text": "Which ear?",
                "options": [{"id": "left", "label": "Left"}, {"id": "right", "label": "Right"}],
            },
        ],
    )
    field = Field(server, services, study)
    crowd = await field.send({"honest": 0.5, "straight_lining": 0.5}, 20, EQUAL)
    assert {one.end for one in crowd.outcomes} == {End.COMPLETE}
    trapped = await _answers_to(services, "trap")
    assert Counter(trapped) == {"first": 10, "second": 10}


async def test_honest_bots_pass_what_the_study_asks(server: FastAPI, services: Services) -> None:
    gold = {"kind": "gold", "id": "gold", "clip": "speech", "seed": 4, "better": "modified"}
    trap = {"kind": "trapping", "id": "trap", "clip": "song", "condition": "plain", "seed": 9}
    study = await plant(
        services,
        [
            pair(1),
            *(control(number) for number in (1, 2, 3)),
            gold | {"conditions": ["plain", "modified"]},
            trap | {"answer": "second"},
        ],
        exclusion=RULES,
        questionnaire=[HEARING],
        headphones="required",
    )
    cookie = await researchers_cookie(server, services)
    async with AsyncClient(
        transport=ASGITransport(server), base_url=ORIGIN, headers={"Cookie": cookie}
    ) as desk:
        key = await answer_key(desk, study.slug, {})
    mix = {"honest": 0.5, "inattentive": 0.5}
    crowd = await let_loose(
        server, Plan(mix, 40, seed=1, parts=bot_parts()), Seat(study.slug, cookie=cookie), key
    )
    assert {one.end for one in crowd.outcomes} == {End.COMPLETE}
    async with services.database.transaction() as session:
        left_out = await exclusion.excluded(session, study, "bot")
    # Who answers by chance misses gold or trap, or hears differences between a thing and itself; 3
    # in 100 pass. Of those who listen, 2 in 100 hear such differences in two of three controls.
    # Fewer come about in one run of 7,000, more in one of 20,000.
    assert 16 <= len(left_out) <= 24


async def _answers_to(services: Services, trial_id: str) -> list[str | None]:
    async with services.database.transaction() as session:
        rows = await session.scalars(
            select(Vote.choice)
            .join(Presentation, Presentation.id == Vote.presentation_id)
            .where(Presentation.trial_id == trial_id)
        )
        return list(rows)


async def test_a_planted_order_of_sounds_comes_out_of_their_ratings(
    server: FastAPI, services: Services
) -> None:
    """Bots rate beside the reference; each step of utility is one of the five words."""
    planted = {"reference": 0.0, "modified": -0.5, "plain": -2.0, "anchor": -4.0}
    async with services.database.transaction() as session:
        await catalogue.load(session, rated_definition(slug=SLUG))
    study = await put_recordings(services, SLUG)
    field = Field(server, services, study)
    crowd = await field.send({"honest": 0.8, "inattentive": 0.2}, 25, planted)
    # A page is one vote of a bot, and four of the study.
    assert len(crowd.votes) == 25 * 2
    async with services.database.transaction() as session:
        left_out = await exclusion.excluded(session, study, kind="bot")
        found = await results.of_study(session, bots_asked(study, left_out))
    # Who rates by chance gives the hidden reference 90 on both pages once in a hundred times.
    assert 3 <= len(left_out) <= 5
    over_all = [one for one in found.beside if one.clip is None]
    assert sorted(over_all, key=lambda one: -one.median) == sorted(
        over_all, key=lambda one: -planted[one.condition]
    )
    hidden = over_all[0]
    assert (hidden.is_reference, hidden.median, hidden.votes) == (True, 100, 50 - 2 * len(left_out))
