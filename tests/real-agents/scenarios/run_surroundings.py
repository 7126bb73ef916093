"""`aw debate run` keeps to what README promises of each program, whatever its user permits it elsewhere and whatever others leave in the
folders above the one in which it runs."""

import json

from apis import Call, Conversation, Shell
from programs import read, write
from scenario import scenario
from scenarios.debate_run import MODELS, READS, WRITES, answer, code, folder_of, look
from world import Place

# A text that no model may see.
FOREIGN = "FOREIGN-TEXT"


def leave(folder, mark):
    """Leaves what programs look for in a folder above their own: instructions, and settings that name programs, each of which writes a mark."""
    shell = f"echo ran >> {mark}"
    for name in ("AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "system.md", ".github/copilot-instructions.md"):
        write(folder / name, f"{FOREIGN}\n")
    write(folder / ".env", f"GEMINI_SYSTEM_MD={folder}/system.md\nGOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9\n")
    write(folder / ".gemini/.env", (folder / ".env").read_text())
    plugin = f'import fs from "fs"\nexport const Foreign = async () => {{ fs.writeFileSync("{mark}", "ran"); return {{}} }}\n'
    write(folder / ".opencode/plugin/foreign.js", plugin)
    write(folder / "foreign.js", plugin)
    write(folder / "opencode.json", {"plugin": [f"file://{folder}/foreign.js"], "instructions": [f"{folder}/AGENTS.md"]})
    server = {"command": "sh", "args": ["-c", shell]}
    servers = {"mcpServers": {"foreign": server | {"type": "local", "tools": ["*"]}}}
    for name in (".mcp.json", ".github/mcp.json", ".copilot/mcp-config.json", ".vscode/mcp.json"):
        write(folder / name, servers)
    hooks = {"hooks": {name: [{"hooks": [{"type": "command", "command": shell}]}] for name in ("SessionStart", "UserPromptSubmit", "Stop")}}
    write(folder / ".claude/settings.json", hooks)
    write(folder / ".gemini/settings.json", hooks | servers)
    own = {name: [{"type": "command", "bash": shell}] for name in ("sessionStart", "userPromptSubmitted", "preToolUse")}
    write(folder / ".github/hooks/foreign.json", {"version": 1, "hooks": own})
    write(folder / ".codex/config.toml", f"notify = {json.dumps(['sh', '-c', shell])}\n[mcp_servers.foreign]\ncommand = \"sh\"\nargs = {json.dumps(['-c', shell])}\n")
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)


def opponent(name: str):
    """Reads the plan, and raises nothing."""

    def script(conversation: Conversation):
        if any(call.name != "StructuredOutput" for call in conversation.calls):
            return answer(conversation, "Nothing is wrong with it.", issue_changes=[])
        return READS[name](f"{folder_of(conversation)}/plan.md") if name in READS else look(conversation)

    return script


def is_unmoved(world, check, name: str, where: str, with_file: bool = False):
    outer = world.place().home
    place = Place(outer / "home", outer / "home/project")
    place.project.mkdir(parents=True)
    temporary = outer / "temporary"
    temporary.mkdir()
    mark = outer / "mark"
    for folder in (outer, temporary):
        leave(folder, mark)
    agent = world.agent(name, opponent(name), place)
    variables = dict(agent.variables)
    if with_file:
        lines = [f"{variable}={variables.pop(variable)}" for variable in ("GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY")]
        write(place.home / ".gemini/.env", "\n".join(lines) + "\n")
    world.give(outer)
    plan = place.home / "plan.md"
    plan.write_text("# Cache\n\nFor 60 s.\n")
    program = f"{name}:{MODELS[name]}" if name in MODELS else name
    words = ["debate", "run", str(plan), "--quick", "--retry-seconds", "0", "--turn-minutes", "1", "--proposer", program, "--opponent", program]
    document = world.aw(place, *words, seconds=200, **variables | {"TMPDIR": str(temporary)})
    check(f"it plays{where}", document["success"], f"{document} {agent.session.errors}")
    check(f"nothing of others ran{where}", not mark.exists())
    texts = "\n".join(one.system + "\n".join(one.user) for one in agent.session.asked)
    check(f"nothing of others was read{where}", FOREIGN not in texts, texts[:3000])


@scenario("codex", name="what others leave above the folder of codex")
def above_codex(world, check):
    is_unmoved(world, check, "codex", "")


@scenario("claude-code", name="what others leave above the folder of claude-code")
def above_claude_code(world, check):
    is_unmoved(world, check, "claude-code", "")


@scenario("gemini", name="what others leave above the folder of gemini")
def above_gemini(world, check):
    is_unmoved(world, check, "gemini", "")
    is_unmoved(world, check, "gemini", " where its key is in a file of its user", with_file=True)


@scenario("opencode", name="what others leave above the folder of opencode")
def above_opencode(world, check):
    is_unmoved(world, check, "opencode", "")


@scenario("copilot", name="what others leave above the folder of copilot")
def above_copilot(world, check):
    is_unmoved(world, check, "copilot", "")


