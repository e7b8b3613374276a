"""The sound's way to listeners, over real peer connections on this machine."""

import asyncio
import itertools
import logging
import re
import socket
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from aioice import stun
from hypothesis import given
from hypothesis import strategies as st

from tests.demo.listening_bot import Heard, ListeningBot
from tests.demo.opus import PACKET_NS
from tests.running.thinlab_process import free_port
from thinlab.demo import audience_sound
from thinlab.demo.audience_sound import AudienceSound
from thinlab.demo.audio_peer import FullError, OfferError
from thinlab.demo.rtp_stream import Timeline
from thinlab.live import datagrams

A, B = b"what goes over lane A", b"what goes over lane B, which is longer"
PATIENCE_S = 30.0


class Room:
    """A demo's sound and who listens."""

    def __init__(self) -> None:
        self.sound = AudienceSound()
        self.bots: list[ListeningBot] = []
        self.number = 0

    async def join(self, listener: str) -> ListeningBot:
        """Joins, and waits until it can hear."""
        before = self.sound.streams
        bot = ListeningBot(lambda sdp: self.sound.answer(sdp, listener))
        self.bots.append(bot)
        await bot.join()
        await self.until(before + 1)
        return bot

    async def until(self, streams: int) -> None:
        """Waits until so many streams are open."""
        async with asyncio.timeout(PATIENCE_S):
            while self.sound.streams != streams:
                await asyncio.sleep(0.01)

    async def play(self, *packets: bytes) -> None:
        """20 ms of each lane."""
        self.number += 1
        await self.sound.play(self.number, self.number * PACKET_NS, packets or (A, B))


@pytest_asyncio.fixture
async def room() -> AsyncIterator[Room]:
    room = Room()
    yield room
    for bot in room.bots:
        await bot.leave()
    await room.sound.close()


def said(bot: ListeningBot) -> list[bytes]:
    return [one.packet.payload for one in bot.heard]


async def test_a_listener_goes_to_the_other_lane_between_two_packets(room: Room) -> None:
    bot = await room.join("one")
    await room.play()
    room.sound.listen("one", 1)
    await room.play()
    await room.play()
    room.sound.listen("one", 0)
    await room.play()
    await bot.until(lambda bot: len(bot.heard) == 4)
    assert said(bot) == [A, B, B, A]
    packets = [one.packet for one in bot.heard]
    first = packets[0]
    for number, packet in enumerate(packets):
        assert packet.sequence_number == (first.sequence_number + number) % 65_536
        assert packet.timestamp == (first.timestamp + 960 * number) % 2**32
        assert packet.ssrc == first.ssrc


async def test_everybody_has_the_same_timestamp_for_the_same_sound(room: Room) -> None:
    bots = [await room.join(name) for name in ("one", "two", "three")]
    room.sound.listen("two", 1)
    for _ in range(3):
        await room.play()
    for bot in bots:
        await bot.until(lambda bot: len(bot.heard) == 3)
    times = [[one.packet.timestamp for one in bot.heard] for bot in bots]
    assert times[0] == times[1] == times[2]
    assert [said(bot)[0] for bot in bots] == [A, B, A]


async def test_who_comes_late_hears_what_all_hear(room: Room) -> None:
    early = await room.join("early")
    await room.play()
    late = await room.join("late")
    await room.play()
    for bot in (early, late):
        await bot.until(lambda bot: bool(bot.heard))
    await early.until(lambda bot: len(bot.heard) == 2)
    assert early.heard[1].packet.timestamp == late.heard[0].packet.timestamp


async def test_a_new_take_goes_on_in_the_same_stream(room: Room) -> None:
    bot = await room.join("one")
    second_ns = 1_000_000_000
    await room.sound.play(41, 10 * second_ns, [A, B])
    await room.sound.play(42, 10 * second_ns + PACKET_NS, [A, B])
    # Another host; two seconds without sound; numbers from the beginning.
    await room.sound.play(1, 12 * second_ns + PACKET_NS, [A, B])
    await room.sound.play(2, 12 * second_ns + 2 * PACKET_NS, [A, B])
    await bot.until(lambda bot: len(bot.heard) == 4)
    packets = [one.packet for one in bot.heard]
    steps = [
        (later.timestamp - earlier.timestamp) % 2**32
        for earlier, later in itertools.pairwise(packets)
    ]
    assert steps == [960, 96_000, 960]
    assert [(p.sequence_number - packets[0].sequence_number) % 65_536 for p in packets] == [
        *range(4)
    ]
    assert [packet.marker for packet in packets] == [1, 0, 1, 0]


