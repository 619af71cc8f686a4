"""`questions suggest`: questions that a language model proposes, for a person to review."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkbench_engine.errors import BadInput
from chunkbench_engine.language.address import (
    DEFAULT_LANGUAGE_MODEL,
    server_url,
    urls_from_environment,
)
from chunkbench_store.database import default_path
from chunkbench_tui.commands.options import CorpusPath, Ollama
from chunkbench_tui.console import command, console, say, say_error
from chunkbench_tui.safe_text import shown_lines

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from chunkbench_engine.documents.corpus import Corpus
    from chunkbench_engine.questions.gold import Suggestion


def suggest(
    corpus: CorpusPath,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="JSONL file to write.")
    ],
    language_model: Annotated[
        str, typer.Option(metavar="MODEL", help="Ollama model that is asked.")
    ] = DEFAULT_LANGUAGE_MODEL,
    count: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="Questions wanted.")
    ] = 30,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Another seed asks about other excerpts.")
    ] = 0,
    review: Annotated[
        bool, typer.Option("--review", help="Accept, edit or reject each, here and now.")
    ] = False,
    ollama: Ollama = None,
) -> None:
    """Have a language model propose questions.

    Excerpts are drawn from the raw text by position, not by any chunking, and shown to the model
    at temperature 0. A question is kept if
    its evidence stands word for word, and once, in its document, and if it shares less than 70 %
    of its words with every other. All are marked "synthetic".
    """
    from chunkbench_engine.documents.corpus import load_corpus
    from chunkbench_engine.questions.question_file import read_lines

    if read_lines(output) or output.exists():
        raise BadInput(f"{output} is there already: name another file with --output")
    read = load_corpus(corpus)
    urls = tuple(map(server_url, ollama)) if ollama else urls_from_environment()
    made, rejected = asyncio.run(_suggested(urls, language_model, read, count, seed))
    for reason, number in rejected.most_common():
        say_error(f"{number} excerpts without a question: {reason}.")
    if not made:
        raise BadInput(f"{language_model} proposed no question that can be used: try another model")
    kept = _reviewed(made, read) if review else made
    if not kept:
        say("No question was accepted; nothing is written.")
        return
    _put(output, kept, read)
    say(f"{len(kept)} of {count} questions are in {output}, marked as synthetic. Review them:")
    say(command(f"questions check {output} {corpus}", default_path()) + ", or press 8 in the app.")


async def _suggested(
    urls: Sequence[str], name: str, corpus: Corpus, count: int, seed: int
) -> tuple[list[Suggestion], Counter[str]]:
    from chunkbench_engine.language.ollama import open_language_model
    from chunkbench_engine.questions.suggest import suggestions
    from chunkbench_engine.run.context import answers_path

    model = open_language_model(urls, name, answers_path(default_path()))
    try:
        return await suggestions(model, corpus.documents, count, seed)
    finally:
        await model.close()


def _put(to: Path, kept: Sequence[Suggestion], corpus: Corpus) -> None:
    from chunkbench_engine.questions.question_file import new_id, row_line, write_lines
    from chunkbench_engine.questions.suggest import suggestion_fields

    lines: list[str] = []
    ids: set[str] = set()
    for suggestion in kept:
        row_id = new_id(suggestion.question, ids)
        ids.add(row_id)
        text = corpus.by_id[suggestion.document].text
        lines.append(row_line(suggestion_fields(suggestion, text, row_id)))
    write_lines(to, tuple(lines), before=())


def _reviewed(made: Sequence[Suggestion], corpus: Corpus) -> list[Suggestion]:
    """Those that the person accepts, in the words that the person gives them."""
    kept: list[Suggestion] = []
    with suppress(EOFError, KeyboardInterrupt):
        for number, suggestion in enumerate(made, start=1):
            say("")
            say(f"--- {number} of {len(made)}, {suggestion.document}")
            say(f"Question: {suggestion.question}")
            say(f"Answer: {suggestion.answer}")
            text = corpus.by_id[suggestion.document].text[suggestion.start : suggestion.end]
            console.print(shown_lines(text), markup=False, soft_wrap=True)
            typed = ""
            while typed not in ("a", "e", "r", "q"):
                typed = input("a accept, e edit, r reject, q leave: ").strip().lower()
            if typed == "q":
                break
            if typed == "e":
                words = input("The question: ").strip()
                suggestion = replace(suggestion, question=words or suggestion.question)
            if typed != "r":
                kept.append(suggestion)
    return kept
