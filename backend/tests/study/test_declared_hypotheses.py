"""Hypotheses in a study file: what they may be about, and what is said where they cannot be."""

from pathlib import Path

import pytest

from tests.study.study_files import CLIPS, SURVEY, earlier, faults
from thinlab.analysis.plan import plan_of
from thinlab.study.file import read
from thinlab.study.frozen import FrozenDocument
from thinlab.trials.registry import KINDS

CCR = earlier("p800-ccr")
ACR = earlier("p808-acr")
PAIR = earlier("p800-pair")
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


LOOKS = "  interim: { looks: [0.5] }\n"


@pytest.mark.parametrize(
    ("study", "new", "field", "says"),
    [
        (CCR, "  primary: [a]\n" + LOOKS, "analysis.interim", "looks test `hypotheses`"),
        (
            CCR,
            declared(POOLED, TRIAL.replace("it", "one"), more=LOOKS),
            "analysis.interim",
            "Use `rule: all`",
        ),
        (
            CCR,
            declared(POOLED, more=LOOKS.replace("0.5", "0.6, 0.5")),
            "analysis.interim",
            "rising order",
        ),
        (CCR, declared(POOLED, more=LOOKS.replace("0.5", "1.0")), "looks[0]", "Below 1"),
        (CCR, declared(POOLED, more=LOOKS.replace("0.5", "0.1")), "looks[0]", "say nothing"),
        (
            CCR,
            declared(POOLED, more=LOOKS.replace("0.5", "0.5, 0.499")),
            "analysis.interim",
            "rising order",
        ),
        (
            CCR,
            declared(POOLED, more=LOOKS.replace("0.5", "0.495, 0.5")),
            "looks[1]",
            "as another look is",
        ),
        (CCR, declared(POOLED, more=LOOKS.replace("0.5", "0.999")), "looks[0]", "as another"),
        (CCR, declared(POOLED, more=LOOKS.replace("0.5", "")), "looks", "fewer than 1"),
        (
            CCR,
            "  primary: [a]\n  replaces_primary: [a]\n",
            "analysis",
            "`replaces_primary` is for `hypotheses`",
        ),
    ],
)
def test_looks_that_cannot_be_kept_are_told(
    tmp_path: Path, study: Path, new: str, field: str, says: str
) -> None:
    said = faults(tmp_path, study, PRIMARY, new)
    assert any(field in one and says in one for one in said), said


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("stop: { completed: 48 }", "stop: { on: 2030-01-01 }", "Say in `stop.completed`"),
        ("votes_visible: when_stopped", "votes_visible: always", "looked at all the time"),
    ],
)
def test_looks_need_a_number_and_hidden_votes(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    looked = tmp_path / "looked.yaml"
    looked.write_text(CCR.read_text().replace(PRIMARY, declared(POOLED, more=LOOKS)))
    assert read(looked, CLIPS, KINDS).analysis is not None
    assert any(says in one for one in faults(tmp_path, looked, old, new))


def test_looks_are_frozen_with_the_plan(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(CCR.read_text().replace(PRIMARY, declared(POOLED, more=LOOKS)))
    definition = read(file, CLIPS, KINDS)
    assert plan_of(definition).looks == (24, 48)
    frozen = FrozenDocument.of(definition, {}, 0).analysis
    assert frozen["analysis.interim.looks"] == [0.5]
    assert frozen["analysis.interim.spending"] == "obrien_fleming"


@pytest.mark.parametrize("name", ["p800-ccr", "p800-pair", "p808-acr"])
def test_a_study_that_was_loaded_with_primary_trials_goes_on_with_them(name: str) -> None:
    before = read(earlier(name), CLIPS, KINDS)
    now = read(SURVEY / f"{name}.yaml", CLIPS, KINDS)
    assert now.content_hash != before.content_hash
    meant = now.as_it_was_meant(before)
    assert meant.content_hash == before.content_hash
    frozen, still = (FrozenDocument.of(one, {}, 0).hashes for one in (before, meant))
    assert frozen == still
    # Whose first version has hypotheses tests them; and so does who changes what decides.
    assert now.as_it_was_meant(now) == now
    assert before.analysis is not None
    other = before.analysis.model_copy(update={"primary": before.analysis.primary[:1]})
    changed = before.model_copy(update={"analysis": other})
    assert now.as_it_was_meant(changed).analysis == now.analysis


def test_a_metric_of_delay_is_declared_and_frozen(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(CCR.read_text().replace(PRIMARY, PRIMARY + "  delay_metric: playout_gaps\n"))
    definition = read(file, CLIPS, KINDS)
    assert plan_of(definition).delay_metric == "playout_gaps"
    frozen = FrozenDocument.of(definition, {}, 0).analysis
    assert frozen["analysis.delay_metric"] == "playout_gaps"


def test_a_metric_that_the_kind_does_not_have_is_refused(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, CCR, PRIMARY, PRIMARY + "  delay_metric: echo_p99_ms\n")
    assert "no metric of delay is called `echo_p99_ms`" in fault
    assert "playout_gaps" in fault


def test_a_plan_without_a_metric_of_delay_is_what_it_was() -> None:
    definition = read(CCR, CLIPS, KINDS)
    assert plan_of(definition).delay_metric is None
    assert "analysis.delay_metric" not in FrozenDocument.of(definition, {}, 0).analysis
