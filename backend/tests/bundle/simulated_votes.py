"""Studies of simulated listeners in the database: as many votes as a real study has, at once.

SPDX-License-Identifier: Apache-2.0
"""

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import combinations, product
from typing import Any

import numpy as np

from tests.made_up import (
    ABX,
    ACR,
    CCR,
    DCR,
    HOST,
    MUSHRA,
    NOTICEABLE,
    ON_A_PAGE,
    PREFERENCE,
    block,
    in_two_modes,
    made_up_sent,
    noise,
    study_definition,
)
from tests.staircases import staircase_block, staircase_definition
from thinlab import tokens
from thinlab.analysis.simulated.answers import Planted, simulate
from thinlab.analysis.simulated.presented import blocks_of
from thinlab.analysis.simulated.scales import EFFECTS
from thinlab.database.schema import Participant, Presentation, Vote
from thinlab.questplus.function import right_share
from thinlab.recording import registry
from thinlab.recording.identity import RecordingSpec
from thinlab.recording.store import Made, Sent
from thinlab.study import catalogue
from thinlab.study.blocks.adaptive.choice import next_turn
from thinlab.study.blocks.adaptive.levels import staircases
from thinlab.study.blocks.kind import Taken
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.trial import member_conditions, presented, runs_of, seeds_of
from thinlab.web.serve import load
from thinlab.web.services import Services

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
CLIPS = ("speech", "song")
CHOICES = ("first", "second", "no_difference")
CONDITIONS = {
    **in_two_modes("linear_timeouts", loss_share=0.02),
    "ruined": {"mode": "off", "path": {"rtt_ms": 300}},
}


@dataclass(frozen=True)
class SimulatedStudy:
    """A study, and what its listeners are like."""

    definition: StudyDefinition
    participants: int
    seed: int
    planted: Planted = field(default_factory=Planted)
    same_bytes: frozenset[tuple[str, int]] = frozenset()
    """Trials and runs whose two members came out alike."""
    measured: Mapping[str, tuple[float, float | None]] = field(default_factory=dict)
    """How much was concealed and damaged under a condition, in ms, give or take a fifth."""


def _pair(name: str, clip: str, seed: int, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "kind": "pair",
        "id": name,
        "clip": clip,
        "conditions": ["plain", "modified"],
        "runs": 3,
        "seed": seed,
    } | changes


def preference() -> SimulatedStudy:
    """Ties, controls, published counts, a pair turned round, one of one run, and same bytes."""
    trials = [
        _pair("one", "speech", 100),
        _pair("two", "song", 200, conditions=["modified", "plain"]),
        _pair("alone", "speech", 300, runs=1, conditions=["plain", "ruined"]),
        {"kind": "control", "id": "same", "clip": "song", "condition": "plain", "seed": 400}
        | {"runs": 2},
    ]
    definition = study_definition(
        slug="sim-preference",
        conditions=CONDITIONS,
        blocks=[
            block([_pair("practice", "speech", 1, runs=1)], id="warm-up") | {"role": "training"},
            block(trials, id="main", scale=PREFERENCE | {"noticeable": NOTICEABLE}),
        ],
        analysis={
            "hypothesis": "One is better.",
            "primary": ["one", "two", "alone"],
            "correction": "holm",
        },
        published=[
            {"trial": "one", "preferred": "modified", "count": 84, "of": 88, "source": "A paper."}
        ],
        questionnaire=[{"id": "words", "kind": "text", "text": "Anything to say?"}],
    )
    return SimulatedStudy(
        definition,
        participants=48,
        seed=7,
        planted=Planted({"one": 1.0, "two": -1.0, "alone": 0.8}),
        same_bytes=frozenset({("two", 1)}),
    )


