"""`aw setup --mcp`: each program lists the tools, and may call those that write; a wait lasts longer than its default limit."""

from apis import Call, Say
from programs import PROGRAMS
from scenario import scenario

# codex ends a call after 60 s otherwise, which is the longest of the short limits.
SECONDS = 70
GUIDE = "You are the proposer"


def find(*ends_and_arguments):
    """A script that calls the tools with these ends of their names; some programs list them only when they are searched."""

    def script(conversation):
        called = [call for call in conversation.calls if call.name != "ToolSearch"]
        if len(called) == len(ends_and_arguments):
            return Say("Done")
        end, arguments = ends_and_arguments[len(called)]
        if tool := conversation.tool(end):
            return Call(tool, arguments)
        if "ToolSearch" in conversation.tools and len(conversation.calls) == len(called):
            names = ",".join(f"mcp__aweave-debate__{end}" for end, _ in ends_and_arguments)
            return Call("ToolSearch", {"query": f"select:{names}", "max_results": 9})
        return Say(f"no tool {end} among: {' '.join(conversation.tools)}")

    return script


def lists_the_tools(name: str, number: int, scope: str):
    def run(world, check):
        debate = f"33333333-3333-4333-8333-33333333{number:04d}"
        opening = {"debate_id": debate, "title": "By MCP", "debate_type": "general_debate", "content": "Shall we?"}
        waiting = {"debate_id": debate, "role": "proposer", "argument_id": "#1", "timeout": SECONDS}
        script = find(("debate_guide", {"role": "proposer"}), ("debate_create", opening), ("debate_wait", waiting))
        agent = world.agent(name, script)
        entered = agent.setup("--mcp", scope)
        agent.trust()
        if name == "gemini":
            ended = agent.run("go", with_tools=True)
            check("no tool is called unattended before the server is trusted, as setup says", not any(GUIDE in output for output in ended.outputs), ended.told())
            check("setup says so", "trust" in entered["metadata"]["message"], str(entered))
        agent.trust(tools=True)
        ended = agent.run("go", with_tools=True, seconds=SECONDS + 90)
        made = {call.name.replace("-", "_").split("debate_debate_")[-1]: call.output for call in ended.last.calls}
        outputs = {end: next((output for tool, output in made.items() if tool.endswith(end)), "") for end in ("guide", "create", "wait")}
        check("the tools are listed, and debate_guide answers", GUIDE in outputs["guide"], f"{entered}\n{ended.told()}")
        check("a tool that writes may be called unattended", "AWAITING_OPPONENT" in outputs["create"], ended.told())
        check(f"debate_wait is held for {SECONDS} s", '"timeout"' in outputs["wait"].replace("\\", ""), ended.told())

    return run


for number, name in enumerate(PROGRAMS):
    scenario(name, name=f"{name}, tools of the user")(lists_the_tools(name, number, "--user"))
    scenario(name, name=f"{name}, tools of the project")(lists_the_tools(name, 100 + number, "--project"))
