"""Uncertainty of estimates from votes that repeat by participant and by recording.

Participants are a sample of people, and recordings are a sample of what a path does to a clip:
a finding is about either as far as both are taken for samples (Judd, Westfall, Kenny: Treating
stimuli as a random factor in social psychology. J Personality and Social Psychology 103, 2012).
So the variance of an estimate has a part of either,

    V = V_recordings + max(0, V_participants − V_votes)

which is the two-way form of the cluster-robust sandwich (Cameron, Gelbach, Miller: Robust inference
with multiway clustering. J Business & Economic Statistics 29, 2011). Those of participants and of
single votes are the jackknife's, in one step from the full estimate (MacKinnon, Nielsen, Webb:
Jackknife inference with two-way clustering. arXiv 2406.08880, 2024); of recordings there are few,
and theirs is freed of its bias (`_few_groups`). The difference is what participants add to the
noise of single votes, and no variance is below nought. Where everybody votes once it is nought,
and what is left is Student's test of the recordings' means. Student's t has Satterthwaite's
degrees of freedom (Biometrics Bulletin 2, 1946), and never fewer than those of the smaller part.

With few recordings there is no telling how much recordings differ. Then only participants are
taken for a sample, and the finding says so: it is about these recordings.

For a linear model the one step is exact. With few participants it errs towards wide intervals,
where the plain sandwich (CR0) is too narrow.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from thinlab.analysis.votes import Scope

Array = NDArray[np.float64]
Names = Sequence[str] | NDArray[np.intp]
"""Of votes: who cast them, or on what."""
Counts = sparse.csr_array
"""Of votes: a row a group, a column a cell."""

FEWEST_PARTICIPANTS = 3
# Two tell that recordings differ, not by how much: Student's t at one degree of freedom is 12.7.
FEWEST_RECORDINGS = 3
# Below this share of a direction's information left, what was left out was all of it.
LEAST_INFORMATION_LEFT = 1e-8
# What rounding leaves of a variance of nought, for estimates of about 1.
LEAST_VARIANCE = 1e-18


@dataclass(frozen=True)
class Bounds:
    """An interval and the test of one value, both on the same scale."""

    low: float
    high: float
    p_value: float


@dataclass(frozen=True)
class Student:
    """An estimate with its standard error: what is asked of it beyond one interval."""

    value: float
    error: float
    freedom: float

    def ends(self, confidence: float) -> tuple[float, float]:
        """Student's interval."""
        reach = float(special.stdtrit(self.freedom, 0.5 + confidence / 2)) * self.error
        return self.value - reach, self.value + reach

    def p_above(self, bound: float) -> float:
        """One-sided, of "not above the bound".

        >>> round(Student(1.0, 0.5, 1e9).p_above(0.0), 4)
        0.0228
        """
        return float(special.stdtr(self.freedom, (bound - self.value) / self.error))

    def p_below(self, bound: float) -> float:
        """One-sided, of "not below the bound"."""
        return float(special.stdtr(self.freedom, (self.value - bound) / self.error))


@dataclass(frozen=True)
class Told:
    """What is told of an estimate's uncertainty."""

    bounds: Bounds | None
    """None where nobody differs from anybody: that is no proof that nobody ever would."""
    scope: Scope
    these: Bounds | None = None
    """Of these recordings alone, where `bounds` are about others too."""
    student: Student | None = None
    """What `bounds` were made of; none where they are not Student's."""


NOTHING = Told(None, "these_recordings")


@dataclass(frozen=True)
class Coefficient:
    """An estimate and its uncertainty."""

    value: float
    told: Told

    @property
    def low(self) -> float | None:
        """The interval's lower end."""
        return self.told.bounds.low if self.told.bounds else None

    @property
    def high(self) -> float | None:
        """The interval's upper end."""
        return self.told.bounds.high if self.told.bounds else None

    @property
    def p_value(self) -> float | None:
        """Two-sided, of 0."""
        return self.told.bounds.p_value if self.told.bounds else None


@dataclass(frozen=True)
class Spread:
    """Variances of estimates, and the degrees of freedom of their intervals."""

    variances: Array
    freedoms: Array

    def bounds(self, value: float, index: int, confidence: float) -> Bounds | None:
        """Student's interval, and the two-sided p-value of 0; none without any variance."""
        student = self.student(value, index)
        if student is None:
            return None
        p_value = 2 * min(student.p_above(0.0), student.p_below(0.0))
        return Bounds(*student.ends(confidence), p_value)

    def student(self, value: float, index: int) -> Student | None:
        """None without any variance."""
        if self.variances[index] < LEAST_VARIANCE:
            return None
        return Student(value, float(np.sqrt(self.variances[index])), float(self.freedoms[index]))


