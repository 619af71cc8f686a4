"""What was read of a corpus, and what was not, in a line."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from chunkbench_engine.counted import counted
from chunkbench_engine.documents.filters import EXCLUDED, NOT_INCLUDED
from chunkbench_engine.documents.walk import FOREIGN, HIDDEN, IGNORED, QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkbench_engine.documents.corpus import Corpus

_NAMED = 3
_SHORT = {
    HIDDEN: "hidden",
    IGNORED: "in .gitignore",
    FOREIGN: "folders of installed or generated files",
    QUESTIONS: "with questions",
    EXCLUDED: "left out by --exclude",
    NOT_INCLUDED: "left out by --include",
}


def summarise(corpus: Corpus) -> str:
    """`14 documents: 10 Markdown, 3 PDF (pypdf 7.1.1), 1 Word (python-docx 1.2.0); 2 files left
    out: scan.pdf and old.doc`; then what filters, `.gitignore` and hiding kept out, in total.
    """
    kinds = Counter((document.format, document.reader) for document in corpus.documents)
    named = [
        f"{count:,} {form}" + (f" ({reader})" if reader else "")
        for (form, reader), count in kinds.most_common()
        if form
    ]
    said = counted(len(corpus.documents), "document")
    parts = [f"{said}: {', '.join(named)}" if named else said]
    if lost := [entry.path for entry in corpus.skipped if not entry.expected]:
        parts.append(f"{counted(len(lost), 'file')} left out: {some(lost)}")
    expected = Counter(entry.reason for entry in corpus.skipped if entry.expected)
    if expected:
        ranked = sorted(expected.items(), key=lambda item: (-item[1], _SHORT[item[0]]))
        also = (f"{count:,} {_SHORT[reason]}" for reason, count in ranked)
        parts.append(f"beside them {', '.join(also)}")
    return "; ".join(parts)


def remarks(corpus: Corpus) -> list[str]:
    """A sentence on every file that a person may miss, those with the same reason together."""
    by_reason: dict[str, list[str]] = {}
    for entry in corpus.skipped:
        if not entry.expected:
            by_reason.setdefault(entry.reason, []).append(entry.path)
    said = [
        f"{paths[0]} is not read: it {reason}"
        if len(paths) == 1
        else f"{len(paths)} files are not read ({some(paths)}): each {reason}"
        for reason, paths in by_reason.items()
    ]
    said += [
        f"{document.id}: {counted(document.undecodable, 'byte')} that are no {document.encoding}"
        for document in corpus.documents
        if document.undecodable
    ]
    return said


def some(names: Iterable[str]) -> str:
    """The first names of a list."""
    first = list(names)
    return ", ".join(first[:_NAMED]) + (", …" if len(first) > _NAMED else "")
