"""`thinlab bots …`.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from thinlab.bots.crowd import Crowd, Plan

app = typer.Typer(
    no_args_is_help=True, help="Simulated participants; they are marked as bots and never count."
)

TypingLink = Literal["webrtc", "websocket", "any"]

EXIT_CONFIG = 78
TIMEOUT_S = 30.0


@dataclass(frozen=True)
class Planted:
    """What bots hear, beside what their habits make of it."""

    utilities: "Mapping[str, float]"
    threshold: float | None
    worth: float | None


@app.callback()
def bots() -> None:
    """Keeps `run` a word of its own."""


@app.command()
def run(  # noqa: PLR0913, PLR0917 - a command's options
    study: Annotated[str, typer.Option(help="The study's slug.")],
    password: Annotated[
        str,
        typer.Option(
            help="The researcher's.", envvar="THINLAB_PASSWORD", prompt=True, hide_input=True
        ),
    ],
    url: Annotated[str, typer.Option(help="Of the server.")] = "http://127.0.0.1:8000",
    count: Annotated[int, typer.Option(help="How many bots.", min=1, max=10_000)] = 20,
    mix: Annotated[
        str, typer.Option(help="Kinds and shares, such as honest=0.7,flaky=0.3.")
    ] = "honest=1",
    utility: Annotated[
        list[str] | None,
        typer.Option(help="How good a condition sounds, NAME=LOG_ODDS; may be repeated."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            help="Of every bot in adaptive blocks, in the quantity's unit, such as 0.02 of a loss "
            "share.",
            min=1e-9,
        ),
    ] = None,
    worth: Annotated[
        float | None,
        typer.Option(
            help="To every bot, of a unit of the plan's `weighed_against`, in units of its "
            "`delay_metric`, such as 3 ms concealed for 1 ms damaged; how each recording sounds "
            "then follows from what was measured of it.",
            min=0.0,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the bots' chance, not of the server's.")] = 1,
    at_once: Annotated[int, typer.Option(help="So many at the same time.", min=1)] = 20,
    link: Annotated[
        TypingLink, typer.Option(help="What typing goes over; any: drawn for each session.")
    ] = "webrtc",
    *,
    human: Annotated[
        bool, typer.Option(help="Type as people do, and not as fast as allowed.")
    ] = False,
) -> None:
    """Send bots through a study, as fast as they can, and tell what became of them."""
    from thinlab.bots.crowd import Plan
    from thinlab.bots.habits import MixError, parse_mix
    from thinlab.bots.kind import Manner
    from thinlab.bots.researcher import ResearcherError
    from thinlab.trials.registry import bot_parts

    try:
        parts = bot_parts(Manner(human=human, link=link))
        plan = Plan(parse_mix(mix), count, seed, parts, at_once=at_once)
        planted = Planted(_utilities(utility or []), threshold, worth)
        crowd = asyncio.run(_send(url, study, password, plan, planted))
    except (MixError, ResearcherError) as error:
        _refuse(str(error))
    _tell(crowd)


async def _send(url: str, study: str, password: str, plan: "Plan", planted: "Planted") -> "Crowd":
    import httpx
    from rich.progress import Progress

    from thinlab.bots.bot import Seat
    from thinlab.bots.crowd import send
    from thinlab.bots.researcher import ResearcherError, answer_key, sign_in
    from thinlab.live.webrtc import quiet_about_closed_channels

    asyncio.get_running_loop().set_exception_handler(quiet_about_closed_channels)

    def new_client() -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=url, timeout=TIMEOUT_S)

    with Progress() as bar:
        listening = bar.add_task("Recordings", total=None)
        taking_part = bar.add_task("Bots", total=plan.count)

        def heard(done: int, total: int) -> None:
            bar.update(listening, completed=done, total=total)

        def finished(crowd: "Crowd") -> None:
            bar.update(taking_part, completed=len(crowd.outcomes))

        try:
            async with new_client() as client:
                cookie = await sign_in(client, password)
                key = await answer_key(
                    client,
                    study,
                    planted.utilities,
                    heard,
                    threshold=planted.threshold,
                    worth=planted.worth,
                )
        except httpx.TransportError as error:
            raise ResearcherError(f"--url {url}: {error}; is the server running?") from error
        return await send(plan, Seat(study, cookie=cookie), key, new_client, finished=finished)


def _utilities(texts: list[str]) -> dict[str, float]:
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            found[name] = float(value)
        except ValueError:
            _refuse(f"--utility: {text!r} should read {name or 'modified'}=1.0")
    return found


def _tell(crowd: "Crowd") -> None:
    """Ends by kind, votes, and what went wrong; exit code 1 if a bot failed."""
    from thinlab.bots.crowd import problems

    for kind, ends in sorted(crowd.ends().items()):
        told = ", ".join(f"{number} {end}" for end, number in sorted(ends.items()))
        typer.echo(f"{kind}: {told}")
    tally = crowd.tally
    typer.echo(
        f"{len(crowd.votes)} votes acknowledged, {tally.requests} requests, "
        f"{tally.lost} sent again without an answer, {tally.turned_away} told to come back"
    )
    failed = problems(crowd.outcomes)
    for problem, number in failed.items():
        typer.echo(f"{number} × {problem}", err=True)
    raise typer.Exit(1 if failed else 0)


def _refuse(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(EXIT_CONFIG)
