"""Nets: opened, read, built, and what is asked of them."""

from __future__ import annotations

import json
import os
from array import array
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _show, _tideline
from ._errors import ArgumentError, LimitError, ModelError
from ._game import Game
from ._graph import Graph
from ._results import Answers, Exploration, Marking

Progress = Optional[Callable[[Dict[str, Any]], Any]]

# As in tl_arc_kind.
_KINDS = ("input", "output", "inhibitor", "read")
# How a question is given.
_FORMULA, _FORMULA_FILE, _CONTEST_FILE = range(3)
# A graph of more states is not drawn on a page.
_MOST_DRAWN = 250


def _settings(given: Mapping[str, Any]) -> Dict[str, Any]:
    settings = {name: value for name, value in given.items() if value is not None}
    if "parameters" in settings:
        settings["parameters"] = {
            name: None if value is None else str(value)
            for name, value in settings["parameters"].items()
        }
    return settings


def _options(given: Mapping[str, Any]) -> Dict[str, Any]:
    options = {name: value for name, value in given.items() if value is not None}
    if options.get("window") == "all":
        options["window"] = 2**64 - 1
    if "variables" in options:
        options["variables"] = os.fsencode(options["variables"])
    return options


class Arc(NamedTuple):
    """An arc of a net; ``kind`` is ``input``, ``output`` or ``inhibitor``."""

    kind: str
    place: str
    transition: str
    weight: int


