"""Bench: what twenty typists feel while strangers flood the server, in one way after the other.

Starts what `make run` starts. Twenty bots type at people's pace; beside them a process of the
lowest rank does its worst for some seconds (`flooder.py`), from another address. Each key counts
to the flood in whose time it was pressed; `none` is the time before the first.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import httpx
import yaml

from tests.load import typists
from tests.load.figures import percentile
from tests.load.flooder import FLOODS
from tests.load.three_hundred import lag, researchers_cookie
from tests.running.thinlab_process import ThinlabProcess, free_port
from thinlab.live.webrtc import quiet_about_closed_channels
from thinlab.trials.typing.bot.page_link import page_clock_us
from thinlab.trials.typing.bot.typist import Felt

TYPISTS = 20
FLOOD_S = 8.0
# A flooder begins its process and joins before it floods; what it leaves behind is cleared away.
BEGIN_S, BETWEEN_S = 2.5, 2.0
SECONDS_A_KEY = 0.3


@dataclass(frozen=True)
class Window:
    """A flood's time, and what came of it."""

    kind: str
    begin_us: int
    end_us: int
    told: str = ""


async def one_flood(kind: str, address: str) -> Window:
    """Runs a flooder to its end."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.load.flooder", kind, address, str(BEGIN_S + FLOOD_S)),
        stdout=asyncio.subprocess.PIPE,
    )
    await asyncio.sleep(BEGIN_S)
    begin_us = page_clock_us()
    out, _ = await process.communicate()
    end_us = page_clock_us()
    told = json.loads(out)
    found = ", ".join(f"{count} × {what}" for what, count in sorted(told["found"].items()))
    return Window(kind, begin_us, end_us, f"{found}; {told['cpu_s']:.1f} s of processor time")


async def all_floods(address: str, kinds: list[str], start: typists.Start) -> list[Window]:
    """One after the other, once everybody types."""
    await start.begun()
    begin_us = page_clock_us()
    await asyncio.sleep(FLOOD_S)
    windows = [Window("none", begin_us, page_clock_us())]
    for kind in kinds:
        print(f"  {kind}", file=sys.stderr)
        windows.append(await one_flood(kind, address))
        await asyncio.sleep(BETWEEN_S)
    return windows


@dataclass(frozen=True, order=True)
class Added:
    """What was added to a key, and how far into the flood it was pressed."""

    ms: float
    after_s: float


def added_to(everybody: list[Felt], window: Window, rtt_ms: float) -> list[Added]:
    """To each key that was pressed in a flood's time, the least first."""
    return sorted(
        Added(delay_ms - rtt_ms, (at_us - window.begin_us) / 1e6)
        for felt in everybody
        for at_us, delay_ms in zip(felt.pressed_us, felt.delays_ms, strict=True)
        if window.begin_us <= at_us <= window.end_us
    )


def figure(window: Window, added: list[Added], rest: str) -> dict[str, object]:
    """For `make bench`."""
    each_ms, longest = [one.ms for one in added], added[-1]
    return {
        "name": f"typing_added_p99_ms_{TYPISTS}_sessions_beside_{window.kind}",
        "value": round(percentile(each_ms, 0.99), 2),
        "unit": "ms",
        "how": f"echo at the bot minus the lane's emulated 130 ms, {len(added)} keys of {TYPISTS} "
        f"who type over data channels; p50 {percentile(each_ms, 0.5):.1f} ms, longest "
        f"{longest.ms:.0f} ms after {longest.after_s:.1f} s; the flood: {window.told or 'none'}; "
        f"{rest}",
    }


async def measure(kinds: list[str], folder: Path) -> list[dict[str, object]]:
    """All on one running stack."""
    survey = folder / "survey"
    survey.mkdir()
    keys = round((FLOOD_S + len(kinds) * (BEGIN_S + FLOOD_S + BETWEEN_S)) / SECONDS_A_KEY)
    text = typists.STUDY.read_text().replace("least_keys: 150", f"least_keys: {keys}")
    (survey / "typists.yaml").write_text(text)
    rtt_ms = yaml.safe_load(text)["conditions"]["clean"]["path"]["rtt_ms"]
    environment = {
        "THINLAB_DATA": str(folder / "data"),
        "THINLAB_SURVEY": str(survey),
        "THINLAB_TERMINAL": os.environ["THINLAB_TERMINAL"],
    }
    asyncio.get_running_loop().set_exception_handler(quiet_about_closed_channels)
    thinlab = ThinlabProcess(environment, free_port())
    await thinlab.start()
    lags: list[float] = []
    try:
        async with httpx.AsyncClient(base_url=thinlab.address, timeout=30) as browser:
            cookie = await researchers_cookie(thinlab, browser)
        start = typists.Start(TYPISTS, typists.parts_of(thinlab))

        async def one(number: int) -> typists.Found:
            await asyncio.sleep(typists.ARRIVE_OVER_S * number / TYPISTS)
            return await typists.type_once(thinlab.address, cookie, str(number), start)

        ticking = asyncio.create_task(lag(lags))
        typing = asyncio.gather(*(one(number) for number in range(TYPISTS)))
        windows = await all_floods(thinlab.address, kinds, start)
        found = await typing
        ticking.cancel()
    finally:
        await thinlab.stop()
    void = sum(one.voided for one in found)
    rest = (
        f"{void} sessions void; {os.cpu_count()} CPUs, bots and flood included (the bots' own "
        f"clock late by {percentile(sorted(lags), 0.99) * 1000:.0f} ms at p99)"
    )
    everybody = [one.felt for one in found if one.felt is not None]
    figures = []
    for window in windows:
        figures.append(figure(window, added_to(everybody, window, rtt_ms), rest))
        print(f"  {figures[-1]}", file=sys.stderr)
    return figures


def main() -> None:
    """Prints the figures as a JSON array."""
    parser = argparse.ArgumentParser(description=__doc__)
    # argparse holds a default of several against the choices as if it were one.
    parser.add_argument(
        "kinds", nargs="*", choices=[*FLOODS, []], help="all, unless some are named"
    )
    kinds = parser.parse_args().kinds or list(FLOODS)
    if not os.environ.get("THINLAB_TERMINAL"):
        sys.exit("✗ THINLAB_TERMINAL: not set; `make bench` builds the parts and sets it")
    with tempfile.TemporaryDirectory(prefix="thinlab-floods-") as name:
        # Started by root, the database has a user of its own, who must be able to pass.
        Path(name).chmod(0o711)
        figures = asyncio.run(measure(kinds, Path(name)))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
