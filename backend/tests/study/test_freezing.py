"""Freezing a study, and what is told when it changes afterwards.

SPDX-License-Identifier: Apache-2.0
"""

import uuid
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import text, update

from tests.made_up import CONSENT, Participant, put_recordings, study_definition
from thinlab.database.schema import Study, StudyEvent
from thinlab.study import catalogue, deviation
from thinlab.study.catalogue import StoredStudy
from thinlab.study.deviation import Deviation, compare
from thinlab.study.freeze import Freeze, NotFrozenError, freeze, of_study
from thinlab.study.frozen import FrozenDocument, RecordingFacts
from thinlab.web.services import Services

FACTS = RecordingFacts(key="k", clip_sha256="c", audio_sha256="a", host_build="h", duration_ms=9)
HEARD = {("speech", 0, "a"): FACTS}


async def freeze_demo(services: Services, reason: str | None = None) -> Freeze:
    """Freezes the made-up study."""
    async with services.database.transaction() as session:
        return await freeze(session, "demo", reason)


async def deviations(services: Services) -> list[Deviation]:
    """What has changed since."""
    async with services.database.transaction() as session:
        return await deviation.of_study(session, "demo")


async def change(services: Services, **changes: Any) -> StoredStudy:  # noqa: ANN401
    """Loads another version of the made-up study, with recordings."""
    async with services.database.transaction() as session:
        await catalogue.load(session, study_definition(**changes))
    return await put_recordings(services, "demo")


def told(found: list[Deviation]) -> set[tuple[str, str]]:
    """Which places, in which part."""
    return {(one.kind, one.place) for one in found}


def test_a_documents_hashes_are_its_contents() -> None:
    document = FrozenDocument.of(study_definition(), HEARD, 0)
    assert document.is_whole()
    again = FrozenDocument.model_validate_json(document.model_dump_json())
    assert again.is_whole()
    assert again == document
    again.texts["title"] = "Another"
    assert not again.is_whole()


@pytest.mark.parametrize(
    ("changes", "part", "place"),
    [
        ({"title": "Another"}, "texts", "title"),
        ({"consent": CONSENT | {"version": "2"}}, "texts", "consent.version"),
        ({"consent": CONSENT | {"paragraphs": ["You may go."]}}, "texts", "consent.paragraphs"),
        ({"headphones": "asked"}, "design", "headphones"),
        ({"retention_days": 30}, "design", "retention_days"),
        ({"stop": {"completed": 10}}, "analysis", "stop.completed"),
        (
            {"exclusion": [{"rule": "straight_lining", "of_at_least": 3}]},
            "analysis",
            "exclusion[0].of_at_least",
        ),
        (
            {"analysis": {"hypothesis": "More", "primary": ["speech"]}},
            "analysis",
            "analysis.hypothesis",
        ),
        (
            {
                "analysis": {
                    "hypothesis": "More",
                    "hypotheses": [{"id": "it", "compares": "pair", "trial": "speech"}],
                }
            },
            "analysis",
            "analysis.hypotheses[it].trial",
        ),
        ({"votes_visible": "when_stopped"}, "analysis", "votes_visible"),
    ],
)
def test_each_change_shows_in_its_own_part_and_hash(
    changes: dict[str, Any], part: str, place: str
) -> None:
    frozen = FrozenDocument.of(study_definition(), HEARD, 0)
    present = FrozenDocument.of(study_definition(**changes), HEARD, 0)
    found = compare(frozen, study_definition(**changes), HEARD)
    assert (part, place) in told(found)
    before, after = frozen.hashes.model_dump(), present.hashes.model_dump()
    assert {name for name in before if before[name] != after[name]} == {part, "whole"}


def test_whether_a_study_takes_people_now_is_no_deviation() -> None:
    frozen = FrozenDocument.of(study_definition(), HEARD, 0)
    assert compare(frozen, study_definition(open=False, record="on_demand"), HEARD) == []


def test_a_key_that_came_later_and_was_left_at_its_default_is_no_deviation() -> None:
    frozen = FrozenDocument.of(study_definition(), HEARD, 0)
    del frozen.design["headphones"]
    assert compare(frozen, study_definition(), HEARD) == []
    assert told(compare(frozen, study_definition(headphones="asked"), HEARD)) == {
        ("design", "headphones")
    }


def test_texts_of_a_block_are_texts_and_its_numbers_design() -> None:
    before = study_definition().model_dump(mode="json")
    after = study_definition().model_dump(mode="json")
    after["blocks"][0]["scale"]["question"] = {"en": "Which?"}
    after["blocks"][0]["trials"][1]["seed"] = 77
    frozen = FrozenDocument.of(study_definition(**before), HEARD, 0)
    (seed, *texts) = compare(frozen, study_definition(**after), HEARD)
    assert (seed.kind, seed.place) == ("design", "blocks[trials].trials[song].seed")
    assert (seed.frozen, seed.present) == (2, 77)
    assert told(texts) == {
        ("texts", "blocks[trials].scale.question"),
        ("texts", "blocks[trials].scale.question.en"),
    }


