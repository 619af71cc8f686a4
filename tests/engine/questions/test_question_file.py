"""A question file is changed row by row, and nothing else in it."""

import errno
import json
import os
from pathlib import Path

import pytest

from chunkbench_engine.errors import BadInput
from chunkbench_engine.questions.question_file import (
    changed_line,
    new_id,
    read_lines,
    row_line,
    write_lines,
)


def test_a_file_that_is_not_there_has_no_lines_and_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "questions.jsonl"
    assert read_lines(path) == ()
    write_lines(path, ('{"question": "a"}',), before=())
    assert path.read_bytes() == b'{"question": "a"}\n'


def test_lines_it_does_not_know_stay_to_the_letter(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    foreign = '{ "x" :1}\r\n\nnot JSON\u2028 at all\n{"question":  "q"}'
    path.write_text(foreign, encoding="utf-8", newline="")
    path.chmod(0o640)
    lines = read_lines(path)
    write_lines(path, (*lines, row_line({"question": "new"})), before=lines)
    written = path.read_bytes().decode()
    assert written == foreign + '\n{"question": "new"}\n'
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["questions.jsonl"], "no temporary file is left"


def test_a_file_that_another_program_changed_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text("{}\n")
    lines = read_lines(path)
    path.write_text("{}\n{}\n")
    with pytest.raises(BadInput, match="changed by another program"):
        write_lines(path, (*lines, "{}"), before=lines)
    assert path.read_text() == "{}\n{}\n"


def test_only_jsonl_in_utf_8_is_written_to(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"name a \.jsonl file"):
        read_lines(tmp_path / "questions.csv")
    path = tmp_path / "questions.jsonl"
    path.write_bytes('{"question": "é"}'.encode("utf-16"))
    with pytest.raises(BadInput, match="not in UTF-8"):
        read_lines(path)


def test_a_full_disk_is_a_sentence_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text("{}\n")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match=r"No space left on device.*choose another file"):
        write_lines(path, ("{}", "{}"), before=("{}",))
    assert path.read_text() == "{}\n"
    assert os.listdir(tmp_path) == ["questions.jsonl"]


def test_a_changed_row_keeps_the_fields_of_other_programs() -> None:
    line = '{"id": 7, "source": "ours", "question": "old", "split": "dev"}'
    changed = json.loads(changed_line(line, {"question": "new", "split": ""}))
    assert changed == {"id": 7, "source": "ours", "question": "new"}


def test_a_row_is_written_without_empty_fields_and_readable() -> None:
    assert row_line({"question": "核?", "answer": "", "evidence": []}) == '{"question": "核?"}'


def test_ids_are_stable_and_never_taken_twice() -> None:
    first = new_id("Who?", ())
    assert first == new_id("Who?", ()) != new_id("What?", ())
    assert new_id("Who?", [first]) != first
