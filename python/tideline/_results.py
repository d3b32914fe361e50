"""What searches find: figures, answers and traces."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from . import _show, _tideline

if TYPE_CHECKING:
    from ._net import Net

Marking = Dict[str, int]


def number(value: Union[None, int, str]) -> Optional[int]:
    """A figure of a report: those beyond 2**53 are texts there."""
    return int(value) if value is not None else None


class Trace(Sequence[str]):
    """A run from the initial marking: the steps in words, and the markings.

    It is a sequence of its steps. ``markings`` has one marking more than there
    are steps. A run that goes on for ever has a ``loop_from``: after the last
    step it is again where it was before the step of that number.
    """

    def __init__(self, report: Mapping[str, Any]) -> None:
        self.steps: List[str] = list(report["transitions"])
        self.loop_from: Optional[int] = report.get("loop_from")
        self._changes: List[Marking] = list(report.get("markings", []))

    @property
    def markings(self) -> List[Marking]:
        """The markings along the run, the initial one first."""
        found: List[Marking] = []
        now: Marking = {}
        for changes in self._changes:
            now = {**now, **changes}
            now = {place: tokens for place, tokens in now.items() if tokens}
            found.append(now)
        return found

    @property
    def changes(self) -> List[Marking]:
        """For each step the tokens of the places that it changes."""
        return self._changes[1:]

    @property
    def is_lasso(self) -> bool:
        """Whether the run goes on for ever."""
        return self.loop_from is not None

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, index: Any) -> Any:
        return self.steps[index]

    def __repr__(self) -> str:
        return f"<Trace of {len(self)} steps{', a lasso' if self.is_lasso else ''}>"


def trace_of(report: Optional[Mapping[str, Any]]) -> Optional[Trace]:
    """The trace of a report, if it has one."""
    return Trace(report) if report else None


class Exploration(_show.Shown):
    """What visiting all states has found.

    ``report`` has all of it, as ``tideline explore --json`` prints it
    (docs/formats.md). When ``complete`` is false every number is a lower bound.
    """

    def __init__(self, net: "Net", handle: Any) -> None:
        self.net = net
        self._handle = handle
        self.report: Dict[str, Any] = json.loads(_tideline.exploration_report(handle))

    @property
    def complete(self) -> bool:
        """Whether every reachable state was visited."""
        return bool(self.report["complete"])

    @property
    def stopped(self) -> Optional[str]:
        """Why it ended before: ``memory``, ``states``, ``time``, ..."""
        return self.report.get("stopped")

    @property
    def states(self) -> Optional[int]:
        """Reachable markings."""
        return number(self.report["states"])

    @property
    def arcs(self) -> Optional[int]:
        """Pairs of a marking and a transition that is enabled in it."""
        return number(self.report["arcs"])

    @property
    def deadlocks(self) -> Optional[int]:
        """Markings that enable nothing."""
        return number(self.report["deadlocks"])

    @property
    def deadlock(self) -> Optional[Trace]:
        """A run to one of these."""
        return trace_of(self.report.get("deadlock_trace"))

    @property
    def dead_transitions(self) -> List[str]:
        """Transitions that are enabled nowhere, once that is known."""
        return list(self.report.get("dead_transition_ids", []))

    @property
    def unbounded(self) -> Optional[Trace]:
        """A run that adds tokens again and again."""
        return trace_of(self.report.get("unbounded_trace"))

    def html(self) -> str:
        graph = self.net._small_graph(self)
        return _tideline.exploration_page(
            self._handle,
            graph,
            _show.net_layout(self.net._handle),
            _show.graph_layout(graph) if graph else None,
        )

    def __str__(self) -> str:
        return _tideline.exploration_text(self._handle)

    def __repr__(self) -> str:
        least = "" if self.complete else "at least "
        return f"<Exploration of {self.net.name}: {least}{self.states} states>"


class Answer:
    """The answer to one question.

    ``verdict`` is ``True``, ``False``, or ``None`` where it is not known and
    for bounds, whose answer is ``value`` (``float('inf')``: there is none).
    """

    def __init__(self, report: Mapping[str, Any]) -> None:
        self.report = dict(report)
        self.name: str = report["name"]
        self.formula: str = report["formula"]
        self.verdict: Optional[bool] = {"true": True, "false": False}.get(
            report.get("verdict", "unknown")
        )
        if "value" in report:
            self.verdict = None
        self.value: Union[None, int, float] = number(report.get("value"))
        if report.get("infinite"):
            self.value = float("inf")
        self.trace = trace_of(report.get("trace"))

    @property
    def known(self) -> bool:
        """Whether there is an answer."""
        return self.verdict is not None or self.value is not None

    @property
    def why(self) -> Optional[str]:
        """Why it is not known."""
        return self.report.get("why")

    @property
    def meaning(self) -> Optional[str]:
        """What the verdict on a named property says, in words."""
        return self.report.get("meaning")

    def __bool__(self) -> bool:
        if self.verdict is None:
            raise ValueError(f"'{self.name}' is neither true nor false: {self.why or self.value}")
        return self.verdict

    def __repr__(self) -> str:
        said = self.value if self.value is not None else self.verdict
        return f"<Answer {self.name}: {said}>"


class Answers(Sequence[Answer], _show.Shown):
    """The answers to some questions, in their order.

    ``report`` has all of it, as ``tideline check --json`` prints it.
    """

    def __init__(self, net: "Net", handle: Any) -> None:
        self.net = net
        self._handle = handle
        text = _tideline.answers_report(net._handle, handle, False)
        self.report: Dict[str, Any] = json.loads(text)
        self._answers = [Answer(answer) for answer in self.report["properties"]]

    @property
    def complete(self) -> bool:
        """Whether every question has its answer."""
        return bool(self.report["complete"])

    def html(self) -> str:
        return _tideline.answers_page(
            self.net._handle, self._handle, _show.net_layout(self.net._handle)
        )

    def __len__(self) -> int:
        return len(self._answers)

    def __getitem__(self, index: Any) -> Any:
        return self._answers[index]

    def __iter__(self) -> Iterator[Answer]:
        return iter(self._answers)

    def __str__(self) -> str:
        return _tideline.answers_report(self.net._handle, self._handle, True)

    def __repr__(self) -> str:
        return repr(self._answers)
