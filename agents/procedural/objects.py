"""What a text lends, sells, books or mends: the things named beside a few plain verbs and nouns of English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .inflection import plural, singular
from .words_in_text import folded

RESOURCE, BOOKING, ITEM, TICKET = "resources.resource", "bookings.booking", "catalogue.item", "tickets.ticket"


class Objects(NamedTuple):
    """`nouns`: `archetype.entity` → nouns, singular; `asked`: archetypes that the verbs speak of; `done`: those that
    verbs speak of which are used of many matters."""

    nouns: Mapping[str, tuple[str, ...]]
    asked: frozenset[str]
    done: frozenset[str]


class _Deed(NamedTuple):
    verbs: str
    """Forms of the verb; those before the thing."""
    behind: str
    """Nouns that stand behind the thing (`kayak rental`)."""
    key: str
    asked: tuple[str, ...]
    called: tuple[tuple[str, str], ...] = ()
    """What the deed makes other entities be called."""


_DEEDS = (
    _Deed(
        r"rent(?:s|ed|ing)?(?: out)?|hir(?:es|ed|ing|e)(?: out)?",
        r"rentals?|hire",
        RESOURCE,
        ("resources", "bookings"),
        ((BOOKING, "rental"),),
    ),
    _Deed(
        r"len(?:ds?|t|ding)(?: out)?|loan(?:s|ed|ing)?|borrow(?:s|ed|ing)?|shar(?:es|ed|ing|e)",
        r"lending|sharing|loans?",
        RESOURCE,
        ("resources", "bookings"),
        ((BOOKING, "loan"),),
    ),
    _Deed(
        r"book(?:s|ed|ing)?|reserv(?:es|ed|ing|e)", r"bookings?|reservations?", RESOURCE, ("resources", "bookings")
    ),
    _Deed(
        r"sell(?:s|ing)?|sold|stock(?:s|ed|ing)?",
        r"shops?|stores?|sales|delivery|deliveries",
        ITEM,
        ("catalogue", "orders"),
    ),
    _Deed(
        r"repair(?:s|ed|ing)?|mend(?:s|ed|ing)?|fix(?:es|ed|ing)?|servic(?:es|ed|ing)",
        r"repairs?|maintenance",
        "",
        ("tickets",),
        ((TICKET, "repair"),),
    ),
    _Deed(r"(?:shop|store|marketplace|retailer) for", r"retailer", ITEM, ("catalogue", "orders")),
    _Deed("", r"appointments?|lessons?|classes|sessions?", "", ("bookings", "resources")),
)
_HINTS = (
    _Deed(r"report(?:s|ed|ing)?|complain(?:s|ed|ing)?", r"support|helpdesk|complaints?", "", ("tickets",)),
    _Deed(r"subscrib(?:es|ed|ing|e)|enrol(?:s|led|ling)?", r"memberships?|subscriptions?", "", ("memberships",)),
    _Deed(r"invoic(?:es|ed|ing|e)|bill(?:s|ed|ing)", r"deposits?|fees|bills", "", ("billing",)),
    _Deed(r"approv(?:es|ed|ing|e)|appl(?:y|ies|ied|ying)", r"approvals?|applications?|permits?", "", ("approvals",)),
    _Deed("", r"agency|agencies|tuning|cleaning|advice", "", ("bookings", "tickets")),
)
"""Deeds whose words are used of many matters."""
_VERBS = "|".join(deed.verbs for deed in (*_DEEDS, *_HINTS) if deed.verbs)
_THINGS = re.compile(
    r"\W*((?:(?!(?:and|or)\b)[a-z]+(?:-[a-z]+)*\s?){1,3}),?\s?(?:(?:and|or) ((?:[a-z]+(?:-[a-z]+)*\s?){1,2}))?"
)
_BEHIND = r"\b([a-z]{{3,}}(?:-[a-z]+)*) (?:{})\b"
_END_WORDS = """
a an the to from for by of in on at with per and or as who which that where when while their its our your his her them
it us me each every some any all more time times out up online via into onto under over between among
"""
_ENDS = frozenset(_END_WORDS.split())
_VAGUE_WORDS = """
thing service good item product lesson class appointment session visit money hour day week month place customer member
client person people staff kid child user guest offer stuff news result photo seat support way ticket problem issue
leak fault damage complaint order loan rental group track room space plan table home paper team
"""
VAGUE = frozenset(_VAGUE_WORDS.split())
"""Words that name no thing that could be lent or sold, or say nothing of what it is."""
_DOING_WORDS = """
give take make get want need bring keep have run find hand grant provide arrange handle manage process track pay seek
"""
_DOING = frozenset(_DOING_WORDS.split())
"""Verbs that stand before a deed that is named as a thing: who gives loans lends no gives."""
_ADJECTIVE_WORDS = """
small big little large local new old online corner second-hand used vintage independent family city town village
mobile general gift pawn coffee barber thrift department web app charity company equipment car-sharing short long self
guided free various different several many other own good great best cheap
"""
_ADJECTIVES = frozenset(_ADJECTIVE_WORDS.split())


def objects_of(text: str) -> Objects:
    """What the deeds of a text are done to. A shop of something sells it; that is asked for where nothing else is."""
    plain = " ".join(folded(text).split())
    nouns: dict[str, dict[str, None]] = {}
    asked: set[str] = set()
    sold: set[str] = set()
    done: set[str] = set()
    for deed in (*_DEEDS, *_HINTS):
        before = _verb(deed, plain)
        things = [thing for match in before for thing in _things_after(plain, match.end())]
        behind = list(re.finditer(_BEHIND.format(deed.behind), plain))
        things += [thing for match in behind for thing in _thing([match[1]], compound=True)]
        if not (before or behind or re.search(rf"\b(?:{deed.behind})\b", plain)):
            continue
        into = done if deed in _HINTS else asked if before or deed.key != ITEM else sold
        into.update(deed.asked)
        if deed.key and things:
            nouns.setdefault(deed.key, {}).update(dict.fromkeys(things))
        if things or not deed.key:
            for key, noun in deed.called:
                nouns.setdefault(key, {})[noun] = None
    return Objects(
        {key: tuple(listed)[:4] for key, listed in nouns.items()}, frozenset(asked or sold), frozenset(done)
    )


def _verb(deed: _Deed, text: str) -> list[re.Match[str]]:
    """Where the verb stands, taking verbs that share its object with it."""
    if not deed.verbs:
        return []
    return list(re.finditer(rf"\b(?:{deed.verbs})(?:(?:,| and| or|, and) (?:{_VERBS}))*(?= )", text))


def _things_after(text: str, at: int) -> Iterator[str]:
    match = _THINGS.match(text, at)
    if match is None or re.match(r"\W*[.;:!?]", text[at:]):
        return
    for group in match.groups():
        if not group:
            return
        yield from _thing(group.split())
        if not _ENDS.isdisjoint(group.split()):
            return  # What follows is another list: `courts to members and visitors`.


def _thing(said: Sequence[str], *, compound: bool = False) -> list[str]:
    """The noun of a phrase, singular: what stands before the first word that ends it. Only what can be counted."""
    kept: list[str] = []
    for word in said:
        if word in _ENDS:
            break
        kept.append(word)
    kept = [word for word in kept if word not in _ADJECTIVES]
    if compound and kept and singular(kept[0]) in _DOING:
        return []
    for place, word in enumerate(kept):
        one = singular(word)
        if one in VAGUE or len(one) < 3:
            return []
        if one != word and plural(one) == word:
            return [" ".join([*kept[:place], one])]
    return kept[:1] if compound and kept and kept[0] == singular(kept[0]) and not kept[0].endswith("ing") else []
