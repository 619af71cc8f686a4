"""The preview process, over its real pipes: the newest request is answered, and in sentences."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document
from chunkbench_engine.errors import BadInput
from chunkbench_engine.measures.evidence import whole
from chunkbench_engine.run.interruption import interrupted_by
from chunkbench_engine.run.plan import plan_run
from chunkbench_engine.run.preview import Previewer, PreviewRequest
from chunkbench_engine.run.settings import Settings
from chunkbench_store.database import open_store

TEXT = "".join(f"Sentence {n} has an end. It is not the last of them.\n\n" for n in range(80))
EVIDENCE = '[{"document": "a.md", "text": "Sentence 7 has an end."}]'


class Bench:
    """A planned run over one document, and the app's end of its preview."""

    def __init__(self, path: Path, run: int, previewer: Previewer) -> None:
        self.path, self.run, self.previewer = path, run, previewer

    def request(self, spec: str, **changes: object) -> PreviewRequest:
        return PreviewRequest(self.run, 1, spec, **changes)  # type: ignore[arg-type]


@pytest_asyncio.fixture
async def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.md").write_text(TEXT)
    (corpus / "questions.jsonl").write_text(f'{{"question": "Which?", "evidence": {EVIDENCE}}}')
    (tmp_path / "mine.py").write_text(
        "import pathlib, time\n"
        "def split(text):\n"
        "    print('no answer this is')\n"
        "    pathlib.Path('begun').touch()\n"
        "    time.sleep(60)\n"
    )
    monkeypatch.chdir(tmp_path)
    with open_store(tmp_path / "store.db") as store:
        run = plan_run(
            store, Settings(str(corpus), strategies=("RC",), chunker_model="wordllama-256")
        )
    previewer = Previewer(tmp_path / "store.db")
    yield Bench(tmp_path, run, previewer)
    await previewer.close()


async def test_a_preview_is_what_the_strategy_makes_and_errors_are_sentences(bench: Bench) -> None:
    preview = await bench.previewer.ask(bench.request("RC", size=2, overlap=-1))
    assert preview.label == "RC(chunk_size=600, overlap=0)"
    document = AnnotatedDocument(Document("a.md", TEXT))
    expected = parse_spec(preview.label).strategy.chunk(document)
    spans = preview.spans
    assert list(zip(spans.starts, spans.ends, strict=True)) == [c.span for c in expected]
    assert list(spans.tokens) == [document.tokens.count(*c.span) for c in expected]
    found = preview.diagnosis
    assert (found.chunks, found.evidence, found.evidence_whole) == (len(expected), 1, 1)
    assert found.mean_tokens == pytest.approx(sum(spans.tokens) / len(expected))
    assert preview.before is None, "the run has not chunked it yet"
    assert [(p.name, p.role) for p in preview.parameters][:2] == [
        ("chunk_size", "size"),
        ("overlap", "overlap"),
    ]
    semantic = await bench.previewer.ask(bench.request("SEBC", values={0: "80"}))
    assert semantic.label == "SEBC(percentile=80)"
    assert semantic.diagnosis.evidence_whole == 1
    small = await bench.previewer.ask(bench.request("FC(token_size=3)"))
    assert small.diagnosis.evidence_whole == 0
    for request, sentence in (
        (bench.request("RC", values={0: "x"}), "chunk_size=x must be a whole number"),
        (bench.request("NO"), "there is no strategy 'NO'"),
        (bench.request("SBC", size=1), "SBC has no size to change"),
        (bench.request("nowhere:split"), "there is no module nowhere"),
        (PreviewRequest(99, 1, "RC"), "this run was deleted"),
    ):
        with pytest.raises(BadInput, match=sentence):
            await bench.previewer.ask(request)


async def test_the_newest_request_wins_and_a_slow_chunker_is_given_up(bench: Bench) -> None:
    slow = asyncio.create_task(bench.previewer.ask(bench.request("mine:split")))
    while not (bench.path / "begun").exists():
        await asyncio.sleep(0.02)
    begun = time.monotonic()
    asked = [
        asyncio.create_task(bench.previewer.ask(bench.request("RC", size=n))) for n in range(5)
    ]
    done = await asyncio.gather(slow, *asked, return_exceptions=True)
    assert time.monotonic() - begun < 30, "it sleeps for a minute"
    assert all(isinstance(one, asyncio.CancelledError) for one in done[:-1])
    assert done[-1].label == "RC(chunk_size=700)"  # type: ignore[union-attr]
    assert "no answer this is" in (bench.path / "store-logs" / "preview.log").read_text()


async def ended(process: psutil.Process) -> bool:
    """Whether an orphan has ended, in a while; nobody may be there to ask for its status."""
    for _ in range(500):
        with suppress(psutil.NoSuchProcess):
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                await asyncio.sleep(0.02)
                continue
        return True
    return False


async def test_it_ends_with_the_app_and_is_started_again_when_asked(bench: Bench) -> None:
    await bench.previewer.warm(bench.run, 1)
    assert (await bench.previewer.ask(bench.request("RC"))).label == "RC"
    (process,) = [
        p for p in psutil.Process().children() if "preview_process" in " ".join(p.cmdline())
    ]
    stuck = asyncio.create_task(bench.previewer.ask(bench.request("mine:split")))
    while not (bench.path / "begun").exists():
        await asyncio.sleep(0.02)
    (child,) = process.children()
    process.kill()
    with pytest.raises(BadInput, match="ended without a word"):
        await stuck
    again = await bench.previewer.ask(bench.request("RC", size=1))
    assert again.label == "RC(chunk_size=550)"
    inner = bench.previewer._process
    assert inner is not None
    assert inner.stdin is not None
    inner.stdin.close()  # as when the app is killed
    assert await asyncio.wait_for(inner.wait(), 20) == 0
    assert await ended(child)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_passage_is_whole_where_one_chunk_holds_all_of_it(data: st.DataObject) -> None:
    text = data.draw(st.text("ab ", min_size=4, max_size=40).filter(str.strip))
    span = st.tuples(st.integers(0, len(text) - 1), st.integers(1, len(text))).filter(
        lambda pair: pair[0] < pair[1]
    )
    spans = data.draw(st.lists(span, max_size=6))
    passages = data.draw(st.lists(span.filter(lambda p: text[p[0] : p[1]].strip()), max_size=4))

    def held(start: int, end: int) -> bool:
        inner = [place for place in range(start, end) if text[place] != " "]
        return any(first <= inner[0] and inner[-1] < last for first, last in spans)

    assert whole(text, passages, spans).tolist() == [held(*passage) for passage in passages]


def test_work_is_left_where_the_check_says_so() -> None:
    class Enough(Exception):  # noqa: N818
        pass

    calls = 0

    def check() -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise Enough

    def work() -> None:
        with interrupted_by(check):
            while True:
                pass

    with pytest.raises(Enough):
        work()
    time.sleep(0.1)
    assert calls == 2, "and nothing asks any more"
