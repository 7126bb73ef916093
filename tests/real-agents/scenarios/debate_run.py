"""`aw debate run` starts codex and claude-code: a whole run, its limits, and what it does when a program fails or oversteps."""

import json
import re
import subprocess
import time

from apis import Call, Conversation, Refuse, Say, Shell
from programs import read, write
from scenario import scenario
from world import Place

# The programs start no answer of theirs again within these checks.
USUAL = ["--retry-seconds", "0", "--task", "Cache the price list"]


def answer(conversation: Conversation, content: str, **fields):
    """The answer in the form that the program asks for: claude-code by a tool, codex as its last message."""
    names = ["move", "content", "issue_changes", "options", "close", "chosen_option", "notes", "decisions"]
    whole = dict.fromkeys(names) | {"content": content} | fields
    if "StructuredOutput" not in conversation.tools:
        return Say(json.dumps(whole))
    return Say("Done.") if any(call.name == "StructuredOutput" for call in conversation.calls) else Call("StructuredOutput", whole)


def change(name: str, issue: str | None = None, **fields) -> dict:
    return dict.fromkeys(["severity", "title", "location", "note"]) | {"change": name, "issue": issue} | fields


def proposer(conversation: Conversation):
    """Writes a plan, appeals, and does what is ruled."""
    asked = "\n".join(conversation.user)
    if "You open the debate" in asked:
        if not conversation.calls:
            return Shell("printf '# Cache the price list\\n\\nFor 60 s.\\n' > plan.md")
        return answer(conversation, "It saves two thirds of the time.")
    if "(RULING)" in asked:
        if not conversation.calls:
            return Shell("echo 'Never stale: invalidated on change.' >> plan.md")
        return answer(conversation, "As ruled.", issue_changes=[change("fix", "I1"), change("fix", "I2")])
    options = [{"label": label, "detail": None, "free_form": None} for label in ("60 s", "Never")]
    return answer(conversation, "How stale may it be?", move="appeal", options=options, issue_changes=[change("refer", "I1")])


def folder_of(conversation: Conversation) -> str:
    """The folder that was made for the start, which the program names."""
    named = re.findall(r"[^\s\"'`<>]*/aw-run-\w+", conversation.system + "\n".join(conversation.user))
    return next(path for path in named if "/.gemini/" not in path)


def look(conversation: Conversation):
    """Reads the plan: who looked at nothing has not reviewed."""
    if "Read" in conversation.tools:
        return Call("Read", {"file_path": "plan.md"})
    return Shell("cat plan.md")


def opponent(conversation: Conversation):
    """Raises two issues, and settles what is fixed. Reads the plan afresh, too."""
    if not conversation.calls:
        return look(conversation)
    asked = "\n".join(conversation.user)
    if "the task, as the user gave it" not in asked:
        return answer(conversation, "found-by-the-reader")
    if "your own last" in asked:
        return answer(conversation, "Nothing is open, the final reading is done.", issue_changes=[change("resolve", "I1"), change("resolve", "I2")])
    raised = [change("raise", severity="high", title="A price may be 60 s old"), change("raise", severity="low", title="No test")]
    return answer(conversation, "Two faults.", issue_changes=raised)


def players(world, first=proposer, second=opponent, programs=("codex", "claude-code")):
    """Two programs in one home, and the variables that both need."""
    place = world.place()
    agents = [world.agent(name, script, place) for name, script in zip(programs, (first, second))]
    variables = agents[0].variables | agents[1].variables
    return place, agents, variables


def data(document: dict) -> dict:
    return document["content"][0]["data"]


def code(document: dict) -> str:
    return document.get("error", {}).get("code", "")


