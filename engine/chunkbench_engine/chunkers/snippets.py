"""A strategy as code to paste: for this package, LangChain, LlamaIndex or Chonkie.

Every piece of code takes a `text` and leaves `chunks`, a list of strings. It is *exact* where it
gives the chunks of the run, which tests hold against the libraries; else it has the same idea and
gives other chunks, and what differs is said. Where there is nothing of the kind there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_engine.chunkers.adapters import ADAPTERS
from chunkbench_engine.chunkers.foreign import Foreign
from chunkbench_engine.chunkers.recursive import ParentChild, Recursive, RecursiveTokens
from chunkbench_engine.chunkers.semantic import DistanceGradient, DistancePercentile
from chunkbench_engine.chunkers.sentences import LengthAware, Sentences
from chunkbench_engine.chunkers.separators import SEPARATORS
from chunkbench_engine.chunkers.windows import CharacterWindows, SlidingWindows, TokenWindows
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkbench_engine.chunkers.chunk import Strategy
    from chunkbench_engine.chunkers.spec import ConfiguredStrategy

LIBRARIES = {
    "chunkbench": "chunkbench-tui",
    "langchain": "LangChain",
    "llamaindex": "LlamaIndex",
    "chonkie": "Chonkie",
}
"""By the name on the command line, what the library is called."""

_OWN_SENTENCES = "it divides sentences by its own rules"
_OWN_MODEL = "put in the embedding model that you use"
_CUT_CHARACTERS = (
    "at a window's edge inside a character (in some scripts and emoji one has several tokens) it "
    "puts a replacement character"
)
_SPECIAL = "text such as <|endoftext|> is refused, here it is text like any other"
_TOKENS_ALONE = "it counts the tokens of each piece by itself, here they are those of the document"
_LINE_ENDS = "lines are ended by \\n alone; \\r\\n must be changed to that first"


@dataclass(frozen=True, slots=True)
class Snippet:
    """Code for a library.

    Attributes:
        library: key of `LIBRARIES`.
        install: what `pip install` needs.
        code: takes `text`, leaves `chunks`.
        exact: whether its chunks are those of the run.
        differences: what is otherwise, in clauses; of an exact one, where it is not.
    """

    library: str
    install: str
    code: str
    exact: bool
    differences: tuple[str, ...] = ()

    def text(self) -> str:
        """The code under comments that say what it is."""
        how = "the same chunks" if self.exact else "the same idea, other chunks"
        lines = [f"# {LIBRARIES[self.library]}: {how}. pip install {self.install}"]
        lines += [f"# But {difference}." for difference in self.differences]
        return "\n".join([*lines, "", self.code])


def snippets(configured: ConfiguredStrategy, chunker_model: str = "") -> list[Snippet]:
    """All there are for a strategy, this package's own first.

    Args:
        chunker_model: the embedding model inside semantic strategies.
    """
    found = [_own(configured, chunker_model)]
    strategy = configured.strategy
    if isinstance(strategy, Foreign):
        return found + _of_adapter(strategy)
    for kind, make in _MAKERS:
        if isinstance(strategy, kind):
            found += make(strategy)
    if configured.abbr in ("HAC", "MDC"):
        found += _sections(configured)
    return found


def snippet_for(library: str, configured: ConfiguredStrategy, chunker_model: str = "") -> Snippet:
    """The one for a library.

    Raises:
        BadInput: there is no such library, or it has nothing that comes near.
    """
    if library not in LIBRARIES:
        raise BadInput(f"there is no snippet for {library!r}: name one of {', '.join(LIBRARIES)}")
    found = snippets(configured, chunker_model)
    for snippet in found:
        if snippet.library == library:
            return snippet
    others = ", ".join(snippet.library for snippet in found)
    raise BadInput(
        f"{LIBRARIES[library]} has nothing that comes near {configured.label}; there is a snippet "
        f"for {others}"
    )


def _own(configured: ConfiguredStrategy, chunker_model: str) -> Snippet:
    if configured.needs_language_model:
        code = (
            "import json\nimport subprocess\n\n"
            f'command = ["chunkbench-tui", "chunk", "document.md", "-s", {configured.label!r}]\n'
            "lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout\n"
            'chunks = [json.loads(line)["text"] for line in lines.splitlines()]\n'
        )
        differences: tuple[str, ...] = ("it reads a file, as a language model is asked",)
        return Snippet("chunkbench", "chunkbench-tui", code, True, differences)
    model = f", chunker_model={chunker_model!r}" if configured.needs_vectors else ""
    code = (
        "from chunkbench_engine.api import chunk_text\n\n"
        f"found = chunk_text(text, {configured.label!r}{model})\n"
        "chunks = [text[chunk.start : chunk.end] for chunk in found]\n"
    )
    return Snippet("chunkbench", "chunkbench-tui", code, True, _own_differences(configured))


def _own_differences(configured: ConfiguredStrategy) -> tuple[str, ...]:
    """What the strings alone do not hold."""
    if configured.family == "late":
        return ("these are the units that are indexed; retrieval merges neighbours that it found",)
    if configured.abbr in ("HAC", "MDC"):
        return ("chunk.prefix is to be embedded before the text, as the run did",)
    if configured.abbr in ("PCC", "HIC"):
        return ("these are indexed; a reader is given the span chunk.context",)
    return ()


def _of_adapter(strategy: Foreign) -> list[Snippet]:
    """The library's own chunker, as it was run."""
    place, _, name = strategy.target.partition(":")
    if place not in LIBRARIES or place not in ADAPTERS:
        return []
    adapter = ADAPTERS[place]
    arguments = ", ".join(f"{key}={value!r}" for key, value in strategy.parameters)
    calls = {
        "langchain": "pieces = chunker.split_text(text)\n"
        "chunks = [piece if isinstance(piece, str) else piece.page_content for piece in pieces]\n",
        "llamaindex": "nodes = chunker.get_nodes_from_documents([Document(text=text)])\n"
        "chunks = [node.text for node in nodes]\n",
        "chonkie": "chunks = [chunk.text for chunk in chunker(text)]\n",
    }
    document = "from llama_index.core import Document\n" if place == "llamaindex" else ""
    code = (
        f"{document}from {adapter.module} import {name.partition('.')[0]}\n\n"
        f"chunker = {name}({arguments})\n{calls[place]}"
    )
    return [Snippet(place, adapter.package, code, True)]


