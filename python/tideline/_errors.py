"""Exceptions: what the library could not do, and where an input is wrong."""

from __future__ import annotations

from typing import Optional


class Error(Exception):
    """A call failed.

    ``text`` is one sentence; ``file``, ``line`` and ``column`` say where an
    input is wrong (``None`` where that means nothing), ``code`` is the number
    of the status in ``tideline.h``, and ``errno`` the one of the system or
    ``None``.
    """

    def __init__(
        self,
        text: str,
        code: int = 0,
        file: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        errno: Optional[int] = None,
    ) -> None:
        super().__init__(text, code, file, line, column, errno)
        self.text = text
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.errno = errno

    def __str__(self) -> str:
        where = [self.file, self.line, self.column if self.line else None]
        place = ":".join(str(part) for part in where if part)
        return f"{place}: {self.text}" if place else self.text


class ArgumentError(Error, ValueError):
    """Something was asked that makes no sense."""


class FileError(Error):
    """A file could not be opened, read or written."""


class InputError(Error):
    """A model, a formula or a file is not well formed."""


class ModelError(Error):
    """It is well formed, but outside what is supported."""


class MemoryBudgetError(Error, MemoryError):
    """The memory budget is spent."""


class LimitError(Error):
    """A limit of time or of numbers was reached."""


class CancelledError(Error):
    """The work was ended from outside."""


class InternalError(Error):
    """A fault of Tideline: please report it."""


# In the order of tl_status.
_KINDS = (
    Error,
    ArgumentError,
    FileError,
    InputError,
    ModelError,
    MemoryBudgetError,
    LimitError,
    CancelledError,
    InternalError,
)


def make(code: int, text: str, file: str, line: int, column: int, errno: int) -> Error:
    """The exception for a ``tl_error``."""
    kind = _KINDS[code] if 0 <= code < len(_KINDS) else Error
    return kind(text, code, file or None, line or None, column or None, errno or None)
