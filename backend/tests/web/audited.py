"""One study of every type, and a participant who takes it whole and keeps what was sent.

SPDX-License-Identifier: Apache-2.0
"""

import json
import uuid
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from httpx import AsyncClient, Response

from tests.made_up import (
    ABX,
    ACR,
    CCR,
    DCR,
    HEARD,
    MUSHRA,
    ON_A_PAGE,
    PREFERENCE,
    Participant,
    ballot,
    block,
    in_two_modes,
    study_definition,
)
from tests.web.blinding import Exchange, differences, leaks_in, record, riders, trial_differences
from thinlab.study.definition import StudyDefinition

# Everything that names a condition, a clip or a kind of trial: in the studies below, in the
# code, in the field. None may reach a participant, not inside another word either.
WORDS = (
    *("plain", "modified", "off", "linear", "timeout", "retransmit", "bundl", "mechanism"),
    *("newreno", "baseline", "modern", "bbr", "loss", "rtt", "jitter", "seed", "condition"),
    *("speech", "song", "control", "pair", "clip", "member_a", "member_b", "capture", "metric"),
    *("mnru", "low_pass", "noise", "noisy", "anchor", "original", "unprocessed", "q_db"),
    *("gold", "trap", "single", "at_least", "at_most", "exclu", "wrong", "matched", "block"),
    *(
        "staircase",
        "adaptive",
        "level",
        "threshold",
        "kernel",
        "host-build",
        "recording_id",
        "uvicorn",
        "last-modified",
        "etag",
        "filename",
    ),
)


def _trial(kind: str, name: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"kind": kind, "id": f"{kind}-{name}", "clip": "speech", "seed": 4711} | fields


def _lossy(loss_share: float) -> dict[str, Any]:
    return in_two_modes("all", loss_share)["plain"]  # type: ignore[no-any-return]


PLACES = ("first", "second", "x")
BOTH = ["plain", "modified"]
PAIRED = [
    _trial("pair", "1", conditions=BOTH, runs=2),
    _trial("pair", "2", conditions=["modified", "plain"], clip="song", matched=False),
    _trial("control", "1", condition="modified"),
    _trial("gold", "1", conditions=BOTH, better="modified"),
]
FORCED = PREFERENCE | {"answers": {"first": "The first", "second": "The second"}}
ASKED = [
    {"id": "age", "when": "before", "kind": "number", "text": "Your age?", "minimum": 18},
    {"id": "remarks", "when": "after", "kind": "text", "text": "What did you notice?"},
]
PRACTICE = block(
    [_trial("pair", "practice", conditions=BOTH)],
    id="block-0",
    role="training",
    introduction="To get used to it.",
    order="as_written",
)

