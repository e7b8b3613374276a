"""Simulation: how many scripts are told from hands by their rhythm, and how many hands are not.

Each simulated participant types some sessions of made-up words. Scripts and hands are those of the
bots (`thinlab.trials.typing.bot.rhythm`), and hands also those of the model of SSH, whose gaps are
of a session that was captured (`thinlab/experiment/models/ssh.yaml`). The judge is the one of the
studies (`thinlab.monitoring.rhythm`), which knows none of them. Keys of all are down as long as
people's, so that nothing but the pauses gives a script away.

Seeds are drawn anew unless one is given, and printed.
"""

import argparse
import random
import secrets
import string
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType

import yaml

from thinlab.monitoring.rhythm import Rhythm as Told
from thinlab.monitoring.rhythm import Verdict, gaps_ms, rhythm_of, verdict_of
from thinlab.trials.typing.bot.rhythm import IN_DISGUISE, SCRIPTS, Rhythm, Script, human

FLAGGED_AT_LEAST = 0.95
MISTAKEN_AT_MOST = 0.02


@dataclass
class Key:
    """One press."""

    at_us: int
    released_at_us: int | None
    data: str
    kind: str = "character"
    repeat: bool = False


def _ssh(_: random.Random) -> Rhythm:
    model = yaml.safe_load(
        resources.files("thinlab.experiment").joinpath("models/ssh.yaml").read_text()
    )
    rows = model["stream"]["drawn"]["gap_ms"]["empirical"]
    weights = [row[0] for row in rows]

    def pauses_s(own: random.Random) -> Iterator[float]:
        while True:
            _, *ends_ms = own.choices(rows, weights)[0]
            yield own.uniform(ends_ms[0], ends_ms[-1]) / 1000

    return Rhythm(pauses_s, human.dwell_s)


HANDS: Mapping[str, Script] = MappingProxyType(
    {"the bots' hands": lambda _: human, "the model of SSH": _ssh}
)


def judged(script: Script, chance: random.Random, sessions: int, keys: int) -> Verdict:
    """What is said of one participant."""
    rhythm = script(chance)
    text = "".join(chance.choices(string.ascii_lowercase + "  ", k=keys))
    told: list[Told] = []
    earlier: list[list[float]] = []
    for _ in range(sessions):
        pressed = list(_typed(rhythm, text, chance))
        found = rhythm_of(pressed, earlier)
        told += [found] if found else []
        earlier.append(gaps_ms(key.at_us for key in pressed))
    return verdict_of(told)


def _typed(rhythm: Rhythm, text: str, chance: random.Random) -> Iterator[Key]:
    at_s = 0.0
    for sign, pause_s in zip(text, rhythm.pauses_s(chance), strict=False):
        at_s += pause_s
        # As fine as most browsers' clocks.
        at_us, up_us = (round(one * 1e4) * 100 for one in (at_s, at_s + rhythm.dwell_s(chance)))
        yield Key(at_us, up_us, sign)


def rate(
    script: Script, seed: int, participants: int, sessions: int, keys: int
) -> tuple[float, Counter[str]]:
    """The share that is taken for scripts, and by which signs."""
    flagged, signs = 0, Counter[str]()
    for number in range(participants):
        chance = random.Random(f"{seed} {number}")  # noqa: S311 (reproducible, not secret)
        verdict = judged(script, chance, sessions, keys)
        flagged += bool(verdict.signs)
        signs.update(sign.value for sign in verdict.signs)
    return flagged / participants, signs


def main() -> int:
    """Prints a line for each kind; 0 if both rates are within the bounds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--participants", type=int, default=300, help="of each kind")
    parser.add_argument("--sessions", type=int, default=6, help="that each of them types")
    parser.add_argument("--keys", type=int, default=100, help="of each session")
    parser.add_argument("--seed", type=int, help="drawn anew if it is not given")
    asked = parser.parse_args()
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    print(
        f"seed {seed}; {asked.participants} participants of each kind, "
        f"{asked.sessions} sessions of {asked.keys} keys each\n"
    )

    def shares(kinds: Mapping[str, Script], title: str) -> list[float]:
        print(f"{title:44}  flagged  signs")
        found = []
        for name, script in kinds.items():
            share, signs = rate(script, seed, asked.participants, asked.sessions, asked.keys)
            told = ", ".join(f"{sign} {count}" for sign, count in signs.most_common())
            print(f"  {name:42}  {100 * share:5.1f} %  {told}")
            found.append(share)
        return found

    scripts = shares(SCRIPTS, "scripts")
    hands = shares(HANDS, "hands")
    shares(IN_DISGUISE, "scripts that know what hands are like")
    flagged, mistaken = sum(scripts) / len(scripts), sum(hands) / len(hands)
    fine = flagged >= FLAGGED_AT_LEAST and mistaken <= MISTAKEN_AT_MOST
    print(
        f"\nscripts flagged: {100 * flagged:.1f} % (at least {100 * FLAGGED_AT_LEAST:g} % wanted)\n"
        f"hands mistaken: {100 * mistaken:.1f} % (at most {100 * MISTAKEN_AT_MOST:g} % wanted)"
    )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