async def test_a_clock_that_was_set_back_does_not_turn_the_stream_back(room: Room) -> None:
    bot = await room.join("one")
    await room.sound.play(7, 1_000_000_000, [A])
    await room.sound.play(0, 0, [A])
    await bot.until(lambda bot: len(bot.heard) == 2)
    earlier, later = (one.packet.timestamp for one in bot.heard)
    assert (later - earlier) % 2**32 == 960


async def test_a_take_without_the_chosen_lane_is_heard_all_the_same(room: Room) -> None:
    bot = await room.join("one")
    room.sound.listen("one", 1)
    await room.play(A)
    await room.play(A, B)
    await bot.until(lambda bot: len(bot.heard) == 2)
    assert said(bot) == [A, B]


async def test_a_page_that_comes_back_hears_the_lane_it_had(room: Room) -> None:
    first = await room.join("one")
    room.sound.listen("one", 1)
    await first.leave()
    await room.until(0)
    again = await room.join("one")
    await room.play()
    await again.until(lambda bot: bool(bot.heard))
    assert said(again) == [B]


async def test_pages_that_vanish_make_room(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience_sound, "LISTENER_STREAMS_LIMIT", 2)
    oldest = await room.join("one")
    newer = await room.join("one")
    other = await room.join("other")
    newest = ListeningBot(lambda sdp: room.sound.answer(sdp, "one"))
    room.bots.append(newest)
    await newest.join()
    async with asyncio.timeout(PATIENCE_S):
        while oldest.peer.connectionState != "closed":
            await asyncio.sleep(0.01)
    await room.until(3)
    await room.play()
    for bot in (newer, other, newest):
        await bot.until(lambda bot: bool(bot.heard))
    assert not oldest.heard


async def test_no_more_streams_than_the_server_can_send(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience_sound, "STREAMS_LIMIT", 1)
    bot = await room.join("one")
    with pytest.raises(FullError):
        await room.join("two")
    await room.play()
    await bot.until(lambda bot: bool(bot.heard))


async def test_who_has_several_streams_gives_one_up_and_a_console_is_never_refused(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience_sound, "STREAMS_LIMIT", 2)
    oldest = await room.join("greedy")
    await room.join("greedy")
    for listener, console in (("honest", False), ("presenter", True)):
        bot = ListeningBot(
            lambda sdp, listener=listener, console=console: (  # type: ignore[misc]
                room.sound.answer(sdp, listener, console=console)
            )
        )
        room.bots.append(bot)
        await bot.join()
    await room.until(3)
    with pytest.raises(FullError):
        await room.sound.answer(oldest.offered, "another")
    await room.play()
    for bot in room.bots[1:]:
        await bot.until(lambda bot: bool(bot.heard))
    assert not oldest.heard


async def test_who_leaves_is_closed(room: Room) -> None:
    bot = await room.join("one")
    room.sound.leave("one")
    async with asyncio.timeout(PATIENCE_S):
        while bot.peer.connectionState != "closed":
            await asyncio.sleep(0.01)
    assert room.sound.streams == 0


class Closed:
    """A socket's transport as uvloop leaves it."""

    def __init__(self, transport: asyncio.DatagramTransport) -> None:
        self._transport = transport

    def sendto(self, *_: object) -> None:
        message = "unable to perform operation; the handler is closed"
        raise RuntimeError(message)

    def close(self) -> None:
        self._transport.close()


async def test_a_socket_that_has_closed_disturbs_nobody_else(room: Room) -> None:
    broken = await room.join("broken")
    other = await room.join("other")
    peer = next(iter(room.sound._streams))
    (pair,) = peer._ice._connection._nominated.values()
    pair.protocol.transport = Closed(pair.protocol.transport)  # type: ignore[assignment]
    for _ in range(3):
        await room.play()
    await other.until(lambda bot: len(bot.heard) == 3)
    assert not broken.heard


