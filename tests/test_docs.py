"""The README's tables are those of the registry and the command line, and its commands are what CI runs.

``python tests/test_docs.py --update`` writes the tables anew.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import typer.main

from pipeline.cli import app
from schemas.reasons import REASONS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def reasons_table() -> str:
    rows = [f"| {reason.stage} | `{reason.code}` | {reason.meaning} |" for reason in REASONS.values()]
    return "\n".join(["| stage | code | holds when |", "| --- | --- | --- |", *rows])


def options_table() -> str:
    run = typer.main.get_command(app).commands["run"]  # type: ignore[attr-defined]
    rows = []
    for option in run.params:
        if option.param_type_name == "option" and option.help:
            names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
            rows.append(f"| {names} | {option.help} |")
    return "\n".join(["| option | meaning |", "| --- | --- |", *rows])


TABLES = {"reasons": reasons_table, "options": options_table}


def with_tables(text: str) -> str:
    for name, table in TABLES.items():
        pattern = rf"(<!-- {name}: [^>]*-->\n).*?(<!-- end of {name} -->)"
        place = re.search(pattern, text, flags=re.DOTALL)
        assert place is not None, f"the README has no place for the table of {name}"
        text = f"{text[: place.start()]}{place[1]}{table()}\n{place[2]}{text[place.end() :]}"
    return text


def test_tables_of_the_readme_are_up_to_date() -> None:
    text = README.read_text(encoding="utf-8")
    assert with_tables(text) == text, "run: .venv/bin/python tests/test_docs.py --update"


if __name__ == "__main__" and "--update" in sys.argv:
    README.write_text(with_tables(README.read_text(encoding="utf-8")), encoding="utf-8")
