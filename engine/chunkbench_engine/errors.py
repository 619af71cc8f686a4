"""Errors that are messages to a person."""


class BadInput(Exception):  # noqa: N818 - it names what happened, and is shown as a sentence
    """Something the user gave cannot be used.

    The message is one sentence: what happened, where (file and row), what to do.
    The command line prints it and leaves with exit status 2.
    """


class Unavailable(Exception):  # noqa: N818
    """Something optional (a model, a package, a server) is not there.

    The message says what is missing and the command that mends it.
    """
