"""Checks of parameters, with messages that name the parameter, its value and its range."""

from __future__ import annotations

from chunkbench_engine.errors import BadInput


def at_least(low: float, **parameters: float) -> None:
    """Refuse any of the parameters that is below `low`."""
    for name, value in parameters.items():
        if not value >= low:
            raise BadInput(f"{name}={value} must be at least {low}")


def below(**parameters: float) -> None:
    """Refuse the first of two parameters unless it is below the second."""
    (name, value), (other, limit) = parameters.items()
    if not value < limit:
        raise BadInput(f"{name}={value} must be below {other}={limit}")


def at_most(**parameters: float) -> None:
    """Refuse the first of two parameters if it is above the second."""
    (name, value), (other, limit) = parameters.items()
    if not value <= limit:
        raise BadInput(f"{name}={value} must not be above {other}={limit}")


def between(low: float, high: float, **parameters: float) -> None:
    """Refuse any of the parameters that is outside `[low, high]`."""
    for name, value in parameters.items():
        if not low <= value <= high:
            raise BadInput(f"{name}={value} must be between {low} and {high}")


def one_of(*allowed: str, **parameters: str) -> None:
    """Refuse any of the parameters that is none of the allowed words."""
    for name, value in parameters.items():
        if value not in allowed:
            raise BadInput(f"{name}={value} must be one of {', '.join(allowed)}")
