"""Questions whose answers cannot be used are asked again; what never gets one is None."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.errors import Unavailable
from chunkbench_engine.language.answer import Answer, Request, Unusable
from chunkbench_engine.language.asking import Asker
from chunkbench_engine.language.ollama import open_language_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ...ollama_server import OllamaServer


@pytest.fixture
def asker(ollama: OllamaServer, tmp_path: Path) -> Iterator[Asker]:
    opened = Asker(open_language_model([ollama.url], "tiny", tmp_path / "a.db"), lambda: None)
    yield opened
    opened.close()


def read(answer: Answer) -> int:
    try:
        return int(json.loads(answer.text)["n"])
    except (ValueError, KeyError, TypeError) as error:
        raise Unusable("it is not JSON") from error


def request(prompt: str, read: Callable[[Answer], object] = read) -> Request:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    return Request(prompt, schema, 50, read)


def test_values_come_in_the_order_of_the_questions(ollama: OllamaServer, asker: Asker) -> None:
    ollama.answer = lambda body: json.dumps({"n": int(body["messages"][0]["content"])})
    ollama.faults.extend(["slow", "", "", "500", "", "nonsense"])
    ollama.delay = 0.2
    replies = asker(request(str(n)) for n in range(20))
    assert replies.values == list(range(20))
    assert replies.seconds > 0


@pytest.mark.parametrize("fault", ["nonsense", "cut"])
def test_the_model_is_told_what_was_wrong_and_asked_again(
    ollama: OllamaServer, asker: Asker, fault: str
) -> None:
    ollama.answer = lambda _: '{"n": 7}'
    ollama.faults.append(fault)
    assert asker([request("How many?")]).values == [7]
    _, again = ollama.asked
    roles = [message["role"] for message in again["messages"]]
    assert roles == ["user", "assistant", "user"]
    assert again["messages"][2]["content"] == (
        "That answer cannot be used: it is not JSON. Answer again, as asked."
    )


def test_after_two_more_attempts_there_is_no_value(ollama: OllamaServer, asker: Asker) -> None:
    ollama.answer = lambda body: "no" if "odd" in str(body["messages"]) else '{"n": 2}'
    assert asker([request("even"), request("odd"), request("even too")]).values == [2, None, 2]
    assert len(ollama.asked) == 1 + 3 + 1


def test_known_answers_cost_what_they_did(ollama: OllamaServer, asker: Asker) -> None:
    ollama.faults.append("nonsense")
    first = asker([request("How many?")])
    asked = len(ollama.asked)
    assert asker([request("How many?")]) == first
    assert len(ollama.asked) == asked == 2


def test_questions_are_taken_only_as_they_can_be_asked(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    taken = answered = most = 0

    def questions() -> Iterator[Request]:
        nonlocal taken, most
        for n in range(50):
            taken += 1
            most = max(most, taken - answered)
            yield request(str(n))

    def count() -> None:
        nonlocal answered
        answered += 1

    model = open_language_model([ollama.url], "tiny", tmp_path / "a.db")
    asker = Asker(model, count)
    asker(questions())
    asker.close()
    assert answered == taken == 50
    assert most <= model.concurrency


def test_no_questions_have_no_answers(ollama: OllamaServer, asker: Asker) -> None:
    assert asker([]) == ([], 0.0)
    assert not ollama.asked


def test_a_server_that_refuses_ends_it_with_its_sentence(
    ollama: OllamaServer, asker: Asker
) -> None:
    ollama.faults.append("refuse")
    with pytest.raises(Unavailable, match="refuses to answer"):
        asker(request(str(n)) for n in range(10))
    assert asker([request("and now?")]).values != [None]
