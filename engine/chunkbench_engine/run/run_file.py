"""A run as a file, `bench.toml`: the settings by their names, in TOML.

    corpus = "docs"
    strategies = ["RC(chunk_size=200..800:200)", "PGC"]
    k = 10

Keys are the fields of `Settings`; what is left out is as it is without a file. Paths are relative
to the file, and models that are folders too. Light: the app writes one.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from chunkbench_engine.errors import BadInput
from chunkbench_engine.judges.choice import JUDGES
from chunkbench_engine.language.address import urls_from_environment
from chunkbench_engine.run.settings import RETRIEVALS, Settings, settings_from

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.source import ForeignCode

SUFFIX = ".toml"
NAME = "bench.toml"

_NOT_IN_FILES = ("folder",)  # where modules are looked for: beside the file
_PATHS = ("corpus", "questions")
_MODELS = ("models", "chunker_model", "reranker")
_CHOICES = {"judge": ("", *JUDGES), "retrieval": RETRIEVALS}
_RANGES = {
    "k": (1, 100),
    "repeat": (1, 100),
    "seed": (0, 2**32 - 1),
    "document_seconds": (0.001, 1e9),
}
_KEYS = tuple(f.name for f in dataclasses.fields(Settings) if f.name not in _NOT_IN_FILES)
_HEADER = "# A run of chunkbench-tui. Start it with: chunkbench-tui run"


def read_run_file(path: Path) -> Settings:
    """The settings that a file describes, with absolute paths.

    Raises:
        BadInput: it cannot be read, or a key or value is not as it must be; with the line.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
        values = tomllib.loads(text)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path} is no TOML: {error}") from error

    def wrong(key: str, what: str) -> BadInput:
        return BadInput(f"{path}, line {_line_of(text, key)}: {what}")

    for key in values:
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(_KEYS)}"
            raise wrong(key, f"there is no key {key}; {hint}")
    if "corpus" not in values:
        raise BadInput(f'{path} names no documents: add a line such as corpus = "docs"')
    kinds = get_type_hints(Settings)
    for key, value in values.items():
        if trouble := _trouble(key, value, kinds[key]):
            raise wrong(key, f"{key} {trouble}")
    settings = settings_from(values)
    if "ollama" not in values:
        settings = replace(settings, ollama=urls_from_environment())
    try:
        _strategies(settings)
    except BadInput as error:
        raise wrong("strategies", str(error)) from error
    return _resolved(settings, path.absolute().parent)


def write_run_file(settings: Settings, folder: Path | None = None) -> str:
    """The text of a file that describes these settings; what is as without a file is left out.

    Args:
        folder: where the file will be: paths below it are written relative to it, so that both
            can be moved together.

    Raises:
        BadInput: a path is no text that a file could hold.
    """
    lines = [_HEADER + f" {NAME}"]
    for field in dataclasses.fields(Settings):
        value = getattr(settings, field.name)
        if field.name in _NOT_IN_FILES or value == field.default:
            continue
        if field.name in _PATHS and folder is not None:
            value = (
                tuple(_below(folder, path) for path in value)
                if isinstance(value, tuple)
                else _below(folder, value)
            )
        lines.append(f"{field.name} = {_toml(value)}")
    text = "\n".join(lines) + "\n"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadInput(
            "a path or name among the settings is no valid Unicode, which a file must be: rename it"
        ) from error
    return text


def free_name(folder: Path) -> Path:
    """`bench.toml` in a folder, or the first of `bench-2.toml`, … that does not exist."""
    stem = Path(NAME).stem
    names = (NAME if n == 1 else f"{stem}-{n}{SUFFIX}" for n in range(1, 10_000))
    return next(folder / name for name in names if not (folder / name).exists())


def foreign_code_in(settings: Settings, folder: Path) -> list[ForeignCode]:
    """The code of others that a run with these settings would import, found without running it."""
    from chunkbench_engine.chunkers.source import foreign_code

    return foreign_code((found.strategy for found in _strategies(settings)), str(folder))


def _strategies(settings: Settings) -> list[Any]:
    # Imported here: the app, which writes files only, starts without the strategies.
    from chunkbench_engine.chunkers.spec import parse_specs

    return [found for spec in settings.strategies for found in parse_specs(spec)]


def _trouble(key: str, value: Any, kind: Any) -> str:  # noqa: ANN401 - of TOML
    """What is wrong with a value; "" if nothing is."""
    several = get_origin(kind) is tuple
    if several:
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            return 'must be a list of texts, as ["a", "b"]'
    elif get_origin(kind) is Literal:
        if value not in get_args(kind):
            return f"must be one of {', '.join(get_args(kind))}"
    elif kind is bool:
        if not isinstance(value, bool):
            return "must be true or false"
    elif kind is str:
        if not isinstance(value, str):
            return "must be a text in quotes"
    elif isinstance(value, bool) or not isinstance(value, int if kind is int else int | float):
        return "must be a whole number" if kind is int else "must be a number"
    if key in _RANGES:
        low, high = _RANGES[key]
        if not low <= value <= high:
            return (
                f"must be from {low:g} to {high:,.0f}"
                if key in ("k", "repeat")
                else (f"= {value} is out of range")
            )
    for entry in value if several else [value]:
        if key in _CHOICES and entry not in _CHOICES[key]:
            named = ", ".join(choice for choice in _CHOICES[key] if choice)
            return f"has {entry!r}, which is none of {named}"
        if entry == "" and (several or key == "corpus"):
            return "has an empty text"
    return ""


def _resolved(settings: Settings, folder: Path) -> Settings:
    """With paths as they are from the file's folder; a model's name that is a folder there too."""
    values = settings.as_dict()
    for key in (*_PATHS, *_MODELS):
        entries = values[key] if isinstance(values[key], tuple) else (values[key],)
        made = tuple(_from(folder, entry, always=key in _PATHS) for entry in entries)
        values[key] = made if isinstance(values[key], tuple) else made[0]
    return Settings(**values)


def _from(folder: Path, name: str, *, always: bool) -> str:
    path = folder / Path(name).expanduser()
    return str(path) if always or (name and path.is_dir()) else name


def _below(folder: Path, path: str) -> str:
    """A path relative to a folder where it lies in it, else as it is."""
    whole = Path(path)
    if not whole.is_absolute() or not whole.is_relative_to(folder):
        return path
    return str(whole.relative_to(folder))


def _toml(value: Any) -> str:  # noqa: ANN401 - a field of the settings
    """A value as TOML; its strings are JSON's but for one control character."""
    if isinstance(value, tuple):
        if len(value) < 2:
            return f"[{', '.join(map(_toml, value))}]"
        return "[\n" + "".join(f"    {_toml(entry)},\n" for entry in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def _line_of(text: str, key: str) -> int:
    """The line that a key, or a table of that name, is on."""
    begins = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    lines = text.splitlines()
    return next((n for n, line in enumerate(lines, 1) if begins.match(line)), 1)
