"""Recordings as a sample: against textbook forms, and by simulation of studies without effect."""

import numpy as np
import pytest
from scipy import stats

from tests.analysis.simulated import vote
from thinlab.analysis.crossed import Groups, Spread, combined, uncertainty
from thinlab.analysis.linear import least_squares
from thinlab.analysis.proportion import proportion
from thinlab.analysis.study import analyse
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, AnalysisPlan


def test_one_vote_each_is_students_test_of_the_recordings_means() -> None:
    chance = np.random.default_rng(1)
    recording = np.repeat(np.arange(5), 8)
    scores = chance.normal(size=5)[recording] + chance.normal(size=40)
    (found,) = least_squares(np.ones((40, 1)), scores, np.arange(40), recording, 0.95) or ()
    means = scores.reshape(5, 8).mean(axis=1)
    ends = stats.t.interval(0.95, 4, means.mean(), stats.sem(means))
    assert (found.low, found.high) == pytest.approx(ends)
    assert found.p_value == pytest.approx(stats.ttest_1samp(means, 0).pvalue)
    assert found.told.scope == "other_losses"
    # Of these recordings alone, everybody counts.
    assert found.told.these is not None
    assert found.told.these.low == pytest.approx(
        stats.t.interval(0.95, 39, scores.mean(), stats.sem(scores))[0]
    )


def test_crossed_factors_have_the_variance_of_an_analysis_of_variance() -> None:
    # Every listener hears every recording once: V = (MS_people + MS_recordings − MS_rest) / n.
    chance = np.random.default_rng(2)
    people, recordings = 30, 12
    table = (
        0.8 * chance.normal(size=(people, 1))
        + 0.6 * chance.normal(size=(1, recordings))
        + chance.normal(size=(people, recordings))
    )
    of_people = table.mean(axis=1) - table.mean()
    of_recordings = table.mean(axis=0) - table.mean()
    rest = table - table.mean() - of_people[:, None] - of_recordings
    squares = (
        recordings * np.sum(of_people**2) / (people - 1)
        + people * np.sum(of_recordings**2) / (recordings - 1)
        - np.sum(rest**2) / ((people - 1) * (recordings - 1))
    )
    person, recording = (index.ravel() for index in np.indices(table.shape))
    residuals = np.array(table - table.mean()).ravel()
    groups = Groups.of(person, recording, np.arange(table.size), table.size)
    found = uncertainty(residuals[:, None], np.ones((table.size, 1, 1)), groups).both
    assert found is not None
    # Of either factor, a part of the order of one in its number is left in the other's square.
    assert found.variances[0] == pytest.approx(squares / table.size, rel=0.1)
    assert recordings - 1 <= found.freedoms[0] < people + recordings


def test_what_participants_add_is_no_surer_than_all_that_they_differ_by() -> None:
    # Their own part is a difference, 3 − 2, whose own square is that of 3, not of 1.
    found = combined(
        Spread(np.array([1.0, 1.0]), np.array([4.0, 4.0])),
        np.array([3.0, 1.0]),
        np.array([2.0, 2.0]),
        participants=31,
    )
    assert found.variances.tolist() == [2.0, 1.0]
    # Where they add nothing, recordings are all that is left.
    assert found.freedoms == pytest.approx([2.0**2 / (1 / 4 + 3.0**2 / 30), 4.0])


def test_recordings_heard_by_more_people_weigh_no_more_than_their_effect_allows() -> None:
    # Of one condition there are 4 recordings with 60 votes each, of the other 12 with 20 each.
    # All that varies is the recordings: the difference has σ² (1/4 + 1/12), as of Welch's test.
    chance = np.random.default_rng(5)
    recording = np.concatenate([np.repeat(np.arange(4), 60), np.repeat(np.arange(4, 16), 20)])
    x = np.column_stack([np.ones(480), recording >= 4])
    variances = []
    freedoms = []
    for _ in range(400):
        effects = chance.normal(size=16)[recording]
        values = np.linalg.lstsq(x, effects, rcond=None)[0]
        residuals = effects - x @ values
        groups = Groups.of(np.arange(480), recording, np.arange(480), 480)
        both = uncertainty(residuals[:, None] * x, x[:, :, None] * x[:, None, :], groups).both
        assert both is not None
        variances.append(both.variances[1])
        freedoms.append(both.freedoms[1])
    # 400 times about χ² with 5.7 degrees of freedom: three standard errors are 9 %.
    assert np.mean(variances) == pytest.approx(1 / 4 + 1 / 12, rel=0.1)
    # Squares of 3 free effects weigh 1/4², those of 11 others 1/12².
    expected = (3 / 16 + 11 / 144) ** 2 / (3 / 16**2 + 11 / 144**2)
    assert freedoms[0] == pytest.approx(expected)


def test_levels_of_participants_take_a_part_of_recordings_effects() -> None:
    # Two conditions with four recordings each; everybody hears one of either, of one clip. Were the
    # levels not counted in, the variance would be told as a third of what it is.
    chance = np.random.default_rng(6)
    people = 24
    recording = np.array([[chance.integers(4), 4 + chance.integers(4)] for _ in range(people)])
    recording, person = recording.ravel(), np.repeat(np.arange(people), 2)
    x = np.column_stack([recording >= 4, np.ones(len(recording))]).astype(np.float64)
    columns = np.column_stack([x[:, 0], np.eye(people)[person]])
    errors, found = [], []
    for _ in range(400):
        # All that varies is the recordings, and how kindly people rate.
        scores = chance.normal(size=8)[recording] + 5 * chance.normal(size=people)[person]
        difference, _ = least_squares(x, scores, person, recording, 0.95, levels=True) or ()
        # The fit is that where each participant has a column.
        value = np.linalg.lstsq(columns, scores, rcond=None)[0][0]
        assert difference.value == pytest.approx(value)
        assert difference.told.student is not None
        errors.append(difference.value)
        found.append(difference.told.student.error**2)
    # Three standard errors of the variance of 400 values are 21 %.
    assert np.mean(found) == pytest.approx(np.var(errors), rel=0.21)


