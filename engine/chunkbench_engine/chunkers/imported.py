"""From `module:callable` to what does the chunking."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from contextlib import redirect_stdout
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkbench_engine.chunkers.adapters import ADAPTERS
from chunkbench_engine.errors import BadInput, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from chunkbench_engine.chunkers.entry import Value


def make_importable(folder: str) -> None:
    """Let modules in a folder be imported, before all others, as `python -m` does."""
    if folder not in sys.path:
        sys.path.insert(0, folder)


@cache
def load_chunker(target: str, parameters: tuple[tuple[str, Value], ...]) -> Callable[[str], object]:
    """What `module:callable`, or an adapter's name, does to a text.

    A function is called with the text and the parameters. A class is made once with the
    parameters, and its object called with the text. What it prints goes to standard error.

    Raises:
        BadInput: there is no such module or callable, or it does not take these parameters.
        Unavailable: the library behind an adapter is not installed.
    """
    place, _, path = target.partition(":")
    given = dict(parameters)
    with redirect_stdout(sys.stderr):
        if place in ADAPTERS:
            adapter = ADAPTERS[place]
            try:
                module = _import(adapter.module)
            except _NoModule:
                raise Unavailable(
                    f"{target} needs the package {adapter.package}: pip install {adapter.package}"
                ) from None
            made: Callable[[str], object] = _made(
                target, adapter.make, _named(module, path), **given
            )
            return made
        try:
            module = _import(place)
        except _NoModule:
            raise BadInput(
                f"{target}: there is no module {place}, neither in {_first_folder()} nor among "
                f"the packages of {sys.executable}"
            ) from None
        named = _named(module, path)
        if inspect.isclass(named):
            named, given = _made(target, named, **given), {}
        if not callable(named):
            raise BadInput(
                f"{target} is of type {type(named).__name__}, which cannot be called with a text"
            )
        _check_parameters(target, named, given)
    return lambda text: named(text, **given)


class _NoModule(Exception):  # noqa: N818
    """The module itself is not there, as opposed to one that it imports."""


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            raise _NoModule from error
        raise BadInput(f"{name} cannot be imported: {explained(error)}") from error
    except (Exception, SystemExit) as error:
        raise BadInput(f"{name} cannot be imported: {explained(error)}") from error


def _named(module: ModuleType, path: str) -> Any:  # noqa: ANN401 - anyone's
    found: Any = module
    for name in path.split("."):
        if not hasattr(found, name):
            near = get_close_matches(name, dir(found), n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            origin = getattr(module, "__file__", None) or "built in"
            raise BadInput(f"{module.__name__} ({origin}) has no {path}{hint}")
        found = getattr(found, name)
    return found


def _made(target: str, make: Callable[..., Any], *first: object, **given: Value) -> Any:  # noqa: ANN401
    try:
        return make(*first, **given)
    except BadInput:
        raise
    except (Exception, SystemExit) as error:
        raise BadInput(f"{target} cannot be made: {explained(error)}") from error


def _check_parameters(target: str, named: Callable[..., Any], given: dict[str, Value]) -> None:
    try:
        signature = inspect.signature(named)
    except (TypeError, ValueError):  # some built-in functions have none to check against
        return
    try:
        signature.bind("", **given)
    except TypeError as error:
        raise BadInput(f"{target} is called with a text{_and(given)}, but: {error}") from error


def _and(given: dict[str, Value]) -> str:
    return f" and {', '.join(given)}" if given else ""


def _first_folder() -> str:
    return sys.path[0] or os.getcwd()


def explained(error: BaseException) -> str:
    """An error of someone else's code in a few words, with the line it came from."""
    words = " ".join(str(error).split())
    shown = f"{type(error).__name__}: {words}" if words else type(error).__name__
    if len(shown) > 300:
        shown = f"{shown[:299]}…"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    own = Path(__file__).parent
    if trace is None:
        return shown
    file = Path(trace.tb_frame.f_code.co_filename)
    if own in file.parents or file.name.startswith("<"):
        return shown
    return f"{shown} ({file.name}, line {trace.tb_lineno})"
