"""From the fields of one row, under whichever names, to a `RawRow`."""

from __future__ import annotations

from chunkbench_engine.questions.row import RawPassage, RawRow

_NAMES = {
    # ours, then the names other collections use: UltraDomain, Chroma, the measured article.
    "id": ("id", "_id"),
    "question": ("question", "input"),
    "answer": ("answer", "answers"),
    "category": ("category",),
    "split": ("split",),
    "evidence": ("evidence", "references", "gold"),
    "document": ("document", "doc", "corpus_id"),
}
_PASSAGE_NAMES = {
    "document": ("document", "doc"),
    "text": ("text", "content", "gold"),
    "start": ("start", "start_index"),
    "end": ("end", "end_index"),
}


class Fault(Exception):  # noqa: N818
    """What is wrong with the form of a row: a phrase that follows the row's place."""


def raw_row(file: str, row: int, stem: str, found: object) -> RawRow:
    """The row as data. What is wrong with its form becomes its `fault`, never an exception."""
    made_id = f"{stem}-{row}"
    if isinstance(found, Fault):
        return RawRow(file, row, made_id, fault=str(found))
    if not isinstance(found, dict):
        return RawRow(file, row, made_id, fault="is no object with fields")
    row_id = made_id
    try:
        row_id = _text(found, "id") or made_id
        return RawRow(
            file,
            row,
            row_id,
            text=_text(found, "question"),
            evidence=_evidence(found),
            answers=_answers(_value(found, _NAMES["answer"])),
            category=_text(found, "category"),
            split=_text(found, "split"),
            synthetic=_truth(found.get("synthetic")),
        )
    except Fault as fault:
        return RawRow(file, row, row_id, fault=str(fault))


def _value(fields: dict[str, object], names: tuple[str, ...]) -> object:
    """The first of the names that has a value; null counts as absent."""
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _text(fields: dict[str, object], name: str) -> str:
    value = _value(fields, _NAMES[name])
    if value is None:
        return ""
    if not _is_scalar(value):
        raise Fault(f"its {name} is no text")
    return str(value).strip()


def _answers(value: object) -> tuple[str, ...]:
    given = value if isinstance(value, list) else [] if value is None else [value]
    if not all(_is_scalar(answer) for answer in given):
        raise Fault("its answer is neither a text nor a list of texts")
    return tuple(text for answer in given if (text := str(answer).strip()))


def _truth(value: object) -> bool:
    """True and false, also as a CSV file has them."""
    if value is None or isinstance(value, bool):
        return bool(value)
    known = {"true": True, "false": False}
    if not isinstance(value, str) or value.strip().lower() not in known:
        raise Fault("its synthetic is neither true nor false")
    return known[value.strip().lower()]


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _evidence(fields: dict[str, object]) -> tuple[tuple[RawPassage, ...], ...]:
    document = _text(fields, "document")
    value = _value(fields, _NAMES["evidence"])
    if value is None:
        return ()
    if isinstance(value, str):  # the measured article's `gold`
        return ((RawPassage(document, value),),)
    if not isinstance(value, list):
        raise Fault("its evidence is no list")
    return tuple(_slot(slot, document, number) for number, slot in enumerate(value, start=1))


def _slot(value: object, document: str, number: int) -> tuple[RawPassage, ...]:
    alternatives = value if isinstance(value, list) else [value]
    if not alternatives:
        raise Fault(f"its evidence {number} is an empty list")
    return tuple(_passage(passage, document, number) for passage in alternatives)


def _passage(value: object, default_document: str, number: int) -> RawPassage:
    if not isinstance(value, dict):
        raise Fault(f"its evidence {number} is no object with document and text, or start and end")
    document, text, start, end = (_value(value, names) for names in _PASSAGE_NAMES.values())
    if not isinstance(document, str | None) or not isinstance(text, str | None):
        raise Fault(f"its evidence {number} has a document or text that is no text")
    place = f"its evidence {number} has a start or end"
    for offset in (start, end):
        if not isinstance(offset, int | None) or isinstance(offset, bool):
            raise Fault(f"{place} that is no whole number")
    if (start is None) != (end is None):
        raise Fault(f"{place} without the other")
    if start is None and text is None:
        raise Fault(f"its evidence {number} has neither text nor start and end")
    return RawPassage(
        (document or "").strip() or default_document,
        text,
        start if isinstance(start, int) else None,
        end if isinstance(end, int) else None,
    )
