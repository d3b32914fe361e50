"""Tideline visits every reachable state of a Petri net and answers questions.

    >>> import tideline
    >>> net = tideline.Net.example("philosophers", 3)
    >>> net.explore().states
    14
    >>> answer, = net.check("deadlock")
    >>> answer.verdict, len(answer.trace)
    (True, 3)
"""

from __future__ import annotations

from typing import Dict

from . import _tideline
from ._errors import (
    ArgumentError,
    CancelledError,
    Error,
    FileError,
    InputError,
    InternalError,
    LimitError,
    MemoryBudgetError,
    ModelError,
)
from ._game import Game
from ._graph import Arcs, Graph
from ._net import Arc, Builder, Net
from ._results import Answer, Answers, Exploration, Marking, Trace

__version__: str = _tideline.version()


def kinds(of: str) -> Dict[str, str]:
    """Names that an option can have, and what they mean.

    ``of`` is ``orders``, ``stores``, ``measures``, ``reductions``, ``engines``
    (of ``check``), ``explorers`` (engines of ``explore``) or ``compilings``.
    """
    return _tideline.kinds(of)


__all__ = [
    "Answer",
    "Answers",
    "Arc",
    "Arcs",
    "ArgumentError",
    "Builder",
    "CancelledError",
    "Error",
    "Exploration",
    "FileError",
    "Game",
    "Graph",
    "InputError",
    "InternalError",
    "LimitError",
    "Marking",
    "MemoryBudgetError",
    "ModelError",
    "Net",
    "Trace",
    "kinds",
]
