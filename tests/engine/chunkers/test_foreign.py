"""Anyone's chunker: how it is named, what it may return, and how it fails."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, EntryPoints
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.chunkers import plug_ins as plug_ins_module
from chunkbench_engine.chunkers.chunk import Chunk
from chunkbench_engine.chunkers.foreign import load_foreign
from chunkbench_engine.chunkers.imported import load_chunker, make_importable
from chunkbench_engine.chunkers.plug_ins import plug_ins
from chunkbench_engine.chunkers.registry import REGISTRY
from chunkbench_engine.chunkers.remarks import remarks_of
from chunkbench_engine.chunkers.spec import parse_spec, parse_specs
from chunkbench_engine.errors import BadInput, Unavailable

from .any_text import annotated, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE = '''
import re
from dataclasses import dataclass


@dataclass
class Piece:
    text: str
    start_index: int


class Windows:
    def __init__(self, size=10):
        self.size = size

    def __call__(self, text):
        return pairs(text, self.size)


class Mute:
    pass


def lines(text):
    return text.split("\\n")

def pairs(text, size=10):
    return [(at, min(at + size, len(text))) for at in range(0, len(text), size)]

def objects(text):
    return [Piece(m[0], m.start()) for m in re.finditer(r"\\\\S+", text)]

def dicts(text):
    return [{"text": piece.text, "start_index": piece.start_index} for piece in objects(text)]

def astray(text):
    return [Piece(piece.text, 0) for piece in objects(text)]

def one_by_one(text):
    yield from lines(text)

def described(text, unit="", share=0.0, strict=False):
    return [text]

def chatty(text):
    print("chunking")
    return [text]

def nested(text):
    return [(0, len(text)), (0, 3), (4, 7)]

def reworded(text):
    return ["Summary: " + text[:5], *text.split()]

def first_half(text):
    return [(0, len(text) // 2)]

def failing(text):
    raise ValueError("no luck\\nat all")

def leaving(text):
    raise SystemExit

def nothing(text):
    pass

def endless(text):
    while True:
        yield "a"

def one_string(text):
    return text

def numbers(text):
    return [1, 2]

def triples(text):
    return [(0, 1, 2)]

def words_as_ends(text):
    return [("a", "b")]

def beyond(text):
    return [(0, len(text) + 1)]

def backwards(text):
    return [(3, 1)]

SIZE = 400
'''.replace("\\\\", "\\")  # fmt: skip


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module of one's own in a folder that is importable."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "own_chunkers.py").write_text(SOURCE)
    make_importable(str(tmp_path))
    yield tmp_path
    load_chunker.cache_clear()
    for name in [name for name in sys.modules if name.startswith("own_")]:
        del sys.modules[name]


def remarks(spec: str, text: str) -> list[str]:
    strategy = parse_spec(spec).strategy
    document = annotated(text)
    strategy.chunk(document)
    return list(remarks_of(strategy, document.remarks))


def test_strings_are_found_in_the_text() -> None:
    assert pieces("own_chunkers:lines", "one\ntwo\n\nthree") == ["one", "two", "three"]


def test_pairs_are_taken_as_they_are() -> None:
    assert pieces("own_chunkers:pairs(size=4)", "ab cd  ef") == ["ab c", "d  e", "f"]


@pytest.mark.parametrize("name", ["objects", "dicts"])
def test_objects_and_dicts_say_where_they_begin(name: str) -> None:
    chunks = parse_spec(f"own_chunkers:{name}").strategy.chunk(annotated("no no  no"))
    assert [chunk.span for chunk in chunks] == [(0, 2), (3, 5), (7, 9)]


def test_an_object_that_names_the_wrong_place_is_found_by_its_text() -> None:
    assert pieces("own_chunkers:astray", "one two three") == ["one", "two", "three"]


def test_chunks_may_come_one_by_one() -> None:
    assert pieces("own_chunkers:one_by_one", "one\ntwo") == ["one", "two"]


def test_a_class_is_made_with_the_parameters_and_called_with_the_text() -> None:
    assert pieces("own_chunkers:Windows(size=3)", "abcdef") == ["abc", "def"]


def test_chunks_within_others_are_kept_in_order_of_start_then_end() -> None:
    assert parse_spec("own_chunkers:nested").strategy.chunk(annotated("one two")) == [
        Chunk("a.md", 0, 3), Chunk("a.md", 0, 7), Chunk("a.md", 4, 7)
    ]  # fmt: skip


def test_it_is_one_step_of_a_pipeline_like_any_other() -> None:
    assert pieces("own_chunkers:lines >> FCC(char_size=2, overlap=0)", "abc\nde") == [
        "ab", "c", "de"
    ]  # fmt: skip
    assert pieces("PBC >> own_chunkers:pairs(size=2)", "abc\n\nde") == ["ab", "c", "de"]


def test_a_blank_document_has_no_chunks_and_nothing_is_asked() -> None:
    assert pieces("own_chunkers:failing", " \n ") == []


def test_what_it_prints_does_not_come_to_standard_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert pieces("own_chunkers:chatty", "one") == ["one"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("m:f", "m:f"),
        ("m:f()", "m:f"),
        ("pack.age.mod:Class.make(b=2, a=1)", "pack.age.mod:Class.make(a=1, b=2)"),
        ("m:f(x=400.0)", "m:f(x=400.0)"),
        ("m:f(x=0.00001)", "m:f(x=0.00001)"),
        ("m:f(x='true', y=true)", 'm:f(x="true", y=true)'),
        ("m:f(x='say \"so\"')", "m:f(x='say \"so\"')"),
        ("m:f(x=word)  >>  FC", "m:f(x=word) >> FC"),
        ("CTX( m:f )", "CTX(m:f)"),
        ("modül:fünction", "modül:fünction"),
    ],
)
def test_the_label_is_canonical_and_keeps_every_value_and_its_type(
    written: str, label: str
) -> None:
    configured = parse_spec(written)
    assert configured.label == label
    assert parse_spec(label) == configured
    assert parse_spec(label).parameters == configured.parameters


def test_it_sweeps() -> None:
    assert [found.label for found in parse_specs("m:f(size=1..3:1, way=a|b), RC")] == [
        f"m:f(size={size}, way={way})" for size in (1, 2, 3) for way in ("a", "b")
    ] + ["RC"]


def test_reading_a_spec_runs_nobodys_code(own: Path) -> None:
    (own / "own_trap.py").write_text("raise RuntimeError('imported')\n")
    assert parse_spec("own_trap:split >> FC").label == "own_trap:split >> FC"
    assert "own_trap" not in sys.modules


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("own_nowhere:split", r"own_nowhere:split: there is no module own_nowhere, neither in "),
        (
            "own_chunkers:line",
            r"own_chunkers \(.*own_chunkers.py\) has no line; did you mean lines",
        ),
        ("own_chunkers:SIZE", "own_chunkers:SIZE is of type int, which cannot be called"),
        ("own_chunkers:Mute", "own_chunkers:Mute is of type Mute, which cannot be called"),
        ("own_chunkers:Windows(sise=3)", "own_chunkers:Windows cannot be made: TypeError"),
        ("own_chunkers:pairs(sise=3)", "own_chunkers:pairs is called with a text and sise, but"),
        ("own_chunkers:pairs(text=3)", "own_chunkers:pairs is called with a text and text, but"),
        ("own_broken:split", r"own_broken cannot be imported: SyntaxError"),
        ("own_leaving:split", r"own_leaving cannot be imported: SystemExit: 3"),
        ("own_needy:split", "own_needy cannot be imported: ModuleNotFoundError.*own_other"),
        ("PBC >> own_nowhere:split", "there is no module own_nowhere"),
        ("CTX(own_nowhere:split)", "there is no module own_nowhere"),
    ],
)
def test_what_is_not_there_is_named_before_anything_runs(own: Path, spec: str, said: str) -> None:
    (own / "own_broken.py").write_text("def split(text:\n")
    (own / "own_leaving.py").write_text("raise SystemExit(3)\n")
    (own / "own_needy.py").write_text("import own_other\n")
    with pytest.raises(BadInput, match=said):
        load_foreign([parse_spec(spec).strategy])


def test_a_library_that_is_not_installed_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "chonkie", None)
    with pytest.raises(Unavailable, match=r"needs the package chonkie: pip install chonkie$"):
        load_foreign([parse_spec("chonkie:TokenChunker").strategy])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("failing", r"it raised ValueError: no luck at all \(own_chunkers.py, line \d+\)$"),
        ("leaving", r"it raised SystemExit \(own_chunkers.py, line \d+\)$"),
        ("nothing", "it returned nothing"),
        ("one_string", "it returned a value of type str: it must return a list of strings"),
        ("numbers", "it returned a value of type int as a chunk"),
        ("triples", r"it returned a chunk \(0, 1, 2\): a pair is"),
        ("words_as_ends", r"it returned a chunk \('a', 'b'\): start and end are whole numbers"),
        ("beyond", r"it returned the span \(0, 9\), which is outside the text of 8 characters"),
        ("backwards", r"it returned the span \(3, 1\)"),
        ("endless", "it returned more chunks than the text has characters"),
    ],
)
def test_a_chunker_that_does_not_keep_to_the_contract_is_refused_with_a_sentence(
    name: str, said: str
) -> None:
    with pytest.raises(BadInput, match=f"^given a.md, {said}"):
        parse_spec(f"own_chunkers:{name}").strategy.chunk(annotated("one two."))


def test_chunks_that_are_not_in_the_text_are_counted() -> None:
    assert remarks("own_chunkers:reworded", "one two three four") == [
        "1 of 5 chunks (48.3 % of the characters) are not in the document's text and were left out"
    ]


def test_text_that_is_in_no_chunk_is_counted_without_its_white_space() -> None:
    assert remarks("own_chunkers:first_half", "12345     6789") == [
        "its chunks leave out 44.4 % of the text"
    ]


def test_a_chunker_that_loses_nothing_has_nothing_said_of_it() -> None:
    assert remarks("own_chunkers:lines", "one\n two\n\n three ") == []


def test_the_parts_of_a_document_count_together() -> None:
    assert remarks("PBC >> own_chunkers:first_half", "1234\n\n1234\n\n12") == [
        "its chunks leave out 50.0 % of the text"
    ]


def offer(monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    found = EntryPoints(
        EntryPoint(name, value, "chunkbench.chunkers") for name, value in points.items()
    )
    monkeypatch.setattr(plug_ins_module, "entry_points", lambda group: found.select(group=group))


def test_a_plug_in_is_used_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, Lines="own_chunkers:lines", Pairs="own_chunkers:pairs")
    assert pieces("Lines", "one\ntwo") == ["one", "two"]
    assert pieces("Lines >> Pairs(size=2)", "one\ntwo") == ["on", "e", "tw", "o"]
    assert parse_spec("Pairs(size=2)").label == "Pairs(size=2)"


def test_a_plug_in_takes_no_name_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, RC="own_chunkers:lines")
    assert parse_spec("RC").family == "recursive"
    assert [plug_in.name for plug_in in plug_ins(REGISTRY)] == ["own_chunkers:lines"]


def test_an_unknown_name_is_no_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, Lines="own_chunkers:lines")
    with pytest.raises(BadInput, match="there is no strategy 'Line'"):
        parse_spec("Line")