@scenario("codex", "claude-code", name="a run of codex and claude-code")
def a_whole_run(world, check):
    place, agents, variables = players(world)
    doctor = world.aw(place, "doctor", **variables)
    found = next(one["detail"] for one in data(doctor)["checks"] if one["name"] == "agents")
    check("doctor finds both, logged in", len(re.findall(r"\d+\.\d+\.\d+[^;]*, logged in", found)) == 2, found)
    due = world.aw(place, "debate", "run", *USUAL, "--proposer", "codex", "--opponent", "claude-code", seconds=300, **variables)
    check("the appeal waits for a person", code(due) == "RULING_DUE", str(due))
    debate = data(due)["debate_id"]
    world.data(place, "debate", "ruling", "--debate-id", debate, "--choose", "1", "--uphold", "I1", "--content", "Never stale.")
    closed = world.aw(place, "debate", "run", "--debate-id", debate, "--output", "better.md", "--record", "record.md", seconds=300, **variables)
    check("it goes on after the ruling until it is closed", closed["success"] and data(closed)["debate_state"] == "CLOSED", str(closed))
    check("codex wrote the plan in its folder", (place.project / "better.md").read_text().endswith("Never stale: invalidated on change.\n"))
    statuses = [issue["status"] for issue in data(closed)["issues"]]
    check("both issues are settled", statuses == ["resolved", "resolved"], str(closed))
    rows = {(one["role"], one["program"], one["purpose"]): one for one in data(closed)["agents"]}
    expected = {("proposer", "codex", "turn"), ("opponent", "claude-code", "turn"), ("opponent", "claude-code", "reading")}
    check("the record says who was started for what", set(rows) == expected, str(rows))
    check("with tokens of both", all(row.get("input_tokens", 0) >= 1000 and row.get("output_tokens", 0) >= 50 for row in rows.values()), str(rows))
    check("and the cost of claude-code", rows[("opponent", "claude-code", "turn")].get("cost_microusd", 0) > 0, str(rows))
    reading = [one for one in agents[1].session.asked if "the task, as the user gave it" not in "\n".join(one.user)]
    told = "\n".join(reading[-1].user) if reading else ""
    check("the reader gets the plan's place and nothing of the debate", "plan.md" in told and "60 s old" not in told and debate not in told, told)
    second = [one for one in agents[1].session.asked if "your own last" in "\n".join(one.user)]
    check("the opponent gets what the reader found", "found-by-the-reader" in "\n".join(second[-1].user))
    errors = agents[0].session.errors + agents[1].session.errors
    check("the scripts made no error", not errors, "\n".join(errors))


@scenario("codex", "claude-code", name="limits of a run")
def limits(world, check):
    place, _, variables = players(world)
    words = ["debate", "run", *USUAL, "--proposer", "codex", "--opponent", "claude-code"]
    reached = world.aw(place, *words, "--max-tokens", "900", seconds=200, **variables)
    check("tokens of both programs count", code(reached) == "LIMIT_REACHED" and "tokens" in reached["error"]["message"], str(reached))
    refused = world.aw(place, *words, "--max-cost", "1", **variables)
    check("--max-cost is refused with codex", code(refused) == "INVALID_INPUT" and "codex" in refused["error"]["message"], str(refused))
    place, _, variables = players(world, programs=("claude-code", "claude-code"))
    plan = place.project / "plan.md"
    plan.write_text("# Cache\n\nFor 60 s.\n")
    words = ["debate", "run", "plan.md", "--retry-seconds", "0", "--proposer", "claude-code", "--opponent", "claude-code"]
    reached = world.aw(place, *words, "--max-cost", "0.0001", seconds=200, **variables)
    check("claude-code ends at what is left of --max-cost, or the run does before the next start", code(reached) == "LIMIT_REACHED", str(reached))


