"""`companion roll`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from companion.cli.asking import Answers, resolve
from companion.cli.session import asks, session
from companion.engine import dice as throws
from companion.engine.needs import Result

if TYPE_CHECKING:
    from companion.cli.session import Session


def roll_command(
    table: Annotated[str | None, Argument(help="Table number; without it, what is pending first.")] = None,
    game: Annotated[str | None, Option(help="The game, when no campaign is in use.")] = None,
    dice: Annotated[
        str | None, Option(help="Your dice: 3,4; further groups feed the rolls that follow: 3,4/2.")
    ] = None,
    auto: Annotated[bool, Option("--auto", help="Let the companion roll.")] = False,
    seed: Annotated[int | None, Option(help="Makes --auto repeatable.")] = None,
    given: Annotated[list[str] | None, Option("--with", help="FACT=VALUE for this roll only.")] = None,
    outcome: Annotated[str | None, Option(help="What the printed row of your own book says.")] = None,
    dry_run: Annotated[bool, Option("--dry-run", help="Show what would happen, record nothing.")] = False,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """Resolve a table with every modifier that applies now."""
    with session(game, record=not dry_run, hold=not asks(json)) as found:
        answers = Answers(
            throws.groups(dice) if dice is not None else [],
            found.pack.sheet.given(given or ()),
            outcome=outcome,
            auto=auto or seed is not None,
            seed=seed,
        )
        results = resolve(found.mission, table, answers, asks(json))
    if json:
        import json as form

        print(form.dumps(as_object(results, found)))
    else:
        from companion.cli.present import show_results

        show_results(results, found, recorded=found.recording)


def as_object(results: list[Result], found: Session) -> dict[str, Any]:
    """A roll as the object of the machine-readable face; what it led to at once stands in `chain`."""
    first, *rest = [_one(result, found) for result in results]
    first["chain"] = [{**each, "chain": []} for each in rest]
    return first


def _one(result: Result, found: Session) -> dict[str, Any]:
    made: dict[str, Any] = {
        "game": found.pack.name,
        "table": result.table,
        "title": result.title,
        "dice": result.dice,
        "rolled": result.rolled,
        "modifiers": [{"add": each.add, "why": each.why, "cite": each.modifier.cite} for each in result.applied],
        "net": result.net,
        "natural": result.natural,
        "outcome": result.outcome,
        "text": result.text,
        "then": result.then,
        "changes": [{"field": name, "before": before, "after": after} for name, before, after in result.shown],
        "assumed": result.assumed,
    }
    if result.steps:
        made["steps"] = [{"from": step.before, "to": step.after, "why": step.why} for step in result.steps]
    if result.patched:
        made["patched"] = result.patched
    if result.notes:
        made["notes"] = [{"text": text, "cite": cite} for text, cite in result.notes]
    return made
