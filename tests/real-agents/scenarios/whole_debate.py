"""A whole debate: codex proposes, claude-code opposes, a person rules on an appeal and on the request to finish."""

import re

from apis import Call, Conversation, Say, Shell
from scenario import scenario
from world import Failed

ID = "44444444-4444-4444-8444-444444440001"


def next_command(output: str) -> str:
    found = re.findall(r"Next:\s+```\n(.*?)\n```", output, re.S)
    if not found:
        raise ValueError("no next command in: " + output)
    return found[-1]


def side(*moves: str):
    """A side that makes its moves in turn, and between them runs the command that `aw` prints as the next one."""

    def script(conversation: Conversation):
        output, commands = conversation.output, [call.arguments.get("command") or call.arguments.get("cmd") for call in conversation.calls]
        if session := re.search(r"session ID (\d+)", output):
            return Call("write_stdin", {"session_id": int(session.group(1)), "yield_time_ms": 300000})
        if "debate_closed" in output:
            return Say("The debate is closed.")
        made = [command for command in commands if command in moves]
        is_its_turn = not commands or "**respond**" in output or "**align_to_ruling**" in output
        if is_its_turn:
            return Shell(moves[len(made)])
        return Shell(next_command(output), seconds=600 if "Bash" in conversation.tools else None)

    return script


def by_content(verb: str, text: str, options: str = "") -> str:
    return f"aw debate {verb} --debate-id {ID} {options} --content '{text}' --format markdown"


def by_heredoc(verb: str, text: str, options: str = "") -> str:
    return f"aw debate {verb} --debate-id {ID} {options} --stdin --format markdown <<'EOF'\n{text}\nEOF"


@scenario("codex", "claude-code", name="codex against claude-code")
def a_whole_debate(world, check):
    proposer = world.agent(
        "codex",
        side(
            by_content("create", "# Plan\n\nKeep the price list in memory for 60 s.", "--title 'Cache the price list' --debate-type coding_plan_debate"),
            by_content("submit", "A test names the 60 s now. One point stays disputed.", "--role proposer --target-id '#2' --fix I2 --dispute 'I1: 60 s was agreed'"),
            by_content("appeal", "How stale may a price be?", "--target-id '#4' --refer I1 --option '60 s: as planned' --option 'never: invalidate on change'"),
            by_content("submit", "As ruled: invalidated on change.", "--role proposer --target-id '#6' --fix I1"),
            by_content("request-completion", "Settled: invalidate on change.", "--target-id '#8'"),
        ),
    )
    opponent = world.agent(
        "claude-code",
        side(
            f"aw debate wait --debate-id {ID} --role opponent --until-opened --timeout 120 --format markdown",
            by_heredoc("submit", "A price that changed is wrong for up to 60 s.", "--role opponent --target-id '#1' --raise 'high: A price may be 60 s old @ plan' --raise 'low: No test names the 60 s'"),
            by_heredoc("submit", "`I1` stands; ask for a ruling.", "--role opponent --target-id '#3' --resolve I2"),
            by_heredoc("submit", "Nothing is open, the final reading is done.", "--role opponent --target-id '#7' --resolve I1"),
        ),
    )
    proposer.setup("--user")
    opponent.setup("--user")
    running = [proposer.begin("$aweave-debate-proposer go"), opponent.begin(f"/aweave-debate-opponent {ID}")]
    try:
        place = world.place()
        waiting = ["debate", "wait", "--debate-id", ID, "--role", "arbitrator", "--until-opened", "--timeout", "100"]
        due = world.data(place, *waiting)
        check("the appeal reaches the arbitrator", due.get("action") == "rule", str(due))
        world.data(place, "debate", "ruling", "--debate-id", ID, "--choose", "1", "--uphold", "I1", "--content", "Never stale.")
        due = world.data(place, *waiting)
        check("so does the request to finish", due.get("action") == "rule" and due["debate_state"] == "AWAITING_ARBITRATOR", str(due))
        world.data(place, "debate", "ruling", "--debate-id", ID, "--close", "--content", "Agreed.")
    except Failed as failure:
        told = "\n".join(one.wait(5).told() for one in running)
        raise Failed(f"{failure}\n{told}") from failure
    ended = [one.wait(90) for one in running]
    for name, one in zip(("codex", "claude-code"), ended):
        check(f"{name} sees that it is closed, and ends", one.status == 0 and "debate_closed" in one.last.output and not one.errors, one.told())
    waits = [[str(call.arguments) for call in one.last.calls if "debate wait" in str(call.arguments)] for one in ended]
    check("codex waits as printed, with --timeout 1800", all("--timeout 1800" in wait for wait in waits[0]) and waits[0], str(waits[0]))
    check("claude-code waits as printed, with --timeout 570", all("--timeout 570" in wait for wait in waits[1][1:]) and waits[1][1:], str(waits[1]))
    kinds = [one["type"] for one in world.data(place, "debate", "get-context", "--debate-id", ID, "--limit", "20")["arguments"]]
    check("all ten arguments are there", len(kinds) >= 9 and "APPEAL" in kinds and "RESOLUTION" in kinds, str(kinds))

