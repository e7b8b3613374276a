"""Studies that are typed: what does not fit together is named, and what they take is told."""

from pathlib import Path

import pytest
from sqlalchemy import func, select

from tests.study.study_files import CLIPS, DEMO, SURVEY, faults
from thinlab.condition.transport import (
    ALL_OF_SCTP,
    OFF,
    RECOMMENDED,
    Protocol,
    mechanisms_of,
    mode_of,
)
from thinlab.database.schema import StudyEvent
from thinlab.study import catalogue
from thinlab.study.definition import StudyDefinition
from thinlab.study.duration import minutes
from thinlab.study.file import read
from thinlab.study.freeze import freeze
from thinlab.study.hypothesis import PooledHypothesis
from thinlab.study.outline import outline
from thinlab.study.task import CopyTask, wanted_text
from thinlab.study.trial import member_conditions
from thinlab.trials.registry import KINDS
from thinlab.trials.typing import hiding_waits
from thinlab.trials.typing.duration import typed_seconds
from thinlab.web.services import Services

PAPERS = SURVEY / "lcn2008-typing.yaml"
MODES = SURVEY / "typing-modes.yaml"
PROTOCOLS = SURVEY / "typing-protocols.yaml"

TYPED = pytest.mark.parametrize("study", [PAPERS, MODES, PROTOCOLS], ids=lambda file: file.stem)

REFERENCE = "kind: control, task: session,\n          condition: clean, runs: 3"
CLEAN = "  clean:\n    mode: off\n    baseline: newreno2008\n    path: { rtt_ms: 130 }\n"
ON_FIVE_PERCENT = "kind: control, task: lines,\n          condition: "


