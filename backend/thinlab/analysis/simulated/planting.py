"""Which effects are planted in which trials, for hypotheses to be true as they are declared.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from thinlab.analysis.simulated.answers import Planted
from thinlab.analysis.simulated.declared import Declared
from thinlab.analysis.simulated.planted import NO_EFFECT, noticed, planted
from thinlab.analysis.simulated.power import Assumed, EffectError
from thinlab.analysis.simulated.presented import PresentedBlock
from thinlab.analysis.simulated.scales import Effects

# Shifts that are one: solved for in nine places.
ALIKE = 1e-6


class Planting:
    """Who claims a trial first has its own effect in it; `placed` are those that have theirs."""

    def __init__(
        self, order: Sequence[Declared], effects: Mapping[str, float], assumed: Assumed
    ) -> None:
        self.placed: list[Declared] = []
        self._shifts: dict[str, float] = {}
        self._noticed: dict[str, float] = {}
        self._alike = frozenset(
            name
            for one in order
            for name in one.trials
            if not any(other.generalises for other in order if name in other.trials)
        )
        # How much is noticed hangs on how much is preferred.
        for one in sorted(order, key=lambda one: one.unit == "difference_of_shares"):
            assumption = assumed.of(one.scale)
            if not one.generalises:
                assumption = replace(assumption, recordings=0.0)
            if one.unit == "difference_of_shares":
                self._place(one, self._noticed, self._of_noticed(one, effects, assumption))
            else:
                self._place(one, self._shifts, _of_preferred(one, effects, assumption))

    def of(self, block: PresentedBlock) -> Planted:
        """What is so in a block."""
        names = {trial.id for trial in block.trials}
        return Planted(
            {name: shift for name, shift in self._shifts.items() if name in names},
            {name: less for name, less in self._noticed.items() if name in names},
            self._alike & names,
        )

    def _place(self, one: Declared, there: dict[str, float], wanted: Mapping[str, float]) -> None:
        if all(abs(there.get(name, shift) - shift) < ALIKE for name, shift in wanted.items()):
            self.placed.append(one)
        for name, shift in wanted.items():
            there.setdefault(name, shift)

    def _of_noticed(
        self, one: Declared, effects: Mapping[str, float], assumption: Effects
    ) -> Mapping[str, float]:
        effect = effects[one.one.id]
        found = {}
        for name in one.trials:
            less = noticed(effect, self._shifts.get(name, 0.0), one.scale, assumption)
            if less is None:
                raise _impossible(one, effect)
            found[name] = less
        return found


def _of_preferred(
    one: Declared, effects: Mapping[str, float], assumption: Effects
) -> Mapping[str, float]:
    effect = effects[one.one.id]
    shift = planted(NO_EFFECT[one.scale] + effect, one.scale, assumption, ties=one.ties)
    if shift is None or one.conditions is None:
        raise _impossible(one, effect)
    if one.scale == "abx":
        # Whichever of the two is the second, more is more often right.
        return dict.fromkeys(one.trials, shift)
    _, b = one.conditions
    if one.unit == "mos":
        shift /= 2
    return {
        name: one.sign * (shift if own[-1] == b else -shift)
        for name, own in zip(one.trials, one.members, strict=True)
    }


def _impossible(one: Declared, effect: float) -> EffectError:
    return EffectError(
        f"votes of {one.one.id} cannot show an effect of {effect:g}: name a smaller one"
    )
