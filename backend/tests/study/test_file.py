"""Study files: what is wrong is named with line, field and remedy.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest

from tests.study.study_files import (
    CLIPS,
    DEMO,
    READY,
    SURVEY,
    earlier,
    faults,
    faults_of,
    line_of,
)
from thinlab.condition.transport import OFF
from thinlab.study import schema
from thinlab.study.file import StudyFileError, read, read_all
from thinlab.trials.registry import KINDS

CCR = earlier("p800-ccr")
ACR = earlier("p808-acr")


def test_every_committed_study_is_valid_with_the_clips_there_are() -> None:
    studies = read_all(SURVEY, CLIPS, KINDS)
    assert {study.slug for study in studies} == {file.stem for file in READY}
    assert {"lcn2008-listening", "p800-ccr", "p800-pair", "p808-acr", "all-modes"} <= {
        study.slug for study in studies
    }


def test_a_mode_called_off_is_a_word() -> None:
    assert read(DEMO, CLIPS, KINDS).sent["plain"].mode == OFF


def test_the_committed_schema_is_up_to_date() -> None:
    committed = (SURVEY / "study.schema.json").read_text()
    remedy = "run: uv run thinlab study schema > ../survey/study.schema.json"
    assert committed == schema.text(), remedy


def test_every_key_is_described() -> None:
    described = schema.json_schema()
    parts = {"StudyDefinition": described, **described["$defs"]}
    bare = [
        f"{part}.{key}"
        for part, one in parts.items()
        for key, value in one.get("properties", {}).items()
        if not {"description", "$ref", "const"} & set(value)
    ]
    assert bare == []


def test_the_hash_follows_the_content_not_the_form(tmp_path: Path) -> None:
    file = tmp_path / "demo.yaml"
    file.write_text(DEMO.read_text())
    before = read(file, CLIPS, KINDS).content_hash
    file.write_text("# another comment\n" + DEMO.read_text())
    assert read(file, CLIPS, KINDS).content_hash == before
    file.write_text(DEMO.read_text().replace("seed: 3", "seed: 4"))
    assert read(file, CLIPS, KINDS).content_hash != before


@pytest.mark.parametrize(
    ("old", "new", "at", "field", "says"),
    [
        (
            "loss_share: 0.02",
            "loss_share: 2",
            "forward: { loss",
            "conditions.plain.path.forward.loss_share",
            "`2` is too large. At most 1",
        ),
        ("rtt_ms: 130", "rtt: 130", "rtt_ms: 130", "conditions.plain.path.rtt", "Did you mean"),
        ("mode: off", "mode: fast", "mode: off", "conditions.plain.mode", "'bundling'"),
        ("clip: song", "clip: sonk", "clip: song", "trials[1].clip", "Did you mean `song`?"),
        (
            "[plain, modified]",
            "[plain, modfied]",
            "conditions: [plain, modified]",
            "blocks[0].trials[0].conditions[1]",
            "Did you mean `modified`?",
        ),
        ("[plain, modified]", "[plain, plain]", "- id: speech", "trials[0]", "kind: control"),
        ("seed: 3", "seed: one", "seed: 3", "trials[2].seed", "Write a whole number"),
        ("seed: 3", "sead: 3", "seed: 3", "trials[2].sead", "Did you mean `seed`?"),
        ("kind: control", "kind: trap", "- id: control", "trials[2]", "unknown kind `trap`"),
        ("      kind: preference\n", "", "    scale:", "blocks[0].scale", "`kind` is missing"),
        ("slug: demo", "slug: De mo", "slug: demo", "slug", "Use a-z"),
        ("slug: demo\n", "slug: demo\nslug: two\n", "title:", "slug", "given twice"),
        ("  - id: song", "  - id: speech", "", "", "more than once: speech"),
        ("title:", "titel:", "title:", "titel", "Did you mean `title`?"),
        ('version: "1"', "version: 2026-11-21", 'version: "1"', "version", "put it in quotes"),
        ('version: "1"', 'version: "1', "", "", "not YAML"),
        ("id: speech", "id: null", "id: speech", "trials[0].id", "needs quotes"),
        (
            "  clip: speech_c\n  seed: 7",
            "  clip: song\n  seed: 1",
            "  seed: 7",
            "sample.seed",
            "trial `song` plays this recording",
        ),
        (
            "    modified: {",
            "    modifed: {",
            "    modified: {",
            "modifed",
            "Did you mean `modified`?",
        ),
        ("    modified: {", "    modifed: {", "", "debrief.names", "participants are told of"),
        ("clip: speech_c", "clip: speech_x", "clip: speech_c", "sample.clip", "Did you mean"),
        (
            "- condition: recommended-lossy",
            "- condition: recommended-losy",
            "- condition: recommended-lossy",
            "sample.members[1].condition",
            "Did you mean `recommended-lossy`?",
        ),
        (
            "  plain: &papers\n",
            "  noisy: { reference: mnru }\n  plain: &papers\n",
            "  plain: &papers",
            "conditions.noisy",
            "`q_db` belongs to `reference: mnru`, which needs it",
        ),
        (
            "  plain: &papers\n",
            "  noisy: { reference: mnru, qdb: 3 }\n  plain: &papers\n",
            "",
            "conditions.noisy.qdb",
            "Did you mean `q_db`?",
        ),
        (
            "  plain: &papers\n",
            "  noisy: { reference: low_pass }\n  plain: &papers\n",
            "",
            "conditions.noisy.reference",
            "'low_pass_3500'",
        ),
        (
            "    path:\n      rtt_ms: 130\n",
            "    path:\n      rtt: 130\n",
            "      rtt_ms: 130",
            "conditions.plain.path.rtt",
            "Did you mean `rtt_ms`?",
        ),
        (
            "  recommended-lossy:\n    <<: *bad\n    mode: recommended\n",
            "  recommended-lossy: { reference: unprocessed }\n",
            "",
            "sample.members[1].condition",
            "was not sent, and the page tells what was lost",
        ),
        (", nb: Vanlig TCP", "", "", "sample.members[0].name", "no text in `nb`"),
        ("open: true", "open: maybe", "open: true", "open", "Write true or false"),
    ],
)
def test_faults_are_named(
    tmp_path: Path, old: str, new: str, at: str, field: str, says: str
) -> None:
    found = faults(tmp_path, DEMO, old, new)
    assert any(field in fault and says in fault for fault in found), found
    if at:
        assert any(fault.startswith(f"{line_of(DEMO, at)}:") for fault in found), found


@pytest.mark.parametrize(
    ("study", "old", "new", "field", "says"),
    [
        (CCR, ", nb: Mye bedre (3)", "", "blocks[0].scale.labels.3", "no text in `nb`"),
        (CCR, "{ en: Better (2), nb: Bedre (2) }", "Better", "labels.2", "{en: …, nb: …}"),
        (CCR, "nb: Bedre (2)", "nb: Bedre (2), sv: Bra", "labels.2.sv", "not offered in `sv`"),
        (CCR, "nb: Bedre (2)", "nb: Bedre (2), Norsk: Bra", "labels.2.Norsk", "is not a language"),
        (
            CCR,
            "        -3: { en: Much Worse (−3), nb: Mye dårligere (−3) }\n",
            "",
            "scale",
            "3, 2, 1, 0",
        ),
        (CCR, "languages: [en, nb]", "languages: [en, nb, en]", "languages[2]", "there twice"),
        (
            CCR,
            "kind: trapping, clip: trap_minus_two",
            "kind: trapping, clip: trap_three",
            "trials[11].answer",
            "asks for `3`",
        ),
        (
            CCR,
            "en: Worse (−2)",
            "en: Worse (2)",
            "trials[11].answer",
            "the label of -2 does not show it. Write the number into the labels",
        ),
        (CCR, "clip: trap_minus_two", "clip: speech_a", "trials[11].clip", "trap_minus_two"),
        (
            CCR,
            "condition: clean, answer: -2",
            "condition: clean, answer: first",
            "trials[11]",
            "cannot be given",
        ),
        (
            CCR,
            "conditions: [clean, ruined], better: clean",
            "conditions: [clean, ruined], better: plain",
            "trials[10]",
            "`better` has to name",
        ),
        (
            CCR,
            "conditions: [clean, ruined], better: clean",
            "condition: clean, at_least: 3",
            "trials[10]",
            "`conditions` and `better`",
        ),
        (CCR, "primary: [a, b, c, d]", "primary: [a, z]", "primary[1]", "no trial is called `z`"),
        (CCR, "primary: [a, b, c, d]", "primary: [a, gold]", "primary[1]", "answer is known"),
        (CCR, "primary: [a, b, c, d]", "primary: [practice-wide]", "primary[0]", "training"),
        (
            CCR,
            "question: hearing, any_of",
            "question: haering, any_of",
            "exclusion[0].question",
            "Did you mean `hearing`?",
        ),
        (CCR, "any_of: [impaired]", "any_of: [deaf]", "any_of[0]", "no option is called `deaf`"),
        (
            CCR,
            "question: hearing, any_of",
            "question: remarks, any_of",
            "exclusion[0].question",
            "not of `kind: choice`",
        ),
        (
            CCR,
            "trapping_wrong, more_than: 0",
            "trapping_wrong, more_than: 1",
            "exclusion[2]",
            "can never apply: there are 1 trapping",
        ),
        (
            CCR,
            "straight_lining, of_at_least: 11",
            # As many as the block has trials, of which one is a trap.
            "straight_lining, of_at_least: 12",
            "exclusion[4]",
            "nobody gives more than 11 answers of their own",
        ),
        (
            CCR,
            "straight_lining, of_at_least: 11",
            "control_difference, more_than_share: 2",
            "exclusion[4].more_than_share",
            "At most 1",
        ),
        (
            CCR,
            "language: nb, completed",
            "language: sv, completed",
            "quotas[1].language",
            "There are: en, nb",
        ),
        (
            DEMO,
            "votes_visible: always",
            "headphone_test: { signal: antiphase }",
            "headphone_test",
            "with `headphones: any` there is no headphone test",
        ),
        (
            DEMO,
            "votes_visible: always",
            "exclusion: [{ rule: heard_under, share: 0.1 }]",
            "exclusion[0]",
            "every block asks for 10 % of each recording, or more",
        ),
        (
            DEMO,
            "votes_visible: always",
            "exclusion: [{ rule: scripted_typing, effect: flag }]",
            "exclusion[0]",
            "can never apply: nothing is typed",
        ),
        (
            DEMO,
            "votes_visible: always",
            "exclusion: [{ rule: page_hidden, effect: warn }]",
            "exclusion[0].effect",
            "exclude",
        ),
        (
            CCR,
            "straight_lining, of_at_least: 11",
            "seeks_over, times: 9",
            "exclusion[4]",
            "nobody can seek where recordings are not played freely",
        ),
        (
            DEMO,
            "votes_visible: always",
            "exclusion: [{ rule: headphones_failed }]",
            "exclusion[0]",
            "with `headphones: any` there is no headphone test",
        ),
        (ACR, "      kind: acr", "      kind: ccr", "labels", "3, 2, 1, 0, -1, -2, -3"),
        (
            ACR,
            "kind: single, clip: man_a",
            "kind: control, clip: man_a",
            "trials[0]",
            "presents two recordings",
        ),
        (
            ACR,
            "[a-plain, b-plain, c-plain, d-plain, a-modified,",
            "[a-plain, b-plain, c-plain, d-plain,",
            "analysis.primary[0]",
            "`a-plain` rates one condition",
        ),
        (CCR, "primary: [a, b", "primary: [same, b", "analysis.primary[0]", "compares nothing"),
        (ACR, "  - id: main\n", "  - id: main\n    role: training\n", "blocks", "every block"),
    ],
)
def test_what_does_not_fit_together_is_named(
    tmp_path: Path, study: Path, old: str, new: str, field: str, says: str
) -> None:
    found = faults(tmp_path, study, old, new)
    assert any(field in fault and says in fault for fault in found), found


def test_everything_wrong_is_told_at_once_in_the_files_order(tmp_path: Path) -> None:
    text = DEMO.read_text().replace("mode: off", "mode: of").replace("clip: song", "clap: song")
    found = faults_of(tmp_path, text.replace("title:\n", "titel:\n", 1))
    lines = [int(fault.split(":")[0]) for fault in found]
    assert len(found) == 5, found
    assert lines == sorted(lines)


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, DEMO, "sound_check: sound_check\n", "")
    assert "sound_check: missing. Add `sound_check:`" in fault


def test_two_files_cannot_have_one_slug(tmp_path: Path) -> None:
    for name in ("one.yaml", "two.yaml"):
        (tmp_path / name).write_text(DEMO.read_text())
    with pytest.raises(StudyFileError, match=r"slug: `demo` is one\.yaml's"):
        read_all(tmp_path, CLIPS, KINDS)


def test_a_folder_without_studies_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyFileError, match="no study file here"):
        read_all(tmp_path, CLIPS, KINDS)


def test_no_study_names_what_another_plays_blind(tmp_path: Path) -> None:
    whole = DEMO.read_text()
    # Under another name, and in another study: it is the same recording.
    other = whole.replace("slug: demo\n", "slug: other\n").replace("plain-lossy", "worse")
    song = "conditions: [worse, modified-lossy]\n        seed: 1\n"
    assert song in other
    (tmp_path / "demo.yaml").write_text(
        whole.replace("  clip: speech_c\n  seed: 7", "  clip: song\n  seed: 901")
    )
    (tmp_path / "other.yaml").write_text(other)
    assert len(read_all(tmp_path, CLIPS, KINDS)) == 2
    (tmp_path / "other.yaml").write_text(other.replace(song, song.replace("seed: 1", "seed: 901")))
    with pytest.raises(StudyFileError) as raised:
        read_all(tmp_path, CLIPS, KINDS)
    (fault,) = raised.value.faults
    assert (fault.file.name, fault.field) == ("demo.yaml", "sample.seed")
    assert "trial `song` of other.yaml plays this recording" in fault.message


def test_a_sample_is_known_by_what_is_sent_and_not_by_its_name(tmp_path: Path) -> None:
    whole = DEMO.read_text()
    alias = whole.replace("  # The papers' bad case, 5 %.\n", "  as-plain: { <<: *papers }\n")
    played = alias.replace("  clip: speech_c\n  seed: 7", "  clip: speech\n  seed: 1").replace(
        "    - condition: plain-lossy\n", "    - condition: as-plain\n"
    )
    file = tmp_path / "demo.yaml"
    file.write_text(played)
    with pytest.raises(StudyFileError) as raised:
        read(file, CLIPS, KINDS)
    assert any("plays this recording" in fault.message for fault in raised.value.faults)


def test_the_sound_check_is_no_trials_file(tmp_path: Path) -> None:
    file = tmp_path / "demo.yaml"
    whole = DEMO.read_text().replace("sound_check: sound_check", "sound_check: speech")
    file.write_text(whole)
    read(file, CLIPS, KINDS)
    as_it_is = "  modified:\n    <<: *papers\n    mode: all\n"
    assert as_it_is in whole
    file.write_text(whole.replace(as_it_is, "  modified: { reference: unprocessed }\n"))
    with pytest.raises(StudyFileError) as raised:
        read(file, CLIPS, KINDS)
    assert any("plays this clip as it is" in fault.message for fault in raised.value.faults)