@pytest.mark.parametrize(
    ("study", "old", "new", "field", "says"),
    [
        (
            PAPERS,
            "task: session,",
            "task: sesion,",
            "trials[0].task",
            "Did you mean `session`",
        ),
        (
            PAPERS,
            CLEAN,
            "  clean: { reference: mnru, q_db: 20 }\n",
            "blocks[0].trials[0]",
            "there is nothing to type over. Name a condition with a `mode` and a `path`",
        ),
        (
            PAPERS,
            CLEAN,
            CLEAN.replace("newreno2008", "lksctp\n    sctp: { streams: 2 }"),
            "blocks[0].trials[0]",
            "`clean`: what a terminal sends has an order",
        ),
        (
            PAPERS,
            CLEAN,
            CLEAN.replace("newreno2008", "usrsctp"),
            "blocks[0].trials[0]",
            "`baseline: usrsctp` is for sessions alone",
        ),
        (
            PAPERS,
            "task: session,",
            "task: session, clip: song,",
            "trials[0]",
            "`clip` for a trial to be heard, or `task`",
        ),
        (
            PAPERS,
            "  key-down:\n",
            (
                "  key-up: { kind: free, prompt: { en: a, nb: b }, limit_s: 60, least_keys: 9 }\n"
                "  key-down:\n"
            ),
            "tasks.key-up",
            "no trial has this task. Remove it",
        ),
        (
            PAPERS,
            "kind: hold\n    editor: nano",
            "kind: hold\n    editor: vi",
            "tasks.key-down.editor",
            "until `i` was pressed. Write `editor: nano`",
        ),
        (
            PAPERS,
            "limit_s: 90\n    least_keys: 40",
            "limit_s: 90\n    least_keys: 62",
            "tasks.warm-up.least_keys",
            "the text in `en` is done after 61 keys, and could not be ended then. At most 61",
        ),
        (
            PAPERS,
            "limit_s: 75\n    least_keys: 60",
            "limit_s: 75\n    least_keys: 181",
            "tasks.key-down.least_keys",
            "done after 180 keys",
        ),
        (
            PAPERS,
            "limit_s: 200\n    least_keys: 150",
            "limit_s: 14\n    least_keys: 150",
            "tasks.session.least_keys",
            "nobody types 150 keys in 14 s. At most 140",
        ),
        (
            PAPERS,
            "på dekk og telte",
            "på dekk … og telte",
            "tasks.session.text.nb",
            "`…` is on no keyboard",
        ),
        (
            PAPERS,
            "{wrotte|wrote}",
            "{wrotte|“wrote”}",
            "tasks.deleting.text.en",
            "is on no keyboard",
        ),
        (
            PAPERS,
            "      en: |\n        The ferry left",
            "      en: |\n        The ferry \n        left",
            "tasks.session.text.en",
            "line 1 ends with a space",
        ),
        (
            PAPERS,
            "blank som et speil i sola.\n",
            "blank som et speil i sola.\n        " + "ø" * 77 + "\n",
            "tasks.session.text",
            "line 2 is longer than 76",
        ),
        (
            PAPERS,
            "kind: control, task: session,",
            "kind: single, task: session,",
            "blocks[1].trials[1]",
            "`kind: single` cannot be typed",
        ),
        (
            PAPERS,
            "kind: control, task: session,",
            "kind: trapping, task: session,",
            "blocks[1].trials[1]",
            "With a `task` use `kind: pair` or `kind: control`",
        ),
        (
            PAPERS,
            "kind: pair, task: session,",
            "kind: gold, task: session,",
            "blocks[1].trials[0]",
            "`kind: gold` cannot be typed",
        ),
        (
            PAPERS,
            "contact:\n",
            "headphones: required\ncontact:\n",
            "headphones",
            "nothing to be heard. Remove it",
        ),
        (
            PAPERS,
            "contact:\n",
            "sound_check: sound_check\ncontact:\n",
            "sound_check",
            "nothing to be heard. Remove it",
        ),
        (PAPERS, "contact:\n", "record: at_start\ncontact:\n", "record", "nothing to be recorded"),
        (
            PAPERS,
            "  - id: papers\n",
            "  - id: papers\n    playback: in_turn\n",
            "blocks[1].playback",
            "nothing is played. Remove it",
        ),
        (
            PAPERS,
            "exclusion:\n",
            "exclusion:\n  - { rule: headphones_failed }\n",
            "exclusion[0]",
            "there is no headphone test",
        ),
        (
            PAPERS,
            "exclusion:\n",
            "exclusion:\n  - { rule: gold_wrong }\n",
            "exclusion[0]",
            "there are 0 gold trials",
        ),
        (
            PAPERS,
            "exclusion:\n",
            "exclusion:\n  - { rule: straight_lining }\n",
            "exclusion[0]",
            "nobody gives more than 5 answers of their own",
        ),
        (
            MODES,
            ON_FIVE_PERCENT + "clean, runs: 3",
            ON_FIVE_PERCENT + "reno-off, runs: 3",
            "blocks[1].trials[7].condition",
            "would leave out who feels it. Name a condition without loss",
        ),
        (PAPERS, "rtt_ms_at_most: 100", "rtt_ms_at_most: 0.5", "connection", "refuses everybody"),
        (
            PAPERS,
            "          4: { en: Very much, nb: Svært tydelig }\n",
            "",
            "noticeable",
            "1, 2, 3, 4",
        ),
        (
            PAPERS,
            "3: { en: Clearly, nb: Tydelig }",
            "3: { en: Clearly }",
            "scale.noticeable.labels.3",
            "no text in `nb`",
        ),
        (
            DEMO,
            "open: true\n",
            "open: true\nkeep_text: false\n",
            "keep_text",
            "nothing to be typed. Remove it",
        ),
        (
            DEMO,
            "open: true\n",
            "open: true\nconnection: { rtt_ms_at_most: 90 }\n",
            "connection",
            "nothing to be typed. Remove it",
        ),
    ],
)
def test_what_does_not_fit_together_is_named(
    tmp_path: Path, study: Path, old: str, new: str, field: str, says: str
) -> None:
    found = faults(tmp_path, study, old, new)
    assert any(field in fault and says in fault for fault in found), found


