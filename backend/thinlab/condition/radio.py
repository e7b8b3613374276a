"""Paths over radio links, by name: those of the TCP Lite thesis, and of today's standards.

The thesis has seven loss profiles (table 5.1) and three links (table 5.2), each of which was
measured with each. What it leaves open is told here:

- It names times and no bit error rate: every packet that its emulator let go in a bad state was
  damaged. One bit in a hundred is flipped here, which leaves one of 10^20 full packets whole, and
  2 % of bare acknowledgements.
- It names one delay; both directions have it, and the same link.
- Its MTU of 576 bytes and its receiver's window of 32 kB are no part of a path.

SPDX-License-Identifier: Apache-2.0
"""

from itertools import product
from typing import NamedTuple

from thinlab.condition.path import BitErrors, Direction, Path
from thinlab.condition.profile import Profile
from thinlab.contract.generated.names import QueueDiscipline

ERROR_SHARE_BAD = 0.01


class LossProfile(NamedTuple):
    """A row of table 5.1."""

    number: int
    bad_ms: float
    good_ms: float
    bad_packet_share: float


class Link(NamedTuple):
    """A row of table 5.2; the queue is dummynet's."""

    name: str
    title: str
    rate_kbit_per_s: float
    delay_ms: float
    transferred_bytes: int
    queue_packets: int = 50


LOSS_PROFILES = (
    LossProfile(0, bad_ms=0, good_ms=0, bad_packet_share=0),  # good for ever
    LossProfile(1, bad_ms=30, good_ms=2000, bad_packet_share=0.015),
    LossProfile(2, bad_ms=30, good_ms=10_000, bad_packet_share=0.003),
    LossProfile(3, bad_ms=60, good_ms=2000, bad_packet_share=0.029),
    LossProfile(4, bad_ms=100, good_ms=2000, bad_packet_share=0.048),
    LossProfile(5, bad_ms=100, good_ms=5000, bad_packet_share=0.020),
    LossProfile(6, bad_ms=200, good_ms=5000, bad_packet_share=0.038),
)
"""Table 5.1."""

LINKS = (
    Link("gsm", "GSM", rate_kbit_per_s=9.6, delay_ms=150, transferred_bytes=50_000),
    Link("umts", "UMTS", rate_kbit_per_s=384, delay_ms=70, transferred_bytes=3_000_000),
    Link("802.11b", "802.11b", rate_kbit_per_s=11_000, delay_ms=10, transferred_bytes=60_000_000),
)
"""Table 5.2."""

_THESIS = (
    "S. Alfredsson, TCP Lite: a bit error transparent modification of TCP (master's thesis, "
    "Karlstad University, 2001), tables 5.1 and 5.2, sections 5.3.3 and 5.4; bit error rate: ours"
)


def _direction(link: Link, loss: LossProfile) -> Direction:
    errors = BitErrors(
        good_ms=loss.good_ms,
        bad_ms=loss.bad_ms,
        error_share_bad=ERROR_SHARE_BAD,
        at_end=True,
    ) if loss.bad_ms else None  # fmt: skip
    return Direction(
        delay_ms=link.delay_ms,
        rate_kbit_per_s=link.rate_kbit_per_s,
        queue_packets=link.queue_packets,
        queue_discipline=QueueDiscipline.FIFO,
        bit_errors=errors,
    )


def _told(link: Link, loss: LossProfile) -> str:
    line = f"{link.rate_kbit_per_s:g} kbit/s and {link.delay_ms:g} ms each way"
    if not loss.bad_ms:
        return f"{line}; never bad."
    return f"{line}; bad for {loss.bad_ms:g} ms, good for {loss.good_ms / 1000:g} s, on average."


def _of_thesis(link: Link, loss: LossProfile) -> Profile:
    return Profile(
        name=f"{link.name}-{loss.number}",
        title=f"{link.title}, loss profile {loss.number}",
        description=_told(link, loss),
        source=_THESIS,
        path=Path.both_ways(_direction(link, loss)),
    )


THESIS = tuple(_of_thesis(*both) for both in product(LINKS, LOSS_PROFILES))
"""Each link with each loss profile, `gsm-0` to `802.11b-6`."""

TODAY = (
    Profile(
        name="bluetooth-edge",
        title="Bluetooth at its limit",
        description="433.9 kbit/s and 10 ms each way; one bit in a thousand flipped at any time.",
        source="Bluetooth Core Specification 5.4, volume 2, part A, section 4.1: the signal is "
        "called sufficient down to a raw bit error rate of 0.1 %; part B: DH5 packets, symmetric. "
        "Delay, and that errors do not come in bursts: made up",
        path=Path.both_ways(
            Direction(
                delay_ms=10,
                rate_kbit_per_s=433.9,
                bit_errors=BitErrors(error_share_good=0.001),
            )
        ),
    ),
    Profile(
        name="wlan-edge",
        title="Wi-Fi at its limit",
        description="6 Mbit/s and 5 ms each way; one packet of 1000 bytes in ten damaged.",
        source="IEEE Std 802.11-2020, section 17.3.10.2: the signal is called sufficient down to "
        "10 % of packets of 1000 octets in error, which is 1.3 bits in 100,000; the lowest rate. "
        "Delay, that errors do not come in bursts, and that nothing is sent again below IP: "
        "made up",
        path=Path.both_ways(
            Direction(
                delay_ms=5,
                rate_kbit_per_s=6000,
                bit_errors=BitErrors(error_share_good=1.32e-5),
            )
        ),
    ),
)
"""Of today's radio links, what their standards say of a signal that just suffices."""

PROFILES = (*THESIS, *TODAY)
