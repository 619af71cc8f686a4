"""Other libraries' chunkers under short names: `chonkie:TokenChunker(chunk_size=400)`.

A library is imported when one of its chunkers is used, and never else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True)
class Adapter:
    """How a library's chunkers are made and called.

    Attributes:
        module: where they are.
        package: what is installed to have it.
        make: from what was named in the module, and the parameters, to a callable as one's own
            would be: text to chunks.
    """

    module: str
    package: str
    make: Callable[..., Callable[[str], object]]


def _langchain(named: Any, **parameters: Any) -> Callable[[str], object]:  # noqa: ANN401
    """A text splitter; what it returns as documents is found by their text.

    Its own `start_index` is not asked for: it searches from an overlap in characters, and so goes
    astray where lengths are counted in tokens.
    """
    splitter = named(**parameters)

    def split(text: str) -> list[str]:
        return [
            piece if isinstance(piece, str) else piece.page_content
            for piece in splitter.split_text(text)
        ]

    return split


def _chonkie(named: Any, **parameters: Any) -> Callable[[str], object]:  # noqa: ANN401
    """A chunker, whose chunks have `text` and `start_index` of themselves."""
    chunker: Callable[[str], object] = named(**parameters)
    return chunker


def _llamaindex(named: Any, **parameters: Any) -> Callable[[str], object]:  # noqa: ANN401
    """A node parser; nodes say where they begin, unless the parser itself does not know."""
    from llama_index.core import Document

    parser = named(**parameters)

    def split(text: str) -> Iterator[dict[str, object]]:
        for node in parser.get_nodes_from_documents([Document(text=text)]):
            yield {"text": node.text, "start_index": node.start_char_idx}

    return split


def _semchunk(named: Any, *, overlap: float = 0, **parameters: Any) -> Callable[[str], object]:  # noqa: ANN401
    """`chunkerify`, by default with this project's tokenizer; `overlap` is of its chunker's call.

    The overlap is a number of tokens, or below 1 a share of the size.
    """
    from chunkbench_engine.annotate.tokens import load_tokenizer

    parameters.setdefault("tokenizer_or_token_counter", load_tokenizer()[0])
    chunker = named(**parameters)

    def split(text: str) -> object:
        _, spans = chunker(text, offsets=True, overlap=overlap or None)
        return spans

    return split


ADAPTERS = {
    "langchain": Adapter("langchain_text_splitters", "langchain-text-splitters", _langchain),
    "chonkie": Adapter("chonkie", "chonkie", _chonkie),
    "llamaindex": Adapter("llama_index.core.node_parser", "llama-index-core", _llamaindex),
    "semchunk": Adapter("semchunk", "semchunk", _semchunk),
}
"""By the name before the colon."""
