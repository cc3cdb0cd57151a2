"""`story.toml` being compiled: the conditions and the wordings of what is told of a mission."""

from __future__ import annotations

from companion.packs.language.file import Doc, FileWriter
from companion.packs.language.module import Scope
from companion.packs.language.names import ANY, NUMBER, TEXT, Kind

EVENT: dict[str, Kind] = {"was": ANY, "value": ANY, "more": NUMBER, "times": TEXT, "what": TEXT, "told": TEXT}
"""What a sentence may speak of besides the sheet: a change before and after, its amount (`times` in words: `(twice)`),
its field, and all that is told together."""


def story(file: FileWriter, doc: Doc) -> None:
    """Each wording of a text stands in `texts` as a part of its own."""
    local = {**file.of_rolls(), **{name: kind for name, kind in EVENT.items() if name not in file.names.fields}}
    scope = Scope(file.names, local)
    file.text(doc, "title", scope)
    for key in ("chapter", "line", "end", "short"):
        for number, part in enumerate(doc.get(key, ()), 1):
            with file.within(f"{key} {number}"):
                file.condition(part, "when", scope)
                file.text(part, "title", scope)
                file.text(part, "by" if key == "chapter" else "as", scope)
                texts = part.get("text", "")
                part["texts"] = [{"text": each} for each in ([texts] if isinstance(texts, str) else texts) if each]
                for each in part["texts"]:
                    file.text(each, "text", scope)
