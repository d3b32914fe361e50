"""A net that can get stuck: see why, mend it, and prove that it is mended."""

import tideline


def lockers(ordered: bool) -> tideline.Net:
    """Two processes that need the same two locks."""
    build = tideline.Net.build("lockers").place("lock_a", 1).place("lock_b", 1)
    for process in (1, 2):
        first, second = ("a", "b") if ordered or process == 1 else ("b", "a")
        idle, waits, works = f"idle_{process}", f"waits_{process}", f"works_{process}"
        build.place(idle, 1).place(waits).place(works)
        build.transition(f"first_{process}", [idle, f"lock_{first}"], [waits])
        build.transition(f"second_{process}", [waits, f"lock_{second}"], [works])
        build.transition(f"done_{process}", [works], [idle, "lock_a", "lock_b"])
    return build.finish()


answer = lockers(ordered=False).check("deadlock")[0]
print("can get stuck:", answer.verdict)
for step, marking in zip(answer.trace, answer.trace.markings[1:]):
    print(f"  {step:8} -> {', '.join(sorted(marking))}")

mended = lockers(ordered=True)
free, safe = mended.check("deadlock-free", "AG works_1 + works_2 <= 1")
print("mended:", free.verdict and safe.verdict)