STUDIES: dict[str, dict[str, Any]] = {
    "preference": {
        "blocks": [
            block([*PAIRED, _trial("trapping", "1", condition="plain", answer="second")]),
        ],
    },
    "forced-choice": {
        "blocks": [
            block(
                [*PAIRED, _trial("trapping", "1", condition="plain", answer="first")],
                scale=FORCED,
                break_every=2,
            )
        ],
        "exclusion": [{"rule": "gold_wrong", "more_than": 0}],
    },
    "ccr": {
        "headphones": "required",
        "blocks": [
            PRACTICE | {"scale": CCR, "playback": "in_turn"},
            block(
                [*PAIRED, _trial("trapping", "1", condition="plain", answer=-2)],
                id="block-1",
                scale=CCR,
                playback="in_turn",
                introduction="Now in earnest.",
                break_every=3,
            ),
        ],
        "exclusion": [{"rule": "trapping_wrong", "more_than": 0}],
    },
    "acr": {
        "blocks": [
            block(
                [
                    _trial("single", "1", condition="plain", runs=3),
                    _trial("single", "2", condition="modified", runs=3),
                    _trial("gold", "1", condition="plain", at_least=3),
                    _trial("trapping", "1", condition="plain", answer=4),
                ],
                scale=ACR,
                playback="in_turn",
            )
        ],
    },
    "dcr": {
        "blocks": [
            block(
                [
                    _trial("pair", "1", conditions=BOTH, runs=2),
                    _trial("control", "1", condition="plain"),
                    _trial("gold", "1", conditions=BOTH, at_most=3),
                    _trial("trapping", "1", condition="plain", answer=4),
                ],
                scale=DCR,
                playback="in_turn",
            )
        ],
    },
    "abx": {
        "blocks": [
            block([_trial("pair", f"{n}", conditions=BOTH, runs=2) for n in range(4)], scale=ABX)
        ],
    },
    "mushra": {
        "conditions": ON_A_PAGE,
        "blocks": [
            block(
                [
                    _trial("single", f"{number}-{name}", condition=name, clip=clip)
                    for number, clip in enumerate(("speech", "song"))
                    for name in ON_A_PAGE
                ],
                scale=MUSHRA,
            )
        ],
    },
    "by-answers": {
        "conditions": {
            "plain": _lossy(0.0),
            "modified": _lossy(0.02),
            "ruined": _lossy(0.1),
        },
        "blocks": [
            block(
                [
                    _trial("pair", "1", conditions=BOTH, runs=2),
                    _trial("pair", "2", conditions=["plain", "ruined"], runs=2),
                ],
                scale=FORCED,
                adaptive={"quantity": "loss_share", "trials": 8, "seed": 5},
            )
        ],
    },
    "questions": {
        "headphones": "asked",
        "questionnaire": ASKED,
        "blocks": [PRACTICE, block(PAIRED, id="block-1")],
    },
    "references": {
        "conditions": in_two_modes("all", loss_share=0.02)
        | {
            "original": {"reference": "unprocessed"},
            "noisy": {"reference": "mnru", "q_db": 15},
            "anchor": {"reference": "low_pass_3500"},
        },
        "blocks": [
            block(
                [
                    _trial("pair", "1", conditions=["plain", "original"], runs=2),
                    _trial("pair", "2", conditions=["noisy", "anchor"]),
                    _trial("pair", "3", conditions=["modified", "noisy"], matched=False),
                    _trial("control", "1", condition="original"),
                    _trial("gold", "1", conditions=["original", "anchor"], better="original"),
                ]
            ),
            block(
                [_trial("single", name, condition=name) for name in ("plain", "original", "noisy")],
                id="block-1",
                scale=ACR,
            ),
        ],
    },
    "invitation": {"access": "invitation", "blocks": [block(PAIRED)], "retention_days": 30},
}


def definition_of(name: str) -> StudyDefinition:
    """One of the studies."""
    return study_definition(slug=f"study-{name}", **STUDIES[name])


@dataclass
class Session:
    """What a participant's browser saw."""

    everything: list[Exchange] = field(default_factory=list)
    opaque: set[str] = field(default_factory=set)
    recordings: list[tuple[Exchange, Exchange]] = field(default_factory=list)
    """The first of each trial beside each other one, where there are several."""
    alike: dict[str, list[Exchange]] = field(default_factory=lambda: defaultdict(list))
    """Answers that have to be alike for trials of every kind."""
    blocks: list[tuple[str, list[dict[str, Any]]]] = field(default_factory=list)
    """Trials in their order, parted wherever a participant sees that the kind changes."""

    def keep(self, response: Response, alike: str | None = None) -> Exchange:
        """Notes an answer; `alike`: under which heading it is compared with others."""
        exchange = record(response)
        self.everything.append(exchange)
        if alike is not None:
            self.alike[alike].append(exchange)
        return exchange

    def leaks(self) -> list[str]:
        """All that is found against the blinding."""
        found = [leak for one in self.everything for leak in leaks_in(one, WORDS, self.opaque)]
        found += [leak for one in self.everything for leak in riders(one)]
        for first, second in self.recordings:
            found += differences(first, second)
        for answers in self.alike.values():
            for other in answers[1:]:
                found += differences(answers[0], other)
        for _, trials in self.blocks:
            for trial in trials[1:]:
                found += trial_differences(trials[0], trial)
        return found

    def add_trial(self, trial: dict[str, Any]) -> None:
        """Puts a trial to those before it, as far as it looks like one of them."""
        looks = json.dumps([trial["training"], trial["scale"], trial["playback"]])
        if not self.blocks or self.blocks[-1][0] != looks:
            self.blocks.append((looks, []))
        self.blocks[-1][1].append(trial)


def handles_of(trial: dict[str, Any]) -> list[dict[str, Any]]:
    """What a trial presents, in the order in which a page asks for it."""
    first, second, x = (trial[place] for place in PLACES)
    return [one for one in (first, second, *trial["others"], x) if one is not None]


