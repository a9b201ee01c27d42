"""Builds the wheel and tries it outside the tree: every folder and data file must be in it, and it must work.

Run by `make wheel`; not collected by pytest. The wheel is installed without dependencies into a virtual
environment of its own, which sees the packages of the environment that runs this script.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("agents", "graph", "memory", "environments", "eval")


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def expected_files() -> set[str]:
    """Every tracked file of the package, as the path it has in the wheel."""
    tracked = run("git", "ls-files", *FOLDERS, "src/envolve", cwd=ROOT).splitlines()
    links = {f"src/envolve/{folder}" for folder in FOLDERS}
    return {
        path.removeprefix("src/") if path.startswith("src/") else f"envolve/{path}"
        for path in tracked
        if path not in links
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder / "dist", ROOT, cwd=folder)
        wheel = next((folder / "dist").glob("*.whl"))
        missing = expected_files() - set(zipfile.ZipFile(wheel).namelist())
        if missing:
            raise SystemExit(f"not in the wheel: {sorted(missing)}")
        venv.create(folder / "venv", with_pip=False)
        python = folder / "venv" / "bin" / "python"
        site = folder / "venv" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
        run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", site, wheel, cwd=folder)
        (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
        where = run(python, "-c", "import envolve; print(envolve.__file__)", cwd=folder).strip()
        if not where.startswith(str(site)):
            raise SystemExit(f"the installed wheel is shadowed by {where}")
        output = run(
            python, "-m", "envolve", "run", "runs/smoke", "--environments", "1", "--tasks", "1", "--json", cwd=folder
        )
        if '"state": "done"' not in output:
            raise SystemExit(f"the run from the wheel did not finish:\n{output}")
        sys.stdout.write("wheel: complete and working\n")


if __name__ == "__main__":
    main()
