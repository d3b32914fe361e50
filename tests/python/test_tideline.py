"""The package for Python, as people use it."""

import doctest
import gc
import gzip
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import tideline
from tideline import Net

LNA = """ring (N := 3) {
  type id: range 1 .. N;
  place p { dom: id; init: for (x in id) <(x)>; }
  place q { dom: id; }
  transition t { in { p: <(x)>; } out { q: <(x)>; } }
}"""
LOLA = "PLACE a, b; MARKING a: 2; TRANSITION t CONSUME a: 1; PRODUCE b: 1;"
HOSTILE = '</script><script>alert("&")</script>'


class Nets(unittest.TestCase):
    def test_example(self):
        net = Net.example("philosophers", 3)
        self.assertEqual(len(net.places), 12)
        self.assertEqual(len(net.transitions), 9)
        self.assertIn("philosophers", repr(net))
        with self.assertRaises(tideline.ArgumentError):
            Net.example("nothing", 3)
        with self.assertRaises(tideline.ArgumentError):
            Net.example("philosophers", *range(20))

    def test_string_and_bytes(self):
        net = Net.from_string(LOLA)
        self.assertEqual((net.format, net.places, net.initial), ("lola", ["a", "b"], {"a": 2}))
        packed = Net.from_bytes(gzip.compress(LOLA.encode()), "x.lola.gz")
        self.assertEqual((packed.name, packed.explore().states), ("x", 3))

    def test_coloured(self):
        net = Net.from_string(LNA, "ring.lna", parameters={"N": 4})
        self.assertTrue(net.coloured and net.has_arcs)
        self.assertEqual(net.explore().states, 16)
        folded = Net.from_string(LNA, no_unfold=True, compile="never")
        self.assertFalse(folded.has_arcs)
        self.assertEqual(folded.explore().states, 8)
        self.assertEqual(folded.initial, {"p(1)": 1, "p(2)": 1, "p(3)": 1})
        with self.assertRaises(tideline.ModelError):
            folded.fire({}, "t")
        graph = folded.graph()
        self.assertEqual(graph.marking(7), {"q(1)": 1, "q(2)": 1, "q(3)": 1})
        with self.assertRaises(TypeError):
            graph.markings()
        self.assertEqual(len(folded.simulate().enabled), 3)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "néon.pnml")
            Net.from_string(LOLA).save(path)
            again = Net.open(path)
            self.assertEqual((again.name, again.explore().states), ("néon", 3))
            with self.assertRaises(tideline.FileError) as caught:
                Net.open(os.path.join(folder, "missing"))
            self.assertTrue(caught.exception.file)

    def test_errors_say_where(self):
        with self.assertRaises(tideline.InputError) as caught:
            Net.from_string("PLACE a;\nMARKING b: 1;", "y.lola")
        error = caught.exception
        self.assertEqual((error.file, error.line), ("y.lola", 2))
        self.assertIn("y.lola:2", str(error))
        self.assertIsInstance(error, tideline.Error)
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))

    def test_wrong_options(self):
        net = Net.from_string(LOLA)
        for call in (
            lambda: net.explore(ordre="bfs"),
            lambda: net.explore(max_states="many"),
            lambda: Net.from_string(LOLA, unfolded=True),
            lambda: net.check(17),
            lambda: net.check("deadlock", threads=[1]),
            lambda: net.graph(order=3),
            lambda: tideline.Net(17),
        ):
            self.assertRaises((TypeError, ValueError), call)
        for call in (
            lambda: net.explore(threads=2**40),
            lambda: net.explore(max_states=-1),
        ):
            self.assertRaises(OverflowError, call)
        self.assertRaises(ValueError, lambda: Net.open("a\0b"))
        self.assertRaises(tideline.ArgumentError, lambda: net.explore(order="sideways"))
        self.assertRaises(tideline.ArgumentError, lambda: net.explore(timeout=-1))
        self.assertRaises(ValueError, lambda: Net.from_string(LNA, compile="often"))

    def test_kinds(self):
        self.assertIn("bfs", tideline.kinds("orders"))
        self.assertEqual(tideline.kinds("nothing"), {})


