"""Reading whole numbers that are written out in English: `twelve`, `one hundred and five`, `two thousand`.

Fractions, ordinals, dozens and numbers of other languages are not read.
"""

from __future__ import annotations

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_BELOW_100 = {word: value for value, word in enumerate(_SMALL)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
_SCALES = {"thousand": 1_000, "million": 1_000_000}


def read_words(text: str) -> int | None:
    """The number that `text` spells out; None if it spells none, or spells it as nobody would (`five twenty`)."""
    plain = text.casefold().replace("-", " ").replace("thousand,", "thousand").replace("million,", "million")
    words = _without_and(plain.split())
    total = 0
    for scale in ("million", "thousand", ""):
        if scale and scale not in words:
            continue
        place = words.index(scale) if scale else len(words)
        group, words = words[:place], words[place + 1 :]
        value = _below_1000(group) if group or not total else 0
        if value is None or (scale and not value):
            return None
        total += value * _SCALES.get(scale, 1)
    return total


def _without_and(words: list[str]) -> list[str]:
    """The words without each `and` that joins a smaller number to hundreds or a scale; others stay, and are none."""
    joins = {"hundred", *_SCALES}
    last = len(words) - 1
    return [
        word
        for place, word in enumerate(words)
        if word != "and" or not 0 < place < last or words[place - 1] not in joins
    ]


def _below_1000(words: list[str]) -> int | None:
    if len(words) >= 2 and words[1] == "hundred":
        hundreds, rest = _below_100(words[:1]), words[2:]
        units = _below_100(rest) if rest else 0
        if hundreds is None or units is None or not 1 <= hundreds <= 9:
            return None
        return 100 * hundreds + units
    return _below_100(words)


def _below_100(words: list[str]) -> int | None:
    values = [_BELOW_100.get(word) for word in words]
    if len(values) == 1:
        return values[0]
    if len(values) == 2 and values[0] is not None and values[1] is not None:
        return values[0] + values[1] if values[0] >= 20 and 1 <= values[1] <= 9 else None
    return None