class Auditor:
    """Takes a study with a browser, answering differently in every session."""

    def __init__(self, browser: AsyncClient, slug: str, *, turn: int = 0) -> None:
        self.browser = browser
        self.slug = slug
        self.seen = Session()
        # Right and wrong answers to the trials whose answer is known both have to come.
        self._answers = count(turn)

    async def take_part(self, invitation: str | None = None) -> Session:
        """Everything that a page asks for, errors and dead tokens included."""
        seen = self.seen
        seen.keep(await self.browser.get(f"/api/studies/{self.slug}"))
        seen.keep(await self.browser.get(f"/api/studies/{self.slug}/sound-check"))
        fields = {} if invitation is None else {"invitation": invitation}
        body = {"consent_version": "1", "join_key": str(uuid.uuid4()), **fields}
        joined = await self.browser.post(f"/api/studies/{self.slug}/participants", json=body)
        assert joined.status_code == 201, joined.text
        tokens = (joined.json()["participant_token"], joined.json()["withdraw_token"])
        seen.opaque |= {*tokens, body["join_key"]}
        seen.keep(joined)
        person = Participant(self.browser, tokens[0])
        test = {"correct": 6, "of": 6, "tries": 1}
        seen.keep(await person.check_sound(headphones=test))
        while (state := (await person.progress())["state"]) != "complete":
            if state == "trials":
                await self._take_trial(person)
            else:
                await self._answer_questions(person)
        finished = await self.browser.get("/api/participation", headers=person.headers)
        seen.opaque.add(finished.json()["completion_code"])
        seen.keep(finished)
        for path in ("/openapi.json", "/docs", "/api", "/api/recordings", "/assets/app.js.map"):
            seen.keep(await self.browser.get(path))
        for token in tokens:
            gone = {"Authorization": f"Bearer {token}"}
            seen.keep(await self.browser.delete("/api/participation", headers=gone))
        seen.keep(await self.browser.get("/api/participation", headers=person.headers))
        return seen

    async def _take_trial(self, person: Participant) -> None:
        seen = self.seen
        response = await self.browser.post("/api/participation/trials", headers=person.headers)
        opened: list[dict[str, Any]] = response.json()["trials"]
        trial = opened[0]
        for one in opened:
            handles = handles_of(one)
            seen.opaque |= {one["trial_token"], *(it["recording_token"] for it in handles)}
        seen.keep(response)
        seen.add_trial(trial)
        tokens = [handle["recording_token"] for handle in handles_of(trial)]
        heard = [seen.keep(await person.hear(token), "recording") for token in tokens]
        seen.keep(await self.browser.get(f"/api/recordings/{tokens[0]}"), "without a token")
        seen.keep(await person.hear("x" * 27), "forged")
        await self._vote(person, trial)
        dead = [seen.keep(await person.hear(token), "dead") for token in tokens]
        for first, *others in (heard, dead):
            seen.recordings += [(first, other) for other in others]

    async def _vote(self, person: Participant, trial: dict[str, Any]) -> None:
        vote = ballot(trial["trial_token"], choice=None) | self._answer(trial)
        self.seen.opaque.add(vote["vote_key"])
        bodies = {
            "no choice": vote | {"choice": "?"},
            "vote": vote,
            "the same vote": vote,
            "another vote": vote | {"vote_key": str(uuid.uuid4())},
        }
        for name, body in bodies.items():
            answer = await self.browser.post(
                "/api/participation/votes", headers=person.headers, json=body
            )
            # A receipt tells the position and the time, whose digits may be fewer.
            received = answer.json().get("received_at")
            kept = self.seen.keep(answer)
            body_ = json.dumps(answer.json() | {"position": 0, "received_at": bool(received)})
            headers = tuple(one for one in kept.headers if one[0] != "content-length")
            alike = Exchange(kept.request, kept.status, headers, body_.encode())
            self.seen.alike[name].append(alike)

    def _answer(self, trial: dict[str, Any]) -> dict[str, Any]:
        turn, scale = next(self._answers), trial["scale"]
        if scale["kind"] == "mushra":
            rated = [trial["first"], *trial["others"]]
            return {
                "ratings": [
                    {**handle, "score": (37 * (turn + place)) % 101, "account": HEARD}
                    for place, handle in enumerate(rated)
                ]
            }
        if "answers" in scale:
            offered = [name for name, label in scale["answers"].items() if label is not None]
            return {"choice": offered[turn % len(offered)]}
        labels = scale["labels"]
        return {"score": labels[turn % len(labels)]["score"]}

    async def _answer_questions(self, person: Participant) -> None:
        asked = await self.browser.get("/api/participation/questions", headers=person.headers)
        self.seen.keep(asked)
        answers = {
            one["id"]: 40 if one["kind"] == "number" else None for one in asked.json()["questions"]
        }
        answered = await self.browser.post(
            "/api/participation/answers", headers=person.headers, json={"answers": answers}
        )
        assert answered.status_code == 200, answered.text
        self.seen.keep(answered)
