"""The commands, each in a file of its own. Heavy imports wait until a command runs."""

from __future__ import annotations

from typing import Annotated

import typer

from . import (
    archetypes,
    audit,
    bench,
    check,
    doctor,
    evolve,
    lineage,
    measure,
    memory,
    new,
    regrade,
    report,
    run,
    scenarios,
    schema,
    serve,
    solve,
    status,
)
from .output import say

app = typer.Typer(
    name="envolve",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Every command takes --debug, which shows the traceback of an error.",
)


def _show_version(asked: bool) -> None:
    if asked:
        from envolve import __version__

        say(f"envolve {__version__}")
        raise typer.Exit


@app.callback()
def envolve(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Grow executable tool-use environments and keep their tasks in a measured difficulty band."""


app.command("run")(run.run)
app.command("status")(status.status)
app.command("report")(report.report)
app.add_typer(archetypes.app, name="archetypes")
app.command("scenarios")(scenarios.scenarios)
app.command("new")(new.new)
app.command("check")(check.check)
app.command("audit")(audit.audit)
app.command("serve")(serve.serve)
app.command("solve")(solve.solve)
app.command("measure")(measure.measure)
app.command("evolve")(evolve.evolve)
app.add_typer(bench.app, name="bench")
app.command("memory")(memory.memory)
app.command("lineage")(lineage.lineage)
app.command("regrade")(regrade.regrade)
app.command("doctor")(doctor.doctor)
app.command("schema")(schema.schema)
