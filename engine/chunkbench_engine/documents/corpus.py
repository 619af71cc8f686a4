"""A folder, or one file, of documents."""

from __future__ import annotations

import fnmatch
import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from chunkbench_engine.documents.conversion import Conversion
from chunkbench_engine.documents.convert.converted import Refused
from chunkbench_engine.documents.decode import NotText, decode
from chunkbench_engine.documents.document import Document
from chunkbench_engine.documents.filters import EVERYTHING, Filters
from chunkbench_engine.documents.formats import BY_SUFFIX, EXTRA, READ, Format
from chunkbench_engine.documents.limits import read_bounded, refuse_large
from chunkbench_engine.documents.published.recognise import holds_questions, recognise
from chunkbench_engine.documents.published.unknown import unknown_set
from chunkbench_engine.documents.walk import HIDDEN, QUESTIONS, Skipped, walk
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.documents.published.published_set import PublishedSet

_QUESTION_SUFFIXES = (".jsonl", ".json", ".csv")
_SHOWN = 5
"""Files named, or kinds of them counted, where none can be read."""


@dataclass(frozen=True)
class Corpus:
    """Documents that are benchmarked together.

    Attributes:
        root: the folder (absolute); for one file, the folder it lies in.
        name: the folder's or the file's name.
        documents: sorted by id.
        skipped: what else lies there, and why it is not read.
        understood: what published set it is, and what was taken for its documents; "" for files.
    """

    root: Path
    name: str
    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...] = ()
    understood: str = ""

    @cached_property
    def sha256(self) -> str:
        """Hash of all ids and canonical texts, in hexadecimal."""
        digest = hashlib.sha256()
        for document in self.documents:
            # An id holds no NUL and a hash has a fixed length, so the stream reads one way only.
            digest.update(f"{document.id}\0{document.sha256}".encode())
        return digest.hexdigest()

    @cached_property
    def by_id(self) -> dict[str, Document]:
        """Documents by id."""
        return {document.id: document for document in self.documents}


def load_corpus(path: Path, filters: Filters = EVERYTHING, apart: Sequence[Path] = ()) -> Corpus:
    """Read a folder of documents with its sub-folders, one document, or a published set.

    Args:
        path: the folder or file.
        filters: what to read of a folder.
        apart: question files that were named: where they lie in the folder, they are no documents.

    Raises:
        BadInput: there is nothing at that path, or nothing that can be read; a filter is no
            pattern.
    """
    try:
        root = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise BadInput(f"{path} does not exist; give a folder or file of documents.") from error
    filters.check()
    sets = recognise(path)
    if sets:
        return _load_sets(path, root, sets, filters)
    if root.is_dir():
        return _load_folder(path, root, filters, {file.resolve() for file in apart})
    return _load_file(path)


def find_question_files(path: Path, filters: Filters = EVERYTHING) -> list[Path]:
    """The question files of a published set, or every `questions.jsonl`, `.json` and `.csv` under
    a folder, sorted; none for a file. What `--include` names are documents, so it is not asked.
    """
    if sets := recognise(path):
        return [found.files[0] for found in sets]
    if not path.is_dir():
        return []
    files, _ = walk(path, Filters(exclude=filters.exclude))
    names = {f"questions{suffix}" for suffix in _QUESTION_SUFFIXES}
    return [file for name, file in files.items() if PurePosixPath(name).name.lower() in names]


def _load_sets(given: Path, root: Path, sets: Sequence[PublishedSet], filters: Filters) -> Corpus:
    understood = "; ".join(f"{found.files[0].name}: {found.said}" for found in sets)
    documents = [document for found in sets for document in found.documents]
    if documents:
        reasons = {document.id: filters.reason(document.id) for document in documents}
        kept = sorted((d for d in documents if not reasons[d.id]), key=lambda d: d.id)
        left = sorted(Skipped(name, why, True) for name, why in reasons.items() if why)
        if not kept:
            raise BadInput(f"{given} has no document that the filters do not leave out.")
        folder = root if root.is_dir() else root.parent
        return Corpus(folder, given.name or root.name, tuple(kept), tuple(left), understood)
    folders = {found.folder for found in sets}
    if len(folders) != 1 or (folder := folders.pop()) is None:  # type: ignore[assignment]
        raise BadInput(f"{given} has no documents of its own: {understood}; give their folder.")
    corpus = _load_folder(folder, folder.resolve(), filters, set())
    return replace(corpus, name=given.name or root.name, understood=understood)