class Net(_show.Shown):
    """A Petri net, which never changes.

    Any number of threads may ask it at the same time. Runs release the
    interpreter; Ctrl-C ends them.
    """

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        name, format, places, transitions, arcs, coloured = _tideline.net_facts(handle)
        self.name: str = name
        self.format: str = format
        self.coloured: bool = coloured
        self._nodes: Dict[bool, List[Tuple[str, str]]] = {}

    # ---- Where nets come from

    @staticmethod
    def open(path: _show.PathLike, **settings: Any) -> "Net":
        """Reads a file: PNML, LoLA, TINA, Helena's language, packed or not.

        Settings: ``parameters`` (a dictionary: values of a coloured net),
        ``no_unfold``, ``unfold``, ``compile``, ``memory`` (bytes), ``timeout``
        (seconds).
        """
        return Net(_tideline.net_open(os.fsencode(path), _settings(settings)))

    @staticmethod
    def from_bytes(data: bytes, name: Optional[str] = None, **settings: Any) -> "Net":
        """The same from memory. ``name`` stands for the name of a file."""
        return Net(_tideline.net_read(bytes(data), name, _settings(settings)))

    @staticmethod
    def from_string(text: str, name: Optional[str] = None, **settings: Any) -> "Net":
        """The same from a text."""
        return Net.from_bytes(text.encode(), name, **settings)

    @staticmethod
    def example(family: str, *sizes: int) -> "Net":
        """One of the classical models: ``Net.example("philosophers", 5)``."""
        return Net(_tideline.net_example(family, sizes))

    @staticmethod
    def build(name: str = "net") -> "Builder":
        """A builder, to put a net together."""
        return Builder(name)

    @staticmethod
    def from_networkx(graph: Any, name: Optional[str] = None) -> "Net":
        """A net from a directed graph as those of networkx are.

        A node has the attribute ``kind``, ``"place"`` or ``"transition"`` (or,
        as bipartite graphs have it, ``bipartite``: 0 is a place), and perhaps
        ``tokens`` and ``name``. An edge has perhaps ``weight``, and ``kind``:
        ``"inhibitor"`` or ``"read"``, from a place. What is used is
        ``graph.nodes(data=True)`` and ``graph.edges(data=True)``.
        """
        builder = Builder(name or str(getattr(graph, "name", "") or "net"))
        for node, data in graph.nodes(data=True):
            kind = data.get("kind")
            if kind is None and "bipartite" in data:
                kind = "transition" if data["bipartite"] else "place"
            if kind == "place":
                builder.place(str(node), data.get("tokens", 0), data.get("name"))
            elif kind == "transition":
                builder.transition(str(node), name=data.get("name"))
            else:
                raise ArgumentError(f"node {node!r} is neither a place nor a transition")
        for source, target, data in graph.edges(data=True):
            builder.arc(str(source), str(target), data.get("weight", 1), data.get("kind"))
        return builder.finish()

    # ---- What is in it

    def _list(self, places: bool) -> List[Tuple[str, str]]:
        if places not in self._nodes:
            self._nodes[places] = _tideline.net_nodes(self._handle, places)
        return self._nodes[places]

    @property
    def places(self) -> List[str]:
        """The ids of the places; of a coloured net those it is unfolded into."""
        return [node[0] for node in self._list(True)]

    @property
    def transitions(self) -> List[str]:
        """The ids of the transitions."""
        return [node[0] for node in self._list(False)]

    @property
    def place_names(self) -> Dict[str, str]:
        """What people call the places, by id."""
        return dict(self._list(True))

    @property
    def transition_names(self) -> Dict[str, str]:
        """What people call the transitions, by id."""
        return dict(self._list(False))

    @property
    def arcs(self) -> List[Arc]:
        """All arcs; a read arc is a pair of an input and an output arc."""
        places, transitions = self.places, self.transitions
        return [
            Arc(_KINDS[kind], places[place], transitions[transition], weight)
            for kind, place, transition, weight in _tideline.net_arcs(self._handle)
        ]

    @property
    def has_arcs(self) -> bool:
        """False: it is a coloured net that is not unfolded."""
        try:
            _tideline.net_initial(self._handle)
        except ModelError:
            return False
        return True

    @property
    def initial(self) -> Marking:
        """The initial marking."""
        return Game(self).marking

    def info(self, **options: Any) -> Dict[str, Any]:
        """What is known without visiting states, as ``tideline info --json``."""
        return json.loads(_tideline.net_info(self._handle, _options(options)))

    def save(self, path: _show.PathLike, format: Optional[str] = None) -> None:
        """Writes it as ``pnml``, ``lola``, ``tina`` or ``dot``, by the ending if nothing
        is said."""
        endings = {".lola": "lola", ".net": "tina", ".dot": "dot"}
        ending = os.path.splitext(os.fspath(path))[1]
        _tideline.net_save(
            self._handle, os.fsencode(path), format or endings.get(ending, "pnml")
        )

    # ---- Markings

    def _numbers(self, marking: Mapping[str, int]) -> bytes:
        numbers = array("Q", bytes(8 * len(self.places)))
        for place, tokens in marking.items():
            at = _tideline.net_find(self._handle, True, place)
            if at < 0:
                raise ArgumentError(f"there is no place '{place}'")
            numbers[at] = tokens
        return numbers.tobytes()

    def enabled(self, marking: Optional[Mapping[str, int]] = None) -> List[str]:
        """The transitions that a marking enables; the initial one if none is given."""
        if marking is None:
            return Game(self).enabled
        ids = self.transitions
        return [ids[t] for t in _tideline.net_enabled(self._handle, self._numbers(marking))]

    def fire(self, marking: Mapping[str, int], transition: str) -> Marking:
        """The marking after a transition was fired."""
        at = _tideline.net_find(self._handle, False, transition)
        if at < 0:
            raise ArgumentError(f"there is no transition '{transition}'")
        after = array("Q", _tideline.net_fire(self._handle, self._numbers(marking), at))
        return {place: tokens for place, tokens in zip(self.places, after) if tokens}

    # ---- Runs

    def explore(self, *, progress: Progress = None, **options: Any) -> Exploration:
        """Visits every reachable state.

        Options are those of ``tl_options`` in ``tideline.h`` and of the command
        line: ``order``, ``store``, ``engine``, ``memory`` (bytes), ``timeout``
        (seconds), ``max_states``, ``threads``, ``measure`` ... Where a budget
        ends it, the result is not ``complete``. ``progress`` is called now and
        then with a dictionary of figures; by returning ``False`` it ends the run.
        """
        return Exploration(
            self, _tideline.explore(self._handle, self._how(options), progress)
        )

    @staticmethod
    def _how(options: Mapping[str, Any]) -> Dict[str, Any]:
        # The measure of progress is called so because `progress` is the callback.
        how = _options(options)
        if "measure" in how:
            how["progress"] = how.pop("measure")
        return how

    def _ask(
        self, graph: Any, formulas: Tuple[str, ...], progress: Progress, options: Dict[str, Any]
    ) -> Answers:
        questions: List[Tuple[int, Union[str, bytes]]] = [
            (_FORMULA, formula) for formula in formulas
        ]
        for option, how in (("file", _FORMULA_FILE), ("mcc", _CONTEST_FILE)):
            if options.get(option) is not None:
                questions.append((how, os.fsencode(options[option])))
        rest = {name: value for name, value in options.items() if name not in ("file", "mcc")}
        return Answers(
            self, _tideline.check(self._handle, graph, questions, self._how(rest), progress)
        )

    def check(self, *formulas: str, progress: Progress = None, **options: Any) -> Answers:
        """Answers questions: formulas in LoLA's syntax, or names of properties.

        ``file`` names a file of these, ``mcc`` one of the contest's properties.
        Other options are as for ``explore``.
        """
        return self._ask(None, formulas, progress, options)

    def simulate(self) -> Game:
        """The token game, in the initial marking."""
        return Game(self)

    def graph(self, *, progress: Progress = None, **options: Any) -> Graph:
        """Builds the whole reachability graph; ``LimitError``: a budget did not allow that."""
        handle, found = _tideline.graph_build(self._handle, self._how(options), progress)
        built = Exploration(self, found)
        if handle is None:
            raise LimitError(f"the graph was not finished: {built.stopped}")
        return Graph(self, handle, built)

    def _small_graph(self, found: Exploration) -> Any:
        """The graph that a page can show, or ``None``."""
        states = found.states
        if not found.complete or states is None or states > _MOST_DRAWN:
            return None
        return _tideline.graph_build(self._handle, {}, None)[0]

    # ---- Looking at it

    def html(self) -> str:
        return Game(self).html()

    def __repr__(self) -> str:
        return f"<Net {self.name}: {len(self.places)} places, {len(self.transitions)} transitions>"


