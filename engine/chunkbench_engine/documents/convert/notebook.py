"""Jupyter notebooks to Markdown."""

from __future__ import annotations

import json
import re
from typing import Any

from chunkbench_engine.counted import counted
from chunkbench_engine.documents.convert.converted import Converted, Refused
from chunkbench_engine.documents.decode import NotText, decode

_FENCE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)


def convert(data: bytes) -> Converted:
    """Markdown cells as they are, code cells in fences, outputs left out."""
    try:
        notebook = json.loads(decode(data).text)
        cells = list(_cells(notebook))
        language = _language(notebook)
        parts = [part for cell in cells if (part := _cell(cell, language))]
    except NotText as error:
        raise Refused(str(error)) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Refused("is no notebook that can be read: its JSON is not a notebook's") from error
    outputs = sum(len(cell.get("outputs") or ()) for cell in cells)
    left = f", {counted(outputs, 'output')} left out" if outputs else ""
    return Converted("\n\n".join(parts), f"{counted(len(cells), 'cell')}{left}")


def _cells(notebook: Any) -> list[Any]:  # noqa: ANN401 - JSON
    if "cells" in notebook:
        return list(notebook["cells"])
    return [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]  # before 2014


def _language(notebook: Any) -> str:  # noqa: ANN401 - JSON
    metadata = notebook.get("metadata") or {}
    for place, name in (("language_info", "name"), ("kernelspec", "language")):
        if found := (metadata.get(place) or {}).get(name):
            return str(found)
    return ""


def _cell(cell: Any, language: str) -> str:  # noqa: ANN401 - JSON
    source = cell.get("source", cell.get("input", ""))
    text = (source if isinstance(source, str) else "".join(source)).strip("\n")
    kind = cell["cell_type"]
    if not text.strip():
        return ""
    if kind == "heading":
        return f"{'#' * int(cell.get('level', 1))} {text}"
    if kind != "code":
        return text
    longest = max((len(fence) for fence in _FENCE.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
