"""Published sets are read as they are: their documents, their questions, their evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from chunkbench_engine.documents.corpus import Corpus, find_question_files, load_corpus
from chunkbench_engine.errors import BadInput
from chunkbench_engine.questions.check import check_files
from chunkbench_engine.questions.reader import read_rows

if TYPE_CHECKING:
    from chunkbench_engine.questions.question import Question

SETS = Path(__file__).resolve().parents[2] / "data" / "sets"


class Read(NamedTuple):
    corpus: Corpus
    questions: dict[str, Question]
    problems: list[str]

    def evidence(self, question: str) -> list[list[str]]:
        """Texts of the question's passages, slot by slot."""
        return [
            [self.corpus.by_id[p.document].text[p.start : p.end] for p in slot]
            for slot in self.questions[question].evidence
        ]


def read(path: Path) -> Read:
    corpus = load_corpus(path)
    questions, problems = check_files(find_question_files(path), corpus)
    return Read(corpus, {question.id: question for question in questions}, list(map(str, problems)))


def test_squad_1_articles_are_documents_and_different_answers_are_alternatives() -> None:
    found = read(SETS / "squad" / "train-v1.1.json")
    assert found.corpus.understood == (
        "train-v1.1.json: SQuAD 1.1, 2 articles, 3 questions; "
        "the articles' paragraphs are the corpus"
    )
    assert [document.id for document in found.corpus.documents] == [
        "House of Representatives",
        "Senate",
    ]
    assert found.corpus.documents[0].note == "2 paragraphs of SQuAD 1.1, joined by blank lines"
    assert found.evidence("h1") == [["every second Year", "second Year"]]
    assert found.evidence("h2") == [["twenty five Years"]]
    assert found.questions["s1"].answers == ("for six Years", "six Years")
    assert found.problems == []


def test_squad_2_questions_may_be_unanswerable_whatever_seems_plausible() -> None:
    found = read(SETS / "squad" / "dev-v2.0.json")
    assert "SQuAD 2.0, 2 articles, 4 questions, 1 unanswerable;" in found.corpus.understood
    impossible = found.questions["h3"]
    assert (impossible.answerable, impossible.evidence, impossible.answers) == (False, (), ())
    assert all(question.answerable for key, question in found.questions.items() if key != "h3")


def test_a_squad_answer_that_is_not_where_it_is_said_to_be_is_a_problem(tmp_path: Path) -> None:
    answers = [{"text": "b", "answer_start": 0}]
    qas = [
        {"id": "1", "question": "?", "answers": answers},
        {"id": "2", "question": "?", "answers": [{"text": "b"}]},
        {"id": "3", "question": "?", "answers": "b"},
    ]
    paragraphs = [{"context": "a b", "qas": qas}, "none"]
    articles = [{"title": "T", "paragraphs": paragraphs}, {"title": "T", "paragraphs": paragraphs}]
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"data": articles}))
    found = read(path)
    assert [document.id for document in found.corpus.documents] == ["T", "T (2)"]
    assert len(found.problems) == 8
    assert 'its evidence "b" is not at 0-1, where "a" stands; it is at 2-3' in found.problems[0]
    assert "has an answer without answer_start" in found.problems[1]


def test_beir_documents_are_rows_and_relevance_is_of_whole_documents() -> None:
    found = read(SETS / "beir")
    assert "BEIR, 4 documents, 2 questions of 3 judged in qrels (test)" in found.corpus.understood
    assert "graded 1, and 2 only if it is all of it" in found.corpus.understood
    texts = {document.id: document.text for document in found.corpus.documents}
    assert texts["house"].startswith("House of Representatives\n\nThe House of Representatives sh")
    assert texts["age"].startswith("No Person shall be a Representative")
    assert found.evidence("q1") == [[texts["house"]]]
    assert found.evidence("q2") == [[texts["senate"]], [texts["classes"]]]
    assert found.problems == []


def test_beir_splits_are_kept_where_there_are_two(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d", "title": "", "text": "x"}\n')
    queries = "".join(json.dumps({"_id": key, "text": "?"}) + "\n" for key in "abc")
    (tmp_path / "queries.jsonl").write_text(queries)
    with pytest.raises(BadInput, match=r"has no judgements: put a qrels/test\.tsv into it"):
        load_corpus(tmp_path)
    for split, row in (("dev", "a\td\t1"), ("test", "b\td\t1\nc\tlost\t1"), ("train", "c\td\t1")):
        (tmp_path / "qrels" / f"{split}.tsv").write_text(f"query-id\tcorpus-id\tscore\n{row}\n")
    changed = {"_id": "d", "title": "", "text": "x y"}
    (tmp_path / "corpus.jsonl").write_text(json.dumps(changed) + "\n")
    found = read(tmp_path)
    assert {key: q.split for key, q in found.questions.items()} == {"a": "dev", "b": "test"}
    assert [problem.partition(": ")[2] for problem in found.problems] == [
        "there is no document lost"
    ]


def test_ultradomain_contexts_are_documents_once_each() -> None:
    found = read(SETS / "ultradomain" / "legal.jsonl")
    assert found.corpus.understood == (
        "legal.jsonl: UltraDomain, 3 questions with answers and no evidence; "
        "the 2 different contexts are the corpus"
    )
    assert [document.id for document in found.corpus.documents] == ["The House", "context 2"]
    assert found.questions["u3"].answers == ("For six years.", "Six years.")
    assert not any(question.evidence for question in found.questions.values())


def test_chromas_corpora_are_found_beside_its_questions() -> None:
    found = read(SETS / "chroma")
    assert "Chroma's evaluation set, 20 questions with references" in found.corpus.understood
    assert [document.id for document in found.corpus.documents] == ["state_of_the_union.md"]
    assert len(found.questions) == 20
    assert found.evidence("questions_df-2")[0] == [
        "My administration announced we’re cutting credit card late fees from $32 to $8."
    ]
    assert read(SETS / "chroma" / "questions_df.csv").questions == found.questions


@pytest.mark.parametrize("path", ["", "benchmarks/contractnli.json"])
def test_legalbench_rag_spans_lie_in_the_files_of_its_corpus(path: str) -> None:
    found = read(SETS / "legalbench" / path)
    assert "LegalBench-RAG, 14 questions with spans" in found.corpus.understood
    assert (len(found.corpus.documents), len(found.questions), found.problems) == (3, 14, [])
    ((text,),) = found.evidence("contractnli-1")
    assert text.startswith("e) All notes, reference materials, memoranda")


def test_a_set_without_its_folder_says_what_it_misses(tmp_path: Path) -> None:
    for name in ("chroma/questions_df.csv", "legalbench/benchmarks/contractnli.json"):
        path = tmp_path / "alone" / Path(name).name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes((SETS / name).read_bytes())
        with pytest.raises(BadInput, match=r"has no documents of its own: .* is not beside it; gi"):
            load_corpus(path)


def test_a_set_that_is_not_understood_says_what_fields_it_has_and_what_is_needed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"query": "?", "passages": []}\n{"query": "?", "answers": []}\n')
    with pytest.raises(BadInput) as caught:
        read_rows(path)
    assert "has no field named question (its fields: query, passages, answers)." in str(
        caught.value
    )
    assert "SQuAD (data, paragraphs, context, qas)" in str(caught.value)
    path.write_text('{"question": "?", "gold": "x"}\n')
    with pytest.raises(BadInput, match=r"no documents that are understood \(its fields: question"):
        load_corpus(path)
