"""Does the top score tell questions with an answer from those without one?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def auc(answerable: ArrayLike, unanswerable: ArrayLike) -> float:
    """Area under the ROC curve of the top score, answerable against unanswerable questions.

    The chance that an answerable question's top score is above an unanswerable one's, a tie
    counting half: 1 tells them apart without fail, 0.5 is no better than a coin.

    Args:
        answerable: top scores of the answerable questions, `(n,)`.
        unanswerable: top scores of the unanswerable questions, `(m,)`.

    Raises:
        ValueError: there is none of one kind.
    """
    positive = np.asarray(answerable, dtype=np.float64)
    negative = np.sort(np.asarray(unanswerable, dtype=np.float64))
    if positive.size == 0 or negative.size == 0:
        raise ValueError("both kinds of question are needed")
    below = np.searchsorted(negative, positive, side="left")
    not_above = np.searchsorted(negative, positive, side="right")
    return float((below + not_above).sum() / (2 * positive.size * negative.size))
