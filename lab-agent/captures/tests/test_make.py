"""Captures as `lab-agent/captures/make` makes them, from outside; and what it says when it cannot.

Sessions take place in real time, twenty seconds each. Packages that are in the cache are used.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import re
import struct
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from thinlab.experiment.beside import Beside
from thinlab.experiment.stream import Connection, ReplayStream
from thinlab.experiment.tanks.known import States, known_in
from thinlab.experiment.tanks.reckoning import moved_on
from thinlab.settings import CHECKOUT, Settings

MAKE = CHECKOUT / "lab-agent" / "captures" / "make"
MANIFEST = MAKE.with_name("manifest.yaml")
AGENT = os.environ.get("THINLAB_AGENT", "")
SECONDS = 20
MSS_BYTES = 1448
FILE_HEAD_BYTES, PACKET_HEAD_BYTES = 24, 16
# Of an Ethernet frame with IPv4.
PROTOCOL_AT = 14 + 9
TCP = 6

Make = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of the module's own, but for the packages."""
    folder = tmp_path_factory.mktemp("cache")
    kept = Settings.read().cache / "captures" / "packages"
    kept.mkdir(parents=True, exist_ok=True)
    (folder / "captures").mkdir()
    (folder / "captures" / "packages").symlink_to(kept)
    return folder


@pytest.fixture(scope="module")
def make(cache: Path) -> Make:
    """Runs it with some options."""
    environment = {**os.environ, "THINLAB_CACHE": str(cache)}

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        words = [str(MAKE), "--seconds", str(SECONDS), *options]
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)

    return run


@pytest.fixture(scope="module")
def made(make: Make) -> Path:
    """The folder of a short pair of sessions."""
    if not Path(AGENT).is_file():
        pytest.skip("no lab agent has been built: make agent")
    done = make()
    # Nothing is wrong here: Debian keeps the newest versions only, and a container may let
    # nobody have namespaces.
    if "apt-get" in done.stderr or re.search("^unshare: ", done.stderr, re.MULTILINE):
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def connections(made: Path, name: str) -> list[Connection]:
    """What an experiment would replay."""
    replay = ReplayStream.model_validate({"file": f"{name}.json"}, context=Beside(made))
    return [one for one in replay.connections if one.there and one.back]


def figures(made: Path, name: str, sender: str, receiver: str) -> dict[str, Any]:
    """What the analysis says of one way of a connection."""
    words = [AGENT, "analyze", "--json", "--flow", f"{sender}-{receiver}", f"{name}.pcap"]
    said = subprocess.run(words, cwd=made, capture_output=True, text=True, check=True)
    metrics: dict[str, Any] = json.loads(said.stdout)["metrics"]
    return metrics


@pytest.mark.parametrize("name", ["ssh", "bzflag"])
def test_what_is_replayed_is_what_was_captured_and_thin(made: Path, name: str) -> None:
    for one in connections(made, name)[:3]:
        ways = [(one.client, one.server, one.there), (one.server, one.client, one.back)]
        for sender, receiver, writes in ways:
            metrics = figures(made, name, sender, receiver)
            assert metrics["unique_bytes"] == sum(write.bytes for write in writes)
            # None on loopback, but for a probe where the machine was held up.
            assert metrics["retransmitted_share"] < 0.02
            # Small, and seldom. Not nearly all of them: in how many large writes a listing
            # comes is up to the processes that happen to run in between.
            assert metrics["packet_payload_mean_bytes"] < MSS_BYTES / 2
            assert metrics["iat_mean_ms"] > 10
            assert median(write.bytes for write in writes) < MSS_BYTES / 4


def test_a_session_over_ssh_is_typed_and_answered(made: Path) -> None:
    (one,) = connections(made, "ssh")
    keys = sum(write.bytes == 36 for write in one.there)
    # The rest is the handshake, and keys that were sent together.
    assert keys > 0.6 * len(one.there)
    assert max(write.bytes for write in one.back) > MSS_BYTES, "no listing"


