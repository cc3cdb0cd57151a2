"""Weather, wind, searchlights and seats along the way, and automatic steps."""

import pytest

from tests.support import Run, begin


@pytest.mark.section("b29 9.1")
def test_a_man_in_another_seat_is_settled_at_that_seat(companion: Run) -> None:
    begin(companion, "b29")
    companion("set", "crew.radar-operator=serious", "name.radar-operator=Roy Castellano", "name.cfc=Abe Feldman")
    companion("set", "bomber.fate=returned", "target.city=kobe")
    refused = companion("mission", "start", "--yes")
    assert refused.code == 2
    assert 'companion roll 7-13.fate --with "position=Radar operator"' in refused.err
    companion("roll", "7-13.fate", "--with", "position=radar-operator", "--outcome", "duty")
    assert companion("mission", "start", "--yes").code == 0