def ccr() -> SimulatedStudy:
    """Hypotheses of three kinds, corrected together; one has a direction, two a smallest effect."""
    trials = [
        _pair("one", "speech", 100),
        _pair("two", "song", 200),
        _pair("three", "song", 300, conditions=["plain", "ruined"]),
        {"kind": "control", "id": "same", "clip": "song", "condition": "plain", "seed": 400}
        | {"runs": 3},
    ]
    hypotheses = [
        {"id": "better", "compares": "pooled", "conditions": ["plain", "modified"]}
        | {"trials": ["one", "two"], "direction": "modified", "smallest_effect": 0.75},
        {"id": "worse", "compares": "pair", "trial": "three", "smallest_effect": 0.5},
        {"id": "heard", "compares": "control", "trials": ["one", "two"], "controls": ["same"]},
    ]
    return SimulatedStudy(
        study_definition(
            slug="sim-ccr",
            conditions=CONDITIONS,
            blocks=[block(trials, id="main", scale=CCR)],
            analysis={"hypothesis": "One is better.", "hypotheses": hypotheses},
        ),
        participants=40,
        seed=11,
        planted=Planted({"one": 0.6, "two": 0.3}),
    )


def acr() -> SimulatedStudy:
    """Three conditions on two clips, all of them primary."""
    trials = [
        {"kind": "single", "id": f"{condition}-{clip}", "clip": clip, "condition": condition}
        | {"runs": 3, "seed": 100 * number}
        for number, (condition, clip) in enumerate(
            [(condition, clip) for condition in CONDITIONS for clip in ("speech", "song")], start=1
        )
    ]
    return SimulatedStudy(
        study_definition(
            slug="sim-acr",
            conditions=CONDITIONS,
            blocks=[block(trials, id="main", scale=ACR)],
            analysis={
                "hypothesis": "They differ.",
                "primary": [trial["id"] for trial in trials],
                "correction": "holm",
            },
        ),
        participants=36,
        seed=13,
        planted=Planted({"modified-speech": 0.8, "modified-song": 0.4}),
    )


def dcr() -> SimulatedStudy:
    """Conditions rated by a reference, which two runs came out like, and null pairs."""
    conditions = CONDITIONS | {"clean": {"mode": "off", "path": {"rtt_ms": 130}}}
    trials = [
        _pair(f"{name}-{clip}", clip, 100 * number, conditions=["clean", name])
        for number, (name, clip) in enumerate(
            [(name, clip) for name in CONDITIONS for clip in ("speech", "song")], start=1
        )
    ]
    same = {"kind": "control", "id": "same", "clip": "song", "condition": "clean", "seed": 900}
    hypothesis = {"id": "better", "compares": "opinion", "conditions": ["plain", "modified"]}
    named = [trial["id"] for trial in trials if "ruined" not in trial["id"]]
    return SimulatedStudy(
        study_definition(
            slug="sim-dcr",
            conditions=conditions,
            blocks=[block([*trials, same], id="main", scale=DCR, playback="in_turn")],
            analysis={
                "hypothesis": "They differ.",
                "hypotheses": [hypothesis | {"trials": named, "smallest_effect": 0.5}],
            },
        ),
        participants=36,
        seed=17,
        planted=Planted({"modified-speech": 0.8, "modified-song": 0.4}),
        same_bytes=frozenset({("modified-speech", 1), ("plain-song", 0)}),
    )


def abx() -> SimulatedStudy:
    """Pairs that can be told apart and one that cannot, one turned round, and same bytes."""
    trials = [
        _pair("one", "speech", 100),
        _pair("two", "song", 200, conditions=["modified", "plain"]),
        _pair("alone", "speech", 300, runs=1, conditions=["plain", "ruined"]),
    ]
    hypotheses = [
        {"id": "told", "compares": "pooled", "conditions": ["plain", "modified"]}
        | {"trials": ["one", "two"], "direction": "right", "smallest_effect": 0.2},
        {"id": "alone", "compares": "pair", "trial": "alone"},
    ]
    return SimulatedStudy(
        study_definition(
            slug="sim-abx",
            conditions=CONDITIONS,
            blocks=[block(trials, id="main", scale=ABX)],
            analysis={"hypothesis": "They can be told apart.", "hypotheses": hypotheses},
        ),
        participants=40,
        seed=19,
        planted=Planted({"one": 1.0, "two": 0.7}),
        same_bytes=frozenset({("two", 1)}),
    )


