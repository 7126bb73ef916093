"""What a scenario is, and how all of them are run.

    @scenario("codex", "claude-code")
    def a_debate_of_two(world, check):
        agent = world.agent("codex", steps(Shell("aw doctor")))
        agent.setup("--user")
        ended = agent.run("prompt")
        check("what holds", ended.status == 0, ended.told())

names the programs it needs; it is left out, and that is said, where one of them could not be had. `check` prints a line for each check.
A script is a function from a `Conversation` to `Say`, `Call`, `Shell` or `Refuse` (see `apis.py`); `steps` makes one from a list. Several
programs may share a home: `world.agent(name, script, place)`, and `world.aw(place, …, **agent.variables)` runs `aw` so that it can start them.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from apis import Conversation, Say
from world import Failed, World

# How many scenarios run at once: most of them wait most of the time.
AT_ONCE = 4

SCENARIOS: list[tuple[str, tuple[str, ...], Callable]] = []


def scenario(*programs: str, name: str | None = None):
    """Marks a function as a scenario that needs these programs."""

    def mark(function: Callable):
        SCENARIOS.append((name or function.__name__.replace("_", " "), programs, function))
        return function

    return mark


def steps(*answers):
    """A script of answers, one after each call; a function as an answer gets the conversation. Then it says that it is done."""

    def script(conversation: Conversation):
        done = len(conversation.calls)
        answer = answers[done] if done < len(answers) else Say("Done")
        return answer(conversation) if callable(answer) else answer

    return script


class Check:
    """Prints a line for each check of a scenario, and counts those that failed."""

    lock = threading.Lock()

    def __init__(self, name: str):
        self.name = name
        self.passed = self.failed = 0
        self.started = time.monotonic()

    def __call__(self, promise: str, holds: bool, found: str = ""):
        seconds = time.monotonic() - self.started
        self.started = time.monotonic()
        self.passed += bool(holds)
        self.failed += not holds
        with self.lock:
            print(f"{'ok' if holds else 'FAILED':<9} {self.name}: {promise} ({seconds:.1f} s)", flush=True)
            if not holds:
                print("          " + found.replace("\n", "\n          "), flush=True)


def run(world: World, name: str, function: Callable) -> Check:
    check = Check(name)
    try:
        function(world, check)
    except Failed as failure:
        check("the scenario goes to its end", False, str(failure))
    except Exception:
        check("the scenario goes to its end", False, traceback.format_exc())
    return check


def run_all(world: World, wanted: list[str]) -> int:
    """Runs the scenarios whose names contain one of the wanted words, or all; 1 if a check failed."""
    skipped, chosen = 0, []
    for name, programs, function in SCENARIOS:
        if wanted and not any(word in name for word in wanted):
            continue
        if missing := [program for program in programs if program not in world.installed]:
            skipped += 1
            print(f"left out  {name}: without {', '.join(missing)}", flush=True)
        else:
            chosen.append((name, function))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        checks = list(pool.map(lambda one: run(world, *one), chosen))
    passed, failed = sum(check.passed for check in checks), sum(check.failed for check in checks)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0