def test_a_trial_taken_out_is_not_told_as_another_that_changed() -> None:
    after = study_definition().model_dump(mode="json")
    del after["blocks"][0]["trials"][0]
    frozen = FrozenDocument.of(study_definition(), HEARD, 0)
    places = {one.place for one in compare(frozen, study_definition(**after), HEARD)}
    assert "blocks[trials].trials in order" in places
    assert all("[speech]" in place for place in places - {"blocks[trials].trials in order"})


def test_another_recording_is_a_deviation() -> None:
    frozen = FrozenDocument.of(study_definition(), HEARD, 0)
    other = {("speech", 0, "a"): FACTS.model_copy(update={"audio_sha256": "b"})}
    (found,) = compare(frozen, study_definition(), other)
    assert (found.kind, found.place) == ("recordings", "speech[run 0].a.audio_sha256")


async def test_nothing_is_frozen_while_recordings_are_missing(services: Services) -> None:
    with pytest.raises(NotFrozenError, match=r"5 recordings of `demo` are missing \(speech, run 0"):
        await freeze_demo(services)


async def test_an_unknown_study_is_named(services: Services) -> None:
    async with services.database.transaction() as session:
        with pytest.raises(NotFrozenError, match="no study `nowhere`"):
            await freeze(session, "nowhere", None)


async def test_a_frozen_study_is_kept_with_its_reason(
    services: Services, study: StoredStudy
) -> None:
    found = await freeze_demo(services, "osf.io/x")
    assert found.document.study_hash == study.content_hash
    assert found.document.participants_before == 0
    async with services.database.transaction() as session:
        stored = await of_study(session, "demo")
    assert stored == found
    assert stored.document.is_whole()
    assert await deviations(services) == []


async def test_freezing_the_same_again_changes_nothing(
    services: Services, study: StoredStudy
) -> None:
    assert study.slug == "demo"
    assert await freeze_demo(services, "once") == await freeze_demo(services, "twice")


async def test_a_change_is_told_and_a_change_back_too(
    services: Services, study: StoredStudy, browser: AsyncClient
) -> None:
    await freeze_demo(services)
    await change(services, title="Changed")
    (found,) = await deviations(services)
    assert (found.place, found.frozen, found.present) == ("title", "Which one?", "Changed")
    assert found.in_force
    await Participant.join(browser)
    await change(services)
    (found,) = await deviations(services)
    # Somebody took part under the other title.
    assert (found.place, found.in_force) == ("title", False)
    assert study.slug == "demo"


async def test_what_changed_back_before_anybody_came_is_nothing(
    services: Services, study: StoredStudy
) -> None:
    await freeze_demo(services)
    await change(services, title="Changed")
    await change(services)
    assert await deviations(services) == []
    assert study.slug == "demo"


async def test_a_second_freeze_cannot_hide_what_people_saw(
    services: Services, study: StoredStudy, browser: AsyncClient
) -> None:
    first = await freeze_demo(services)
    await change(services, title="Before anybody")
    second = await freeze_demo(services)
    assert second.at > first.at
    await Participant.join(browser)
    await change(services, title="After somebody")
    with pytest.raises(NotFrozenError, match="1 joined since"):
        await freeze_demo(services)
    assert study.slug == "demo"


async def test_who_came_before_the_freeze_is_counted_and_previews_are_not(
    services: Services, study: StoredStudy, browser: AsyncClient
) -> None:
    await Participant.join(browser)
    async with services.database.transaction() as session:
        await session.execute(
            text(
                "insert into participant (pseudonym, study_id, join_key, token_hash, "
                "consent_version, kind, language) values "
                "('p', :study, :key, 'h', '1', 'preview', 'en')"
            ),
            {"study": study.id, "key": uuid.uuid4()},
        )
    assert (await freeze_demo(services)).document.participants_before == 1


async def test_showing_the_votes_early_is_a_deviation(
    services: Services, study: StoredStudy
) -> None:
    async with services.database.transaction() as session:
        session.add(StudyEvent(slug="demo", study_id=study.id, kind="unblinded", reason="before"))
    await freeze_demo(services)
    async with services.database.transaction() as session:
        session.add(StudyEvent(slug="demo", study_id=study.id, kind="unblinded", reason="curious"))
        session.add(StudyEvent(slug="demo", study_id=study.id, kind="closed", reason=None))
    (found,) = await deviations(services)
    assert (found.kind, found.place, found.reason) == ("conduct", "unblinded", "curious")


async def test_a_study_whose_file_is_gone_keeps_its_deviations(
    services: Services, study: StoredStudy, browser: AsyncClient
) -> None:
    await freeze_demo(services)
    await change(services, headphones="asked")
    await Participant.join(browser)
    async with services.database.transaction() as session:
        await session.execute(update(Study).values(is_current=False))
    (found,) = await deviations(services)
    assert (found.place, found.in_force) == ("headphones", False)
    assert study.slug == "demo"
