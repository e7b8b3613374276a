"""Answers that can be told right from wrong: gold and trapping trials, and controls.

Pure. Everything else is opinion, and no answer to it is wrong.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.study.scale import Scale
from thinlab.study.trial import ControlTrial, GoldTrial, TrappingTrial, Trial


def is_checked(trial: Trial) -> bool:
    """Whether an answer to this trial can fail."""
    return isinstance(trial, ControlTrial | GoldTrial | TrappingTrial)


def failed(
    trial: Trial, scale: Scale, first_member: str, choice: str | None, score: int | None
) -> bool | None:
    """Whether an answer fails its trial; none where no answer can.

    A control fails with a difference heard between a recording and itself;
    with forced choice there is nothing else to say, and
    the caller leaves it out. A gold pair fails with anything but the better one.
    """
    match trial:
        case TrappingTrial():
            return trial.answer != (choice if score is None else score)
        case GoldTrial(conditions=tuple() as conditions, better=str()):
            better_is_first = (conditions[0] == trial.better) == (first_member == "a")
            if score is None:
                return choice != ("first" if better_is_first else "second")
            # The score tells how the second compares to the first.
            return score >= 0 if better_is_first else score <= 0
        case GoldTrial():
            return not _within(score, trial.at_least, trial.at_most)
        case ControlTrial():
            return scale.tells_difference(choice, score)
        case _:
            return None


def _within(score: int | None, at_least: int | None, at_most: int | None) -> bool:
    return (
        score is not None
        and (at_least is None or score >= at_least)
        and (at_most is None or score <= at_most)
    )