@dataclass(frozen=True)
class Uncertainty:
    """Of an M-estimate: with participants as the only sample, and with recordings as well."""

    participants: Spread | None
    both: Spread | None

    def told(self, value: float, index: int, confidence: float) -> Told:
        """About as much as the votes allow."""
        these, both = (
            one.bounds(value, index, confidence) if one else None
            for one in (self.participants, self.both)
        )
        if both is not None and self.both is not None:
            return Told(both, "other_losses", these, self.both.student(value, index))
        student = self.participants.student(value, index) if self.participants else None
        return Told(these, "these_recordings", student=student)


@dataclass(frozen=True)
class Groups:
    """How many votes there are in each cell: a row a participant, or a recording, or a meeting.

    A cell is what votes have in common that a model cannot tell apart. Mostly there are few of them
    however many votes there are, and so all else is worked out for cells, not for votes. Where each
    vote is a cell, nearly all counts are nought, and none of those takes any room.
    """

    participants: Counts
    recordings: Counts
    meetings: Counts | None
    """Of one participant with one recording; none where each is one vote."""

    @classmethod
    def of(
        cls,
        participants: Names,
        recordings: Names,
        cells: NDArray[np.intp],
        total: int,
    ) -> "Groups":
        """`cells`: of each vote, its number below `total`.

        >>> groups = Groups.of(["x", "y", "x"], ["r", "r", "s"], np.array([0, 1, 0]), 2)
        >>> groups.participants.toarray().tolist(), groups.recordings.toarray().tolist()
        ([[2.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [1.0, 0.0]])
        """
        people, heard = numbered(participants), numbered(recordings)
        met = numbered(people * (int(heard.max(initial=0)) + 1) + heard)
        once = int(met.max(initial=-1)) + 1 == len(met)
        return cls(
            _counts(people, cells, total),
            _counts(heard, cells, total),
            None if once else _counts(met, cells, total),
        )


def numbered(names: Names) -> NDArray[np.intp]:
    """Names as numbers, 0 … .

    >>> numbered(["b", "a", "b"]).tolist()
    [1, 0, 1]
    """
    return np.unique(np.asarray(names), return_inverse=True)[1].astype(np.intp)


def _counts(groups: NDArray[np.intp], cells: NDArray[np.intp], total: int) -> Counts:
    shape = (int(groups.max(initial=-1)) + 1, total)
    return sparse.csr_array((np.ones(len(cells)), (groups, cells)), shape=shape)


def uncertainty(
    scores: Array, information: Array, groups: Groups, effects: Array | None = None
) -> Uncertainty:
    """Of an M-estimate with these derivatives.

    `scores`: of one vote of each cell, the derivative of its log-likelihood (least squares:
    residual × x). `information`: minus the second derivative (least squares: x xᵀ). `effects`: as
    `FewGroups.levelled` has them, where each participant has a level.
    """
    people, heard = groups.participants.shape[0], groups.recordings.shape[0]
    of_people = _left_out(scores, information, groups.participants)
    if of_people is None or people < FEWEST_PARTICIPANTS:
        return Uncertainty(None, None)
    alone = Spread(of_people, np.full(len(of_people), people - 1.0))
    of_recordings = (
        _few_groups(scores, information, groups.recordings, effects)
        if heard >= FEWEST_RECORDINGS
        else None
    )
    if of_recordings is None:
        return Uncertainty(alone, None)
    of_votes = _of_votes(scores, information, groups, of_people)
    both = combined(of_recordings, of_people, of_votes, participants=people)
    return Uncertainty(alone, both)


def _of_votes(scores: Array, information: Array, groups: Groups, of_people: Array) -> Array:
    """As of participants, were each of their votes somebody else's."""
    if groups.meetings is not None:
        found = _left_out(scores, information, groups.meetings)
    else:
        votes = np.asarray(groups.participants.sum(axis=0), dtype=np.float64)
        if int(votes.sum()) == groups.participants.shape[0]:
            return of_people
        # Votes of one cell change the estimate alike.
        cast = np.flatnonzero(votes)
        one_each = sparse.eye_array(len(votes), format="csr")[cast]
        found = _left_out(scores, information, one_each, votes[cast])
    # Never none: what is determined without a participant is so without one vote of theirs.
    return of_people if found is None else found


