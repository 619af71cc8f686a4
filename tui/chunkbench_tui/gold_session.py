"""The question set under work: its documents, its rows, and every change of its file."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from chunkbench_engine.errors import BadInput
from chunkbench_engine.language.address import urls_from_environment
from chunkbench_engine.questions.gold_client import GoldClient
from chunkbench_engine.questions.question_file import read_lines, write_lines
from chunkbench_tui.gold_edits import Draft, Edit, kept, removed, undone
from chunkbench_tui.gold_places import GoldPlace, keep_place, place_in

if TYPE_CHECKING:
    from chunkbench_engine.questions.gold import GoldCorpus, GoldRow, Place, Suggestion
    from chunkbench_engine.questions.search import Candidate


@dataclass
class GoldSession:
    """One corpus and one question file. What fails raises `BadInput` and changes nothing.

    Attributes:
        store: the database that places and answers are kept beside.
        asked: the corpus as the person named it.
        corpus: what was read.
        rows: the rows of the file, as they are now.
        edits: the changes that can be undone, oldest first.
    """

    store: Path
    asked: str
    corpus: GoldCorpus
    rows: tuple[GoldRow, ...]
    edits: list[Edit] = field(default_factory=list)
    _client: GoldClient = field(default_factory=GoldClient)
    _suggester: GoldClient | None = None

    @property
    def file(self) -> Path:
        return Path(self.corpus.file)

    @property
    def documents(self) -> list[str]:
        """Ids of the documents."""
        return [document.id for document in self.corpus.documents]

    async def text(self, document: str) -> str:
        return await self._client.text(document)

    async def passage(self, place: Place) -> str:
        """The text of a span."""
        document, start, end = place
        return (await self.text(document))[start:end]

    def evidence_in(self, document: str) -> list[tuple[int, int]]:
        """Spans of a document that answer a question, in order of their starts."""
        places = {
            (start, end)
            for row in self.rows
            for slot in row.evidence
            for name, start, end in slot
            if name == document
        }
        return sorted(places)

    async def save(self, draft: Draft) -> None:
        """Put a draft into the file: in place of its row, or at the end."""
        evidence = await self._client.evidence(draft.evidence)
        lines = await asyncio.to_thread(read_lines, self.file)
        await self._put(kept(lines, draft, evidence, (row.id for row in self.rows)))

    async def remove(self, row: GoldRow) -> None:
        lines = await asyncio.to_thread(read_lines, self.file)
        await self._put(removed(lines, row))

    async def undo(self) -> str:
        """Take the last change back; what was undone."""
        edit = undone(self.edits[-1])
        await self._write(edit)
        self.edits.pop()
        return edit.what

    async def find(self, row: GoldRow) -> tuple[Candidate, ...]:
        return await self._client.find(row.question)

    async def ask_model(self, name: str) -> None:
        """Have a language model propose questions from now on.

        It works in a process of its own, so that the file can be worked on meanwhile.
        """
        if self._suggester is None:
            self._suggester = GoldClient()
            await self._suggester.open(self.asked, self.corpus.file)
        asked = [row.question for row in self.rows]
        seed = len(asked)  # another time, other excerpts
        urls = urls_from_environment()
        await self._suggester.suggest(name, urls, str(self.store), seed, asked)

    async def next_suggestion(self) -> Suggestion:
        if self._suggester is None:
            raise BadInput("no language model was chosen: choose one first")
        return await self._suggester.next_suggestion()

    def keep_place(self, document: str, offset: int) -> None:
        """Keep where the person is; raises `OSError` where that is not possible."""
        place = GoldPlace(self.corpus.file, document, offset)
        keep_place(self.store, self.corpus.root, self.asked, place)

    async def close(self) -> None:
        await self._client.close()
        if self._suggester is not None:
            await self._suggester.close()

    async def _put(self, edit: Edit) -> None:
        await self._write(edit)
        self.edits.append(edit)

    async def _write(self, edit: Edit) -> None:
        """Write a change and read the rows again, also where another program wrote meanwhile."""
        try:
            await asyncio.to_thread(write_lines, self.file, edit.after, before=edit.before)
        finally:
            self.rows = await self._client.rows(str(self.file))


async def open_session(store: Path, corpus: str, file: str) -> tuple[GoldSession, Place]:
    """Read documents and questions, and say where the work goes on.

    Args:
        corpus: a folder of documents, or one.
        file: the question file; "" for that of last time, else `questions.jsonl` in the folder.
    """
    client = GoldClient()
    try:
        opened = await client.open(corpus, file)
        place = await asyncio.to_thread(place_in, store, opened.root)
        if place is not None and not file and place.file != opened.file:
            # Again, for the question file of last time is then no document.
            opened = await client.open(corpus, place.file)
        await asyncio.to_thread(read_lines, Path(opened.file))
        rows = await client.rows(opened.file)
    except BadInput:
        await client.close()
        raise
    session = GoldSession(store, corpus, opened, rows, _client=client)
    return session, _begin(session, place)


def _begin(session: GoldSession, place: GoldPlace | None) -> Place:
    """Where the caret stood, else the last question's evidence, else the beginning."""
    if place is not None and place.document in session.documents:
        return place.document, place.offset, 0
    last = [row.evidence[-1][0] for row in session.rows if row.evidence]
    if last:
        return last[-1][0], last[-1][1], 0
    return session.documents[0], 0, 0
