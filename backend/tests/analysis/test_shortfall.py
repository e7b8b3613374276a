"""What a plan cannot show is said before anybody is asked."""

from tests.study.study_files import CLIPS, SURVEY, earlier
from thinlab.analysis.simulated.shortfall import shortfalls
from thinlab.study.file import read
from thinlab.trials.registry import KINDS

LITERAL = read(earlier("lcn2008-listening-literal"), CLIPS, KINDS)
TYPED = read(SURVEY / "lcn2008-typing-literal.yaml", CLIPS, KINDS)
ACR = read(earlier("p808-acr"), CLIPS, KINDS)
CCR = read(earlier("p800-ccr"), CLIPS, KINDS)
DEMO = read(SURVEY / "demo.yaml", CLIPS, KINDS)
PROTOCOLS = read(SURVEY / "typing-protocols.yaml", CLIPS, KINDS)


def test_too_few_recordings_are_told_of_each_primary_trial() -> None:
    told = list(shortfalls(LITERAL, studies=300))[:2]
    assert [line.split(" has ")[0] for line in told] == ["podcast", "song"]
    assert "1 recording, and nothing that it finds is about other losses" in told[0]


def test_one_order_is_told_of_but_where_trials_turn_it() -> None:
    told = list(shortfalls(LITERAL, studies=300))[2:]
    assert [line.split(" tests nothing")[0] for line in told] == ["podcast", "song"]
    assert "everybody gets the same condition first" in told[0]
    # Over both clips either condition came first.
    literal = read(SURVEY / "lcn2008-listening-literal.yaml", CLIPS, KINDS)
    (few,) = shortfalls(literal, studies=300)
    assert few.startswith("changes has 2 recordings")


def test_a_plan_that_can_show_things_is_not_complained_about() -> None:
    assert not list(shortfalls(ACR, studies=300))
    assert not list(shortfalls(DEMO))
    # Its number of participants was chosen by this.
    assert not list(shortfalls(PROTOCOLS, studies=300))
    assert not list(shortfalls(TYPED, {"session": 0.85}, studies=300))


def test_too_few_participants_are_told_where_the_file_says_what_it_is_after() -> None:
    (told,) = shortfalls(TYPED, {"session": 0.6}, studies=300)
    assert told.startswith("with 26 participants, session would find its smallest effect, 0.6, in")
    told = next(shortfalls(CCR, {"a": 3.5}, studies=10))
    assert told == "votes of a cannot show an effect of 3.5"


def test_three_recordings_and_four_corrected_tests_miss_even_what_is_large() -> None:
    (told,) = shortfalls(CCR, studies=300)
    assert told.startswith("with 48 participants, a, b, c, d would find even a large effect (+1.0)")
