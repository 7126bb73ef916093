"""What `aw setup` installs is found under its name, and `aw` may be used unattended, as docs/agents.md says."""

from apis import Call, Shell
from programs import PROGRAMS
from scenario import scenario, steps

SKILL = "aweave-debate-proposer"
GUIDE = "# You are the proposer"


def is_there(conversation) -> bool:
    return any(GUIDE in text for text in [conversation.system, *conversation.user, *(call.output for call in conversation.calls)])


def finds_its_skill(name: str):
    def run(world, check):
        program = PROGRAMS[name]
        load = program.loads_skill(SKILL)
        agent = world.agent(name, steps(*filter(None, [load, Shell("aw doctor --format markdown"), Shell("aw debate list --format markdown")])))
        agent.setup("--user")
        ended = agent.run(program.skill_prompt(SKILL), seconds=90)
        check(f"the skill is found as {SKILL}", is_there(ended.last), ended.told())
        doctor, listed = ended.outputs[-2], ended.outputs[-1]
        check("aw reaches its server unattended", "# Debates" in listed, ended.told())
        check("aw recognises the program", "**host**" in doctor and "no known agent" not in doctor, doctor)

    return run


for name in PROGRAMS:
    scenario(name, name=f"{name}, its skill")(finds_its_skill(name))


@scenario("claude-code", name="claude-code, a skill that names tools")
def allowed_tools_do_not_deny_the_skill(world, check):
    for scope in ("--project", "--user"):
        agent = world.agent("claude-code", steps(Call("Skill", {"skill": SKILL, "args": ""}), Shell("aw debate list --format markdown")))
        agent.setup(scope, "--allowed-tools", "Read, Bash(aw *)")
        if scope == "--project":
            agent.trust()
        ended = agent.run("go")
        check(f"the model may load it unattended ({scope})", is_there(ended.last), ended.told())


@scenario("claude-code", name="claude-code, a text without a file")
def a_heredoc_brings_a_text(world, check):
    text = "# Motion\n\nLine with 'quotes', $dollar and `ticks`; a semicolon & more"
    debate = "22222222-2222-4222-8222-222222220001"
    command = f"aw debate create --debate-id {debate} --title T --debate-type general_debate --stdin --format markdown <<'EOF'\n{text}\nEOF"
    agent = world.agent("claude-code", None)
    agent.session.script = steps(Call("Write", {"file_path": str(agent.place.project / "m.md"), "content": text}), Shell(command))
    agent.setup("--user")
    ended = agent.run("go")
    check("no file may be written", not (agent.place.project / "m.md").exists(), ended.told())
    shown = world.data(agent.place, "debate", "show", "--debate-id", debate, "--argument-id", "#1")
    check("the text arrives as it was written", shown["argument"]["content"].strip() == text, str(shown))


@scenario("codex", name="codex, its rules")
def codex_keeps_to_its_rules(world, check):
    debate = "22222222-2222-4222-8222-222222220002"
    agent = world.agent("codex", None)
    create = f"aw debate create --debate-id {debate} --title X --debate-type general_debate --content '# A\n\n- `b` $c; d && e \"f\" | g' --format markdown"
    commands = [
        create,
        f"aw debate intervention --debate-id {debate} --content x",
        f"aw debate ruling --debate-id {debate} --close --content x",
        f"aw debate free-seat --debate-id {debate} --role proposer",
        "aw debate list | head -3",
        f"aw debate export --debate-id {debate} --output {agent.place.home}/out.md --format markdown",
    ]
    agent.session.script = steps(*map(Shell, commands))
    ended = agent.run("go")
    check("without them aw does not reach its server", "CONNECTION_ERROR" in ended.outputs[0], ended.told())
    agent.setup("--user")
    ended = agent.run("go")
    created, *refused, piped, exported = ended.outputs
    check("with them it does, and writes the key of its seat", "AWAITING_OPPONENT" in created, ended.told())
    for verb, output in zip(["intervention", "ruling", "free-seat"], refused):
        check(f"{verb} is refused, with the reason", "the arbitrator decides this" in output, output)
    check("a pipe keeps aw in the sandbox, as the guide says", "CONNECTION_ERROR" in piped, piped)
    check("no file is written where the caller says", "is not written" in exported and not (agent.place.home / "out.md").exists(), exported)
    state = world.data(agent.place, "debate", "get-context", "--debate-id", debate)["debate"]["state"]
    check("the debate is as it was", state == "AWAITING_OPPONENT", state)
    agent.setup("--user", "--remove")
    ended = agent.run("go")
    check("--remove takes them back", "CONNECTION_ERROR" in ended.outputs[0], ended.told())