class Building(unittest.TestCase):
    def small(self):
        return (
            Net.build("small")
            .place("p", 3, "the start")
            .place("q")
            .transition("t", {"p": 1}, {"q": 2}, inhibitors={"q": 3}, reads={"p": 2}, name="go")
            .finish()
        )

    def test_arcs_and_firing(self):
        net = self.small()
        self.assertEqual(net.place_names["p"], "the start")
        self.assertIn(tideline.Arc("inhibitor", "q", "t", 3), net.arcs)
        self.assertEqual(net.enabled(), ["t"])
        marking = net.fire(net.initial, "go")
        self.assertEqual(marking, {"p": 2, "q": 2})
        self.assertEqual(net.fire(marking, "t"), {"p": 1, "q": 4})
        self.assertEqual(net.enabled({"p": 9, "q": 3}), [])
        self.assertRaises(tideline.ArgumentError, net.fire, {"q": 3}, "t")
        self.assertRaises(tideline.ArgumentError, net.fire, {"x": 3}, "t")
        self.assertRaises(tideline.ArgumentError, net.fire, {}, "x")

    def test_same_as_the_library(self):
        # The net of an example, once more from what is told of it.
        net = Net.example("fms", 2)
        again = Net.build(net.name)
        for place in net.places:
            again.place(place, net.initial.get(place, 0))
        for transition in net.transitions:
            again.transition(transition)
        for arc in net.arcs:
            ends = (arc.place, arc.transition)
            again.arc(*(ends if arc.kind == "input" else ends[::-1]), arc.weight)
        self.assertEqual(again.finish().explore().states, net.explore().states)

    def test_context(self):
        with Net.build() as build:
            build.place("a", 1).place("b").transition("t")
            build.arc("a", "t").arc("t", "b").arc("b", "t", 1, "inhibitor")
        self.assertEqual(build.net.explore().states, 2)
        self.assertRaises(tideline.ArgumentError, build.place, "c")
        with self.assertRaises(ZeroDivisionError):
            with Net.build() as build:
                1 // 0
        self.assertRaises(tideline.ArgumentError, lambda: build.net)

    def test_refused(self):
        build = Net.build().place("a").transition("t")
        for call in (
            lambda: build.place("a"),
            lambda: build.transition("a"),
            lambda: build.place(""),
            lambda: build.arc("a", "b"),
            lambda: build.arc("a", "t", 0),
            lambda: build.arc("t", "a", 1, "inhibitor"),
            lambda: build.arc("a", "t", 1, "magic"),
            lambda: build.place("b", 2**32),
        ):
            self.assertRaises(tideline.ArgumentError, call)
        self.assertRaises(OverflowError, lambda: build.place("b", -1))
        self.assertRaises((TypeError, ValueError), lambda: build.place("b", "x"))
        self.assertEqual(build.finish().places, ["a"])

    def test_networkx_like(self):
        class Graph:
            name = "g"

            def nodes(self, data):
                return [("p", {"bipartite": 0, "tokens": 2}), (7, {"bipartite": 1})]

            def edges(self, data):
                return [("p", 7, {"weight": 2})]

        net = Net.from_networkx(Graph())
        self.assertEqual((net.name, net.transitions, net.explore().states), ("g", ["7"], 2))
        Graph.nodes = lambda self, data: [("p", {})]
        self.assertRaises(tideline.ArgumentError, Net.from_networkx, Graph())


class Runs(unittest.TestCase):
    def test_explore(self):
        found = Net.example("philosophers", 4).explore(threads=1)
        self.assertTrue(found.complete)
        self.assertEqual((found.states, found.deadlocks), (34, 1))
        self.assertEqual(found.dead_transitions, [])
        self.assertEqual(len(found.deadlock), 4)
        self.assertIn("34", str(found))

    def test_budgets_are_results(self):
        found = Net.example("kanban", 6).explore(max_states=1000)
        self.assertFalse(found.complete)
        self.assertEqual(found.stopped, "states")
        self.assertRaises(
            tideline.LimitError, lambda: Net.example("kanban", 6).graph(max_states=100)
        )

    def test_beyond_words(self):
        found = Net.example("kanban", 200).explore(engine="symbolic")
        self.assertGreater(found.states, 2**64)

    def test_unbounded(self):
        net = Net.build().place("p").transition("t", [], ["p"]).finish()
        found = net.explore()
        self.assertEqual(found.stopped, "unbounded")
        self.assertTrue(found.unbounded.is_lasso)

    def test_check(self):
        net = Net.example("philosophers", 3)
        dead, safe, bound = net.check("deadlock", "AG fork_1 <= 1", "MAX(eating_1)")
        self.assertTrue(dead.verdict and safe and dead.known)
        self.assertIn("dead marking", dead.meaning)
        self.assertEqual((bound.value, bound.verdict), (1, None))
        self.assertEqual(net.check("AG fork_1 = 1")[0].verdict, False)
        with self.assertRaises(tideline.InputError):
            net.check("AG (")
        unknown = Net.example("kanban", 50).check("AG card_1 + card_2 != 7", max_states=1)[0]
        if unknown.verdict is None:
            self.assertRaises(ValueError, bool, unknown)

    def test_traces_have_markings(self):
        net = Net.example("philosophers", 3)
        trace = net.check("deadlock")[0].trace
        marking = net.initial
        self.assertEqual(trace.markings[0], marking)
        for step, after in zip(trace, trace.markings[1:]):
            marking = net.fire(marking, step)
            self.assertEqual(marking, after)
        self.assertEqual(net.enabled(marking), [])
        self.assertEqual(len(trace.changes), len(trace))

    def test_lasso(self):
        net = Net.from_string(
            "PLACE a, b; MARKING a: 1; TRANSITION t CONSUME a: 1; PRODUCE b: 1;"
            "TRANSITION u CONSUME b: 1; PRODUCE a: 1;"
        )
        answer = net.check("A F G a = 1", unaided=True)[0]
        self.assertFalse(answer.verdict)
        self.assertTrue(answer.trace.is_lasso)

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "questions")
            with open(path, "w") as file:
                file.write("# all\nstuck: deadlock\n")
            answers = Net.example("philosophers", 2).check("deadlock-free", file=path)
            self.assertEqual([a.name for a in answers], ["deadlock-free", "stuck"])

    def test_info(self):
        self.assertEqual(Net.example("philosophers", 2).info()["net"]["places"], 8)