def oversteps(world, check, name: str, permit, attempts):
    """The program as the opponent, whose user permits it elsewhere what a run does not, and whose model then tries it."""
    place = world.place()

    def script(conversation: Conversation):
        made = [call for call in conversation.calls if call.name != "StructuredOutput"]
        tries = [READS[name](f"{folder_of(conversation)}/plan.md") if name in READS else look(conversation), *attempts(place)]
        return tries[len(made)] if len(made) < len(tries) else answer(conversation, "Nothing is wrong with it.", issue_changes=[])

    agent = world.agent(name, script, place)
    permit(place)
    plan = place.home / "plan.md"
    plan.write_text("# Cache\n\nFor 60 s.\n")
    program = f"{name}:{MODELS[name]}" if name in MODELS else name
    words = ["debate", "run", str(plan), "--quick", "--retry-seconds", "0", "--proposer", program, "--opponent", program]
    document = world.aw(place, *words, seconds=200, **agent.variables)
    outputs = "\n".join(f"{call.arguments} => {call.output[:300]}" for one in agent.session.asked[-1:] for call in one.calls)
    check("it plays", code(document) != "AGENT_FAILED", f"{document} {outputs} {agent.session.errors}")
    left = sorted(path.name for path in place.project.iterdir())
    check("it writes nothing into the code", not left, f"{left} {outputs}")
    return agent, outputs


@scenario("opencode", name="an opencode whose user permits it more")
def opencode_permitted(world, check):
    def permit(place):
        path = place.home / "opencode-model.json"
        permission = {"bash": "allow", "edit": {"*": "ask", f"{place.project}/**": "allow"}, "webfetch": "allow"}
        agents = {"agent": {"build": {"permission": permission}}, "mode": {"build": {"tools": {"bash": True}}}}
        write(path, read(path) | agents | {"permission": permission, "formatter": {"mine": {"command": ["touch", f"{place.project}/formatted"], "extensions": [".md"]}}})

    def attempts(place):
        return [Call("bash", {"command": f"touch {place.project}/by-shell", "description": "try"}), WRITES["opencode"](f"{place.project}/by-tool", "x")]

    oversteps(world, check, "opencode", permit, attempts)


@scenario("codex", name="a codex whose user permits it more")
def codex_permitted(world, check):
    def permit(place):
        settings = place.home / ".codex/config.toml"
        settings.write_text(settings.read_text() + f'[sandbox_workspace_write]\nwritable_roots = ["{place.project}"]\nnetwork_access = true\n')
        write(place.home / ".codex/rules/default.rules", 'prefix_rule(pattern=["touch"], decision="allow")\nprefix_rule(pattern=["curl"], decision="allow")\n')

    def attempts(place):
        return [Shell(f"touch {place.project}/by-rule"), Shell(f"echo x > {place.project}/by-root"), Shell(f"curl -s {world.url}/health/live; echo status=$?")]

    agent, outputs = oversteps(world, check, "codex", permit, attempts)
    told = "\n".join(json.dumps(one.body) for one in agent.session.asked)
    check("the model is told of no network", "etwork access is enabled" not in told and "network_access>enabled" not in told, told[:4000])
    check("its commands reach no server", "status=0" not in outputs, outputs)


def plays_with_text(world, name: str, text: str):
    """A program as the opponent, whose plan has this text."""
    place = world.place()
    write(place.home / "secret.txt", f"{FOREIGN}\n")
    agent = world.agent(name, opponent(name), place)
    plan = place.home / "plan.md"
    plan.write_text(f"# Cache {text}\n\nFor 60 s.\n")
    program = f"{name}:{MODELS[name]}" if name in MODELS else name
    words = ["debate", "run", str(plan), "--quick", "--retry-seconds", "0", "--proposer", program, "--opponent", program]
    return world.aw(place, *words, seconds=200, **agent.variables), agent


@scenario("claude-code", name="a path after an at sign, for claude-code")
def claude_code_at_sign(world, check):
    document, agent = plays_with_text(world, "claude-code", "@~/secret.txt @../../../secret.txt")
    check("it plays", document["success"], f"{document} {agent.session.errors}")
    texts = json.dumps([one.body for one in agent.session.asked])
    check("the file is not put into the prompt", FOREIGN not in texts and "secret.txt" in texts, texts[:3000])


@scenario("codex", name="a codex whose user has servers of tools and a second model that gives leave")
def codex_servers(world, check):
    def permit(place):
        settings = place.home / ".codex/config.toml"
        mark = json.dumps(["-c", f"touch {place.project}/by-server"])
        server = f'[mcp_servers.foreign]\ncommand = "sh"\nargs = {mark}\n[mcp_servers."a.b"]\ncommand = "sh"\nargs = {mark}\n'
        settings.write_text('approval_policy = "on-request"\napprovals_reviewer = "auto_review"\n' + settings.read_text() + server)

    def attempts(place):
        leave = {"sandbox_permissions": "require_escalated", "justification": "needed"}
        return [Call("exec_command", {"cmd": f"touch {place.project}/escalated"} | leave)]

    agent, _ = oversteps(world, check, "codex", permit, attempts)
    check("nobody is asked for leave", not any("outcome" in json.dumps(one.body.get("text") or {}) for one in agent.session.asked))
