"""Hypotheses in a study file: what they may be about, and what is said where they cannot be."""

from pathlib import Path

import pytest

from tests.study.study_files import CLIPS, SURVEY, faults
from thinlab.analysis.results import plan_of
from thinlab.study.file import read
from thinlab.study.frozen import FrozenDocument
from thinlab.trials.registry import KINDS

CCR = SURVEY / "p800-ccr.yaml"
ACR = SURVEY / "p808-acr.yaml"
PAIR = SURVEY / "p800-pair.yaml"
PRIMARY = "  primary: [a, b, c, d]\n  confidence: 0.95\n  correction: holm\n"
POOLED = "{ id: it, compares: pooled, conditions: [plain, modified], trials: [a, b] }"
VERSUS = "{ id: heard, compares: control, trials: [a, b], controls: [same] }"
TRIAL = "{ id: it, compares: pair, trial: a }"


def declared(*hypotheses: str, more: str = "") -> str:
    """In place of the primary trials."""
    listed = "".join(f"    - {one}\n" for one in hypotheses)
    return f"  hypotheses:\n{listed}{more}"


def test_a_study_declares_what_it_compares(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    hypotheses = declared(POOLED, VERSUS, more="  rule: all\n")
    file.write_text(CCR.read_text().replace(PRIMARY, hypotheses))
    definition = read(file, CLIPS, KINDS)
    plan = plan_of(definition)
    assert ([one.id for one in plan.hypotheses], plan.rule) == (["it", "heard"], "all")
    assert plan.primary == frozenset()
    frozen = FrozenDocument.of(definition, {}, 0).analysis
    assert frozen["analysis.rule"] == "all"
    assert frozen["analysis.hypotheses[it].trials"] == ["a", "b"]
    assert frozen["analysis.hypotheses[heard].direction"] == "two_sided"


def test_a_plan_of_primary_trials_is_frozen_as_before() -> None:
    frozen = FrozenDocument.of(read(CCR, CLIPS, KINDS), {}, 0).analysis
    assert {name for name in frozen if name.startswith("analysis.")} == {
        "analysis.hypothesis.en",
        "analysis.hypothesis.nb",
        "analysis.primary",
        "analysis.confidence",
        "analysis.correction",
    }


@pytest.mark.parametrize(
    ("study", "new", "field", "says"),
    [
        (CCR, "  confidence: 0.95\n", "analysis", "nothing decides: give `hypotheses`"),
        (CCR, declared(TRIAL, more="  primary: [a]\n"), "analysis", "keep one"),
        (CCR, declared(TRIAL, more="  correction: holm\n"), "analysis", "leave `correction` out"),
        (CCR, "  primary: [a]\n  rule: all\n", "analysis", "`rule` is for `hypotheses`"),
        (CCR, declared(TRIAL, TRIAL), "hypotheses[1].id", "`it` is there twice"),
        (CCR, declared(TRIAL.replace("a }", "aa }")), "hypotheses[0].trial", "no trial is called"),
        (CCR, declared(TRIAL.replace("a }", "same }")), "hypotheses[0].trial", "kind: pair"),
        (
            CCR,
            declared(TRIAL.replace("a }", "practice-narrow }")),
            "hypotheses[0].trial",
            "training",
        ),
        (CCR, declared(POOLED.replace("a, b", "a, a")), "trials[1]", "`a` is there twice"),
        (
            CCR,
            declared(POOLED.replace("plain,", "ruined,")),
            "hypotheses[0].trials[0]",
            "about modified, plain, not ruined and modified",
        ),
        (
            CCR,
            declared(POOLED.replace(" }", ", direction: modifed }")),
            "hypotheses[0].direction",
            "Did you mean `modified`?",
        ),
        (
            CCR,
            declared(POOLED.replace(" }", ", smallest_effect: 3 }")),
            "hypotheses[0].smallest_effect",
            "no effect is larger than 3 here",
        ),
        (
            PAIR,
            declared(TRIAL.replace(" }", ", smallest_effect: 0.5 }")),
            "hypotheses[0].smallest_effect",
            "no effect is larger than 0.5 here",
        ),
        (CCR, declared(VERSUS.replace("[same]", "[c]")), "controls[0]", "`kind: control`"),
        (CCR, declared(VERSUS.replace(" }", ", direction: plain }")), "direction", "trials"),
        (
            ACR,
            declared(
                "{ id: it, compares: opinion, conditions: [plain, modified],"
                " trials: [a-plain, a-modified, b-plain] }"
            ),
            "hypotheses[0].trials[2]",
            "`b-plain` has no other",
        ),
    ],
)
def test_what_a_hypothesis_cannot_be_about_is_named(
    tmp_path: Path, study: Path, new: str, field: str, says: str
) -> None:
    text = study.read_text()
    start = text.index("  primary:")
    old = text[start : text.index("\n\n", start) + 1] if "\n\n" in text[start:] else text[start:]
    found = faults(tmp_path, study, old, new)
    assert any(field in fault and says in fault for fault in found), found
