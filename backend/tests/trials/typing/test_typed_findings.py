"""What is said of the typing sessions that votes rest on.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.analysis.sessions.findings import TypedFigures
from thinlab.settings import HOST_WAIT_LIMIT_MS
from thinlab.trials.typing.findings import found

WELL = TypedFigures(
    done=6,
    void=0,
    void_by_host=0,
    participants_typed_again=0,
    late_emulators=0,
    unmeasured=0,
    host_wait_max_ms=41.2,
    void_wait_max_ms=None,
)


def of(**changes: float | None) -> TypedFigures:
    """Figures of sessions that went well but for this."""
    return WELL.model_copy(update=changes)


def test_sessions_that_went_well_are_told_in_figures() -> None:
    typed = found(WELL)
    assert TypedFigures(**typed.model_dump(include=set(TypedFigures.model_fields))) == WELL
    assert not typed.spoilt
    assert typed.sentence == (
        "6 typing sessions count; 0 more were void. The longest that a key waited for our "
        "machines was 41 ms where it counts."
    )


def test_what_our_machines_did_is_told_as_theirs() -> None:
    typed = found(of(done=1, void=3, void_by_host=2, participants_typed_again=1, unmeasured=1))
    assert typed.spoilt
    assert typed.sentence.startswith(
        "1 typing session counts; 3 more were void, 2 of them for what our machines did, so that "
        "1 participant typed a session again. "
    )
    assert typed.sentence.endswith("In 1 of those that count no key's wait was measured.")


def test_whatever_our_machines_may_have_been_felt_by_spoils() -> None:
    assert found(of(late_emulators=1)).spoilt
    assert found(of(host_wait_max_ms=HOST_WAIT_LIMIT_MS + 1)).spoilt
    # What is void was not voted on.
    assert not found(of(void=1, void_wait_max_ms=HOST_WAIT_LIMIT_MS + 1)).spoilt
