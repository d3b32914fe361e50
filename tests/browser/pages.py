"""tests/browser/run: pages in a real browser.  Traces are played to the end and
the markings that are seen compared with those of the library; names that are
markup or scripts do nothing; nothing is asked of the network, and the console
stays empty.  A line `ok` or `not ok` for each test."""
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, program

TOP = os.path.dirname(os.path.abspath(__file__)) + "/../.."
TIDELINE = os.environ.get("TIDELINE", TOP + "/build/tideline")

# What the page shows: tokens by the names in the table of the marking, which
# has elements for the rows only that are seen.
READ = """(() => {
  const box = document.getElementById('marking'), seen = {};
  const rows = Number(box.getAttribute('aria-rowcount') || 0);
  for (let top = 0; top < rows * 28; top += 200) {
    box.scrollTop = top;
    box.dispatchEvent(new Event('scroll'));
    for (const row of box.querySelectorAll('.row'))
      seen[row.children[0].textContent] =
        Number(row.children[2].textContent.replaceAll(',', ''));
  }
  box.scrollTop = 0;
  return Object.fromEntries(Object.entries(seen).filter(([, n]) => n));
})()"""

# And in the picture of the net: tokens by places.
DRAWN = """Object.fromEntries([...document.querySelectorAll('.net g.place')]
  .map(g => [g.querySelector('title').textContent,
             g.querySelectorAll('.tokens circle').length ||
             Number(g.querySelector('.tokens').textContent)])
  .filter(([, n]) => n))"""

AT = "Number(document.getElementById('slider').value)"


