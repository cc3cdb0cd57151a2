"""What sentences come down to, member by member: which fields lie behind a condition, and what reads a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.packs.language.names import Argument, Named, Names, Read, every, named_member

Members = Sequence[str | None]  # of a fact or a rule, in the places of its arguments; None where any may be


class Closure:
    """What sentences come down to, member by member."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._below: dict[str, set[str]] = {}

    def singles(self, read: Read, members: Members) -> list[tuple[str, str, tuple[str, ...]]]:
        """The single names that a read can mean, each with its pattern and members."""
        pattern, args = read
        named = self.names.declared(pattern)
        if named is None or not named.indexes:
            return [(pattern, pattern, ())]
        whole = named_member(args[0]) if len(args) == 1 else None
        if whole in self.names.singles:
            ways = map(tuple, self._ways(named))
            return [(whole, pattern, way) for way in ways if named.single(way) == whole]
        likely = [self._likely(argument, index, members) for argument, index in zip(args, named.indexes, strict=True)]
        return [(named.single(way), pattern, tuple(way)) for way in every(likely)]

    def _likely(self, argument: Argument, index: str, members: Members) -> list[str]:
        """The members that one of a read's arguments can be."""
        if argument is not None:
            sort, which = argument
            if sort == "=":
                return [str(which)]
            member = members[which] if isinstance(which, int) else None
            if member is not None:
                return [member]
        return list(self.names.index[index])

    def _ways(self, named: Named) -> list[list[str]]:
        return every([list(self.names.index[index]) for index in named.indexes])

    def fields(self, reads: Iterable[Read], members: Members = ()) -> set[str]:
        """Every field, and every name that is bound, behind these reads."""
        names: set[str] = set()
        for read in reads:
            for name, pattern, own in self.singles(read, members):
                names |= self._behind(name, pattern, own) if pattern in self.names.facts else {name}
        return names

    def _behind(self, name: str, pattern: str, members: Sequence[str]) -> set[str]:
        if name not in self._below:
            self._below[name] = set()
            self._below[name] = self.fields(self.names.fact(pattern).reads, members)
        return self._below[name]

    def readers(self) -> dict[str, list[str]]:
        """For every name: the worked-out facts that read it themselves, and what is read of one bound."""
        readers: dict[str, list[str]] = {}
        for index, members in self.names.index.items():
            for each in self._bound(index) - {index}:
                readers.setdefault(each, []).append(index)
            for key in dict.fromkeys(key for attributes in members.values() for key in attributes):
                readers.setdefault(index, []).append(f"{index}.{key}")
        for named, _ in self.names.fields.values():
            if len(named.indexes) == 1 and named.parts[0] == f"{named.indexes[0]}.":
                short = f"{named.indexes[0]}.{named.parts[1].lstrip('.')}"
                singles = (named.single([member]) for member in self.names.index[named.indexes[0]])
                for each in (named.indexes[0], *singles):
                    readers.setdefault(each, []).append(short)
        for pattern, (named, _) in self.names.facts.items():
            for own in self._ways(named):
                for each in self._read(pattern, own):
                    readers.setdefault(each, []).append(named.single(own) if named.indexes else pattern)
        for pattern in self.names.asked:
            self._of_slots(self.names.fields[pattern][0], readers)
        return readers

    def _of_slots(self, named: Named, readers: dict[str, list[str]]) -> None:
        """What is asked for of a used slot alone counts no longer when a slot is filled, emptied or meant."""
        index = named.indexes[0] if len(named.indexes) == 1 else ""
        present = self.names.fields.get(self.names.present.get(index, ""))
        if present is None or named.parts[0] != f"{index}.":
            return
        for member in self.names.index[index]:
            for each in (index, present[0].single([member])):
                readers.setdefault(each, []).append(named.single([member]))

    def _bound(self, index: str) -> set[str]:
        """What decides which member is meant: its name, and where none is bound the fields that tell who is there."""
        present = self.names.present.get(index)
        if present is None or present not in self.names.fields:
            return {index}
        return {index, *(self.names.fields[present][0].single([member]) for member in self.names.index[index])}

    def _read(self, pattern: str, members: Sequence[str]) -> set[str]:
        """The names that a fact reads itself."""
        return {each for read in self.names.fact(pattern).reads for each, _, _ in self.singles(read, members)}
