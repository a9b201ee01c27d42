"""Reading numbers as people write them. Units are dropped, never converted: `$20` is 20, `12%` is 12, `(5)` is -5."""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import Decimal, InvalidOperation
from typing import Any

from .number_words import read_words

_LONGEST = 100
_CURRENCIES = (
    "USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BRL|MXN|ZAR|KRW|SGD|HKD|TRY|ILS|THB|AED"
)
_NAMES = "dollars?|euros?|pounds?|francs?|kr\\.?|zł"
_UNITS = re.compile(
    rf"^(?:{_CURRENCIES}|kr\.?)(?![^\W\d])\s*|\s*\b(?:{_CURRENCIES}|{_NAMES}|percent|per cent)$|\s*%$"
    r"|^(?:US|CA|AU|NZ|HK|R)(?=\$)",
    re.IGNORECASE,
)
_CURRENCY_AFTER_DIGIT = re.compile(rf"(?<=\d)(?:{_CURRENCIES}|{_NAMES})$|(?<=\d)\.-$", re.IGNORECASE)
_BRACKETED = re.compile(r"\(([^()]+)\)")
_WORDS = re.compile(r"(?:minus )?[a-z]+(?:(?:-|,? )[a-z]+)*", re.IGNORECASE)
_ENDING_IN_MINUS = re.compile(r"\d[\d.,' ]*-")
_OTHER_UNIT = "¢"

_THOUSANDS_OR_DECIMALS = re.compile(r"[1-9]\d{0,2}\.\d\d0")
_POINT = re.compile(r"\d+(?:\.\d*)?(?:e[+-]?\d{1,2})?|\.\d+", re.IGNORECASE)
_COMMA_GROUPS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_LAKH_GROUPS = re.compile(r"[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?")
_POINT_GROUPS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:\.\d{3}){2,}")
_SPACE_GROUPS = re.compile(r"[1-9]\d{0,2}(?:[ '_]\d{3})+(?:[.,]\d+)?")
_COMMA = re.compile(r"\d+,\d+")


def read_number(value: Any) -> Decimal | None:
    """The number that `value` (a number or a text) states; None if it states none or not exactly one.

    A single comma before three digits separates thousands (`1,234` is 1234); a point alone is decimal, but in texts
    three digits after it that end in a needless 0 (`1.500`) may be thousands too: None.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        return Decimal(repr(value)) if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return value if value.is_finite() else None
    return _read_text(value) if isinstance(value, str) and len(value) <= _LONGEST else None


def same_number(expected: Decimal, given: Decimal, tolerance: float = 0.0) -> bool:
    """Whether both lie within `tolerance`; whole numbers exactly, others up to binary rounding."""
    distance = abs(expected - given)
    if distance <= Decimal(repr(tolerance)):
        return True
    if expected == expected.to_integral_value() and given == given.to_integral_value():
        return False
    return distance <= Decimal(repr(tolerance)) + max(abs(expected), abs(given)) * Decimal("1e-9")


def _read_text(text: str) -> Decimal | None:
    plain = _straight(text)
    if bracketed := _BRACKETED.fullmatch(plain):
        inner = _read_plain(bracketed[1])
        return inner.copy_negate() if inner is not None and inner > 0 else None
    return _read_plain(plain)


def _straight(text: str) -> str:
    """One form for signs, spaces and the digits of all scripts. Raised and circled digits stay what they are."""
    signs = {0x2212: "-", 0x2010: "-", 0x2011: "-", 0x2013: "-", 0x2019: "'"}
    kept = "".join(char if _is_raised(char) else unicodedata.normalize("NFKC", char) for char in text)
    found = kept.translate(signs)
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in found).strip()


def _is_raised(char: str) -> bool:
    return char.isdigit() and not char.isdecimal()


def _read_plain(text: str) -> Decimal | None:
    bare = _without_units(text)
    sign, body = _signed(bare, had_unit=bare != text)
    if _WORDS.fullmatch(body):
        return _read_spelled(body.casefold()) if body == bare else None
    digits = _normalized(body)
    if digits is None:
        return None
    try:
        number = Decimal(digits)
    except InvalidOperation:
        return None
    return number.copy_negate() if sign < 0 else number


def _read_spelled(text: str) -> Decimal | None:
    words = read_words(text.removeprefix("minus "))
    return None if words is None else Decimal(-words if text.startswith("minus ") else words)


def _without_units(text: str) -> str:
    sign, body = ("-", text[1:].lstrip()) if text.startswith("-") else ("", text)
    bare = _CURRENCY_AFTER_DIGIT.sub("", _UNITS.sub("", body))
    symbols = [char for char in bare if unicodedata.category(char) == "Sc" and char != _OTHER_UNIT]
    if len(symbols) == 1 and symbols[0] in (bare[0], bare[-1]):
        bare = bare.replace(symbols[0], "")
    return sign + bare.strip()


def _signed(text: str, *, had_unit: bool) -> tuple[int, str]:
    """The sign and what is left. A dash at the end is a minus, but beside a currency it stands for no cents: kept."""
    if text.startswith("-"):
        return -1, text[1:].lstrip()
    if not had_unit and _ENDING_IN_MINUS.fullmatch(text) and text[-2] != " ":
        return -1, text[:-1]
    return 1, text.removeprefix("+").lstrip()


def _normalized(body: str) -> str | None:
    """Digits with at most one decimal point, or None where `body` is not one number."""
    if not body.isascii():
        return None
    if _THOUSANDS_OR_DECIMALS.fullmatch(body):
        return None
    if _POINT.fullmatch(body):
        return body
    if _COMMA_GROUPS.fullmatch(body) or _LAKH_GROUPS.fullmatch(body):
        return body.replace(",", "")
    if _POINT_GROUPS.fullmatch(body):
        return body.replace(".", "").replace(",", ".")
    if _SPACE_GROUPS.fullmatch(body):
        return re.sub(r"[ '_]", "", body).replace(",", ".")
    return body.replace(",", ".") if _COMMA.fullmatch(body) else None