def combined(
    of_recordings: Spread, of_participants: Array, of_votes: Array, *, participants: int
) -> Spread:
    """The two parts of a variance as one, with Satterthwaite's degrees of freedom.

    What participants add is a difference, and as uncertain as all that they differ by: counted by
    itself it would pass for much surer than it is, and looks at few people would find too much.
    """
    own = np.maximum(of_participants - of_votes, 0.0)
    variances = of_recordings.variances + own
    sampled = np.where(own > 0, of_participants, 0.0)
    parts = of_recordings.variances**2 / of_recordings.freedoms + sampled**2 / (participants - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        freedoms = variances**2 / parts
    fewest = np.minimum(of_recordings.freedoms, participants - 1)
    return Spread(variances, np.fmax(freedoms, fewest))


@dataclass(frozen=True)
class FewGroups:
    """What of the variance over few groups hangs on who voted on what, and on no vote.

    It is made right on average, and given so many degrees of freedom, as it would have if groups
    differed by an effect of their own each: Bell, McCaffrey: Bias reduction in standard errors for
    linear regression with multi-stage samples. Survey Methodology 28 (2002).
    """

    inverse: Array
    """Of the information of all votes."""
    correction: Array
    """Of each estimate: by so much the plain sandwich is too small on average."""
    freedoms: Array

    @classmethod
    def of(cls, own: Array, sizes: Array) -> "FewGroups | None":
        """`own`: each group's information. None where the estimate hangs on one group."""
        total = own.sum(axis=0)
        if not still_determined(total, total - own):
            return None
        inverse = np.linalg.inv(total)
        # An effect that is a group's own moves all of its votes: its scores have this covariance.
        effect = sizes[:, None, None] * own
        true = np.einsum("pq,qr,rp->p", inverse, effect.sum(axis=0), inverse)
        # Of each estimate, the covariance of any two groups' changes once the fit has taken its
        # share.
        by_effect, by_fit = effect @ inverse, own @ inverse
        lone = np.einsum("pq,gqp->pg", inverse, by_effect)
        taken = np.einsum("gqp,hqp->pgh", by_effect, inverse @ by_fit)
        both = np.einsum("gqp,qr,hrp->pgh", by_fit, inverse @ effect.sum(axis=0) @ inverse, by_fit)
        covariance = lone[:, :, None] * np.eye(len(own)) - taken - taken.transpose(0, 2, 1) + both
        return cls._freed(inverse, true, covariance)

    @classmethod
    def levelled(cls, own: Array, effects: Array) -> "FewGroups | None":
        """Where participants' levels are taken out, and a part of groups' effects with them.

        What is left of an effect is what whoever voted on its group did not give to the others.
        `effects[g, h]`: by so much group h's own effect of 1 moves the summed scores of group g.
        """
        total = own.sum(axis=0)
        if not still_determined(total, total - own):
            return None
        inverse = np.linalg.inv(total)
        moved = effects.sum(axis=0)
        true = ((moved @ inverse) ** 2).sum(axis=0)
        fit = np.einsum("gpq,hq->ghp", own, moved @ inverse)
        changes = (effects - fit) @ inverse
        return cls._freed(inverse, true, np.einsum("ghp,ihp->pgi", changes, changes))

    @classmethod
    def _freed(cls, inverse: Array, true: Array, covariance: Array) -> "FewGroups":
        """`covariance`: of each estimate, of any two groups' changes."""
        expected = np.einsum("pgg->p", covariance)
        return cls(inverse, true / expected, expected**2 / (covariance**2).sum(axis=(1, 2)))


def _few_groups(
    scores: Array, information: Array, counts: Counts, effects: Array | None
) -> Spread | None:
    """The sandwich's variance over groups so few that its bias would tell."""
    own = _over(counts, information)
    few = (
        FewGroups.of(own, np.asarray(counts.sum(axis=1), np.float64))
        if effects is None
        else FewGroups.levelled(own, effects)
    )
    if few is None:
        return None
    changes = (counts @ scores) @ few.inverse
    return Spread((changes**2).sum(axis=0) * few.correction, few.freedoms)


def _left_out(
    scores: Array, information: Array, counts: Counts, times: Array | None = None
) -> Array | None:
    """The jackknife's variance of each estimate; none where it hangs on one group.

    `times`: how many groups there are of each row of `counts`; one unless given.
    """
    times = np.ones(counts.shape[0]) if times is None else times
    count = times.sum()
    own_scores = counts @ scores
    own_information = _over(counts, information)
    total = np.tensordot(times, own_information, 1)
    left = total - own_information
    if not still_determined(total, left):
        return None
    changes = np.linalg.solve(left, own_scores[:, :, None])[:, :, 0]
    variances: Array = (count - 1) / count * (times @ changes**2)
    return variances


def _over(counts: Counts, information: Array) -> Array:
    """Each group's."""
    flat = information.reshape(len(information), -1)
    found: Array = (counts @ flat).reshape(-1, *information.shape[1:])
    return found


def still_determined(total: Array, left: Array) -> bool:
    """Whether every direction keeps some information whoever is left out."""
    values, vectors = np.linalg.eigh(total)
    if values[0] <= 0:
        return False
    whiten = vectors / np.sqrt(values)
    kept = np.linalg.eigvalsh(whiten.T @ left @ whiten)
    return bool(kept.min() > LEAST_INFORMATION_LEFT)
