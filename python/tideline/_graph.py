"""Reachability graphs."""

from __future__ import annotations

import json
import os
from array import array
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Tuple

from . import _show, _tideline
from ._results import Answers, Exploration, Marking

if TYPE_CHECKING:
    from ._net import Net


def _numbers(code: str, data: bytearray) -> Any:
    """An array of numpy where that is installed, else of the standard library."""
    try:
        import numpy
    except ImportError:
        return array(code, bytes(data))
    return numpy.frombuffer(data, dtype={"q": "int64", "I": "uint32"}[code])


class Arcs(NamedTuple):
    """All arcs of a graph, by the numbers of their sources.

    The arcs of state ``s`` are those from ``start[s]`` to ``start[s + 1]``.
    Transitions are numbers of ``net.transitions``.
    """

    source: Any
    transition: Any
    target: Any
    start: Any


class Graph(_show.Shown):
    """The whole reachability graph of a net, in a few bits an arc.

    States are numbers; 0 is the initial one.
    """

    def __init__(self, net: "Net", handle: Any, built: Optional[Exploration] = None) -> None:
        self.net = net
        self.built = built
        self._handle = handle
        self.states, self.arc_count, self.bytes = _tideline.graph_sizes(handle)

    @staticmethod
    def open(path: _show.PathLike) -> "Graph":
        """Opens a file that ``save`` or ``tideline graph -o`` has written."""
        from ._net import Net

        handle = _tideline.graph_open(os.fsencode(path))
        return Graph(Net(_tideline.graph_net(handle)), handle)

    def save(self, path: _show.PathLike, format: Optional[str] = None) -> None:
        """Writes a file to be opened again, or as ``aut``, ``dot``, ``graphml``, ``states``
        or ``csv``."""
        _tideline.graph_save(self._handle, os.fsencode(path), format)

    def arcs(self) -> Arcs:
        """All arcs as arrays: of numpy where that is installed."""
        start, source, transition, target, _ = _tideline.graph_arrays(self._handle, False)
        return Arcs(
            _numbers("q", source),
            _numbers("I", transition),
            _numbers("q", target),
            _numbers("q", start),
        )

    def markings(self) -> Any:
        """The tokens of all places in all states: a matrix of numpy, or a list of arrays.

        Columns are the places of ``net.places``. Of a coloured net that is not
        unfolded there are no numbers; see ``marking``.
        """
        if not self.net.has_arcs:
            raise TypeError("the net is not unfolded: its markings are no numbers")
        tokens = _numbers("q", _tideline.graph_arrays(self._handle, True)[4])
        width = len(self.net.places)
        if hasattr(tokens, "reshape"):
            return tokens.reshape(self.states, width)
        return [tokens[s * width : (s + 1) * width] for s in range(self.states)]

    def marking(self, state: int) -> Marking:
        """Tokens of the marked places of a state."""
        return dict(_tideline.graph_state(self._handle, state)[0])

    def path(self, state: int) -> List[str]:
        """The steps of a way to a state, in a graph built breadth-first a shortest one."""
        return _tideline.graph_state(self._handle, state)[1]

    def successors(self, state: int) -> List[Tuple[str, int]]:
        """The steps that are enabled in a state, and where they lead."""
        report = json.loads(_tideline.graph_report(self._handle, state))
        return [(arc["transition"], arc["state"]) for arc in report["successors"]]

    def check(
        self,
        *formulas: str,
        progress: Optional[Callable[[dict], Any]] = None,
        **options: Any,
    ) -> Answers:
        """Answers questions from the graph, without a search; as ``Net.check``."""
        return self.net._ask(self._handle, formulas, progress, options)

    def html(self) -> str:
        return _tideline.graph_page(
            self._handle,
            _show.net_layout(self.net._handle),
            _show.graph_layout(self._handle),
        )

    def __len__(self) -> int:
        return self.states

    def __repr__(self) -> str:
        return f"<Graph of {self.net.name}: {self.states} states, {self.arc_count} arcs>"