def _changed(folder: Path, study: Path, *changes: tuple[str, str]) -> StudyDefinition:
    text = study.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file = folder / "changed.yaml"
    file.write_text(text)
    return read(file, CLIPS, KINDS)


@pytest.mark.parametrize(
    "path",
    [
        "{ rtt_ms: 130, forward: { rate_kbit_per_s: 64, queue_packets: 20 } }",
        "{ rtt_ms: 400 }",
    ],
)
def test_a_control_may_be_judged_where_nothing_is_left_to_chance(tmp_path: Path, path: str) -> None:
    clean = "mode: off\n    baseline: newreno2008\n    path: "
    study = _changed(tmp_path, MODES, (clean + "{ rtt_ms: 130 }", clean + path))
    assert any(rule.rule == "control_difference" for rule in study.exclusion)


def test_a_control_with_loss_stands_where_no_rule_looks_at_it(tmp_path: Path) -> None:
    study = _changed(tmp_path, PAPERS, (REFERENCE, REFERENCE.replace("clean", "plain")))
    assert member_conditions(study.trial("reference")[1]) == ("plain",)


@pytest.mark.parametrize("loss", ["loss_share: 0.01", "jitter_ms: 5", "corrupt_share: 0.01"])
def test_any_chance_in_a_control_that_is_judged_is_named(tmp_path: Path, loss: str) -> None:
    clean = "mode: off\n    baseline: newreno2008\n    path: { rtt_ms: 130"
    found = faults(tmp_path, MODES, clean, f"{clean}, backward: {{ {loss} }}")
    assert len(found) == 2
    assert all("nobody types twice alike" in fault for fault in found)


@TYPED
def test_texts_are_as_long_in_each_language(study: Path) -> None:
    definition = read(study, CLIPS, KINDS)
    for task in definition.tasks.values():
        lengths = {
            len(wanted_text(task, language) or "")
            for language in definition.languages
            if isinstance(task, CopyTask)
        }
        assert len(lengths) <= 1, task


@TYPED
def test_a_ready_study_takes_a_quarter_of_an_hour_and_not_half(study: Path) -> None:
    told = minutes(read(study, CLIPS, KINDS), {}, KINDS)
    assert told is not None
    assert 15 <= told <= 25


def _seconds(task: CopyTask) -> float:
    return typed_seconds(task, ["en"])


def _copy(text: str, limit_s: int = 900) -> CopyTask:
    return CopyTask(kind="copy", text=text, limit_s=limit_s, least_keys=1)


def test_longer_texts_take_longer_and_no_longer_than_their_limit() -> None:
    short, long = _copy("a few words"), _copy("a few words\n" * 5)
    assert _seconds(short) < _seconds(long)
    assert _seconds(_copy("a few words\n" * 5, limit_s=10)) == _seconds(
        _copy("a few words\n" * 9, limit_s=10)
    )
    held = _copy("x" * 60)
    assert _seconds(held) < _seconds(_copy("xy" * 30))


@TYPED
@pytest.mark.parametrize("language", ["en", "nb"])
def test_a_preview_tells_what_will_be_typed(study: Path, language: str) -> None:
    definition = read(study, CLIPS, KINDS)
    told = "\n".join(outline(definition, CLIPS, language, KINDS))
    for task in definition.tasks.values():
        if isinstance(task, CopyTask):
            assert isinstance(task.text, dict)
            assert all(line in told for line in task.text[language].splitlines())
    assert "CONNECTION CHECK: a keyboard, round trip up to 100 ms" in told
    assert "stored of each session: times, kinds of keys and counts" in told
    assert "RECORDINGS: none" in told
    # Unequal use of rows would be told here.
    assert "not in balance" not in told
    assert "SOUND CHECK" not in told


