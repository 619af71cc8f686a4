"""What configurations are compared within: an embedding model and a way of retrieving."""

from __future__ import annotations


def experiment_name(model: str, retrieval: str) -> str:
    """What an experiment is called, everywhere.

    Args:
        model: the embedding model; "" for `lexical`, which has none.
        retrieval: `dense`, `lexical`, `hybrid` or `rerank`.
    """
    names = {
        "lexical": "lexical",
        "hybrid": f"{model} + lexical",
        "rerank": f"{model}, reranked",
    }
    return names.get(retrieval, model)