def _langchain(code: str, exact: bool, *differences: str, package: str = "") -> Snippet:
    package = package or "langchain-text-splitters"
    return Snippet("langchain", package, code, exact, differences)


def _splitter(size: int, overlap: int, *more: str) -> str:
    arguments = ", ".join([f"chunk_size={size}", f"chunk_overlap={overlap}", *more])
    return f"RecursiveCharacterTextSplitter({arguments})"


def _recursive(strategy: Recursive) -> list[Snippet]:
    if strategy.unit == "tokens":
        return _recursive_tokens(RecursiveTokens(strategy.chunk_size, strategy.overlap))
    names = [name.strip() for name in strategy.separators.split(",")]
    default = names == ["blank line", "newline", "space", "character"]
    more = (
        []
        if default
        else [
            f"separators={[SEPARATORS[name].pattern for name in names[:-1]] + ['']!r}",
            "is_separator_regex=True",
        ]
    )
    code = (
        "from langchain_text_splitters import RecursiveCharacterTextSplitter\n\n"
        f"splitter = {_splitter(strategy.chunk_size, strategy.overlap, *more)}\n"
        "chunks = splitter.split_text(text)\n"
    )
    return [
        _langchain(code, True, *([_LINE_ENDS] if default else [])),
        _recursive_chonkie(strategy.chunk_size, strategy.overlap, '"character"'),
    ]


def _recursive_tokens(strategy: RecursiveTokens) -> list[Snippet]:
    splitter = _splitter(strategy.token_size, strategy.overlap, "length_function=count")
    code = (
        "import tiktoken\n"
        "from langchain_text_splitters import RecursiveCharacterTextSplitter\n\n"
        'encoding = tiktoken.get_encoding("cl100k_base")\n\n\n'
        "def count(piece):\n    return len(encoding.encode_ordinary(piece))\n\n\n"
        f"splitter = {splitter}\n"
        "chunks = splitter.split_text(text)\n"
    )
    return [
        _langchain(code, False, _TOKENS_ALONE, package="langchain-text-splitters tiktoken"),
        _recursive_chonkie(strategy.token_size, strategy.overlap, _CHONKIE_TOKENS),
    ]


_CHONKIE_TOKENS = 'tiktoken.get_encoding("cl100k_base")'


