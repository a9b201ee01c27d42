"""Whether word lists can fill a seed, told so that a model can mend them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .drafts import GroupDraft, WordsDraft
from .word_lists import WordList

_MOST = 60
"""Words of one list."""
_PLAIN = re.compile(r"[^\x00-\x1f\x7f{}\[\]<>\"\\;:]+")


def word_problems(draft: WordsDraft, lists: Sequence[WordList]) -> Iterator[str]:
    known = {one.name: one for one in lists}
    for name in (*draft.lists, *draft.grouped):
        if name not in known:
            yield f"{name}: there is no such list here; there are {', '.join(known)}."
    for name, words in draft.lists.items():
        if name in known:
            yield from _of_kind(known[name], grouped=False)
            yield from _words(known[name], words)
    for name, groups in draft.grouped.items():
        if name in known:
            yield from _of_kind(known[name], grouped=True)
            yield from _headings(known[name], groups)
            yield from _words(known[name], [word for group in groups for word in group.words])


def entries(groups: Sequence[GroupDraft]) -> tuple[str, ...]:
    """Groups as the library writes them."""
    return tuple(f"{group.heading}: {'; '.join(group.words)}" for group in groups)


def _of_kind(wanted: WordList, *, grouped: bool) -> Iterator[str]:
    if wanted.grouped and not grouped:
        yield f"lists.{wanted.name}: has headings; give it under grouped."
    if grouped and not wanted.grouped:
        yield f"grouped.{wanted.name}: has no headings; give it under lists."


def _headings(wanted: WordList, groups: Sequence[GroupDraft]) -> Iterator[str]:
    if len(groups) < 2:
        yield f"grouped.{wanted.name}: give at least 2 headings."
    yield from _each(wanted, [group.heading for group in groups])


def _words(wanted: WordList, words: Sequence[str]) -> Iterator[str]:
    if not wanted.least <= len(words) <= _MOST:
        yield f"{wanted.name}: {len(words)} words; give {wanted.least} to {_MOST}."
    yield from _each(wanted, words)


def _each(wanted: WordList, words: Sequence[str]) -> Iterator[str]:
    seen: list[str] = []
    for word in words:
        if not _PLAIN.fullmatch(word):
            yield f'{wanted.name}: {word!r} must be plain words, without any of : ; " {{ }} [ ] < > and line breaks.'
        if len(word) > wanted.longest:
            yield f"{wanted.name}: {word!r} has {len(word)} characters; {wanted.longest} at most."
        alike = next((other for other in seen if word.lower() in other or other in word.lower()), None)
        if alike is not None:
            yield f"{wanted.name}: {word!r} and {alike!r} cannot be told apart, one being in the other."
        seen.append(word.lower())