def failing(world, check, name: str):
    """The program as the opponent, failing in each way once."""

    def run(script, *more: str):
        programs = ("codex", name) if name != "codex" else ("claude-code", name)
        place, agents, variables = players(world, second=script, programs=programs)
        (place.project / "plan.md").write_text("# Cache\n\nFor 60 s.\n")
        began = time.monotonic()
        words = ["debate", "run", "plan.md", "--retry-seconds", "0", "--proposer", programs[0], "--opponent", name, *more]
        # By default claude-code asks again for minutes.
        document = world.aw(place, *words, seconds=200, CLAUDE_CODE_MAX_RETRIES="1", **variables)
        seconds = time.monotonic() - began
        left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        check("nothing that was started is left", str(place.home) not in left, left)
        return document, agents[1].session, seconds

    refused = {"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}}
    document, _, _ = run(lambda _: Refuse(401, json.dumps(refused)))
    told = document.get("error", {}).get("message", "")
    check("401 is AGENT_FAILED and says so", code(document) == "AGENT_FAILED" and ("401" in told or "Invalid API key" in told), str(document))
    usage = {
        "codex": Refuse(429, json.dumps({"error": {"type": "usage_limit_reached", "message": "The usage limit has been reached", "plan_type": "plus", "resets_at": 1900000000}})),
        "claude-code": Refuse(400, json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access the Anthropic API."}})),
    }
    document, _, _ = run(lambda _: usage[name])
    check("a usage limit is LIMIT_REACHED", code(document) == "LIMIT_REACHED", str(document))

    def slow(_):
        time.sleep(60)
        return Say("late")

    document, _, seconds = run(slow, "--turn-minutes", "0.25")
    check("one that takes too long is ended, once", code(document) == "AGENT_FAILED" and "too long" in document["error"]["message"] and seconds < 60, str(document))
    document, session, _ = run(lambda _: Say("There is nothing wrong with it."))
    check("garbage is AGENT_FAILED", code(document) == "AGENT_FAILED", str(document))
    prompts = {"\n".join(one.user) for one in session.asked}
    check("after it was told so", any("could not be taken" in prompt for prompt in prompts) or name == "claude-code", str(len(prompts)))


@scenario("codex", "claude-code", name="a run in which codex fails")
def codex_fails(world, check):
    failing(world, check, "codex")


@scenario("codex", "claude-code", name="a run in which claude-code fails")
def claude_code_fails(world, check):
    failing(world, check, "claude-code")


@scenario("codex", "claude-code", name="what programs of a run may write")
def what_they_may_write(world, check):
    for name, other in (("codex", "claude-code"), ("claude-code", "codex")):
        place = world.place()
        outside = place.home / "outside.txt"
        git = "git init -q && git -c user.name=a -c user.email=a@example.invalid commit -q --allow-empty -m one"
        world.give(place.home)
        made = world.spawn(["sh", "-c", git], place.project, world.environment(place.home))
        check("the code is a repository", made.wait() == 0, str(made.communicate()))
        attempts = [
            Shell(f"echo x > {place.project}/by-shell.txt"),
            Shell(f"echo x > {outside}"),
            Shell("echo x > own.txt; cat own.txt"),
            Shell("env | grep -c ^DEBATE_; echo role=$AW_ROLE"),
        ]
        if name == "claude-code":
            attempts += [Call("Write", {"file_path": f"{place.project}/by-write.txt", "content": "x"})]

        def script(conversation, attempts=attempts):
            made = [call for call in conversation.calls if call.name != "StructuredOutput"]
            return attempts[len(made)] if len(made) < len(attempts) else answer(conversation, "Nothing is wrong with it.")

        mine, others = world.agent(name, script, place), world.agent(other, proposer, place)
        plan = place.home / "plan.md"
        plan.write_text("# Cache\n\nFor 60 s.\n")
        words = ["debate", "run", str(plan), "--retry-seconds", "0", "--proposer", other, "--opponent", name, "--max-tokens", "2000"]
        document = world.aw(place, *words, seconds=300, **(mine.variables | others.variables))
        outputs = [(call.arguments, call.output[:600]) for one in mine.session.asked[-1:] for call in one.calls]
        files = sorted(path.name for path in place.project.iterdir())
        check(f"{name} writes nothing into the code", files == [".git"] and code(document) != "AGENT_FAILED", f"{files} {document} {outputs}")
        check(f"{name} writes nothing else of the user's", not outside.exists(), str(outputs))
        # Where what a sandbox needs is missing, it runs none.
        own = [call.output for one in mine.session.asked[-1:] for call in one.calls if "own.txt" in str(call.arguments)]
        print(f"seen      commands of {name} in its sandbox: {own[-1].strip()[-200:]!r}" if own else f"seen      no command of {name}", flush=True)
        told = "\n".join(call.output for one in mine.session.asked[-1:] for call in one.calls)
        check(f"{name} sees no settings of aw, where it runs commands", "role=" not in told or "0\nrole=opponent" in told, told)


# How each writes and edits a file, and the model under which it has these tools.
WRITES = {
    "gemini": lambda path, text: Call("write_file", {"file_path": path, "content": text}),
    "opencode": lambda path, text: Call("write", {"filePath": path, "content": text}),
    "copilot": lambda path, text: Call("create", {"path": path, "file_text": text}),
}
EDITS = {
    "gemini": lambda path, old, new: Call("replace", {"file_path": path, "old_string": old, "new_string": new, "instruction": "mend it"}),
    "opencode": lambda path, old, new: Call("edit", {"filePath": path, "oldString": old, "newString": new}),
    "copilot": lambda path, old, new: Call("edit", {"path": path, "old_str": old, "new_str": new}),
}
READS = {
    "gemini": lambda path: Call("read_file", {"file_path": path}),
    "opencode": lambda path: Call("read", {"filePath": path}),
    "copilot": lambda path: Call("view", {"path": path}),
}
MODELS = {"gemini": "gemini-2.5-pro", "opencode": "scripted/scripted", "copilot": "claude-sonnet-4.5"}


# How each is told that its user has no more of what may be used, in a way after which it does not ask again.
LIMITS = {
    "gemini": Refuse(429, json.dumps({"error": {
        "code": 429, "status": "RESOURCE_EXHAUSTED", "message": "You exceeded your current quota, please check your plan and billing details.",
        "details": [{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}]}],
    }})),
    "opencode": Refuse(402, json.dumps({"error": {"type": "insufficient_quota", "message": "You exceeded your current quota."}})),
    "copilot": Refuse(402, json.dumps({"error": {"code": "quota_exceeded", "message": "You have exceeded your monthly quota."}})),
}