def tideline(*words, codes=(0, 1)):
    done = subprocess.run([TIDELINE, *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)
    assert done.returncode in codes, (words, done.stderr.decode()[:500])
    return done.stdout.decode()


def equal(found, expected, what="found"):
    assert found == expected, f"{what}: {str(found)[:400]} is not {str(expected)[:400]}"


def click(b, name):
    b.run(f"document.getElementById('{name}').click()")


def quiet(b):
    equal(b.complaints(), [], "complaints")


def example(name, *words):
    tideline("example", *words, "-o", name)
    return name


# ---- Playing ---------------------------------------------------------------

def play_through(b, markings):
    """Steps forth by the button and back by the key, and compares."""
    for i, marking in enumerate(markings):
        equal(b.run(AT), i, "step")
        equal(b.run(READ), marking, f"marking of step {i}")
        on_places = {}
        for token, count in marking.items():
            place = token.split("(")[0]
            on_places[place] = on_places.get(place, 0) + count
        equal(b.run(DRAWN), on_places, f"tokens drawn at step {i}")
        click(b, "next")
    equal(b.run(AT), len(markings) - 1, "last step")
    for i in reversed(range(len(markings))):
        equal(b.run(READ), markings[i], f"marking of step {i} on the way back")
        b.key("ArrowLeft")
    equal(b.run(AT), 0, "first step")


def test_plain(b):
    net = example("dinner.pnml", "philosophers", "4")
    report = json.loads(tideline("check", net, "deadlock", "--json", "--html",
                                 "dinner.html", "--markings", "all"))
    b.open("dinner.html")
    equal(b.run("document.querySelector('#answer .headline').textContent"),
          "A dead marking can be reached: not deadlock-free")
    play_through(b, report["properties"][0]["trace"]["markings"])
    # All there is to press.
    b.key("End")
    equal(b.run(AT), 4, "End")
    b.key("Home")
    equal(b.run(AT), 0, "Home")
    click(b, "last")
    equal(b.run(AT), 4, "the last marking")
    b.run("const s = document.getElementById('slider'); s.value = 2;"
          "s.dispatchEvent(new Event('input'))")
    equal(b.run("document.getElementById('where').textContent"), "2 / 4")
    equal(b.run("document.querySelectorAll('.transition.now').length"), 1,
          "transitions highlighted")
    equal(b.run("document.querySelectorAll('.place.changed').length"), 3,
          "places changed")
    assert b.run("document.querySelector('[role=status]').textContent"
                 ).startswith("Step 2 "), "the step is told"
    quiet(b)


def test_space(b):
    b.open("dinner.html")
    b.run("document.querySelector('select[aria-label=Speed]').value = '100';"
          "document.querySelector('select[aria-label=Speed]')"
          ".dispatchEvent(new Event('change'))")
    b.key(" ", "Space")
    until(b, AT + " === 4", "the run is played")
    until(b, "document.getElementById('play').title === 'Play (space)'",
          "and ends")
    quiet(b)


def until(b, condition, what, seconds=30):
    end = time.monotonic() + seconds
    while not b.run(condition):
        assert time.monotonic() < end, what
        time.sleep(0.05)


def games(model, *words):
    """A page of a random walk, and the markings along it."""
    def game(*more):
        return json.loads(tideline("simulate", model, "-q", "--json",
                                   "--labels", "id", *words, *more))
    walk = ("-c", "random 12")
    length = game(*walk, "--html", "game.html")["steps"]
    return [game(*walk, "-c", f"to {i}")["marking"]
            for i in range(length + 1)]


def test_coloured(b):
    net = example("dbm.lna", "dbm", "3", "--format", "lna")
    for words in ((), ("--no-unfold",)):
        markings = games(net, *words)
        b.open("game.html")
        equal(len(markings), 13)
        play_through(b, markings)
        equal(b.run("document.querySelectorAll('.net g.place').length"), 7)
        quiet(b)


def test_loop(b):
    with open("ring.net", "w") as f:
        f.write("net ring\npl s (1)\ntr in s -> p\ntr go p -> q\ntr on q -> p\n")
    report = json.loads(tideline("check", "ring.net", "one-safe", "A F G p = 1",
                                 "--json", "--markings", "all", "--html",
                                 "loop.html"))
    trace = report["properties"][1]["trace"]
    equal(trace["kind"], "lasso")
    b.open("loop.html")
    b.run("document.querySelectorAll('#questions button')[1].click()")
    b.key("End")
    length, first = len(trace["transitions"]), trace["loop_from"]
    equal(b.run(AT), length)
    equal(b.run(READ), trace["markings"][first], "the loop is closed")
    assert b.run("document.querySelector('.badge').textContent"
                 ) == f"and again from step {first}"
    assert b.run("getComputedStyle(document.querySelector('.loop')).display"
                 ) == "block"
    click(b, "next")
    equal(b.run(AT), first + 1, "after the end the loop goes on")
    equal(b.run(READ), trace["markings"][first + 1])
    quiet(b)


def test_unbounded(b):
    with open("grows.net", "w") as f:
        f.write("net grows\npl p (1)\ntr t p -> p q\n")
    report = json.loads(tideline("explore", "grows.net", "--json", "--markings",
                                 "all", "--html", "grows.html", codes=(3,)))
    b.open("grows.html")
    b.key("End")
    equal(b.run(READ), report["unbounded_trace"]["markings"][-1])
    assert "repeated for ever" in b.run(
        "document.querySelector('.badge').textContent")
    quiet(b)


# ---- Large pages -----------------------------------------------------------

def test_many_places(b):
    net = example("many.pnml", "philosophers", "2500")
    report = json.loads(tideline("check", net, "EF eating_1 + eating_7 = 2",
                                 "--json", "--markings", "all", "--html",
                                 "many.html"))
    seconds = b.open("many.html")
    print(f"# a page with 10,000 places: {seconds:.2f} s,"
          f" {os.path.getsize('many.html') / 1e6:.1f} MB")
    assert seconds < 10, f"{seconds} s"
    equal(report["net"]["places"], 10000)
    assert b.run("document.querySelectorAll('*').length") < 2500, "elements"
    b.key("End")
    markings = report["properties"][0]["trace"]["markings"]
    equal(b.run(READ), markings[-1])
    # A node that is not drawn is found by its name.
    begin = time.monotonic()
    b.run("const f = document.querySelector('.search input');"
          "f.value = 'eating_2222'; f.dispatchEvent(new Event('input'))")
    equal(b.run("document.querySelectorAll('.found button').length"), 1)
    b.run("document.querySelector('.found button').click()")
    equal(b.run("document.querySelector('.sought title').textContent"),
          "eating_2222")
    assert time.monotonic() - begin < 5, "search"
    b.run("const w = document.querySelector('[aria-label=\"Which places\"]');"
          "w.value = 'all'; w.dispatchEvent(new Event('change'))")
    equal(b.run("document.getElementById('marking')"
                ".getAttribute('aria-rowcount')"), "10000")
    quiet(b)


def test_many_steps(b):
    net = example("kanban3.pnml", "kanban", "3")
    walk = ("simulate", net, "-q", "--json", "--seed", "3", "-c",
            "random 100000")
    last = json.loads(tideline(*walk, "--html", "walk.html"))
    equal(last["steps"], 100000)
    seconds = b.open("walk.html")
    print(f"# a run of 100,000 steps: {seconds:.2f} s,"
          f" {os.path.getsize('walk.html') / 1e6:.1f} MB")
    assert seconds < 20, f"{seconds} s"
    b.key("End")
    equal(b.run(AT), 100000)
    equal(b.run(READ), last["marking"])
    b.run("const s = document.getElementById('slider'); s.value = 50000;"
          "s.dispatchEvent(new Event('input'))")
    equal(b.run(READ),
          json.loads(tideline(*walk, "-c", "to 50000"))["marking"])
    b.run("const v = document.querySelector('select[aria-label=Speed]');"
          "v.value = '5000'; v.dispatchEvent(new Event('change'));"
          "document.getElementById('slider').value = 95000;"
          "document.getElementById('slider').dispatchEvent(new Event('input'))")
    click(b, "play")
    until(b, AT + " === 100000", "it is played to the end", 60)
    equal(b.run(READ), last["marking"])
    assert b.run("document.querySelectorAll('*').length") < 2500, "elements"
    quiet(b)


# ---- Hostile names ---------------------------------------------------------

HOSTILE = [
    "</script><script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 2'>",
    "\"><svg onload=\"window.ran = 3\">",
    "'; window.ran = 4; '",
    "javascript:window.ran=5",
    "<!--<script>",
    "]]>&lt;b&gt;&amp;",
    "${window.ran = 6}`",
    "\u202egnitirw fo noitcerid\u202c \u200f\u2067",
    "\u2028line\u2029\u0085next\u009b31m",
    "__proto__", "constructor", "toString",
    "{{constructor.constructor('window.ran = 7')()}}",
    "http://localhost:9/picture.png",
    "x" * 65000, # longer ones are not read
    "\u00e4\u20ac\U0001f600",
]


def hostile_net(path, ids):
    """A chain of places; the names are hostile, or the ids as well."""
    def text(s):
        return (s.replace("&", "&amp;").replace("<", "&lt;")
                .replace(">", "&gt;").replace('"', "&quot;"))
    nodes, arcs = [], []
    place = [text(n) if ids else f"p{i}" for i, n in enumerate(HOSTILE)]
    step = [text("t" + n) if ids else f"t{i}" for i, n in enumerate(HOSTILE)]
    for i, name in enumerate(HOSTILE):
        nodes.append(
            f'<place id="{place[i]}"><name><text>{text(name)}</text></name>'
            f"<initialMarking><text>{int(i == 0)}</text></initialMarking>"
            "</place>")
        if i:
            nodes.append(f'<transition id="{step[i]}"><name><text>'
                         f"{text('fire ' + name)}</text></name></transition>")
            arcs.append(f'<arc id="a{i}" source="{place[i - 1]}" '
                        f'target="{step[i]}"/>')
            arcs.append(f'<arc id="b{i}" source="{step[i]}" '
                        f'target="{place[i]}"/>')
    with open(path, "w", encoding="utf-8") as f:
        f.write('<?xml version="1.0"?><pnml xmlns="http://www.pnml.org/'
                'version-2009/grammar/pnml"><net id="&lt;script&gt;'
                'window.ran=8&lt;/script&gt;" type="http://www.pnml.org/'
                'version-2009/grammar/ptnet"><page id="g">' + "".join(nodes) +
                "".join(arcs) + "</page></net></pnml>")


def test_hostile(b):
    for ids in (False, True):
        hostile_net("hostile.pnml", ids)
        tideline("check", "hostile.pnml", "deadlock", "one-safe", "bounds",
                 "--html", "hostile.html")
        seconds = b.open("hostile.html")
        assert seconds < 15, f"{seconds} s"
        for _ in HOSTILE:
            b.key("ArrowRight")
        equal(b.run(AT), len(HOSTILE) - 1, "steps")
        b.run("for (const e of document.querySelectorAll('#questions button'))"
              "{ e.click(); e.focus(); }")
        b.run("const f = document.querySelector('.search input');"
              "f.value = 'script'; f.dispatchEvent(new Event('input'))")
        b.run("for (const e of document.querySelectorAll('.found button'))"
              "e.click()")
        click(b, "last")
        equal(b.run("typeof window.ran"), "undefined", "something ran")
        equal(b.run("document.querySelectorAll('script').length"), 2)
        equal(b.run("document.querySelectorAll('img, iframe, link, object,"
                    " embed, a, form').length"), 0)
        equal(b.run("/[\\u202a-\\u202e\\u2066-\\u2069\\u200f\\u0080-\\u009f]/"
                    ".test(document.querySelector('main').innerText)"), False,
              "characters that turn the text")
        equal(b.run("document.querySelectorAll('.net g.place').length"),
              len(HOSTILE))
        assert b.run("Math.max(...[...document.querySelectorAll('main *')]"
                     ".filter(e => !e.children.length)"
                     ".map(e => e.textContent.length))") < 1000, "long texts"
        quiet(b)


def test_longest_name(b):
    """A name of a megabyte is shown in part; an id of that length is refused."""
    with open("long.pnml", "w") as f:
        name = "<script>window.ran = 1</script>" * 33000
        f.write('<pnml><net id="n" type="http://www.pnml.org/version-2009/'
                'grammar/ptnet"><page id="g"><place id="p"><name><text>' +
                name.replace("<", "&lt;") + "</text></name><initialMarking>"
                "<text>1</text></initialMarking></place><transition id='t'/>"
                "<arc id='a' source='p' target='t'/></page></net></pnml>")
    tideline("check", "long.pnml", "deadlock", "--html", "long.html")
    assert b.open("long.html") < 15
    click(b, "last")
    equal(b.run(AT), 1, "steps")
    equal(b.run("typeof window.ran"), "undefined", "something ran")
    assert b.run("document.querySelector('main').innerText.length") < 20000
    quiet(b)
    with open("long.net", "w") as f:
        f.write("net x\npl " + "x" * 1000000 + " (1)\n")
    tideline("check", "long.net", "deadlock", "--html", "refused.html",
             codes=(2,))
    equal(os.path.exists("refused.html"), False)


def test_policy(b):
    """What would get into the page in spite of all that does nothing."""
    b.open("dinner.html")
    b.run("document.body.insertAdjacentHTML('beforeend',"
          "'<img src=x onerror=\"window.ran = 1\">"
          "<img src=\"http://localhost:9/x.png\">"
          "<iframe srcdoc=\"<script>parent.ran = 1</script>\"></iframe>"
          "<div style=\"color: red\" id=styled></div>')")
    b.run("const s = document.createElement('script');"
          "s.textContent = 'window.ran = 2'; document.body.append(s)")
    b.run("fetch('http://localhost:9/').catch(() => 0)")
    time.sleep(0.3)
    equal(b.run("typeof window.ran"), "undefined", "something ran")
    equal(b.run("getComputedStyle(document.getElementById('styled')).color ==="
                "getComputedStyle(document.body).color"), True, "style")
    sent = [e for e in b.events if e["method"] == "Network.responseReceived"
            and e["params"]["response"]["url"].startswith("http")]
    equal(sent, [], "network")


# ---- Other parts of pages --------------------------------------------------

def test_graph(b):
    tideline("graph", "dinner.pnml", "-q", "--html", "graph.html")
    states = json.loads(tideline("graph", "dinner.pnml", "--json"))["states"]
    b.open("graph.html")
    equal(b.run("document.querySelectorAll('.state').length"), states)
    equal(b.run("document.querySelectorAll('.state.dead').length"), 1)
    equal(b.run("document.querySelectorAll('.state.initial').length"), 1)
    dead = b.run("document.querySelector('.state.dead').textContent")
    b.run("document.querySelector('.state.dead').dispatchEvent("
          "new MouseEvent('click', {bubbles: true}))")
    known = json.loads(tideline("graph", "dinner.pnml", "--json", "--state",
                                dead))
    equal(b.run("[...document.querySelectorAll('.detail .marking bdi')]"
                ".map(e => e.textContent)"), list(known["marking"]))
    assert "dead state" in b.run("document.querySelector('.detail')"
                                 ".textContent")
    quiet(b)


def test_sweep(b):
    net = example("kanban.pnml", "kanban", "2")
    report = json.loads(tideline("explore", net, "--order", "sweep",
                                 "--progress", "done_4", "--json", "--html",
                                 "kanban.html"))
    b.open("kanban.html")
    assert b.run("document.querySelector('img.plot').naturalWidth") > 100
    used = [m for m in report["memory"].values() if m["used"] or m["would_be"]]
    equal(b.run("document.querySelectorAll('.memory .used').length"),
          len(used), "bars")
    equal(b.run("document.querySelectorAll('.net g.place').length"), 16)
    quiet(b)


def test_own_layout(b):
    """Without Graphviz: no two nodes lie on each other."""
    done = subprocess.run([os.path.abspath(TIDELINE), "check", "dinner.pnml",
                           "deadlock", "-q", "--html", "own.html"],
                          env={**os.environ, "PATH": "/nowhere"},
                          stdout=subprocess.DEVNULL)
    equal(done.returncode, 0)
    b.open("own.html")
    equal(b.run("document.querySelectorAll('.net g.place').length"), 16)
    equal(b.run("""(() => {
      const box = [...document.querySelectorAll('.net .body')].map(
        e => e.getBoundingClientRect());
      return box.filter((a, i) => box.some((c, k) => k > i &&
        a.left < c.right && c.left < a.right &&
        a.top < c.bottom && c.top < a.bottom)).length;
    })()"""), 0, "nodes that lie on others")
    quiet(b)


def test_reach(b):
    """Keyboard, screen readers, colours, paper."""
    b.open("dinner.html")
    equal(b.run("""[...document.querySelectorAll('button, input, select, svg')]
      .filter(e => !e.getAttribute('aria-label') && !e.closest('[aria-hidden]')
                   && !e.textContent.trim()).length"""), 0, "without a name")
    equal(b.run("[document.documentElement.lang, document.title]"),
          ["en", "dinner \u00b7 Tideline"])
    colours = []
    for scheme in ("light", "dark"):
        b.prefer(scheme, 1280, 900)
        colours.append(b.run("getComputedStyle(document.body)"
                             ".backgroundColor"))
    assert colours[0] != colours[1], colours
    b.prefer("light", 360, 700)
    assert b.run("document.documentElement.scrollWidth") <= 360, "too wide"
    b.call("Emulation.setEmulatedMedia", media="print")
    equal(b.run("getComputedStyle(document.querySelector('.controls'))"
                ".display"), "none", "controls on paper")
    b.call("Emulation.setEmulatedMedia", media="")
    b.prefer("light", 1280, 900)
    quiet(b)


def main():
    if not program():
        print("ok - browser # SKIP no browser is installed and none could be:"
              " apt-get install chromium")
        return 0
    try:
        browser = Browser()
    except Exception as reason:
        print("ok - browser # SKIP", program(), "does not start here:", reason)
        return 0
    tests = [(n, f) for n, f in globals().items() if n.startswith("test_")]
    wanted = sys.argv[1:]
    failed = 0
    with tempfile.TemporaryDirectory() as folder, browser as b:
        os.chdir(folder)
        example("dinner.pnml", "philosophers", "4")
        tideline("check", "dinner.pnml", "deadlock", "--html", "dinner.html")
        for name, test in tests:
            if wanted and name not in wanted:
                continue
            try:
                test(b)
                print(f"ok - browser: {name[5:]}", flush=True)
            except Exception:  # whatever it is, it is told
                failed += 1
                for line in traceback.format_exc().splitlines()[-6:]:
                    print("# " + line)
                print(f"not ok - browser: {name[5:]}", flush=True)
    return 1 if failed else 0


sys.exit(main())
