"""Scales that ask by a reference, or for X: what fits, and what is said where it does not."""

from pathlib import Path

import pytest

from tests.study.study_files import CLIPS, SURVEY, faults
from thinlab.contract.generated.names import Codec
from thinlab.study.definition import StudyDefinition
from thinlab.study.file import read
from thinlab.study.outline import outline
from thinlab.trials.registry import KINDS

DCR = SURVEY / "p800-dcr.yaml"
ABX = SURVEY / "abx.yaml"
ACR = SURVEY / "p808-acr.yaml"
MUSHRA = SURVEY / "mushra.yaml"


def study(file: Path) -> StudyDefinition:
    return read(file, CLIPS, KINDS)


@pytest.mark.parametrize(
    ("file", "old", "new", "field", "says"),
    [
        (DCR, "    playback: in_turn\n    order", "    order", "blocks[0].playback", "heard first"),
        (
            DCR,
            "    break_every: 7\n",
            "    break_every: 7\n    sides: balanced\n",
            "blocks[1].sides",
            "is the reference",
        ),
        (DCR, "conditions: [clean, ruined], at_most: 3", "condition: ruined, at_most: 3",
         "trials[17]", "needs `conditions` and a score"),
        (DCR, "ruined], at_most: 3", "ruined], better: clean",
         "trials[17]", "needs `conditions` and a score"),
        (DCR, "conditions: [clean, ruined], at_most: 3",
         "conditions: [clean, ruined], at_most: 3, better: clean", "trials[17]", "nothing else"),
        (DCR, "compares: opinion\n", "compares: pooled\n", "hypotheses[0].trials[0]",
         "compares nothing. Compare conditions with `compares: opinion`"),
        (DCR, "b-modified, c-modified, d-modified]", "b-modified, c-modified]",
         "hypotheses[0].trials[3]", "has no other"),
        (DCR, "kind: pair, clip: speech_a,\n          conditions: [clean, plain]",
         "kind: single, clip: speech_a,\n          condition: plain", "trials[0]",
         "needs a scale of `kind: acr`"),
        (DCR, "        1: { en: Very annoying (1), nb: Svært sjenerende (1) }\n", "",
         "blocks[0].scale", "needs one label for each of 5, 4, 3, 2, 1"),
        (ABX, "id: a, kind: pair, clip: speech_a,\n          conditions: [plain, modified]",
         "id: a, kind: control, clip: speech_a,\n          condition: plain", "trials[0]",
         "every answer is right or wrong"),
        (ABX, "direction: right", "direction: modified", "hypotheses[0].direction",
         "There are: right, two_sided"),
        (ABX, "smallest_effect: 0.1", "smallest_effect: 0.5", "smallest_effect",
         "no effect is larger than 0.5"),
        (ABX, "        second: { en: X is B, nb: X er B }\n", "", "answers.second", "missing"),
        (ABX, "nb: X er A", "sv: X är A", "scale.answers.first", "no text in `nb`"),
        (ABX, "compares: pooled", "compares: opinion", "hypotheses[0].trials[0]", "is not rated"),
        (MUSHRA, "  whole-clip: { reference: unprocessed }",
         "  whole-clip: { reference: mnru, q_db: 40 }", "blocks[1].trials",
         "`czech_woman_a` has no hidden reference. Add a trial"),
        (MUSHRA, "  mid-anchor: { reference: low_pass_7000 }",
         "  mid-anchor: { reference: unprocessed }", "blocks[1].trials",
         "has 2 hidden references. Keep one"),
        (MUSHRA, "  low-anchor: { reference: low_pass_3500 }",
         "  low-anchor: { reference: mnru, q_db: 5 }", "blocks[1].trials", "no low anchor. Add"),
        (MUSHRA, "clip: czech_woman_b, condition: plain", "clip: czech_woman_a, condition: plain",
         "blocks[1].trials", "`czech_woman_a` has `plain` 2 times"),
        (MUSHRA, "clip: czech_woman_b, condition: plain",
         "clip: czech_woman_b, condition: modified",
         "blocks[1].trials", "heard under other conditions than `czech_woman_a`"),
        (MUSHRA, "    scale: *mushra\n", "    scale: *mushra\n    playback: in_turn\n",
         "blocks[1].playback", "switch between all sounds"),
        (MUSHRA, "    scale: *mushra\n", "    scale: *mushra\n    order: apart\n",
         "blocks[1].order", "never beside itself"),
        (MUSHRA, "kind: single, clip: czech_woman_a, condition: whole-clip",
         "kind: control, clip: czech_woman_a, condition: whole-clip", "trials[0]",
         "every trial is a `kind: single`"),
        (MUSHRA, "        1: { en: Bad, nb: Elendig }\n", "", "blocks[0].scale",
         "one label for each of 5, 4, 3, 2, 1"),
        (MUSHRA, "smallest_effect: 15", "smallest_effect: 100", "smallest_effect",
         "no effect is larger than 100"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(
    tmp_path: Path, file: Path, old: str, new: str, field: str, says: str
) -> None:
    found = faults(tmp_path, file, old, new)
    assert any(field in fault and says in fault for fault in found), found


def test_a_clip_in_most_trials_cannot_be_kept_apart(tmp_path: Path) -> None:
    text = ACR.read_text()
    for other in ("speech_c", "man_a", "man_b"):
        text = text.replace(f"clip: {other}", "clip: speech_b")
    file = tmp_path / "same.yaml"
    file.write_text(text)
    found = faults(tmp_path, file, "slug: p808-acr", "slug: p808-acr")
    told = [fault for fault in found if "blocks[1].order" in fault]
    assert len(told) == 1, found
    assert "no order keeps trials of `speech_b` apart, which 22 of 24 present" in told[0]
    assert "write `order: balanced`" in told[0]


def test_more_sounds_than_can_be_compared_are_refused(tmp_path: Path) -> None:
    noises = [f"noise-{q_db}" for q_db in range(10, 50, 5)]
    text = MUSHRA.read_text().replace(
        "blocks:\n",
        "".join(f"  {name}: {{ reference: mnru, q_db: {name[6:]} }}\n" for name in noises)
        + "blocks:\n",
        1,
    )
    more = "".join(
        f"      - {{ id: p-{name}, kind: single, clip: czech_woman_a, condition: {name},"
        f" seed: 1{name[6:]} }}\n"
        for name in noises
    )
    file = tmp_path / "many.yaml"
    file.write_text(text)
    last = "condition: modified, seed: 500 }\n"
    found = faults(tmp_path, file, last, last + more)
    assert any(
        "blocks[0].trials" in fault
        and "has 13 sounds, and at most 12 fit. Take conditions out" in fault
        for fault in found
    ), found


def test_the_hidden_reference_is_looked_at_unless_the_study_says_otherwise() -> None:
    written = study(MUSHRA)
    assert [rule.rule for rule in written.exclusion] == ["answered", "reference_under"]
    unsaid = written.model_dump(mode="json", exclude_unset=True) | {"exclusion": []}
    assert [rule.rule for rule in StudyDefinition.model_validate(unsaid).exclusion] == [
        "reference_under"
    ]
    marks = unsaid | {"exclusion": [{"rule": "reference_under", "effect": "flag"}]}
    assert [rule.effect for rule in StudyDefinition.model_validate(marks).exclusion] == ["flag"]


def test_participants_read_what_the_file_says() -> None:
    told = "\n".join(outline(study(ABX), CLIPS, "nb", KINDS))
    assert "X er A | X er B" in told
    told = "\n".join(outline(study(DCR), CLIPS, "en", KINDS))
    assert "5 Inaudible (5)" in told


@pytest.mark.parametrize("file", [DCR, ABX])
def test_a_study_of_one_method_needs_nothing_of_the_others(tmp_path: Path, file: Path) -> None:
    """No typing, no controls, no known answers, no questions, no headphone test, no plan."""
    text = file.read_text()
    lines = text[: text.index("questionnaire:")]
    keep = [
        line
        for line in lines.splitlines()
        if not any(kind in line for kind in ("kind: control", "kind: gold", "kind: trapping"))
    ]
    bare = "\n".join(keep).replace("headphones: asked\n", "")
    bare = bare.replace("          condition: clean, runs: 1, seed: 100 }\n", "")
    bare = bare.replace("          conditions: [clean, ruined], at_most: 3, seed: 2100 }\n", "")
    small = tmp_path / "small.yaml"
    small.write_text(bare)
    found = study(small)
    assert {trial.kind for trial in found.trials} == {"pair"}
    assert found.analysis is None


def test_what_is_compared_has_one_codec(tmp_path: Path) -> None:
    telephone = "  clean:\n    codec: g711\n    mode: off"
    told = faults(tmp_path, SURVEY / "p800-pair.yaml", "  clean:\n    mode: off", telephone)
    assert told
    assert all("different codecs, which alone would tell them apart" in line for line in told)
    one, other = "    mode: off\n", "    mode: off\n    codec: g711\n"
    everywhere = (SURVEY / "p800-pair.yaml").read_text().replace(one, other)
    file = tmp_path / "telephones.yaml"
    file.write_text(everywhere)
    assert {one.codec for one in read(file, CLIPS, KINDS).sent.values()} == {Codec.G711}
