"""Words and numbers: printed or typed text becomes a number or a slug."""

import pytest

from companion.engine.tables import span
from companion.words import figure, printed, slug


def test_what_a_book_says_becomes_an_outcome() -> None:
    assert (printed("+2"), printed("-1"), printed("12")) == (2, -1, 12)
    assert (printed("Safe landing!"), slug("  On   Target ")) == ("safe-landing", "on-target")
    assert (slug("-2 WJ"), slug("10:30 low"), slug("***")) == ("-2-wj", "10:30-low", "none")


@pytest.mark.parametrize(
    ("typed", "outcome"),
    [
        ("Tokyo; Aircraft Factory; HI; Day", "tokyo;aircraft-factory;hi;day"),
        ("Me 109 @ 12 high ; FW-190 @ dive", "me-109@12-high;fw-190@dive"), ("2 (1)", "2(1)"),
        ("Walking hits (d)", "walking-hits-d"), ("3 - 1", "3-1"), ("3 + 1", "3+1"), ("3–1", "3-1"), ("-2/WJ", "-2-wj"),
        ("- 2", -2), ("+ 2", 2),
    ],
)  # fmt: skip
def test_blanks_beside_a_sign_are_no_part_of_a_row(typed: str, outcome: str | int) -> None:
    assert printed(typed) == outcome


@pytest.mark.parametrize("two", ["6 5", "6,5", "6/5", "6_5", "6, 5", "6 / 5"])
def test_two_numbers_get_no_hyphen_unless_typed(two: str) -> None:
    assert printed(two) == "6,5"


@pytest.mark.parametrize("number", ["7", "+7", " 7 ", "-7", "007"])
def test_a_figure_is_written_in_the_ten_digits(number: str) -> None:
    assert figure(number) == printed(number) == (-7 if "-" in number else 7)


@pytest.mark.parametrize("word", ["", "²", "٣", "1_0", "+", "--1", "1.0", "0x1", "6" * 5000])
def test_what_only_looks_like_a_figure_is_a_word(word: str) -> None:
    assert figure(word) is None
    assert isinstance(printed(word), str)


@pytest.mark.parametrize("row", ["", "..", "5..3", "٣", "1_0", "1-3", "²..", "1...3"])
def test_text_that_is_not_a_row(row: str) -> None:
    with pytest.raises(ValueError, match="isn't a number or a range"):
        span(row)
