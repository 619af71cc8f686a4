"""SQuAD's JSON (Rajpurkar et al. 2016, 2018), and what is written like it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkbench_engine.counted import counted
from chunkbench_engine.documents.document import Document
from chunkbench_engine.documents.published.names import Names
from chunkbench_engine.documents.published.published_set import PublishedSet, Row

if TYPE_CHECKING:
    from pathlib import Path

_GAP = "\n\n"


def is_squad(content: object) -> bool:
    """Whether JSON is a list of articles with paragraphs, under `data`."""
    articles = content.get("data") if isinstance(content, dict) else None
    return isinstance(articles, list) and any(
        isinstance(article, dict) and isinstance(article.get("paragraphs"), list)
        for article in articles
    )


def read_squad(path: Path, content: Any) -> PublishedSet:  # noqa: ANN401 - JSON
    """A document for each article: its paragraphs, with a blank line between them.

    Evidence is one slot, any of whose different spans will do; `is_impossible` is unanswerable.
    """
    version = str(content.get("version", "")).removeprefix("v")
    name = f"SQuAD {version}".strip()
    names = Names("article")
    documents: list[Document] = []
    rows: list[tuple[int, Row | str]] = []
    for article in content["data"]:
        if not isinstance(article, dict) or not isinstance(article.get("paragraphs"), list):
            rows.append((len(rows) + 1, "is in an article without paragraphs"))
            continue
        document = names.take(str(article.get("title") or ""))
        texts: list[str] = []
        at = 0
        for paragraph in article["paragraphs"]:
            context = paragraph.get("context") if isinstance(paragraph, dict) else None
            if not isinstance(context, str):
                rows.append((len(rows) + 1, "is in a paragraph without a context"))
                continue
            found = paragraph.get("qas")
            for question in found if isinstance(found, list) else ():
                rows.append((len(rows) + 1, _row(question, document, at)))
            texts.append(context)
            at += len(context) + len(_GAP)
        note = f"{counted(len(texts), 'paragraph')} of {name}, joined by blank lines"
        if "".join(texts).strip():
            documents.append(Document(document, _GAP.join(texts), note=note, format=name))
    impossible = sum(
        1 for _, row in rows if isinstance(row, dict) and row.get("category") == "unanswerable"
    )
    unanswerable = f", {impossible:,} unanswerable" if impossible else ""
    said = (
        f"{name}, {counted(len(documents), 'article')}, {counted(len(rows), 'question')}"
        f"{unanswerable}; the articles' paragraphs are the corpus"
    )
    return PublishedSet(name, said, (path,), tuple(rows), tuple(documents))


def _row(question: Any, document: str, at: int) -> Row | str:  # noqa: ANN401 - JSON
    if not isinstance(question, dict):
        return "is no object with fields"
    row: Row = {"id": question.get("id"), "question": question.get("question")}
    if question.get("is_impossible") is True:
        return row | {"category": "unanswerable"}
    answers = question.get("answers")
    if not isinstance(answers, list):
        return "has no list of answers"
    spans: dict[int, Row] = {}
    for answer in answers:
        if not isinstance(answer, dict) or not isinstance(answer.get("text"), str):
            return "has an answer without text"
        start, text = answer.get("answer_start"), answer["text"]
        if not isinstance(start, int) or isinstance(start, bool):
            return "has an answer without answer_start"
        where = {"start": at + start, "end": at + start + len(text)}
        spans.setdefault(hash((start, text)), {"document": document, "text": text, **where})
    row["answer"] = list(dict.fromkeys(answer["text"] for answer in answers))
    if spans:
        row["evidence"] = [list(spans.values())]
    return row