def adaptive() -> SimulatedStudy:
    """Staircases on two clips, of people with thresholds around 4 %; and a pair like any other."""
    pair = _pair("pair", "song", 900, conditions=["none", "l8"])
    return SimulatedStudy(
        staircase_definition(
            staircase_block("speech", "song", trials=14),
            block([pair], id="main"),
            slug="sim-adaptive",
        ),
        participants=14,
        seed=23,
    )


def mushra() -> SimulatedStudy:
    """Two pages of four sounds; the hidden reference and the anchor aside, one is better."""
    names = ("reference", "anchor", "plain", "modified")
    trials = [
        {"kind": "single", "id": f"{name}-{clip}", "clip": clip, "condition": name}
        | {"runs": 3 if name in CONDITIONS else 1, "seed": 100 * number}
        for number, (clip, name) in enumerate(
            ((clip, name) for clip in ("speech", "song") for name in names), start=1
        )
    ]
    hypothesis = {"id": "better", "compares": "opinion", "conditions": ["plain", "modified"]}
    named = [trial["id"] for trial in trials if trial["condition"] in CONDITIONS]
    return SimulatedStudy(
        study_definition(
            slug="sim-mushra",
            conditions={name: ON_A_PAGE[name] for name in names},
            blocks=[block(trials, id="main", scale=MUSHRA)],
            # None is left out: simulated listeners know no reference.
            exclusion=[{"rule": "reference_under", "score": 1, "effect": "flag"}],
            analysis={
                "hypothesis": "They differ.",
                "hypotheses": [hypothesis | {"trials": named, "smallest_effect": 15}],
            },
        ),
        participants=36,
        seed=23,
        planted=Planted(
            {f"reference-{clip}": 40.0 for clip in ("speech", "song")}
            | {"modified-speech": 20.0, "modified-song": 10.0, "anchor-song": -30.0}
        ),
    )


def weighed() -> SimulatedStudy:
    """Pairs and ratings of what is late, damaged, or either, and what the two are worth."""
    names = ("plain", "modified", "ruined")
    pairs = [
        _pair(f"{one}-{other}-{clip}", clip, 100 * number, conditions=[one, other])
        for number, (one, other, clip) in enumerate(
            ((one, other, clip) for one, other in combinations(names, 2) for clip in CLIPS), start=1
        )
    ]
    alone: list[dict[str, Any]] = [
        {"kind": "single", "id": f"{name}-{clip}", "clip": clip, "condition": name}
        | {"runs": 3, "seed": 1000 + 100 * number}
        for number, (name, clip) in enumerate(product(names, CLIPS))
    ]
    # A ms of damage as bad as ten of concealment, and a second of that 2 in log odds, or a point.
    bad = {"plain": 1.0, "modified": 0.7, "ruined": 2.1}
    return SimulatedStudy(
        study_definition(
            slug="sim-weighed",
            conditions=CONDITIONS,
            blocks=[block(pairs, id="main"), block(alone, id="rated", scale=ACR)],
            analysis={
                "hypothesis": "Either is bad.",
                "primary": [pairs[0]["id"]],
                "delay_metric": "playout_concealed_ms",
                "weighed_against": "playout_damaged_ms",
            },
        ),
        participants=48,
        seed=29,
        planted=Planted(
            {
                trial["id"]: 2 * (bad[trial["conditions"][0]] - bad[trial["conditions"][1]])
                for trial in pairs
            }
            | {trial["id"]: 1 - bad[trial["condition"]] for trial in alone}
        ),
        measured={"plain": (1000, None), "modified": (200, 50), "ruined": (2000, 10)},
    )


