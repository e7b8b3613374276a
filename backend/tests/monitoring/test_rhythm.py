"""Whether hands typed: what each sign needs, and that neither scripts nor hands pass as the other.

SPDX-License-Identifier: Apache-2.0
"""

import random
from itertools import accumulate

import pytest

from tests.load.scripted_typists import HANDS, Key, judged, rate
from thinlab.monitoring.rhythm import LEAST_JUDGED, Rhythm, Sign, gaps_ms, rhythm_of, verdict_of
from thinlab.trials.typing.bot.rhythm import IN_DISGUISE, SCRIPTS

SIGN_OF = {
    "constant gap": Sign.EVEN,
    "the same recording replayed": Sign.AGAIN,
    "pasted in pieces": Sign.BURSTS,
    "exponential gaps": Sign.EXPONENTIAL,
}


def keys(gaps: list[float], dwell_ms: float | None = None) -> list[Key]:
    """Different characters, one after the other."""
    at_us = [round(1000 * at) for at in accumulate(gaps, initial=0.0)]
    up = None if dwell_ms is None else round(1000 * dwell_ms)
    return [
        Key(at, None if up is None else at + up, "ab"[number % 2])
        for number, at in enumerate(at_us)
    ]


def hands(count: int, seed: int = 1) -> list[float]:
    chance = random.Random(seed)  # noqa: S311 (reproducible, not secret)
    return [200 * chance.lognormvariate(0, 0.5) for _ in range(count)]


def signs(*sessions: list[Key]) -> tuple[Sign, ...]:
    told: list[Rhythm] = []
    earlier: list[list[float]] = []
    for one in sessions:
        found = rhythm_of(one, earlier)
        told += [found] if found else []
        earlier.append(gaps_ms(key.at_us for key in one))
    return verdict_of(told).signs


@pytest.mark.parametrize("kind", SCRIPTS)
def test_scripts_are_told(kind: str) -> None:
    share, found = rate(SCRIPTS[kind], seed=11, participants=40, sessions=4, keys=80)
    assert share >= 0.95
    if kind in SIGN_OF:
        assert found[SIGN_OF[kind]] >= 0.9 * 40


@pytest.mark.parametrize("kind", HANDS)
def test_hands_are_not_mistaken(kind: str) -> None:
    share, found = rate(HANDS[kind], seed=12, participants=100, sessions=4, keys=80)
    assert share <= 0.02, found


def test_a_script_that_knows_hands_is_not_told() -> None:
    """As documented: who flags these flags people, too."""
    for kind in ("log-normal gaps", "a person's recording, played once"):
        share, _ = rate(IN_DISGUISE[kind], seed=13, participants=40, sessions=4, keys=80)
        assert share <= 0.05, kind


def test_nobody_is_judged_by_a_few_keys() -> None:
    assert rhythm_of([]) is None
    assert rhythm_of(keys([100.0] * 19)) is None
    few = rhythm_of(keys([100.0] * (LEAST_JUDGED - 1)))
    assert few is not None
    verdict = verdict_of([few])
    assert (verdict.signs, verdict.is_judged) == ((), False)
    assert Sign.EVEN in signs(keys([100.0] * LEAST_JUDGED))
    assert verdict_of([]).signs == ()


def test_the_same_key_tapped_and_a_held_one_say_nothing() -> None:
    tapped = [Key(100_000 * n, None, "l") for n in range(300)]
    held = [Key(33_000 * n, None, "ab"[n % 2], repeat=n > 0) for n in range(300)]
    arrows = [Key(100_000 * n, None, "\x1b[C" + str(n), kind="navigation") for n in range(300)]
    assert rhythm_of(tapped) is None
    assert rhythm_of(held) is None
    assert rhythm_of(arrows) is None


def test_keys_that_are_all_down_equally_long_were_not_pressed() -> None:
    gaps = hands(300)
    assert signs(keys(gaps)) == ()
    assert signs(keys(gaps, dwell_ms=0)) == (Sign.DWELL,)
    assert signs(keys(gaps, dwell_ms=80)) == (Sign.DWELL,)


def test_a_page_that_tells_of_few_releases_is_not_judged_by_them() -> None:
    pressed = keys(hands(300))
    for key in pressed[:100]:
        key.released_at_us = key.at_us + 50_000
    assert signs(pressed) == ()


def test_one_session_that_came_again_among_many_is_no_sign() -> None:
    first, *others = [keys(hands(150, seed)) for seed in range(5)]
    assert signs(first, *others) == ()
    assert signs(first, first, *others) == ()
    assert signs(first, first, first) == (Sign.AGAIN,)


def test_clocks_that_run_backwards_or_stand_still_break_nothing() -> None:
    still = [Key(0, 0, "ab"[n % 2]) for n in range(200)]
    assert {Sign.EVEN, Sign.BURSTS} <= set(signs(still))
    back = [Key(-1000 * n, None, "ab"[n % 2]) for n in range(200)]
    assert Sign.BURSTS in signs(back)
    waits = [Key(10_000_000 * n, None, "ab"[n % 2]) for n in range(200)]
    assert rhythm_of(waits) is None


def test_a_coarse_clock_makes_no_script_of_hands() -> None:
    """Firefox that resists fingerprinting tells instants to 16⅔ ms."""
    pressed = keys(hands(600), dwell_ms=None)
    chance = random.Random(5)  # noqa: S311 (reproducible, not secret)
    for key in pressed:
        key.at_us = key.at_us * 3 // 50_000 * 50_000 // 3
        key.released_at_us = key.at_us + chance.choice([83_333, 100_000, 116_667])
    assert signs(pressed) == ()


def test_a_verdict_is_the_same_for_the_same_keys() -> None:
    one = judged(HANDS["the bots' hands"], random.Random(3), 3, 80)  # noqa: S311
    assert one == judged(HANDS["the bots' hands"], random.Random(3), 3, 80)  # noqa: S311
