"""The paper's judge, over a real socket: what it asks, how its grades are read, when it fails."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkbench_engine.errors import Unavailable
from chunkbench_engine.judges.judge import Grade, Unjudged
from chunkbench_engine.judges.ollama import PROMPT, SILENCES, OllamaJudge, fill, read_grade
from chunkbench_engine.language.answer import Answer, Unusable
from chunkbench_engine.language.cache import AnswerCache
from chunkbench_engine.language.ollama import LanguageModel
from chunkbench_engine.language.server import identify

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from ...ollama_server import OllamaServer


@asynccontextmanager
async def judge(
    ollama: OllamaServer, folder: Path, timeout: float = 30.0
) -> AsyncIterator[OllamaJudge]:
    model = LanguageModel(
        [ollama.url],
        "tiny",
        identify([ollama.url], "tiny"),
        AnswerCache(folder / "answers.db"),
        timeout=timeout,
        attempts=2,
        pause=0.01,
    )
    opened = OllamaJudge(model, [ollama.url], "tiny")
    yield opened
    await opened.close()


def says(score: object, reason: str = "because") -> str:
    return json.dumps({"score": score, "reason": reason})


async def test_the_paper_s_prompt_is_asked_verbatim(ollama: OllamaServer, tmp_path: Path) -> None:
    ollama.answer = lambda _: says(1, " It is\nrelated. ")
    async with judge(ollama, tmp_path) as asked:
        assert await asked.grade(["Paris."], "The capital\n{answer}") == Grade(1, "It is related.")
    (body,) = ollama.asked
    assert body["messages"] == [
        {
            "role": "user",
            "content": "You are a strict information retrieval judge.\n\n"
            "Reference Answer:\nParis.\n\n"
            "Retrieved Chunk:\nThe capital\n{answer}\n\n"
            "Assign a relevance score:\n0 = Not relevant\n1 = Partially relevant\n"
            "2 = Fully relevant\n\n"
            'Respond with JSON only:\n{\n  "score": 0 | 1 | 2,\n  "reason": "short explanation"\n}',
        }
    ]
    assert body["options"]["temperature"] == 0
    assert body["options"]["top_p"] == 0.1
    assert body["format"]["properties"]["score"]["enum"] == [0, 1, 2]
    assert body["format"]["required"] == ["score", "reason"]


@given(st.text(), st.text())
def test_answer_and_chunk_stand_in_the_prompt_as_they_are(answer: str, text: str) -> None:
    head, _, rest = PROMPT.partition("{answer}")
    middle, _, tail = rest.partition("{chunk_text}")
    assert fill(answer, text) == head + answer + middle + text + tail


@pytest.mark.parametrize("score", [0, 1, 2])
def test_a_grade_is_read(score: int) -> None:
    assert read_grade(Answer(says(score), (), 0.0)) == Grade(score, "because")


@pytest.mark.parametrize(
    "said",
    [
        "2",
        "[2]",
        "Fully relevant.",
        says(3),
        says(-1),
        says("2"),
        says(1.5),
        says(True),
        says(None),
        "{}",
        '{"score": 2, "reason": "cut o',
        "[" * 100_000,
    ],
)
def test_what_gives_no_grade_is_not_taken_for_one(said: str) -> None:
    with pytest.raises(Unusable):
        read_grade(Answer(said, (), 0.0))


async def test_each_reference_answer_is_asked_and_the_best_grade_counts(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    def answer(body: dict[str, Any]) -> str:
        content = body["messages"][0]["content"]
        return says(2, "b") if "Answer:\nB" in content else says(1, "other")

    ollama.answer = answer
    async with judge(ollama, tmp_path) as asked:
        assert await asked.grade(["A", "B", "C"], "text") == Grade(2, "b")
    assert len(ollama.asked) == 3


async def test_a_server_that_stumbles_is_asked_again(ollama: OllamaServer, tmp_path: Path) -> None:
    ollama.answer = lambda _: says(2)
    ollama.faults.append("500")
    async with judge(ollama, tmp_path) as asked:
        assert (await asked.grade(["A"], "text")).value == 2


@pytest.mark.parametrize("fault", ["nonsense", "cut"])
async def test_what_cannot_be_read_is_asked_again_and_then_no_grade(
    ollama: OllamaServer, tmp_path: Path, fault: str
) -> None:
    ollama.answer = lambda _: says(2)
    ollama.faults.extend([fault] * 3)
    async with judge(ollama, tmp_path) as asked:
        with pytest.raises(Unjudged, match="tiny gave no grade that can be read"):
            await asked.grade(["A"], "text")
        assert len(ollama.asked) == 3
        # nothing of it is kept: tried another time, the model is asked indeed
        assert (await asked.grade(["A"], "text")).value == 2
        assert len(ollama.asked) == 4


async def test_an_unreadable_answer_matters_unless_another_reference_gives_full_marks(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    def answer(body: dict[str, Any]) -> str:
        content = body["messages"][0]["content"]
        return "?" if "Answer:\nbad" in content else says(2 if "Answer:\nfull" in content else 1)

    ollama.answer = answer
    async with judge(ollama, tmp_path) as asked:
        assert (await asked.grade(["bad", "full"], "text")).value == 2
        with pytest.raises(Unjudged):
            await asked.grade(["bad", "partial"], "text")


async def test_a_text_that_a_living_server_will_not_judge_fails_alone(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    ollama.answer = lambda _: says(2)
    async with judge(ollama, tmp_path) as asked:
        for place in range(SILENCES + 1):
            ollama.faults.extend(["500", "500"])
            with pytest.raises(Unjudged, match="status 500"):
                await asked.grade(["A"], f"bad {place}")
            assert (await asked.grade(["A"], f"good {place}")).value == 2


async def test_a_server_that_answers_nothing_is_given_up(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    ollama.faults.extend(["slow"] * 20)
    async with judge(ollama, tmp_path, timeout=0.05) as asked:
        for place in range(SILENCES - 1):
            with pytest.raises(Unjudged, match="ReadTimeout"):
                await asked.grade(["A"], f"text {place}")
        with pytest.raises(Unavailable, match="ReadTimeout"):
            await asked.grade(["A"], "one more")


async def test_a_model_that_has_gone_ends_it_at_once(ollama: OllamaServer, tmp_path: Path) -> None:
    async with judge(ollama, tmp_path) as asked:
        ollama.models.clear()
        with pytest.raises(Unavailable, match="ollama pull tiny"):
            await asked.grade(["A"], "text")


async def test_the_window_is_widened_for_a_long_passage_and_never_cut(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    ollama.answer = lambda _: says(0)
    async with judge(ollama, tmp_path) as asked:
        await asked.grade(["A"], "short")
        await asked.grade(["A"], "word " * 8_000)
        await asked.grade(["A"], "short too")
        with pytest.raises(Unjudged, match="500,000 characters is too long"):
            await asked.grade(["A"], "word " * 100_000)
    windows = [body["options"]["num_ctx"] for body in ollama.asked]
    assert windows == [8_192, 16_384, 16_384]
    assert ollama.loads == 2


async def test_two_judges_with_the_same_id_grade_alike(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    async with judge(ollama, tmp_path) as first:
        ollama.models["tiny:latest"] = "sha256:" + "f" * 64
        async with judge(ollama, tmp_path) as second:
            assert first.id.startswith("ollama tiny:latest@0123456789ab prompt ")
            assert second.id.startswith("ollama tiny:latest@ffffffffffff prompt ")
