"""`companion doctor` on the player's packs: every file is named, and what is wrong with it."""

from __future__ import annotations

from tests.support import ERRATA, Lay, Run


def test_the_doctor_names_every_file_of_the_players_packs(companion: Run, lay: Lay) -> None:
    sound, unread = lay("8-1.toml", ERRATA), lay("5-7.toml", "[[patch]\n")
    astray = [lay("5-8.toml", ERRATA, "."), lay("5-8.toml", ERRATA, "B29").parent]
    ran = companion("doctor")
    assert ran.code == 1 and ran.err.count("\n") == 1 and "tables reset TABLE" in ran.err
    assert f"sound    {sound}: yours; prove it with: companion tables check\n" in ran.out
    assert f"damaged  {unread}: is not valid TOML" in ran.out
    assert all(f"foreign  {each}: none of ours; nothing reads it\n" in ran.out for each in astray)
    assert "There are no campaigns yet" in ran.out
