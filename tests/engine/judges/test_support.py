"""The proxy: the words and the meaning that a text shares with the answer."""

from __future__ import annotations

import pytest

from chunkbench_engine.judges.judge import Unjudged
from chunkbench_engine.judges.support import SupportJudge, content_words, open_support

ANSWER = "Photosynthesis takes place in the mesophyll, a middle layer of the leaf."


@pytest.fixture(scope="module")
def judge() -> SupportJudge:
    return open_support()


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        (ANSWER, 2),
        ("Some filler about rain. " * 20 + ANSWER + " More about rain." * 20, 2),
        ("In the leaf there is a mesophyll.", 1),
        ("The Senate of the United States shall be composed of two Senators.", 0),
        ("", 0),
        ("\n \n", 0),
    ],
)
async def test_the_more_of_the_answer_the_higher_the_grade(
    judge: SupportJudge, text: str, grade: int
) -> None:
    assert (await judge.grade([ANSWER], text)).value == grade


async def test_the_best_of_several_answers_counts_and_the_reason_is_its(
    judge: SupportJudge,
) -> None:
    grade = await judge.grade(["The Senate.", ANSWER, ""], ANSWER)
    assert (grade.value, grade.reason) == (2, "100 % of the answer's words, similarity 1.00")


async def test_an_answer_without_words_cannot_be_judged_by(judge: SupportJudge) -> None:
    with pytest.raises(Unjudged, match="no words"):
        await judge.grade(["?!"], "text")


def test_function_words_count_only_where_there_is_nothing_else() -> None:
    assert content_words("The leaves of the GLASS") == {"leave", "glass"}
    assert content_words("Not all") == {"not", "all"}
    assert content_words("光合作用") == {"光合作用"}


def test_the_id_names_model_and_thresholds(judge: SupportJudge) -> None:
    assert judge.id.startswith("support wordllama-256@")
    assert judge.id.endswith(" 0.6 0.5")
