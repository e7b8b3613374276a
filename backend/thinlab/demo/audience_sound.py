"""A demo's sound, from its takes to everybody who listens.

The agent has encoded it, once a lane: here a packet is only addressed and
encrypted for each listener, one after the other, so that a hundred listeners wake
no hundred tasks, and the loop looks at its sockets between a few of them and the
next. Which lane somebody hears is known here alone: packets of all lanes look
alike.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence

from aiortc import RTCCertificate

from thinlab.demo.audio_peer import AudioPeer, FullError
from thinlab.demo.rtp_stream import Reception, RtpStream, Timeline
from thinlab.demo.turns import Pass
from thinlab.throttle.caller import Bounded
from thinlab.throttle.rate import Rate

STREAMS_LIMIT = 250
# A page has one, and some that are not known to be gone yet, while the network comes and goes.
LISTENER_STREAMS_LIMIT = 4
# Each costs ports and a handshake. A page whose network comes and goes offers again each time.
LISTENER_OFFERS_A_SECOND, LISTENER_OFFERS_AT_ONCE = 0.2, 30.0
# A report a second and listener, not all at the same moment.
REPORT_EVERY_S = 1.0
REPORT_GROUPS = 20


class AudienceSound:
    """The streams of one demo's listeners."""

    def __init__(self) -> None:
        self._certificate = RTCCertificate.generateCertificate()
        self._timeline = Timeline()
        self._lanes: dict[str, int] = {}
        self._streams: dict[AudioPeer, tuple[str, RtpStream]] = {}
        """By age."""
        self._consoles: set[str] = set()
        """Who is never refused for others: whoever presents."""
        self._offers_of = Bounded[Rate](
            lambda: Rate(LISTENER_OFFERS_A_SECOND, LISTENER_OFFERS_AT_ONCE)
        )
        self._reporting: asyncio.Task[None] | None = None
        # They tell addresses of listeners, which nobody is to keep.
        for name in ("aioice", "aiortc"):
            logging.getLogger(name).setLevel(logging.CRITICAL)

    @property
    def streams(self) -> int:
        """How many are open."""
        return sum(peer.open for peer in self._streams)

    def receptions(self) -> list[Reception]:
        """What the pages said last."""
        said = (stream.reception for _, stream in self._streams.values())
        return [one for one in said if one is not None]

    async def answer(self, offer: str, listener: str, *, console: bool = False) -> str:
        """The answer to a page's offer to listen. Raises `OfferError`, `FullError`.

        `listener` is known to that page and here only: who has it can take its place.
        """
        if console:
            self._consoles.add(listener)
        if not self._offers_of[listener].allows(asyncio.get_running_loop().time()):
            raise FullError
        theirs = [peer for peer, (whose, _) in self._streams.items() if whose == listener]
        if len(theirs) >= LISTENER_STREAMS_LIMIT:
            theirs[0].close()
        if listener not in self._consoles:
            self._make_room()
        stream = RtpStream()
        peer = AudioPeer("to the page", stream, self._certificate, self._ended)
        self._streams[peer] = listener, stream
        try:
            answer = await peer.answer(offer, {"sprop-stereo": 0})
        except BaseException:
            await peer.closed()
            raise
        if self._reporting is None:
            self._reporting = asyncio.create_task(self._report())
        return answer

    def _make_room(self) -> None:
        """For one more of the audience: whoever has several gives one up."""
        whose = [whose for whose, _ in self._streams.values() if whose not in self._consoles]
        if len(whose) < STREAMS_LIMIT:
            return
        streams = Counter(whose)
        for peer, (listener, _) in self._streams.items():
            if streams[listener] > 1:
                peer.close()
                return
        raise FullError

    def _ended(self, peer: AudioPeer) -> None:
        self._streams.pop(peer, None)

    def listen(self, listener: str, lane: int) -> None:
        """From the next packet on, they hear that lane."""
        self._lanes[listener] = lane

    def leave(self, listener: str) -> None:
        """They listen no more."""
        self._lanes.pop(listener, None)
        self._consoles.discard(listener)
        for peer, (whose, _) in list(self._streams.items()):
            if whose == listener:
                peer.close()

    async def play(self, number: int, at_ns: int, lanes: Sequence[bytes]) -> None:
        """The next 20 ms of all lanes go to everybody, and wait for nobody.

        Who has chosen a lane that the take does not have hears its first.
        """
        timestamp, first = self._timeline.place(number, at_ns)
        one_pass = Pass()
        for whose, stream in list(self._streams.values()):
            lane = self._lanes.get(whose, 0)
            opus = lanes[lane] if lane < len(lanes) else lanes[0]
            await stream.send(timestamp, opus, first=first)
            await one_pass.go_on()

    async def _report(self) -> None:
        while True:
            for group in range(REPORT_GROUPS):
                await asyncio.sleep(REPORT_EVERY_S / REPORT_GROUPS)
                timestamp = self._timeline.now()
                if timestamp is None:
                    continue
                one_pass = Pass()
                for _, stream in list(self._streams.values())[group::REPORT_GROUPS]:
                    await stream.report(timestamp)
                    await one_pass.go_on()

    async def close(self) -> None:
        """Nobody listens any more."""
        if self._reporting is not None:
            self._reporting.cancel()
            await asyncio.gather(self._reporting, return_exceptions=True)
        await asyncio.gather(*(peer.closed() for peer in list(self._streams)))