def linked_home(place) -> str:
    """The home, reached by a link, as some systems have it."""
    link = place.home.with_name(f"{place.home.name}-link")
    link.symlink_to(place.home)
    return str(link)


def appeals_and_reaches_limit(world, check, name: str):
    """The program asks for a ruling, does what was ruled, and is told a usage limit at the end."""
    place = world.place()
    program = f"{name}:{MODELS[name]}"
    state = {"limit": False}

    def script(conversation: Conversation):
        asked = "\n".join(conversation.user)
        if state["limit"]:
            return LIMITS[name]
        if not conversation.calls:
            return READS[name](f"{folder_of(conversation)}/plan.md")
        if "You are the proposer" not in asked:
            raised = [change("raise", severity="high", title="A price may be 60 s old")]
            return answer(conversation, "One fault.", issue_changes=raised)
        options = [{"label": label, "detail": None, "free_form": None} for label in ("60 s", "Never")]
        return answer(conversation, "How stale may it be?", move="appeal", options=options, issue_changes=[change("refer", "I1")])

    agent = world.agent(name, script, place)
    plan = place.home / "plan.md"
    plan.write_text("# Cache the price list\n\nFor 60 s.\n")
    words = ["debate", "run", str(plan), "--retry-seconds", "0", "--proposer", program, "--opponent", program]
    due = world.aw(place, *words, seconds=300, **agent.variables)
    check("its appeal waits for a person", code(due) == "RULING_DUE", f"{due} {agent.session.errors}")
    debate = data(due)["debate_id"]
    world.data(place, "debate", "ruling", "--debate-id", debate, "--choose", "1", "--uphold", "I1", "--content", "Never stale.")
    state["limit"] = True
    reached = world.aw(place, "debate", "run", "--debate-id", debate, seconds=300, **agent.variables)
    check("a usage limit is LIMIT_REACHED", code(reached) == "LIMIT_REACHED", str(reached))
    check("nothing that was started is left", str(place.home) not in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout)