def _load_folder(given: Path, root: Path, filters: Filters, apart: set[Path]) -> Corpus:
    files, skipped = walk(root, filters)
    documents = []
    with Conversion() as conversion:
        for name, file in files.items():
            if apart and file.resolve() in apart:
                skipped.append(Skipped(name, QUESTIONS, True))
                continue
            loaded = _load(name, file, conversion)
            if isinstance(loaded, Skipped):
                skipped.append(loaded)
            else:
                documents.append(loaded)
    if not documents:
        raise BadInput(_nothing_to_read(given, skipped))
    return Corpus(root, root.name or str(root), tuple(documents), tuple(sorted(skipped)))


def _load_file(path: Path) -> Corpus:
    # Opening a pipe would wait for someone to write to it.
    if not path.is_file():
        raise BadInput(f"{path} is no regular file; give a folder or file of documents.")
    # The name as given: a link's own name, not its target's.
    with Conversion() as conversion:
        loaded = _load(path.name, path, conversion)
    if isinstance(loaded, Skipped):
        if loaded.reason == QUESTIONS:
            raise BadInput(unknown_set(path))
        raise BadInput(f"{path} cannot be read as a document: it {loaded.reason}.")
    return Corpus(path.parent.resolve(), path.name, (loaded,))


def _load(name: str, file: Path, conversion: Conversion) -> Document | Skipped:
    suffix = file.suffix.lower()
    form = BY_SUFFIX.get(suffix)
    if _is_question_file(file.name):
        return Skipped(name, QUESTIONS, True)
    if form is None:
        what = f"is of another format ({suffix})" if suffix else "has no suffix to tell its format"
        return Skipped(name, what)
    try:
        refuse_large(file)
        if form.converter:
            document = _convert(name, file, form, conversion)
        elif holds_questions(file):
            return Skipped(name, QUESTIONS, True)
        else:
            document = Document(name, *decode(read_bounded(file)), format=form.name)
    except (NotText, Refused) as error:
        return Skipped(name, str(error))
    except OSError as error:
        return Skipped(name, f"cannot be opened: {error.strerror}")
    return document if document.text.strip() else Skipped(name, "is empty")


def _convert(name: str, file: Path, form: Format, conversion: Conversion) -> Document:
    if form.missing:
        raise Refused(f"needs {form.package} to be read as {form.name}: {EXTRA}")
    if not file.stat().st_size:
        return Document(name, "")
    text, detail = conversion.convert(file, form)
    by = f" by {form.reader}" if form.reader else ""
    note = f"from {form.name}{by}" + (f": {detail}" if detail else "")
    return Document(name, text, note=note, format=form.name, reader=form.reader)


def _is_question_file(name: str) -> bool:
    lower = name.lower()
    return any(fnmatch.fnmatchcase(lower, f"questions*{suffix}") for suffix in _QUESTION_SUFFIXES)


def _nothing_to_read(given: Path, skipped: list[Skipped]) -> str:
    seen = [entry for entry in skipped if entry.reason != HIDDEN]
    if not seen:
        return f"{given} is empty; give a folder with documents ({READ})."
    found = [f"{entry.path} {entry.reason}" for entry in sorted(seen)]
    if len(found) > _SHOWN:
        reasons = Counter(entry.reason for entry in seen)
        found = [f"{count} files: {why}" for why, count in reasons.most_common(_SHOWN)]
    said = f"{given} holds no readable document (read are {READ}): {'; '.join(found)}."
    if any(entry.reason == QUESTIONS for entry in seen):
        said += " If one of them is a published set, give that file itself."
    return said
