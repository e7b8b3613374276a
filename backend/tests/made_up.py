"""Made-up clips, recordings and participants, for tests that need no lab.

The recordings are noise and their metrics are invented, but they take the way
of real ones: store, registry, tables.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import random
import uuid
from enum import StrEnum
from pathlib import Path
from types import UnionType
from typing import Any, get_args

from httpx import AsyncClient, Response
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab import tokens
from thinlab.bots.ears import right_one
from thinlab.clips import wav
from thinlab.clips.manifest import ClipKind, ClipPurpose, Clips, ManifestClip
from thinlab.condition.reference import Reference
from thinlab.contract.generated.results import (
    PlayoutEvent,
    PlayoutEventKind,
    SessionResult,
    TerminalResult,
)
from thinlab.recording import registry
from thinlab.recording.identity import RecordingSpec
from thinlab.recording.store import Host, Made, Sent
from thinlab.researcher import account
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.study.trial import Trial, member_conditions, presented, runs_of, seeds_of
from thinlab.web.services import Services

CLIP_SAMPLES = 4_800
PREFERENCE = {
    "kind": "preference",
    "question": "Which do you like better?",
    "answers": {"first": "The first", "second": "The second", "no_difference": "No difference"},
}
CCR = {
    "kind": "ccr",
    "question": "The second compared to the first is",
    "labels": {score: f"Step {score}" for score in range(-3, 4)},
}
ACR = {
    "kind": "acr",
    "question": "How good is it?",
    "labels": {score: f"Step {score}" for score in range(1, 6)},
}
DCR = ACR | {"kind": "dcr", "question": "How much worse is the second?"}
ABX = {
    "kind": "abx",
    "question": "Which one is X?",
    "answers": {"first": "X is A", "second": "X is B"},
}
MUSHRA = ACR | {"kind": "mushra", "question": "How good is each?"}
PASSWORD = "correct horse 9"  # noqa: S105
HOST = Host(build="host-build", agent_version="0.1.0", kernel_release="6.12.0-test")


CONSENT = {"version": "1", "paragraphs": ["You may stop."]}


def in_two_modes(mode: str, loss_share: float) -> dict[str, Any]:
    """Conditions with a mode and without, over the same lossy path."""
    direction = {"loss_share": loss_share}
    path = {"rtt_ms": 130, "forward": direction, "backward": direction}
    return {"plain": {"mode": "off", "path": path}, "modified": {"mode": mode, "path": path}}


def study_definition(**changes: Any) -> StudyDefinition:  # noqa: ANN401 (any field)
    """Two pairs and a control, shaped like survey/demo.yaml."""
    trials: list[dict[str, Any]] = [
        {"kind": "pair", "id": "speech", "clip": "speech", "seed": 1}
        | {"conditions": ["plain", "modified"]},
        {"kind": "pair", "id": "song", "clip": "song", "seed": 2}
        | {"conditions": ["plain", "modified"]},
        {"kind": "control", "id": "control", "clip": "song", "condition": "plain", "seed": 3},
    ]
    content = {
        "slug": "demo",
        "title": "Which one?",
        "description": "Two sounds, three times.",
        "consent": CONSENT,
        "sound_check": "check",
        "votes_visible": "always",
        "record": "at_start",
        "conditions": in_two_modes("linear_timeouts", loss_share=0.02),
        "blocks": [block(trials)],
    }
    return StudyDefinition.model_validate(content | changes)


NOTICEABLE = {
    "question": "How noticeable was it?",
    "labels": {step: f"Step {step}" for step in range(1, 5)},
}


def typing_definition(**changes: Any) -> StudyDefinition:  # noqa: ANN401 (any field)
    """A pair and a control to be typed, and nothing to hear."""
    trials = [
        {"kind": "pair", "id": "copy", "task": "sentences", "seed": 1}
        | {"conditions": ["plain", "modified"]},
        {"kind": "control", "id": "same", "task": "mistakes", "condition": "plain", "seed": 3},
    ]
    scale = PREFERENCE | {"noticeable": NOTICEABLE}
    content = {
        "slug": "typing",
        "title": "Which one?",
        "description": "Twice the same to type.",
        "consent": CONSENT,
        "votes_visible": "always",
        "conditions": in_two_modes("all", loss_share=0.05),
        "tasks": {
            "sentences": {"kind": "copy", "text": "A thin\nstream.", "limit_s": 60}
            | {"least_keys": 5},
            "mistakes": {"kind": "correct", "text": "A {tihn|thin} stream.", "limit_s": 60}
            | {"least_keys": 3},
        },
        "blocks": [block(trials, scale=scale)],
    }
    return StudyDefinition.model_validate(content | changes)


ON_A_PAGE = {
    "reference": {"reference": "unprocessed"},
    "anchor": {"reference": "low_pass_3500"},
    **in_two_modes("linear_timeouts", loss_share=0.02),
}


def rated_definition(**changes: Any) -> StudyDefinition:  # noqa: ANN401 (any field)
    """Two pages of four sounds each, beside their reference."""
    trials = [
        {"kind": "single", "id": f"{clip}-{condition}", "clip": clip, "condition": condition}
        | {"seed": 10 * number}
        for number, clip in enumerate(("speech", "song"), start=1)
        for condition in ON_A_PAGE
    ]
    pages = block(trials, scale=MUSHRA)
    return study_definition(**{"conditions": ON_A_PAGE, "blocks": [pages]} | changes)


def block(trials: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """Trials on a scale of preference with “no difference”."""
    return {"id": "trials", "scale": PREFERENCE, "trials": trials} | changes


def noise(seed: object, samples: int = CLIP_SAMPLES) -> bytes:
    """Samples that look like nothing else with another seed."""
    return random.Random(repr(seed)).randbytes(samples * wav.SAMPLE_BYTES)  # noqa: S311


def made_up_clips(folder: Path, names: tuple[str, ...] = ("speech", "song", "check")) -> Clips:
    """Three clips of noise in a folder."""
    manifest = {}
    for number, name in enumerate(names, start=1):
        content = wav.encode(noise(name))
        (folder / f"{name}.wav").write_bytes(content)
        manifest[name] = ManifestClip(
            title=name,
            kind=ClipKind.SPEECH,
            purpose=ClipPurpose.TRIAL,
            attribution=f"Made up, number {number}.",
            licence="CC0-1.0",
            changes="",
            language="en",
            talker="woman",
            active_level_dbov=-26.0,
            length_ms=CLIP_SAMPLES * 1000 // wav.SAMPLE_RATE_HZ,
            sha256=hashlib.sha256(content).hexdigest(),
        )
    return Clips(folder, manifest)


def present(kind: Any) -> Any:  # noqa: ANN401
    """The type of a field that is there: `int` of `int | None`."""
    kinds = [one for one in get_args(kind) if one is not type(None)]
    return kinds[0] if isinstance(kind, UnionType) else kind


def made_up_result(seed: object) -> SessionResult:
    """Every number different, so that a mix-up shows."""
    return SessionResult.model_validate(_filled(SessionResult, seed))


def made_up_terminal_result(seed: object) -> TerminalResult:
    """The same of a terminal."""
    return TerminalResult.model_validate(_filled(TerminalResult, seed))


def _filled(whole: type[BaseModel], seed: object) -> dict[str, Any]:
    chance = random.Random(repr(seed))  # noqa: S311

    def fill(model: type[BaseModel]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, field in model.model_fields.items():
            kind = present(field.annotation)
            if name == "cdf":
                values[name] = _curve(get_args(kind)[0])
            elif name in {"counters", "receiver_counters"}:
                values[name] = []
            elif name == "playout_events":
                values[name] = [
                    PlayoutEvent(kind=kind, at_ms=chance.random() * 100, length_ms=number)
                    for number, kind in enumerate(PlayoutEventKind)
                ]
            elif isinstance(kind, type) and issubclass(kind, BaseModel):
                values[name] = fill(kind)
            elif isinstance(kind, type) and issubclass(kind, StrEnum):
                values[name] = list(kind)[1]
            elif kind is bool:
                values[name] = True
            elif kind is str:
                values[name] = f"words {chance.random()}"
            else:
                values[name] = chance.randrange(1, 2**32) if kind is int else chance.random() * 1e6
        return values

    return fill(whole)


def _curve(point: type[BaseModel]) -> list[BaseModel]:
    (value,) = point.model_fields.keys() - {"share"}
    return [point(**{value: 65_000, "share": 0.5}), point(**{value: 9e5, "share": 1})]


async def put_recordings(services: Services, slug: str) -> StoredStudy:
    """Gives every trial of a study its recordings."""
    async with services.database.transaction() as session:
        study = await catalogue.current(session, slug)
        assert study is not None
        for trial in study.definition.recorded_trials:
            for run in range(runs_of(trial)):
                await _put(session, services, study, trial, run)
    return study


async def _put(
    session: AsyncSession, services: Services, study: StoredStudy, trial: Trial, run: int
) -> None:
    keys = {}
    members = zip("ab", member_conditions(trial), seeds_of(trial, run), strict=False)
    for member, condition, seed in members:
        spec = RecordingSpec(
            clip=presented(trial),
            clip_sha256=services.clips.manifest[presented(trial)].sha256,
            condition=study.definition.conditions[condition].resolved,
            seed=seed,
        )
        await put_recording(session, services, spec)
        keys[member] = spec.key(HOST.build)
    await registry.use(session, study.id, trial.id, run, keys)


def made_up_sent(key: str) -> Sent:
    """What a session yields besides the sound."""
    return Sent(
        sender_capture=b"sender " + key.encode(),
        receiver_capture=b"receiver " + key.encode(),
        result=made_up_result(key),
    )


async def put_recording(session: AsyncSession, services: Services, spec: RecordingSpec) -> int:
    """Enters a made-up recording; returns its id."""
    key = spec.key(HOST.build)
    made = Made(
        samples=noise(key),
        host=HOST,
        sent=None if isinstance(spec.condition, Reference) else made_up_sent(key),
    )
    return await registry.enter(session, key, spec, services.store.write(key, made))


class Participant:
    """Somebody who takes part by the API."""

    def __init__(self, browser: AsyncClient, token: str) -> None:
        self.browser = browser
        self.token = token
        self._recordings: dict[str, list[str]] = {}
        self._accounts: dict[str, dict[str, Any]] = {}
        self._tones: dict[int, list[int]] = {}
        self.headers = {"Authorization": f"Bearer {token}"}

    @classmethod
    async def join(cls, browser: AsyncClient, slug: str = "demo", **fields: Any) -> "Participant":  # noqa: ANN401
        """Joins as somebody new, and sets the sound."""
        body = {"consent_version": "1", "join_key": str(uuid.uuid4()), **fields}
        joined = await browser.post(f"/api/studies/{slug}/participants", json=body)
        assert joined.status_code == 201, joined.text
        somebody = cls(browser, joined.json()["participant_token"])
        await somebody.check_sound()
        return somebody

    async def check_sound(self, **fields: Any) -> Response:  # noqa: ANN401
        """Sets the level; `headphones` may say which try, and how many of it are right."""
        wanted = fields.pop("headphones", None)
        if wanted is not None:
            fields["headphones"] = await self._hear_tones(wanted)
        return await self.browser.post(
            "/api/participation/sound-check",
            headers=self.headers,
            json={"level_percent": 50, **fields},
        )

    async def _hear_tones(self, wanted: dict[str, int]) -> dict[str, Any]:
        """The answers to a try, so many of them right; those of before once more, if it is over."""
        at = "/api/participation/headphones"
        signal = (await self.progress())["headphone_signal"]
        if wanted["tries"] not in self._tones:
            begun = await self.browser.post(at, headers=self.headers)
            assert begun.json().get("number") == wanted["tries"], begun.text
            self._tones[wanted["tries"]] = [
                right_one((await self._round(f"{at}/{wanted['tries']}/{number}")).content, signal)
                for number in range(1, begun.json()["rounds"] + 1)
            ]
        tones = self._tones[wanted["tries"]]
        right = wanted["correct"]
        answers = [*tones[:right], *((tone + 1) % 3 for tone in tones[right:])]
        return {"number": wanted["tries"], "answers": answers}

    async def _round(self, path: str) -> Response:
        answered = await self.browser.get(path, headers=self.headers)
        assert answered.status_code == 200, answered.text
        return answered

    async def open_trials(self) -> list[dict[str, Any]]:
        """The open trial and those that follow."""
        opened = await self.browser.post("/api/participation/trials", headers=self.headers)
        assert opened.status_code == 200, opened.text
        trials: list[dict[str, Any]] = opened.json()["trials"]
        for trial in trials:
            self._accounts[trial["trial_token"]] = HEARD if trial["medium"] == "heard" else TYPED
            places = (trial["first"], trial["second"], trial.get("x"))
            members = [member for member in places if member]
            self._recordings[trial["trial_token"]] = [
                member["recording_token"] for member in members if "recording_token" in member
            ]
        return trials

    async def open_trial(self) -> dict[str, Any]:
        """The next trial, or the open one."""
        return (await self.open_trials())[0]

    @property
    def token_hash(self) -> bytes:
        """What the database knows of the token."""
        return tokens.token_hash(self.token)

    async def hear(self, recording_token: str) -> Response:
        """One recording."""
        return await self.browser.get(f"/api/recordings/{recording_token}", headers=self.headers)

    async def hear_trial(self, trial_token: str) -> None:
        """All recordings of a trial that was opened."""
        for recording_token in self._recordings.get(trial_token, []):
            await self.hear(recording_token)

    async def vote(self, trial_token: str, **fields: Any) -> Response:  # noqa: ANN401
        """Hears what the trial has and votes; `fields` replace the defaults."""
        await self.hear_trial(trial_token)
        return await self.vote_unheard(trial_token, **fields)

    async def vote_unheard(self, trial_token: str, **fields: Any) -> Response:  # noqa: ANN401
        """Votes on whatever was fetched."""
        fields.setdefault("account", self._accounts.get(trial_token, HEARD))
        return await self.browser.post(
            "/api/participation/votes", headers=self.headers, json=ballot(trial_token, **fields)
        )

    async def progress(self) -> dict[str, Any]:
        """Trials done, and the code."""
        answered = await self.browser.get("/api/participation", headers=self.headers)
        assert answered.status_code == 200, answered.text
        progress: dict[str, Any] = answered.json()
        return progress

    async def take_all(self, choice: str = "first") -> None:
        """Answers the same on every trial that is left: the choice, or the scale's middle."""
        while (await self.progress())["state"] == "trials":
            trial = await self.open_trial()
            labels = trial["scale"].get("labels")
            answer = (
                {"choice": None, "score": labels[len(labels) // 2]["score"]}
                if labels
                else {"choice": choice}
            )
            voted = await self.vote(trial["trial_token"], **answer)
            assert voted.status_code == 201, voted.text


HEARD: dict[str, Any] = {"medium": "heard", "plays_first": 1, "plays_second": 2, "switches": 3}
"""The account of a vote on a heard trial."""
TYPED: dict[str, Any] = {"medium": "typed", "sessions_first": 1, "sessions_second": 1}
"""And of a typed one."""


def ballot(trial_token: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """The body of a vote."""
    defaults = {
        "trial_token": trial_token,
        "vote_key": str(uuid.uuid4()),
        "choice": "first",
        "decision_ms": 45_000,
        "account": HEARD,
    }
    return defaults | fields


async def sign_in(browser: AsyncClient, services: Services) -> None:
    """Makes this browser the researcher's, on a server without a password."""
    async with services.database.transaction() as session:
        token = await account.new_setup_token(session)
    body = {"setup_token": token, "password": PASSWORD}
    done = await browser.post("/api/researcher/password", json=body)
    assert done.status_code == 204, done.text
