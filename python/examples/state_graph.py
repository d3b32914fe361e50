"""The state graph as arrays: how far is every state from the initial one?"""

from collections import Counter

import tideline

net = tideline.Net.example("token-ring", 4)
graph = net.graph()
arcs = graph.arcs()
distance = {0: 0}
for source, target in zip(arcs.source, arcs.target):  # states are in breadth-first order
    distance.setdefault(int(target), distance[int(source)] + 1)
print(graph)
print("states by distance:", *(count for _, count in sorted(Counter(distance.values()).items())))
print("the last one:", graph.marking(len(graph) - 1))
