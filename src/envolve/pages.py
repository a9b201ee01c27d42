"""Pages that the report and the benches write: templates in which everything is escaped, and their style sheet."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from .display import printable

if TYPE_CHECKING:
    import jinja2


def templates(folder: str) -> jinja2.Environment:
    """The templates in a folder of this package. Texts that come from models or data are escaped and made printable."""
    # Imported here: a template engine is wanted only once a page is written.
    import jinja2

    return jinja2.Environment(
        loader=jinja2.PackageLoader("envolve", folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
    )


def style_sheet() -> str:
    return (files("envolve.report") / "style.css").read_text(encoding="utf-8")


def _finalized(value: object) -> object:
    """Control characters and direction marks could hide what a text says. Markup is what the template itself made."""
    return printable(value) if type(value) is str else value
