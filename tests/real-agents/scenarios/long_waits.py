"""Waits that last longer than a host lets a command run by default, as the guide of the host says. First, since they take longest."""

import re

from apis import Call, Conversation, Say, Shell
from programs import read, write
from scenario import scenario, steps

ID = "11111111-1111-4111-8111-11111111{:04d}"


def opened(world, place, number: int) -> str:
    """A debate in which the other side stays silent."""
    debate = ID.format(number)
    world.data(place, "debate", "create", "--debate-id", debate, "--title", "Silence", "--debate-type", "general_debate", "--content", "Shall we?")
    return debate


def wait(debate: str, seconds: int) -> str:
    return f"aw debate wait --debate-id {debate} --role proposer --argument-id '#1' --format markdown --timeout {seconds}"


def ended_by_itself(output: str) -> bool:
    return "Nothing new" in output and "Ended by SIG" not in output


@scenario("gemini", name="gemini, a long wait")
def gemini_waits(world, check):
    agent = world.agent("gemini", None)
    debate = opened(world, agent.place, 1)
    # Half of its 300 s without output, so that it shows in half the time.
    settings = agent.place.home / ".gemini/settings.json"
    write(settings, read(settings) | {"tools": {"shell": {"inactivityTimeout": 130}}})
    agent.session.script = steps(Shell(wait(debate, 150)))
    ended = agent.run("go", seconds=240)
    check("what aw prints meanwhile keeps a wait of 150 s alive, where 130 s without output end it", ended_by_itself(ended.last.output), ended.told())


@scenario("claude-code", name="claude-code, a long wait")
def claude_code_waits(world, check):
    agent = world.agent("claude-code", None)
    debate = opened(world, agent.place, 2)
    short = {"BASH_DEFAULT_TIMEOUT_MS": "5000"}
    agent.session.script = steps(Shell(wait(debate, 15)))
    ended = agent.run("go", seconds=90, **short)
    check("a wait beyond the tool's default limit does not answer", not ended_by_itself(ended.outputs[0]), ended.told())
    agent.session.script = steps(Shell(wait(debate, 15), seconds=600))
    ended = agent.run("go", seconds=90, **short)
    check("with the tool's own timeout it goes to its end in the foreground, in -p", ended_by_itself(ended.outputs[0]), ended.told())


@scenario("codex", name="codex, a long wait")
def codex_waits(world, check):
    agent = world.agent("codex", None)
    debate = opened(world, agent.place, 3)
    agent.setup("--user")

    def polls(conversation: Conversation):
        if not conversation.calls:
            return Shell(wait(debate, 45))
        session = re.search(r"session ID (\d+)", conversation.output)
        return Call("write_stdin", {"session_id": int(session.group(1)), "yield_time_ms": 300000}) if session else Say("Done")

    agent.session.script = polls
    ended = agent.run("go", seconds=120)
    check("its call returns before the wait ends", "session ID" in ended.outputs[0], ended.told())
    check("polled once with yield_time_ms 300000 it answers", ended_by_itself(ended.last.output) and len(ended.outputs) == 2, ended.told())


@scenario("opencode", name="opencode, a long wait")
def opencode_waits(world, check):
    agent = world.agent("opencode", None)
    debate = opened(world, agent.place, 4)
    short = {"OPENCODE_EXPERIMENTAL_BASH_DEFAULT_TIMEOUT_MS": "5000"}
    agent.session.script = steps(Shell(wait(debate, 15)))
    ended = agent.run("go", seconds=90, **short)
    check("a wait beyond the tool's default limit does not answer", not ended_by_itself(ended.last.output), ended.told())
    agent.session.script = steps(Shell(wait(debate, 15), seconds=1860))
    ended = agent.run("go", seconds=90, **short)
    check("with the tool's own timeout it goes to its end", ended_by_itself(ended.last.output), ended.told())


@scenario("copilot", name="copilot, a long wait")
def copilot_waits(world, check):
    agent = world.agent("copilot", None)
    debate = opened(world, agent.place, 5)
    agent.session.script = steps(Shell(wait(debate, 40), seconds=600))
    ended = agent.run("go", seconds=120)
    check("with an initial_wait of 600 a wait of 40 s goes to its end, where 30 s are the default", ended_by_itself(ended.outputs[0]), ended.told())
