"""People whom a panel sends: one seat for each id, one outcome, and no code before it is earned.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import csv
import io
import json
import uuid
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from httpx import AsyncClient, Response
from sqlalchemy import func, select, update

from tests.crowd.panel import CODES
from tests.made_up import Participant, put_recordings, sign_in, study_definition
from thinlab.database.schema import Allocation, PanelReturn, PanelSeat, Vote
from thinlab.database.schema import Participant as Row
from thinlab.participation import newcomer, panel_return, panel_seat, places, withdrawal
from thinlab.study import catalogue
from thinlab.study.panel import Outcome
from thinlab.web.serve import load
from thinlab.web.services import Services

PROLIFIC = {"provider": "prolific", "deadline_minutes": 60}
DESK = "/api/researcher/studies/demo"
DRIVES = {
    "id": "drives",
    "kind": "choice",
    "when": "before",
    "required": True,
    "text": "Do you drive?",
    "options": [
        {"id": "yes", "label": "Yes"},
        {"id": "no", "label": "No", "screens_out": True},
    ],
}


def ids(number: int | str, session: str | None = "first") -> dict[str, str | None]:
    """As the page reads them from the address."""
    return {"participant": f"worker-{number}", "session": session, "batch": "batch"}


async def give(services: Services, **changes: Any) -> None:  # noqa: ANN401
    """The study with a panel, and codes for all outcomes."""
    await load(
        services.database,
        [study_definition(**{"panel": PROLIFIC, "retention_days": 30} | changes)],
    )
    study = await put_recordings(services, "demo")
    assert study.definition.panel is not None
    returns = {Outcome(outcome): panel_return.Return(code=code) for outcome, code in CODES.items()}
    async with services.database.transaction() as session:
        await panel_return.enter(session, "demo", study.definition.panel, returns)


async def arrive(browser: AsyncClient, who: dict[str, Any], **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """Comes to the study's door."""
    came = await browser.post("/api/studies/demo/arrivals", json={"ids": who, **fields})
    assert came.status_code == 200, came.text
    arrived: dict[str, Any] = came.json()
    return arrived


async def join(browser: AsyncClient, who: dict[str, Any] | None) -> Response:
    """Agrees to take part, in a browser of its own."""
    body = {"consent_version": "1", "join_key": str(uuid.uuid4()), "panel": who}
    return await browser.post("/api/studies/demo/participants", json=body)


async def let_the_deadline_pass(services: Services) -> None:
    """For everybody who is under way."""
    async with services.database.transaction() as session:
        await session.execute(
            update(PanelSeat).where(PanelSeat.outcome.is_(None)).values(reserved_until=func.now())
        )


async def outcomes(services: Services) -> Counter[str | None]:
    """Of all seats."""
    async with services.database.transaction() as session:
        return Counter(await session.scalars(select(PanelSeat.outcome)))


async def held(services: Services) -> int:
    """Places that somebody holds."""
    async with services.database.transaction() as session:
        counted = await session.scalar(
            select(func.count()).select_from(Row).where(places.HOLDS_A_PLACE)
        )
    return counted or 0


async def test_from_the_panel_and_back(browser: AsyncClient, services: Services) -> None:
    await give(services)
    page = (await browser.get("/api/studies/demo")).json()
    assert page["panel"] == {
        "title": "Prolific",
        "participant": "PROLIFIC_PID",
        "session": "SESSION_ID",
        "batch": "STUDY_ID",
        "deadline_minutes": 60,
    }
    assert await arrive(browser, ids(1)) == {"standing": "welcome", "end": None}
    person = await Participant.join(browser, panel=ids(1))
    for _ in range(3):
        assert (await person.progress())["end"] is None
        trial = await person.open_trial()
        await person.vote(trial["trial_token"], choice="first")
    for _ in range(2):
        assert (await person.progress())["end"] == {
            "outcome": "complete",
            "code": "C0MPLETE",
            "url": "https://app.prolific.com/submissions/complete?cc=C0MPLETE",
        }
    assert await outcomes(services) == {"complete": 1}


async def test_no_code_is_sent_before_it_is_earned(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, headphones="asked")
    public = ("/api/studies/demo", "/api/front-page")
    seen = [(await browser.get(path)).text for path in public]
    seen.append(json.dumps(await arrive(browser, ids(1))))
    joined = await join(browser, ids(1))
    seen.append(joined.text)
    person = Participant(browser, joined.json()["participant_token"])
    seen.append((await person.check_sound(headphones={"tries": 1, "correct": 6})).text)
    for _ in range(3):
        trial = await person.open_trial()
        seen += [json.dumps(trial), json.dumps(await person.progress())]
        seen.append((await person.vote(trial["trial_token"], choice="first")).text)
    for text in seen:
        assert not [code for code in CODES.values() if code in text]
    # And then only the one.
    told = json.dumps(await person.progress())
    assert [code for code in CODES.values() if code in told] == ["C0MPLETE"]