@TYPED
async def test_a_typed_study_is_frozen_without_recordings(services: Services, study: Path) -> None:
    definition = read(study, CLIPS, KINDS)
    async with services.database.transaction() as session:
        await catalogue.load(session, definition)
        frozen = await freeze(session, definition.slug, "registered")
        events = await session.scalar(
            select(func.count()).where(
                StudyEvent.slug == definition.slug, StudyEvent.kind == "frozen"
            )
        )
    assert events == 1
    assert frozen.document.hashes.whole
    parts = frozen.document.model_dump_json()
    for task in definition.tasks.values():
        assert f'"{task.kind}"' in parts


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("limit_s: 200", "limit_s: 190"),
        ("calm as a mirror", "still as a mirror"),
        ("keep_text: false", "keep_text: true"),
        ("rtt_ms_at_most: 100", "rtt_ms_at_most: 90"),
        ("Tydelig }", "Klart merkbar }"),
    ],
)
async def test_what_is_typed_and_stored_is_part_of_the_plan(
    services: Services, tmp_path: Path, old: str, new: str
) -> None:
    async with services.database.transaction() as session:
        await catalogue.load(session, read(PAPERS, CLIPS, KINDS))
        before = await freeze(session, "lcn2008-typing", "registered")
        await catalogue.load(session, _changed(tmp_path, PAPERS, (old, new)))
        after = await freeze(session, "lcn2008-typing", "again")
    assert before.document.hashes.whole != after.document.hashes.whole


@pytest.mark.parametrize(
    ("clean", "shown_after_s"),
    [
        (CLEAN, 0.0),
        # Thirteen round trips, a second, and a SACK that is delayed.
        (CLEAN.replace("newreno2008", "lksctp"), 2.89),
        (CLEAN.replace("newreno2008", "lksctp\n    sctp: { sack_delay_ms: 0 }"), 2.69),
        (CLEAN.replace("130", "400"), 6.2),
    ],
    ids=["alike", "a protocol", "prompt SACKs", "a round trip"],
)
def test_what_getting_ready_depends_on_is_hidden_by_a_wait(
    tmp_path: Path, clean: str, shown_after_s: float
) -> None:
    text = PAPERS.read_text(encoding="utf-8")
    assert CLEAN in text
    file = tmp_path / "study.yaml"
    file.write_text(text.replace(CLEAN, clean), encoding="utf-8")
    definition = read(file, CLIPS, KINDS)
    assert hiding_waits.waits_of(definition).shown_after_s == pytest.approx(shown_after_s)


def test_two_protocols_are_compared_as_they_come_and_at_their_best() -> None:
    study = read(PROTOCOLS, CLIPS, KINDS)
    arms = {name: study.sent[name].resolved for name in study.conditions if "clean" not in name}
    assert {name: (one.transport.protocol, one.transport.mode) for name, one in arms.items()} == {
        "tcp-off": (Protocol.TCP, OFF),
        "tcp-recommended": (Protocol.TCP, mode_of(mechanisms_of(RECOMMENDED))),
        "sctp-off": (Protocol.SCTP, OFF),
        "sctp-all": (Protocol.SCTP, mode_of(mechanisms_of(ALL_OF_SCTP))),
    }
    # One path, so that nothing but the sender differs.
    assert len({one.path for one in arms.values()}) == 1
    # Nobody can tell a protocol by how long it takes to get ready.
    assert hiding_waits.waits_of(study).shown_after_s > 0
    # Each side of the square is asked about with two tasks, and no other pair.
    assert study.analysis is not None
    hypotheses = study.analysis.hypotheses or ()
    compared = [one.conditions for one in hypotheses if isinstance(one, PooledHypothesis)]
    assert len(compared) == len(hypotheses) == 4
    asked = [member_conditions(one) for one in study.blocks[1].trials if one.kind == "pair"]
    assert sorted(asked) == sorted([tuple(pair) for pair in compared] * 2)
