"""What models cost: the table that comes with Envolve, and the user's own, which wins."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

import yaml
from pydantic import Field, ValidationError

from ...environments.errors import InputError
from ...environments.models import Frozen
from .base import Usage
from .names import ModelName

VARIABLE = "ENVOLVE_PRICES"
"""Names the user's own file; otherwise `~/.config/envolve/prices.yaml` is read, if it is there."""

_SHIPPED = Path(__file__).parent / "prices.yaml"
_MILLION = 1_000_000
_UNDATED = re.compile(r"-(20\d\d-?\d\d-?\d\d|latest)$")


class Rates(Frozen):
    """US dollars per million tokens. Tokens read from the provider's cache cost `cached` (without it, as any)."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    def cost(self, usage: Usage) -> float:
        """US dollars."""
        cached = self.input if self.cached is None else self.cached
        fresh = max(0, usage.prompt - usage.cached)
        return (fresh * self.input + usage.cached * cached + usage.completion * self.output) / _MILLION


class LongRates(Rates):
    """What calls cost whose prompt has more than `above` tokens."""

    above: int = Field(ge=0)


class Price(Rates):
    """`source` says, for people, where the price was found."""

    long: LongRates | None = None
    source: str = ""

    @property
    def is_free(self) -> bool:
        return self.input == self.output == 0

    def cost(self, usage: Usage) -> float:
        """US dollars."""
        if self.long is not None and usage.prompt > self.long.above:
            return self.long.cost(usage)
        return super().cost(usage)


class PriceList(Frozen):
    """A file of prices: `models` by name or pattern (`openai:gpt-5-mini*`). The longest pattern that fits wins."""

    date: str = ""
    models: dict[str, Price]


FREE_ENDPOINT = Price(
    input=0, output=0, source="a server of this machine or its network that no price list names: counted as free"
)


def price_of(name: str) -> Price | None:
    """None for a model that no list names, unless it runs on one's own machines. Servers elsewhere, most of them
    gateways, cost what the provider of the model does, if their own address is not listed.

    Errors: InputError for a user's file that cannot be read.
    """
    model = ModelName.parse(name)
    names = [str(model), _UNDATED.sub("", str(model))]
    if not model.is_local:
        plain = str(model._replace(url=None))
        names += [plain, _UNDATED.sub("", plain)]
    own = _own_file()
    for path in ([own] if own else []) + [_SHIPPED]:
        listed = _read(path, path.stat().st_mtime_ns)
        found = next(filter(None, (_best(listed.models, each) for each in names)), None)
        if found is not None:
            where = "Envolve's price list" if path == _SHIPPED else str(path)
            return found.model_copy(update={"source": f"{where} ({listed.date})" if listed.date else where})
    return FREE_ENDPOINT if model.is_local else None


def no_price(name: str) -> InputError:
    """What to say when a budget in money cannot be kept."""
    return InputError(
        f"No price is known for {name}, so a budget in money cannot be kept.",
        remedy=(
            f"Put `models: {{'{name}': {{input: …, output: …}}}}` (USD per million tokens) into a file named by "
            f"{VARIABLE} or into ~/.config/envolve/prices.yaml; or limit tokens instead (--budget-tokens)."
        ),
    )


def _own_file() -> Path | None:
    named = os.environ.get(VARIABLE)
    path = Path(named).expanduser() if named else Path.home() / ".config" / "envolve" / "prices.yaml"
    if not path.is_file():
        if named:
            raise InputError(f"The price list {named!r} is not there.", remedy=f"Correct or unset {VARIABLE}.")
        return None
    return path


@lru_cache(maxsize=8)
def _read(path: Path, _changed: int) -> PriceList:
    try:
        return PriceList.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as error:
        raise InputError(
            f"The price list {path} cannot be used: {_first(error)}.",
            remedy="It needs `models:` with, for each name, `input` and `output` in USD per million tokens.",
        ) from error


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        told = error.errors()[0]
        return f"{'.'.join(map(str, told['loc'])) or 'the file'}: {told['msg']}"
    return " ".join(str(error).split())[:200]


def _best(models: Mapping[str, Price], name: str) -> Price | None:
    if name in models:
        return models[name]
    # A pattern for a provider's own models says nothing of endpoints given by URL.
    fitting = [text for text in models if ("@" in text) == ("@http" in name) and fnmatchcase(name, text)]
    return models[max(fitting, key=len)] if fitting else None
