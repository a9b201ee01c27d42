"""`envolve bench …`: the measurements that the README quotes, a file each."""

from __future__ import annotations

import typer

from . import critics, judges, memory, novelty, runtime, search, verifiers, worlds

app = typer.Typer(
    help="Measure, and print how to repeat it. Each takes from a minute to some, more on a busy machine.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def bench() -> None:
    """Measure, and print how to repeat it. Each takes from a minute to some, more on a busy machine."""


app.command("critics")(critics.critics)
app.command("judges")(judges.judges)
app.command("memory")(memory.memory)
app.command("novelty")(novelty.novelty)
app.command("runtime")(runtime.runtime)
app.command("search")(search.search)
app.command("verifiers")(verifiers.verifiers)
app.command("worlds")(worlds.worlds)
