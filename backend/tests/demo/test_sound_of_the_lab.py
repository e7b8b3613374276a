"""The sound of a real take at a listener's: both lanes in step, switched without a gap."""

import asyncio
import itertools
import tempfile

import numpy as np
import pytest

from tests.demo import marked_sound
from tests.demo.lab_take import demo_agent, play_the_lab
from tests.demo.listening_bot import ListeningBot
from tests.demo.opus import Decoder
from thinlab.demo.audience_sound import AudienceSound
from thinlab.demo.rtp_stream import SAMPLES_PER_S

pytestmark = pytest.mark.alone

# As said in the issue: so far may lanes be from each other at the ear.
STEP_SAMPLES = 20 * SAMPLES_PER_S // 1_000
PACKETS = 250
SWITCH_EVERY = 7
# From the first sound on: before it, the first message is under way.
WINDOW_SAMPLES = SAMPLES_PER_S // 100
NOTE_RMS = marked_sound.LOUD * marked_sound.NOTE_SHARE / np.sqrt(2)


async def test_lanes_are_in_step_and_switched_without_a_gap() -> None:
    sound = AudienceSound()
    bots = [
        ListeningBot(lambda sdp: sound.answer(sdp, "stays")),
        ListeningBot(lambda sdp: sound.answer(sdp, "stays on the other")),
        ListeningBot(lambda sdp: sound.answer(sdp, "switches")),
    ]
    sound.listen("stays on the other", 1)
    for bot in bots:
        await bot.join()
    lanes = itertools.cycle([0] * SWITCH_EVERY + [1] * SWITCH_EVERY)

    async def play(number: int, at_ns: int, packets: object) -> None:
        sound.listen("switches", next(lanes))
        await sound.play(number, at_ns, packets)  # type: ignore[arg-type]

    with tempfile.TemporaryDirectory(prefix="thinlab-lab-") as folder, demo_agent(folder) as lab:
        taking = asyncio.create_task(play_the_lab(lab, 0.0, play))
        for bot in bots:
            await bot.until(lambda bot: len(bot.heard) >= PACKETS)
        taking.cancel()
        await asyncio.gather(taking, return_exceptions=True)
    opus = [[one.packet.payload for one in bot.heard[:PACKETS]] for bot in bots]
    for bot in bots:
        await bot.leave()
    await sound.close()

    marks = [marked_sound.marks_samples(packets) for packets in opus[:2]]
    assert len(marks[0]) == len(marks[1]) >= 4
    for one, other in zip(*marks, strict=True):
        assert abs(one - other) <= STEP_SAMPLES
    decoder = Decoder()
    heard = np.concatenate([decoder.decode(packet) for packet in opus[2]]).astype(np.float64)
    begin = int(marks[0][0]) + WINDOW_SAMPLES
    windows = heard[begin : begin + (len(heard) - begin) // WINDOW_SAMPLES * WINDOW_SAMPLES]
    loudness = np.sqrt(np.mean(windows.reshape(-1, WINDOW_SAMPLES) ** 2, axis=1))
    assert loudness.min() > NOTE_RMS / 2
