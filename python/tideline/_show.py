"""Pages for the browser, and how notebooks show them."""

from __future__ import annotations

import html
import os
import shutil
import subprocess
from typing import Any, Optional, Union

from . import _tideline

# Larger nets take Graphviz long, and nobody sees all of them at once.
_MOST_LAID_OUT = 1200
_SECONDS = 10

PathLike = Union[str, "os.PathLike[str]"]


def _lay_out(sketch: Optional[str]) -> Optional[str]:
    """What Graphviz makes of a sketch, where it is installed."""
    dot = shutil.which("dot")
    if not sketch or not dot:
        return None
    try:
        done = subprocess.run(
            [dot, "-Tplain"],
            input=sketch,
            capture_output=True,
            encoding="utf-8",
            timeout=_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None


def net_layout(net: Any) -> Optional[str]:
    """Where the nodes of a net lie."""
    return _lay_out(_tideline.net_sketch(net, _MOST_LAID_OUT))


def graph_layout(graph: Any) -> Optional[str]:
    """Where the states of a small graph lie."""
    return _lay_out(_tideline.graph_sketch(graph))


class Shown:
    """A result that can be looked at in a browser or a notebook."""

    def html(self) -> str:
        """One page that needs nothing else, as ``--html`` writes it."""
        raise NotImplementedError

    def save_html(self, path: PathLike) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html())

    def _repr_html_(self) -> str:
        # The page runs in a frame of its own, which may touch nothing else.
        return (
            '<iframe sandbox="allow-scripts" style="width:100%;height:640px;border:0" '
            f'srcdoc="{html.escape(self.html(), quote=True)}"></iframe>'
        )
