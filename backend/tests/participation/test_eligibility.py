"""Answers that keep people out: who gives one ends there, holds no place, and is counted as such.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest
from httpx import AsyncClient, Response
from pydantic import TypeAdapter, ValidationError

from tests.made_up import Participant, put_recordings, study_definition
from thinlab.export import rows
from thinlab.export.participant_columns import participant_columns
from thinlab.monitoring import monitor
from thinlab.participation import places
from thinlab.study.catalogue import StoredStudy
from thinlab.study.question import Question
from thinlab.trials.registry import KINDS
from thinlab.web.serve import load
from thinlab.web.services import Services

HEARS = {
    "id": "hears",
    "kind": "choice",
    "when": "before",
    "required": True,
    "text": "How do you hear?",
    "options": [
        {"id": "well", "label": "Well"},
        {"id": "badly", "label": "Badly", "screens_out": True},
    ],
}
OPTIONS: list[dict[str, Any]] = [
    {"id": "phone", "label": "A telephone", "screens_out": True},
    {"id": "laptop", "label": "A laptop"},
    {"id": "desktop", "label": "A desktop"},
]
USES = HEARS | {"id": "uses", "several": True, "options": OPTIONS}
FIT = {"hears": "well", "uses": ["laptop"]}


def problem(**changes: Any) -> str:  # noqa: ANN401 (any field)
    with pytest.raises(ValidationError) as raised:
        TypeAdapter[Any](Question).validate_python(HEARS | changes)
    return str(raised.value)


def test_a_question_that_keeps_people_out_has_to_be_answered_first() -> None:
    assert "needs `when: before` and `required: true`" in problem(when="after")
    assert "needs `when: before` and `required: true`" in problem(required=False)
    out = [option | {"screens_out": True} for option in OPTIONS]
    assert "nobody could take part" in problem(options=out)


@pytest.fixture
async def screening(services: Services, study: StoredStudy) -> StoredStudy:
    definition = study_definition(
        questionnaire=[HEARS, USES], headphones="required", stop={"completed": 1}
    )
    assert study.slug == definition.slug
    await load(services.database, [definition])
    return await put_recordings(services, definition.slug)


async def answer(somebody: Participant, **answers: object) -> Response:
    return await somebody.browser.post(
        "/api/participation/answers", headers=somebody.headers, json={"answers": answers}
    )


async def test_it_is_asked_before_any_check_and_its_price_is_not_told(
    browser: AsyncClient, screening: StoredStudy
) -> None:
    somebody = await Participant.join(browser, screening.slug)
    assert (await somebody.progress())["state"] == "questions_before"
    asked = await browser.get("/api/participation/questions", headers=somebody.headers)
    assert "screen" not in asked.text
    first, _ = asked.json()["questions"]
    assert {tuple(option) for option in first["options"]} == {("id", "label")}
    fit = await answer(somebody, **FIT)
    assert fit.json()["state"] == "sound_check"


@pytest.mark.parametrize("answers", [FIT | {"hears": "badly"}, FIT | {"uses": ["laptop", "phone"]}])
async def test_an_answer_ends_it_for_good(
    browser: AsyncClient, screening: StoredStudy, answers: dict[str, object]
) -> None:
    somebody = await Participant.join(browser, screening.slug)
    for _ in range(2):
        # An answer that is lost is sent again.
        told = await answer(somebody, **answers)
        assert (told.status_code, told.json()["state"]) == (200, "ineligible")
    second_thoughts = await answer(somebody, **FIT)
    assert second_thoughts.status_code == 409
    await somebody.check_sound(headphones={"correct": 6, "of": 6, "tries": 1})
    assert (await somebody.progress())["state"] == "ineligible"
    opened = await browser.post("/api/participation/trials", headers=somebody.headers)
    assert opened.status_code == 409
    assert (await somebody.progress())["completion_code"] is None


async def test_it_holds_no_place_and_is_counted_as_what_it_is(
    browser: AsyncClient, services: Services, screening: StoredStudy
) -> None:
    out, fit = [await Participant.join(browser, screening.slug) for _ in range(2)]
    await answer(out, **(FIT | {"hears": "badly"}))
    await answer(fit, **FIT)
    await fit.check_sound(headphones={"correct": 6, "of": 6, "tries": 1})
    await fit.take_all()
    async with services.database.transaction() as session:
        assert await places.is_full(session, screening, kind="person", language="en")
        seen = await monitor.of_study(session, screening, KINDS)
        people = await rows.attendances(session, screening)
    assert (seen.flow.consented, seen.flow.ineligible, seen.flow.analysed) == (2, 1, 1)
    assert (seen.whereabouts.ineligible, seen.whereabouts.completed) == (1, 1)
    (column,) = (
        one for one in participant_columns([screening.definition]) if one.name == "ineligible_by"
    )
    assert [column.cell(one) for one in people.values()] == ["hears", None]


async def test_whoever_withdraws_leaves_no_trace_of_the_answer(
    browser: AsyncClient, services: Services, screening: StoredStudy
) -> None:
    somebody = await Participant.join(browser, screening.slug)
    await answer(somebody, **(FIT | {"hears": "badly"}))
    gone = await browser.delete("/api/participation", headers=somebody.headers)
    assert gone.status_code in {200, 204}
    async with services.database.transaction() as session:
        (one,) = (await rows.attendances(session, screening)).values()
    assert (one.participant.ineligible_by, one.answers) == (None, {})
