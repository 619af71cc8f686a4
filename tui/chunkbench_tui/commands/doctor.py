"""`doctor`: what is installed and reachable, and the remedy for what is not."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sqlite3
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkbench_engine.counted import counted
from chunkbench_engine.documents.formats import EXTRA, FORMATS
from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.language.address import (
    DEFAULT_JUDGE_MODEL,
    DEFAULT_LANGUAGE_MODEL,
    server_url,
    urls_from_environment,
)
from chunkbench_store.database import StoreError, default_path, open_store
from chunkbench_tui.commands.options import Db
from chunkbench_tui.console import console, say
from chunkbench_tui.user_settings import read_settings, settings_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SERVER_SECONDS = 2.0
_WITHOUT_OLLAMA = "only LBDC, LSTC, CTX and the judges ollama and panel need one"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; `needed` where nothing works without it."""

    good: bool
    what: str
    remedy: str = ""
    needed: bool = False


def doctor(
    qdrant: Annotated[str, typer.Option(metavar="URL", help="Qdrant server to look for.")] = "",
    ollama: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Ollama server to look for; may be repeated."),
    ] = None,
    language_model: Annotated[
        str, typer.Option(metavar="MODEL", help="Ollama model to look for.")
    ] = DEFAULT_LANGUAGE_MODEL,
    judge_model: Annotated[
        str, typer.Option(metavar="MODEL", help="Ollama model of the judge to look for.")
    ] = DEFAULT_JUDGE_MODEL,
    db: Db = None,
) -> None:
    """Say what is installed and reachable."""
    findings = [
        *_python(),
        *_database(db or default_path()),
        *_documents(),
        *_settings(settings_path()),
        *_models(),
        *_index(qdrant),
        *_ollama(
            tuple(ollama) if ollama else urls_from_environment(),
            {"language": language_model, "judge's": judge_model},
        ),
        *_terminal(),
    ]
    for finding in findings:
        mark = "ok  " if finding.good else "FAIL" if finding.needed else "--  "
        say(f"{mark} {finding.what}")
        if finding.remedy:
            say(f"       {finding.remedy}")
    if any(finding.needed and not finding.good for finding in findings):
        raise typer.Exit(1)


def _python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding(True, f"chunkbench-tui {metadata.version('chunkbench-tui')}, Python {version}")
    forks = hasattr(os, "fork")
    yield Finding(
        forks,
        "strategies can be metered in child processes"
        if forks
        else "this system has no fork: strategies cannot be metered",
        "" if forks else "run it on Linux, macOS or under WSL",
        needed=True,
    )


def _database(path: Path) -> Iterator[Finding]:
    try:
        if path.exists():
            with open_store(path) as store:
                count = store.value("SELECT count(*) FROM run")
            yield Finding(
                True, f"database {path}: {counted(count, 'run')}, SQLite {sqlite3.sqlite_version}"
            )
        else:
            yield Finding(True, f"database {path}: made with the first run")
    except StoreError as error:
        yield Finding(False, str(error), needed=True)
    parent = next(folder for folder in path.absolute().parents if folder.exists())
    free = shutil.disk_usage(parent).free / 2**30
    writable = os.access(parent, os.W_OK)
    yield Finding(
        writable,
        f"{parent} is {'writable' if writable else 'not writable'}, {free:.1f} GiB free",
        "" if writable else "name another place with --db",
        needed=True,
    )


def _documents() -> Iterator[Finding]:
    needing = [form for form in FORMATS if form.imports]
    if here := [f"{form.name} ({form.reader})" for form in needing if not form.missing]:
        yield Finding(True, f"documents: text, {', '.join(here)}")
    if missing := [form.name for form in needing if form.missing]:
        yield Finding(False, f"{', '.join(missing)} cannot be read", f"{EXTRA} to read them")


def _settings(path: Path) -> Iterator[Finding]:
    try:
        settings = read_settings(path)
    except BadInput as error:
        yield Finding(False, str(error), "the app does not start before that is mended")
        return
    told = "nothing is changed" if not path.exists() else f"{len(settings.keys)} keys changed"
    yield Finding(True, f"settings of the app {path}: {told}")


def _models() -> Iterator[Finding]:
    from chunkbench_engine.embedders.registry import models

    for model in models():
        ready = model.state == "ready"
        yield Finding(ready, f"model {model.name}: {model.state}", "" if ready else model.remedy)


def _index(url: str) -> Iterator[Finding]:
    edge = importlib.util.find_spec("qdrant_edge") is not None
    yield Finding(
        True,
        "embedded Qdrant: its own engine in the process"
        if edge
        else "embedded Qdrant: the client's local mode, slower; there is no qdrant-edge here",
    )
    if url:
        answer = _asks(f"{url.rstrip('/')}/readyz")
        yield Finding(
            not answer,
            f"Qdrant server {url}: {answer or 'answers'}",
            "" if not answer else "start one, or leave --qdrant out: the embedded one needs none",
        )


def _ollama(addresses: Iterable[str], wanted: Mapping[str, str]) -> Iterator[Finding]:
    from chunkbench_engine.language.server import installed_models, server_problem

    for url in map(server_url, addresses):
        try:
            models = sorted(installed_models(url))
        except Unavailable as error:
            yield Finding(False, str(error), _WITHOUT_OLLAMA)
            continue
        yield Finding(True, f"Ollama {url}: answers, with {', '.join(models) or 'no model'}")
        for what, name in wanted.items():
            problem = server_problem([url], name)
            yield Finding(not problem, problem or f"{what} model {name}: ready")


def _asks(url: str) -> str:
    """Why an address does not answer; "" if it does."""
    import httpx

    try:
        response = httpx.get(url, timeout=SERVER_SECONDS, trust_env=False)
    except httpx.HTTPError as error:
        return f"does not answer ({type(error).__name__})"
    return "" if response.is_success else f"answers with status {response.status_code}"


def _terminal() -> Iterator[Finding]:
    size = console.size
    big = size.width >= 80 and size.height >= 24
    yield Finding(
        big,
        f"terminal {os.environ.get('TERM', 'unknown')}: {size.width} x {size.height}",
        "" if big else "make it 80 x 24 or larger",
    )
    colour = "none" if os.environ.get("NO_COLOR") else console.color_system or "none"
    yield Finding(True, f"colours: {colour}")
    encoding = sys.stdout.encoding.lower()
    utf8 = encoding.replace("-", "") == "utf8"
    yield Finding(
        utf8,
        f"encoding of the terminal: {encoding}",
        "" if utf8 else "set a UTF-8 locale, as LANG=C.UTF-8",
    )