def plays_both_sides(world, check, name: str):
    """The program writes a plan, raises a fault, mends it and resolves it; it may write nothing into the code."""
    place = world.place()
    (place.project / "price.txt").write_text("a price\n")
    bad = place.project / "bad.txt"

    def script(conversation: Conversation):
        asked = "\n".join(conversation.user)
        made = len(conversation.calls)
        if "You are the proposer" in asked:
            written = f"{folder_of(conversation)}/plan.md"
            steps = [READS[name](written), WRITES[name](str(bad), "x"), EDITS[name](written, "For 60 s.", "Until it changes.")]
            return steps[made] if made < len(steps) else answer(conversation, "Fixed.", issue_changes=[change("fix", "I1")])
        if made == 0:
            return READS[name](str(place.project / "price.txt"))
        if "I1 high fixed" in asked:
            return answer(conversation, "Fixed.", issue_changes=[change("resolve", "I1")])
        raised = [change("raise", severity="high", title="A price may be 60 s old")]
        return answer(conversation, "One fault.", issue_changes=raised)

    agent = world.agent(name, script, place)
    plan = place.home / "plan.md"
    plan.write_text("# Cache the price list\n\nFor 60 s.\n")
    program = f"{name}:{MODELS[name]}"
    words = ["debate", "run", str(plan), "--quick", "--retry-seconds", "0", "--proposer", program, "--opponent", program]
    document = world.aw(place, *words, seconds=300, **agent.variables | {"HOME": linked_home(place)})
    outputs = [(call.name, call.output[:300]) for one in agent.session.asked for call in one.calls][-12:]
    check(f"{name} leads a debate to its end", document["success"] and data(document)["outcome"] == "agreed", f"{document} {outputs}")
    check(f"{name} edits the plan", document["success"] and data(document)["plan"]["version"] == 2, f"{document} {outputs}")
    check(f"{name} writes nothing into the code", not bad.exists(), str(outputs))
    rows = [row for row in data(document)["agents"] if row["program"] == name]
    opponent_row = next((row for row in rows if row["role"] == "opponent"), {})
    check("its calls are told", opponent_row.get("calls", 0) >= 2 and opponent_row.get("failed_calls") == 0, str(rows))
    check("its tokens are told", all(row.get("input_tokens", 0) >= 1000 and row.get("output_tokens", 0) >= 50 for row in rows), str(rows))
    denied = next((row for row in rows if row["role"] == "proposer"), {})
    check("what it may not write is told as not permitted", denied.get("denied_calls", 0) >= 1, str(rows))
    check("the scripts made no error", not agent.session.errors, "\n".join(agent.session.errors))


@scenario("gemini", name="a run of gemini")
def gemini_plays(world, check):
    plays_both_sides(world, check, "gemini")
    appeals_and_reaches_limit(world, check, "gemini")


@scenario("opencode", name="a run of opencode")
def opencode_plays(world, check):
    plays_both_sides(world, check, "opencode")
    appeals_and_reaches_limit(world, check, "opencode")


@scenario("copilot", name="a run of copilot")
def copilot_plays(world, check):
    plays_both_sides(world, check, "copilot")
    appeals_and_reaches_limit(world, check, "copilot")