async def test_an_id_gets_its_own_seat_back_in_any_browser(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    joined = await asyncio.gather(*(join(browser, ids(1)) for _ in range(6)))
    assert sorted(one.status_code for one in joined) == [200] * 5 + [201]
    assert len({one.json()["participant_token"] for one in joined}) == 1
    assert await arrive(browser, ids(1)) == {"standing": "known", "end": None}
    other = await join(browser, ids(2))
    assert other.json()["participant_token"] != joined[0].json()["participant_token"]
    assert await outcomes(services) == {None: 2}


async def test_one_browser_with_two_ids_at_once_has_one_seat(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    body = {"consent_version": "1", "join_key": str(uuid.uuid4())}
    joined = await asyncio.gather(
        *(
            browser.post("/api/studies/demo/participants", json=body | {"panel": ids(number)})
            for number in range(6)
        )
    )
    assert {one.status_code for one in joined} <= {200, 201}
    assert len({one.json()["participant_token"] for one in joined}) == 1
    assert await outcomes(services) == {None: 1}


async def test_a_finished_seat_shows_its_code_to_the_same_visit_only(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    person = await Participant.join(browser, panel=ids(1))
    await person.take_all()
    # Typed by hand: who it is, but not the visit.
    for session in ("another", None):
        assert await arrive(browser, ids(1, session)) == {"standing": "took_part", "end": None}
        refused = await join(browser, ids(1, session))
        assert (refused.status_code, refused.json()["type"]) == (409, "/problems/took-part")
        assert "participant_token" not in refused.text
    # The same person with a browser that has forgotten everything.
    assert (await arrive(browser, ids(1)))["standing"] == "known"
    again = (await join(browser, ids(1))).json()
    assert again["participation"]["end"]["code"] == "C0MPLETE"
    assert await outcomes(services) == {"complete": 1}


async def test_a_new_visit_goes_on_with_an_unfinished_seat(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    first = await join(browser, ids(1, "first"))
    second = await join(browser, ids(1, "second"))
    assert second.json()["participant_token"] == first.json()["participant_token"]
    await Participant(browser, second.json()["participant_token"]).check_sound()
    await Participant(browser, second.json()["participant_token"]).take_all()
    assert (await arrive(browser, ids(1, "first")))["standing"] == "took_part"
    assert (await arrive(browser, ids(1, "second")))["standing"] == "known"


async def test_nobody_joins_without_the_panel(browser: AsyncClient, services: Services) -> None:
    await give(services)
    refused = await join(browser, None)
    assert (refused.status_code, refused.json()["type"]) == (403, "/problems/panel-needed")
    page = (await browser.get("/api/front-page")).json()
    assert [study["slug"] for study in page["studies"]] == []


@pytest.mark.parametrize(
    "value",
    [
        "",
        "a" * 129,
        "a" * 10_240,
        "<script>alert(1)</script>",
        "{{%PROLIFIC_PID%}}",
        "%SURVEY_CODE%",
        "a b",
        "a\u0000",
        "../a",
        "å",
        ["a", "b"],
        {"a": 1},
        7,
    ],
)
async def test_what_cannot_be_an_id_is_refused(
    browser: AsyncClient, services: Services, value: object
) -> None:
    await give(services)
    for field in ("participant", "session", "batch"):
        who: dict[str, Any] = ids(1) | {field: value}
        joined = await join(browser, who)
        came = await browser.post("/api/studies/demo/arrivals", json={"ids": who})
        assert joined.status_code == came.status_code == 422
        assert "<script>" not in came.text
    assert await outcomes(services) == {}


async def test_who_declines_is_told_the_same_again_and_cannot_join(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    for declines in (True, True, False):
        told = await arrive(browser, ids(1), declines=declines)
        assert told["standing"] == "ended"
        assert (told["end"]["outcome"], told["end"]["code"]) == ("declined", "N0C0NSENT")
    assert (await arrive(browser, ids(1, "other")))["standing"] == "took_part"
    assert (await join(browser, ids(1))).json()["type"] == "/problems/took-part"
    assert await outcomes(services) == {"declined": 1}


async def test_a_failed_check_screens_out(browser: AsyncClient, services: Services) -> None:
    await give(services, headphones="required", stop={"completed": 1})
    joined = await join(browser, ids(1))
    person = Participant(browser, joined.json()["participant_token"])
    assert await held(services) == 1
    for tries in (1, 2):
        assert (await person.progress())["end"] is None
        await person.check_sound(headphones={"tries": tries, "correct": 0})
    told = await person.progress()
    assert told["state"] == "headphones_failed"
    assert (told["end"]["outcome"], told["end"]["code"]) == ("screened_out", "SCR33N")
    # The place is free at once.
    assert await held(services) == 0
    assert (await arrive(browser, ids(2)))["standing"] == "welcome"
    await let_the_deadline_pass(services)
    assert (await person.progress())["end"]["outcome"] == "screened_out"


async def test_an_answer_that_keeps_people_out_screens_out(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, questionnaire=[DRIVES], stop={"completed": 1})
    joined = await join(browser, ids(1))
    person = Participant(browser, joined.json()["participant_token"])
    assert await held(services) == 1
    assert (await person.progress())["end"] is None
    answered = await browser.post(
        "/api/participation/answers", headers=person.headers, json={"answers": {"drives": "no"}}
    )
    told = answered.json()
    assert told["state"] == "ineligible"
    assert (told["end"]["outcome"], told["end"]["code"]) == ("screened_out", "SCR33N")
    # The place is free at once, and the id is used up.
    assert await held(services) == 0
    assert (await arrive(browser, ids(2)))["standing"] == "welcome"
    again = (await join(browser, ids(1))).json()["participation"]
    assert (again["state"], again["end"]["code"]) == ("ineligible", "SCR33N")
    assert await outcomes(services) == {"screened_out": 1}


async def test_the_deadline_passes(browser: AsyncClient, services: Services) -> None:
    await give(services, stop={"completed": 1})
    late = await Participant.join(browser, panel=ids(1))
    trial = await late.open_trial()
    await late.vote(trial["trial_token"], choice="first")
    refused = await join(browser, ids(2))
    assert refused.json()["type"] == "/problems/full"
    await let_the_deadline_pass(services)
    assert await held(services) == 0
    next_ = await Participant.join(browser, panel=ids(3))
    told = await late.progress()
    assert told["state"] == "timed_out"
    assert (told["end"]["outcome"], told["end"]["code"]) == ("timed_out", "T00LATE")
    opened = await browser.post("/api/participation/trials", headers=late.headers)
    assert opened.status_code == 409
    # In another browser, too.
    assert (await join(browser, ids(1))).json()["participation"]["state"] == "timed_out"
    await next_.take_all()
    assert await outcomes(services) == {"timed_out": 1, "complete": 1}


async def test_what_is_sent_too_late_is_stored_and_completes_nothing(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, stop={"completed": 1})
    late = await Participant.join(browser, panel=ids(1))
    trials = await late.open_trials()
    for trial in trials[:-1]:
        await late.vote(trial["trial_token"], choice="first")
    await let_the_deadline_pass(services)
    quick = await Participant.join(browser, panel=ids(2))
    voted = await late.vote(trials[-1]["trial_token"], choice="first")
    assert voted.status_code == 201
    assert (await late.progress())["state"] == "timed_out"
    await quick.take_all()
    assert (await quick.progress())["state"] == "complete"
    async with services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(Vote)) == 6
        completed = select(func.count()).where(Row.completed_at.is_not(None))
        assert await session.scalar(completed) == 1
    assert await outcomes(services) == {"timed_out": 1, "complete": 1}


async def test_an_outcome_is_one_however_they_race(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    for number in range(8):
        person = await Participant.join(browser, panel=ids(number))
        trials = await person.open_trials()
        for trial in trials[:-1]:
            await person.vote(trial["trial_token"], choice="first")
        await asyncio.gather(
            person.vote(trials[-1]["trial_token"], choice="first"),
            let_the_deadline_pass(services),
            person.progress(),
            arrive(browser, ids(number)),
        )
        told = await person.progress()
        assert told["state"] == told["end"]["outcome"]
        assert (told["state"] == "complete") == (told["completion_code"] is not None)
    async with services.database.transaction() as session:
        rows = await session.execute(
            select(PanelSeat.outcome, Row.completed_at).join(
                Row, Row.id == PanelSeat.participant_id
            )
        )
        for outcome, completed_at in rows:
            assert (outcome == "complete") == (completed_at is not None)


async def test_places_are_never_given_twice(browser: AsyncClient, services: Services) -> None:
    await give(services, stop={"completed": 4})
    joined = await asyncio.gather(*(join(browser, ids(number)) for number in range(12)))
    assert Counter(one.status_code for one in joined) == {201: 4, 409: 8}
    for number, one in enumerate(joined):
        if one.status_code == 409:
            told = await arrive(browser, ids(number))
            assert (told["standing"], told["end"]["outcome"]) == ("ended", "full")
            assert told["end"]["code"] == "0VERQU0TA"
    # A place that returns is nobody's who was sent away.
    await let_the_deadline_pass(services)
    full = next(number for number, one in enumerate(joined) if one.status_code == 409)
    assert (await arrive(browser, ids(full)))["end"]["outcome"] == "full"
    assert (await arrive(browser, ids("late")))["standing"] == "welcome"


async def test_orders_stay_balanced_when_places_return(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    async with services.database.transaction() as session:
        study = await catalogue.current(session, "demo")
    assert study is not None
    for number in range(6):
        person = await Participant.join(browser, panel=ids(number))
        await person.open_trial()
        if number % 2:
            await let_the_deadline_pass(services)
        else:
            await person.take_all()
    async with services.database.transaction() as session:
        found = await places.rounds_held(session, study.id, "person")
        drawn = await session.scalar(select(func.count()).select_from(Allocation))
    # Six were drawn; the three that count have three rows of one cover, each once.
    assert drawn == 6
    assert sorted(rounds for rows in found.values() for rounds in rows.values()) == [[0]] * 3


async def test_a_withdrawal_erases_the_ids_and_the_id_cannot_come_again(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    person = await Participant.join(browser, panel=ids(1))
    await browser.delete("/api/participation", headers=person.headers)
    async with services.database.transaction() as session:
        seat = (await session.scalars(select(PanelSeat))).one()
    assert (seat.panel_participant, seat.panel_session, seat.panel_batch) == (None, None, None)
    assert (seat.participant_id, seat.outcome) == (None, "withdrawn")
    assert (await arrive(browser, ids(1))) == {"standing": "took_part", "end": None}
    assert (await join(browser, ids(1))).status_code == 409


async def test_who_completed_and_withdraws_keeps_what_was_earned(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    person = await Participant.join(browser, panel=ids(1))
    await person.take_all()
    await browser.delete("/api/participation", headers=person.headers)
    assert await outcomes(services) == {"complete": 1}
    assert (await arrive(browser, ids(1))) == {"standing": "took_part", "end": None}


async def test_the_retention_s_end_erases_what_recognises(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    await (await Participant.join(browser, panel=ids(1))).take_all()
    await arrive(browser, ids(2), declines=True)
    async with services.database.transaction() as session:
        await session.execute(update(Row).values(joined_at=func.now() - timedelta(days=31)))
        await session.execute(update(PanelSeat).values(came_at=func.now() - timedelta(days=31)))
        await withdrawal.erase_links(session)
        seats = list(await session.scalars(select(PanelSeat)))
    for seat in seats:
        assert seat.panel_hash is None
        assert seat.panel_participant is None
        assert seat.participant_id is None
    assert await outcomes(services) == {"complete": 1, "declined": 1}


async def test_newcomers_of_a_panel_are_forgotten_but_not_that_they_came(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    await join(browser, ids(1))
    async with services.database.transaction() as session:
        await session.execute(update(Row).values(last_seen_at=func.now() - timedelta(days=2)))
        assert await newcomer.forget(session) == 0
    await let_the_deadline_pass(services)
    async with services.database.transaction() as session:
        assert await panel_seat.expire_all(session) == 1
        assert await newcomer.forget(session) == 1
    told = await arrive(browser, ids(1))
    assert (told["standing"], told["end"]["code"]) == ("ended", "T00LATE")


async def test_the_list_to_pay_by_names_nobody_in_other_files(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    await (await Participant.join(browser, panel=ids(1))).take_all()
    await arrive(browser, ids(2), declines=True)
    assert (await browser.get(f"{DESK}/panel-seats.csv")).status_code == 401
    await sign_in(browser, services)
    plain = list(csv.DictReader(io.StringIO((await browser.get(f"{DESK}/panel-seats.csv")).text)))
    assert [(row["panel_participant"], row["outcome"]) for row in plain] == [
        ("worker-1", "complete"),
        ("worker-2", "declined"),
    ]
    assert "pseudonym" not in plain[0]
    asked = (await browser.get(f"{DESK}/panel-seats.csv?pseudonyms=true")).text
    assert next(csv.DictReader(io.StringIO(asked)))["pseudonym"].startswith("p-")
    for name in ("export", "participants", "codebook"):
        text = (await browser.get(f"{DESK}/{name}.csv")).text
        assert "worker-1" not in text
        assert "panel" not in text
    log = (await browser.get("/api/researcher/audit")).text
    assert "panel-seats" in log
    assert not [code for code in CODES.values() if code in log]


async def test_what_a_panel_is_told_is_filled_in_and_nothing_else(
    browser: AsyncClient, services: Services
) -> None:
    panel = {
        "provider": "link",
        "parameters": {"participant": "w", "session": "s", "batch": "b"},
    }
    await give(services, panel=panel)
    await sign_in(browser, services)
    url = "https://panel.example/back?w={participant}&s={session}&b={batch}&c={code}"
    returns = [{"outcome": "complete", "url": url}]
    assert (await browser.put(f"{DESK}/panel", json={"returns": returns})).status_code == 204
    # An id that looks like a place, or like another parameter, stays an id.
    who = {"participant": "a=1+b@c", "session": None, "batch": "x"}
    person = await Participant.join(browser, panel=who)
    await person.take_all()
    told = await person.progress()
    code = told["completion_code"]
    assert told["end"]["code"] == code
    assert told["end"]["url"] == (f"https://panel.example/back?w=a%3D1%2Bb%40c&s=&b=x&c={code}")


async def test_sona_s_own_address_is_understood(browser: AsyncClient, services: Services) -> None:
    await give(services, panel={"provider": "sona"})
    await sign_in(browser, services)
    at = "https://uni.sona-systems.com/webstudy_credit.aspx?experiment_id=123&credit_token=abc"
    returns = [{"outcome": "complete", "url": f"{at}&survey_code=XXXX"}]
    assert (await browser.put(f"{DESK}/panel", json={"returns": returns})).status_code == 204
    person = await Participant.join(browser, panel={"participant": "41233"})
    await person.take_all()
    assert (await person.progress())["end"]["url"] == f"{at}&survey_code=41233"
    # A code typed by hand earns its owner the credit, and is shown to whoever has it.
    assert (await arrive(browser, {"participant": "41233"}))["standing"] == "known"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "http://panel.example/",
        "https://",
        "panel.example",
        "https://panel.example/{secret}",
        "https://{participant}.example/",
        "https://[::1",
        "data:text/html,x",
        "https://panel.example/ x",
    ],
)
async def test_an_address_that_is_none_changes_nothing(
    browser: AsyncClient, services: Services, url: str
) -> None:
    await give(services)
    await sign_in(browser, services)
    returns = [{"outcome": "full", "code": "F"}, {"outcome": "complete", "url": url}]
    refused = await browser.put(f"{DESK}/panel", json={"returns": returns})
    assert refused.status_code == 422
    assert refused.json()["field"].endswith("returns.1.url")
    async with services.database.transaction() as session:
        kept = {row.outcome: row.code for row in await session.scalars(select(PanelReturn))}
    assert kept == CODES


async def test_no_withdrawal_and_no_outcome_twice_is_told(
    browser: AsyncClient, services: Services
) -> None:
    await give(services)
    await sign_in(browser, services)
    for returns in (
        [{"outcome": "withdrawn", "code": "W"}],
        [{"outcome": "full", "code": "F"}, {"outcome": "full", "code": "G"}],
    ):
        refused = await browser.put(f"{DESK}/panel", json={"returns": returns})
        assert refused.status_code == 422
        assert "returns." in refused.json()["field"]


async def test_a_study_without_a_panel_has_none(browser: AsyncClient, services: Services) -> None:
    came = await browser.post("/api/studies/demo/arrivals", json={"ids": ids(1)})
    assert came.json()["type"] == "/problems/no-panel"
    person = await Participant.join(browser, panel=ids(1))
    assert (await person.progress())["end"] is None
    assert await outcomes(services) == {}
    await sign_in(browser, services)
    assert (await browser.get(f"{DESK}/panel")).status_code == 404
    missing = await browser.post("/api/studies/none/arrivals", json={"ids": ids(1)})
    assert missing.status_code == 404


async def test_the_desk_sees_the_panel(browser: AsyncClient, services: Services) -> None:
    await give(services)
    await Participant.join(browser, panel=ids(1))
    await arrive(browser, ids(2), declines=True)
    await sign_in(browser, services)
    desk = (await browser.get(f"{DESK}/panel")).json()
    assert {one["outcome"]: one["count"] for one in desk["seats"] if one["count"]} == {
        None: 1,
        "declined": 1,
    }
    assert {one["outcome"]: one["code"] for one in desk["returns"]} == CODES
    assert desk["code_suffices"]
    document = (await browser.get(DESK)).text
    assert not [code for code in CODES.values() if code in document]