@pytest.mark.parametrize("recordings", [1, 2])
def test_with_few_recordings_a_finding_is_about_these(recordings: int) -> None:
    scores = np.random.default_rng(3).normal(size=20)
    heard = np.arange(20) % recordings
    (found,) = least_squares(np.ones((20, 1)), scores, np.arange(20), heard, 0.95) or ()
    assert (found.told.scope, found.told.these) == ("these_recordings", None)
    assert found.p_value == pytest.approx(stats.ttest_1samp(scores, 0).pvalue)


def test_a_share_that_is_the_same_in_all_recordings_is_no_certainty() -> None:
    people = [f"p{n}" for n in range(48)]
    heard = [str(n % 3) for n in range(48)]
    found = proportion([n % 48 < 27 for n in range(48)], people, 0.95, recordings=heard)
    assert found is not None
    assert found.scope == "other_losses"
    assert 0.45 < found.low < 9 / 16 < found.high < 0.68
    # That all agree says nothing of how recordings differ.
    agreed = proportion([True] * 48, people, 0.95, recordings=heard)
    assert agreed is not None
    assert (agreed.scope, agreed.these) == ("these_recordings", None)


def test_without_recordings_nothing_is_claimed_of_others() -> None:
    people = [f"p{n}" for n in range(48)]
    found = proportion([n % 3 == 0 for n in range(48)], people, 0.95)
    assert found is not None
    assert found.scope == "these_recordings"


def votes_on_runs(b_of_16: dict[int, int], identical: frozenset[int]) -> list[AnalysedVote]:
    """16 listeners a run, of whom so many take b; half of them had b first."""
    votes = []
    for run, b_votes in b_of_16.items():
        for n in range(16):
            b_first = n % 2 == 0
            for_b = n < b_votes
            votes.append(
                vote(
                    f"p{run}-{n}",
                    "t0",
                    "first" if for_b == b_first else "second",
                    first="b" if b_first else "a",
                    run=run,
                    kind="control" if run in identical else "pair",
                    identical=run in identical,
                )
            )
    return votes


PLAN = AnalysisPlan(blocks=(AnalysedBlock("main", "preference"),))


def test_a_finding_says_what_it_generalises_to_and_runs_are_told() -> None:
    votes = votes_on_runs({0: 11, 1: 12, 2: 14}, frozenset())
    (trial,) = analyse(PLAN, votes).trials
    assert trial.share is not None
    assert (trial.share.scope, trial.share.recordings) == ("other_losses", 3)
    assert "; generalises to other listeners and other losses of the same path)" in (
        trial.share.sentence
    )
    assert trial.share.these is not None
    assert trial.share.these.p_value == pytest.approx(stats.binomtest(37, 48).pvalue)
    assert [(one.run, one.votes) for one in trial.runs] == [(0, 16), (1, 16), (2, 16)]
    assert [one.estimate and one.estimate.value for one in trial.runs] == [
        pytest.approx(share) for share in (11 / 16, 12 / 16, 14 / 16)
    ]
    (one_run,) = analyse(PLAN, [vote for vote in votes if vote.run == 0]).trials
    assert one_run.share is not None
    assert one_run.share.scope == "these_recordings"
    assert "; generalises to other listeners who hear these recordings)" in one_run.share.sentence
    assert one_run.runs == []


def test_pairs_of_the_same_bytes_are_controls_and_said_to_be() -> None:
    results = analyse(PLAN, votes_on_runs({0: 11, 1: 12, 2: 8}, frozenset({2})))
    (trial,), (control,), (same,) = results.trials, results.controls, results.identical
    assert trial.participants == 32
    assert [(one.run, one.identical) for one in trial.runs] == [(0, False), (1, False), (2, True)]
    assert control.votes == 16
    assert (same.trial_id, same.runs, same.votes) == ("t0", [2], 16)
    assert same.sentence == (
        "t0: in run 3, plain and modified came out as the same bytes; 16 votes on them are "
        "analysed as controls."
    )
    assert same.sentence in results.sentences


def test_scores_are_compared_as_declared() -> None:
    chance = np.random.default_rng(4)
    votes = [
        vote(
            f"p{n}",
            f"{clip}-{condition}",
            int(np.clip(round(chance.normal(3 + better, 0.8)), 1, 5)),
            conditions=(condition,),
            kind="single",
            clip=clip,
            run=n % 3,
        )
        for n in range(36)
        for clip in ("speech", "song")
        for condition, better in (("plain", 0.0), ("modified", 1.0), ("ruined", -1.0))
    ]
    declared = frozenset({"speech-plain", "speech-modified"})
    plan = AnalysisPlan((AnalysedBlock("main", "acr"),), primary=declared, correction="holm")
    results = analyse(plan, votes)
    decisive, *others = results.differences
    assert (decisive.condition_a, decisive.condition_b) == ("plain", "modified")
    assert [one.primary for one in results.differences] == [True, False, False]
    # Over the primary trials alone; the others over all.
    assert (decisive.difference.votes, others[0].difference.votes) == (72, 144)
    assert decisive.difference.p_adjusted == decisive.difference.p_value
    assert results.sentences[0] == decisive.difference.sentence
    assert "after Holm's correction for 1 primary test" in results.sentences[0]
    per_clip = [one for one in results.conditions if one.clip is not None]
    assert {len(one.runs) for one in per_clip} == {3}
