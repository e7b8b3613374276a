"""Exclusion: what rules find, what the researcher says, and that neither deletes anything.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from typing import Any

import pytest
from httpx import AsyncClient
from pydantic import TypeAdapter
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from tests.made_up import PREFERENCE, Participant, block
from tests.monitoring.watched import (
    TRIALS,
    Answer,
    answer_trials,
    careful,
    careful_but,
    pseudonym_of,
    put_watched,
    questions,
    take_part,
)
from thinlab.database.schema import ExclusionEntry, Vote
from thinlab.monitoring import exclusion, finding
from thinlab.monitoring.conduct import Conduct, Failures
from thinlab.monitoring.exclusion import Standing
from thinlab.study.catalogue import StoredStudy
from thinlab.study.rules import ExclusionRule
from thinlab.web.services import Services


def flagged(conduct: Conduct, **rule: Any) -> list[str]:  # noqa: ANN401 (a rule's fields)
    made: ExclusionRule = TypeAdapter(ExclusionRule).validate_python(rule)
    return [flag.finding for flag in finding.flags(conduct, [made])]


def test_a_threshold_is_what_is_still_allowed() -> None:
    two = Conduct(trapping=Failures(votes=3, failed=2))
    assert flagged(two, rule="trapping_wrong", more_than=2) == []
    assert flagged(two, rule="trapping_wrong", more_than=1) == [
        "2 of 3 trapping trials answered wrongly; at most 1 is allowed."
    ]
    assert flagged(Conduct(gold=Failures(1, 1)), rule="gold_wrong") == [
        "1 of 1 gold trial answered wrongly; at most 0 are allowed."
    ]


def test_shares_need_something_to_be_a_share_of() -> None:
    assert flagged(Conduct(), rule="control_difference", more_than_share=0.0) == []
    assert flagged(Conduct(), rule="decision_under", ms=500) == []
    half = Conduct(control=Failures(votes=2, failed=1))
    assert flagged(half, rule="control_difference", more_than_share=0.5) == []
    assert flagged(half, rule="control_difference", more_than_share=0.49) != []


def test_straight_lining_needs_enough_answers_and_only_one_kind() -> None:
    rule = {"rule": "straight_lining", "of_at_least": 6}
    assert flagged(Conduct(same_throughout={"preference": (5, 1)}), **rule) == []
    assert flagged(Conduct(same_throughout={"preference": (6, 2)}), **rule) == []
    found = flagged(Conduct(same_throughout={"ccr": (2, 2), "preference": (6, 1)}), **rule)
    assert found == ["One and the same answer in all 6 trials."]


def test_speed_is_looked_at_per_rule() -> None:
    quick = Conduct(votes=4, votes_under_ms={500: 1, 2000: 3})
    assert flagged(quick, rule="decision_under", ms=500, more_than_share=0.25) == []
    assert flagged(quick, rule="decision_under", ms=2000, more_than_share=0.5) == [
        "3 of 4 answers given in under 2000 ms; at most 50 % are allowed."
    ]


def test_who_leaves_out_the_headphone_test_has_not_passed_it() -> None:
    for passed, found in ((True, 0), (None, 1), (False, 1)):
        checked = Conduct(sound_checked=True, headphones_passed=passed)
        assert len(flagged(checked, rule="headphones_failed")) == found
    assert flagged(Conduct(), rule="headphones_failed") == []


@pytest.fixture
async def watched(services: Services, study: StoredStudy) -> StoredStudy:
    assert study.slug == "demo"
    return await put_watched(services)


async def _standing(services: Services, watched: StoredStudy, pseudonym: str) -> Standing:
    async with services.database.transaction() as session:
        found = await exclusion.standings(session, watched)
        id_ = await session.scalar(
            text("select id from participant where pseudonym = :name"), {"name": pseudonym}
        )
    return found[id_]


def same_throughout(trial_id: str, _: str) -> Mapping[str, Any]:
    """Obeys the trap, and else never hears a difference: not in the gold trial either."""
    return {"choice": "second" if trial_id == "trap" else "no_difference"}


def quick_in_most(trial_id: str, first_member: str) -> Mapping[str, Any]:
    """Three of five answers too fast; training does not count."""
    slow = trial_id in {"practice", "song", "speech"}
    return {**careful(trial_id, first_member), "decision_ms": 45_000 if slow else 499}


CASES: dict[str, tuple[Answer, list[str]]] = {
    "careful": (careful, []),
    "trap": (careful_but(trap={"choice": "first"}), ["trapping_wrong"]),
    "gold": (careful_but(gold={"choice": "no_difference"}), ["gold_wrong"]),
    "control": (careful_but(control={"choice": "first"}), ["control_difference"]),
    "straight": (same_throughout, ["gold_wrong", "straight_lining"]),
    "quick": (quick_in_most, ["decision_under"]),
    "practice": (careful_but(practice={"choice": "no_difference", "decision_ms": 1}), []),
}


@pytest.mark.parametrize("case", CASES)
async def test_rules_look_at_votes_as_they_were_given(
    browser: AsyncClient, services: Services, watched: StoredStudy, case: str
) -> None:
    answer, rules = CASES[case]
    somebody = await take_part(browser, services.database, answer)
    standing = await _standing(services, watched, await pseudonym_of(services.database, somebody))
    assert [flag.rule for flag in standing.flags] == rules
    assert standing.excluded is bool(rules)


async def test_headphones_and_questionnaire(
    browser: AsyncClient, services: Services, watched: StoredStudy
) -> None:
    somebody = await Participant.join(browser, "watched")
    await somebody.check_sound(headphones={"correct": 1, "of": 6, "tries": 1})
    while (await somebody.progress())["state"] == "trials":
        await answer_trials(somebody, services.database, careful, votes=1)
        if (await somebody.progress())["trials_done"] == 5:
            break
    trial = await somebody.open_trial()
    await somebody.vote(trial["trial_token"], choice="second")
    await questions(somebody, {"hearing": "impaired"})
    standing = await _standing(services, watched, await pseudonym_of(services.database, somebody))
    assert {"headphones_failed", "answered"} <= {flag.rule for flag in standing.flags}


async def test_with_forced_choice_no_control_can_fail(
    browser: AsyncClient, services: Services, study: StoredStudy
) -> None:
    assert study.slug == "demo"
    forced = PREFERENCE | {"answers": {"first": "The first", "second": "The second"}}
    watched = await put_watched(services, blocks=[block(TRIALS, scale=forced)])
    careful_or_first = careful_but(control={"choice": "first"})
    somebody = await take_part(browser, services.database, careful_or_first)
    standing = await _standing(services, watched, await pseudonym_of(services.database, somebody))
    assert standing.flags == ()
    assert standing.conduct.control.votes == 0


async def test_the_researchers_word_is_a_log(
    browser: AsyncClient, services: Services, watched: StoredStudy
) -> None:
    somebody = await take_part(browser, services.database, careful)
    name = await pseudonym_of(services.database, somebody)

    async def say(excluded: bool, reason: str) -> None:
        async with services.database.transaction() as session:
            await exclusion.enter(session, "watched", name, excluded=excluded, reason=reason)

    with pytest.raises(exclusion.AlreadyError):
        await say(excluded=False, reason="was never left out")
    await say(excluded=True, reason="told us to")
    assert (await _standing(services, watched, name)).excluded
    with pytest.raises(exclusion.AlreadyError):
        await say(excluded=True, reason="again")
    async with services.database.transaction() as session:
        assert len(await exclusion.excluded(session, watched)) == 1
    await say(excluded=False, reason="a mistake")
    standing = await _standing(services, watched, name)
    assert not standing.excluded
    assert [(entry.excluded, entry.reason) for entry in standing.entries] == [
        (False, "a mistake"),
        (True, "told us to"),
    ]
    with pytest.raises(exclusion.UnknownParticipantError):
        async with services.database.transaction() as session:
            await exclusion.enter(session, "demo", name, excluded=True, reason="another study's")


async def test_nothing_is_deleted_or_changed(
    browser: AsyncClient, services: Services, watched: StoredStudy
) -> None:
    somebody = await take_part(browser, services.database, careful)
    name = await pseudonym_of(services.database, somebody)
    async with services.database.transaction() as session:
        before = await session.scalar(select(func.count()).select_from(Vote))
        await exclusion.enter(session, watched.slug, name, excluded=True, reason="r")
    async with services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(Vote)) == before
        assert await session.scalar(select(func.count()).select_from(ExclusionEntry)) == 1
    for change in ("update exclusion_entry set reason = 'x'", "delete from exclusion_entry"):
        with pytest.raises(DBAPIError, match="permission denied"):
            async with services.database.transaction() as session:
                await session.execute(text(change))