async def put(services: Services, simulated: SimulatedStudy) -> StoredStudy:
    """The study with recordings and votes; some people left early, one is a preview."""
    await load(services.database, [simulated.definition])
    await _record(services, simulated)
    async with services.database.transaction() as session:
        study = await catalogue.current(session, simulated.definition.slug)
        assert study is not None
        recordings = await catalogue.recording_ids_of(session, study)
        people = [
            Participant(
                pseudonym=f"{study.slug}-{number:03}",
                study_id=study.id,
                kind="preview" if number == 0 else "person",
                language="en",
                join_key=uuid.uuid4(),
                token_hash=uuid.uuid4().bytes,
                withdraw_hash=uuid.uuid4().bytes,
                consent_version="1",
                completed_at=None if number in {1, 2} else NOW,
                completion_code=None if number in {1, 2} else f"CODE-{uuid.uuid4().hex}",
                level_percent=50,
            )
            for number in range(simulated.participants)
        ]
        session.add_all(people)
        await session.flush()
        for shown, vote in _answers(simulated, people, recordings):
            session.add(shown)
            await session.flush()
            vote.presentation_id = shown.id
            session.add(vote)
    return study


async def _record(services: Services, simulated: SimulatedStudy) -> None:
    async with services.database.transaction() as session:
        study = await catalogue.current(session, simulated.definition.slug)
        assert study is not None
        for trial in study.definition.recorded_trials:
            for run in range(runs_of(trial)):
                keys = {}
                alike = (trial.id, run) in simulated.same_bytes
                names = member_conditions(trial)
                for member, name, seed in zip("ab", names, seeds_of(trial, run), strict=False):
                    spec = RecordingSpec(
                        clip=presented(trial),
                        clip_sha256=services.clips.manifest[presented(trial)].sha256,
                        condition=study.definition.conditions[name].resolved,
                        seed=seed,
                    )
                    key = spec.key(HOST.build)
                    made = Made(
                        samples=noise((trial.id, run) if alike else key),
                        host=HOST,
                        sent=_sent(key, simulated.measured.get(name)),
                    )
                    await registry.enter(session, key, spec, services.store.write(key, made))
                    keys[member] = key
                await registry.use(session, study.id, trial.id, run, keys)


def _sent(key: str, measured: tuple[float, float | None] | None) -> Sent:
    sent = made_up_sent(key)
    if measured is None or sent.result.playout is None:
        return sent
    concealed, damaged = measured
    one, other = np.random.default_rng(list(key.encode())).uniform(0.8, 1.2, 2)
    playout = sent.result.playout.model_copy(
        update={
            "concealed_ms": concealed * one,
            "damaged_ms": None if damaged is None else damaged * other,
        }
    )
    return replace(sent, result=sent.result.model_copy(update={"playout": playout}))


def _answers(
    simulated: SimulatedStudy,
    people: list[Participant],
    recordings: dict[tuple[str, int, str], int],
) -> Iterator[tuple[Presentation, Vote]]:
    chance = np.random.default_rng(simulated.seed)
    before = 0
    for one in blocks_of(simulated.definition, simulated.participants, simulated.seed):
        effects = replace(EFFECTS[one.scale])
        given = simulate(one, effects, 1, chance, simulated.planted)
        for place, trial in enumerate(one.trials):
            for number, person in enumerate(people):
                yield _answer(
                    person,
                    (one.id, trial.id),
                    one.scale,
                    # Another order for each.
                    before + 1 + (place + number) % len(one.trials),
                    int(trial.run[number]),
                    bool(trial.b_first[number]) and len(trial.conditions) > 1,
                    int(given[trial.id].given[0][number]),
                    recordings,
                )
        before += len(one.trials)
    for stairs in (one for one in simulated.definition.blocks if one.adaptive):
        for person in people:
            yield from _climbed(simulated.definition, stairs, person, chance, recordings)
    for declared in simulated.definition.blocks:
        for asked in declared.trials:
            if asked.kind != "control" and declared.role != "training":
                continue
            for number, person in enumerate(people):
                scores = {
                    "ccr": int(chance.integers(-1, 3)),
                    "preference": int(chance.integers(3)),
                    "dcr": 5 - int(chance.integers(2)),
                }
                yield _answer(
                    person,
                    (declared.id, asked.id),
                    declared.scale.kind,
                    90 + len(asked.id),
                    number % runs_of(asked),
                    number % 4 < 2,
                    scores[declared.scale.kind],
                    recordings,
                    training=declared.role == "training",
                )