class Ending(unittest.TestCase):
    """Callbacks, Ctrl-C and threads."""

    LONG = ("kanban", 20)

    def test_progress(self):
        seen = []
        found = Net.example(*self.LONG).explore(
            progress=lambda p: seen.append(p) or len(seen) < 2, threads=1, timeout=60
        )
        self.assertFalse(found.complete)
        self.assertEqual(found.stopped, "interrupt")
        self.assertGreater(seen[1]["states"], 0)

    def test_callback_fails(self):
        def fail(progress):
            raise KeyError("mine")

        for run in (Net.example(*self.LONG).explore, Net.example(*self.LONG).graph):
            with self.assertRaises(KeyError):
                run(progress=fail, timeout=60)
        with self.assertRaises(KeyError):
            Net.example(*self.LONG).check("bounds", progress=fail, unaided=True, timeout=60)

    def test_ctrl_c(self):
        net = Net.example(*self.LONG)
        # Whoever runs this in the background may have it ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        main = threading.main_thread().ident
        timer = threading.Timer(0.5, signal.pthread_kill, (main, signal.SIGINT))
        timer.start()
        begun = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            net.explore(timeout=100, memory=1 << 30)
        self.assertLess(time.monotonic() - begun, 30)
        timer.join()

    def test_other_threads_go_on(self):
        net = Net.example(*self.LONG)
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(1)
                time.sleep(0.01)

        ticker = threading.Thread(target=tick)
        ticker.start()
        net.explore(timeout=0.5)
        done.set()
        ticker.join()
        self.assertGreater(len(ticks), 5)

    def test_many_threads(self):
        net = Net.example("philosophers", 5)
        counts = []
        threads = [
            threading.Thread(target=lambda: counts.append(net.explore().states)) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(counts, [82] * 4)


class Games(unittest.TestCase):
    def test_play(self):
        game = Net.example("philosophers", 3).simulate()
        first = game.enabled[0]
        game.fire(0)
        self.assertEqual((game.steps, len(game)), ([first], 1))
        self.assertTrue(all(before != after for before, after in game.changes.values()))
        game.fire(game.enabled[0]).back(2)
        self.assertEqual((game.marking, len(game)), (game.net.initial, 0))
        with self.assertRaises(tideline.ArgumentError):
            game.fire("eat_everything")
        with self.assertRaises(IndexError):
            game.fire(99)
        with self.assertRaises((OverflowError, ValueError)):
            game.fire(-1)

    def test_trace(self):
        net = Net.example("philosophers", 3)
        trace = net.check("deadlock")[0].trace
        game = net.simulate().run(trace)
        self.assertEqual((game.enabled, game.marking), ([], trace.markings[-1]))

    def test_walk(self):
        net = Net.example("philosophers", 5)
        a, b = net.simulate().walk(30, seed=7), net.simulate().walk(30, seed=7)
        self.assertEqual(a.steps, b.steps)


class Graphs(unittest.TestCase):
    def test_arcs_and_markings(self):
        net = Net.example("philosophers", 4)
        graph = net.graph()
        arcs, markings = graph.arcs(), graph.markings()
        self.assertEqual(len(graph), 34)
        self.assertEqual((len(arcs.source), len(arcs.start)), (graph.arc_count, 35))
        self.assertEqual(len(markings), 34)
        for i in range(graph.arc_count):
            before = dict(zip(net.places, map(int, markings[arcs.source[i]])))
            after = net.fire(before, net.transitions[arcs.transition[i]])
            told = zip(net.places, map(int, markings[arcs.target[i]]))
            self.assertEqual(after, {place: tokens for place, tokens in told if tokens})

    def test_single_states(self):
        net = Net.example("philosophers", 3)
        graph = net.graph()
        for state in range(len(graph)):
            game = net.simulate().run(graph.path(state))
            self.assertEqual(game.marking, graph.marking(state))
            self.assertEqual([step for step, _ in graph.successors(state)], game.enabled)
        self.assertRaises(tideline.ArgumentError, graph.marking, 10**6)
        self.assertRaises(IndexError, graph.successors, 10**6)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "g")
            Net.example("philosophers", 4).graph().save(path)
            graph = tideline.Graph.open(path)
            net = graph.net
            del graph
            gc.collect()
            self.assertEqual(len(net.places), 16)
            graph = tideline.Graph.open(path)
            self.assertEqual(graph.check("deadlock")[0].verdict, True)
            graph.save(path + ".aut", "aut")
            with open(path + ".aut") as file:
                self.assertIn("des (0,", file.readline())

    def test_without_numpy(self):
        script = (
            "import sys; sys.modules['numpy'] = None\n"
            "import tideline\n"
            "g = tideline.Net.example('philosophers', 3).graph()\n"
            "print(type(g.arcs().source).__name__, len(g.markings()))\n"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertEqual(done.stdout, "array 14\n", done.stderr)

    def test_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("there is no numpy here")
        graph = Net.example("philosophers", 4).graph()
        self.assertEqual(graph.markings().shape, (34, 16))
        self.assertEqual(int(numpy.bincount(graph.arcs().source).sum()), graph.arc_count)


class Pages(unittest.TestCase):
    def test_shown(self):
        net = Net.build(HOSTILE).place(HOSTILE, 1).transition("t", [HOSTILE]).finish()
        shown = (net, net.explore(), net.check("deadlock"), net.simulate(), net.graph())
        for what in shown:
            page = what.html()
            self.assertTrue(page.lower().startswith("<!doctype html>"))
            self.assertNotIn("<script>alert", page)
            frame = what._repr_html_()
            self.assertTrue(frame.startswith('<iframe sandbox="allow-scripts"'))
            self.assertEqual(frame.count("<"), 2)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.html")
            shown[1].save_html(path)
            self.assertGreater(os.path.getsize(path), 1000)


class Memory(unittest.TestCase):
    def test_nothing_is_left(self):
        def use():
            net = Net.example("philosophers", 3)
            net.explore(), net.simulate().walk(5), net.check("deadlock")
            graph = net.graph()
            graph.arcs(), graph.markings(), graph.marking(3)
            for call in (lambda: net.check("AG ("), lambda: net.explore(order="x"),
                         lambda: Net.from_string("PLACE"), lambda: net.graph(stubborn=3),
                         lambda: net.check("deadlock", memory="x")):
                try:
                    call()
                except Exception:
                    pass

        def used():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * 4096

        for _ in range(40):
            use()
        gc.collect()
        before = used()
        for _ in range(150):
            use()
        gc.collect()
        self.assertLess(used() - before, 8 << 20)


class Documents(unittest.TestCase):
    def test_docstrings(self):
        self.assertEqual(doctest.testmod(tideline).failed, 0)

    def test_page(self):
        # Fences end an output, which else goes on to an empty line.
        with open(os.path.join(os.environ["TIDELINE_SOURCE"], "docs", "python.md")) as file:
            text = re.sub(r"^```.*$", "", file.read(), flags=re.M)
        test = doctest.DocTestParser().get_doctest(text, {}, "python.md", "python.md", 0)
        failed, tried = doctest.DocTestRunner().run(test)
        self.assertGreater(tried, 20)
        self.assertEqual(failed, 0)

    def test_examples(self):
        folder = os.path.join(os.environ["TIDELINE_SOURCE"], "python", "examples")
        expected = {
            "why_deadlock.py": "mended: True",
            "state_graph.py": "the last one:",
            "from_a_drawing.py": "most in the buffer: 3",
        }
        self.assertEqual(sorted(expected), sorted(os.listdir(folder)))
        for name, words in expected.items():
            path = os.path.join(folder, name)
            done = subprocess.run([sys.executable, path], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(words, done.stdout)


if __name__ == "__main__":
    unittest.main()
