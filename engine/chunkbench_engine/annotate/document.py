"""A document with its annotations: made on first use, shared by all strategies, costed."""

from __future__ import annotations

import re
from collections import Counter
from time import perf_counter
from typing import TYPE_CHECKING, Any

from chunkbench_engine.annotate.blocks import Block, load_parser, split_blocks
from chunkbench_engine.annotate.paragraphs import split_paragraphs
from chunkbench_engine.annotate.sentences import load_segmenter, split_sentences
from chunkbench_engine.annotate.tokens import Tokens, load_tokenizer, tokenize
from chunkbench_engine.documents.document import Document
from chunkbench_engine.errors import BadInput, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkbench_engine.chunkers.chunk import Span
    from chunkbench_engine.embedders.embedder import Vectors
    from chunkbench_engine.language.answer import Ask, Request

_VECTORS = re.compile(r"sentence_vectors(?:\(buffer=(\d+)\))?")


class AnnotatedDocument:
    """A document and what the strategies read of it.

    Annotations are computed on first use and kept. Their names: `tokens`, `sentences`,
    `paragraphs`, `blocks`, `sentence_vectors` and `sentence_vectors(buffer=1)`.

    Attributes:
        id: the document's id.
        text: its canonical text.
        costs: seconds that each annotation took, without those that it was made from. For vectors
            these are the seconds that the model spent when it computed them, cached or not.
        used: names of the annotations that were read.
        remarks: counts that a strategy wants known of what it did here (`chunkers/remarks.py`):
            how many questions of each kind a language model was asked (`LBDC windows`), and how
            many got no usable answer (`LBDC windows_unanswered`); parts count here too.
    """

    def __init__(
        self,
        document: Document,
        embed: Callable[[Sequence[str]], Vectors] | None = None,
        ask: Ask | None = None,
    ) -> None:
        """`embed` is the chunkers' own model; without one, asking for vectors is refused.

        `ask` is the language model's likewise.
        """
        self.id = document.id
        self.text = document.text
        self.costs: dict[str, float] = {}
        self.used: set[str] = set()
        self.remarks: Counter[str] = Counter()
        self._embed = embed
        self._ask = ask
        self._made: dict[str, Any] = {}

    @property
    def tokens(self) -> Tokens:
        """The text's tokens, with their edges."""
        made: Tokens = self._read("tokens")
        return made

    @property
    def sentences(self) -> list[Span]:
        """Trimmed spans of the sentences, in order."""
        made: list[Span] = self._read("sentences")
        return made

    @property
    def paragraphs(self) -> list[Span]:
        """Trimmed spans of the paragraphs, in order."""
        made: list[Span] = self._read("paragraphs")
        return made

    @property
    def blocks(self) -> list[Block]:
        """Markdown blocks, in order."""
        made: list[Block] = self._read("blocks")
        return made

    def sentence_vectors(self, buffer: int = 0) -> NDArray[np.float32]:
        """`(sentences, dimensions)` unit vectors, one a sentence.

        With a buffer, of the text from `buffer` sentences before each to `buffer` after it.
        Raises `Unavailable` where the document was given no model.
        """
        made: NDArray[np.float32] = self._read(vectors_name(buffer))
        return made

    def warm(self, names: Iterable[str]) -> None:
        """Make annotations ahead of a strategy that will read them."""
        for name in names:
            self._make(name)

    def charged(self, names: Iterable[str]) -> float:
        """Seconds that these annotations, and all they are made from, cost; each counted once."""
        needed: set[str] = set()
        for name in names:
            self._make(name)
            while name and name not in needed:
                needed.add(name)
                name = _source(name)
        return sum(self.costs[name] for name in needed)

    def part(self, start: int, end: int) -> AnnotatedDocument:
        """The slice as a document of its own; its spans count from `start`."""
        part = AnnotatedDocument(Document(self.id, self.text[start:end]), self._embed, self._ask)
        part.remarks = self.remarks
        return part

    def ask(self, kind: str, requests: Iterable[Request]) -> list[Any]:
        """What was read from the language model's answers; None where none was usable.

        They are counted in the remarks under `kind`. Raises `Unavailable` where the document was
        given no language model.
        """
        if self._ask is None:
            raise Unavailable(
                f"{self.id} was annotated without a language model, which this strategy asks: "
                "give AnnotatedDocument an ask function"
            )
        values = self._ask(requests).values
        self.remarks[kind] += len(values)
        self.remarks[f"{kind}_unanswered"] += sum(value is None for value in values)
        return values

    def _read(self, name: str) -> Any:  # noqa: ANN401 - each property states its own type
        self.used.add(name)
        return self._make(name)

    def _make(self, name: str) -> Any:  # noqa: ANN401
        if name not in self._made:
            source = self._make(_source(name)) if _source(name) else []
            if match := _VECTORS.fullmatch(name):
                self._made[name] = self._vectors(name, source, int(match[1] or 0))
            else:
                make = _maker(name)
                began = perf_counter()
                self._made[name] = make(self.text, source)
                self.costs[name] = perf_counter() - began
        return self._made[name]

    def _vectors(self, name: str, sentences: list[Span], buffer: int) -> NDArray[np.float32]:
        if self._embed is None:
            raise Unavailable(
                f"{self.id} was annotated without an embedding model, which the semantic "
                "strategies need: give AnnotatedDocument an embed function"
            )
        last = len(sentences) - 1
        vectors = self._embed(
            [
                self.text[sentences[max(i - buffer, 0)][0] : sentences[min(i + buffer, last)][1]]
                for i in range(len(sentences))
            ]
        )
        self.costs[name] = vectors.seconds
        return vectors.values


def vectors_name(buffer: int) -> str:
    """Name of the sentence vectors with this many neighbours on each side."""
    return f"sentence_vectors(buffer={buffer})" if buffer else "sentence_vectors"


def _source(name: str) -> str:
    """Name of the annotation that this one is made from, "" if the text alone."""
    if name == "sentences":
        return "paragraphs"
    return "sentences" if _VECTORS.fullmatch(name) else ""


def _maker(name: str) -> Callable[[str, list[Span]], object]:
    """What makes an annotation from the text and its source; its models are loaded by now."""
    match name:
        case "tokens":
            load_tokenizer()
            return lambda text, _: tokenize(text)
        case "paragraphs":
            return lambda text, _: split_paragraphs(text)
        case "sentences":
            load_segmenter()
            return split_sentences
        case "blocks":
            load_parser()
            return lambda text, _: split_blocks(text)
    raise BadInput(f"there is no annotation named {name!r}")