def test_a_game_has_players_and_only_tcp(made: Path) -> None:
    assert len(connections(made, "bzflag")) == 28
    capture = (made / "bzflag.pcap").read_bytes()
    at, protocols = FILE_HEAD_BYTES, set()
    while at < len(capture):
        (length,) = struct.unpack_from("=I", capture, at + 8)
        protocols.add(capture[at + PACKET_HEAD_BYTES + PROTOCOL_AT])
        at += PACKET_HEAD_BYTES + length
    assert protocols == {TCP}


def test_a_game_says_where_its_tanks_are(made: Path) -> None:
    for _ in range(2):  # also of what is there
        subprocess.run([MAKE.parent / "game" / "positions", made], check=True)
    known = known_in((made / "bzflag-positions.json").read_text())
    whole = {(one.client, one.server): one for one in connections(made, "bzflag")}
    assert set(known) == set(whole)
    for place, told in known.items():
        one = whole[place]
        # All others', and not its own; who only looks on sees all of them.
        assert len(np.unique(told.states.player[told.which])) in (25, 26)
        assert told.ends.max() <= sum(write.bytes for write in one.back)
    states = next(iter(known.values())).states
    assert states.somewhere.mean() > 0.5
    # The map is 800 units square, and high towers stand on it.
    assert np.abs(states.position[:, :2]).max() <= 400
    assert 0 <= states.position[:, 2].min() <= states.position[:, 2].max() < 100
    speeds = np.hypot(*states.velocity[:, :2].T)
    assert 20 < speeds.max() < 26
    # And they are where their speeds have brought them.
    moved = moved_to_the_next(states)
    assert len(moved) > 100
    assert np.median(moved) < 1


def moved_to_the_next(states: States) -> NDArray[np.float64]:
    """By how far each state misses the next one of the same life."""
    missed = []
    for player in np.unique(states.player):
        mine = np.flatnonzero(states.player == player)
        for one, other in pairwise(mine):
            seconds = states.stamp[other] - states.stamp[one]
            # Of a life's beginning and end there is no stamp.
            if not np.isnan(seconds) and seconds < 1:
                (there,) = moved_on(states, np.array([one]), np.array([seconds]))
                missed.append(np.linalg.norm(there - states.position[other]))
    return np.array(missed)


def test_a_second_run_makes_nothing(make: Make, made: Path) -> None:
    again = make()
    assert (again.stdout.strip(), again.stderr) == (str(made), "")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"packages:": "packages: ["}, "is not a manifest"),
        ({', licence: "': ', license: "'}, "package bash has no licence"),
        ({"  bash:": "  no-such-package:", "sha256: ": "sha256: 0"}, "no-such-package"),
        ({'version: "5.2': 'version: "4.2', "sha256: ": "sha256: 0"}, "apt-get"),
        ({"sha256: ": "sha256: 0"}, "has not the sha256 0"),
    ],
)
def test_a_manifest_that_cannot_be_followed_is_refused(
    make: Make, cache: Path, tmp_path: Path, changes: dict[str, str], says: str
) -> None:
    text = MANIFEST.read_text()
    # The head has samples of what is changed.
    head, packages = text.split("\npackages:", 1)
    packages = f"\npackages:{packages}"
    for old, new in changes.items():
        assert old in packages
        packages = packages.replace(old, new, 1)
    file = tmp_path / "manifest.yaml"
    file.write_text(head + packages)
    _expect_refusal(make, cache, file, says)


def _expect_refusal(make: Make, cache: Path, manifest: Path, says: str) -> None:
    def there() -> set[str]:
        return {one.name for one in (cache / "captures").iterdir()} - {"lock"}

    before = there()
    done = make("--manifest", str(manifest))
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr
    assert "\n  remedy: " in done.stderr
    assert there() == before
