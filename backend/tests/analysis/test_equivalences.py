"""Where a difference just matters, that none matters is found as seldom as is stated."""

from tests.study.study_files import CLIPS, SURVEY
from thinlab.analysis.simulated.equivalences import equivalence_rates
from thinlab.study.file import read
from thinlab.trials.registry import KINDS


def test_equivalence_is_declared_at_its_nominal_rate_at_the_edge() -> None:
    study = read(SURVEY / "p800-ccr.yaml", CLIPS, KINDS)
    found = {rate.finding: rate for rate in equivalence_rates(study, 300, seed=1)}
    pooled, single = found["CMOS, comparison"], found["CMOS, one trial"]
    assert (pooled.tests, pooled.recordings, pooled.is_narrow) == (600, 12, True)
    # 600 tests at 5 % lie within 2.7 and 7.7 % but for one time in a hundred.
    assert 0.027 <= pooled.found / pooled.tests <= 0.077
    # Three recordings leave the other end in doubt: found less often, and never more.
    assert not single.is_narrow
    assert single.found / single.tests <= 0.065