def _chonkie(call: str, exact: bool, *differences: str) -> Snippet:
    tokens = _CHONKIE_TOKENS in call
    name = call.partition("(")[0]
    code = (
        f"{'import tiktoken' + chr(10) if tokens else ''}from chonkie import {name}\n\n"
        f"chunker = {call}\n"
        "chunks = [chunk.text for chunk in chunker(text)]\n"
    )
    return Snippet("chonkie", f"chonkie{' tiktoken' if tokens else ''}", code, exact, differences)


def _recursive_chonkie(size: int, overlap: int, tokenizer: str) -> Snippet:
    differences = ["its separators are others, and white space stays at a chunk's ends"]
    if overlap:
        differences.append("its chunks do not overlap")
    return _chonkie(
        f"RecursiveChunker(tokenizer={tokenizer}, chunk_size={size})", False, *differences
    )


def _parents(strategy: ParentChild) -> list[Snippet]:
    if strategy.unit == "tokens":
        return []
    code = (
        "from langchain_text_splitters import RecursiveCharacterTextSplitter\n\n"
        f"parents = {_splitter(strategy.parent, 0)}\n"
        f"children = {_splitter(strategy.child, 0)}\n"
        "parts = [(child, parent) for parent in parents.split_text(text)"
        " for child in children.split_text(parent)]\n"
        "chunks = [child for child, parent in parts]  # index these, hand on their parents\n"
    )
    return [_langchain(code, True, _LINE_ENDS)]


def _token_windows(size: int, overlap: int) -> list[Snippet]:
    splitter = (
        f'TokenTextSplitter(encoding_name="cl100k_base", chunk_size={size}, '
        f"chunk_overlap={overlap})"
    )
    code = (
        "from langchain_text_splitters import TokenTextSplitter\n\n"
        f"splitter = {splitter}\n"
        "chunks = splitter.split_text(text)\n"
    )
    llamaindex = (
        "from llama_index.core.node_parser import TokenTextSplitter\n\n"
        f"splitter = TokenTextSplitter(chunk_size={size}, chunk_overlap={overlap})\n"
        "chunks = splitter.split_text(text)\n"
    )
    return [
        _langchain(
            code, True, _CUT_CHARACTERS, _SPECIAL, package="langchain-text-splitters tiktoken"
        ),
        Snippet(
            "llamaindex",
            "llama-index-core",
            llamaindex,
            False,
            ("it cuts between words, so that chunks have up to as many tokens",),
        ),
        _chonkie(
            f"TokenChunker(tokenizer={_CHONKIE_TOKENS}, chunk_size={size}, "
            f"chunk_overlap={overlap})",
            True,
            _CUT_CHARACTERS,
        ),
    ]


def _character_windows(strategy: CharacterWindows) -> list[Snippet]:
    size, overlap = strategy.char_size, strategy.overlap
    code = (
        "from langchain_text_splitters import CharacterTextSplitter\n\n"
        f'splitter = CharacterTextSplitter(separator="", chunk_size={size}, '
        f"chunk_overlap={overlap})\n"
        "chunks = splitter.split_text(text)\n"
    )
    call = f'TokenChunker(tokenizer="character", chunk_size={size}, chunk_overlap={overlap})'
    return [
        _langchain(code, False, "white space at a chunk's ends is taken away"),
        _chonkie(call, True),
    ]


def _sentences(_: Sentences) -> list[Snippet]:
    code = (
        "from llama_index.core import Document\n"
        "from llama_index.core.node_parser import SentenceWindowNodeParser\n\n"
        "parser = SentenceWindowNodeParser.from_defaults(window_size=1)\n"
        "nodes = parser.get_nodes_from_documents([Document(text=text)])\n"
        "chunks = [node.text.strip() for node in nodes]\n"
    )
    return [Snippet("llamaindex", "llama-index-core", code, False, (_OWN_SENTENCES,))]


def _length_aware(strategy: LengthAware) -> list[Snippet]:
    limit = strategy.target + strategy.tolerance
    if strategy.unit == "tokens":
        code = (
            "from llama_index.core.node_parser import SentenceSplitter\n\n"
            f"splitter = SentenceSplitter(chunk_size={limit}, chunk_overlap=0)\n"
            "chunks = splitter.split_text(text)\n"
        )
        found = [Snippet("llamaindex", "llama-index-core", code, False, (_OWN_SENTENCES,))]
        tokenizer = _CHONKIE_TOKENS
    else:
        found, tokenizer = [], '"character"'
    call = f"SentenceChunker(tokenizer={tokenizer}, chunk_size={limit})"
    return [
        *found,
        _chonkie(call, False, _OWN_SENTENCES, "white space stays at a chunk's ends"),
    ]