async def test_addresses_in_an_offer_are_never_sent_to(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as victim:
        # None that a peer of an earlier test had: somebody may still send there.
        victim.bind(("127.0.0.1", free_port()))
        victim.setblocking(False)
        port = victim.getsockname()[1]

        def named(sdp: str) -> str:
            own = re.sub(r"a=candidate:.*\r\n", "", sdp)
            return own.replace(
                "a=end-of-candidates\r\n",
                f"a=candidate:1 1 udp 2130706431 127.0.0.1 {port} typ host\r\n"
                "a=end-of-candidates\r\n",
            )

        bot = ListeningBot(lambda sdp: room.sound.answer(sdp, "one"))
        room.bots.append(bot)
        await bot.join(named)
        assert str(port) in bot.offered
        await room.until(1)
        await room.play()
        await bot.until(lambda bot: bool(bot.heard))
        with pytest.raises(BlockingIOError):
            victim.recv(2_048)
    assert not [one for one in caplog.records if re.search(r"\d+\.\d+\.\d+\.\d+", one.getMessage())]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda sdp: sdp[:0],
        lambda sdp: sdp[: sdp.index("m=")],
        lambda sdp: sdp.replace("opus", "lpc"),
        lambda sdp: sdp.replace("a=recvonly", "a=sendonly"),
        lambda sdp: sdp.replace("a=recvonly", "a=inactive"),
        lambda sdp: sdp.replace("a=rtcp-mux\r\n", ""),
        lambda sdp: re.sub(r"a=ice-pwd:.*\r\n", "", sdp),
        lambda sdp: re.sub(r"a=fingerprint:.*\r\n", "", sdp),
        lambda sdp: sdp.replace("a=setup:actpass", "a=setup:active"),
        lambda sdp: sdp.replace("m=audio", "m=video"),
        lambda sdp: sdp + sdp[sdp.index("m=audio") :],
    ],
)
async def test_other_offers_are_refused_and_nothing_stays_of_them(
    room: Room, spoil: object
) -> None:
    bot = ListeningBot(lambda sdp: room.sound.answer(sdp, "one"))
    room.bots.append(bot)
    with pytest.raises(OfferError):
        await bot.join(spoil)  # type: ignore[arg-type]
    assert not room.sound._streams


