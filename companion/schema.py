"""The table format as a JSON Schema: what `companion tables schema` prints. `tables/README.md` explains each word."""

from __future__ import annotations

from typing import Any

TEXT: dict[str, Any] = {"type": "string"}
COUNT: dict[str, Any] = {"type": "integer"}
CONDITION: dict[str, Any] = {"$ref": "#/$defs/condition"}
DICE: dict[str, Any] = {"type": "string", "pattern": r"^([1-9][0-9]?[dD]|[dD]66|-|\?)$"}
WORD_OR_NUMBER: dict[str, Any] = {"type": ["string", "integer"]}
THEN: dict[str, Any] = {"type": "array", "items": {"$ref": "#/$defs/then"}}


def listed(name: str) -> dict[str, Any]:
    """A list of what is defined below."""
    return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}


def record(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    """A table with these keys and no others."""
    made = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**made, "required": list(required)} if required else made


NAMES: dict[str, Any] = {"each": TEXT, "as": TEXT, "where": CONDITION, "when": CONDITION}
DOES: dict[str, Any] = {
    "text": TEXT,
    "effects": listed("effect"),
    "then": THEN,
    "order": TEXT,
    "done": CONDITION,
    "cite": TEXT,
    "repeat": {"type": "boolean"},
    "value": {"type": "array"},
    "bind": {"type": "object"},
}
STEP: dict[str, Any] = {
    "when": CONDITION,
    "why": TEXT,
    **dict.fromkeys(("add", "less", "times", "min", "max", "is"), WORD_OR_NUMBER),
    "halve": {"enum": ["up", "down"]},
    "half-again": {"enum": ["up", "down"]},
    "note": TEXT,
    "dice": TEXT,
}
TABLE: dict[str, Any] = {
    "title": TEXT,
    "dice": DICE,
    "cite": TEXT,
    "note": TEXT,
    "question": TEXT,
    "owner": {"type": "boolean"},
    "usual": {"anyOf": [TEXT, {"type": "array", "items": TEXT}]},
    "once": TEXT,
    "bind": {"type": "object"},
    "rows": {"$ref": "#/$defs/rows"},
    "column": listed("column"),
    "modifier": listed("modifier"),
    "natural": listed("natural"),
    "outcome": {"type": "object", "additionalProperties": {"$ref": "#/$defs/outcome"}},
    "sub": {"type": "object", "additionalProperties": {"$ref": "#/$defs/sub"}},
    "number": {"$ref": "#/$defs/outcome"},
    "adjust": listed("adjust"),
    "value": {"type": "array"},
    "let": {"type": "object"},
}

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A table of a bomber companion pack",
    "description": "One TOML file; words and meanings stand in tables/README.md.",
    "oneOf": [{"$ref": "#/$defs/table"}, {"$ref": "#/$defs/patches"}],
    "$defs": {
        "table": record({"id": TEXT, **TABLE}, "id", "title"),
        "patches": {
            "type": "object",
            "properties": {"patch": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/patch"}}},
            "required": ["patch"],
            "additionalProperties": False,
        },
        "patch": {
            "description": "A piece of a table, merged into the one below; or one modifier or row in a line.",
            "type": "object",
            "required": ["reason"],
            "properties": {
                "reason": {"type": "string", "minLength": 1},
                "transcribed": {"type": "boolean"},
                "row": WORD_OR_NUMBER,
                "to": {"$ref": "#/$defs/result"},
                "remove": {"type": "boolean"},
                "modifier": {"anyOf": [TEXT, {"type": "array", "items": {"type": "object"}}]},
                "column": {"anyOf": [TEXT, {"type": "array", "items": {"type": "object"}}]},
            },
        },
        "rows": {
            "type": "object",
            "propertyNames": {"pattern": r"^(-?[0-9]+|-?[0-9]+\.\.(-?[0-9]+)?|\.\.-?[0-9]+)$"},
            "additionalProperties": {
                "anyOf": [
                    {"$ref": "#/$defs/result"},
                    {"type": "array", "items": {"$ref": "#/$defs/result"}},
                ]
            },
        },
        "result": {
            "anyOf": [
                WORD_OR_NUMBER,
                record({"as": WORD_OR_NUMBER, "bind": {"type": "object"}, "text": TEXT}, "as"),
            ]
        },
        "column": record(
            {
                "title": TEXT,
                "when": CONDITION,
                "rows": {"$ref": "#/$defs/rows"},
                "dice": DICE,
                "modifiers": {"type": "array", "items": TEXT},
            },
            "rows",
        ),
        "modifier": record(
            {"id": TEXT, "add": COUNT, "when": CONDITION, "per": TEXT, "why": TEXT, "cite": TEXT, "group": TEXT},
            "id",
            "why",
        ),
        "natural": record(
            {
                "roll": {"anyOf": [COUNT, {"type": "array", "items": COUNT}]},
                "outcome": WORD_OR_NUMBER,
                "when": CONDITION,
                "max": COUNT,
                "cite": TEXT,
            },
            "roll",
            "outcome",
        ),
        "adjust": record(STEP),
        "condition": {
            "type": "object",
            "description": "Facts and what they must be; any, all, not, some, none, count.",
        },
        "effect": record(
            {
                **NAMES,
                **dict.fromkeys(("mark", "erase", "clear", "drop", "swap", "with", "order", "cite", "add"), TEXT),
                "set": {"anyOf": [TEXT, {"type": "object"}]},
                "to": WORD_OR_NUMBER,
                "n": WORD_OR_NUMBER,
                "done": CONDITION,
            }
        ),
        "then": {
            "anyOf": [
                TEXT,
                record(
                    {
                        **NAMES,
                        **dict.fromkeys(("roll", "choose", "ask", "order", "cite", "take"), TEXT),
                        "times": WORD_OR_NUMBER,
                        "usual": WORD_OR_NUMBER,
                        "bind": {"type": "object"},
                        "done": CONDITION,
                        **{word: {"type": "boolean"} for word in ("later", "last", "always")},
                    }
                ),
            ]
        },
        "outcome": {
            "description": "What a result does; results of its own die stand beside it under their names.",
            "type": "object",
            "properties": {
                **DOES,
                "roll": DICE,
                "title": TEXT,
                "rows": {"$ref": "#/$defs/rows"},
                "column": listed("column"),
                "modifier": listed("modifier"),
                "natural": listed("natural"),
                "adjust": listed("adjust"),
                "owner": {"type": "boolean"},
                "cases": {"type": "array", "items": {"$ref": "#/$defs/outcome"}},
                "when": CONDITION,
            },
        },
        "sub": {
            "type": "object",
            "properties": {**TABLE, **DOES, "bind": {"type": "object"}, "roll": DICE, "value": {"type": "array"}},
            "additionalProperties": False,
        },
    },
}
