"""Looking at chunks on a terminal: in their place in the document, and in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from chunkbench_tui.console import console, say
from chunkbench_tui.safe_text import shown_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk

_TINTS = ("on grey23", "on dark_blue")
_OVERLAP = "on dark_red"
_MARK = "bold"


def show_chunks(text: str, chunks: Sequence[Chunk]) -> None:
    """Print a document with its boundaries.

    Chunk n stands between `⟦n` and `n⟧`; neighbours have different tints, and what several chunks
    share has a third, so that it reads the same without colour.
    """
    output = Text()
    for piece, style in _pieces(text, chunks):
        output.append(piece, style)
    console.print(output, soft_wrap=True)


def _pieces(text: str, chunks: Sequence[Chunk]) -> Iterator[tuple[str, str]]:
    begins: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    for number, chunk in enumerate(chunks, start=1):
        begins.setdefault(chunk.start, []).append(number)
        ends.setdefault(chunk.end, []).append(number)
    edges = sorted({0, len(text), *begins, *ends})
    inside: set[int] = set()
    for edge, following in zip(edges, [*edges[1:], edges[-1]], strict=True):
        for number in ends.get(edge, ()):
            inside.discard(number)
            yield f"{number}⟧", _MARK
        for number in begins.get(edge, ()):
            inside.add(number)
            yield f"⟦{number}", _MARK
        style = ""
        if inside:
            style = _OVERLAP if len(inside) > 1 else _TINTS[max(inside) % len(_TINTS)]
        piece = text[edge:following]
        # Line ends are kept whatever they are; `shown_lines` gives them as single newlines.
        yield shown_lines(piece) + ("\n" if piece.endswith(("\n", "\r")) else ""), style


def show_stats(document: AnnotatedDocument, chunks: Sequence[Chunk], model: str) -> None:
    """Print the sizes of the chunks of a document, and what they cut through."""
    from chunkbench_engine.embedders.registry import load_embedder
    from chunkbench_engine.measures.chunks import cuts, sizes

    spans = [chunk.span for chunk in chunks]
    embedder = load_embedder(model)
    embedded = [
        f"{chunk.prefix}\n{document.text[chunk.start : chunk.end]}".lstrip("\n") for chunk in chunks
    ]
    size = sizes(
        [document.tokens.count(*span) for span in spans],
        embedder.count_tokens(embedded) if embedder.window is not None else [],
        embedder.window,
    )
    cut = cuts(document.text, spans, document.sentences, document.blocks)
    window = "no limit" if embedder.window is None else f"window of {embedder.window} tokens"
    for name, value in (
        ("chunks", f"{size.count:,}"),
        ("tokens, mean", f"{size.mean:.1f}"),
        ("tokens, median", f"{size.median:.0f}"),
        ("tokens, shortest and longest", f"{size.shortest:,} and {size.longest:,}"),
        (f"beyond {model} ({window})", f"{size.over_window:.1%}"),
        ("begin inside a sentence", f"{cut.begin_inside_share:.1%}"),
        ("end inside a sentence", f"{cut.end_inside_share:.1%}"),
        ("tables cut", f"{cut.tables_cut} of {cut.tables}"),
        ("code fences cut", f"{cut.fences_cut} of {cut.fences}"),
        ("chunks that end with a heading", f"{cut.headings_left}"),
    ):
        say(f"{name:<46} {value:>16}")
