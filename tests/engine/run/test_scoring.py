"""From grades to the measures of a configuration, by their names."""

import numpy as np

from chunkbench_engine.run.scoring import graded_values
from chunkbench_engine.run.settings import Settings

GAINS = np.array([[1, 2], [2, 0], [0, 0], [1, 0]], dtype=np.int8)
TOKENS = np.full(GAINS.shape, 10)


def test_p_at_1_asks_for_a_full_answer_also_where_one_passage_is_retrieved() -> None:
    assert graded_values(GAINS, TOKENS, Settings("c", k=2))["P@1"].tolist() == [0, 1, 0, 0]
    assert graded_values(GAINS[:, :1], TOKENS, Settings("c", k=1))["P@1"].tolist() == [0, 1, 0, 0]


def test_p_at_k_asks_for_part_of_an_answer() -> None:
    assert graded_values(GAINS, TOKENS, Settings("c", k=2))["P@2"].tolist() == [1, 0.5, 0, 0.5]
    assert graded_values(GAINS, TOKENS, Settings("c", budget=20))["P@20t"].tolist() == [
        *(1, 0.5, 0, 0.5)
    ]
