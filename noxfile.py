"""`nox` makes the checks that a change has to pass; `nox --list` shows the sessions, `nox -s quick` runs one.

nox and not just: it makes the environments, finds the Pythons, and runs alike on Linux, macOS and Windows.
What stands behind `--` goes to the tool: `nox -s tests-3.13 -- tests/engine -k odds`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import nox

nox.needs_version = ">=2024.4"
nox.options.sessions = ["lint", "types", "quick"]
nox.options.reuse_venv = "yes"

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
UNIX = re.compile(r"\b(?:pexpect|terminal\.expect|import (?:fcntl|resource|pty)|os\.kill)\b|/dev/")


def left_out() -> list[str]:
    """On Windows, the test files that need a terminal, locks or signals of Unix."""
    if os.name != "nt":
        return []
    return [f"--ignore={file}" for file in Path("tests").rglob("test_*.py") if UNIX.search(file.read_text("utf-8"))]


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Every test, on each Python that is here."""
    session.install("-e", ".[test]")
    session.run("pytest", "-q", "-m", "", *left_out(), *session.posargs)


@nox.session
def quick(session: nox.Session) -> None:
    """The tests without those that are marked as slow."""
    session.install("-e", ".[test]")
    session.run("pytest", "-q", *left_out(), *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Style and the small mistakes."""
    session.install("ruff")
    session.run("ruff", "check", *session.posargs, ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """mypy, strict, on the whole program."""
    session.install("-e", ".[dev]")
    session.run("mypy", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Start-up and speed as ratios that hold on any machine; the program installed as players have it."""
    session.install(".")
    session.run("python", "-m", "tests.bench", *session.posargs)


@nox.session
def pictures(session: nox.Session) -> None:
    """Draw the README's pictures again, and write its reference of commands."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "tests.pictures")
    session.run("python", "-m", "tests.readme")
