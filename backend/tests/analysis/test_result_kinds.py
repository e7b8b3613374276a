"""Whatever kinds the registry names are in the results, and of no votes they tell nothing."""

import pytest

from thinlab.analysis.registry import RESULT_KINDS, StudyResults, figures
from thinlab.analysis.study import analyse
from thinlab.analysis.votes import AnalysedBlock, AnalysisPlan
from thinlab.study.scale import ScaleKind


def test_the_results_have_each_field_of_each_kind_once() -> None:
    fields = [name for kind in RESULT_KINDS for name in kind.part.model_fields]
    assert len(fields) == len(set(fields))
    for kind in RESULT_KINDS:
        assert issubclass(StudyResults, kind.part), f"{kind.name} is not in `StudyResults`"
        assert kind.part.model_fields.keys() <= StudyResults.model_fields.keys()


def test_a_kind_is_called_as_its_folder() -> None:
    for kind in RESULT_KINDS:
        assert type(kind).__module__ == f"thinlab.analysis.{kind.name}.kind"


@pytest.mark.parametrize("scale", ["preference", "ccr", "acr"])
def test_of_no_votes_nothing_is_told(scale: ScaleKind) -> None:
    plan = AnalysisPlan((AnalysedBlock("main", scale, trials=("one", "two")),))
    results = analyse(plan, [])
    assert results.sentences == []
    assert {figure.finding for figure in figures(results)} == {"study"}
    for kind in RESULT_KINDS:
        nothing = kind.part()
        assert list(kind.sentences(nothing)) == []
        assert list(kind.figures(nothing)) == []
