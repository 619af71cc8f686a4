"""RC and RTF beside the splitter that they describe: langchain-text-splitters' recursive one."""

from __future__ import annotations

import pytest

from chunkbench_engine.annotate.tokens import load_tokenizer
from chunkbench_engine.chunkers.spec import parse_spec

from .sample import FILES, annotated, pieces

langchain = pytest.importorskip(
    "langchain_text_splitters", reason="langchain-text-splitters is not installed"
)


@pytest.mark.parametrize(("size", "overlap"), [(500, 50), (200, 0), (1000, 200), (100, 30)])
@pytest.mark.parametrize("name", FILES)
def test_rc_makes_the_same_chunks(name: str, size: int, overlap: int) -> None:
    splitter = langchain.RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap)
    ours = pieces(f"RC(chunk_size={size}, overlap={overlap})", FILES[name])
    assert ours == splitter.split_text(FILES[name])


def test_rtf_makes_nine_in_ten_of_the_same_chunks() -> None:
    """Theirs encodes each piece by itself; ours counts the document's tokens that a piece touches.

    A token may hold the end of one piece and the beginning of the next (`.\\n\\n` is one), and
    then belongs to both, so that ours is never above the size where it stands in the document.
    """
    encoding, _ = load_tokenizer()
    splitter = langchain.RecursiveCharacterTextSplitter(
        chunk_size=100,
        chunk_overlap=10,
        length_function=lambda text: len(encoding.encode_ordinary(text)),
    )
    same = number = 0
    for text in FILES.values():
        ours, theirs = set(pieces("RTF", text)), set(splitter.split_text(text))
        same += len(ours & theirs)
        number += max(len(ours), len(theirs))
    print(f"{same} of {number} chunks are the same")
    assert same / number > 0.9


@pytest.mark.parametrize("name", FILES)
def test_pcc_has_the_same_parents(name: str) -> None:
    splitter = langchain.RecursiveCharacterTextSplitter(chunk_size=500, chunk_overlap=0)
    text = FILES[name]
    contexts = {chunk.context for chunk in parse_spec("PCC").strategy.chunk(annotated(text))}
    ours = [text[start:end] for start, end in sorted(filter(None, contexts))]
    assert ours == splitter.split_text(text)
