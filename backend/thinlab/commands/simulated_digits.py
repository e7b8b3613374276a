"""`thinlab study digits`: whom a threshold of the test by digits in noise lets pass.

SPDX-License-Identifier: Apache-2.0
"""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from thinlab.analysis.simulated.digits import Hearing
    from thinlab.study.hearing.digits import DigitsTest

# By published material, and by digits that nobody has levelled; and by people who slip.
SLOPES_PER_DB = (0.20, 0.12)
LAPSE_SHARES = (0.0, 0.05)
AWAY_DB = (-4, -3, -2, -1, 0, 1, 2, 3, 4)
# What a screening has to tell apart, and may be off by.
CLEAR_DB = 3
CLEARLY_TOLD_SHARE = 0.95
BIAS_DB = 0.6
RETEST_DB = 2.0
GUESSED_SHARE = 0.001

Threshold = Annotated[float, typer.Option(help="`srt_db_at_most` of the study, in dB.")]
Triplets = Annotated[int, typer.Option(min=8, max=40, help="In one try.")]
Tries = Annotated[int, typer.Option(min=1, max=5, help="How often the test can be taken.")]
People = Annotated[int, typer.Option(min=100, help="Simulated listeners of each kind.")]


def digits(srt_db: float, triplets: int, tries: int, people: int, seed: int) -> bool:
    """Prints a table for each kind of listeners; whether the rule tells apart what it should."""
    from thinlab.analysis.simulated.digits import Hearing
    from thinlab.study.hearing.digits import DigitsTest

    test = DigitsTest(
        test="digits", language="en", srt_db_at_most=srt_db, triplets=triplets, tries=tries
    )
    away = "  ".join(f"{above:+4d}" for above in AWAY_DB)
    typer.echo(
        f"Pass at a threshold of at most {srt_db:g} dB, in one of {tries} tries of {triplets} "
        f"triplets: % of listeners whose true\nthreshold is so many dB above it. Bias, error and "
        "test-retest: of one try, standard deviations in dB.\n"
        f"{'slope/dB':>8}  {'lapses':>6}  {away}  {'bias':>5}  {'error':>5}  {'retest':>6}"
    )
    fine = True
    for slope in SLOPES_PER_DB:
        for lapses in LAPSE_SHARES:
            fine = _line(test, Hearing(slope, lapses), people, seed) and fine
    guessed = test.guessed_share
    typer.echo(f"Of those who only guess, {100 * guessed:.2g} % pass (computed, not simulated).")
    return fine and guessed <= GUESSED_SHARE


def _line(test: "DigitsTest", hearing: "Hearing", people: int, seed: int) -> bool:
    from thinlab.analysis.simulated.digits import passing, precision

    shares = passing(test, hearing, AWAY_DB, people, seed)
    by_away = dict(zip(AWAY_DB, shares, strict=True))
    one = precision(test, hearing, test.srt_db_at_most, people, seed)
    told = by_away[-CLEAR_DB] >= CLEARLY_TOLD_SHARE and by_away[CLEAR_DB] <= 1 - CLEARLY_TOLD_SHARE
    fine = told and abs(one.bias_db) <= BIAS_DB and one.retest_db <= RETEST_DB
    cells = "  ".join(f"{100 * share:4.0f}" for share in shares)
    typer.echo(
        f"{hearing.slope_per_db:8.0%}  {hearing.lapse_share:6.0%}  {cells}  {one.bias_db:+5.2f}  "
        f"{one.error_db:5.2f}  {one.retest_db:6.2f}{'' if fine else '  not told apart'}"
    )
    return fine
