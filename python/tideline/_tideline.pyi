# The functions of the extension, which the rest of the package wraps.
from typing import Any

def __getattr__(name: str) -> Any: ...
