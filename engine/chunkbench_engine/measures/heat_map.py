"""Means of a score over groups of questions: the cells of a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


class HeatMap(NamedTuple):
    """A row a strategy, a column a group.

    Attributes:
        groups: their names, in the order of the alphabet.
        questions: `(groups,)`, how many each has.
        means: `(strategies, groups)`.
    """

    groups: tuple[str, ...]
    questions: NDArray[np.int64]
    means: NDArray[np.float64]


def heat_map(values: ArrayLike, groups: Sequence[str | None]) -> HeatMap:
    """The mean of each strategy over each group of questions.

    Args:
        values: `(strategies, questions)`.
        groups: the group of each question; None for one that belongs to none.
    """
    table = np.asarray(values, dtype=np.float64)
    names = tuple(sorted({group for group in groups if group is not None}))
    members = np.array([[group == name for group in groups] for name in names], dtype=bool)
    members = members.reshape(len(names), len(groups))
    means = np.array([table[:, of].mean(axis=1) for of in members]).reshape(len(names), len(table))
    return HeatMap(names, members.sum(axis=1), means.T)
