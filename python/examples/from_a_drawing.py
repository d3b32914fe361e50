"""A net from a graph as those of networkx are: nodes and edges with attributes."""

import tideline


class Drawing:
    """What is used of a networkx.DiGraph."""

    name = "drawing"

    def __init__(self, nodes, edges):
        self._nodes, self._edges = nodes, edges

    def nodes(self, data):
        return self._nodes.items()

    def edges(self, data):
        return [(*ends, attributes) for ends, attributes in self._edges.items()]


drawing = Drawing(
    {
        "room": {"kind": "place", "tokens": 3, "name": "room in the buffer"},
        "full": {"kind": "place"},
        "put": {"kind": "transition"},
        "take": {"kind": "transition"},
    },
    {
        ("room", "put"): {},
        ("put", "full"): {},
        ("full", "take"): {"weight": 2},
        ("take", "room"): {"weight": 2},
    },
)
net = tideline.Net.from_networkx(drawing)
game = net.simulate().walk(20, seed=1)
print(net, "after", len(game), "steps:", game.marking)
bound, = net.check("MAX(full)")
print("most in the buffer:", bound.value)
