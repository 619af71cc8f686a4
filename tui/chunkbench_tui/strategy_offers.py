"""The strategies that a new run can have, as the form offers them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offer:
    """A strategy of the registry.

    Attributes:
        parameters: with their defaults, as a spec writes them.
        needs: what it needs beside the document, "" for nothing.
    """

    abbr: str
    name: str
    family: str
    parameters: str
    summary: str
    needs: str


def read_offers() -> tuple[Offer, ...]:
    """All strategies, by family. Slow the first time: to be called in a thread."""
    # Imported here: the app starts, and paints, without the strategies.
    from chunkbench_engine.chunkers.registry import REGISTRY

    offers = [
        Offer(
            entry.abbr,
            entry.name,
            entry.family,
            ", ".join(f"{name}={value}" for name, value in entry.defaults.items()),
            entry.summary,
            "a language model" if entry.needs_language_model else "",
        )
        for entry in REGISTRY.values()
        if not entry.wraps
    ]
    return tuple(sorted(offers, key=lambda offer: offer.family))


def spec_of(offer: Offer) -> str:
    """The spec with all its parameters, to be changed."""
    return f"{offer.abbr}({offer.parameters})" if offer.parameters else offer.abbr
