"""The token game."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Tuple, Union

from . import _show, _tideline
from ._results import Marking

if TYPE_CHECKING:
    from ._net import Net


class Game(_show.Shown):
    """A run that grows by the steps that somebody fires.

    It is for one thread at a time.
    """

    def __init__(self, net: "Net") -> None:
        self.net = net
        self._handle: Any = _tideline.game_open(net._handle)

    @property
    def enabled(self) -> List[str]:
        """The steps that are enabled: transitions, in a coloured net with bindings."""
        return _tideline.game_choices(self._handle)

    @property
    def marking(self) -> Marking:
        """Tokens of the marked places."""
        return dict(_tideline.game_marking(self._handle))

    @property
    def changes(self) -> Dict[str, Tuple[int, int]]:
        """Of the places that the last step changed, tokens before and after it."""
        return dict(_tideline.game_changes(self._handle))

    @property
    def steps(self) -> List[str]:
        """The run so far."""
        return _tideline.game_steps(self.net._handle, self._handle)

    def fire(self, step: Union[int, str]) -> "Game":
        """Fires one of the enabled, by its number there or in words."""
        _tideline.game_fire(self._handle, step)
        return self

    def run(self, steps: Iterable[str]) -> "Game":
        """Fires steps one after the other, such as those of a trace."""
        for step in steps:
            self.fire(step)
        return self

    def back(self, steps: int = 1) -> "Game":
        """Takes steps back."""
        length = len(self)
        _tideline.game_back(self._handle, max(length - steps, 0))
        return self

    def walk(self, steps: int, seed: Optional[int] = None) -> "Game":
        """Fires at most so many steps at random."""
        chance = random.Random(seed)
        for _ in range(steps):
            count = len(self.enabled)
            if not count:
                break
            self.fire(chance.randrange(count))
        return self

    def html(self) -> str:
        return _tideline.game_page(
            self.net._handle, self._handle, _show.net_layout(self.net._handle)
        )

    def __len__(self) -> int:
        return _tideline.game_length(self._handle)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Game on {self.net.name} after {len(self)} steps>"