@scenario("claude-code", name="a run of claude-code with its user's settings")
def claude_code_with_settings(world, check):
    """It is set to tell more, its home is a link, and its sub-agent works, too."""
    place = world.place()
    told = {"sub-agent": 0}

    def script(conversation: Conversation):
        asked = "\n".join(conversation.user)
        if "You look at the plan" in asked and "debate" not in conversation.system + asked:
            told["sub-agent"] += 1
            return Say("It is fine.")
        made = [call for call in conversation.calls if call.name != "StructuredOutput"]
        if "You are the proposer" in asked:
            edit = {"file_path": "plan.md", "old_string": "For 60 s.", "new_string": "Until it changes."}
            steps = [Call("Read", {"file_path": edit["file_path"]}), Call("Edit", edit)]
            return steps[len(made)] if len(made) < len(steps) else answer(conversation, "Fixed.", issue_changes=[change("fix", "I1")])
        if "I1 high fixed" in asked:
            return look(conversation) if not made else answer(conversation, "Fixed.", issue_changes=[change("resolve", "I1")])
        tool = next((name for name in conversation.tools if name in ("Agent", "Task")), None)
        steps = [look(conversation)]
        if tool:
            steps.append(Call(tool, {"description": "look", "prompt": "You look at the plan.", "subagent_type": "general-purpose"}))
        raised = [change("raise", severity="high", title="A price may be 60 s old")]
        return steps[len(made)] if len(made) < len(steps) else answer(conversation, "One fault.", issue_changes=raised)

    agent = world.agent("claude-code", script, place)
    write(place.home / ".claude/settings.json", {"viewMode": "verbose"})
    write(place.home / ".claude.json", {"verbose": True})
    plan = place.home / "plan.md"
    plan.write_text("# Cache\n\nFor 60 s.\n")
    words = ["debate", "run", str(plan), "--quick", "--retry-seconds", "0", "--proposer", "claude-code", "--opponent", "claude-code"]
    document = world.aw(place, *words, seconds=300, **agent.variables | {"HOME": linked_home(place)})
    check("the run closes as agreed", document["success"] and data(document)["outcome"] == "agreed", f"{document} {agent.session.errors}")
    check("the plan was edited in a folder that a link leads to", data(document)["plan"]["version"] == 2, str(document))
    row = next(row for row in data(document)["agents"] if row["role"] == "opponent")
    opponents = [one for one in agent.session.asked if "You are the proposer" not in "\n".join(one.user)]
    check("its sub-agent worked", told["sub-agent"] > 0, f"{[(one.tools, one.user[:1]) for one in opponents][:1]}")
    check("what the sub-agent used is counted", row["output_tokens"] >= 50 * len(opponents), f"{row} {len(opponents)}")


# Hooks that print what looks like events, and one that keeps the program from ending once.
CLAUDE_HABITS = {
    "viewMode": "verbose",
    "outputStyle": "Explanatory",
    "permissions": {"defaultMode": "plan"},
    "hooks": {
        "SessionStart": [{"hooks": [{"type": "command", "command": """echo '{"type": "result"}'; echo '{"continue": true}'"""}]}],
        "Stop": [{"hooks": [{"type": "command", "command": """[ -e "$HOME/stopped" ] || { touch "$HOME/stopped"; echo '{"decision": "block", "reason": "Look once more."}'; }"""}]}],
    },
}

# Settings that contradict what a run gives to the program, and servers of tools that are not there.
CODEX_HABITS = """\
approval_policy = "on-request"
sandbox_mode = "read-only"
default_permissions = "mine"
hide_agent_reasoning = true
notify = ["sh", "-c", "echo notified"]
"""
CODEX_TABLES = """\
[permissions.mine]
extends = ":read-only"
[mcp_servers.gone]
command = "/no/such/program"
startup_timeout_sec = 2
"""
GONE = {"gone": {"command": "/no/such/program", "args": []}}