async def test_an_offer_that_nobody_follows_up_is_dropped(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = await room.join("one")
    monkeypatch.setattr("thinlab.demo.audio_peer.OPENING_PATIENCE_S", 0.1)
    answered = await room.sound.answer(bot.offered, "two")
    assert answered
    async with asyncio.timeout(PATIENCE_S):
        while len(room.sound._streams) > 1:
            await asyncio.sleep(0.01)


async def test_datagrams_beyond_the_bound_are_lost_before_a_stream_is_open(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, read = 0, []

    class Three:
        """A rate that allows three."""

        def __init__(self, *_: float) -> None: ...

        def allows(self, _: float) -> bool:
            nonlocal asked
            asked += 1
            return asked <= 3

    bot = await room.join("one")
    monkeypatch.setattr(datagrams, "Rate", Three)
    await room.sound.answer(bot.offered, "two")
    _, peer = room.sound._streams
    ice = peer._ice._connection
    monkeypatch.setattr(ice, "request_received", lambda *_: read.append(1))
    port = peer._ice.iceGatherer.getLocalCandidates()[0].port
    request = bytes(stun.Message(stun.Method.BINDING, stun.Class.REQUEST))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as flood:
        flood.connect((peer._ice.iceGatherer.getLocalCandidates()[0].ip, port))
        async with asyncio.timeout(PATIENCE_S):
            while asked < 9:
                flood.send(request)
                await asyncio.sleep(0)
    assert len(read) == 3


async def test_who_offers_without_end_is_told_to_wait(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience_sound, "LISTENER_OFFERS_AT_ONCE", 3.0)
    monkeypatch.setattr(audience_sound, "LISTENER_OFFERS_A_SECOND", 1e-6)
    bot = await room.join("one")
    for _ in range(2):
        await room.sound.answer(bot.offered, "one")
    with pytest.raises(FullError):
        await room.sound.answer(bot.offered, "one")
    await room.join("two")


@given(st.sets(st.integers(0, 400), min_size=1), st.integers(0, 10**18))
def test_whatever_does_not_come_the_rest_stands_where_it_belongs(
    numbers: set[int], begin_ns: int
) -> None:
    timeline, placed = Timeline(), {}
    for number in sorted(numbers):
        # A machine that was held up sends the newest of what it missed in one go: when they come
        # is no matter.
        placed[number], _ = timeline.place(number, begin_ns + number * PACKET_NS)
    first = min(numbers)
    assert placed == {
        number: (placed[first] + (number - first) * 960) % 2**32 for number in numbers
    }


async def test_a_burst_after_a_hole_is_sent_in_order_and_lets_others_go_first(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [await room.join(f"listener {number}") for number in range(6)]
    played = [0, 1, 2, *range(40, 50)]
    # Whatever a packet takes is a pass's time.
    monkeypatch.setattr("thinlab.demo.turns.PASS_S", 0.0)
    turns_of_others = 0

    async def somebody_else() -> None:
        nonlocal turns_of_others
        while True:
            await asyncio.sleep(0)
            turns_of_others += 1

    beside = asyncio.create_task(somebody_else())
    for number in played:
        await room.sound.play(number, number * PACKET_NS, [A, B])
    assert turns_of_others >= len(played) * len(bots) - 1
    beside.cancel()
    for bot in bots:
        await bot.until(lambda bot: len(bot.heard) == len(played))
        packets = [one.packet for one in bot.heard]
        first = packets[0]
        for at, (number, packet) in enumerate(zip(played, packets, strict=True)):
            assert packet.sequence_number == (first.sequence_number + at) % 65_536
            assert packet.timestamp == (first.timestamp + 960 * number) % 2**32
        assert [packet.marker for packet in packets] == [
            int(number in {0, 40}) for number in played
        ]


async def test_reports_place_the_timestamps_on_the_clock(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience_sound, "REPORT_EVERY_S", 0.02)
    bot = await room.join("one")
    before_ns = time.time_ns()
    await room.play()
    await bot.until(lambda bot: bool(bot.heard))
    async with asyncio.timeout(PATIENCE_S):
        while not bot.reports:
            await asyncio.sleep(0.01)
    report = bot.reports[0].sender_info
    heard: Heard = bot.heard[0]
    assert (report.packet_count, report.octet_count) == (1, len(A))
    since_s = ((report.rtp_timestamp - heard.packet.timestamp) % 2**32) / 48_000
    assert since_s <= (time.time_ns() - before_ns) / 1e9


async def test_nothing_tells_which_lane_is_heard(room: Room) -> None:
    """Two listeners, of whom one hears the other lane, and says so before and after joining."""
    same = bytes(100)
    room.sound.listen("two", 1)
    bots = [await room.join("one"), await room.join("two")]
    room.sound.listen("two", 1)
    for _ in range(5):
        await room.play(same, same)
    for bot in bots:
        await bot.until(lambda bot: len(bot.heard) == 5)

    def plain(bot: ListeningBot) -> str:
        """The answer without what is drawn by chance."""
        text = re.sub(r"[0-9a-f]{16,}", "NAME", bot.answered)
        text = re.sub(r"(?m)^o=.*$|^a=ice-.*$|(?<=^a=ssrc:)\d+", "", text)
        return re.sub(r"(?<= )\d{4,5} typ", "PORT typ", text)

    assert plain(bots[0]) == plain(bots[1])
    headers = [
        [
            (
                one.packet.payload_type,
                one.packet.marker,
                one.packet.timestamp,
                len(one.packet.csrc),
                one.packet.padding_size,
                vars(one.packet.extensions),
                (one.packet.sequence_number - bot.heard[0].packet.sequence_number) % 65_536,
            )
            for one in bot.heard
        ]
        for bot in bots
    ]
    assert headers[0] == headers[1]
