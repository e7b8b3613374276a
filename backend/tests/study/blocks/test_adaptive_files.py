"""Staircases in study files: what cannot work is named with field and remedy."""

from pathlib import Path

import pytest

from tests.study.study_files import CLIPS, SURVEY, faults, line_of
from thinlab.study.blocks.registry import kind_of
from thinlab.study.file import read
from thinlab.trials.registry import KINDS

QUEST = SURVEY / "quest-loss.yaml"


def test_what_has_to_be_recorded_is_said_in_words() -> None:
    definition = read(QUEST, CLIPS, KINDS)
    (block,) = definition.blocks
    assert kind_of(block).allocation(definition, block) == (
        "1 staircase, one for each clip, 16 trials each; loss 0.5 %, 1 %, 2 %, 5 %, 10 %; "
        "needs 12 recordings, all made beforehand"
    )


FAULTS = [
    ("quantity: loss_share", "quantity: one_way_delay_ms",
     ("blocks[0].trials[0].conditions[1]: the second condition is the level, and has to have more "
     "`one_way_delay_ms` than the reference: 65 ms is not more than 65 ms. Name the reference")),
    ("quantity: loss_share", "quantity: jitter", "blocks[0].adaptive.quantity"),
    ("trials: 16, seed", "trials: 3, seed", "blocks[0].adaptive.trials"),
    ("seed: 100 }", "seed: 100, threshold_between: [0.5, 0.9] }",
     "blocks[0].adaptive.threshold_between: no level of `speech_b` lies in it. Widen it"),
    ("seed: 100 }", "seed: 100, threshold_between: [0.5, 0.1] }",
     "names the lowest threshold, then the highest"),
    ("seed: 100 }", "seed: 100, slopes: [2, 1] }", "`slopes` have to ascend"),
    ("conditions: [clean, loss-1]", "conditions: [loss-1, clean]",
     "the second condition is the level, and has to have more `loss_share` than the reference"),
    ("conditions: [clean, loss-1]", "conditions: [clean, loss-2]",
     "are the same level of `speech_b`, 2 %. Keep one, and give it more runs"),
    ("conditions: [clean, loss-2]", "conditions: [loss-half, loss-2]",
     "blocks[0].trials: the pairs of `speech_b` have several references"),
    ("clip: speech_b,\n          conditions: [clean, loss-1]",
     "clip: speech_a,\n          conditions: [clean, loss-1]",
     "blocks[0].trials: `speech_a` has 1 level: there is nothing to choose between. Add pairs"),
    ("  - id: staircase\n", "  - id: staircase\n    role: training\n",
     "blocks[0].role: training is never analysed"),
    ("    playback: free\n", "    playback: free\n    order: balanced\n",
     "blocks[0].order: an adaptive block chooses its trials, and balances sides, by itself"),
    ("        second: { en: The second, nb: Det andre }\n",
     ("        second: { en: The second, nb: Det andre }\n"
     "        no_difference: { en: None, nb: Ingen }\n"),
     "blocks[0].scale.answers.no_difference: a staircase needs a forced choice"),
    ("{ id: two, kind: pair, clip: speech_b,\n          conditions: [clean, loss-2], runs: 2,",
     "{ id: two, kind: control, clip: speech_b,\n          condition: loss-2, runs: 2,",
     "blocks[0].trials[2].kind: `kind: control` is no level of a staircase. Use pairs"),
    ("  loss-2:\n    <<: *clean\n", "  loss-2:\n    <<: *clean\n    mode: all\n",
     "blocks[0].trials[2].conditions: the two conditions differ in more than `loss_share`"),
    ("votes_visible: when_stopped\n",
     "votes_visible: when_stopped\nanalysis: { hypothesis: { en: A, nb: B }, primary: [two] }\n",
     "analysis.primary[0]: `two` is a level of a staircase"),
    ("votes_visible: when_stopped\n",
     ("votes_visible: when_stopped\nanalysis:\n  hypothesis: { en: A, nb: B }\n  hypotheses:\n"
     "    - { id: h, compares: pair, trial: two }\n"),
     "analysis.hypotheses[0]: `h` is about levels of a staircase"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said"), FAULTS)
def test_what_cannot_work_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    found = faults(tmp_path, QUEST, old, new)
    assert any(said in one for one in found), found


def test_a_reference_that_was_not_sent_is_refused(tmp_path: Path) -> None:
    changed = "  clean: { reference: unprocessed }\n  sent: &clean\n"
    found = faults(tmp_path, QUEST, "  clean: &clean\n", changed)
    assert any("`clean` was not sent: the codec alone would tell it" in one for one in found), found


def test_a_fault_has_its_line(tmp_path: Path) -> None:
    (found,) = faults(tmp_path, QUEST, "seed: 100 }", "seed: 100, threshold_between: [0.5, 0.9] }")
    assert found.startswith(f"{line_of(QUEST, 'adaptive: {')}:")