class Builder:
    """Puts a net together; every call gives the builder back.

    ::

        net = (Net.build("door")
               .place("closed", 1).place("opened")
               .transition("open", {"closed": 1}, {"opened": 1})
               .finish())

    As a context it finishes by itself: ``with Net.build() as b: ...``, then
    ``b.net``.
    """

    def __init__(self, name: str = "net") -> None:
        self._handle: Any = _tideline.builder_open(name)
        self._places: Dict[str, bool] = {}
        self._net: Optional[Net] = None

    def place(self, id: str, tokens: int = 0, name: Optional[str] = None) -> "Builder":
        """A place with its tokens in the initial marking."""
        self._want_open()
        _tideline.builder_place(self._handle, id, name, tokens)
        self._places[id] = True
        return self

    def transition(
        self,
        id: str,
        inputs: Union[Mapping[str, int], List[str], None] = None,
        outputs: Union[Mapping[str, int], List[str], None] = None,
        *,
        inhibitors: Union[Mapping[str, int], List[str], None] = None,
        reads: Union[Mapping[str, int], List[str], None] = None,
        name: Optional[str] = None,
    ) -> "Builder":
        """A transition, and arcs of it: places with weights, or a list of places."""
        self._want_open()
        _tideline.builder_transition(self._handle, id, name)
        self._places[id] = False
        for kind, arcs in enumerate((inputs, outputs, inhibitors, reads)):
            weights = arcs if isinstance(arcs, Mapping) else {place: 1 for place in arcs or []}
            for place, weight in weights.items():
                _tideline.builder_arc(self._handle, kind, place, id, weight)
        return self

    def arc(
        self, source: str, target: str, weight: int = 1, kind: Optional[str] = None
    ) -> "Builder":
        """An arc from a place to a transition or back; ``kind``: ``inhibitor`` or ``read``,
        from a place."""
        self._want_open()
        forth = self._places.get(source, not self._places.get(target, False))
        if kind is None:
            kind = "input" if forth else "output"
        if kind not in _KINDS or (kind == "output") == forth:
            raise ArgumentError(f"there is no {kind} arc from '{source}' to '{target}'")
        place, transition = (source, target) if forth else (target, source)
        _tideline.builder_arc(self._handle, _KINDS.index(kind), place, transition, weight)
        return self

    def finish(self) -> Net:
        """The net; the builder is used up."""
        self._want_open()
        handle, self._handle = self._handle, None
        self._net = Net(_tideline.builder_finish(handle))
        return self._net

    @property
    def net(self) -> Net:
        """The net that was finished."""
        if self._net is None:
            raise ArgumentError("the net is not finished")
        return self._net

    def _want_open(self) -> None:
        if self._handle is None:
            raise ArgumentError("the net is finished already")

    def __enter__(self) -> "Builder":
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        if kind is None and self._handle is not None:
            self.finish()
