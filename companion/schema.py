"""The format of a pack as a JSON Schema: what `companion tables schema` prints and `companion tables check` goes by.

`tables/README.md` explains each word. A whole file and a `[[patch]]` over one take the same words; a patch needs none
of them, and may also take out what has a name (`remove`) and say where something new goes (`after`, `before`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Form = dict[str, Any]

TEXT: Form = {"type": "string"}
COUNT: Form = {"type": "integer"}
YES: Form = {"type": "boolean"}
WORD_OR_NUMBER: Form = {"type": ["string", "integer"]}
TEXTS: Form = {"type": "array", "items": TEXT}
TEXT_OR_TEXTS: Form = {"anyOf": [TEXT, TEXTS]}
DICE: Form = {
    "description": "dice such as 1D, 2D or D66, - for none, ? where only the book knows",
    "type": "string",
    "pattern": r"^([1-9][0-9]?[dD]|[dD]66|-|\?)$",
}
FILES = ("table", "sheet", "rules", "sequence", "choices")  # and the pack's own, which a folder lays over key by key


def of(name: str) -> Form:
    """What is defined under that name."""
    return {"$ref": f"#/$defs/{name}"}


def listed(name: str) -> Form:
    """A list of what is defined under that name."""
    return {"type": "array", "items": of(name)}


def named(form: Form) -> Form:
    """A table of such things by names that a pack makes up."""
    return {"type": "object", "additionalProperties": form}


def texts(*names: str) -> Form:
    """Keys that take a text."""
    return dict.fromkeys(names, TEXT)


def record(properties: Form, *required: str) -> Form:
    """A table with these keys and no others."""
    made = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**made, "required": list(required)} if required else made


def one_needed(names: Iterable[str]) -> Form:
    """At least one of these keys stands there."""
    return {"anyOf": [{"required": [name]} for name in names]}


CONDITION, ROWS, EFFECTS, THEN = of("condition"), of("rows"), listed("effect"), listed("then")
STEPS: Form = {"type": "array", "items": {"anyOf": [WORD_OR_NUMBER, of("adjust")]}}
BIND = named(WORD_OR_NUMBER)
MEMBERS: Form = {**texts("each", "as"), "where": CONDITION}
ORDER: Form = {**texts("order", "cite"), "done": CONDITION}
DOES: Form = {"text": TEXT, "effects": EFFECTS, "then": THEN}
VERBS = ("set", "mark", "erase", "add", "clear", "drop", "swap", "order")

COMMON: Form = {
    "condition": {
        "description": "Facts and what they must be; any, all, not, some, none, count.",
        "type": "object",
        "properties": {
            **dict.fromkeys(("any", "all"), listed("condition")),
            "not": CONDITION,
            "column": TEXT,
            **dict.fromkeys(("some", "none"), record(MEMBERS, "each")),
            "count": record({**MEMBERS, **dict.fromkeys(("min", "max", "is"), COUNT)}, "each"),
        },
        "additionalProperties": {
            "anyOf": [
                WORD_OR_NUMBER,
                {"type": "array", "items": WORD_OR_NUMBER},
                record(
                    {
                        **dict.fromkeys(("min", "max", "is"), WORD_OR_NUMBER),
                        "not": {"anyOf": [WORD_OR_NUMBER, {"type": "array", "items": WORD_OR_NUMBER}]},
                    }
                ),
            ]
        },
    },
    "rows": {
        "type": "object",
        "propertyNames": {
            "description": "a number or a range such as ..3, 4..6 or 7..",
            "pattern": r"^(-?[0-9]+|-?[0-9]+\.\.(-?[0-9]+)?|\.\.-?[0-9]+)$",
        },
        "additionalProperties": {"anyOf": [of("result"), listed("result")]},
    },
    "result": {"anyOf": [WORD_OR_NUMBER, record({"as": WORD_OR_NUMBER, "bind": BIND, "text": TEXT}, "as")]},
    "adjust": record(
        {
            "when": CONDITION,
            **texts("why", "cite"),
            **dict.fromkeys(("add", "less", "times", "min", "max", "is", "dice"), WORD_OR_NUMBER),
            **dict.fromkeys(("halve", "half-again"), {"enum": ["up", "down"]}),
        }
    ),
    "effect": {
        **record(
            {
                **MEMBERS,
                **ORDER,
                **texts("mark", "erase", "clear", "drop", "swap", "with", "add"),
                "set": {"anyOf": [TEXT, named(WORD_OR_NUMBER)]},
                **dict.fromkeys(("to", "n"), WORD_OR_NUMBER),
                "when": CONDITION,
            }
        ),
        **one_needed(VERBS),
        "dependentRequired": {"swap": ["with"], "with": ["swap"], "to": ["set"], "done": ["order"]},
        "if": {"required": ["set"], "not": {"required": ["add"]}},
        "then": {"required": ["to"]},
    },
    "then": {
        "anyOf": [
            TEXT,
            {
                **record(
                    {
                        **MEMBERS,
                        **ORDER,
                        **texts("roll", "choose", "ask"),
                        "take": {
                            "description": "a range of rows such as 2..12",
                            "type": "string",
                            "pattern": r"^-?[0-9]+\.\.-?[0-9]+$",
                        },
                        **dict.fromkeys(("times", "usual"), WORD_OR_NUMBER),
                        "bind": BIND,
                        "when": CONDITION,
                        **dict.fromkeys(("later", "last", "always"), YES),
                    }
                ),
                **one_needed(("roll", "choose", "ask", "order")),
            },
        ]
    },
    "case": record({"when": CONDITION, **DOES}),
    "case-with-order": record({"when": CONDITION, **DOES, **ORDER}),
    "pack": record(
        {
            **texts("id", "title", "publisher", "extends", "aircraft"),
            "missions": COUNT,
            **dict.fromkeys(("sources", "briefing", "debrief", "landing"), TEXTS),
            "names": named(TEXT),
            "status": record(
                {
                    "lines": {"type": "array", "items": TEXTS},
                    **dict.fromkeys(("boxes", "elsewhere"), TEXTS),
                    "people": record({**texts("title", "name", "boxes"), "states": {**TEXTS, "minItems": 1}}, "states"),
                    "beside": record({"title": TEXT, "fields": TEXTS}, "fields"),
                }
            ),
            "log": record(
                {
                    "columns": {"type": "array", "items": {**TEXTS, "minItems": 2, "maxItems": 2}},
                    **dict.fromkeys(("counts", "aircraft-lost"), CONDITION),
                    **texts("result", "average", "flew", "lost", "aircraft-end"),
                    **dict.fromkeys(("sides", "fates"), named(TEXT)),
                    "standing": named(CONDITION),
                    "ratings": record(dict.fromkeys(("missions", "percent"), ROWS)),
                    "unsettled": {
                        "type": "array",
                        "items": record({"where": CONDITION, **texts("why", "roll")}, "where", "why", "roll"),
                    },
                }
            ),
            "print": record(
                {
                    **texts("mission", "campaign", "crew", "damage"),
                    "join": named(TEXT),
                    **dict.fromkeys(("when-filled", "without"), TEXTS),
                    "words": named({"anyOf": [TEXT, named(TEXT)]}),
                }
            ),
            "reveal": record({"title": TEXT, "facts": TEXTS}, "facts"),
            "damage": record(texts("city", "boxes", "percent", "of", "known", "note"), "city", "boxes", "percent"),
        }
    ),
}


def forms(patch: bool) -> Form:
    """What stands in a file and can be changed piece by piece; as it stands there, or as a patch says it."""

    def own(name: str) -> Form:
        return of(f"patched-{name}" if patch else name)

    def own_list(name: str) -> Form:
        return {"type": "array", "items": own(name)}

    def whole(properties: Form, *required: str) -> Form:
        if patch:
            return record({**properties, "remove": YES, **texts("after", "before")})
        return record(properties, *required)

    def removable(form: Form) -> Form:
        return {"anyOf": [form, record({"remove": YES}, "remove")]} if patch else form

    die = {  # a die with its rows: a table, a note that is a small table, a row that is rolled for further
        **texts("title", "cite", "note"),
        "owner": YES,
        "bind": BIND,
        "rows": ROWS,
        **{name: own_list(name) for name in ("column", "modifier", "natural")},
        "outcome": named(own("outcome")),
        "sub": named(own("sub")),
        "number": own("outcome"),
        "adjust": listed("adjust"),
        "value": STEPS,
    }
    outcome = {**die, **DOES, "roll": DICE, "repeat": YES, "cases": own_list("row-case")}
    table = {**die, "dice": DICE, **texts("question", "once", "about"), "usual": TEXT_OR_TEXTS}
    index: list[Form] = [
        {"type": "integer", "minimum": 1, "maximum": 1000},
        TEXTS,
        {
            "type": "object",
            "properties": {
                "count": COUNT,
                **texts("present", "told"),
                "ask": YES,
                **({"remove": YES} if patch else {}),
            },
            "additionalProperties": named(WORD_OR_NUMBER),
        },
    ]

    def row(properties: Form) -> Form:
        """The results of a row's own die stand beside its words, under names of their own."""
        made = whole(properties)
        made["additionalProperties"] = own("outcome")
        if not patch:
            made["if"] = {"not": one_needed(("rows", "column", "cases"))}
            made["then"] = {"propertyNames": {"enum": list(properties)}}
        return made

    return {
        "table": record({"id": TEXT, **table}, "id", "title") if not patch else record(table),
        "sub": whole({**die, "text": TEXT, "roll": DICE, "dice": DICE}),
        "outcome": row(outcome),
        "row-case": row({**outcome, "when": CONDITION}),
        "column": whole({"title": TEXT, "when": CONDITION, "rows": ROWS, "dice": DICE, "modifiers": TEXTS}, "rows"),
        "modifier": whole({**texts("id", "per", "why", "cite", "group"), "add": COUNT, "when": CONDITION}, "id", "why"),
        "natural": whole(
            {
                "id": TEXT,
                "roll": {"anyOf": [COUNT, {"type": "array", "items": COUNT}]},
                "outcome": WORD_OR_NUMBER,
                "when": CONDITION,
                "max": COUNT,
                "said": YES,
            },
            "roll",
            "outcome",
        ),
        "sheet": record(
            {
                "section": named(removable(TEXT)),
                "index": named({"anyOf": index}),
                "field": named(own("field")),
                "derive": named(own("derive")),
            }
        ),
        "field": whole(
            {
                **texts("label", "until", "section", "cite"),
                "kind": {"enum": ["choice", "count", "boxes", "number", "text", "list"]},
                "values": TEXTS,
                "default": WORD_OR_NUMBER,
                **dict.fromkeys(("limit", "low"), COUNT),
                **dict.fromkeys(("ask", "words"), YES),
                "known": named(TEXT),
            }
        ),
        "derive": {
            **whole(
                {
                    **texts("label", "table", "part"),
                    "values": TEXTS,
                    "default": WORD_OR_NUMBER,
                    "cases": {"type": "array", "items": record({"when": CONDITION, "is": WORD_OR_NUMBER}, "is")},
                    "count": record(MEMBERS, "each"),
                    "sum": TEXTS,
                    "value": STEPS,
                }
            ),
            "dependentRequired": {} if patch else {"table": ["part"], "part": ["table"]},
        },
        "rules": record({"rule": own_list("rule")}),
        "rule": whole(
            {
                "id": TEXT,
                **MEMBERS,
                "on": TEXT_OR_TEXTS,
                "when": CONDITION,
                **DOES,
                **ORDER,
                "cases": listed("case-with-order"),
            }
        ),
        "sequence": record({"step": own_list("step")}),
        "step": whole(
            {**texts("id", "title", "go"), "when": CONDITION, **DOES, **ORDER, "cases": listed("case-with-order")},
            "id",
            "title",
        ),
        "choices": record({"choice": named(own("choice"))}),
        "choice": whole({**texts("title", "cite"), "usual": TEXTS, "option": own_list("option")}, "title", "option"),
        "option": whole(
            {
                "name": TEXT,
                **MEMBERS,
                "when": CONDITION,
                "usual": CONDITION,
                "of": record(texts("table", "as"), "table", "as"),
                **DOES,
                "cases": listed("case"),
            },
            "name",
        ),
    }


