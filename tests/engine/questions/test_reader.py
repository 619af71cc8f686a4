"""Question files of several makes become the same rows."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.errors import BadInput
from chunkbench_engine.questions.reader import read_rows
from chunkbench_engine.questions.row import RawPassage, RawRow

if TYPE_CHECKING:
    from pathlib import Path

OURS = {
    "id": "q1",
    "question": "Who?",
    "answer": ["Ada", "Countess Lovelace"],
    "category": "multi-part",
    "split": "dev",
    "evidence": [
        {"document": "a.md", "text": "Ada wrote it"},
        [{"document": "a.md", "start": 3, "end": 9}, {"document": "b.md", "text": "the Countess"}],
    ],
}


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def jsonl(path: Path, *rows: object) -> Path:
    return write(path, "\n".join(json.dumps(row) for row in rows))


def test_a_row_in_our_own_form(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "questions.jsonl", OURS)
    assert read_rows(path) == [
        RawRow(
            str(path),
            1,
            "q1",
            "Who?",
            (
                (RawPassage("a.md", "Ada wrote it"),),
                (RawPassage("a.md", None, 3, 9), RawPassage("b.md", "the Countess")),
            ),
            ("Ada", "Countess Lovelace"),
            "multi-part",
            "dev",
        )
    ]


def test_json_csv_and_jsonl_say_the_same(tmp_path: Path) -> None:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(OURS)
    writer.writerow(
        [json.dumps(value) if isinstance(value, list) else value for value in OURS.values()]
    )
    rows = [
        read_rows(jsonl(tmp_path / "q.jsonl", OURS))[0],
        read_rows(write(tmp_path / "q.json", json.dumps([OURS])))[0],
        read_rows(write(tmp_path / "q.csv", out.getvalue()))[0],
    ]
    assert len({(row.id, row.text, row.evidence, row.answers, row.split) for row in rows}) == 1


def test_ultradomain_fields(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "physics.jsonl",
        {"input": "Why?", "answers": ["Because."], "context": "Long.", "label": "physics"},
    )
    (row,) = read_rows(path)
    assert (row.id, row.text, row.answers, row.evidence) == (
        "physics-1",
        "Why?",
        ("Because.",),
        (),
    )


def test_chroma_fields(tmp_path: Path) -> None:
    references = json.dumps([{"content": 'a, "b"', "start_index": 5, "end_index": 11}])
    quoted = references.replace('"', '""')
    path = write(
        tmp_path / "questions_df.csv",
        f'question,references,corpus_id\r\n"What, then?","{quoted}",wikitexts\r\n',
    )
    (row,) = read_rows(path)
    assert row.text == "What, then?"
    assert row.evidence == ((RawPassage("wikitexts", 'a, "b"', 5, 11),),)


def test_the_measured_articles_fields(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "c.jsonl", {"question": "Who?", "doc": "constitution", "gold": "shall"})
    (row,) = read_rows(path)
    assert row.evidence == ((RawPassage("constitution", "shall"),),)


def test_rows_are_numbered_as_the_file_shows_them(tmp_path: Path) -> None:
    lines = write(tmp_path / "a.jsonl", '{"question": "1"}\r\n\r\n{"question": "\u2028 3"}\r\n')
    assert [(row.row, row.id, row.text) for row in read_rows(lines)] == [
        (1, "a-1", "1"),
        (3, "a-3", "3"),
    ]
    table = write(tmp_path / "b.csv", 'question\n"two\nlines"\n\nx\n')
    assert [(row.row, row.id) for row in read_rows(table)] == [(2, "b-2"), (4, "b-4")]
    assert read_rows(table, stem="c/b")[0].id == "c/b-2"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"question": "x"', "is no valid JSON (Expecting ',' delimiter at character 17)"),
        ("[1]", "is no object with fields"),
        ('{"question": ["x"]}', "its question is no text"),
        ('{"question": "x", "evidence": "y", "answer": {}}', "its answer is neither a text nor"),
        ('{"question": "x", "evidence": {"text": "y"}}', "its evidence is no list"),
        ('{"question": "x", "evidence": [[]]}', "its evidence 1 is an empty list"),
        ('{"question": "x", "evidence": ["y"]}', "its evidence 1 is no object with document"),
        ('{"question": "x", "evidence": [{"document": "a"}]}', "its evidence 1 has neither text"),
        ('{"question": "x", "evidence": [{"start": 1}]}', "its evidence 1 has a start or end with"),
        (
            '{"question": "x", "evidence": [{"start": 1.5, "end": 2}]}',
            "its evidence 1 has a start or end that is no whole number",
        ),
        (
            '{"question": "x", "evidence": [{"start": true, "end": 2}]}',
            "its evidence 1 has a start or end that is no whole number",
        ),
        ('{"question": "x", "evidence": [{"text": 3}]}', "its evidence 1 has a document or text"),
        ("[" * 100_000, "is nested too deeply"),
    ],
)
def test_a_row_of_the_wrong_form_carries_its_fault(tmp_path: Path, line: str, fault: str) -> None:
    first, second = read_rows(write(tmp_path / "q.jsonl", f'{line}\n{{"question": "fine"}}'))
    assert first.fault.startswith(fault)
    assert (second.text, second.fault) == ("fine", "")


def test_a_csv_row_with_too_many_fields_or_broken_json_carries_its_fault(tmp_path: Path) -> None:
    rows = read_rows(write(tmp_path / "q.csv", 'question,evidence\nx,,3\ny,"[{"\nz\nw,\nv,[] \n'))
    assert [row.fault for row in rows] == [
        "has 3 fields, but the header has 2",
        "its evidence is no valid JSON (Expecting property name enclosed in double quotes "
        "at character 3)",
        "",
        "",
        "",
    ]


def test_a_file_that_cannot_be_read_as_a_whole_is_refused(tmp_path: Path) -> None:
    cases = {
        "a.xlsx": ("", r"is no question file: give one of \.jsonl, \.json, \.csv"),
        "b.json": ('{"question": "x"}', r"is no list of questions \(its fields: question\); write"),
        "c.json": ("[", r"is no valid JSON .*; correct it there"),
        "d.csv": ("frage,antwort\n", r"no column named question; its columns are: frage, antwort"),
        "e.csv": ("", r"its columns are: none"),
    }
    for name, (text, message) in cases.items():
        with pytest.raises(BadInput, match=message):
            read_rows(write(tmp_path / name, text))
    with pytest.raises(BadInput, match="does not exist"):
        read_rows(tmp_path / "none.jsonl")


def test_a_long_csv_field_is_read_and_the_limit_of_the_csv_module_stays_as_it_was(
    tmp_path: Path,
) -> None:
    before = csv.field_size_limit()
    (row,) = read_rows(write(tmp_path / "q.csv", f"question\n{'x' * 200_000}\n"))
    assert len(row.text) == 200_000
    assert csv.field_size_limit() == before
