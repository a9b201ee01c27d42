"""How a request is said: greeting, frames around clauses, reasons, connections, thanks. Text in, text out.

A clause is an imperative without capital and full stop ("move Ada's booking to the terrace"); whole sentences are
taken as they are. Only `random.Random` passed in decides between forms that say the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from .formats import sentence
from .grammar import points_back
from .workflows import Tone


class Utterance(NamedTuple):
    """What one part asks: its clause or sentences, further clauses (`adds`), a reason, and whether it follows on
    from the part before (`join`: the word for it)."""

    text: str
    sentences: bool
    adds: tuple[str, ...] = ()
    why: str | None = None
    follows: bool = False
    join: str = "then"


GREETINGS: dict[Tone, tuple[str, ...]] = {
    "plain": ("", "", "", "Hello,", "Hi,"),
    "chatty": ("Hi there!", "Hey,", "Hi,", "Hello!", "Good morning!", "Hi, hope you're well.", ""),
    "terse": ("",),
}
FRAMES: dict[Tone, tuple[str, ...]] = {
    "plain": (
        "Please {}.",
        "Could you {}?",
        "Can you please {}?",
        "I need you to {}.",
        "I'd like you to {}.",
        "Could you please {}?",
        "Would you {}, please?",
    ),
    "chatty": (
        "Could you {} for me?",
        "When you get a moment, could you {}?",
        "I was hoping you could {}.",
        "Would you be able to {}?",
        "Could I ask you to {}?",
        "Can you do me a favour and {}?",
        "I wonder if you could {}.",
    ),
    "terse": ("{}.", "{}.", "Please {}.", "{}, please."),
}
REASONED = ("{why}, so please {clause}.", "{why}, so could you {clause}?", "{why}. Please {clause}.")
ANOTHER: dict[Tone, tuple[str, ...]] = {
    "plain": ("Please also {}.", "Also, {}.", "I also need you to {}.", "Besides that, {}.", "And could you {}?"),
    "chatty": (
        "While you're at it, {}.",
        "Oh, and could you also {}?",
        "One more thing: {}.",
        "And if you could also {}, that would be great.",
        "Also, would you {}?",
    ),
    "terse": ("Also {}.", "And {}.", "Then {}."),
}
NEXT: dict[Tone, tuple[str, ...]] = {
    "plain": ("Then {}.", "After that, {}.", "Once that is done, {}.", "Afterwards, {}."),
    "chatty": (
        "Once that's done, could you {}?",
        "After that, {}, please.",
        "And then {}.",
        "When that's sorted, {}.",
    ),
    "terse": ("Then {}.", "After that {}."),
}
THANKS: dict[Tone, tuple[str, ...]] = {
    "plain": ("", "", "", "Thanks.", "Thank you."),
    "chatty": ("Thanks!", "Thank you so much!", "Thanks a lot.", "Much appreciated!", "Cheers!", ""),
    "terse": ("", "", "", "Thanks."),
}
TONES: tuple[Tone, ...] = ("plain", "plain", "chatty", "terse")
"""Drawn from: plain twice as often."""
QUOTED_END = re.compile(r'([.?!])"\.(?=\s|$)')
"""A full stop behind a quotation that has its own end."""
FOR_ME_LENGTH = 70
LINKS = {"then": (", then", " and then", ", and then"), "and": (", and", " and also")}
JOINED_LENGTH = 170
"""Longest sentence made of two clauses, in characters."""


def say_all(utterances: Sequence[Utterance], tone: Tone, rng: Random) -> str:
    """The whole request."""
    return _Speech(tone, rng).whole(list(utterances))


class _Speech:
    """One request being put into words. A form of words is not used twice while there are others."""

    def __init__(self, tone: Tone, rng: Random) -> None:
        self._tone = tone
        self._rng = rng
        self._used: set[str] = set()

    def whole(self, utterances: list[Utterance]) -> str:
        pieces = [self._rng.choice(GREETINGS[self._tone])]
        joined = self._one_sentence(utterances)
        pieces += [joined] if joined else []
        for number, utterance in enumerate(utterances):
            if number >= 2 or not joined:
                pieces.append(self._said(utterance, number))
        pieces.append(self._rng.choice(THANKS[self._tone]))
        return _tidy(pieces)

    def _one_sentence(self, utterances: Sequence[Utterance]) -> str | None:
        """The first two clauses in one sentence, where both are short and plain, about half of the time."""
        if len(utterances) < 2 or self._rng.random() < 0.4:
            return None
        one, two = utterances[:2]
        plain = all(not (part.sentences or part.adds or part.why) for part in (one, two))
        if not plain or len(one.text) + len(two.text) > JOINED_LENGTH:
            return None
        link = self._rng.choice(LINKS.get(two.join if two.follows else "and", (f", {two.join}",)))
        if link[0] != "," and (len(one.text) > 60 or "," in one.text):
            link = f",{link}"
        return self._framed(f"{one.text}{link} {two.text}")

    def _said(self, utterance: Utterance, number: int) -> str:
        if utterance.sentences:
            return " ".join([utterance.text, *(sentence(_own(add)) for add in utterance.adds)])
        clause = _with_adds(utterance)
        if number:
            frames = NEXT if utterance.follows else ANOTHER
            said = sentence(self._form(frames[self._tone]).format(clause))
            return f"{said} {sentence(utterance.why)}" if utterance.why else said
        if utterance.why is None:
            return self._framed(clause)
        if not points_back(utterance.why) and self._rng.random() < 0.55:
            why = sentence(utterance.why).rstrip(".")
            return sentence(self._form(REASONED).format(why=why, clause=clause))
        return f"{self._framed(clause)} {sentence(utterance.why)}"

    def _framed(self, clause: str) -> str:
        """The clause in a frame. "For me" stands after short clauses only, and not twice."""
        ends_well = len(clause) <= FOR_ME_LENGTH and '"' not in clause and " me" not in f" {clause}"
        frames = [frame for frame in FRAMES[self._tone] if ends_well or "for me" not in frame]
        return sentence(self._form(frames).format(clause))

    def _form(self, forms: Sequence[str]) -> str:
        form = self._rng.choice([form for form in forms if form not in self._used] or list(forms))
        self._used.add(form)
        return form


def _with_adds(utterance: Utterance) -> str:
    text = utterance.text
    for add in utterance.adds:
        text += f", {add}" if add.startswith(("and ", "but ")) else f" {add}"
    return text


def _own(add: str) -> str:
    """An added clause as a sentence of its own."""
    for word in ("and ", "but "):
        add = add.removeprefix(word)
    return add


def _tidy(pieces: Sequence[str]) -> str:
    """Pieces as one text. After a greeting that ends in a comma a frame goes on in lower case, while a sentence of
    its own makes the greeting one too."""
    text = ""
    for piece in (piece.strip() for piece in pieces if piece.strip()):
        if text.endswith(","):
            if piece.split(" ", 1)[0].strip(",.!?") in FRAME_WORDS:
                piece = piece[:1].lower() + piece[1:]
            elif piece[:2] not in ("I ", "I'"):
                text = f"{text[:-1]}."
        text = f"{text} {piece}".strip()
    return QUOTED_END.sub(r'\1"', text)


FRAME_WORDS = frozenset(
    {
        "Please",
        "Could",
        "Can",
        "Would",
        "When",
        "Also",
        "And",
        "Then",
        "How",
        "What",
        "Which",
        "Who",
        "Is",
        "Are",
        "Do",
    }
)