WHOLE, PATCHED = forms(False), forms(True)


def patch_of(file: str) -> Form:
    """A piece of the file, merged into the one below; for a table also one modifier or one row in a line."""
    properties: Form = {"reason": {"type": "string", "minLength": 1}, **PATCHED[file]["properties"]}
    made = record(properties, "reason")
    if file == "table":
        modifier = {key: form for key, form in PATCHED["modifier"]["properties"].items() if key != "id"}
        line = {
            "transcribed": YES,
            "row": WORD_OR_NUMBER,
            "to": {"anyOf": [of("result"), listed("result")]},
            **modifier,
        }
        properties.update({key: form for key, form in line.items() if key not in properties})
        properties.update({key: {"anyOf": [TEXT, properties[key]]} for key in ("modifier", "column")})
        made["dependentRequired"] = {"row": ["to"], "to": ["row"], **dict.fromkeys(("add", "per"), ["modifier"])}
    return made


SCHEMA: Form = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A file of a bomber companion pack",
    "description": "One TOML file; words and meanings stand in tables/README.md.",
    "anyOf": [of(f"{start}{name}") for name in FILES for start in ("", "patches-of-")] + [of("pack")],
    "$defs": {
        **COMMON,
        **WHOLE,
        **{f"patched-{name}": form for name, form in PATCHED.items()},
        **{f"patch-of-{name}": patch_of(name) for name in FILES},
        **{
            f"patches-of-{name}": record({"patch": {**listed(f"patch-of-{name}"), "minItems": 1}}, "patch")
            for name in FILES
        },
    },
}
