"""A folder, or one file, of documents."""

from __future__ import annotations

import fnmatch
import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from chunkbench_engine.documents.decode import NotText
from chunkbench_engine.documents.document import Document
from chunkbench_engine.documents.loaders import LOADERS
from chunkbench_engine.documents.walk import Skipped, walk
from chunkbench_engine.errors import BadInput

_QUESTION_SUFFIXES = (".jsonl", ".json", ".csv")


@dataclass(frozen=True)
class Corpus:
    """Documents that are benchmarked together.

    Attributes:
        root: the folder (absolute); for one file, the folder it lies in.
        name: the folder's or the file's name.
        documents: sorted by id.
        skipped: what else lies there, and why it is not read.
    """

    root: Path
    name: str
    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...] = ()

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


def load_corpus(path: Path) -> Corpus:
    """Read a folder of documents, with its sub-folders, or one document.

    Raises:
        BadInput: there is nothing at that path, or nothing that can be read.
    """
    try:
        root = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise BadInput(f"{path} does not exist; give a folder or file of documents.") from error
    return _load_folder(path, root) if root.is_dir() else _load_file(path)


def find_question_files(path: Path) -> list[Path]:
    """Every `questions.jsonl`, `.json` and `.csv` under a folder, sorted; none for a file."""
    if not path.is_dir():
        return []
    files, _ = walk(path)
    names = {f"questions{suffix}" for suffix in _QUESTION_SUFFIXES}
    return [file for name, file in files.items() if PurePosixPath(name).name.lower() in names]


def _load_folder(given: Path, root: Path) -> Corpus:
    files, skipped = walk(root)
    documents = []
    for name, file in files.items():
        loaded = _load(name, file)
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
    loaded = _load(path.name, path)
    if isinstance(loaded, Skipped):
        raise BadInput(f"{path} cannot be read as a document: {loaded.reason}.")
    return Corpus(path.parent.resolve(), path.name, (loaded,))


def _load(name: str, file: Path) -> Document | Skipped:
    suffix = file.suffix.lower()
    if _is_question_file(file.name):
        return Skipped(name, "is a question file")
    if suffix not in LOADERS:
        what = f"{suffix} files are not read" if suffix else "files without a suffix are not read"
        return Skipped(name, f"{what} (read are {_read_suffixes()})", True)
    try:
        decoded = LOADERS[suffix](file.read_bytes())
    except NotText as error:
        return Skipped(name, str(error))
    except OSError as error:
        return Skipped(name, f"cannot be opened: {error.strerror}")
    if not decoded.text.strip():
        return Skipped(name, "is empty")
    return Document(name, *decoded)


def _is_question_file(name: str) -> bool:
    lower = name.lower()
    return any(fnmatch.fnmatchcase(lower, f"questions*{suffix}") for suffix in _QUESTION_SUFFIXES)


def _read_suffixes() -> str:
    return ", ".join(LOADERS)


def _nothing_to_read(given: Path, skipped: list[Skipped]) -> str:
    seen = [entry for entry in skipped if entry.reason != "is hidden"]
    if not seen:
        return f"{given} is empty; give a folder with documents ({_read_suffixes()})."
    kinds = Counter(_kind(entry) for entry in seen)
    found = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f"{given} holds no readable document: read are {_read_suffixes()}, but it has {found}."


def _kind(entry: Skipped) -> str:
    suffix = PurePosixPath(entry.path).suffix.lower()
    if suffix in LOADERS:
        return f"{suffix} that {entry.reason}"
    return suffix or "without a suffix"
