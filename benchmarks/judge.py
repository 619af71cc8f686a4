"""The paper's judge against any Ollama server, on passages whose evidence is known.

    python benchmarks/judge.py http://127.0.0.1:11434 mixtral:8x22b
    python benchmarks/judge.py gpu llama3.2 --questions 10 -s PGC

Retrieves the top 5 for questions of the sample corpus, has each graded, and prints the grades, the
seconds, what got no grade, and the agreement with the evidence judge. Nothing is cached.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.corpus import find_question_files, load_corpus
from chunkbench_engine.embedders.registry import DEFAULT_MODEL, load_embedder
from chunkbench_engine.judges.choice import OLLAMA, can_judge
from chunkbench_engine.judges.evidence import EvidenceJudge
from chunkbench_engine.judges.judge import RetrievedChunk, Unjudged
from chunkbench_engine.judges.ollama import open_judge
from chunkbench_engine.language.address import server_url
from chunkbench_engine.measures.agreement import agreement
from chunkbench_engine.questions.check import load_questions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_engine.questions.question import Question

CORPUS = Path(__file__).parent.parent / "sample_corpus" / "biology"
K = 5


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("server")
    arguments.add_argument("model")
    arguments.add_argument("--corpus", type=Path, default=CORPUS, help="folder with questions")
    arguments.add_argument("--questions", type=int, default=5)
    arguments.add_argument("-s", "--strategy", default="PGC")
    asyncio.run(_judge(arguments.parse_args()))


async def _judge(given: argparse.Namespace) -> None:
    corpus = load_corpus(given.corpus)
    texts = {document.id: document.text for document in corpus.documents}
    questions = load_questions(find_question_files(given.corpus), corpus)
    asked = [q for q in questions if q.evidence and can_judge(OLLAMA, q)][: given.questions]
    strategy = parse_spec(given.strategy).strategy
    chunks = [
        RetrievedChunk(document.id, *(chunk.context or (chunk.start, chunk.end)))
        for document in corpus.documents
        for chunk in strategy.chunk(AnnotatedDocument(document))
    ]
    evidence = EvidenceJudge(texts)
    counts = np.zeros((3, 3), dtype=int)
    failed = 0
    with TemporaryDirectory() as folder:
        judge = open_judge([server_url(given.server)], given.model, Path(folder) / "answers.db")
        print(judge.id)
        begun = perf_counter()
        for question, chunk in _retrieved(asked, chunks, texts):
            text = texts[chunk.document][chunk.start : chunk.end]
            known = await evidence.grade(question, chunk)
            try:
                grade = await judge.grade(question.answers, text)
            except Unjudged as reason:
                failed += 1
                print(f"  -  {reason}")
                continue
            counts[known.value][grade.value] += 1
            print(f"  {grade.value}  evidence {known.value}  {grade.reason[:90]!a}")
        seconds = perf_counter() - begun
        await judge.close()
    total = int(counts.sum()) + failed
    print(f"{total} judgements, one at a time: {seconds / total:.1f} s each; {failed} failed")
    if counts.any():
        print(f"evidence by model:\n{counts}\n{agreement(counts)}")


def _retrieved(
    questions: list[Question], chunks: list[RetrievedChunk], texts: dict[str, str]
) -> Iterator[tuple[Question, RetrievedChunk]]:
    embedder = load_embedder(DEFAULT_MODEL)
    vectors = embedder.embed([texts[c.document][c.start : c.end] for c in chunks])
    for question in questions:
        scores = vectors @ embedder.embed([question.text])[0]
        for row in np.argsort(-scores, kind="stable")[:K]:
            yield question, chunks[row]


if __name__ == "__main__":
    main()
