"""What a simulation assumes, in words.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Collection, Iterator

from thinlab.analysis.simulated.power import Assumed
from thinlab.analysis.simulated.scales import SIMULATED, Effects


def assumptions(assumed: Assumed, scales: Collection[str]) -> Iterator[str]:
    """A line on each; scales in the order of `SIMULATED`."""
    for scale, its in SIMULATED.items():
        if scale in scales:
            effects = assumed.of(scale)
            unit = its.differ_in
            yield (
                f"{scale}: participants differ by {effects.listeners:g}{unit} (standard "
                f"deviation; --participants-differ {assumed.participants:g}), recordings by "
                f"{effects.recordings:g}{unit} (--recordings-differ {assumed.recordings:g})"
            )
            yield f"{scale}: {_besides(scale, effects)}"
            if effects.indifference:
                yield f"{scale}, in controls that pairs are compared with: {_in_controls(effects)}"
    yield f"{100 * assumed.excluded:g} % of participants are excluded (--excluded), by chance"
    yield "everybody answers everything, and no run of a pair is twice the same bytes"


def _besides(scale: str, effects: Effects) -> str:
    if scale == "abx":
        return "whoever hears no difference guesses, and nobody is worse than chance"
    answers = f"single answers differ by {effects.noise:g} points besides"
    if scale == "preference":
        return (
            f"the first presented is preferred by {effects.order:g} in log odds, and the log "
            f"weight of “no difference”, where it may be said, is {effects.tie:g}"
        )
    if scale == "ccr":
        return f"{answers}, and the second presented is given {effects.order:g} points"
    return (
        f"{answers}, participants by {effects.tastes:g} in what a condition is to them, clips by "
        f"{effects.clips:g}"
    )


def _in_controls(effects: Effects) -> str:
    return (
        f"“no difference” has {effects.indifference:g} of log weight (CCR: is told of within "
        f"{effects.indifference:g} points), which differs by {effects.noticing:g} between "
        "participants, and as much between recordings of pairs"
    )