def _semantic(strategy: DistancePercentile | DistanceGradient) -> list[Snippet]:
    percentile = isinstance(strategy, DistancePercentile)
    kind = "percentile" if percentile else "gradient"
    code = (
        "from langchain_experimental.text_splitter import SemanticChunker\n\n"
        "embeddings = ...  # a LangChain Embeddings object of your model\n"
        "splitter = SemanticChunker(\n"
        "    embeddings,\n"
        f"    buffer_size={strategy.buffer},\n"
        f'    breakpoint_threshold_type="{kind}",\n'
        f"    breakpoint_threshold_amount={strategy.percentile},\n"
        ")\n"
        "chunks = splitter.split_text(text)\n"
    )
    package = "langchain-experimental"
    found = [_langchain(code, False, _OWN_SENTENCES, _OWN_MODEL, package=package)]
    if percentile:
        llamaindex = (
            "from llama_index.core import Document\n"
            "from llama_index.core.node_parser import SemanticSplitterNodeParser\n\n"
            "model = ...  # a LlamaIndex embedding of your model\n"
            "parser = SemanticSplitterNodeParser(\n"
            "    embed_model=model,\n"
            f"    buffer_size={strategy.buffer},\n"
            f"    breakpoint_percentile_threshold={strategy.percentile:.0f},\n"
            ")\n"
            "nodes = parser.get_nodes_from_documents([Document(text=text)])\n"
            "chunks = [node.text for node in nodes]\n"
        )
        differences = (_OWN_SENTENCES, _OWN_MODEL, "the percentile is a whole number")
        found.append(Snippet("llamaindex", "llama-index-core", llamaindex, False, differences))
    return found


def _sections(configured: ConfiguredStrategy) -> list[Snippet]:
    """HAC and MDC: at headings, then down to a size."""
    heading_aware = configured.abbr == "HAC"
    size = configured.parameters["size" if heading_aware else "max"]
    splitter = _splitter(size, 0) if heading_aware else _splitter(size, 0, "length_function=count")
    counting = (
        ""
        if heading_aware
        else 'encoding = tiktoken.get_encoding("cl100k_base")\n\n\n'
        "def count(piece):\n    return len(encoding.encode_ordinary(piece))\n\n\n"
    )
    code = (
        ("" if heading_aware else "import tiktoken\n") + "from langchain_text_splitters import (\n"
        "    MarkdownHeaderTextSplitter,\n    RecursiveCharacterTextSplitter,\n)\n\n"
        + counting
        + 'levels = [("#" * n, f"h{n}") for n in range(1, 7)]\n'
        "sections = MarkdownHeaderTextSplitter(levels, strip_headers=False).split_text(text)\n"
        f"splitter = {splitter}\n"
        "chunks = [piece.page_content for piece in splitter.split_documents(sections)]\n"
    )
    differences = (
        "a long section is split at blank lines, lines and spaces, not at paragraphs and sentences",
        "white space inside a section is changed",
        "the heading path is in the metadata, and not embedded before the text",
    )
    if not heading_aware:
        differences = (
            "it begins anew at every heading; here blocks are packed across them",
            "tables and code are cut like any text, and no table header is repeated",
            "white space inside a section is changed",
        )
    package = f"langchain-text-splitters{'' if heading_aware else ' tiktoken'}"
    return [_langchain(code, False, *differences, package=package)]


_MAKERS: tuple[tuple[type[Strategy] | tuple[type, ...], Callable[..., list[Snippet]]], ...] = (
    (Recursive, _recursive),
    (RecursiveTokens, _recursive_tokens),
    (ParentChild, _parents),
    (TokenWindows, lambda s: _token_windows(s.token_size, s.overlap)),
    (SlidingWindows, lambda s: _token_windows(s.window, s.window - s.step)),
    (CharacterWindows, _character_windows),
    (Sentences, _sentences),
    (LengthAware, _length_aware),
    ((DistancePercentile, DistanceGradient), _semantic),
)
"""By the class of a strategy, what makes its snippets."""
