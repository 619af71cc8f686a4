"""The client of Ollama, over a real socket: what it asks, keeps, tries again and gives up."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.language import ollama as client
from chunkbench_engine.language.answer import Answer, Message
from chunkbench_engine.language.cache import AnswerCache
from chunkbench_engine.language.ollama import LanguageModel, open_language_model
from chunkbench_engine.language.window import FIRST

from ...ollama_server import OllamaServer, free_port, ollama_server

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SCHEMA = {
    "type": "object",
    "properties": {"grade": {"enum": [0, 1, 2]}},
    "required": ["grade"],
}


def model(path: Path, *urls: str, id: str = "tiny@1", timeout: float = 60.0) -> LanguageModel:  # noqa: A002
    cache = AnswerCache(path / "answers.db")
    return LanguageModel(urls, "tiny", id, cache, timeout=timeout, attempts=3, pause=0.01)


async def ask(asked: LanguageModel, *questions: str, logprobs: bool = False) -> list[Answer]:
    """All at once."""
    try:
        return await asyncio.gather(
            *(
                asked.ask([Message("user", text)], SCHEMA, limit=50, logprobs=logprobs)
                for text in questions
            )
        )
    finally:
        await asked.close()


async def test_it_asks_for_one_certain_answer_in_the_form_of_the_schema(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    (answer,) = await ask(model(tmp_path, ollama.url), "How many?")
    (body,) = ollama.asked
    assert body["messages"] == [{"role": "user", "content": "How many?"}]
    assert body["format"] == SCHEMA
    assert body["options"] == {
        "temperature": 0.0,
        "top_p": 0.1,
        "num_ctx": client.CONTEXT_TOKENS,
        "num_predict": 50,
    }
    assert body["stream"] is False
    assert answer.text in ('{"grade": 0}', '{"grade": 1}', '{"grade": 2}')
    assert answer.tokens == ()
    assert answer.seconds > 0


async def test_log_probabilities_are_there_if_asked_for(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    ollama.answer = lambda _: '{"grade": 2}'
    ollama.chances = lambda token: (
        {"2": 0.75, "1": 0.2495, "0": 0.0005} if token == "2" else {token: 1}
    )
    (answer,) = await ask(model(tmp_path, ollama.url), "?", logprobs=True)
    assert [token.text for token in answer.tokens] == ['{"grade": ', "2", "}"]
    # what is less likely than one in a thousand is left out
    assert answer.tokens[1].alternatives == {
        "2": pytest.approx(-0.2877, abs=1e-4),
        "1": pytest.approx(-1.3883, abs=1e-4),
    }


async def test_a_server_without_log_probabilities_answers_without(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    ollama.chances = None
    (answer,) = await ask(model(tmp_path, ollama.url), "?", logprobs=True)
    assert answer.tokens == ()


async def test_a_model_is_loaded_before_it_is_asked_and_once(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    await ask(model(tmp_path, ollama.url), "a", "b", "c")
    assert ollama.loads == 1


@pytest.mark.parametrize("logprobs", [False, True])
async def test_an_answer_is_kept_with_what_it_cost(
    ollama: OllamaServer, tmp_path: Path, logprobs: bool
) -> None:
    first = await ask(model(tmp_path, ollama.url), "How many?", logprobs=logprobs)
    again = await ask(model(tmp_path, ollama.url), "How many?", logprobs=logprobs)
    assert again == first
    assert len(ollama.asked) == 1
    assert ollama.loads == 1, "nothing is loaded for answers that are known"


async def test_another_model_question_or_option_is_asked_anew(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    await ask(model(tmp_path, ollama.url), "How many?")
    await ask(model(tmp_path, ollama.url, id="tiny@2"), "How many?")
    await ask(model(tmp_path, ollama.url), "How few?")
    await ask(model(tmp_path, ollama.url), "How many?", logprobs=True)
    assert len(ollama.asked) == 4


async def test_the_same_question_at_the_same_time_is_asked_once(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    answers = await ask(model(tmp_path, ollama.url), *["How many?"] * 10)
    assert len(ollama.asked) == 1
    assert len(set(map(id, answers))) <= 10
    assert all(answer == answers[0] for answer in answers)


async def test_a_lone_surrogate_is_asked_as_a_replacement_character(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    await ask(model(tmp_path, ollama.url), "a\ud800b\x00")
    assert ollama.asked[0]["messages"][0]["content"] == "a\ufffdb\x00"


@pytest.mark.parametrize("fault", ["500", "503", "reset", "truncated", "garbage", "slow"])
async def test_failures_that_may_pass_are_tried_again(
    ollama: OllamaServer, tmp_path: Path, fault: str
) -> None:
    ollama.faults.extend([fault, fault])
    (answer,) = await ask(model(tmp_path, ollama.url, timeout=0.2), "How many?")
    assert answer.text.startswith('{"grade"')
    assert len(ollama.asked) == 3


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("500", r"status 500, the runner has stopped"),
        ("reset", r"ReadError"),
        ("truncated", r"RemoteProtocolError"),
        ("garbage", r"JSONDecodeError"),
    ],
)
async def test_in_the_end_it_gives_up_and_says_why(
    ollama: OllamaServer, tmp_path: Path, fault: str, reason: str
) -> None:
    ollama.faults.extend([fault] * 3)
    with pytest.raises(Unavailable, match=rf"gave no answer \({reason}\): see the log of ollama"):
        await ask(model(tmp_path, ollama.url), "How many?")
    assert len(ollama.asked) == 3
    # and no failure is kept as an answer
    assert (await ask(model(tmp_path, ollama.url), "How many?"))[0].text


async def test_a_server_that_has_gone_is_named_with_the_command_that_starts_it(
    tmp_path: Path,
) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(
        Unavailable, match=rf"no Ollama server at {url}: start it with ollama serve"
    ):
        await ask(model(tmp_path, url), "How many?")


async def test_a_model_that_has_gone_is_not_asked_for_again(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    ollama.models.clear()
    with pytest.raises(Unavailable, match=r"language model tiny is not at .*: ollama pull tiny"):
        await ask(model(tmp_path, ollama.url), "How many?")


async def test_a_request_that_is_refused_is_not_sent_again(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    ollama.faults.append("refuse")
    with pytest.raises(Unavailable, match="refuses to answer: invalid format"):
        await ask(model(tmp_path, ollama.url), "How many?")
    assert len(ollama.asked) == 1


async def test_several_servers_share_the_work(ollama: OllamaServer, tmp_path: Path) -> None:
    with ollama_server() as other:
        await ask(model(tmp_path, ollama.url, other.url), *map(str, range(10)))
        shares = len(ollama.asked), len(other.asked)
        assert sum(shares) == 10
        assert min(shares) >= 4  # what each is given at a time; who is quicker gets the rest


async def test_where_one_of_several_servers_has_gone_the_others_do_its_work(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    gone = f"http://127.0.0.1:{free_port()}"
    answers = await ask(model(tmp_path, gone, ollama.url), *map(str, range(6)))
    assert len(answers) == len(ollama.asked) == 6


async def test_no_more_calls_are_under_way_than_a_server_has_shown_to_take(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    ollama.delay = 0.2
    ollama.faults.extend(["slow"] * 7)
    asked = model(tmp_path, ollama.url)
    assert asked.concurrency == FIRST
    await ask(asked, *map(str, range(7)))  # less than a round: nothing is learnt
    assert 1 < ollama.most_at_once <= FIRST


async def test_a_server_that_is_too_busy_is_given_fewer_calls_and_answers_all(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    ollama.faults.extend(["503"] * 3)
    asked = model(tmp_path, ollama.url)
    answers = await ask(asked, *map(str, range(8)))
    assert len(answers) == 8
    assert asked.concurrency < FIRST


async def test_of_several_servers_the_busy_one_is_given_less(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    with ollama_server() as busy:
        busy.faults.extend(["503"] * 6)
        asked = model(tmp_path, ollama.url, busy.url)
        answers = await ask(asked, *map(str, range(12)))
    assert len(answers) == 12
    assert len(ollama.asked) > len(busy.asked)


def test_a_model_is_opened_with_its_digest(ollama: OllamaServer, tmp_path: Path) -> None:
    opened = open_language_model([ollama.url], "tiny", tmp_path / "answers.db")
    assert opened.id == "tiny:latest@0123456789ab"
    with pytest.raises(Unavailable, match="ollama pull other"):
        open_language_model([ollama.url], "other", tmp_path / "answers.db")


async def test_a_cache_that_is_none_is_refused(ollama: OllamaServer, tmp_path: Path) -> None:
    (tmp_path / "answers.db").write_text("somebody's notes\n" * 100)
    with pytest.raises(BadInput, match=r"cache of answers .*answers\.db cannot be used"):
        await ask(model(tmp_path, ollama.url), "How many?")


def test_calls_that_were_under_way_together_share_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def at(moments: Sequence[float]) -> None:
        ticks = iter(moments)
        monkeypatch.setattr(client, "perf_counter", lambda: next(ticks))

    clock = client._SharedClock()
    at([0.0, 2.0, 6.0, 7.0, 100.0, 103.0])
    first = clock.begin()
    second = clock.begin()  # at 2
    assert clock.end(first) == 4.0  # 2 alone, and half of the 4 together
    assert clock.end(second) == 3.0  # the other half, and 1 alone
    third = clock.begin()  # nothing was under way since 7
    assert clock.end(third) == 3.0