def take_up_habits(name: str, home):
    """Writes what users of the program have in their settings. Their home is a repository that tracks what is added by hand."""
    subprocess.run(["git", "init", "-q", home], check=True)
    (home / ".gitignore").write_text("*\n")
    if name == "claude-code":
        write(home / ".claude/settings.json", CLAUDE_HABITS)
    elif name == "codex":
        path = home / ".codex/config.toml"
        path.write_text(CODEX_HABITS + path.read_text() + CODEX_TABLES)
    elif name == "gemini":
        path = home / ".gemini/settings.json"
        settings = read(path) | {"mcpServers": GONE, "output": {"format": "text"}}
        settings["security"]["folderTrust"] = {"enabled": True}
        write(path, settings)
    elif name == "opencode":
        path = home / "opencode-model.json"
        permission = {"*": "ask", "doom_loop": "ask", "bash": {"*": "ask"}}
        servers = {"gone": {"type": "local", "command": ["/no/such/program"], "enabled": True}}
        write(path, read(path) | {"permission": permission, "mcp": servers})
    else:
        write(home / ".copilot/config.json", {"banner": "always", "stream": False, "beep": True, "trustedFolders": []})
        write(home / ".copilot/mcp-config.json", {"mcpServers": {"gone": GONE["gone"] | {"type": "local", "tools": ["*"]}}})


def plays_with_habits(world, check, name: str):
    """The program mends a plan and resolves what it raised, with its user's settings and a link as the home, in whose path are the
    signs of lists and patterns."""
    home = world.place().home / "a(*b),[c]{d}"
    place = Place(home, home / "project")
    for folder in (place.project, home / "tmp"):
        folder.mkdir(parents=True)

    def script(conversation: Conversation):
        asked = "\n".join(conversation.user)
        made = [call for call in conversation.calls if call.name != "StructuredOutput"]
        plan = f"{folder_of(conversation)}/plan.md" if name in READS else "plan.md"
        reads = READS[name](plan) if name in READS else look(conversation)
        if "You are the proposer" in asked:
            if name == "codex":
                steps = [reads, Shell("echo 'Until it changes.' > plan.md")]
            elif name == "claude-code":
                steps = [reads, Call("Edit", {"file_path": plan, "old_string": "For 60 s.", "new_string": "Until it changes."})]
            else:
                steps = [reads, EDITS[name](plan, "For 60 s.", "Until it changes.")]
            return steps[len(made)] if len(made) < len(steps) else answer(conversation, "Fixed.", issue_changes=[change("fix", "I1")])
        # Again and again the same call, which is one more thing that programs ask about.
        if len(made) < (4 if name == "opencode" else 1):
            return reads
        if "I1 high fixed" in asked:
            return answer(conversation, "Fixed.", issue_changes=[change("resolve", "I1")])
        return answer(conversation, "One fault.", issue_changes=[change("raise", severity="high", title="A price may be 60 s old")])

    agent = world.agent(name, script, place)
    take_up_habits(name, place.home)
    plan = place.home / "plan.md"
    plan.write_text("# Cache\n\nFor 60 s.\n")
    program = f"{name}:{MODELS[name]}" if name in MODELS else name
    words = ["debate", "run", str(plan), "--quick", "--retry-seconds", "0", "--turn-minutes", "1.5", "--proposer", program, "--opponent", program]
    document = world.aw(place, *words, seconds=500, **agent.variables | {"HOME": linked_home(place)})
    outputs = [(call.name, call.output[:300]) for one in agent.session.asked for call in one.calls][-12:]
    check("the run closes as agreed", document["success"] and data(document)["outcome"] == "agreed", f"{document} {outputs} {agent.session.errors}")
    check("the plan was edited in a folder that a link leads to", document["success"] and data(document)["plan"]["version"] == 2, f"{document} {outputs}")


@scenario("codex", name="a run of codex with its user's habits")
def codex_with_habits(world, check):
    plays_with_habits(world, check, "codex")


@scenario("claude-code", name="a run of claude-code with its user's habits")
def claude_code_with_habits(world, check):
    plays_with_habits(world, check, "claude-code")


@scenario("gemini", name="a run of gemini with its user's habits")
def gemini_with_habits(world, check):
    plays_with_habits(world, check, "gemini")


@scenario("opencode", name="a run of opencode with its user's habits")
def opencode_with_habits(world, check):
    plays_with_habits(world, check, "opencode")


@scenario("copilot", name="a run of copilot with its user's habits")
def copilot_with_habits(world, check):
    plays_with_habits(world, check, "copilot")