def _climbed(
    definition: StudyDefinition,
    stairs: Block,
    person: Participant,
    chance: np.random.Generator,
    recordings: dict[tuple[str, int, str], int],
) -> Iterator[tuple[Presentation, Vote]]:
    """Somebody's trials, each chosen by the answers before."""
    log_levels = {
        one.trial: one.log for mine in staircases(definition, stairs).values() for one in mine
    }
    threshold = chance.normal(np.log10(0.04), 0.2)
    done: list[Taken] = []
    while turn := next_turn(definition, stairs, person.pseudonym, done):
        share = right_share(log_levels[turn.trial], threshold, 2.0, 0.02)
        right = bool(chance.random() < share)
        given = 0 if right == (turn.first_member == "a") else 1
        done.append(Taken(turn, CHOICES[given], None))
        shown, vote = _answer(
            person,
            (stairs.id, stairs.trials[turn.trial].id),
            "preference",
            100 + len(done),
            turn.run,
            turn.first_member == "b",
            given,
            recordings,
        )
        vote.noticeable = None
        yield shown, vote


def _answer(  # noqa: PLR0913, PLR0917 - a row
    person: Participant,
    place: tuple[str, str],
    scale: str,
    position: int,
    run: int,
    b_first: bool,
    given: int,
    recordings: dict[tuple[str, int, str], int],
    *,
    training: bool = False,
) -> tuple[Presentation, Vote]:
    block_id, trial_id = place
    a = recordings[trial_id, run, "a"]
    # One recording twice, or alone.
    b = recordings.get((trial_id, run, "b"), None if scale == "acr" else a)
    shown = Presentation(
        participant_id=person.id,
        block_id=block_id,
        trial_id=trial_id,
        position=position,
        training=training,
        run=run,
        first_member="b" if b_first else "a",
        medium="heard",
        first_recording_id=b if b_first else a,
        second_recording_id=a if b_first else b,
        trial_token=tokens.opaque(),
        first_token=tokens.opaque(),
        second_token=None if scale == "acr" else tokens.opaque(),
    )
    choice = CHOICES[given] if scale == "preference" else None
    if scale == "abx":
        # What was simulated is whether the answer is right.
        choice = CHOICES[person.id % 2]
        shown.x_place = choice if given else CHOICES[(person.id + 1) % 2]
        shown.x_token = tokens.opaque()
    vote = Vote(
        vote_key=uuid.uuid4(),
        choice=choice,
        score=None if choice else given,
        noticeable=1 + (person.id + position) % 4
        if scale == "preference" and choice != "no_difference"
        else None,
        decision_ms=4000 + 10 * position,
        account={
            "medium": "heard",
            "played_first": "first",
            "plays_first": 1,
            "plays_second": 2,
            "switches": 1,
            "covered_first": [{"from_ms": 0, "to_ms": 50}],
            "covered_second": [{"from_ms": 0, "to_ms": 100}],
        },
        events=[
            {"at_ms": 10, "action": "play", "member": "first", "position_ms": 0},
            {"at_ms": 900, "action": "switch", "member": "second", "position_ms": 880},
        ],
        build="test-build",
    )
    return shown, vote
