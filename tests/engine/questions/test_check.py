"""Every row of a question file is a question, or one line that says why not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chunkbench_engine.documents.corpus import Corpus, find_question_files, load_corpus
from chunkbench_engine.documents.document import Document
from chunkbench_engine.errors import BadInput
from chunkbench_engine.questions.check import check_files, load_questions
from chunkbench_engine.questions.question import Passage, Question

CELLS = "Cells are small. A cell has\na wall. Cells are small.\n"
CORPUS = Corpus(
    Path("/data/samples"),
    "samples",
    (Document("biology/cells.md", CELLS), Document("physics/force.md", "F = ma, by Newton.\n")),
)


def questions_file(folder: Path, *rows: dict[str, Any], name: str = "questions.jsonl") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def evidence(text: str, document: str = "cells") -> dict[str, Any]:
    return {"question": "What?", "evidence": [{"document": document, "text": text}]}


def problem(tmp_path: Path, *rows: dict[str, Any]) -> str:
    """The line about the last row, without its place."""
    path = questions_file(tmp_path, *rows)
    checked = check_files([path], CORPUS)
    assert len(checked.problems) == 1
    line = str(checked.problems[0])
    assert "\n" not in line
    place, _, rest = line.partition(": ")
    assert place.startswith(f"{path}, row {len(rows)} (")
    return rest


def test_a_good_row_becomes_a_question_with_spans(tmp_path: Path) -> None:
    row = {
        "id": "q",
        "question": " Which? ",
        "answer": "A wall",
        "category": "multi-part",
        "split": "test",
        "evidence": [
            {"document": "cells", "text": "A cell has a wall."},
            [
                {"document": "physics/force.md", "start": 0, "end": 6},
                {"document": "force", "text": " by Newton\n"},
            ],
        ],
    }
    (question,) = load_questions([questions_file(tmp_path, row)], CORPUS)
    assert question == Question(
        "q",
        "Which?",
        (
            (Passage("biology/cells.md", 17, 35),),
            (Passage("physics/force.md", 0, 6), Passage("physics/force.md", 8, 17)),
        ),
        ("A wall",),
        "multi-part",
        "test",
    )
    assert CELLS[17:35] == "A cell has\na wall."


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ({"question": " "}, "its question is empty"),
        (
            {"question": "x", "category": "Multi_part"},
            "there is no category Multi_part; multi-part is meant?",
        ),
        (
            {"question": "x", "split": "zzz"},
            "there is no split zzz; use one of dev, validation, test",
        ),
        (
            evidence("Cells are small.") | {"category": "unanswerable"},
            "it is unanswerable but has evidence; drop the evidence or the category",
        ),
        (evidence("  "), "its evidence is an empty text"),
        (evidence("wall", ""), "its evidence names no document"),
        (evidence("wall", "cell"), "there is no document cell; nearest: biology/cells.md"),
        (
            evidence("Cells are small."),
            'its evidence "Cells are small." occurs 2 times in biology/cells.md; '
            "use a longer text, or give start and end: 0-16, 36-52",
        ),
        (
            evidence("a cell has the wall"),
            'its evidence "a cell has the wall" is not in biology/cells.md; '
            'the document has: "A cell has\\na wall"',
        ),
        (
            evidence("nothing of the kind"),
            'its evidence "nothing of the kind" is not in biology/cells.md',
        ),
        (
            {"question": "x", "evidence": [{"document": "force", "start": 5, "end": 500}]},
            "its evidence 5-500 is no span of physics/force.md, which has 19 characters",
        ),
        (
            {"question": "x", "evidence": [{"document": "force", "start": 5, "end": 5}]},
            "its evidence 5-5 is no span of physics/force.md, which has 19 characters",
        ),
        (
            {"question": "x", "evidence": [{"document": "force", "start": 18, "end": 19}]},
            "its evidence 18-19 in physics/force.md is only white space",
        ),
        (
            {
                "question": "x",
                "evidence": [{"document": "force", "text": "by Newton", "start": 0, "end": 6}],
            },
            'its evidence "by Newton" is not at 0-6, where "F = ma" stands; it is at 8-17',
        ),
    ],
)
def test_a_bad_row_is_one_line_that_says_what_to_do(
    tmp_path: Path, row: dict[str, Any], line: str
) -> None:
    assert problem(tmp_path, row) == line


def test_the_suggested_passage_can_be_pasted(tmp_path: Path) -> None:
    line = problem(tmp_path, evidence("a cell has the wall"))
    pasted = json.loads(line.partition("the document has: ")[2])
    assert load_questions([questions_file(tmp_path, evidence(pasted))], CORPUS)


def test_a_text_with_its_span_may_occur_more_than_once(tmp_path: Path) -> None:
    passage = {"document": "cells", "text": "Cells are small.", "start": 36, "end": 52}
    row = {"question": "x", "evidence": [passage]}
    (question,) = load_questions([questions_file(tmp_path, row)], CORPUS)
    assert question.evidence == ((Passage("biology/cells.md", 36, 52),),)


def test_a_name_that_means_several_documents_is_not_guessed(tmp_path: Path) -> None:
    corpus = Corpus(Path("/c"), "c", (Document("a/x.md", "x"), Document("b/x.md", "x")))
    checked = check_files([questions_file(tmp_path, evidence("x", "x"))], corpus)
    assert str(checked.problems[0]).endswith(
        "document x may mean any of 2 documents; write one of a/x.md, b/x.md"
    )


def test_ids_are_unique_over_all_files(tmp_path: Path) -> None:
    first = questions_file(tmp_path, {"id": "q", "question": "x"}, name="a.jsonl")
    second = questions_file(tmp_path, {"id": "q", "question": "y"}, name="b.jsonl")
    checked = check_files([first, second], CORPUS)
    assert [question.text for question in checked.questions] == ["x"]
    assert str(checked.problems[0]) == (
        f"{second}, row 1 (q): its id is used before, in {first}, row 1"
    )


def test_made_up_ids_are_unique_too_when_files_share_a_name(tmp_path: Path) -> None:
    row = {"question": "x"}
    paths = [
        questions_file(tmp_path, row, name=name)
        for name in ("a/questions.jsonl", "b/questions.jsonl", "more.jsonl")
    ]
    questions = load_questions(paths, CORPUS)
    assert [question.id for question in questions] == ["a/questions-1", "b/questions-1", "more-1"]


def test_a_run_stops_at_bad_rows_and_lists_the_first_twenty(tmp_path: Path) -> None:
    rows = [evidence("no such thing") for _ in range(23)]
    path = questions_file(tmp_path, {"question": "fine"}, *rows)
    with pytest.raises(BadInput) as caught:
        load_questions([path], CORPUS)
    lines = str(caught.value).split("\n")
    assert lines[0] == "23 of 24 question rows cannot be used:"
    assert lines[1].startswith(f"{path}, row 2 (questions-2): its evidence")
    assert lines[-2:] == [
        "... and 3 more",
        "Mend these rows, or leave them out with --skip-bad-questions.",
    ]
    assert len(lines) == 23


def test_it_goes_on_without_bad_rows_only_if_told_so(tmp_path: Path) -> None:
    path = questions_file(tmp_path, {"question": "fine"}, {"question": ""})
    questions = load_questions([path], CORPUS, skip_bad=True)
    assert [question.text for question in questions] == ["fine"]


def test_no_usable_question_at_all_is_an_error(tmp_path: Path) -> None:
    path = questions_file(tmp_path, {"question": ""})
    with pytest.raises(BadInput, match="there is no question that can be used"):
        load_questions([path], CORPUS, skip_bad=True)
    with pytest.raises(BadInput, match="there is no question that can be used"):
        load_questions([questions_file(tmp_path)], CORPUS)


def test_the_sample_corpus_is_clean() -> None:
    folder = Path(__file__).resolve().parents[3] / "sample_corpus"
    corpus = load_corpus(folder)
    checked = check_files(find_question_files(folder), corpus)
    assert [str(problem) for problem in checked.problems] == []
    assert checked.questions


def test_a_folder_of_the_sample_corpus_can_be_used_alone() -> None:
    folder = Path(__file__).resolve().parents[3] / "sample_corpus" / "constitution"
    questions = load_questions(find_question_files(folder), load_corpus(folder))
    documents = {p.document for q in questions for slot in q.evidence for p in slot}
    assert documents == {"constitution.md"}
