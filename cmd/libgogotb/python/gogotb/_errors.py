"""The exceptions of the package."""

from __future__ import annotations


class Error(Exception):
    """What every exception of the package is."""


class LibraryError(Error, ImportError):
    """The C library is not there, or is not of this version."""


class MissingTableError(Error, KeyError):
    """No table covers the position: none in the folders, too many pieces for any, or one king alone."""

    __str__ = Exception.__str__  # a KeyError would put quotes around its text


class CorruptTableError(Error):
    """A table file is damaged, or is no table."""


class UnsupportedTableError(Error):
    """A table is of a format, or of rules, that the library does not read."""


class TableReadError(Error, OSError):
    """The operating system could not read a table file."""


class UnavailableTableError(Error, ConnectionError):
    """The server that has a table is away, or does not answer as it has to; it may later."""


class IllegalPositionError(Error, ValueError):
    """The position is not legal, or a move of the game is not."""


class NotationError(Error, ValueError):
    """The text is no position, no move or no material set."""


class ArgumentError(Error, ValueError):
    """An argument makes no sense, or the tablebase is closed."""


class ForkedError(Error, RuntimeError):
    """This process was forked from one that had used the library. Start it in another way, by "spawn" for example."""


class InternalError(Error):
    """An error in the library."""
