"""Masked screens: the cursor moves as it did, and nothing can be read.

SPDX-License-Identifier: Apache-2.0
"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thinlab.live.masking import MASK, Mask


@pytest.mark.parametrize(
    ("screen", "masked"),
    [
        ("secret word", f"{MASK * 6} {MASK * 4}"),
        ("\x1b[2J\x1b[1;1Hab\r\n", f"\x1b[2J\x1b[1;1H{MASK * 2}\r\n"),
        (
            "\x1b[?2004h\x1b[38;5;2mblå\x1b(B\x1b[m",
            f"\x1b[?2004h\x1b[38;5;2m{MASK * 3}\x1b(B\x1b[m",
        ),
        ("\x1b]0;my secret title\x07x", MASK),
        ("\x1b]0;my secret title\x1b\\x", MASK),
        ("\x1bPq secret\x1b\\x", MASK),
        ("\x1b7\x1b8\x1bM", "\x1b7\x1b8\x1bM"),
        ("\x1b\x01x", f"\x01{MASK}"),
        ("\t\b \b", "\t\b \b"),
    ],
)
def test_what_moves_the_cursor_stays(screen: str, masked: str) -> None:
    assert Mask().mask(screen) == masked


@given(
    st.lists(
        st.sampled_from(
            ["\x1b", "[", "]", "0;", "31m", "H", "P", "\\", "\x07", "secret", " ", "é", "\r\n", "("]
        )
    ),
    st.lists(st.integers(0, 60), max_size=8),
)
@example(["\x1b", "P", "\x1b", "\\"], [2])
def test_a_chunk_s_borders_do_not_matter(parts: list[str], cuts: list[int]) -> None:
    whole = "".join(parts)
    mask = Mask()
    pieces, last = "", 0
    for cut in sorted(min(cut, len(whole)) for cut in cuts):
        pieces += mask.mask(whole[last:cut])
        last = cut
    pieces += mask.mask(whole[last:])
    assert pieces == Mask().mask(whole)
    assert "secret" not in pieces
    assert "é" not in pieces
